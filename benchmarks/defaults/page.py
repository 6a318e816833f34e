# SPDX-License-Identifier: MIT
"""The page of results, from the record."""

import math

import graphs

HEAD = """# The answer without flags

Written by `benchmarks/defaults/run.py` from `defaults.jsonl`. How `linear-front` chooses and weighs its fronts was decided on {chosen_by}, with draws from 100 on, none of which is here;
of {confirmed_by} nothing was looked at for it (lastfm and uai, with other draws, had a part in an earlier version). By how many deviations `auto` wants another model to be better was decided on the same draws.

*auto*: `heatfront train FILE -o m.hf`, `heatfront predict m.hf`, with a file that has no other labels than these. *best other*: of all other models of
the program, on the same labels, all of which train, with default settings, the one with the highest mean over the draws. Accuracy in percent
on all other nodes, of the program as it was then (`program` in the record is the beginning of its SHA-256; {builds}); ± is the standard error of the mean of the differences, draw by draw. *says*: the accuracy that `train` printed;
*in*: how many of its 95 % intervals hold the true one; *confidence*: its mean. Time: processor seconds of `train`, with
reading and writing.

"""


def mean(values):
    return sum(values) / len(values)


def error(values):
    if len(values) < 2:
        return math.nan
    m = mean(values)
    return math.sqrt(sum((v - m) ** 2 for v in values) / (len(values) - 1) / len(values))


def percent(value):
    return "–" if math.isnan(value) else f"{100 * value:.1f}"


def signed(value):
    return "–" if math.isnan(value) else f"{100 * value:+.1f}"


def builds_text(rows):
    builds = {row["program"] for row in rows if row["method"] == "auto"}
    return "auto: one build" if len(builds) == 1 else f"auto: {len(builds)} builds, so `--again auto` is due"


def cell(rows, graph, count):
    """By method, the accuracies by draw."""
    result = {}
    for row in rows:
        if row["graph"] == graph and row["per_class"] == count and "accuracy" in row:
            result.setdefault(row["method"], {})[row["draw"]] = row
    return result


def gap(ours, other):
    """Mean and standard error of our accuracy less the other's, over the draws that both have."""
    both = [ours[d]["accuracy"] - other[d]["accuracy"] for d in ours if d in other]
    return (mean(both), error(both)) if both else (math.nan, math.nan)


def line(rows, graph, count):
    found = cell(rows, graph, count)
    if "auto" not in found:
        return None
    auto = found.pop("auto")
    score = {m: mean([r["accuracy"] for r in by_draw.values()]) for m, by_draw in found.items()}
    # Of the draws that both have, lest a method that ran on fewer gain by luck.
    best = min(score, key=lambda m: gap(auto, found[m])[0], default=None)
    values = list(auto.values())
    g, e = gap(auto, found[best]) if best else (math.nan, math.nan)
    chosen = {}
    for row in values:
        chosen[row["chosen"]] = chosen.get(row["chosen"], 0) + 1
    names = ", ".join(f"{m} {k}" if len(chosen) > 1 else m for m, k in sorted(chosen.items(), key=lambda i: -i[1]))
    inside = sum(r["interval"][0] <= r["accuracy"] <= r["interval"][1] for r in values)
    return {
        "text": [
            graph,
            str(count),
            str(values[0]["labels"]),
            str(len(values)),
            percent(mean([r["accuracy"] for r in values])),
            names,
            f"{best} {percent(score[best])}" if best else "–",
            f"{signed(g)} ± {percent(e)}",
            *(percent(score.get(m, math.nan)) for m in ("linear-front", "heat-front", "flow-alone", "mlp")),
            percent(mean([r["estimate"] for r in values])),
            f"{inside} of {len(values)}",
            percent(mean([r["confidence"] for r in values])),
            f"{mean([r['processor_seconds'] for r in values]):.2f}",
        ],
        "gap": g,
        "inside": inside,
        "draws": len(values),
        "off": mean([r["estimate"] - r["accuracy"] for r in values]),
    }


def write(rows, path):
    table = [
        ["graph", "per class", "labels", "draws", "auto", "chosen", "best other", "gap"]
        + ["linear-front", "heat-front", "flow-alone", "mlp", "says", "in", "confidence", "seconds"]
    ]
    lines = [found for g in graphs.GRAPHS for c in sorted({r["per_class"] for r in rows}) if (found := line(rows, g, c))]
    table += [found["text"] for found in lines]
    text = HEAD.format(builds=builds_text(rows), chosen_by=", ".join(graphs.CHOSEN_BY), confirmed_by=", ".join(graphs.CONFIRMED_BY))
    text += "| " + " | ".join(table[0]) + " |\n|" + "---|" * len(table[0]) + "\n"
    text += "".join("| " + " | ".join(row) + " |\n" for row in table[1:])
    if lines:
        near = sum(found["gap"] > -0.005 for found in lines)
        text += (
            f"\nWithin 0.5 points of the best other, or above it: {near} of {len(lines)}. "
            f"The printed interval held the truth in {sum(f['inside'] for f in lines)} of {sum(f['draws'] for f in lines)} runs; "
            f"what was printed was {signed(mean([f['off'] for f in lines]))} points above the truth in the mean.\n"
        )
    path.write_text(text)
