# SPDX-License-Identifier: MIT
"""(b) The clamped flow at equal error, against scipy's expm_multiply and torchdiffeq's dopri5."""

import numpy as np
import scipy.sparse as sp
from scipy.sparse.linalg import expm_multiply

import data as datasets
import heatfront
import tables
from contest import check, contest, seconds_of

TITLE = "The clamped flow at equal error, against `expm_multiply` and dopri5"
WANTED = 10
TIMES = [5, 25]  # the default, and about where labels alone do best
NOTE = """\
`heatfront solve DATA --time t` with its default tolerance, from labels at the training nodes, all classes
at once. The error is that of the worst class in the Euclidean norm, relative to the start's, against
`expm_multiply` in double precision. heatfront's time is `whole_seconds`, in a process that has just
started: it includes building the Laplacian and bounding its spectrum. The peers are called in a warm
process with the matrix already built. `expm_multiply` has no tolerance: it aims at double precision also
for single-precision arguments, which are quicker; the quicker of those that are as good counts. dopri5
(torchdiffeq, single precision, sparse products) has the loosest tolerance, by factors of 10^¼, whose error
is not above heatfront's, or where there is none, the best that single precision gives. *ratio* is to the
best of the two.
"""


def cases(quick):
    names = ["cora"] if quick else [*datasets.PAPER, datasets.IMAGES]
    return [f"{name} {t}" for name in names for t in TIMES]


def clamped_generator(data, dtype):
    """A = S − I, rows of known nodes zero."""
    free = np.ones(data.nodes)
    free[data.train] = 0
    a = sp.csr_matrix(sp.diags(free) @ (datasets.spread_matrix(data) - sp.identity(data.nodes)), dtype=dtype)
    a.eliminate_zeros()
    return a


def worst_error(answer, reference, start):
    return float((np.linalg.norm(answer - reference, axis=0) / np.linalg.norm(start, axis=0)).max())


def runge_kutta(data, t):
    """rtol → the answer of torchdiffeq's dopri5."""
    import torch
    from torchdiffeq import odeint

    from sparse_torch import torch_csr

    a, start = torch_csr(clamped_generator(data, np.float32)), torch.from_numpy(data.known()).float()
    times = torch.tensor([0.0, float(t)])

    def solve(rtol):
        with torch.no_grad():
            return odeint(lambda _, y: a @ y, start, times, method="dopri5", rtol=rtol, atol=rtol / 10)[
                -1
            ].numpy()

    return solve


def measure(case, quick):
    name, t = case.split()
    data, t = datasets.load(name), float(t)
    double, single = clamped_generator(data, np.float64), clamped_generator(data, np.float32)
    start = data.known()
    reference = expm_multiply(t * double, start)
    output = heatfront.WORK / "flow.npz"
    flags = ["solve", data.path, "--split", data.split_path, "--time", t]
    heatfront.run(*flags, "-o", output)
    error = {"heatfront": worst_error(np.load(output)["temperatures"], reference, start)}

    exponentials = {"double": (t * double, start), "single": (t * single, start.astype(np.float32))}
    calls = {
        f"expm_multiply {kind}": lambda pair=pair: expm_multiply(*pair) for kind, pair in exponentials.items()
    }
    dopri5 = runge_kutta(data, t)
    tolerances = [10 ** (-exponent / 4) for exponent in range(8, 30)]
    errors = []
    for rtol in tolerances:
        errors.append(worst_error(dopri5(rtol), reference, start))
        if errors[-1] <= error["heatfront"]:
            break
    rtol = tolerances[int(np.argmin(errors))]
    calls["dopri5"] = lambda: dopri5(rtol)
    error.update({peer: worst_error(call(), reference, start) for peer, call in calls.items()})
    check(f"{case}: error of heatfront", error["heatfront"], 1e-5)
    check(f"{case}: error of dopri5", error["dopri5"], 1e-4)
    if error["expm_multiply single"] > 2 * error["heatfront"]:
        del calls["expm_multiply single"]  # not as good

    best = contest(
        {
            "heatfront": lambda: heatfront.run(*flags)["whole_seconds"],
            **{peer: lambda call=call: seconds_of(call) for peer, call in calls.items()},
        },
        rounds=3 if quick else 15,
        budget=10,
    )
    return {"seconds": best, "error": error, "rtol": rtol}


def shortest(result):
    return min(seconds for peer, seconds in result["seconds"].items() if peer != "heatfront")


def report(results):
    rows, ratios = [], []
    for case, result in results.items():
        seconds, error = result["seconds"], result["error"]
        exponential = min((peer for peer in seconds if peer.startswith("expm")), key=seconds.get)
        ratios.append(shortest(result) / seconds["heatfront"])
        rows.append(
            [
                *case.split(),
                tables.seconds(seconds["heatfront"]),
                f"{error['heatfront']:.1e}",
                tables.seconds(seconds[exponential]),
                f"{error[exponential]:.1e} ({exponential.split()[1]})",
                tables.seconds(seconds["dopri5"]),
                f"{error['dopri5']:.1e} (rtol {result['rtol']:.0e})",
                tables.ratio(ratios[-1]),
            ]
        )
    head = ["data", "t", "heatfront", "error", "expm_multiply", "error", "dopri5", "error", "ratio"]
    return tables.markdown(head, rows) + "\n" + tables.verdict("flow", ratios, WANTED)
