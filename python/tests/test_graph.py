"""Graphs come in as people have them."""

import copy
import pickle

import numpy as np
import pytest

import heatfront as hf

EDGES = np.array([[0, 1], [1, 2], [2, 3], [3, 0], [1, 3]])


def parts(graph):
    weights, targets, offsets = graph.csr()
    return weights.tolist(), targets.tolist(), offsets.tolist()


def reference():
    return parts(hf.Graph((EDGES, 4)))


def test_an_edge_list_in_columns_or_rows_with_or_without_the_number_of_nodes_is_one_graph():
    assert parts(hf.Graph(EDGES)) == parts(hf.Graph(EDGES.T.copy())) == parts(hf.Graph(EDGES.tolist())) == reference()
    assert hf.Graph((EDGES, 6)).nodes == 6


@pytest.mark.parametrize("form", ["csr", "csc", "coo", "lil", "dok", "bsr", "dia"])
def test_every_sparse_format_of_scipy_is_the_same_graph(form):
    sparse = pytest.importorskip("scipy.sparse")
    matrix = sparse.coo_matrix((np.ones(5), EDGES.T), shape=(4, 4)).asformat(form)
    assert parts(hf.Graph(matrix)) == reference()


def test_a_dense_matrix_is_a_graph_with_its_weights():
    dense = np.zeros((4, 4))
    dense[EDGES[:, 0], EDGES[:, 1]] = [1, 2, 3, 4, 5]
    weights, targets, _ = hf.Graph(dense).csr()
    assert weights[targets.tolist().index(1)] == 1
    assert sorted(set(weights.tolist())) == [1, 2, 3, 4, 5]


def test_networkx_keeps_names_and_weights():
    networkx = pytest.importorskip("networkx")
    graph = networkx.Graph()
    graph.add_weighted_edges_from([("ann", "bob", 2.0), ("bob", "cleo", 3.0)])
    made = hf.Graph(graph)
    assert made.node_names == ["ann", "bob", "cleo"]
    assert made.csr()[0].tolist() == [2, 2, 3, 3]


def test_frames_of_pandas_are_graphs_by_the_names_of_their_columns():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"source": EDGES[:, 0], "target": EDGES[:, 1]})
    assert parts(hf.Graph(frame)) == reference()
    named = pandas.DataFrame({"from": ["x", "y"], "to": ["y", "z"], "weight": [1.0, 2.0]})
    assert hf.Graph(named).node_names == ["x", "y", "z"]
    with pytest.raises(hf.Error, match="no column target"):
        hf.Graph(frame.drop(columns="target"))


def test_an_object_with_an_edge_index_is_taken_for_data_of_pytorch_geometric():
    class Data:
        edge_index = EDGES.T
        num_nodes = 4

    assert parts(hf.Graph(Data())) == reference()


def test_what_was_changed_is_counted():
    graph = hf.Graph([(0, 0), (0, 1), (0, 1), (1, 0)])
    assert graph.changes["loops"] == 1
    assert graph.edges == 1


def test_arrays_are_lent_and_cannot_be_written_to():
    graph = hf.Graph(EDGES)
    first, second = graph.csr()[1], graph.csr()[1]
    assert first.ctypes.data == second.ctypes.data
    with pytest.raises(ValueError):
        first[0] = 7
    del graph
    assert first.tolist() == second.tolist()


def test_copies_are_the_same_graph_and_pickles_an_equal_one():
    graph = hf.Graph((EDGES, 4), weights=[1, 2, 3, 4, 5])
    assert copy.copy(graph) is graph
    assert copy.deepcopy([graph])[0] is graph
    assert parts(pickle.loads(pickle.dumps(graph))) == parts(graph)


def test_points_are_joined_to_their_nearest():
    graph = hf.knn_graph(np.array([[0.0], [1.0], [5.0], [6.0]]), k=1)
    assert graph.edges == 2


@pytest.mark.parametrize(
    "bad",
    [
        np.zeros((3, 3, 3)),
        np.array([[0, -1]]),
        np.array([[0.5, 1.5]]),
        np.array([["a", "b"]]),
        (np.array([[0, 9]]), 4),
        (np.array([[0, 1]]), -1),
        np.array([[0, 2**40]]),
        np.full((3, 3), np.nan),
        None,
        7,
        "text",
    ],
)
def test_what_is_no_graph_is_refused_with_a_sentence(bad):
    with pytest.raises((ValueError, TypeError)) as refusal:
        hf.Graph(bad)
    assert "\n" not in str(refusal.value)
    assert str(refusal.value)
