"""Models that are fitted to a few labels and then take labels, explain themselves and say what they want to know."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _core
from .arrays import is_unknown, plain, reals, settings_of, whole_numbers
from .data import Features, made, with_parts
from .explorer import explorer_widget
from .flow import Answer
from .progress import Progress, shown
from .results import Result, Results
from .target_model import TargetModel
from .trained import Trained, now

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Labelled(Result):
    """What labels did."""

    @property
    def changed(self) -> list[dict[str, Any]]:
        """The nodes whose class is another now, most moved first; `told` where their own label was set."""
        changes: list[dict[str, Any]] = self["changes"]
        return changes


class Model(Trained):
    """A trained model. Labels that it is given count at once; every change can be undone.

    Made by `fit` or `load`; `save` writes the file that the command line reads.
    """

    _inner: _core.Model

    def __init__(self, inner: _core.Model, classes: NDArray[Any] | None = None) -> None:
        self._inner = inner
        self._given_classes = classes

    @property
    def classes(self) -> NDArray[Any]:
        """The classes, by the user's names where they are at hand; new ones last."""
        names = self._inner.class_names
        given = self._given_classes
        if given is None:
            return np.array(names)
        if len(given) == len(names):
            return given
        return np.array([*given.tolist(), *names[len(given) :]], dtype=object)

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
        new = [str(name) for name in new_classes]
        codes = self._codes(labels.values(), new)
        return self._labelled(self._inner.set_labels(self._nodes(list(labels)), codes, new, now()))

    def suggest(self, count: int = 5, *, by: str = "") -> Results:
        """The nodes most worth labelling next."""
        return Results(self._result("Suggestion", item) for item in json.loads(self._inner.suggest(count, by)))

    def explain(self, node: Any) -> Result:
        """Why a node has its class: what came from which labels, fronts and attributes; `plot` draws it."""
        return self._result("Explanation", self._inner.explain(self._node(node)), "labels")

    def rank(self, label: Any, count: int = 50, *, known: bool = False) -> Result:
        """The nodes that are likeliest of a class, each with its reasons; also those whose label is known, if asked."""
        name = self._inner.class_names[self._codes([label], None)[0]]
        return self._result("Ranking", self._inner.rank(name, count, known), "nodes")

    def evaluate(self, *, coverage: float = 0.9, score: str = "lac") -> Result:
        """How good it is, by test nodes or by labels that were left out; `plot` draws how far to trust it."""
        return self._result("Evaluation", self._inner.evaluate(coverage, score), "classes")

    def add_nodes(
        self,
        edges: Any = None,
        X: Any = None,
        y: Any = None,
        *,
        names: Sequence[Any] | None = None,
        count: int | None = None,
        weights: Any = None,
    ) -> Result:
        """New nodes, without training: they get a class at once, and the model keeps them.

        `edges`: pairs of nodes, by name or number; new nodes go by their `names`, or by the numbers that follow those
        of the model. `X`: a row of features per new node, as those that trained had them. `y`: a label per new node,
        or None. Or one path: a folder with edges.csv and features.csv, as `heatfront label --add` takes it.

        >>> import heatfront as hf
        >>> model = hf.fit(hf.open("karate"), quick=True)
        >>> model.add_nodes([(34, 33), (34, 32)]).nodes[0]["class"]
        'Officer'
        """
        if isinstance(edges, (str, os.PathLike)):
            return self._result("Growth", self._inner.add_folder(os.fspath(edges), now()), "nodes")
        old = self._inner.nodes
        features = Features(X, None)
        pairs = [] if edges is None else [tuple(pair) for pair in plain(edges).tolist()]
        ends = self._ends(pairs, names, old)
        if count is None:
            in_edges = max((max(pair) for pair in ends), default=old - 1) + 1 - old
            count = len(names) if names is not None else max(features.rows, in_edges)
        ends_array = np.array(ends, np.int64).reshape(-1, 2)
        source, target = (whole_numbers(ends_array[:, i], "edges", old + count, np.int32) for i in range(2))
        codes = np.full(count, -1, np.int32) if y is None else self._codes(plain(y).tolist(), [])
        if len(codes) != count:
            raise _core.Error(f"y: a label is expected for each of {count} new nodes, there are {len(codes)}")
        labelled = np.flatnonzero(codes >= 0)
        told = self._inner.add_nodes(
            count,
            [] if names is None else [str(name) for name in names],
            source,
            target,
            None if weights is None else reals(weights, "weights"),
            features.dense,
            features.sparse,
            features.columns if features.names is None else None,
            (labelled + old).astype(np.int32),
            codes[labelled],
            now(),
        )
        return self._result("Growth", told, "nodes")

    def plot(self, positions: Any = None, *, ax: Any = None) -> Any:
        """Draws the graph with nodes coloured by their class, paler where that is less sure."""
        return self.answer.plot(self.data.graph, positions, ax=ax)

    def explore(self, *, height: int = 640) -> Any:
        """The explorer's page as a widget of a notebook, with a copy of this model; needs anywidget.

        Its labels are in the `model` of the widget: `page = model.explore()`, and later `page.model`.
        """
        return explorer_widget(self, height)

    @classmethod
    def load(cls, path: str | os.PathLike[str], *, threads: int = 0) -> Model:
        return cls(_core.Model.load(os.fspath(path), threads or _core.available_cores()))

    def _codes(self, labels: Iterable[Any], new: list[str] | None) -> NDArray[np.int32]:
        """The numbers of classes that a user calls by these names; -1: unknown. `new`: None where none may be added."""
        classes = self.classes.tolist()
        place = {name: i for i, name in enumerate(classes)}
        by_text = {str(name): i for i, name in enumerate(classes)}
        by_text.update((name, len(classes) + i) for i, name in enumerate(new or ()))
        codes = []
        for label in labels:
            code = -1 if is_unknown(label) else place.get(label, by_text.get(str(label)))
            if code is None:
                import difflib

                folded = {name.casefold(): name for name in by_text}
                near = difflib.get_close_matches(str(label).casefold(), folded, 1)
                meant = f" (did you mean '{folded[near[0]]}'?)" if near else ""
                adds = "" if new is None else f"; new_classes=['{label}'] adds it"
                raise _core.Error(f"there is no class '{label}'{meant}; there are {', '.join(map(str, classes))}{adds}")
            codes.append(code)
        return np.array(codes, np.int32)

    def _ends(self, pairs: list[Any], names: Sequence[Any] | None, old: int) -> list[tuple[int, int]]:
        """Edges by numbers; new nodes come after the old ones."""
        place = {name: old + i for i, name in enumerate(names or ())}

        def number(end: Any) -> int:
            if end in place:
                return place[end]
            return int(end) if isinstance(end, (int, np.integer)) else self._node(end)

        for pair in pairs:
            if len(pair) != 2:
                raise _core.Error(f"edges: pairs of nodes are expected, there is {pair}")
        return [(number(u), number(v)) for u, v in pairs]

    def _labelled(self, told: tuple[str, str]) -> Labelled:
        return Labelled("Labelled", told, "changes", numbered=not self._inner.names_nodes)

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        return (
            _from_bytes,
            (self._inner.to_bytes(), self._inner.report, self._given_classes, self._inner.threads),
        )

    def __repr__(self) -> str:
        known = len(self._inner.known_nodes())
        classes = len(self._inner.class_names)
        return f"Model({self.name}: {self._inner.nodes} nodes, {classes} classes, {known} labels held)"


