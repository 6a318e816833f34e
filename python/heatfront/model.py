"""Models that are fitted to a few labels and then take labels, explain themselves and say what they want to know."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _core
from .arrays import is_unknown, settings_of
from .data import Data, made
from .flow import Answer
from .results import Result

Progress = Callable[[str, int, int, str, str], None]


class Labelled(Result):
    """What labels did."""

    @property
    def changed(self) -> list[dict[str, Any]]:
        """The nodes whose class is another now, most moved first; `told` where their own label was set."""
        changes: list[dict[str, Any]] = self["changes"]
        return changes


class Model:
    """A trained model. Labels that it is given count at once; every change can be undone.

    Made by `fit` or `load`; `save` writes the file that the command line reads.
    """

    def __init__(self, inner: _core.Model, classes: NDArray[Any] | None = None) -> None:
        self._inner = inner
        self._given_classes = classes

    @property
    def name(self) -> str:
        """What it is: linear-front, heat-front, …"""
        return self._inner.name

    @property
    def data(self) -> Data:
        return Data(self._inner.data)

    @property
    def classes(self) -> NDArray[Any]:
        """The classes, by the user's names where they are at hand; new ones last."""
        names = self._inner.data.class_names
        given = self._given_classes
        if given is None:
            return np.array(names)
        if len(given) == len(names):
            return given
        return np.array([*given.tolist(), *names[len(given) :]], dtype=object)

    @property
    def report(self) -> Result:
        """What training came to, and what was tried."""
        return Result("Fit", self._inner.report)

    @property
    def answer(self) -> Answer:
        """What it says of every node with the labels that it holds now."""
        return Answer(self._inner.answer(), self.classes, self._inner.data.node_names)

    def predict(self) -> NDArray[Any]:
        """The class of each node."""
        return self.answer.predict()

    def predict_proba(self) -> NDArray[Any]:
        """(nodes, classes): the share of each class."""
        return self.answer.predict_proba()

    @property
    def known(self) -> dict[int, Any]:
        """The labels that it holds, by node."""
        classes = self.classes
        nodes, held = self._inner.known_nodes().tolist(), self._inner.known_classes().tolist()
        return {node: classes[label] for node, label in zip(nodes, held)}

    def label(self, labels: Mapping[Any, Any], *, new_classes: Sequence[str] = ()) -> Labelled:
        """Sets labels by node, or takes them away (None), and says what changed because of it.

        A class that training did not know is named in `new_classes`, lest a slip of the pen make one.
        """
        classes = self.classes.tolist()
        place = {name: i for i, name in enumerate(classes)}
        by_text = {str(name): i for i, name in enumerate(classes)}
        new = [str(name) for name in new_classes]
        by_text.update((name, len(classes) + i) for i, name in enumerate(new))
        nodes, codes = [], []
        for node, label in labels.items():
            nodes.append(self._node(node))
            if is_unknown(label):
                codes.append(-1)
                continue
            code = place.get(label, by_text.get(str(label)))
            if code is None:
                raise _core.Error(
                    f"class '{label}': there are {', '.join(map(str, classes))}; new_classes=['{label}'] adds it"
                )
            codes.append(code)
        effect = self._inner.set_labels(np.array(nodes, np.int32), np.array(codes, np.int32), new)
        return Labelled("Labelled", effect)

    def undo(self) -> Labelled:
        """Takes the last `label` back."""
        return Labelled("Labelled", self._inner.undo())

    def train(self, *, progress: bool | Progress = False) -> Model:
        """Trains again, with the same settings, on all labels that it holds; returns itself."""
        with _shown(progress) as tell:
            self._inner.train_again(tell)
        return self

    def suggest(self, count: int = 5, *, by: str = "") -> list[Result]:
        """The nodes most worth labelling next."""
        return [Result("Suggestion", item) for item in json.loads(self._inner.suggest(count, by))]

    def explain(self, node: Any) -> Result:
        """Why a node has its class: what came from which labels, fronts and attributes."""
        return Result("Explanation", self._inner.explain(self._node(node)))

    def evaluate(self, *, coverage: float = 0.9, score: str = "lac") -> Result:
        """How good it is, by test nodes or by labels that were left out."""
        return Result("Evaluation", self._inner.evaluate(coverage, score))

    def save(self, path: str | os.PathLike[str]) -> None:
        self._inner.save(os.fspath(path))

    @classmethod
    def load(cls, path: str | os.PathLike[str], *, threads: int = 0) -> Model:
        return cls(_core.Model.load(os.fspath(path), threads or _core.available_cores()))

    def _node(self, node: Any) -> int:
        if isinstance(node, (int, np.integer)):
            nodes = self._inner.data.graph.nodes
            if not 0 <= int(node) < nodes:
                raise _core.Error(f"node {node}: there are nodes 0 to {nodes - 1}")
            return int(node)
        return self._inner.find_node(str(node))

    def __copy__(self) -> Model:
        return _from_bytes(*self.__reduce__()[1])

    def __deepcopy__(self, memo: dict[int, Any]) -> Model:
        return self.__copy__()

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        return (_from_bytes, (self._inner.to_bytes(), self._given_classes, self._inner.threads))

    def __repr__(self) -> str:
        data = self._inner.data
        known = len(self._inner.known_nodes())
        return f"Model({self.name}: {data.graph.nodes} nodes, {len(data.class_names)} classes, {known} labels held)"

    def _repr_html_(self) -> str:
        return Result(f"Model {self.name}", self._inner.info())._repr_html_()


