# SPDX-License-Identifier: MIT
"""Tables in Markdown, and how numbers are written in them."""

import math


def markdown(head, rows):
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines) + "\n"


def seconds(value):
    if value is None:
        return "–"
    return f"{1e3 * value:.3g} ms" if value < 1 else f"{value:.3g} s"


def ratio(value):
    return "–" if value is None else f"**{value:.3g}**"


def percent(value):
    return "–" if value is None else f"{100 * value:.1f} %"


def geometric_mean(values):
    return math.exp(sum(map(math.log, values)) / len(values))


def verdict(what, ratios, wanted):
    """The mean and the least of some ratios, beside what is wanted of them."""
    if not ratios:
        return ""
    mean, least = geometric_mean(ratios), min(ratios)
    held = "reached" if mean >= wanted and least >= 1 else "missed"
    return (
        f"- {what}: geometric mean **{mean:.3g}**, least {least:.3g}; "
        f"wanted {wanted} and no case below 1: {held}.\n"
    )
