"""Values, and several classes per node."""

import copy
import pickle

import numpy as np
import pytest

import heatfront as hf

ROAD = [(i, i + 1) for i in range(59)]
HEIGHT = np.sin(np.arange(60) / 8) * 10
SOME = np.where(np.arange(60) % 3 == 0, HEIGHT, np.nan)


@pytest.fixture()
def values():
    return hf.fit(ROAD, None, SOME)


@pytest.fixture()
def many():
    sets = [
        None if i % 3 else {"west", "low"} if i < 20 else {"east"} if i < 40 else {"east", "high"} for i in range(60)
    ]
    return hf.fit(ROAD, None, sets)


def test_numbers_with_fractions_are_values_and_near_the_truth(values):
    assert (values.kind, values.columns) == ("values", ["value"])
    assert np.abs(values.predict() - HEIGHT).mean() < 1
    assert values.predict()[3] == SOME[3]
    assert values.answer.status[:3].tolist() == ["known", "estimated", "estimated"]
    low, high = values.interval(0.9)
    assert ((low <= values.predict()) & (values.predict() <= high)).all() and (low[1:3] < high[1:3]).all()


def test_none_beside_numbers_is_a_value_that_is_not_known(values):
    as_list = [None if np.isnan(one) else float(one) for one in SOME]
    assert (hf.fit(ROAD, None, as_list).predict() == values.predict()).all()
    assert hf.fit(ROAD, None, [None if np.isnan(one) else i % 2 for i, one in enumerate(SOME)]).classes.tolist() == [
        0,
        1,
    ]


def test_columns_of_a_frame_are_values_by_their_names():
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame({"height": SOME, "depth": -2 * SOME})
    model = hf.fit(ROAD, None, table)
    assert model.columns == ["height", "depth"]
    assert model.predict().shape == (60, 2)
    np.testing.assert_allclose(model.predict()[:, 1], -2 * model.predict()[:, 0], atol=0.2)
    assert list(model.answer.to_frame().columns) == ["node", "height", "depth", "status"]


def test_sets_and_rows_of_0_and_1_are_several_classes_per_node(many):
    assert (many.kind, many.columns) == ("many-labels", ["east", "high", "low", "west"])
    assert many.predict().dtype == bool
    assert many.predict()[1].tolist() == [False, False, True, True]
    assert many.predict()[58].tolist() == [True, True, False, False]
    rows = np.full((60, 2), np.nan)
    rows[::3] = [1, 0]
    rows[30::3] = [1, 1]
    assert hf.fit(ROAD, None, rows).predict()[59].tolist() == [True, True]
    with pytest.raises(hf.Error, match="classes have none"):
        many.interval()


def test_labels_count_at_once_and_can_be_undone(values, many):
    before = values.predict().copy()
    effect = values.label({31: 100.0, 0: None})
    assert (effect.set, effect.removed) == (1, 1)
    assert values.predict()[31] == 100 and values.predict()[32] > before[32]
    values.undo()
    np.testing.assert_allclose(values.predict(), before, atol=1e-6)
    many.label({1: {"east", "high"}})
    assert many.predict()[1].tolist() == [True, True, False, False]
    with pytest.raises(hf.Error, match="north"):
        many.label({1: {"north"}})


def test_why_and_how_good(values, many):
    why = values.explain(31)
    assert why.value == pytest.approx(values.predict()[31])
    assert values.evaluate().left_out["values"]["value"]["r2"] > 0.9
    assert many.explain(1, "west").column == "west"
    assert "micro_f1" in many.evaluate().left_out
    with pytest.raises(hf.Error, match="there are"):
        many.explain(1, "north")


def test_files_bytes_and_copies_say_the_same(values, many, tmp_path):
    for model in (values, many):
        model.save(tmp_path / "m.hf")
        for other in (hf.load(tmp_path / "m.hf"), pickle.loads(pickle.dumps(model)), copy.deepcopy(model)):
            assert (other.predict() == model.predict()).all()
        assert model.train() is model


def test_heat_alone_carries_values_too():
    answer = hf.flow(ROAD, SOME, time=float("inf"))
    between = np.interp(np.arange(58), np.arange(0, 58, 3), SOME[:58:3])  # on a path rest is a straight line
    np.testing.assert_allclose(answer.predict()[:58], between, atol=1e-3)
    assert len(hf.flow(ROAD, SOME, times=[1, 2])) == 2


@pytest.mark.parametrize(
    ("labels", "kind"),
    [
        (np.where(np.isnan(SOME), np.nan, np.inf), None),
        (["a"] * 60, "values"),
        (np.arange(60), None),
        (np.arange(60), "many-labels"),
        (np.zeros(60), "colours"),
        (np.c_[SOME, np.full(60, np.nan)], None),
        (np.full(60, np.nan), "values"),
    ],
)
def test_what_is_no_label_is_refused_with_a_sentence(labels, kind):
    with pytest.raises((ValueError, TypeError)) as refusal:
        hf.fit(ROAD, None, labels, kind=kind)
    assert str(refusal.value)