def _from_bytes(data: bytes, classes: Any, threads: int) -> Model:
    return Model(_core.Model.from_bytes(data, threads), classes)


def load(path: str | os.PathLike[str], *, threads: int = 0) -> Model:
    """A model from the file that `Model.save` or the command line wrote."""
    return Model.load(path, threads=threads)


def fit(
    graph: Any,
    X: Any = None,
    y: Any = None,
    *,
    model: str = "auto",
    quick: bool = False,
    split: str | Mapping[str, Any] | None = None,
    preset: str = "",
    seed: int = 0,
    node_names: Any = None,
    feature_names: Any = None,
    progress: bool | Progress = False,
    threads: int = 0,
    **settings: Any,
) -> Model:
    """Learns from the labels of some nodes what the others are.

    `graph`: whatever `Graph` takes, or `Data`. `X`: a row of features per node, or None. `y`: a label per node, with
    -1, None or NaN where it is not known. Without `model`, every label trains, and the best of three models by labels
    left out answers.

    >>> import heatfront as hf
    >>> model = hf.fit(hf.open("karate"), quick=True)
    >>> print(model.predict()[33])
    Officer
    """
    inner, classes = made(graph, X, y, node_names, feature_names)
    if isinstance(split, str):
        inner = inner.with_split(split, seed)
    elif split is not None:
        parts = (np.flatnonzero(p) if np.asarray(p).dtype == bool else p for p in _parts(split))
        inner = inner.with_parts(*(np.sort(np.asarray(part)).astype(np.int32) for part in parts))
    with _shown(progress) as tell:
        trained = _core.Model.fit(
            inner, model, settings_of(settings), preset, seed, quick, tell, threads or _core.available_cores()
        )
    return Model(trained, classes)


def _parts(split: Mapping[str, Any]) -> list[Any]:
    return [split.get(name, ()) for name in ("train", "validation", "test")]


class _shown:
    """Progress as a line on standard error, as a function of the user's, or none."""

    def __init__(self, progress: bool | Progress) -> None:
        self._function = progress if callable(progress) else self._line if progress else None
        self._width = 0

    def __enter__(self) -> Progress | None:
        return self._function

    def __exit__(self, *_: object) -> None:
        if self._width:
            print("\r" + " " * self._width + "\r", end="", file=sys.stderr, flush=True)

    def _line(self, stage: str, done: int, total: int, unit: str, detail: str) -> None:
        share = f" {done}/{total} {unit}" if total else ""
        text = f"{stage}{share} {detail}".rstrip()
        print("\r" + text.ljust(self._width), end="", file=sys.stderr, flush=True)
        self._width = max(self._width, len(text))
