"""Heat flows as a dense exponential says."""

import numpy as np
import pytest

import heatfront as hf


def dense_flow(edges, nodes, labels, time):
    linalg = pytest.importorskip("scipy.linalg")
    adjacency = np.eye(nodes)
    for u, v in edges:
        adjacency[u, v] = adjacency[v, u] = 1
    root = 1 / np.sqrt(adjacency.sum(1))
    laplacian = adjacency * root[:, None] * root[None, :] - np.eye(nodes)
    start = np.zeros((nodes, labels.max() + 1))
    for node, label in enumerate(labels):
        if label >= 0:
            start[node, label] = 1
            laplacian[node] = 0
    return linalg.expm(time * laplacian) @ start


def test_temperatures_are_those_of_a_dense_exponential():
    random = np.random.default_rng(1)
    for _ in range(20):
        nodes = int(random.integers(4, 12))
        edges = [(u, v) for u in range(nodes) for v in range(u) if random.random() < 0.4] or [(1, 0)]
        labels = np.full(nodes, -1)
        labels[random.permutation(nodes)[:2]] = [0, 1]
        answer = hf.flow((edges, nodes), labels, time=1.5)
        np.testing.assert_allclose(answer.temperatures, dense_flow(edges, nodes, labels, 1.5), atol=3e-6)


def test_many_times_come_from_one_pass_and_are_those_of_each_alone():
    club = hf.open("karate")
    curve = hf.flow(club, times=[1, 5, 20])
    for time, answer in zip([1, 5, 20], curve):
        np.testing.assert_allclose(answer.temperatures, hf.flow(club, time=time).temperatures, atol=2e-5)


def test_names_come_back_as_they_were_given_and_unknown_is_said_in_any_way():
    edges = [(0, 1), (1, 2), (2, 3)]
    for labels in (["a", None, None, "b"], ["a", float("nan"), None, "b"]):
        assert hf.flow(edges, labels).predict().tolist() == ["a", "a", "b", "b"]
    assert hf.flow(edges, [7, -1, -1, 3]).predict().tolist() == [7, 7, 3, 3]
    assert hf.flow(edges, [1.0, np.nan, np.nan, 0.0]).predict().tolist() == [1, 1, 0, 0]


def test_shares_add_up_and_known_nodes_have_their_own_label():
    answer = hf.flow(hf.open("karate"), time=5)
    shares = answer.predict_proba()
    np.testing.assert_allclose(shares.sum(1), 1, atol=1e-5)
    assert shares.dtype == np.float32


def test_a_node_that_no_label_reaches_says_so():
    answer = hf.flow(([(0, 1)], 3), ["a", None, None])
    assert answer.status.tolist() == ["known", "decided", "unreached"]


def test_the_answer_carries_its_certificate():
    certificate = hf.flow(hf.open("karate"), time=5).certificate()
    assert certificate["error_bound"] < 1e-4
    assert certificate["reached"] is True


@pytest.mark.parametrize(
    "wrong",
    [
        {"time": -1},
        {"time": float("nan")},
        {"laplacian": "no"},
        {"solver": "magic"},
        {"tolerance": 0},
        {"times": []},
        {"front": np.zeros((2, 2))},
    ],
)
def test_wrong_options_are_refused_by_the_library(wrong):
    with pytest.raises(ValueError):
        hf.flow(hf.open("karate"), **wrong)
