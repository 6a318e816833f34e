"""A model from fitting to asking why."""

import copy
import pickle
import subprocess
import sys
import threading

import numpy as np
import pytest

import heatfront as hf


@pytest.fixture(scope="module")
def moons():
    random = np.random.default_rng(0)
    angle = random.uniform(0, np.pi, 120)
    side = np.arange(120) % 2
    points = np.c_[np.cos(angle) + side, np.where(side, 0.4 - np.sin(angle), np.sin(angle))]
    points += random.normal(0, 0.05, points.shape)
    labels = np.full(120, -1)
    labels[:16] = side[:16]
    return hf.knn_graph(points, k=6), points, labels, side


@pytest.fixture()
def model(moons):
    graph, points, labels, _ = moons
    return hf.fit(graph, points, labels, quick=True)


def test_a_few_labels_are_enough(model, moons):
    assert (model.predict() == moons[3]).mean() > 0.8
    assert model.predict_proba().shape == (120, 2)
    assert model.report.model == model.name in ("linear-front", "flow-alone")


def test_the_same_bits_come_from_any_number_of_threads(moons):
    graph, points, labels, _ = moons
    shares = [hf.fit(graph, points, labels, quick=True, threads=n).predict_proba() for n in (1, 2, 3)]
    assert (shares[0] == shares[1]).all() and (shares[0] == shares[2]).all()


def test_a_label_counts_at_once_and_can_be_undone(model):
    before = model.predict_proba().copy()
    effect = model.label({100: 1, 101: 0})
    assert len(model.known) == 18
    assert model.predict()[100] == 1
    assert effect.labels["added"] == 2
    assert {change["node"] for change in effect.changed if change["told"]} <= {100, 101}
    model.undo()
    np.testing.assert_allclose(model.predict_proba(), before, atol=1e-5)
    assert len(model.known) == 16


def test_a_class_unseen_before_is_added_and_goes_with_undo(model):
    with pytest.raises(hf.Error, match="new_classes"):
        model.label({100: "third"})
    model.label({100: "third"}, new_classes=["third"])
    assert model.predict()[100] == "third"
    assert len(model.classes) == 3
    model.undo()
    assert model.classes.tolist() == [0, 1]


def test_a_label_is_taken_away_by_none(model):
    model.label({0: None})
    assert 0 not in model.known


def test_what_to_ask_next_and_why(model):
    asked = model.suggest(3)
    assert asked.to_frame()["node"].tolist() == [s.node for s in asked]
    model.label({s.node: s["class"] for s in asked})  # a node without a name is its number
    model.undo()
    assert "<th" in asked._repr_html_()
    why = model.explain(50)
    assert why.node == 50
    assert model.evaluate().accuracy > 0.5
    assert "<pre>" in why._repr_html_() and "<pre>" in model._repr_html_()
    assert str(why).startswith("node 50")


def test_files_bytes_and_copies_say_the_same(model, tmp_path):
    model.label({100: 1})
    model.save(tmp_path / "m.hf")
    for other in (hf.load(tmp_path / "m.hf"), pickle.loads(pickle.dumps(model)), copy.deepcopy(model)):
        assert (other.predict_proba() == model.predict_proba()).all()
        other.undo()
    assert len(model.known) == 17


def test_frames_have_a_row_per_node(model):
    pytest.importorskip("pandas")
    frame = model.answer.to_frame()
    assert list(frame.columns) == ["node", "class", "confidence", "status"]
    assert len(frame) == 120


def test_a_model_by_name_takes_settings_and_a_split(moons):
    graph, points, _, side = moons
    model = hf.fit(graph, points, side, model="heat-front", split="per-class 8,20", epochs=15, hidden=[16])
    assert model.name == "heat-front"
    assert model.evaluate().accuracy > 0.8
    with pytest.raises(hf.Error, match="epochs"):
        hf.fit(graph, points, side, model="heat-front", split="per-class 8,20", epochz=15)