def _from_bytes(data: bytes, report: str, classes: Any, threads: int) -> Model:
    return Model(_core.Model.from_bytes(data, report, threads), classes)


def load(path: str | os.PathLike[str], *, threads: int = 0) -> Any:
    """A model from the file that `save` or the command line wrote: a `Model`, or a `TargetModel` of values and many
    labels."""
    if _core.is_target_model(os.fspath(path)):
        return TargetModel(_core.TargetModel.load(os.fspath(path), threads or _core.available_cores()))
    return Model.load(path, threads=threads)


def fit(
    graph: Any,
    X: Any = None,
    y: Any = None,
    *,
    model: str = "auto",
    kind: str | None = None,
    quick: bool = False,
    split: str | Mapping[str, Any] | None = None,
    preset: str = "",
    seed: int = 0,
    node_names: Any = None,
    feature_names: Any = None,
    progress: bool | Progress = False,
    threads: int = 0,
    **settings: Any,
) -> Any:
    """Learns from the labels of some nodes what the others are.

    `graph`: whatever `Graph` takes, `Data`, or an object of PyTorch Geometric or OGB with its features, labels and
    split. `X`: a row of features per node, or None. `y`: a label per node, with -1, None or NaN where it is not known.
    `kind` says what labels are: "classes", "values", or "many-labels", several classes per node. Where it does not:
    sets, lists and rows of 0 and 1 are many labels, numbers with fractions are values (-1 is one of them), all else is
    classes.

    `progress`: True for a line or, in a notebook, a bar; or a function of (stage, done, total, unit, detail), which is
    called some ten times a second and ends the work by raising.

    Without `model`, every label trains, and the best of several models by labels left out answers. `settings` are those
    of the model that is named. Returns a `Model`, or a `TargetModel` of values and many labels.

    >>> import heatfront as hf
    >>> model = hf.fit(hf.open("karate"), quick=True)
    >>> print(model.predict()[33])
    Officer
    """
    inner, classes = made(graph, X, y, node_names, feature_names, kind)
    if isinstance(split, str):
        inner = inner.with_split(split, seed)
    elif split is not None:
        inner = with_parts(inner, split)
    cores = threads or _core.available_cores()
    with shown(progress) as tell:
        if inner.kind == "classes":
            trained = _core.Model.fit(inner, model, settings_of(settings), preset, seed, quick, tell, cores)
            return Model(trained, classes)
        if preset or quick:
            raise _core.Error("preset and quick are for labels that are classes; these are not")
        return TargetModel(_core.TargetModel.fit(inner, model, settings_of(settings), tell, cores))
