"""Curves over time, models side by side, searches; new nodes."""

import numpy as np
import pytest

import heatfront as hf


def test_a_curve_over_time_names_the_best_time():
    curve = hf.sweep(hf.open("karate"), split="per-class 2,3", times=[20, 1, 5])
    assert [point["time"] for point in curve.points] == [1, 5, 20]
    assert curve.best["time"] in (1, 5, 20)


def test_models_are_compared_on_the_same_splits_and_runs_are_kept(tmp_path):
    told = []
    arguments = {
        "models": ["flow-alone", "linear-front"],
        "runs": 2,
        "split": "per-class 4,4",
        "record": tmp_path / "r",
    }
    first = hf.compare(hf.open("karate"), progress=lambda *what: told.append(what), **arguments)
    assert told and len(first.models) == 2 and first.verdict
    assert hf.compare(hf.open("karate"), **arguments).runs_before == 4
    with pytest.raises(hf.Error, match="choose"):
        hf.compare(hf.open("karate"), choose="dice")


def test_settings_that_were_found_are_settings_of_fit():
    club = hf.open("karate")
    found = hf.search(club, split="per-class 4,4", trials=3, seeds=[0], epochs=5)
    assert found.settings["epochs"] == "5"
    model = hf.fit(club, model="heat-front", split="per-class 4,4", **found.settings)
    assert model.report.validation_accuracy == pytest.approx(found.best["validation_accuracy"])
    with pytest.raises(hf.Error):
        hf.search(club, split="per-class 4,4", trials=3, epochz=5)


def test_new_nodes_get_a_class_at_once_and_stay():
    random = np.random.default_rng(0)
    X = np.r_[random.normal(-1, 0.3, (30, 2)), random.normal(1, 0.3, (30, 2))]
    graph = hf.knn_graph(X, 5)
    y = np.full(60, -1)
    y[[0, 1, 30, 31]] = [0, 0, 1, 1]
    model = hf.fit(graph, X, y, quick=True)
    before = model.predict().copy()
    added = model.add_nodes([(60, 5), (60, 6), (61, 60)], [[-1, -1], [-1, -0.9]])
    assert (added.old_nodes, added.new_nodes, added.new_edges) == (60, 2, 3)
    assert model.predict()[60:].tolist() == [0, 0]
    assert (model.predict()[:60] == before).mean() > 0.9
    model.add_nodes([("ann", 40), ("ann", 61)], [[1, 1]], [1], names=["ann"])
    assert model.predict()[62] == 1 and model.answer.status[62] == "known"
    assert model.explain("ann").node == "ann"


@pytest.mark.parametrize(
    "wrong",
    [
        {"edges": [(60, 99)], "X": [[0, 0]]},
        {"edges": [(60, 1)]},
        {"edges": [(60, 1)], "X": [[0, 0, 0]]},
        {"edges": [(60, 1, 2)], "X": [[0, 0]]},
        {"edges": [("nobody", 1)], "X": [[0, 0]]},
        {"edges": [(60, 1)], "X": [[0, 0]], "y": ["third"]},
        {"edges": "no such folder"},
        {"edges": [(60, 1)], "X": [[0, 0]], "weights": [1, 2]},
        {},
    ],
)
def test_new_nodes_that_make_no_sense_leave_the_model_as_it_was(wrong):
    X = np.r_[np.zeros((30, 2)), np.ones((30, 2))] + np.arange(60)[:, None] / 100
    model = hf.fit(hf.knn_graph(X, 4), X, [0, *[-1] * 58, 1], quick=True)
    before = model.predict_proba().copy()
    with pytest.raises((ValueError, TypeError)):
        model.add_nodes(**wrong)
    assert (model.predict_proba() == before).all()
