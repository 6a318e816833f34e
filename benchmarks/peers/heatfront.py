# SPDX-License-Identifier: MIT
"""Calls the program and reads its answers."""

import json
import os
import subprocess
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
WORK = ROOT / "build" / "peers"
PROGRAM = ROOT / "build" / "release" / "heatfront"
THREADS = int(os.environ.get("THREADS", 2))  # of every contestant


def run(*arguments):
    """The JSON object that `heatfront ARGUMENTS… --json` prints, and `peak_bytes`, the most memory it had."""
    command = [str(PROGRAM), *map(str, arguments), "--threads", str(THREADS), "--json"]
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as notes:
        process = subprocess.Popen(command, stdout=output, stderr=notes)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        notes.seek(0)
        if process.returncode != 0:
            raise RuntimeError(f"{' '.join(command)}: {notes.read().decode().strip()}")
        answer = json.loads(output.read())
    answer["peak_bytes"] = usage.ru_maxrss * 1024
    return answer


def settings(trained):
    """The settings of a training, `{name: text}`, as `train --json` lists them."""
    return dict(
        line.split(" = ", 1) if " = " in line else (line.split(" =")[0], "") for line in trained["options"]
    )


def numbers(text):
    """A list of numbers with commas between them."""
    return [float(part) for part in text.split(",") if part]
