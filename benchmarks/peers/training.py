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
TIGHT = 1e-4  # the tolerance at which gradients are compared; at the paper's they are half noise
NOTE = f"""\
One whole training each: the paper's settings (`presets/heat-front/`), seed 0, the same split, and after
every epoch the clamped flow is judged on validation. PyTorch is `paper_torch.py`, which integrates with the
paper's dopri5 at the paper's tolerances both ways; heatfront solves to 1e-6 with exact gradients.

- *as the paper*: what the paper names, PyTorch Geometric's message passing under torchdiffeq's adjoint, x
  dense. Timed over the first {PAPER_EPOCHS} epochs where there are more, and scaled up. On lastfm_asia the
  paper's 128 feature columns cannot be had, and x is the adjacency, 7,624 columns: dense it would cost sixty
  times what 128 columns do, so there x is sparse for this contestant too.
- *made quick*: sparse products one call each way, learned weights normalised once an epoch, x dense or
  sparse, whichever is the faster in a trial of three epochs (*x*).

These two begin with the same parameters and drop the same units. Before times are compared, the gradients
of their first step, integrated to {TIGHT:g} instead of the paper's tolerance, must agree to 1 %
(*gradients*: how far they are apart, the network's or the learned weights', whichever is more), and at the
last epoch that both have run their validation accuracies must be within four points (*validation at*: that
epoch, then *as the paper* and *made quick*). At the paper's tolerances the adjoint's error can be as large
as the gradient of the learned weights, so in row 09 the two do not take quite the same course.

Loading, imports and set-up are outside on all sides. heatfront ran five times, PyTorch as often as ten
seconds allows, at least once; the shortest run counts. Test accuracies are those of single runs, *as the
paper* where it ran whole. heatfront's has random numbers of its own: from seed to seed they differ by
about a point, and where *made quick* is more than four points away, nothing is compared.
"""


def cases(quick):
    names = ["cora", "county_fb"] if quick else datasets.PAPER
    return [f"{row} {name}" for row in ROWS for name in names]


def gradients_apart(data, settings, learn_weights, way):
    """How far the first gradients of the paper's way and another are apart, relative to their length."""
    import paper_torch

    tight = {**settings, "runge_kutta_tolerance": TIGHT}
    paper, other = (
        paper_torch.Training(data, tight, learn_weights, each).gradients() for each in ("paper", way)
    )
    return max(float((paper[part] - other[part]).norm() / other[part].norm()) for part in other)


def measure(case, quick):
    import paper_torch

    row, name = case.split()
    data = datasets.load(name)
    flags = ["train", data.path, "--preset", name, "--split", data.split_path, "--seed", 0, *ROWS[row][0]]
    if quick:
        flags += ["--set", f"epochs={QUICK_EPOCHS}"]
    settings = heatfront.settings(heatfront.run(*flags))
    epochs, learn_weights = int(settings["epochs"]), row == "09"
    accuracy, courses = {}, {}

    def ours():
        trained = heatfront.run(*flags)
        accuracy["heatfront"] = trained["test_accuracy"]
        return trained["seconds"]["train"]

    def theirs(kind, way, epochs):
        training = paper_torch.Training(data, settings, learn_weights, way)
        seconds, accuracy[kind], courses[kind] = training.run(epochs)
        return seconds

    def as_the_paper():
        timed = min(epochs, PAPER_EPOCHS)
        return theirs("paper", "paper", timed) * epochs / timed

    trial = contest(
        {way: lambda way=way: theirs("trial", way, min(epochs, 3)) for way in ("sparse", "dense")},
        rounds=2,
        budget=10,
    )
    way = min(trial, key=trial.get)
    gradients = gradients_apart(data, settings, learn_weights, way)
    check(f"{case}: gradients apart", gradients, 0.01)
    calls = {"heatfront": ours, "paper": as_the_paper, "quick": lambda: theirs("quick", way, epochs)}
    best = contest(calls, rounds=5, budget=10, warm_up=False)
    last = len(courses["paper"])
    validation = {kind: courses[kind][last - 1] for kind in ("paper", "quick")}
    if not quick:
        check(f"{case}: PyTorch's validation apart", abs(validation["paper"] - validation["quick"]), 0.04)
        check(f"{case}: accuracies apart", abs(accuracy["heatfront"] - accuracy["quick"]), 0.04)
    return {
        "epochs": epochs,
        "way": way,
        "seconds": best,
        "accuracy": {kind: accuracy[kind] for kind in calls if kind != "paper" or last == epochs},
        "gradients_apart": gradients,
        "validation": {"epoch": last, **validation},
    }


def report(results):
    rows = []
    ratios = {kind: {row: [] for row in ROWS} for kind in ("paper", "quick")}
    for case, result in results.items():
        row, name = case.split()
        seconds, accuracy, validation = result["seconds"], result["accuracy"], result["validation"]
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
                tables.percent(accuracy["quick"]),
                tables.percent(accuracy.get("paper")),
                f"{result['gradients_apart']:.0e}",
                f"{validation['epoch']}: {tables.percent(validation['paper'])}, "
                f"{tables.percent(validation['quick'])}",
            ]
        )
    head = ["row", "data", "epochs", "heatfront", "as the paper", "ratio", "made quick", "x", "ratio"]
    answers = ["test", "test, made quick", "test, as the paper", "gradients", "validation at"]
    text = tables.markdown([*head, *answers], rows)
    for row, (_, wanted) in ROWS.items():
        for kind, what in (("paper", "as the paper"), ("quick", "made quick")):
            text += "\n" + tables.verdict(f"row {row}, {what}", ratios[kind][row], wanted)
    return text
