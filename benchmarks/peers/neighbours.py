# SPDX-License-Identifier: MIT
"""(e) Nearest neighbours, against scikit-learn (exact) and pynndescent (approximate)."""

import numpy as np

import data as datasets
import heatfront
import tables
from contest import check, contest, seconds_of

TITLE = "Nearest neighbours, against scikit-learn and pynndescent"
K = 10
FLAGS = {"heatfront": [], "heatfront --approximate": ["--approximate"]}
NOTE = f"""\
The {K} nearest of every image of MNIST among the first n, 784 pixels, Euclidean: `heatfront graph -k {K}`,
its `seconds`; scikit-learn's `NearestNeighbors(algorithm="brute")` in single precision; pynndescent's
`NNDescent`, compiled beforehand on other points, beside `heatfront graph --approximate`. Recall is measured
against scikit-learn's answer: heatfront's on the edges of its graph, which has an edge wherever one of the
two found the other. All 70,000 ran once.
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


def recall_of_edges(path, exact):
    """Share of the true neighbours that are neighbours in a graph."""
    with np.load(path) as arrays:
        graph = datasets.csr(arrays, "adj", np.float32)
    rows = np.repeat(np.arange(len(exact)), exact.shape[1])
    return float((np.asarray(graph[rows, exact.ravel()]).ravel() != 0).mean())


def recall_of_lists(found, exact):
    return float(np.mean([len(set(a) & set(b)) / len(b) for a, b in zip(found, exact, strict=True)]))


def measure(case, quick):
    from pynndescent import NNDescent
    from sklearn.neighbors import NearestNeighbors

    path, images = points(int(case))
    answers = {}
    graphs = {name: heatfront.WORK / f"neighbours_{name.count('approximate')}.npz" for name in FLAGS}

    def ours(name):
        flags = ["-k", K, *FLAGS[name], "--without-features", "-o", graphs[name]]
        return heatfront.run("graph", path, *flags)["seconds"]

    def brute():
        search = NearestNeighbors(n_neighbors=K, algorithm="brute", n_jobs=heatfront.THREADS).fit(images)
        answers["sklearn"] = search.kneighbors(return_distance=False)

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
    recall = {"scikit-learn": 1.0, "pynndescent": recall_of_lists(answers["pynndescent"], answers["sklearn"])}
    recall.update({name: recall_of_edges(graph, answers["sklearn"]) for name, graph in graphs.items()})
    check(f"{case}: share of true neighbours not found", 1 - recall["heatfront"], 1e-3)
    return {"seconds": best, "recall": recall}


def report(results):
    rows = []
    for case, result in results.items():
        for ours, theirs in {"heatfront": "scikit-learn", "heatfront --approximate": "pynndescent"}.items():
            seconds, recall = result["seconds"], result["recall"]
            rows.append(
                [
                    case,
                    ours,
                    tables.seconds(seconds[ours]),
                    f"{recall[ours]:.4f}",
                    theirs,
                    tables.seconds(seconds[theirs]),
                    f"{recall[theirs]:.4f}",
                    tables.ratio(seconds[theirs] / seconds[ours]),
                ]
            )
    return tables.markdown(["n", "", "time", "recall", "peer", "time", "recall", "ratio"], rows)
