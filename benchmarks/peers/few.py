# SPDX-License-Identifier: MIT
"""(h) Few labels: the flow without flags against GraphLearning's methods, on the same graphs and labels."""

import json
import time
import warnings

import numpy as np
import scipy.sparse as sp
import scipy.sparse.csgraph

import heatfront
import tables

TITLE = "Few labels, against GraphLearning"
PACKAGES = ["numpy", "scipy", "graphlearning"]
WANTED = 5
DRAWS = 20
IMAGES = ["mnist", "fashion_mnist"]
LABELS = [1, 2, 3, 4, 5, 10]  # per class
FEWER = {  # draws of a peer that takes long, where all draws of the others are taken
    "images": {
        "PoissonMBO, sizes": 0,  # a minute and a half for an answer
        **dict.fromkeys(["Laplace", "WNLL", "p-Laplace", "AMLE", "VolumeMBO, sizes"], 3),
        "Poisson, sizes": 5,
        "heatfront, sizes": 5,
    },
    "pubmed": {"PoissonMBO, sizes": 3, "Poisson, sizes": 3},
    "cora": {"PoissonMBO, sizes": 10, "Poisson, sizes": 10},
    "citeseer": {"PoissonMBO, sizes": 10, "Poisson, sizes": 10},
}
NOTE = f"""\
Accuracy on all nodes whose label is not known, in percent: mean and standard deviation over draws of labels, which
are the same for all (`heatfront split DATA --split "per-class K,0" --seed 0` to {DRAWS - 1}). Images are joined to their ten nearest by
pixels (self-tuning kernel), and of every graph the largest component is taken, for GraphLearning's solvers do not end on others. Figures published for graphs
of learned features are of other, easier graphs. heatfront is `solve DATA --known train` without
flags, and with the true sizes of the classes in `--class-prior` where peers are given them. *better* is the mean of the draws' differences
to heatfront, in points, with its standard error; *ratio* the peer's time over heatfront's, medians of the draws. GraphLearning's
methods have its default settings; those that take long run fewer draws, as *draws* says; PoissonMBO takes
a minute and a half for an answer on the images and is not run there. What has no line was not run.
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


def peers(adjacency, sizes):
    """{name: a new model}; those whose name says so are given the sizes."""
    import graphlearning.ssl as ssl

    shares = sizes / sizes.sum()
    return {
        "Poisson": lambda: ssl.poisson(adjacency),
        "Laplace": lambda: ssl.laplace(adjacency),
        "WNLL": lambda: ssl.laplace(adjacency, reweighting="wnll"),
        "Poisson-weighted": lambda: ssl.laplace(adjacency, reweighting="poisson"),
        "p-Laplace": lambda: ssl.plaplace(adjacency),
        "AMLE": lambda: ssl.amle(adjacency),
        "Poisson, sizes": lambda: ssl.poisson(adjacency, shares),
        "PoissonMBO, sizes": lambda: ssl.poisson_mbo(adjacency, shares),
        "VolumeMBO, sizes": lambda: ssl.volume_mbo(adjacency, shares),
    }


def draws_of(who, name, quick):
    return 2 if quick else FEWER["images" if name in IMAGES else name].get(who, DRAWS)


def split_of(name, k, draw):
    path = heatfront.WORK / "few" / f"{name}.{k}.{draw}.split.npz"
    if not path.exists():
        path.parent.mkdir(exist_ok=True)
        heatfront.run("split", graph_of(name), "--split", f"per-class {k},0", "--seed", draw, "-o", path)
    return path


def opened(name):
    with np.load(graph_of(name)) as arrays:
        return adjacency_in(arrays), arrays["labels"].astype(int)


def measure_peers(name, k, quick, only=None):
    """{peer: [(accuracy, seconds), …]}; kept from run to run, for they depend on no program of ours."""
    warnings.simplefilter("ignore")
    kept = heatfront.WORK / f"few.{heatfront.THREADS}.jsonl"
    found = {}
    for line in kept.read_text().splitlines() if kept.exists() else []:
        *key, right, took = json.loads(line)
        found[tuple(key)] = (right, took)
    adjacency, labels = opened(name)
    methods = peers(adjacency, np.bincount(labels))
    answers = {who: [] for who in methods}
    for draw in range(DRAWS):
        for who, make in methods.items():
            if draw >= draws_of(who, name, quick) or (only and who not in only):
                continue
            key = (name, k, draw, who)
            if key not in found:
                known = np.load(split_of(name, k, draw))["train_idx"]
                begin = time.perf_counter()
                answer = make().fit_predict(known, labels[known])
                took = time.perf_counter() - begin
                unknown = np.setdiff1d(np.arange(len(labels)), known)
                found[key] = (float((answer == labels)[unknown].mean()), took)
                with kept.open("a") as lines:
                    lines.write(json.dumps([*key, *found[key]]) + "\n")
            answers[who].append(found[key])
    return answers


def measure_ours(name, k, quick):
    """The same of `solve` without flags, and with the sizes of the classes."""
    labels = opened(name)[1]
    sizes = heatfront.WORK / f"{name}.sizes.csv"
    rows = [f"{c},{count}\n" for c, count in enumerate(np.bincount(labels))]
    sizes.write_text("class,size\n" + "".join(rows))
    flags = {"heatfront": [], "heatfront, sizes": ["--class-prior", sizes]}
    answers = {who: [] for who in flags}
    for draw in range(DRAWS):
        for who in answers:
            if draw >= draws_of(who, name, quick):
                continue
            split = ["--split", split_of(name, k, draw), "--known", "train"]
            solved = heatfront.run("solve", graph_of(name), *split, *flags[who])
            answers[who].append((solved["test_accuracy"], solved["whole_seconds"]))
    return answers


def measure(case, quick):
    name, k = case.split(", ")
    answers = {**measure_ours(name, int(k), quick), **measure_peers(name, int(k), quick)}
    answers = {who: found for who, found in answers.items() if found}
    return {
        "accuracy": {who: [right for right, _ in found] for who, found in answers.items()},
        "seconds": {who: float(np.median([took for _, took in found])) for who, found in answers.items()},
    }


def compared(result, who):
    """The mean difference to heatfront's, its standard error, and the ratio of times."""
    whose = "heatfront, sizes" if who.endswith("sizes") else "heatfront"
    theirs = np.array(result["accuracy"][who])
    ours = np.array(result["accuracy"][whose])
    shared = min(len(theirs), len(ours))
    gaps = 100 * (theirs[:shared] - ours[:shared])
    error = gaps.std(ddof=1) / np.sqrt(len(gaps)) if len(gaps) > 1 else float("nan")
    return gaps.mean(), error, result["seconds"][who] / result["seconds"][whose]


def report(results):
    rows, ratios = [], []
    for case, result in results.items():
        best = {False: None, True: None}  # of those without sizes, and with
        for who, found in result["accuracy"].items():
            percent = 100 * np.array(found)
            spread = f" ± {percent.std(ddof=1):.1f}" if len(found) > 1 else ""
            row = [case, who, len(found), f"{percent.mean():.1f}{spread}"]
            row.append(tables.seconds(result["seconds"][who]))
            if who.startswith("heatfront"):
                rows.append([*row, "", ""])
                continue
            gap, error, ratio = compared(result, who)
            shown = f"{gap:+.1f}" if np.isnan(error) else f"{gap:+.1f} ± {error:.1f}"
            rows.append([*row, shown, tables.ratio(ratio)])
            kind = who.endswith("sizes")
            if best[kind] is None or percent.mean() > best[kind][0]:
                best[kind] = (percent.mean(), ratio)
        ratios += [found[1] for found in best.values() if found]
    head = ["data, labels per class", "method", "draws", "accuracy, %", "time", "better", "ratio"]
    return tables.markdown(head, rows) + "\n" + tables.verdict("time of the most accurate peer", ratios, WANTED)
