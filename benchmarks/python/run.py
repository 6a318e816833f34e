#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What the Python package costs beyond the library, and how it stands beside others that do the same job from the same scipy matrix.

    PYTHONPATH=build/release/python build/python/venv/bin/python benchmarks/python/run.py cora.npz [-o benchmarks/results/python.md] \\
        [--peers PYTHON] [--wheels build/wheels]

PYTHON is an interpreter with scipy, scikit-learn, scikit-network, graphlearning and torch_geometric, as far as they can be had; peers that are
missing are listed as such. The job: the training labels of Cora's public split and its citations as a symmetric scipy matrix of ones; what
is right of the test nodes. Of the graph the largest component is taken, for GraphLearning's solvers do not come to an end on others. Each is
timed as a user would call it, from the matrix to a class per node, median of three, or once where that takes more than five seconds.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

LONGEST = 60  # seconds for a job: those that have no answer by then are listed as such

# A job each: what comes before `# job` is not timed and not counted.
PEERS = {
    "heatfront, flow": """
import heatfront as hf
# job
classes = hf.flow(A, y, time=5).predict()
""",
    "heatfront, fit (edges alone)": """
import heatfront as hf
# job
classes = hf.fit(A, None, y, quick=True).predict()
""",
    "heatfront, fit (edges and features)": """
import heatfront as hf
# job
classes = hf.fit(A, X, y, quick=True).predict()
""",
    "scikit-network, Propagation": """
from sknetwork.classification import Propagation
# job
known = {int(u): int(y[u]) for u in np.flatnonzero(y >= 0)}
classes = Propagation().fit_predict(A, labels=known)
""",
    "scikit-network, DiffusionClassifier": """
from sknetwork.classification import DiffusionClassifier
# job
known = {int(u): int(y[u]) for u in np.flatnonzero(y >= 0)}
classes = DiffusionClassifier().fit_predict(A, labels=known)
""",
    "scikit-learn, LabelSpreading": """
from sklearn.semi_supervised import LabelSpreading
# job
dense = A.toarray()
model = LabelSpreading(kernel=lambda a, b: dense, alpha=0.9, max_iter=100)
classes = model.fit(np.arange(len(y)).reshape(-1, 1), y).transduction_
""",
    "GraphLearning, laplace": """
import graphlearning as gl
# job
known = np.flatnonzero(y >= 0)
classes = gl.ssl.laplace(A).fit_predict(known, y[known])
""",
    "GraphLearning, poisson": """
import graphlearning as gl
# job
known = np.flatnonzero(y >= 0)
classes = gl.ssl.poisson(A).fit_predict(known, y[known])
""",
    "PyTorch Geometric, LabelPropagation": """
import torch
from torch_geometric.nn import LabelPropagation
from torch_geometric.utils import from_scipy_sparse_matrix
# job
edges, _ = from_scipy_sparse_matrix(A)
labels, mask = torch.from_numpy(np.maximum(y, 0)), torch.from_numpy(y >= 0)
classes = LabelPropagation(num_layers=50, alpha=0.9)(labels, edges, mask).argmax(1).numpy()
""",
}

HARNESS = """
import json, statistics, sys, time
import numpy as np
import scipy.sparse
arrays = np.load({data!r})
A = scipy.sparse.csr_matrix((np.ones(len(arrays["indices"])), arrays["indices"], arrays["indptr"]))
X, y, truth, test = arrays["X"], arrays["y"], arrays["truth"], arrays["test"]
{setup}
seconds = []
for _ in range({times}):
    begin = time.perf_counter()
{job}
    seconds.append(time.perf_counter() - begin)
    if sum(seconds) > 5:
        break
right = float((np.asarray(classes)[test] == truth[test]).mean())
print(json.dumps({{"seconds": statistics.median(seconds), "right": right}}))
"""


def measured(code, data, python, times=3):
    """Seconds and share right of a job, or why there are none."""
    setup, job = code.split("# job\n")
    lines = [line for line in job.splitlines() if line]
    program = HARNESS.format(data=str(data), setup=setup, job="\n".join("    " + line for line in lines), times=times)
    print(f"{job.splitlines()[-1]} …", file=sys.stderr, flush=True)
    try:
        done = subprocess.run([python, "-W", "ignore", "-c", program], capture_output=True, text=True, timeout=LONGEST)
    except subprocess.TimeoutExpired:
        return {"missing": f"had no answer after {LONGEST} s", "lines": len(lines)}
    if done.returncode:
        return {"missing": (done.stderr.strip().splitlines() or ["?"])[-1], "lines": len(lines)}
    return {**json.loads(done.stdout.splitlines()[-1]), "lines": len(lines)}


def import_milliseconds(python):
    """With bytecode in place, as after `pip install`; wall clock and processor."""
    code = (
        "import time, numpy; b, c = time.perf_counter(), time.process_time(); import heatfront; "
        "print(1000 * (time.perf_counter() - b), 1000 * (time.process_time() - c))"
    )
    with tempfile.TemporaryDirectory() as cache:
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        environment["PYTHONPYCACHEPREFIX"] = cache
        runs = [
            subprocess.run(
                [python, "-c", code], capture_output=True, text=True, check=True, env=environment
            ).stdout.split()
            for _ in range(23)
        ]
    wall, processor = zip(*((float(run[0]), float(run[1])) for run in runs[3:]))
    return statistics.median(wall), statistics.median(processor), min(wall)


