# SPDX-License-Identifier: MIT
"""(a) One training of rows 08 and 09, against the paper's method in PyTorch with torchdiffeq's adjoint."""

import data as datasets
import heatfront
import tables
from contest import check, contest

TITLE = "Training: rows 08 and 09 against PyTorch, torchdiffeq and its adjoint"
ROWS = {"08": ([], 50), "09": (["--learn-weights"], 40)}  # flags, wanted ratio
QUICK_EPOCHS = 3
NOTE = """\
One whole training each: the paper's settings (`presets/heat-front/`), seed 0, the same split, and after
every epoch the clamped flow is judged on validation. PyTorch is `paper_torch.py`, which integrates with the
paper's dopri5 at the paper's tolerances both ways; heatfront solves to 1e-6 with exact gradients. *x* says
whether its features were dense or sparse: the faster of the two in a trial of three epochs. Loading,
imports and set-up are outside on both sides. heatfront ran five times, PyTorch as often as half a minute
allows, at least once; the shortest run counts. Accuracies are those of single runs with random starts of
their own: they differ by about a point from seed to seed.
"""


def cases(quick):
    names = ["cora", "county_fb"] if quick else datasets.PAPER
    return [f"{row} {name}" for row in ROWS for name in names]


def measure(case, quick):
    import paper_torch

    row, name = case.split()
    data = datasets.load(name)
    flags = ["train", data.path, "--preset", name, "--split", data.split_path, "--seed", 0, *ROWS[row][0]]
    if quick:
        flags += ["--set", f"epochs={QUICK_EPOCHS}"]
    settings = heatfront.settings(heatfront.run(*flags))
    epochs = int(settings["epochs"])
    accuracy = {}

    def ours():
        trained = heatfront.run(*flags)
        accuracy["heatfront"] = trained["test_accuracy"]
        return trained["seconds"]["train"]

    def theirs(sparse, epochs):
        seconds, accuracy["pytorch"] = paper_torch.Training(data, settings, row == "09", sparse).run(epochs)
        return seconds

    kinds = {True: lambda: theirs(True, min(epochs, 3)), False: lambda: theirs(False, min(epochs, 3))}
    trial = contest(kinds, rounds=2, budget=10)
    sparse = min(trial, key=trial.get)
    best = contest(
        {"heatfront": ours, "pytorch": lambda: theirs(sparse, epochs)}, rounds=5, budget=30, warm_up=False
    )
    if not quick:
        check(f"{case}: accuracies apart", abs(accuracy["heatfront"] - accuracy["pytorch"]), 0.04)
    return {"epochs": epochs, "sparse": sparse, "seconds": best, "accuracy": accuracy}


def report(results):
    rows, text = [], ""
    for case, result in results.items():
        ours, theirs = result["seconds"]["heatfront"], result["seconds"]["pytorch"]
        rows.append(
            [
                *case.split(),
                result["epochs"],
                tables.seconds(ours),
                tables.seconds(theirs),
                "sparse" if result["sparse"] else "dense",
                tables.ratio(theirs / ours),
                tables.percent(result["accuracy"]["heatfront"]),
                tables.percent(result["accuracy"]["pytorch"]),
            ]
        )
    text += tables.markdown(
        ["row", "data", "epochs", "heatfront", "PyTorch", "x", "ratio", "accuracy", "PyTorch's"], rows
    )
    for row, (_, wanted) in ROWS.items():
        ratios = [
            r["seconds"]["pytorch"] / r["seconds"]["heatfront"]
            for case, r in results.items()
            if case.startswith(row)
        ]
        text += "\n" + tables.verdict(f"row {row}", ratios, wanted)
    return text
