"""Arrays of any kind are taken, or refused with a sentence; nothing crashes."""

import numpy as np
import pytest

import heatfront as hf

hypothesis = pytest.importorskip("hypothesis")
numbers = pytest.importorskip("hypothesis.extra.numpy")
from hypothesis import given, settings  # noqa: E402
from hypothesis import strategies as st  # noqa: E402

EDGES = np.array([[0, 1], [1, 2], [2, 3]])
LABELS = np.array([0, -1, -1, 1])
ANY_ARRAY = numbers.arrays(
    st.one_of(
        numbers.floating_dtypes(),
        numbers.integer_dtypes(),
        numbers.unsigned_integer_dtypes(),
        numbers.boolean_dtypes(),
        numbers.complex_number_dtypes(),
        numbers.unicode_string_dtypes(max_len=3),
        numbers.datetime64_dtypes(),
    ),
    numbers.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=5),
)


def tried(call):
    try:
        call()
    except (ValueError, TypeError, OverflowError) as refusal:
        assert str(refusal)


@settings(max_examples=150, deadline=None)
@given(ANY_ARRAY)
def test_any_array_as_a_graph(array):
    tried(lambda: hf.Graph(array))


@settings(max_examples=150, deadline=None)
@given(ANY_ARRAY)
def test_any_array_as_features(array):
    tried(lambda: hf.fit(EDGES, array, LABELS, quick=True, threads=1))


@settings(max_examples=150, deadline=None)
@given(ANY_ARRAY)
def test_any_array_as_labels(array):
    tried(lambda: hf.flow(EDGES, array, threads=1))


@settings(max_examples=100, deadline=None)
@given(ANY_ARRAY)
def test_any_array_as_a_front(array):
    tried(lambda: hf.flow(EDGES, LABELS, front=array, threads=1))


@settings(max_examples=60, deadline=None)
@given(ANY_ARRAY, st.sampled_from(["values", "many-labels", None]))
def test_any_array_as_values_or_many_labels(array, kind):
    tried(lambda: hf.fit(EDGES, None, array, kind=kind, threads=1))


@settings(max_examples=60, deadline=None)
@given(ANY_ARRAY, ANY_ARRAY)
def test_any_arrays_as_new_nodes(edges, features):
    model = hf.fit(EDGES, np.eye(4), LABELS, quick=True, threads=1)
    before = model.predict_proba().copy()
    try:
        model.add_nodes(edges, features)
    except (ValueError, TypeError, OverflowError) as refusal:
        assert str(refusal)
        assert (model.predict_proba() == before).all()


@settings(max_examples=60, deadline=None)
@given(ANY_ARRAY)
def test_any_array_as_a_part_of_a_split(array):
    tried(lambda: hf.fit(EDGES, None, [0, 1, 0, 1], split={"train": [0, 1], "test": array}, quick=True, threads=1))


@settings(max_examples=60, deadline=None)
@given(ANY_ARRAY)
def test_any_array_as_labels_of_a_model_of_values(array):
    model = hf.fit(EDGES, None, [0.5, None, 1.0, 2.0], threads=1)
    tried(lambda: model.label({1: array}))


@pytest.mark.parametrize(
    "change",
    [
        lambda x: x[:, ::-1],
        np.asfortranarray,
        lambda x: x.astype(np.float64),
        lambda x: x[::-1][::-1],
        lambda x: x.tolist(),
        lambda x: x.astype(">f4"),
    ],
)
def test_how_an_array_lies_in_memory_does_not_matter(change):
    features = np.array([[1, 0], [1, 0], [0, 1], [0, 1]], np.float32)
    plain = hf.fit(EDGES, np.ascontiguousarray(np.asarray(change(features), np.float32)), LABELS, quick=True)
    assert (hf.fit(EDGES, change(features), LABELS, quick=True).predict_proba() == plain.predict_proba()).all()


def test_read_only_arrays_are_taken():
    labels = LABELS.copy()
    labels.setflags(write=False)
    assert hf.flow(EDGES, labels).predict().tolist() == [0, 0, 1, 1]


@pytest.mark.parametrize("labels", [[0, 1], [[0, 1, 2, 3]], [np.inf, 0, 0, 0], None])
def test_labels_that_are_none_are_refused(labels):
    with pytest.raises((ValueError, TypeError), match="y:"):
        hf.flow(EDGES, labels)
