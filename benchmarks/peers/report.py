# SPDX-License-Identifier: MIT
"""Writes what was measured as a page."""

import hashlib
import importlib
import importlib.metadata
import json
import os
import platform
import subprocess
from pathlib import Path

import heatfront

PARTS = ["training", "flow", "steady", "layers", "neighbours", "growth"]
PACKAGES = [
    "torch",
    "torchdiffeq",
    "torch_geometric",
    "numpy",
    "scipy",
    "scikit-learn",
    "scikit-network",
    "graphlearning",
    "pynndescent",
]


QUIET = 0.05  # share of the machine that other work may take
SHARED = ["contest.py", "data.py", "heatfront.py", "paper_torch.py", "sparse_torch.py", "requirements.txt"]


def stamps(part, quick):
    """What a part's results depend on: the program, and how it was measured."""
    folder, scripts = Path(__file__).parent, hashlib.sha256()
    for source in [f"{part}.py", *SHARED]:
        scripts.update((folder / source).read_bytes())
    return {
        "program": hashlib.sha256(heatfront.PROGRAM.read_bytes()).hexdigest()[:16],
        "scripts": f"{scripts.hexdigest()[:16]} {heatfront.THREADS} threads{' quick' if quick else ''}",
    }


def processor():
    with open("/proc/cpuinfo") as lines:
        return next(
            (line.split(":")[1].strip() for line in lines if line.startswith("model name")),
            platform.machine(),
        )


def machine():
    with open("/proc/meminfo") as lines:
        memory = int(next(lines).split()[1]) / 2**20
    return f"{processor()}, {len(os.sched_getaffinity(0))} cores, {memory:.0f} GB"


def versions():
    program = subprocess.run([heatfront.PROGRAM, "--version"], capture_output=True, text=True).stdout.strip()
    packages = ", ".join(f"{name} {importlib.metadata.version(name)}" for name in PACKAGES)
    return f"heatfront {program}; Python {platform.python_version()}, {packages}"


def quietness(record):
    """Short runs slip through between other work, so a busy machine flatters whoever is quick."""
    others = max(result["others"] for result in record["results"].values())
    text = f"Other work took at most {100 * others:.0f} % of the machine."
    return text if others <= QUIET else f"{text} **That is too much: these times say little.**"


def page(quick):
    """The page of all parts that have results by these scripts."""
    mode = " in its quick mode, which is for checking and says nothing about speed" if quick else ""
    text = f"""\
# heatfront beside what one would take instead

Made by `make bench-peers`{mode}: same data, same machine,
{heatfront.THREADS} threads for everyone. Contestants take turns in one run, and the shortest time of each
counts; *ratio* is the peer's time over heatfront's. Answers are compared before times are. A part is measured
anew when it is asked for and its program has changed, so parts can be of different builds: each names its own.

- Machine: {machine()}.
- Versions: {versions()}.
"""
    for part in PARTS:
        path = heatfront.WORK / f"{part}.json"
        if not path.exists():
            continue
        record, module = json.loads(path.read_text()), importlib.import_module(part)
        if record["scripts"] == stamps(part, quick)["scripts"]:
            text += f"\n## {module.TITLE}\n\n{module.NOTE}\n{module.report(record['results'])}"
            text += f"\nMeasured {record['begun']} by `make bench-peers PEERS={part}`"
            text += f" (program {record['program']}). {quietness(record)}\n"
    return text