def flow_milliseconds(hf, A, y):
    """A call from Python, and the library's call in it; a graph made beforehand, and the matrix itself."""
    rows = {}
    for name, graph in (("graph", hf.Graph(A)), ("scipy matrix", A)):
        calls, inner = [], []
        for _ in range(300):
            begin = time.perf_counter()
            answer = hf.flow(graph, y, time=5)
            calls.append(1000 * (time.perf_counter() - begin))
            inner.append(1000 * answer._inner.seconds)
        rows[name] = [(pick(calls), pick(inner)) for pick in (statistics.median, min)]
    return rows


def fit_seconds(hf, data):
    """Of the wall clock and of the processor, without and with progress: medians of twenty in turn, and of the ratios of
    one to the next, which a busy machine sways less."""
    times = {False: [], True: []}
    with open(os.devnull, "w") as nowhere:
        for progress in (False, True, True, False) * 10:
            sys.stderr = nowhere
            begin = time.perf_counter(), time.process_time()
            hf.fit(data, model="heat-front", epochs=100, patience=0, progress=progress)
            times[progress].append((time.perf_counter() - begin[0], time.process_time() - begin[1]))
            sys.stderr = sys.__stderr__
    rows = []
    for clock in (0, 1):
        without, with_progress = ([run[clock] for run in times[shown]] for shown in (False, True))
        ratio = statistics.median(b / a for a, b in zip(without, with_progress))
        rows.append((statistics.median(without), statistics.median(with_progress), ratio))
    return rows


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("cora")
    parser.add_argument("-o", "--output", default="")
    parser.add_argument("--peers", default=sys.executable)
    parser.add_argument("--wheels", default="")
    arguments = parser.parse_args()
    import numpy as np
    import scipy.sparse
    import scipy.sparse.csgraph

    import heatfront as hf

    data = hf.open(arguments.cora)
    weights, targets, offsets = data.graph.csr()
    A = scipy.sparse.csr_matrix((weights, targets, offsets))
    split = data.split
    y = np.full(data.graph.nodes, -1)
    y[split["train"]] = data.y[split["train"]]

    calls = flow_milliseconds(hf, A, y)
    print("flow:", calls, file=sys.stderr, flush=True)
    fits = fit_seconds(hf, data)
    print("fit:", fits, file=sys.stderr, flush=True)
    wall, processor, least_wall = import_milliseconds(sys.executable)
    component = scipy.sparse.csgraph.connected_components(A, directed=False)[1]
    kept = component == np.bincount(component).argmax()
    part = A[kept][:, kept]
    X = data.X.toarray() if hasattr(data.X, "toarray") else data.X
    test = np.flatnonzero(np.isin(np.flatnonzero(kept), split["test"]))
    with tempfile.TemporaryDirectory() as folder:
        stored = Path(folder) / "cora.npz"
        np.savez(stored, indices=part.indices, indptr=part.indptr, X=X[kept], y=y[kept], truth=data.y[kept], test=test)
        rows = {
            name: measured(code, stored, sys.executable if name.startswith("heatfront") else arguments.peers)
            for name, code in PEERS.items()
        }

    page = ["# The Python package, measured", ""]
    page += [
        "Made by `benchmarks/python/run.py`, which says how. One run on two cores; times are for comparing within this page. "
        "Where other programs run beside it, processor time says more than the wall clock.",
        "",
        "| what | figure |",
        "|---|---|",
        f"| `import heatfront` beyond NumPy's | {wall:.1f} ms, {processor:.1f} ms of processor time "
        f"(medians of twenty), {least_wall:.1f} ms (least) |",
    ]
    for name, ((call, inner), (least_call, least_inner)) in calls.items():
        page.append(
            f"| `hf.flow` on Cora from a {name} | {call:.3f} ms, of which the library's `solve` {inner:.3f} ms "
            f"(medians of 300); {least_call:.3f} and {least_inner:.3f} ms (least) |"
        )
    for clock, (without, with_progress, ratio) in zip(("", " of processor time"), fits):
        page.append(
            f"| `hf.fit` of heat-front on Cora, 100 epochs | {without:.3f} s{clock}, with progress {with_progress:.3f} s, "
            f"medians of twenty in turn; median of the ratios {100 * (ratio - 1):+.1f} % |"
        )
    for wheel in sorted(Path(arguments.wheels).glob("*.whl")) if arguments.wheels else ():
        page.append(f"| {wheel.name} | {wheel.stat().st_size / 1e6:.2f} MB |")
    page += [
        "",
        "## The same job from the same scipy matrix",
        "",
        f"The largest component of Cora, {kept.sum():,} of {len(y):,} nodes: GraphLearning's solvers do not come to an end on graphs of several. "
        f"{(y[kept] >= 0).sum()} labels, accuracy on {len(test)} test nodes of its public split. Settings are what each is by default "
        "(LabelSpreading and LabelPropagation with alpha = 0.9, as theirs are 0.2 and required); nothing was chosen by the test nodes.",
        "",
        "| | ms | lines | right |",
        "|---|---|---|---|",
    ]
    for name, row in rows.items():
        if "missing" in row:
            page.append(f"| {name} | {row['missing']} | {row['lines']} | |")
        else:
            page.append(f"| {name} | {1000 * row['seconds']:.1f} | {row['lines']} | {100 * row['right']:.1f} % |")
    text = "\n".join(page) + "\n"
    print(text)
    if arguments.output:
        Path(arguments.output).write_text(text)


if __name__ == "__main__":
    main()
