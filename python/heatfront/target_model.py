"""Models of values, and of several classes per node."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _core
from .labels import row_of
from .results import Result
from .target_answer import TargetAnswer
from .trained import Trained

if TYPE_CHECKING:
    from numpy.typing import NDArray


class TargetModel(Trained):
    """A trained model of values, or of several classes per node; `kind` says which.

    >>> import heatfront as hf
    >>> road = [(i, i + 1) for i in range(39)]
    >>> price = [i / 4 if i % 3 == 0 else None for i in range(40)]
    >>> model = hf.fit(road, None, price, kind="values")
    >>> bool(abs(model.predict()[20] - 5) < 0.5)
    True
    """

    _inner: _core.TargetModel

    def __init__(self, inner: _core.TargetModel) -> None:
        self._inner = inner

    @property
    def kind(self) -> str:
        """values or many-labels"""
        return self._inner.data.kind

    @property
    def columns(self) -> list[str]:
        """Of values their names, of many labels the classes."""
        return self._inner.data.target_names

    @property
    def answer(self) -> TargetAnswer:
        """What it says of every node with the labels that it holds now."""
        return TargetAnswer(self._inner.answer(), self._inner.thresholds(), self._inner.data)

    def predict(self) -> NDArray[Any]:
        """Values, by node (and by column, where there are several); or True for every class that a node has."""
        return self.answer.predict()

    def predict_proba(self) -> NDArray[Any]:
        """Of many labels, (nodes, classes): the score of each class from 0 to 1."""
        return self.answer.predict_proba()

    def interval(self, coverage: float = 0.9) -> tuple[NDArray[Any], NDArray[Any]]:
        """(low, high) of the values: about so many of the true values lie between them, by labels left out."""
        if self.kind != "values":
            raise _core.Error("interval: classes have none; predict_proba() says how likely they are")
        values = self._inner.answer().values
        radius = np.where(self.answer.status[:, None] == "known", 0, np.array(self._inner.radius(coverage)))
        low, high = values - radius, values + radius
        return (low[:, 0], high[:, 0]) if values.shape[1] == 1 else (low, high)

    @property
    def known(self) -> list[int]:
        """The nodes whose label it holds."""
        nodes: list[int] = self._inner.known_nodes().tolist()
        return nodes

    def label(self, labels: Mapping[Any, Any]) -> Result:
        """Sets labels by node, or takes them away (None), and says what moved because of it. A label is a number, a
        number for each column, or a set of classes."""
        columns = self.columns
        rows = [
            [np.nan] * len(columns) if label is None else row_of(label, self.kind, columns) for label in labels.values()
        ]
        table = np.array(rows, np.float64).reshape(-1, len(columns))
        return self._labelled(self._inner.set_labels(self._nodes(list(labels)), table))

    def explain(self, node: Any, column: str | int | None = None) -> Result:
        """Why a node has its value, or its score of a class: what came from which labels and attributes. `column`:
        which one, by name or number; of classes the likeliest where it is not said."""
        place = self._node(node)
        columns = self.columns
        if column is None:
            column = int(self._inner.answer().values[place].argmax()) if self.kind == "many-labels" else 0
        if isinstance(column, str):
            if column not in columns:
                raise _core.Error(f"column '{column}': there are {', '.join(columns)}")
            column = columns.index(column)
        if not 0 <= column < len(columns):
            raise _core.Error(f"column {column}: there are columns 0 to {len(columns) - 1}")
        return self._result("Explanation", self._inner.explain(place, column), "labels")

    def evaluate(self, *, coverage: float = 0.9) -> Result:
        """How good it is, by test nodes and by labels that were left out."""
        return self._result("Evaluation", self._inner.evaluate(coverage))

    def _labelled(self, told: tuple[str, str]) -> Result:
        return self._result("Labelled", told, "moved")

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        return (_from_bytes, (self._inner.to_bytes(), self._inner.report, self._inner.threads))

    def __repr__(self) -> str:
        nodes = self._inner.data.graph.nodes
        return f"TargetModel({self.name}: {nodes} nodes, {self.kind}, {len(self.known)} labels held)"


def _from_bytes(data: bytes, report: str, threads: int) -> TargetModel:
    return TargetModel(_core.TargetModel.from_bytes(data, report, threads))
