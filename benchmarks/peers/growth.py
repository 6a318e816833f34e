# SPDX-License-Identifier: MIT
"""(f) How time and memory grow from 10⁴ to 10⁸ arcs, beside expm_multiply."""

import sys

import numpy as np

import data as datasets
import heatfront
import tables
from contest import check, contest

TITLE = "From 10⁴ to 10⁸ arcs"
CLASSES = 8
TIME = 5
ARCS_A_NODE = 16
REPEATED = 1.04  # so many times the arcs are asked for: repeats are dropped, and 10⁸ must be left
MOST_MEMORY = 2.5  # × the bytes of graph and state, where these outweigh the program
NOTE = f"""\
R-MAT graphs (`rmat:scale=S,arcs=A,seed=0`, some {ARCS_A_NODE} arcs a node, of which repeats are dropped) with
weights that differ, {CLASSES} classes, one node of a hundred labelled, t = {TIME}. Memory is the most that
the process had, the reading of the npz included; *× data* is that beside the bytes of the CSR arrays
(offsets, targets and weights, 4 bytes each) and of one number per node and class. `expm_multiply` runs in
single precision in a process of its own, with the matrix built outside of its time, but not of its memory.
"""


def cases(quick):
    return [f"1e{exponent}" for exponent in (range(4, 6) if quick else range(4, 9))]


def weights(offsets, targets):
    """A weight for each arc in (0, 1], the same both ways."""
    sources = np.repeat(np.arange(len(offsets) - 1, dtype=np.int32), np.diff(offsets))
    return ((1 + (sources ^ targets) % 1000) / 1000).astype(np.float32)


def labelled_graph(arcs):
    """The path of an R-MAT graph of about so many arcs, with weights and labels."""
    datasets.FOLDER.mkdir(parents=True, exist_ok=True)
    path, bare = datasets.FOLDER / f"rmat_{arcs}.npz", datasets.FOLDER / "rmat_bare.npz"
    if not path.exists():
        scale = round(np.log2(arcs / ARCS_A_NODE))
        heatfront.run("convert", f"rmat:scale={scale},arcs={round(REPEATED * arcs)},seed=0", bare)
        arrays = dict(np.load(bare))
        nodes = len(arrays["adj_indptr"]) - 1
        arrays["adj_data"] = weights(arrays["adj_indptr"], arrays["adj_indices"])
        labels = np.full(nodes, -1)
        known = np.random.default_rng(0).permutation(nodes)[: max(CLASSES, nodes // 100)]
        labels[known] = np.arange(len(known)) % CLASSES
        np.savez(path, **{**arrays, "labels": labels})
        bare.unlink()
    return path


def exponential(path, t, output):
    """Prints the least seconds of two calls of expm_multiply; writes its answer."""
    import scipy.sparse as sp
    from scipy.sparse.linalg import expm_multiply

    from contest import seconds_of

    with np.load(path) as arrays:
        w, labels = datasets.csr(arrays, "adj", np.float32), arrays["labels"]
    nodes, known = len(labels), np.flatnonzero(labels >= 0)
    start = np.zeros((nodes, CLASSES), dtype=np.float32)
    start[known, labels[known]] = 1
    roots = 1 / np.sqrt(1 + np.asarray(w.sum(1)).ravel())
    free = (labels < 0).astype(np.float32)
    rows = np.repeat(np.arange(nodes), np.diff(w.indptr))
    w.data *= (t * free * roots)[rows] * roots[w.indices]
    a = sp.csr_matrix(w + sp.diags((t * free * (roots**2 - 1)).astype(np.float32)), dtype=np.float32)
    del w, rows
    answers = []
    print(min(seconds_of(lambda: answers.append(expm_multiply(a, start))) for _ in range(2)))
    np.save(output, answers[0])


def measure(case, quick):
    path = labelled_graph(int(float(case)))
    info = heatfront.run("info", path)
    peaks, ours_path, theirs_path = {}, heatfront.WORK / "growth.npz", heatfront.WORK / "growth.npy"

    def ours():
        solved = heatfront.run("solve", path, "--time", TIME)
        peaks["heatfront"] = solved["peak_bytes"]
        return solved["whole_seconds"]

    def theirs():
        output, peaks["expm_multiply"] = heatfront.watched([sys.executable, __file__, path, theirs_path])
        return float(output)

    best = contest(
        {"heatfront": ours, "expm_multiply": theirs},
        rounds=1 if float(case) >= 1e8 else 5,
        budget=15,
        warm_up=False,
    )
    heatfront.run("solve", path, "--time", TIME, "-o", ours_path)
    with np.load(ours_path) as arrays:
        apart = np.abs(arrays["temperatures"] - np.load(theirs_path, mmap_mode="r")).max()
    check(f"{case}: heatfront and expm_multiply apart", float(apart), 1e-4)
    nodes, arcs = info["nodes"], info["arcs"]
    times = peaks["heatfront"] / (4 * (nodes + 1) + 8 * arcs + 4 * nodes * CLASSES)
    if float(case) >= 1e8:
        check(f"{case}: memory beside that of graph and state", times, MOST_MEMORY)
    return {"nodes": nodes, "arcs": arcs, "seconds": best, "peak_bytes": peaks, "memory_times": times}


def report(results):
    rows = []
    for result in results.values():
        ours, theirs = result["seconds"]["heatfront"], result["seconds"]["expm_multiply"]
        rows.append(
            [
                f"{result['nodes']:,}",
                f"{result['arcs']:,}",
                tables.seconds(ours),
                f"{1e9 * ours / result['arcs']:.2g} ns",
                f"{result['peak_bytes']['heatfront'] / 1e6:,.0f} MB",
                f"{result['memory_times']:,.3g}",
                tables.seconds(theirs),
                f"{result['peak_bytes']['expm_multiply'] / 1e6:,.0f} MB",
                tables.ratio(theirs / ours),
            ]
        )
    head = ["nodes", "arcs", "heatfront", "an arc", "memory", "× data", "expm_multiply", "memory", "ratio"]
    return tables.markdown(head, rows)


if __name__ == "__main__":
    exponential(sys.argv[1], TIME, sys.argv[2])
