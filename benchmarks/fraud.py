#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How many frauds are among the first fifty that a model would have one look at?

5,000 accounts of which 5 % are fraud (`fraud:`, see `heatfront datasets`), 200 labels drawn at random, and the other 4,800
ranked by their share of the class. For each draw another graph and other labels. Beside heatfront's models stands a logistic
regression on features averaged over each node and its neighbours, its penalty chosen by folds of the labels.

    benchmarks/fraud.py build/release/heatfront [--draws 10] [--first 0] [--only "NAME;NAME"] [--data fraud:nodes=5000,positive=0.05]

Python's own library is enough.
"""
import argparse
import csv
import json
import math
import random
import statistics
import subprocess
import tempfile
from pathlib import Path

LABELS, FIRST, FRAUD = 200, 50, "fraud"

# Name in the table → flags of `train`. A model by name trains on all labels, as `train` without flags does.
MODELS = {
    "train, without flags": [],
    "train --quick": ["--quick", "--model", "auto"],
    "linear-front": ["--model", "linear-front"],
    "flow-alone": ["--model", "flow-alone"],
    "heat-front": ["--model", "heat-front"],
    "heat-front, balance = classes": ["--model", "heat-front", "--set", "balance=classes"],
    "gcn": ["--model", "gcn"],
    "gcn, balance = classes": ["--model", "gcn", "--set", "balance=classes"],
    "gcn, 60 % train, 40 % choose": ["--model", "gcn", "--split", "percent 60,40"],
    "mlp": ["--model", "mlp"],
}
REFERENCE = "logistic regression, averaged features"


def run(program, *arguments):
    done = subprocess.run([program, *arguments, "--json"], check=True, capture_output=True, text=True)
    return json.loads(done.stdout)


def read(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def hide_labels(folder, seed):
    """Leaves 200 labels in the folder; all of them are returned, and the nodes that are still labelled."""
    rows = read(folder / "labels.csv")
    known = set(random.Random(seed).sample(range(len(rows)), LABELS))
    with open(folder / "labels.csv", "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["node", "label"])
        writer.writerows([rows[i]["node"], rows[i]["label"]] for i in sorted(known))
    return {row["node"]: row["label"] for row in rows}, {rows[i]["node"] for i in known}


def share_of_fraud(row):
    place = 1
    while True:
        suffix = "" if place == 1 else f"_{place}"
        if row.get("class" + suffix) is None:
            return 0.0
        if row["class" + suffix] == FRAUD:
            return float(row["confidence" + suffix])
        place += 1


def model_shares(program, folder, flags):
    model, table = folder.parent / "model.hf", folder.parent / "predictions.csv"
    if "--model" in flags and "--split" not in flags and "auto" not in flags:
        flags = [*flags, "--split", "percent 100,0"]
    trained = run(program, "train", str(folder), "-o", str(model), *flags)
    run(program, "predict", str(model), "--top", "2", "-o", str(table))
    return {row["node"]: share_of_fraud(row) for row in read(table)}, trained["model"]


def averaged_features(folder):
    features = {row["node"]: [float(row[k]) for k in row if k != "node"] for row in read(folder / "features.csv")}
    sums, counts = {u: list(x) for u, x in features.items()}, dict.fromkeys(features, 1)
    for edge in read(folder / "edges.csv"):
        for u, v in ((edge["source"], edge["target"]), (edge["target"], edge["source"])):
            sums[u] = [a + b for a, b in zip(sums[u], features[v])]
            counts[u] += 1
    rows = {u: [value / counts[u] for value in sums[u]] for u in sums}
    columns = list(zip(*rows.values()))
    means, spreads = [statistics.fmean(c) for c in columns], [statistics.pstdev(c) or 1 for c in columns]
    return {u: [1.0] + [(x - m) / s for x, m, s in zip(row, means, spreads)] for u, row in rows.items()}


def solve(matrix, right):
    """Gauss's elimination; the matrix is positive definite."""
    n = len(right)
    rows = [list(matrix[i]) + [right[i]] for i in range(n)]
    for i in range(n):
        for j in range(i + 1, n):
            factor = rows[j][i] / rows[i][i]
            for k in range(i, n + 1):
                rows[j][k] -= factor * rows[i][k]
    answer = [0.0] * n
    for i in reversed(range(n)):
        answer[i] = (rows[i][n] - sum(rows[i][k] * answer[k] for k in range(i + 1, n))) / rows[i][i]
    return answer


