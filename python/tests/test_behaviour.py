"""Memory is lent, signals are seen, other threads run."""

import array
import subprocess
import sys
import threading

import numpy as np
import pytest

import heatfront as hf

EDGES = np.array([[0, 1], [1, 2], [2, 3]])


class OnlyDlpack:
    """An array of somebody else's that has nothing but DLPack."""

    def __init__(self, values):
        self._values = values

    def __dlpack__(self, **how):
        return self._values.__dlpack__(**how)

    def __dlpack_device__(self):
        return self._values.__dlpack_device__()


def test_arrays_come_by_dlpack_and_by_the_buffer_protocol():
    features = np.array([[1, 0], [1, 0], [0, 1], [0, 1]], np.float32)
    labels = np.array([0, -1, -1, 1])
    plain = hf.fit(EDGES, features, labels, quick=True).predict_proba()
    for X in (OnlyDlpack(features), memoryview(features)):
        for y in (OnlyDlpack(labels), array.array("q", labels.tolist()), memoryview(labels)):
            assert (hf.fit(OnlyDlpack(EDGES), X, y, quick=True).predict_proba() == plain).all()


def test_answers_go_out_without_copies_and_cannot_be_written_to():
    answer = hf.flow(EDGES, [0, -1, -1, 1])
    for name in ("temperatures", "confidence"):
        first, second = getattr(answer, name), getattr(answer, name)
        assert first.ctypes.data == second.ctypes.data
        with pytest.raises(ValueError):
            first[0] = 7
    kept = answer.temperatures
    del answer
    assert np.isfinite(kept).all()


def test_arrays_of_the_right_type_are_not_copied_on_their_way_in():
    from heatfront.arrays import reals, whole_numbers

    features = np.ones((4, 2), np.float32)
    numbers = np.arange(4, dtype=np.int32)
    assert reals(features, "X") is features
    assert whole_numbers(numbers, "x", 4, np.int32) is numbers


def test_other_threads_run_while_a_long_call_works():
    points = np.random.default_rng(0).normal(size=(4000, 30)).astype(np.float32)
    ticks, done = [], threading.Event()

    def tick():
        while not done.wait(0.001):
            ticks.append(1)

    thread = threading.Thread(target=tick)
    thread.start()
    hf.fit(hf.knn_graph(points, 10), points, np.arange(4000) % 3, model="heat-front", split="percent 40,40", epochs=30)
    done.set()
    thread.join()
    assert len(ticks) > 5


CALLS = {
    "flow": "hf.flow(graph, y, times=[1, 10, 100])",
    "knn_graph": "hf.knn_graph(points, 10)",
    "fit": "hf.fit(graph, points, some)",
    "sweep": "hf.sweep(graph, y=y, split='percent 10,10')",
    "compare": "hf.compare(graph, points, y, split='percent 10,10', runs=3)",
    "search": "hf.search(graph, points, y, split='percent 10,10', trials=9)",
    "explain": "model.explain(700)",
    "suggest": "model.suggest(5)",
    "evaluate": "model.evaluate()",
    "label": "model.label({5: 1, 6: 2})",
    "train": "model.train()",
    "add_nodes": "model.add_nodes([(model.data.graph.nodes, 3)], points[:1])",
    "values": "hf.fit(graph, points, np.where(some < 0, np.nan, points[:, 0]))",
}


def test_ctrl_c_ends_every_long_call_and_leaves_the_model_as_it_was():
    program = f"""
import os, signal, threading
import numpy as np, heatfront as hf
signal.signal(signal.SIGINT, signal.default_int_handler)
random = np.random.default_rng(0)
y = np.arange(1500) % 3
points = (np.eye(3)[y] @ random.normal(size=(3, 20)) + random.normal(size=(1500, 20))).astype(np.float32)
graph = hf.knn_graph(points, k=10)
some = np.where(np.arange(1500) < 60, y, -1)
model = hf.fit(graph, points, some, quick=True)
for name, call in {CALLS!r}.items():
    call = compile(call, name, "eval")
    before = model.predict_proba().copy()
    threading.Timer(0.02, os.kill, (os.getpid(), signal.SIGINT)).start()
    try:
        while True:
            before = model.predict_proba().copy()
            eval(call)
    except KeyboardInterrupt:
        pass
    after = model.predict_proba()
    same = after.shape == before.shape and np.allclose(after, before, atol=1e-5)
    if not same and name not in ("label", "add_nodes", "train"):
        print(name, "changed the model")
print("all interrupted", len(model.predict()) >= 1500)
"""
    outcome = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=1800)
    assert outcome.stdout == "all interrupted True\n", outcome.stdout + outcome.stderr


def test_the_import_brings_in_little_beside_numpy():
    program = "import numpy, sys; before = set(sys.modules); import heatfront; print(*set(sys.modules) - before)"
    outcome = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    brought = {name.split(".")[0] for name in outcome.stdout.split()}
    assert not brought & {"csv", "dataclasses", "html", "pandas", "scipy", "sklearn", "tempfile", "torch"}
