# SPDX-License-Identifier: MIT
"""Writes the records as a page."""

import importlib

import heatfront
import records

FACTS = {
    "date": "Measured on {}.",
    "machine": "Machine: {}.",
    "program": "Program: {}.",
    "packages": "Peers: {}.",
    "threads": "Threads: {}.",
}
INTRODUCTION = """\
# heatfront beside what one would take instead

Made by `make bench-peers`{mode}: same data, same machine.
Contestants take turns in one run, and the shortest time of each counts; *ratio* is the peer's time over
heatfront's. Answers are compared before times are. A part is measured anew when it is asked for and the
program, the machine, a package or its scripts have changed, so parts can be of different days, builds and
machines: where they are, each names its own.

All are given the same number of threads, but not all can use them. heatfront can, and so can PyTorch with
what is built on it (torchdiffeq, PyTorch Geometric), scikit-learn's search for neighbours and pynndescent.
scipy's sparse products run on one core, and with them scikit-network's Dirichlet and DiffusionClassifier,
GraphLearning, scikit-learn's LabelPropagation, and `expm_multiply` and `cg` but for what BLAS does in them.
"""


def path(quick):
    """Where the page is written."""
    return heatfront.WORK / "peers.quick.md" if quick else records.KEPT.with_suffix(".md")


def facts(record, names):
    """What is said of a record."""
    return [FACTS[name].format(record[name]) for name in names]


def quietness(record):
    """Short runs slip through between other work, so a busy machine flatters whoever is quick."""
    others = max(result["others"] for result in record["results"].values())
    text = f"Other work took at most {100 * others:.0f} % of the machine."
    return text if others <= records.QUIET else f"{text} **That is too much: these times say little.**"


def section(part, record, own):
    """The part of the page about a part, ending with the facts of its own."""
    module = importlib.import_module(part)
    if record is None:
        return f"\n## {module.TITLE}\n\nNot measured yet: `make bench-peers PEERS={part}` does.\n"
    ends = [f"Made by `make bench-peers PEERS={part}`.", *facts(record, own), quietness(record)]
    if record["scripts"] != records.scripts(part):
        ends.append("The scripts have changed since.")
    return f"\n## {module.TITLE}\n\n{module.NOTE}\n{module.report(record['results'])}\n{' '.join(ends)}\n"


def page(quick):
    """The page of all parts; what is true of all of them is said once, at its top."""
    found = records.kept(quick)
    shared = [name for name in FACTS if len({record[name] for record in found.values()}) == 1]
    own = [name for name in FACTS if name not in shared]
    mode = " in its quick mode, which is for checking and says nothing about speed" if quick else ""
    text = INTRODUCTION.format(mode=mode)
    if shared:
        text += "\n" + "".join(f"- {fact}\n" for fact in facts(next(iter(found.values())), shared))
    return text + "".join(section(part, found.get(part), own) for part in records.PARTS)
