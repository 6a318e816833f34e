# SPDX-License-Identifier: MIT
"""What was measured, part by part, stamped with what it depends on."""

import hashlib
import importlib.metadata
import json
import os
import platform
import re
import subprocess
from pathlib import Path

import heatfront

PARTS = ["training", "flow", "steady", "layers", "neighbours", "growth", "ogc", "few"]
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
SHARED = ["contest.py", "data.py", "heatfront.py", "paper_torch.py", "sparse_torch.py", "requirements.txt"]
KEPT = heatfront.ROOT / "benchmarks" / "results" / "peers"  # of the repository
QUIET = 0.05  # share of the machine that other work may take
DIGITS = 5  # of a number in a record


def machine():
    """Processor, cores and memory."""
    with open("/proc/cpuinfo") as lines:
        names = (line.split(":")[1].strip() for line in lines if line.startswith("model name"))
        processor = next(names, platform.machine())
    with open("/proc/meminfo") as lines:
        memory = int(next(lines).split()[1]) / 2**20
    return f"{processor}, {len(os.sched_getaffinity(0))} cores, {memory:.0f} GB"


def compiler():
    """Name and version of the compiler, as CMake found it for the program."""
    (notes,) = heatfront.PROGRAM.parent.glob("CMakeFiles/*/CMakeCXXCompiler.cmake")
    found = dict(re.findall(r'set\(CMAKE_CXX_COMPILER_(ID|VERSION) "(.*?)"\)', notes.read_text()))
    return f"{found['ID']} {found['VERSION']}"


def program():
    """Version, compiler and build of the program; the build is the beginning of its SHA-256."""
    version = subprocess.run([heatfront.PROGRAM, "--version"], capture_output=True, text=True).stdout.strip()
    build = hashlib.sha256(heatfront.PROGRAM.read_bytes()).hexdigest()[:16]
    return f"heatfront {version}, built by {compiler()}, build {build}"


def packages(part):
    """Versions of Python and of what a part takes beside it: its own PACKAGES, or all."""
    names = getattr(importlib.import_module(part), "PACKAGES", PACKAGES)
    versions = [f"{name} {importlib.metadata.version(name)}" for name in names]
    return ", ".join([f"Python {platform.python_version()}", *versions])


def scripts(part):
    """A hash of the scripts that measure a part."""
    folder, hashed = Path(__file__).parent, hashlib.sha256()
    for source in [f"{part}.py", *SHARED]:
        hashed.update((folder / source).read_bytes())
    return hashed.hexdigest()[:16]


def stamps(part):
    """What a part's results depend on."""
    return {
        "machine": machine(),
        "program": program(),
        "packages": packages(part),
        "threads": heatfront.THREADS,
        "scripts": scripts(part),
    }


def rounded(value):
    """The same with fewer digits in its numbers."""
    if isinstance(value, dict):
        return {key: rounded(entry) for key, entry in value.items()}
    return float(f"{value:.{DIGITS}g}") if isinstance(value, float) else value


def text(record):
    """JSON with a line for each stamp and each case."""
    stamped = {name: value for name, value in record.items() if name != "results"}
    lines = [f"{json.dumps(name)}: {json.dumps(value)}," for name, value in stamped.items()]
    cases = [f" {json.dumps(name)}: {json.dumps(case)}" for name, case in record["results"].items()]
    return "\n".join(["{", *lines, '"results": {', ",\n".join(cases), "}", "}", ""])


def unfinished(part, quick):
    """Where a part's cases are kept while it is measured."""
    return heatfront.WORK / f"{part}{'.quick' if quick else ''}.json"


def keep(part, record):
    """Puts the record of a part that is complete into the repository."""
    KEPT.mkdir(parents=True, exist_ok=True)
    (KEPT / f"{part}.json").write_text(text(rounded(record)))


def kept(quick):
    """{part: record} of the parts that were measured."""
    paths = {part: unfinished(part, True) if quick else KEPT / f"{part}.json" for part in PARTS}
    return {part: json.loads(path.read_text()) for part, path in paths.items() if path.exists()}
