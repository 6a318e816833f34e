#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""New nodes without training: how much accuracy is lost on them against training with them there.

    benchmarks/new_nodes.py HEATFRONT DATA [DATA ...] [--seeds 5] [--model NAME ...]

Of each data set a tenth of the nodes, drawn from the test nodes of its split, is hidden with its edges. `there` trains with them (their
labels unseen), `added` trains without them and adds them with `heatfront predict --add`. Accuracy is on the hidden nodes, in percent,
the mean over the seeds, with the standard error of the difference. A model may have settings behind it: heat-front,learn_weights=true.
"""
import argparse
import csv
import json
import pathlib
import random
import statistics
import subprocess
import tempfile


def run(*words):
    result = subprocess.run([str(w) for w in words], capture_output=True, text=True)
    if result.returncode != 0:
        raise SystemExit(f"{' '.join(map(str, words))}\n{result.stderr}")
    return result.stdout


def rows_of(path):
    with open(path, newline="") as file:
        return list(csv.reader(file))


def write(path, rows):
    with open(path, "w", newline="") as file:
        csv.writer(file).writerows(rows)


class Folder:
    """A data set as `heatfront convert` writes it."""

    def __init__(self, path):
        table = {file.stem: rows_of(file) for file in path.glob("*.csv")}
        self.edges, self.labels = table["edges"], table["labels"]
        self.features, self.split = table.get("features"), table["split"]
        self.classes = table.get("classes")
        self.truth = dict(self.labels[1:])

    def part(self, name):
        return [node for node, part in self.split[1:] if part == name]

    def without(self, hidden, path):
        """All but the hidden nodes; labels of training and validation nodes alone."""
        path.mkdir()
        kept = lambda rows, ends: [rows[0]] + [r for r in rows[1:] if not any(r[e] in hidden for e in range(ends))]
        write(path / "edges.csv", kept(self.edges, 2))
        if self.features:
            write(path / "features.csv", kept(self.features, 1))
        self.write_labels(path)

    def whole(self, path):
        path.mkdir()
        write(path / "edges.csv", self.edges)
        if self.features:
            write(path / "features.csv", self.features)
        self.write_labels(path)

    def write_labels(self, path):
        told = set(self.part("train")) | set(self.part("validation"))
        write(path / "labels.csv", [self.labels[0]] + [r for r in self.labels[1:] if r[0] in told])
        write(path / "split.csv", [self.split[0]] + [r for r in self.split[1:] if r[0] in told])
        if self.classes:
            write(path / "classes.csv", self.classes)

    def only(self, hidden, path):
        path.mkdir()
        joined = [r for r in self.edges[1:] if r[0] in hidden or r[1] in hidden]
        write(path / "edges.csv", [self.edges[0]] + joined)
        if self.features:
            write(path / "features.csv", [self.features[0]] + [r for r in self.features[1:] if r[0] in hidden])


def train(program, data, model, seed, output):
    name, *settings = model.split(",")
    flags = [word for setting in settings for word in ("--set", setting)]
    run(program, "train", data, "--model", name, "--preset", "none", "--seed", seed, *flags, "-o", output)


def accuracy(nodes, truth, hidden):
    said = {node["node"]: node["class"] for node in nodes}
    return 100 * sum(said[node] == truth[node] for node in hidden) / len(hidden)


def compare(program, name, model, seeds):
    there, added = [], []
    for seed in range(seeds):
        with tempfile.TemporaryDirectory() as scratch:
            base = pathlib.Path(scratch)
            source = name
            if json.loads(run(program, "info", name, "--json"))["split"] is None:
                run(program, "split", name, "--split", "percent 40,40", "--seed", seed, "-o", base / "split.npz")
                source = None
            run(program, "convert", name, base / "all")
            if source is None:
                parts(base, name)
            data = Folder(base / "all")
            test = data.part("test")
            nodes = len({end for row in data.edges[1:] for end in row[:2] if end})
            hidden = set(random.Random(seed).sample(test, min(len(test), nodes // 10)))
            data.whole(base / "there")
            data.without(hidden, base / "rest")
            data.only(hidden, base / "new")
            train(program, base / "there", model, seed, base / "there.hf")
            train(program, base / "rest", model, seed, base / "rest.hf")
            there.append(accuracy(json.loads(run(program, "predict", base / "there.hf", "--json"))["nodes"],
                                  data.truth, hidden))
            grown = json.loads(run(program, "predict", base / "rest.hf", "--add", base / "new", "--json"))
            added.append(accuracy(grown["added"]["nodes"], data.truth, hidden))
    return there, added


def parts(base, name):
    """The split as a table beside the others, in the order of the nodes that `convert` writes."""
    import zipfile
    import struct

    names = [row[0] for row in rows_of(base / "all" / "labels.csv")[1:]]
    order = sorted(names, key=int) if all(n.isdigit() for n in names) else names
    with zipfile.ZipFile(base / "split.npz") as npz:
        rows = [["node", "part"]]
        for array, part in (("train_idx", "train"), ("val_idx", "validation"), ("test_idx", "test")):
            raw = npz.read(array + ".npy")
            header = struct.unpack("<H", raw[8:10])[0] + 10
            for (index,) in struct.iter_unpack("<q", raw[header:]):
                rows.append([order[index], part])
    write(base / "all" / "split.csv", rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("data", nargs="+")
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--model", action="append")
    given = parser.parse_args()
    print("| data | model | there | added | difference |\n|---|---|---|---|---|")
    for data in given.data:
        for model in given.model or ["linear-front", "heat-front", "heat-front,learn_weights=true"]:
            there, added = compare(given.program, data, model, given.seeds)
            lost = [b - a for a, b in zip(there, added)]
            error = statistics.stdev(lost) / len(lost) ** 0.5 if len(lost) > 1 else float("nan")
            print(f"| {pathlib.Path(data).stem} | {model} | {statistics.mean(there):.2f} | {statistics.mean(added):.2f} | "
                  f"{statistics.mean(lost):+.2f} ± {error:.2f} |", flush=True)


if __name__ == "__main__":
    main()
