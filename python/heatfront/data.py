"""Data sets: a graph, features, labels and names."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _core, arrays, frames
from .geometric import taken_apart
from .graph import Graph
from .labels import labels

if TYPE_CHECKING:
    from numpy.typing import NDArray

PARTS = ("train", "validation", "test")


class Data:
    """A graph with features and labels, as `open` reads it from any format that the program knows."""

    _inner: _core.Data

    def __init__(self, inner: _core.Data, folder: str = "") -> None:
        self._inner = inner
        self._folder = folder

    @property
    def name(self) -> str:
        return self._inner.name

    @property
    def graph(self) -> Graph:
        return Graph._of(self._inner.graph, self._inner.node_names)

    @property
    def X(self) -> Any:
        """Features: an array, or a scipy matrix where they are sparse; None where there are none."""
        if self._inner.dense is not None:
            return self._inner.dense
        if self._inner.sparse is None:
            return None
        from scipy.sparse import csr_matrix

        cols, offsets, columns, values = self._inner.sparse
        return csr_matrix((values, columns, offsets), shape=(len(offsets) - 1, cols))

    @property
    def kind(self) -> str:
        """What labels are: classes, values or many-labels."""
        return self._inner.kind

    @property
    def y(self) -> NDArray[Any]:
        """The class of each node by its number in `classes`, -1 where it is not known; of values and many labels a
        number for each of `columns`, NaN where it is not known."""
        if self.kind == "classes":
            return self._inner.labels
        rows = self._inner.target_rows
        result = np.full((self._inner.graph.nodes, rows.shape[1]), np.nan)
        result[self._inner.target_nodes] = rows
        return result[:, 0] if self.kind == "values" and result.shape[1] == 1 else result

    @property
    def columns(self) -> list[str]:
        """Of values their names, of many labels the classes."""
        return self._inner.target_names

    @property
    def classes(self) -> list[str]:
        return self._inner.class_names

    @property
    def node_names(self) -> list[str]:
        return self._inner.node_names

    @property
    def feature_names(self) -> list[str]:
        return self._inner.feature_names

    @property
    def split(self) -> dict[str, NDArray[Any]] | None:
        """Which nodes train, validate and test, where the data says so."""
        parts = self._inner.split
        return None if parts is None else dict(zip(PARTS, parts))

    @property
    def notes(self) -> list[str]:
        """What a user should know of how the data was read."""
        return [note.replace(self._folder, "") for note in self._inner.notes]

    def with_split(self, split: str, seed: int = 0) -> Data:
        """The same data with labels split as "per-class 20,30", "percent 40,40" or "folds 5" says."""
        return Data(self._inner.with_split(split, seed))

    def info(self) -> dict[str, Any]:
        result: dict[str, Any] = json.loads(self._inner.info())
        return result

    def __repr__(self) -> str:
        graph = self._inner.graph
        is_classes = self.kind == "classes"
        known = int(np.count_nonzero(self.y >= 0)) if is_classes else len(self._inner.target_nodes)
        what = f"{len(self.classes)} classes" if is_classes else f"{self.kind}: {', '.join(self.columns[:6])}"
        return f"Data({self.name}: {graph.nodes} nodes, {graph.edges} edges, {what}, {known} labels)"

    def __copy__(self) -> Data:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Data:
        return self


def open(
    name_or_path: str | os.PathLike[str],
    *,
    kind: str | None = None,
    source: str = "",
    target: str = "",
    weight: str = "",
    node: str = "",
    label: str = "",
    ignore: Iterable[str] = (),
    threads: int = 0,
) -> Data:
    """A data set by its name or path, in any format that `heatfront info` reads.

    `kind` says what labels are: classes, values or many-labels. The other words name columns of CSV tables where the
    usual names would not find them, and `ignore` those that are not to be read.

    >>> open("karate").graph.nodes
    34
    """
    columns = {"source": source, "target": target, "weight": weight, "node": node, "label": label}
    try:
        return Data(
            _core.Data.open(
                os.fspath(name_or_path),
                kind or "",
                {what: name for what, name in columns.items() if name},
                [str(name) for name in ignore],
                threads or _core.available_cores(),
            )
        )
    except _core.Error as error:
        raise _core.Error(_in_words_of_python(str(error))) from None


def _in_words_of_python(message: str) -> str:
    """The flags that a message of the library advises, as the arguments that they are here."""
    message = re.sub(r"--(values|many-labels|classes)\b", r'kind="\1"', message)
    return re.sub(r"--(source|target|weight|node|label|ignore)\b", r"\1=", message)


def tables(edges: Any = None, features: Any = None, labels: Any = None, **how: Any) -> Data:
    """Data frames of pandas, polars or Arrow as the program reads tables from files: nodes go by their names, columns
    hold numbers, dates, categories and gaps, and all that is wrong is said at once. `Data.notes` says how they were
    read.

    `edges` has a source and a target in each row, and a weight if there is one; `features` a node and its attributes;
    `labels` a node and its label, or is a mapping. An index that is not 0, 1, 2, … names the nodes, unless it is of
    bare numbers and `node` or a first column of differing names does. `how` are arguments of `open`: columns by other
    names than the usual ones, `kind`; `label` may name a column of `features`.

    >>> import heatfront as hf
    >>> calls = {"source": ["ann", "bob", "cleo"], "target": ["bob", "cleo", "dan"]}
    >>> import pandas as pd
    >>> data = hf.tables(pd.DataFrame(calls), labels={"ann": "chess", "dan": "go"})
    >>> hf.flow(data, time=1).to_frame()["class"].tolist()
    ['chess', 'chess', 'go', 'go']
    """
    import tempfile

    given = {"edges": edges, "features": features, "labels": labels}
    with tempfile.TemporaryDirectory(prefix="heatfront-") as folder:
        if edges is None and features is None:
            raise TypeError("tables: edges or features are expected")
        path = os.path.join(folder, "tables")  # what the data will be called
        os.mkdir(path)
        for name, table in given.items():
            if table is not None:
                frames.write(frames.named_columns(table, name, how.get("node", "")), os.path.join(path, name + ".csv"))
        try:
            data = open(path, **how)
        except _core.Error as error:
            raise _core.Error(str(error).replace(path + os.sep, "")) from None
        return Data(data._inner, path + os.sep)


def example(name: str, folder: str | os.PathLike[str], *, seed: int = 0) -> list[str]:
    """Writes tables as people export them into a new folder, to try things out on, and gives the names of the files:
    fraud, papers, houses, members, suppliers or letters."""
    return _core.write_example(name, os.fspath(folder), seed)


def made(
    graph: Any, X: Any, y: Any, node_names: Any = None, feature_names: Any = None, kind: str | None = None
) -> tuple[_core.Data, Any]:
    """Data of a user's arrays, and what the user calls its classes."""
    split = None
    if isinstance(graph, Data):
        if X is None and y is None:
            return graph._inner, None
        X = graph.X if X is None else X
        node_names = graph.node_names if node_names is None else node_names
        if y is None:
            y, kind = graph.y, graph.kind
        graph = graph.graph
    elif not isinstance(graph, Graph):
        apart = taken_apart(graph)
        if apart is None:
            graph = Graph(graph)
        else:
            graph, its_X, its_y, its_split = apart
            X = its_X if X is None else X
            if y is None:
                y, split = its_y, its_split
    if y is None:
        raise TypeError("y: labels are expected, one per node, with -1, None or NaN where they are not known")
    if isinstance(y, Mapping):
        y = _by_node(y, graph.nodes, graph.node_names if node_names is None else node_names)
    told = labels(y, graph.nodes, kind)
    features = Features(X, graph.nodes)
    node_names = (graph.node_names or None) if node_names is None else node_names
    inner = _core.Data.make(
        graph._inner,
        features.dense,
        features.sparse,
        features.columns,
        told.codes,
        told.targets,
        told.class_names,
        arrays.names(node_names or None, graph.nodes, "node_names"),
        arrays.names(features.names if feature_names is None else feature_names, features.width, "feature_names"),
        "data",
    )
    return inner if split is None else with_parts(inner, split), told.classes


