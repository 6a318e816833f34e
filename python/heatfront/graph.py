"""Graphs from what people have them in: scipy, edge lists, frames, networkx, PyTorch Geometric."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from . import _core
from .arrays import plain, reals, whole_numbers
from .frames import columns_of, is_frame

if TYPE_CHECKING:
    from numpy.typing import NDArray

_MOST_NODES = 2**31 - 1
_SOURCE = ("source", "from", "src", "u")
_TARGET = ("target", "to", "dst", "v")
_WEIGHT = ("weight", "weights", "w")


class Graph:
    """An undirected graph, fixed once it is made; copies are the same graph.

    `graph` may be

    - a sparse matrix of scipy, or a dense square array: entry (u, v) is the weight of an edge;
    - a pair (edges, number of nodes), or edges alone: an array of two columns, or of two rows;
    - a data frame of pandas or polars with columns source and target, and weight if there is one;
    - a graph of networkx; a `Data` object of PyTorch Geometric.

    Loops go, repeats become one, and an edge given in one direction gets the other; `changes` says how often.

    >>> g = Graph([(0, 1), (1, 2)])
    >>> g.nodes, g.edges
    (3, 2)
    """

    _inner: _core.Graph
    node_names: list[str]

    def __init__(self, graph: Any, *, weights: Any = None) -> None:
        self._inner, self.node_names = _built(graph, weights)

    @classmethod
    def _of(cls, inner: _core.Graph, node_names: list[str] | None = None) -> Graph:
        self = cls.__new__(cls)
        self._inner = inner
        self.node_names = node_names or []
        return self

    @property
    def nodes(self) -> int:
        return self._inner.nodes

    @property
    def edges(self) -> int:
        return self._inner.edges

    @property
    def changes(self) -> dict[str, int]:
        """What was done to the arcs: loops, zeros and repeats removed, one_way completed, uneven evened out."""
        return self._inner.changes

    def csr(self) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
        """(weights, targets, offsets), as scipy.sparse.csr_matrix takes them; lent, not copied."""
        weights = self._inner.weights
        return (
            np.ones(2 * self.edges, np.float32) if weights is None else weights,
            self._inner.targets,
            self._inner.offsets,
        )

    def layout(self, *, rounds: int = 300, seed: int = 0, threads: int = 0) -> NDArray[Any]:
        """(nodes, 2): a place in the plane for each node, by forces; the same for the same seed."""
        return self._inner.layout(rounds, seed, threads or _core.available_cores())

    def __len__(self) -> int:
        return self.nodes

    def __copy__(self) -> Graph:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Graph:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return (_from_parts, (self._inner.offsets, self._inner.targets, self._inner.weights, self.node_names))

    def __repr__(self) -> str:
        return f"Graph({self.nodes} nodes, {self.edges} edges)"


def _from_parts(offsets: Any, targets: Any, weights: Any, node_names: list[str]) -> Graph:
    return Graph._of(_core.Graph.from_rows(offsets, targets, weights), node_names)


def _built(graph: Any, weights: Any) -> tuple[_core.Graph, list[str]]:
    if isinstance(graph, Graph):
        return graph._inner, graph.node_names
    if hasattr(graph, "tocsr"):
        return _from_sparse(graph), []
    if hasattr(graph, "edge_index"):
        return _from_torch(graph), []
    if hasattr(graph, "adjacency") and hasattr(graph, "is_directed"):
        return _from_networkx(graph)
    if is_frame(graph):
        return _from_frame(graph)
    if isinstance(graph, tuple) and len(graph) == 2 and np.ndim(graph[1]) == 0:
        return _from_edges(plain(graph[0]), int(graph[1]), weights), []
    array = plain(graph)
    if array.ndim == 2 and array.shape[0] == array.shape[1] and array.shape[0] > 2:
        return _from_dense(array), []
    return _from_edges(array, None, weights), []


def _from_sparse(matrix: Any) -> _core.Graph:
    if matrix.shape[0] != matrix.shape[1]:
        raise _core.Error(f"graph: a square matrix is expected, its shape is {matrix.shape}")
    rows = matrix.tocsr()
    nodes = rows.shape[0]
    offsets = np.ascontiguousarray(rows.indptr, np.int64)
    targets = whole_numbers(rows.indices, "graph: column numbers", max(nodes, 1), np.int32)
    weights = reals(rows.data, "graph: weights")
    return _core.Graph.from_rows(offsets, targets, None if (weights == 1).all() else weights)


def _from_dense(array: NDArray[Any]) -> _core.Graph:
    weights = reals(array, "graph: weights")
    source, target = np.nonzero(weights)
    return _arcs(array.shape[0], source, target, weights[source, target])


def _from_edges(edges: NDArray[Any], nodes: int | None, weights: Any) -> _core.Graph:
    if edges.size == 0:
        edges = np.zeros((0, 2), np.int64)
    if edges.dtype.kind not in "iu":
        raise TypeError(f"graph: numbers of nodes are expected, it holds {edges.dtype}")
    if edges.ndim != 2 or 2 not in edges.shape:
        raise _core.Error(f"graph: edges are an array of two columns, source and target; its shape is {edges.shape}")
    source, target = (edges[:, 0], edges[:, 1]) if edges.shape[1] == 2 else (edges[0], edges[1])
    if nodes is None:
        nodes = int(edges.max()) + 1 if edges.size else 0
    return _arcs(nodes, source, target, weights)


def _arcs(nodes: int, source: Any, target: Any, weights: Any) -> _core.Graph:
    if not 0 <= nodes <= _MOST_NODES:
        raise _core.Error(f"graph: {nodes} nodes; there can be 0 to {_MOST_NODES}")
    values = None if weights is None else reals(weights, "graph: weights").reshape(-1)
    if values is not None and (values == 1).all():
        values = None
    return _core.Graph.from_arcs(
        nodes,
        whole_numbers(source, "graph: sources", nodes, np.int32),
        whole_numbers(target, "graph: targets", nodes, np.int32),
        values,
    )


def _from_torch(data: Any) -> _core.Graph:
    edges = plain(data.edge_index)
    weights = getattr(data, "edge_weight", None)
    nodes = data.num_nodes
    return _from_edges(edges.reshape(2, -1).T, None if nodes is None else int(nodes), weights)


def _from_networkx(graph: Any) -> tuple[_core.Graph, list[str]]:
    order = list(graph.nodes())
    place = {node: i for i, node in enumerate(order)}
    arcs = [(place[u], place[v], attributes.get("weight", 1)) for u, v, attributes in graph.edges(data=True)]
    source, target, weights = zip(*arcs) if arcs else ((), (), ())
    names = [] if order == list(range(len(order))) else [str(node) for node in order]
    return _arcs(len(order), np.array(source, np.int64), np.array(target, np.int64), np.array(weights)), names


def _from_frame(frame: Any) -> tuple[_core.Graph, list[str]]:
    columns = {name.lower(): values for name, values in columns_of(frame).items()}

    def column(names: tuple[str, ...], what: str) -> Any:
        found = next((columns[name] for name in names if name in columns), None)
        if found is None and what:
            raise _core.Error(f"graph: the frame has no column {what}; it has {', '.join(columns)}")
        return None if found is None else plain(found)

    source, target = column(_SOURCE, "source"), column(_TARGET, "target")
    weights = column(_WEIGHT, "")
    if source.dtype.kind in "iu" and target.dtype.kind in "iu":
        nodes = int(max(source.max(), target.max())) + 1 if source.size else 0
        return _arcs(nodes, source, target, weights), []
    names, codes = np.unique(np.concatenate([source.astype(str), target.astype(str)]), return_inverse=True)
    return _arcs(len(names), codes[: source.size], codes[source.size :], weights), names.tolist()


def knn_graph(
    X: Any, k: int = 10, *, kernel: str = "self-tuning", metric: str = "", approximate: bool = False, threads: int = 0
) -> Graph:
    """Points joined to their k nearest neighbours.

    >>> import numpy as np
    >>> knn_graph(np.arange(6.0).reshape(-1, 1), k=2).nodes
    6
    """
    points = reals(X.toarray() if hasattr(X, "toarray") else X, "X")
    if points.ndim != 2:
        raise _core.Error(f"X: a row is expected per point, its shape is {points.shape}")
    return Graph._of(
        _core.Graph.neighbours(points, int(k), kernel, metric, approximate, threads or _core.available_cores())
    )
