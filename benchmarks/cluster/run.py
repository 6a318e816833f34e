#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""benchmarks/cluster/run.py BUILD [--arcs 1e7] [--repeats 5] [--large 1e9]: graphs in parts beside the plain program, in one run.

Least seconds per product of runs that take turns: one process on a partitioned folder against the plain program with one thread,
two processes against two threads, on R-MAT and on a grid; then what partitioning takes. Needs heatfront-cluster in BUILD (make cluster).
Writes benchmarks/results/cluster.md."""
import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
MPI = ["mpiexec", "--oversubscribe", "--bind-to", "none", "-n"]
SPLIT = ["--split", "per-class 1000,1000"]


def run(command, threads=1):
    """What a command says as JSON, its seconds, and the largest memory of a process of it in MB."""
    environment = dict(os.environ, HEATFRONT_THREADS=str(threads), OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
    with tempfile.NamedTemporaryFile("r") as usage:
        begin = time.time()
        done = subprocess.run(["/usr/bin/time", "-f", "%M", "-o", usage.name, *command, "--json", "-q"],
                              env=environment, capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(" ".join(command) + ": " + done.stderr)
        return json.loads(done.stdout), time.time() - begin, int(usage.read().split()[-1]) / 1024


def per_product(command, threads):
    said, _, _ = run(command, threads)
    return said["seconds"] / max(1, said["products"])


def compared(heatfront, data, folder, repeats):
    one = [heatfront, "solve", data, *SPLIT]
    parted = [heatfront, "solve", folder, *SPLIT]
    ways = {"plain, 1 thread": (one, 1), "parts, 1 process": (parted, 1), "plain, 2 threads": (one, 2),
            "parts, 2 processes": (MPI + ["2"] + parted, 1)}
    least = {name: float("inf") for name in ways}
    for _ in range(repeats):
        for name, (command, threads) in ways.items():
            least[name] = min(least[name], per_product(command, threads))
    return least


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("--arcs", default="1e7")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--large", default="", help="arcs of one more graph, partitioned and solved once")
    options = parser.parse_args()
    heatfront = str(pathlib.Path(options.build).resolve() / "heatfront")
    work = pathlib.Path(tempfile.mkdtemp(dir=os.environ.get("TMPDIR", ".")))
    lines = ["# Graphs in parts", "",
             "Written by `benchmarks/cluster/run.py`: least of runs that take turns, on the machine of the other results.", ""]
    try:
        cases = [("R-MAT", f"rmat:scale=20,arcs={options.arcs},seed=1,classes=8", "stream"),
                 ("R-MAT, weights", f"rmat:scale=20,arcs={options.arcs},seed=1,weighted=1,classes=8", "stream"),
                 ("grid", "grid:rows=1500,cols=1500,classes=8", "block")]
        lines += ["| graph | plain, 1 thread | 1 process | ratio | 2 threads | 2 processes | speed of 2 processes |",
                  "|---|---|---|---|---|---|---|"]
        for name, data, method in cases:
            folder = str(work / "g.hfp")
            run([heatfront, "partition", data, "--parts", "2", "--method", method, "-o", folder], 2)
            least = compared(heatfront, data, folder, options.repeats)
            shutil.rmtree(folder)
            ms = {key: f"{1e3 * value:.1f} ms" for key, value in least.items()}
            lines.append("| {} | {} | {} | {:.2f} | {} | {} | {:.2f} |".format(
                name, ms["plain, 1 thread"], ms["parts, 1 process"],
                least["parts, 1 process"] / least["plain, 1 thread"], ms["plain, 2 threads"], ms["parts, 2 processes"],
                least["plain, 2 threads"] / least["parts, 2 processes"]))
        lines += ["", "Per product of 8 classes. R-MAT of " + options.arcs + " arcs, in two parts by streaming; the grid has 9·10⁶ arcs, in two blocks.", "",
                  "## Partitioning", "",
                  "| arcs asked for | parts | seconds | largest memory | ghosts per node | cut | balance |", "|---|---|---|---|---|---|---|"]
        sizes = [("1e6", 17), ("1e7", 20)] + ([(options.large, 25)] if options.large else [])
        for arcs, scale in sizes:
            folder = str(work / "p.hfp")
            said, seconds, megabytes = run([heatfront, "partition", f"rmat:scale={scale},arcs={arcs},seed=1,weighted=1,classes=8",
                                            "--parts", "4", "--memory", "512", "-o", folder], 2)
            lines.append(f"| {arcs}, weights | 4 | {seconds:.1f} | {megabytes:.0f} MB | {said['ghosts_per_node']:.2f} | "
                         f"{said['cut']:.2f} | {said['balance']:.2f} |")
            if arcs == options.large:
                said, seconds, megabytes = run([heatfront, "solve", folder, *SPLIT], 2)
                solved = (f"R-MAT of {arcs} arcs with weights, 8 classes, t = 5, solved by one process from disk: {seconds:.0f} s, of which the flow "
                          f"{said['seconds']:.0f} s for {said['products']} products; largest memory {megabytes:.0f} MB, mapped files included.")
            shutil.rmtree(folder)
        if options.large:
            lines += ["", solved]
    finally:
        shutil.rmtree(work)
    result = ROOT / "benchmarks" / "results" / "cluster.md"
    result.write_text("\n".join(lines) + "\n")
    print("\n".join(lines))


if __name__ == "__main__":
    main()