def _by_node(y: Mapping[Any, Any], nodes: int, names: Any) -> list[Any]:
    """Labels by the number or the name of a node as one per node, None where there is none."""
    place = {str(name): i for i, name in enumerate(arrays.names(names or None, nodes, "node_names"))}
    result: list[Any] = [None] * nodes
    for node, label in y.items():
        number = node if isinstance(node, (int, np.integer)) else place.get(str(node), -1)
        if not 0 <= number < nodes:
            raise _core.Error(
                f"y: there is no node {node!r}; nodes are 0 to {nodes - 1}{', or names' if place else ''}"
            )
        result[int(number)] = label
    return result


def with_parts(inner: _core.Data, split: Mapping[str, Any]) -> _core.Data:
    """The same data with nodes, or masks of them, under train, validation and test."""
    unknown = [name for name in split if name not in PARTS]
    if unknown:
        raise _core.Error(f"split: '{unknown[0]}' is no part; choose from: {', '.join(PARTS)}")
    parts = []
    for name in PARTS:
        part = arrays.plain(split.get(name, np.zeros(0, np.int32)))
        numbers = np.flatnonzero(part) if part.dtype == bool else np.sort(part)
        parts.append(arrays.whole_numbers(numbers, f"split: {name}", inner.graph.nodes, np.int32))
    return inner.with_parts(*parts)


class Features:
    """Features as the library takes them: an array, a sparse matrix, or the cells of a table."""

    dense: NDArray[np.float32] | None = None
    sparse: Any = None
    columns: list[tuple[str, list[str]]] | None = None
    names: list[str] | None = None
    width = 0

    def __init__(self, X: Any, rows: int | None) -> None:
        if X is None:
            return
        if hasattr(X, "tocsr"):
            matrix = X.tocsr()
            _check_rows(matrix.shape, rows)
            self.width = int(matrix.shape[1])
            self.sparse = (
                self.width,
                np.ascontiguousarray(matrix.indptr, np.int64),
                arrays.whole_numbers(matrix.indices, "X: column numbers", max(self.width, 1), np.int32),
                arrays.reals(matrix.data, "X"),
            )
            return
        if frames.is_frame(X):
            columns = frames.columns_of(X)
            self.names = list(columns)
            if not frames.is_plain(columns):
                self.columns = frames.cells_of(columns)
                self.names = None
                _check_rows((len(self.columns[0][1]), len(columns)), rows)
                return
            X = np.column_stack([arrays.plain(column) for column in columns.values()]) if columns else None
            if X is None:
                return
        dense = arrays.reals(X, "X")
        if dense.ndim == 1:
            dense = dense.reshape(-1, 1)
        _check_rows(dense.shape, rows)
        self.dense, self.width = dense, dense.shape[1]

    @property
    def rows(self) -> int:
        if self.columns is not None:
            return len(self.columns[0][1])
        if self.sparse is not None:
            return len(self.sparse[1]) - 1
        return 0 if self.dense is None else self.dense.shape[0]


def _check_rows(shape: tuple[int, ...], rows: int | None) -> None:
    if len(shape) != 2 or (rows is not None and shape[0] != rows):
        nodes = "node" if rows is None else f"of {rows} nodes"
        raise _core.Error(f"X: a row is expected for each {nodes}, its shape is {shape}")
