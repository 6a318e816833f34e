"""Data sets: a graph, features, labels and names."""

from __future__ import annotations

import json
import os
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _core, arrays
from .graph import Graph


class Data:
    """A graph with features and labels, as `open` reads it from any format that the program knows."""

    _inner: _core.Data

    def __init__(self, inner: _core.Data) -> None:
        self._inner = inner

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
    def y(self) -> NDArray[Any]:
        """The class of each node by its number in `classes`, -1 where it is not known."""
        return self._inner.labels

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
        return None if parts is None else dict(zip(("train", "validation", "test"), parts))

    @property
    def notes(self) -> list[str]:
        """What a user should know of how the data was read."""
        return self._inner.notes

    def with_split(self, split: str, seed: int = 0) -> Data:
        """The same data with labels split as "per-class 20,30", "percent 40,40" or "folds 5" says."""
        return Data(self._inner.with_split(split, seed))

    def info(self) -> dict[str, Any]:
        result: dict[str, Any] = json.loads(self._inner.info())
        return result

    def __repr__(self) -> str:
        graph = self._inner.graph
        known = int(np.count_nonzero(self.y >= 0))
        return (
            f"Data({self.name}: {graph.nodes} nodes, {graph.edges} edges, {len(self.classes)} classes, {known} labels)"
        )


def open(name_or_path: str | os.PathLike[str], *, threads: int = 0) -> Data:
    """A data set by its name or path, in any format that `heatfront info` reads.

    >>> open("karate").graph.nodes
    34
    """
    return Data(_core.Data.open(os.fspath(name_or_path), threads or _core.available_cores()))


def made(graph: Any, X: Any, y: Any, node_names: Any = None, feature_names: Any = None) -> tuple[_core.Data, Any]:
    """Data of a user's arrays, and what the user calls its classes."""
    if isinstance(graph, Data):
        if X is None and y is None:
            return graph._inner, None
        X = graph.X if X is None else X
        node_names = graph.node_names if node_names is None else node_names
        if y is None:
            y = graph.y
        graph = graph.graph
    if not isinstance(graph, Graph):
        graph = Graph(graph)
    if y is None:
        raise TypeError("y: labels are expected, one per node, with -1, None or NaN where they are not known")
    codes, class_names, classes = arrays.labels(y, graph.nodes)
    dense, sparse, columns = _features(X, graph.nodes)
    if feature_names is None:
        feature_names = columns
    cols = 0 if X is None else (dense.shape[1] if dense is not None else sparse[0])
    node_names = (graph.node_names or None) if node_names is None else node_names
    inner = _core.Data.make(
        graph._inner,
        dense,
        sparse,
        codes,
        class_names,
        arrays.names(node_names or None, graph.nodes, "node_names"),
        arrays.names(feature_names, cols, "feature_names"),
        "data",
    )
    return inner, classes


def _features(X: Any, nodes: int) -> tuple[Any, Any, list[str] | None]:
    if X is None:
        return None, None, None
    names = [str(name) for name in X.columns] if hasattr(X, "columns") else None
    if hasattr(X, "tocsr"):
        rows = X.tocsr()
        if rows.shape[0] != nodes:
            raise _core.Error(f"X: a row is expected for each of {nodes} nodes, its shape is {rows.shape}")
        sparse = (
            int(rows.shape[1]),
            np.ascontiguousarray(rows.indptr, np.int64),
            arrays.whole_numbers(rows.indices, "X: column numbers", max(rows.shape[1], 1), np.int32),
            arrays.reals(rows.data, "X"),
        )
        return None, sparse, names
    dense = arrays.reals(X, "X")
    if dense.ndim == 1:
        dense = dense.reshape(-1, 1)
    if dense.ndim != 2 or dense.shape[0] != nodes:
        raise _core.Error(f"X: a row is expected for each of {nodes} nodes, its shape is {dense.shape}")
    return dense, None, names
