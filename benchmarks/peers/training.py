# SPDX-License-Identifier: MIT
"""(a) One training of rows 08 and 09, against the paper's method in PyTorch with torchdiffeq's adjoint."""

import data as datasets
import heatfront
import tables
from contest import check, contest

TITLE = "Training: rows 08 and 09 against PyTorch, torchdiffeq and its adjoint"
ROWS = {"08": ([], 50), "09": (["--learn-weights"], 40)}  # flags, wanted ratio
QUICK_EPOCHS = 3
PAPER_EPOCHS = 50  # of the paper's way at most; longer trainings are scaled up from these
NOTE = f"""\
One whole training each: the paper's settings (`presets/heat-front/`), seed 0, the same split, and after
every epoch the clamped flow is judged on validation. PyTorch is `paper_torch.py`, which integrates with the
paper's dopri5 at the paper's tolerances both ways; heatfront solves to 1e-6 with exact gradients.

- *as the paper*: what the paper names, PyTorch Geometric's message passing under torchdiffeq's adjoint, x dense.
  Timed over the first {PAPER_EPOCHS} epochs where there are more, and scaled up.
- *made quick*: sparse products one call each way, learned weights normalised once an epoch, x dense or sparse,
  whichever is the faster in a trial of three epochs (*x*).

Loading, imports and set-up are outside on all sides. heatfront ran five times, PyTorch as often as ten seconds
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

    def theirs(way, epochs):
        seconds, reached = paper_torch.Training(data, settings, row == "09", way).run(epochs)
        if way != "paper":
            accuracy["pytorch"] = reached
        return seconds

    def as_the_paper():
        timed = min(epochs, PAPER_EPOCHS)
        return theirs("paper", timed) * epochs / timed

    trial = contest(
        {way: lambda way=way: theirs(way, min(epochs, 3)) for way in ("sparse", "dense")}, rounds=2, budget=10
    )
    way = min(trial, key=trial.get)
    calls = {"heatfront": ours, "paper": as_the_paper, "quick": lambda: theirs(way, epochs)}
    best = contest(calls, rounds=5, budget=10, warm_up=False)
    if not quick:
        check(f"{case}: accuracies apart", abs(accuracy["heatfront"] - accuracy["pytorch"]), 0.04)
    return {"epochs": epochs, "way": way, "seconds": best, "accuracy": accuracy}


def report(results):
    rows = []
    ratios = {kind: {row: [] for row in ROWS} for kind in ("paper", "quick")}
    for case, result in results.items():
        row, name = case.split()
        seconds, accuracy = result["seconds"], result["accuracy"]
        times = {kind: seconds[kind] / seconds["heatfront"] for kind in ratios}
        for kind, ratio in times.items():
            ratios[kind][row].append(ratio)
        rows.append(
            [
                row,
                name,
                result["epochs"],
                tables.seconds(seconds["heatfront"]),
                tables.seconds(seconds["paper"]),
                tables.ratio(times["paper"]),
                tables.seconds(seconds["quick"]),
                result["way"],
                tables.ratio(times["quick"]),
                tables.percent(accuracy["heatfront"]),
                tables.percent(accuracy["pytorch"]),
            ]
        )
    head = ["row", "data", "epochs", "heatfront", "as the paper", "ratio", "made quick", "x", "ratio"]
    text = tables.markdown([*head, "accuracy", "PyTorch's"], rows)
    for row, (_, wanted) in ROWS.items():
        for kind, what in (("paper", "as the paper"), ("quick", "made quick")):
            text += "\n" + tables.verdict(f"row {row}, {what}", ratios[kind][row], wanted)
    return text
