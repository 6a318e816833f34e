# SPDX-License-Identifier: MIT
"""Calls the program and reads its answers."""

import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
WORK = ROOT / "build" / "peers"
PROGRAM = ROOT / "build" / "release" / "heatfront"
THREADS = int(os.environ.get("THREADS", 2))  # of every contestant


# A process begins with the peak of the one that started it, so a small one starts what is measured.
WATCHER = """\
import os, sys
_, status, usage = os.wait4(os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ), 0)
print(usage.ru_maxrss * 1024)
sys.exit(os.waitstatus_to_exitcode(status) and 1)
"""


def watched(command):
    """What a command prints, and the most bytes of memory that it had; some 10 MB is the least seen."""
    watcher = [sys.executable, "-I", "-S", "-c", WATCHER, *map(str, command)]
    process = subprocess.run(watcher, capture_output=True, text=True)
    if process.returncode != 0:
        raise RuntimeError(f"{' '.join(map(str, command))}: {process.stderr.strip()}")
    *lines, peak = process.stdout.splitlines()
    return "\n".join(lines), int(peak)


def run(*arguments):
    """The JSON object that `heatfront ARGUMENTS… --json` prints, and `peak_bytes`, the most memory it had."""
    output, peak = watched([PROGRAM, *arguments, "--threads", THREADS, "--json"])
    return {**json.loads(output), "peak_bytes": peak}


def settings(trained):
    """The settings of a training, `{name: text}`, as `train --json` lists them."""
    return dict(
        line.split(" = ", 1) if " = " in line else (line.split(" =")[0], "") for line in trained["options"]
    )


def numbers(text):
    """A list of numbers with commas between them."""
    return [float(part) for part in text.split(",") if part]
