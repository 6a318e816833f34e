"""Labels the nodes of a graph from a few known labels, by heat that flows from them along the edges.

>>> import heatfront as hf
>>> club = hf.open("karate")
>>> answer = hf.flow(club, time=5)
>>> answer.predict()[:3].tolist()
['Mr. Hi', 'Mr. Hi', 'Mr. Hi']
"""

from __future__ import annotations

# What few calls need (csv, html, tempfile, …) is imported by them: to import this takes milliseconds.
from ._core import Error
from .data import Data, example, open, tables
from .experiments import compare, search, sweep
from .flow import Answer, flow
from .graph import Graph, knn_graph
from .model import Model, fit, load
from .target_answer import TargetAnswer
from .target_model import TargetModel

__version__ = "0.1.0"

__all__ = [
    "Answer",
    "Data",
    "Error",
    "Graph",
    "Model",
    "TargetAnswer",
    "TargetModel",
    "compare",
    "example",
    "fit",
    "flow",
    "knn_graph",
    "load",
    "open",
    "search",
    "sweep",
    "tables",
]