def probability(w, x):
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, sum(a * b for a, b in zip(w, x))))))


def logistic_regression(xs, ys, penalty):
    """Newton's method; the constant is not penalised."""
    d = len(xs[0])
    w = [0.0] * d
    for _ in range(30):
        gradient = [0.0] + [penalty * value for value in w[1:]]
        hessian = [[(penalty if i == j and i > 0 else 1e-6 if i == j else 0.0) for j in range(d)] for i in range(d)]
        for x, y in zip(xs, ys):
            p = probability(w, x)
            for i in range(d):
                gradient[i] += (p - y) * x[i]
                for j in range(d):
                    hessian[i][j] += p * (1 - p) * x[i] * x[j]
        step = solve(hessian, gradient)
        w = [a - b for a, b in zip(w, step)]
        if max(map(abs, step)) < 1e-8:
            break
    return w


def logistic_shares(folder, labels, known):
    xs = averaged_features(folder)
    nodes = sorted(known, key=int)
    ys = [1.0 if labels[u] == FRAUD else 0.0 for u in nodes]
    seen, folds = {0.0: 0, 1.0: 0}, []
    for y in ys:  # each class spread over the folds
        folds.append(seen[y] % 5)
        seen[y] += 1

    def loss(penalty):
        total = 0.0
        for fold in range(5):
            inside = [i for i in range(len(nodes)) if folds[i] != fold]
            w = logistic_regression([xs[nodes[i]] for i in inside], [ys[i] for i in inside], penalty)
            for i in range(len(nodes)):
                if folds[i] == fold:
                    p = probability(w, xs[nodes[i]])
                    total -= math.log(p if ys[i] else 1 - p)
        return total

    best = min((0.1, 0.3, 1, 3, 10, 30), key=loss)
    w = logistic_regression([xs[u] for u in nodes], ys, best)
    return {u: probability(w, x) for u, x in xs.items()}


def judge(shares, labels, known):
    """Precision among the first fifty, and average precision, of the nodes whose label was not told."""
    ranked = sorted((u for u in labels if u not in known), key=lambda u: (-shares[u], int(u)))
    right, total = 0, 0.0
    for place, u in enumerate(ranked, 1):
        if labels[u] == FRAUD:
            right += 1
            total += right / place
    first = sum(labels[u] == FRAUD for u in ranked[:FIRST])
    return first / FIRST, total / right


def mean_and_error(values):
    error = statistics.stdev(values) / math.sqrt(len(values)) if len(values) > 1 else math.nan
    return f"{statistics.fmean(values):.1f} ± {error:.1f}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--draws", type=int, default=10)
    parser.add_argument("--first", type=int, default=0, help="seed of the first draw")
    parser.add_argument("--only", default="")
    parser.add_argument("--data", default="fraud:nodes=5000,positive=0.05")
    arguments = parser.parse_args()
    names = [name for name in [*MODELS, REFERENCE] if not arguments.only or name in arguments.only.split(";")]
    found, chosen = {name: [] for name in names}, []
    for draw in range(arguments.first, arguments.first + arguments.draws):
        with tempfile.TemporaryDirectory() as place:
            folder = Path(place) / "data"
            run(arguments.program, "convert", f"{arguments.data},seed={draw}", str(folder))
            labels, known = hide_labels(folder, draw)
            for name in names:
                if name == REFERENCE:
                    shares = logistic_shares(folder, labels, known)
                else:
                    shares, model = model_shares(arguments.program, folder, MODELS[name])
                    if not MODELS[name]:
                        chosen.append(model)
                found[name].append(judge(shares, labels, known))
    print(f"{arguments.data}, {LABELS} labels, {arguments.draws} draws: mean and standard error\n")
    print(f"| model | precision in the first {FIRST} | {names[0]} is ahead by | average precision |\n|---|---|---|---|")
    for name in names:
        firsts, averages = ([100 * result[which] for result in found[name]] for which in (0, 1))
        leads = [100 * ours[0] - theirs for ours, theirs in zip(found[names[0]], firsts)]
        lead = "" if name == names[0] else mean_and_error(leads)
        print(f"| {name} | {mean_and_error(firsts)} | {lead} | {mean_and_error(averages)} |")
    if chosen:
        print("\nchosen without flags: " + ", ".join(f"{m} {chosen.count(m)}" for m in sorted(set(chosen))))


if __name__ == "__main__":
    main()
