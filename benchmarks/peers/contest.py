# SPDX-License-Identifier: MIT
"""Fair timing: contestants take turns, in another order each round, and the shortest time of each counts."""

import random
import time


def seconds_of(call):
    begin = time.perf_counter()
    call()
    return time.perf_counter() - begin


def check(what, value, most):
    """Times of answers that do not agree are not compared."""
    if not value <= most:
        raise SystemExit(
            f"{what}: {value:.3g}, above {most:.3g}: the answers do not agree, so nothing is compared"
        )


def contest(contestants, rounds, budget=60.0, warm_up=True):
    """The least seconds of each of `contestants`, {name: call that returns its seconds}.

    One round to warm up, then `rounds`. A contestant that has used `budget` seconds leaves after its first
    round that counts, so slow ones run once or twice and quick ones often.
    """
    order, used = random.Random(0), dict.fromkeys(contestants, 0.0)
    best = {}
    for turn in range(-1 if warm_up else 0, rounds):
        names = list(contestants)
        order.shuffle(names)
        for name in names:
            if name in best and used[name] > budget:
                continue
            seconds = contestants[name]()
            used[name] += seconds
            if turn >= 0:
                best[name] = min(best.get(name, seconds), seconds)
    return best
