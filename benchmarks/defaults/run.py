#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How good the answer without flags is, beside all else that the program can do with the same labels.

    benchmarks/defaults/run.py [--graphs cora,acm] [--counts 5,20] [--draws 3] [--methods auto,mlp] [--again auto] [--report]

A few labels of each class are left in a file, the others are taken out; `heatfront train FILE -o m.hf` and `heatfront predict
m.hf` answer, and all other nodes judge. Each other model trains on the same labels with its default settings. What was measured
is in the record, line by line, and is not measured again unless --again asks for it; the page is written from the record.
"""

import argparse
import csv
import hashlib
import json
import os
import subprocess
import tempfile
import time
from pathlib import Path

import graphs
import page

RECORD = graphs.ROOT / "benchmarks" / "results" / "defaults.jsonl"
COUNTS = [5, 10, 20, 50]
METHODS = [
    "auto",
    "linear-front",
    "flow-alone",
    "mlp",
    "label-propagation",
    "heat-front",
    "appnp",
    "gcn",
    "correct-and-smooth",
    "cgnn",
    "monet",
    "gat",
]


def key(row):
    return row["graph"], row["per_class"], row["draw"], row["method"]


def measured(command):
    """What a command prints, and the processor and wall seconds that it took."""
    begin = time.monotonic()
    with tempfile.TemporaryFile("w+") as errors:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, text=True)
        output = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            errors.seek(0)
            raise RuntimeError(errors.read().strip())
    return output, usage.ru_utime + usage.ru_stime, time.monotonic() - begin


def judged(predictions, classes, known):
    """Accuracy and mean confidence on the nodes that have a label which was not told."""
    right = confidence = count = 0
    with open(predictions) as file:
        for u, row in enumerate(csv.DictReader(file)):
            if u in known or classes[u] < 0:
                continue
            count += 1
            right += row["class"] == str(classes[u])
            confidence += float(row["confidence"] or 0)
    return {"accuracy": right / count, "confidence": confidence / count, "judged": count}


def measure(data, classes, known, method, folder):
    model, predictions = folder / "m.hf", folder / "answers.csv"
    flags = [] if method == "auto" else ["--model", method, "--split", "percent 100,0"]
    try:
        output, processor, wall = measured([graphs.PROGRAM, "train", data, "-o", model, *flags, "--json"])
    except RuntimeError as error:
        return {"error": str(error)}
    told = json.loads(output)
    measured([graphs.PROGRAM, "predict", model, "-o", predictions])
    row = {**judged(predictions, classes, known), "processor_seconds": round(processor, 3), "seconds": round(wall, 3)}
    if method == "auto":
        row["chosen"] = told["model"]
        row["estimate"] = told["left_out_accuracy"]
        row["interval"] = told["left_out_interval"]
        row["candidates"] = {c["model"]: c["left_out_accuracy"] for c in told["candidates"]}
    return row


def read_record():
    if not RECORD.exists():
        return []
    with open(RECORD) as file:
        return [json.loads(line) for line in file]


def write_record(rows):
    order = sorted(rows, key=lambda row: (graphs.GRAPHS.index(row["graph"]), row["per_class"], row["draw"], METHODS.index(row["method"])))
    RECORD.write_text("".join(json.dumps(row) + "\n" for row in order))


def run(arguments):
    program = hashlib.sha256(graphs.PROGRAM.read_bytes()).hexdigest()[:12]
    rows = [row for row in read_record() if row["method"] not in arguments.again or row["graph"] not in arguments.graphs]
    write_record(rows)
    done = {key(row) for row in rows}
    for draw in range(arguments.draws):
        for name in arguments.graphs:
            classes = graphs.labels(graphs.whole(name))
            for count in arguments.counts:
                todo = [m for m in arguments.methods if (name, count, draw, m) not in done]
                if not todo:
                    continue
                known = graphs.draw(name, classes, count, draw)
                with tempfile.TemporaryDirectory() as temporary:
                    folder = Path(temporary)
                    data = folder / "data.npz"
                    graphs.write_with(known, graphs.whole(name), data)
                    for method in todo:
                        row = {"graph": name, "per_class": count, "draw": draw, "method": method,
                               "labels": len(known), "program": program}
                        row |= measure(data, classes, known, method, folder)
                        with open(RECORD, "a") as file:
                            file.write(json.dumps(row) + "\n")
                        shown = f"{row['accuracy']:.4f} in {row['seconds']:.1f} s" if "accuracy" in row else row["error"]
                        print(name, count, draw, method, row.get("chosen", ""), shown, flush=True)


def words(text):
    return [word for word in text.split(",") if word]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--graphs", type=words, default=graphs.GRAPHS)
    parser.add_argument("--counts", type=lambda text: [int(word) for word in words(text)], default=COUNTS)
    parser.add_argument("--draws", type=int, default=3)
    parser.add_argument("--methods", type=words, default=METHODS)
    parser.add_argument("--again", type=words, default=[], help="measure these anew")
    parser.add_argument("--report", action="store_true", help="write the page and measure nothing")
    arguments = parser.parse_args()
    if not arguments.report:
        run(arguments)
    rows = read_record()
    write_record(rows)
    page.write(rows, graphs.ROOT / "benchmarks" / "results" / "defaults.md")


if __name__ == "__main__":
    main()