def test_several_threads_may_use_one_model(model):
    failures = []

    def work(node):
        try:
            for _ in range(5):
                model.predict_proba()
                model.explain(node)
        except Exception as failure:
            failures.append(failure)

    threads = [threading.Thread(target=work, args=(node,)) for node in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


def test_progress_is_told_and_what_it_raises_ends_the_work(moons):
    graph, points, labels, _ = moons
    told = []
    hf.fit(graph, points, labels, progress=lambda *what: told.append(what))
    assert told and all(len(what) == 5 for what in told)

    told.clear()
    hf.fit(graph, points, labels, model="heat-front", epochs=300, patience=0, progress=lambda *what: told.append(what))
    assert told[-1][1:3] == (300, 300)
    assert len(told) < 200, "each epoch waited for Python"

    class Enough(Exception):
        pass

    def stop(*_):
        raise Enough

    with pytest.raises(Enough):
        hf.fit(graph, points, labels, progress=stop)


def test_ctrl_c_ends_a_long_fit_and_the_interpreter_goes_on():
    program = """
import os, signal, threading
import numpy as np, heatfront as hf
signal.signal(signal.SIGINT, signal.default_int_handler)  # whoever started this may have it ignored
points = np.random.default_rng(0).normal(size=(3000, 20)).astype(np.float32)
graph = hf.knn_graph(points, k=10)
started = threading.Event()
threading.Thread(target=lambda: (started.wait(), os.kill(os.getpid(), signal.SIGINT)), daemon=True).start()
try:
    hf.fit(graph, points, np.arange(3000) % 3, model="heat-front", split="percent 40,40", epochs=1000000, patience=0,
           progress=lambda *_: started.set())
    print("not interrupted")
except KeyboardInterrupt:
    print("interrupted", hf.flow(graph, np.arange(3000) % 3).predict().shape)
"""
    outcome = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=1800)
    assert outcome.stdout == "interrupted (3000,)\n", outcome.stderr


def test_a_child_of_fork_works(model):
    program = """
import os, sys
import numpy as np, heatfront as hf
club = hf.open("karate")
first = hf.flow(club, time=5).temperatures.copy()
child = os.fork()
same = bool((hf.flow(club, time=5).temperatures == first).all())
if child == 0:
    os._exit(0 if same else 1)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) or not same)
"""
    assert subprocess.run([sys.executable, "-c", program]).returncode == 0


def test_children_forked_while_other_threads_work_do_not_wait_for_them():
    program = """
import os, sys, threading, warnings
import numpy as np, heatfront as hf
warnings.simplefilter("ignore", DeprecationWarning)
club = hf.open("karate")
first = hf.flow(club, time=5, threads=2).temperatures.copy()
model = hf.fit(club, quick=True)
inside, go_on, over = threading.Event(), threading.Event(), threading.Event()

def keep_flowing():
    while not over.is_set():
        hf.flow(club, time=5, threads=2)

def train(*_):
    inside.set()
    go_on.wait()

threads = [threading.Thread(target=keep_flowing) for _ in range(2)]
threads.append(threading.Thread(target=lambda: model.train(progress=train)))
for thread in threads:
    thread.start()
inside.wait()
for i in range(40):
    child = os.fork()
    if child == 0:
        same = bool((hf.flow(club, time=5, threads=2).temperatures == first).all())
        if i == 0:
            try:
                model.predict()
                same = False
            except hf.Error as error:
                same = same and "was forked" in str(error)
        os._exit(0 if same else 1)
    if os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]):
        sys.exit("the child failed")
over.set(), go_on.set()
for thread in threads:
    thread.join()
print(len(model.predict()))
"""
    outcome = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=1800)
    assert outcome.stdout == "34\n", outcome.stderr


def test_progress_is_a_line_that_goes_away(moons, capsys):
    graph, points, labels, _ = moons
    hf.fit(graph, points, labels, quick=True, progress=True)
    shown = capsys.readouterr().err
    assert "[" in shown and shown.endswith(" \r")
