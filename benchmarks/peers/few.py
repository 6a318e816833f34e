# SPDX-License-Identifier: MIT
"""(h) Few labels: the flow without flags against GraphLearning's methods, on the same graphs and labels."""

import warnings

import numpy as np
import scipy.sparse as sp
import scipy.sparse.csgraph

import heatfront
import tables
from contest import seconds_of

TITLE = "Few labels, against GraphLearning"
PACKAGES = ["numpy", "scipy", "graphlearning"]
WANTED = 5
DRAWS = 20
IMAGES = ["mnist", "fashion_mnist"]
LABELS = [1, 2, 3, 4, 5, 10]  # per class
SLOW = 2  # draws of a peer that takes minutes on the images, where all draws of the others are taken
NOTE = f"""\
Accuracy on all nodes whose label is not known, in percent: mean and standard deviation over draws of labels, which
are the same for all (`heatfront split DATA --split "per-class K,0" --seed 0` to {DRAWS - 1}). Images are joined to their ten nearest by
pixels (self-tuning kernel), and of every graph the largest component is taken, for GraphLearning's solvers do not end on others. Figures published for graphs
of learned features are of other, easier graphs. heatfront is `solve DATA --known train` without
flags, and with the true sizes of the classes in `--class-prior` where peers are given them. *better* is the mean of the draws' differences
to heatfront, in points, with its standard error; *ratio* the peer's time over heatfront's, medians of the draws. GraphLearning's
methods have its default settings; those that need minutes on the images run {SLOW} draws there.
"""


def cases(quick):
    names = ["cora"] if quick else [*IMAGES, "cora", "citeseer", "pubmed"]
    return [f"{name}, {k}" for name in names for k in ([1] if quick else LABELS)]


def keep_largest_component(path):
    """GraphLearning's solvers do not come to an end on graphs of several components."""
    with np.load(path) as arrays:
        adjacency, labels = adjacency_in(arrays), arrays["labels"]
    component = sp.csgraph.connected_components(adjacency, directed=False)[1]
    kept = np.flatnonzero(component == np.bincount(component).argmax())
    part = adjacency[kept][:, kept].tocsr()
    part.sort_indices()
    graph = {f"adj_{key}": getattr(part, key) for key in ("data", "indices", "indptr")}
    np.savez(path, **graph, adj_shape=np.array(part.shape), labels=labels[kept])


def graph_of(name):
    """An npz with the largest component of the graph, made once."""
    folder = heatfront.WORK / "data"
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.few.npz"
    if path.exists():
        return path
    if name in IMAGES:
        heatfront.run("graph", name, "-k", 10, "--kernel", "self-tuning", "--without-features", "-o", path)
    else:
        heatfront.run("convert", name, path)
    keep_largest_component(path)
    return path


def adjacency_in(arrays):
    offsets, indices = arrays["adj_indptr"], arrays["adj_indices"]
    weights = arrays["adj_data"] if "adj_data" in arrays else np.ones(len(indices))
    return sp.csr_matrix((weights.astype(float), indices, offsets), shape=tuple(arrays["adj_shape"]))


def peers(adjacency, sizes, images):
    """{name: (whether sizes are given, whether it takes minutes on the images, a new model)}"""
    import graphlearning.ssl as ssl

    shares = sizes / sizes.sum()
    return {
        "Poisson": (False, False, lambda: ssl.poisson(adjacency)),
        "Laplace": (False, images, lambda: ssl.laplace(adjacency)),
        "WNLL": (False, images, lambda: ssl.laplace(adjacency, reweighting="wnll")),
        "Poisson-weighted": (False, images, lambda: ssl.laplace(adjacency, reweighting="poisson")),
        "p-Laplace": (False, images, lambda: ssl.plaplace(adjacency)),
        "AMLE": (False, images, lambda: ssl.amle(adjacency)),
        "Poisson, sizes": (True, False, lambda: ssl.poisson(adjacency, shares)),
        "PoissonMBO, sizes": (True, images, lambda: ssl.poisson_mbo(adjacency, shares)),
        "VolumeMBO, sizes": (True, images, lambda: ssl.volume_mbo(adjacency, shares)),
    }


def ours(path, split, *flags):
    found = heatfront.run("solve", path, "--split", split, "--known", "train", *flags)
    return found["test_accuracy"], found["whole_seconds"]


def measure(case, quick):
    warnings.simplefilter("ignore")
    name, k = case.split(", ")
    path = graph_of(name)
    with np.load(path) as arrays:
        adjacency, labels = adjacency_in(arrays), arrays["labels"].astype(int)
    counts = np.bincount(labels)
    sizes = heatfront.WORK / f"{name}.sizes.csv"
    rows = [f"{c},{count}\n" for c, count in enumerate(counts)]
    sizes.write_text("class,size\n" + "".join(rows))
    methods = peers(adjacency, counts, name in IMAGES)
    accuracy, seconds = {}, {}

    def note(who, right, took):
        accuracy.setdefault(who, []).append(right)
        seconds.setdefault(who, []).append(took)

    for draw in range(2 if quick else DRAWS):
        split = heatfront.WORK / "few.split.npz"
        heatfront.run("split", path, "--split", f"per-class {k},0", "--seed", draw, "-o", split)
        known = np.load(split)["train_idx"]
        unknown = np.ones(len(labels), bool)
        unknown[known] = False
        note("heatfront", *ours(path, split))
        note("heatfront, sizes", *ours(path, split, "--class-prior", sizes))
        for who, (_, slow, make) in methods.items():
            if slow and draw >= SLOW:
                continue
            answer = []
            took = seconds_of(lambda make=make: answer.append(make().fit_predict(known, labels[known])))
            note(who, float((answer[0] == labels)[unknown].mean()), took)
    return {"accuracy": accuracy, "seconds": {who: float(np.median(times)) for who, times in seconds.items()}}


def compared(result, who):
    """The mean difference to heatfront's, its standard error, and the ratio of times."""
    whose = "heatfront, sizes" if who.endswith("sizes") else "heatfront"
    theirs = np.array(result["accuracy"][who])
    gaps = 100 * (theirs - np.array(result["accuracy"][whose])[: len(theirs)])
    error = gaps.std(ddof=1) / np.sqrt(len(gaps)) if len(gaps) > 1 else float("nan")
    return gaps.mean(), error, result["seconds"][who] / result["seconds"][whose]


def report(results):
    rows, ratios = [], []
    for case, result in results.items():
        best = {False: None, True: None}  # of those without sizes, and with
        for who, found in result["accuracy"].items():
            percent = 100 * np.array(found)
            row = [case, who, len(found), f"{percent.mean():.1f} ± {percent.std(ddof=1):.1f}"]
            row.append(tables.seconds(result["seconds"][who]))
            if who.startswith("heatfront"):
                rows.append([*row, "", ""])
                continue
            gap, error, ratio = compared(result, who)
            rows.append([*row, f"{gap:+.1f} ± {error:.1f}", tables.ratio(ratio)])
            kind = who.endswith("sizes")
            if best[kind] is None or percent.mean() > best[kind][0]:
                best[kind] = (percent.mean(), ratio)
        ratios += [found[1] for found in best.values()]
    head = ["data, labels per class", "method", "draws", "accuracy, %", "time", "better", "ratio"]
    return tables.markdown(head, rows) + "\n" + tables.verdict("time of the most accurate peer", ratios, WANTED)
