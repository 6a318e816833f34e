"""Pictures show what the results say."""

import numpy as np
import pytest

import heatfront as hf

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("agg")


@pytest.fixture(scope="module")
def model():
    return hf.fit(hf.open("karate"), model="heat-front", split="per-class 4,4", epochs=5)


@pytest.fixture(autouse=True)
def closed():
    yield
    matplotlib.pyplot.close("all")


def test_a_curve_over_time_has_a_point_per_time():
    ax = hf.sweep(hf.open("karate"), split="per-class 2,3", times=[1, 5, 20]).plot()
    assert ax.get_lines()[0].get_xdata().tolist() == [1, 5, 20]


def test_training_has_a_point_per_epoch(model):
    ax = model.report.plot()
    assert len(ax.get_lines()[0].get_xdata()) == 5
    alone = hf.fit(hf.open("karate"), model="heat-front", epochs=5).report.plot()
    assert [line.get_label() for line in alone.get_lines()] == ["train accuracy"]  # nothing validates
    with pytest.raises(hf.Error, match="epochs"):
        hf.fit(hf.open("karate"), quick=True).report.plot()


def test_reliability_has_a_point_per_bin_that_is_not_empty(model):
    judged = model.evaluate()
    filled = [one for one in judged.calibration["bins"] if one["nodes"]]
    assert len(judged.plot().collections[0].get_offsets()) == len(filled)


def test_bars_are_what_is_added_strongest_on_top(model):
    node = int(np.flatnonzero(model.answer.status != "known")[0])
    bars = [bar.get_width() for bar in model.explain(node).plot().patches]
    assert bars and [abs(bar) for bar in bars] == sorted(abs(bar) for bar in bars)
    values = hf.fit([(i, i + 1) for i in range(20)], None, [i / 4 if i % 2 else None for i in range(21)])
    assert values.explain(4).plot().patches


def test_the_graph_is_laid_out_by_the_library(model):
    places = model.data.graph.layout(rounds=30)
    assert places.shape == (34, 2) and np.isfinite(places).all()
    assert (places == model.data.graph.layout(rounds=30, threads=1)).all()
    assert len(model.plot().collections[1].get_offsets()) == 34


def test_the_graph_has_a_dot_per_node_and_takes_positions(model):
    positions = np.random.default_rng(0).normal(size=(34, 2))
    ax = model.plot(positions=positions)
    assert (ax.collections[1].get_offsets() == positions).all()
    with pytest.raises(hf.Error, match="positions"):
        model.plot(positions=positions[:3])


def test_ten_classes_have_ten_colours():
    answer = hf.flow([(i, i + 1) for i in range(9)], [f"class {i}" for i in range(10)])
    dots = answer.plot([(i, i + 1) for i in range(9)], np.zeros((10, 2))).collections[1]
    assert len(np.unique(dots.get_facecolors().round(3), axis=0)) == 10


def test_what_has_no_picture_says_so(model):
    with pytest.raises(hf.Error, match="no picture"):
        hf.fit(hf.open("karate"), quick=True).add_nodes([(34, 0)]).plot()
