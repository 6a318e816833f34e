# SPDX-License-Identifier: MIT
"""(e) Nearest neighbours, against scikit-learn (exact) and pynndescent (approximate)."""

import numpy as np
import scipy.sparse as sp

import data as datasets
import heatfront
import tables
from contest import check, contest, seconds_of

TITLE = "Nearest neighbours, against scikit-learn and pynndescent"
K = 10
LEAST_RECALL = 0.95  # of the approximate pair
BEHIND = 0.005  # what heatfront's recall may be below the peer's
FLAGS = {"heatfront": [], "heatfront --approximate": ["--approximate"]}
NOTE = f"""\
The {K} nearest of every image of MNIST among the first n, 784 pixels, Euclidean: `heatfront graph -k {K}`,
its `seconds`; scikit-learn's `NearestNeighbors(algorithm="brute")` in single precision; pynndescent's
`NNDescent`, compiled beforehand on other points, beside `heatfront graph --approximate`. Recall is the share
of scikit-learn's neighbours that are joined in a graph with an edge wherever one of the two found the other:
heatfront makes such a graph, and one is made of pynndescent's lists too. Times of the approximate pair are
compared where both have a recall of {LEAST_RECALL} and heatfront's is at most {BEHIND} below the peer's. All
70,000 ran once.
"""


def cases(quick):
    return ["2000"] if quick else ["20000", "70000"]


def points(count):
    """The path of an npz with the first images, and the images."""
    datasets.FOLDER.mkdir(parents=True, exist_ok=True)
    path, everything = datasets.FOLDER / f"mnist_{count}.npz", datasets.FOLDER / "mnist_points.npz"
    if not everything.exists():
        heatfront.run("convert", "mnist", everything)
    with np.load(everything) as arrays:
        images = (
            arrays["attr_matrix"]
            if "attr_matrix" in arrays
            else datasets.csr(arrays, "attr", np.float32).toarray()
        )[:count].astype(np.float32)
        if not path.exists():
            np.savez(path, attr_matrix=images, labels=arrays["labels"][:count])
    return path, np.ascontiguousarray(images)


def graph_of_file(path):
    """The adjacency that heatfront wrote."""
    with np.load(path) as arrays:
        return datasets.csr(arrays, "adj", np.float32)


def graph_of_lists(found):
    """An edge wherever one of the two found the other, as heatfront joins them."""
    rows = np.repeat(np.arange(len(found)), found.shape[1])
    arcs = sp.csr_matrix((np.ones(found.size, np.float32), (rows, found.ravel())), shape=2 * [len(found)])
    return arcs + arcs.T


def recall(graph, exact):
    """Share of the true neighbours that are neighbours in a graph."""
    rows = np.repeat(np.arange(len(exact)), exact.shape[1])
    return float((np.asarray(graph[rows, exact.ravel()]).ravel() != 0).mean())


def measure(case, quick):
    from pynndescent import NNDescent
    from sklearn.neighbors import NearestNeighbors

    path, images = points(int(case))
    answers = {}
    files = {name: heatfront.WORK / f"neighbours_{name.count('approximate')}.npz" for name in FLAGS}

    def ours(name):
        flags = ["-k", K, *FLAGS[name], "--without-features", "-o", files[name]]
        return heatfront.run("graph", path, *flags)["seconds"]

    def brute():
        search = NearestNeighbors(n_neighbors=K, algorithm="brute", n_jobs=heatfront.THREADS).fit(images)
        answers["scikit-learn"] = search.kneighbors(return_distance=False)

    def descent(some=images):
        index = NNDescent(some, n_neighbors=K + 1, n_jobs=heatfront.THREADS, random_state=0)
        answers["pynndescent"] = index.neighbor_graph[0][:, 1:]

    descent(np.random.default_rng(0).random((2000, images.shape[1]), dtype=np.float32))  # compiles
    best = contest(
        {
            "heatfront": lambda: ours("heatfront"),
            "scikit-learn": lambda: seconds_of(brute),
            "heatfront --approximate": lambda: ours("heatfront --approximate"),
            "pynndescent": lambda: seconds_of(descent),
        },
        rounds=1 if int(case) > 20000 else 3,
        warm_up=int(case) <= 20000,
    )
    graphs = {name: graph_of_file(file) for name, file in files.items()}
    graphs |= {name: graph_of_lists(found) for name, found in answers.items()}
    recalls = {name: recall(graph, answers["scikit-learn"]) for name, graph in graphs.items()}
    check(f"{case}: share of true neighbours not found", 1 - recalls["heatfront"], 1e-3)
    ours_found, theirs_found = recalls["heatfront --approximate"], recalls["pynndescent"]
    check(f"{case}: share not found by approximation", 1 - min(ours_found, theirs_found), 1 - LEAST_RECALL)
    check(f"{case}: recall below pynndescent's", theirs_found - ours_found, BEHIND)
    return {"seconds": best, "recall": recalls}


def report(results):
    rows = []
    for case, result in results.items():
        for ours, theirs in {"heatfront": "scikit-learn", "heatfront --approximate": "pynndescent"}.items():
            seconds, recalls = result["seconds"], result["recall"]
            rows.append(
                [
                    case,
                    ours,
                    tables.seconds(seconds[ours]),
                    f"{recalls[ours]:.4f}",
                    theirs,
                    tables.seconds(seconds[theirs]),
                    f"{recalls[theirs]:.4f}",
                    tables.ratio(seconds[theirs] / seconds[ours]),
                ]
            )
    return tables.markdown(["n", "", "time", "recall", "peer", "time", "recall", "ratio"], rows)
