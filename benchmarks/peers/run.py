# SPDX-License-Identifier: MIT
"""run.py [--quick] [PART…]: measures the parts, all by default, and writes the page.

Every case runs in a process of its own. What was measured is kept in build/peers/PART.json, and a run that
was broken off goes on there; what another program, machine, package, script or number of threads gave is
measured anew. The record of a complete part goes to benchmarks/results/peers/PART.json, and the page is made
of those. With --quick nothing leaves build/peers.
"""

import argparse
import datetime
import importlib
import json
import os
import resource
import subprocess
import sys
import time

import heatfront
import records
import report

TRIES = 3  # of a case at most, while other work takes too much of the machine


def busy_seconds():
    """Processor seconds that the machine has spent on anything, and those of them that were ours."""
    with open("/proc/stat") as lines:
        user, nice, system, _, _, irq, softirq, steal, *_ = map(int, next(lines).split()[1:])
    all_seconds = (user + nice + system + irq + softirq + steal) / os.sysconf("SC_CLK_TCK")
    ours = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return all_seconds, sum(usage.ru_utime + usage.ru_stime for usage in ours)


def measure_case(part, case, quick):
    """A case in a process of its own, and the share of the machine that others took meanwhile."""
    names = ["OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"]
    environment = {**os.environ, **dict.fromkeys(names, str(heatfront.THREADS))}
    command = [sys.executable, __file__, "--case", part, case] + ["--quick"] * quick
    begin, before = time.perf_counter(), busy_seconds()
    output = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True).stdout
    spent, after = time.perf_counter() - begin, busy_seconds()
    others = (after[0] - before[0]) - (after[1] - before[1])
    return {**json.loads(output.splitlines()[-1]), "others": max(0.0, others / (spent * os.cpu_count()))}


def least_disturbed(part, case, quick):
    """The first measurement of a case that others left alone, else the one that they disturbed least."""
    measured = []
    for _ in range(1 if quick else TRIES):
        print(f"{part}: {case} …", file=sys.stderr, flush=True)
        measured.append(measure_case(part, case, quick))
        if measured[-1]["others"] <= records.QUIET:
            break
    return min(measured, key=lambda result: result["others"])


def measure_part(part, quick):
    """Measures the cases that are not yet there, and keeps the record."""
    path, marks = records.unfinished(part, quick), records.stamps(part)
    record = json.loads(path.read_text()) if path.exists() else {}
    if not marks.items() <= record.items():
        record = {**marks, "results": {}}
    for case in importlib.import_module(part).cases(quick):
        if case not in record["results"]:
            record["results"][case] = least_disturbed(part, case, quick)
            record["date"] = datetime.date.today().isoformat()
            path.write_text(records.text(record))
    if not quick:
        records.keep(part, record)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"of: {', '.join(records.PARTS)}")
    parser.add_argument("--quick", action="store_true", help="small cases, to check that all runs")
    parser.add_argument("--case", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.case:
        part, case = arguments.parts
        print(json.dumps(importlib.import_module(part).measure(case, arguments.quick)))
        return
    for part in arguments.parts:
        if part not in records.PARTS:
            parser.error(f"no part {part}; there are: {', '.join(records.PARTS)}")
    heatfront.WORK.mkdir(parents=True, exist_ok=True)
    for part in arguments.parts or records.PARTS:
        measure_part(part, arguments.quick)
        page = report.page(arguments.quick)
        report.path(arguments.quick).write_text(page)
    print(page)


if __name__ == "__main__":
    main()
