# SPDX-License-Identifier: MIT
"""The page of results, from the record."""

import math

import graphs

HEAD = """# The answer without flags

Written by `benchmarks/defaults/run.py` from `defaults.jsonl`. How `linear-front` chooses and weighs its fronts was decided on {chosen_by}, with draws from 100 on, none of which is here;
of {confirmed_by} nothing was looked at for it (lastfm and uai, with other draws, had a part in an earlier version). By how many deviations `auto` wants another model to be better was decided on the same draws. What uneven labels add to the logits (nothing in most cells
here, where classes have the same number) and how wide intervals are was decided on draws from 100 on of acm and polblogs too.

*auto*: `heatfront train FILE -o m.hf`, `heatfront predict m.hf`, with a file that has no other labels than these. *best other*: of all other models of
the program, on the same labels, all of which train, with default settings, the one with the highest mean over the draws. Accuracy in percent
on all other nodes, of the program as it was then (`program` in the record is the beginning of its SHA-256; {builds}); ± is the standard error of the mean of the differences, draw by draw. *says*: the accuracy that `train` printed;
*in*: how many of its 95 % intervals hold the true one (of labels drawn class by class, while other nodes are of frequent classes more often: docs/method.md has what that does); *confidence*: its mean. Time: processor seconds of `train`, with
reading and writing. *linear-front alone*: the same gap of `--model linear-front` to the best of the others but `auto`, over all draws that both have, with their number: it is what `auto` takes in
nearly all runs, and cheap enough for more draws.

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
    builds = {}
    for row in rows:
        if row["method"] == "auto":
            builds.setdefault(row["program"], set()).add(row["graph"])
    if len(builds) != 1:
        parts = (f"{b} of " + ", ".join(g for g in graphs.GRAPHS if g in names) for b, names in builds.items())
        return f"auto: {len(builds)} builds, " + "; ".join(parts)
    older = {row["graph"] for row in rows if row["method"] == "linear-front" and row["program"] not in builds}
    names = ", ".join(graph for graph in graphs.GRAPHS if graph in older)
    return "auto: one build" + (f"; linear-front of {names}: also an earlier one" if names else "")


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


def beside_best(ours, others):
    """The method of `others` that is furthest ahead of ours, and the gap to it; of the draws that both have, lest a method that ran on fewer gain by luck."""
    best = min((m for m in others if set(ours) & set(others[m])), key=lambda m: gap(ours, others[m])[0], default=None)
    return (best, *gap(ours, others[best])) if best else (None, math.nan, math.nan)


def of_auto(auto, others):
    """What the page says of `auto`, by column, where it ran."""
    if not auto:
        return {"text": ["–"] * 4, "end": ["–"] * 4}
    best, g, e = beside_best(auto, others)
    values = list(auto.values())
    chosen = {}
    for row in values:
        chosen[row["chosen"]] = chosen.get(row["chosen"], 0) + 1
    names = ", ".join(f"{m} {k}" if len(chosen) > 1 else m for m, k in sorted(chosen.items(), key=lambda i: -i[1]))
    inside = sum(r["interval"][0] <= r["accuracy"] <= r["interval"][1] for r in values)
    return {
        "text": [
            str(len(values)),
            percent(mean([r["accuracy"] for r in values])),
            names,
            f"{signed(g)} ± {percent(e)} {best}" if best else "–",
        ],
        "end": [
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


def line(rows, graph, count):
    found = cell(rows, graph, count)
    if "auto" not in found and "linear-front" not in found:
        return None
    auto = found.pop("auto", {})
    score = {m: mean([r["accuracy"] for r in by_draw.values()]) for m, by_draw in found.items()}
    result = of_auto(auto, found)
    front = found.pop("linear-front", {})
    best, result["front_gap"], e = beside_best(front, found)
    labels = next(iter((auto or front).values()))["labels"]
    result["text"] = [
        graph,
        str(count),
        str(labels),
        *result["text"],
        f"{signed(result['front_gap'])} ± {percent(e)} {best} ({len(set(front) & set(found[best]))})" if best else "–",
        *(percent(score.get(m, math.nan)) for m in ("linear-front", "heat-front", "flow-alone", "mlp", "appnp", "gcn")),
        *result["end"],
    ]
    return result


def seconds_of(rows, graph, method):
    return [r["processor_seconds"] for r in rows if (r["graph"], r["method"]) == (graph, method) and "accuracy" in r]


def times_text(rows):
    """What `auto` takes on each graph, and what `--quick` would leave of it."""
    parts = []
    for graph in graphs.GRAPHS:
        auto, front, flow = (seconds_of(rows, graph, m) for m in ("auto", "linear-front", "flow-alone"))
        if auto and front and flow:
            parts.append(f"{graph} {mean(auto):.1f} ({mean(front) + mean(flow):.2f})")
    return (
        "Processor seconds of `train` without flags, means over the cells, and in brackets those of `linear-front` and "
        "`flow-alone`, which are what `--quick` tries: " + ", ".join(parts) + "."
    )


def write(rows, path):
    table = [
        ["graph", "per class", "labels", "draws", "auto", "chosen", "gap to the best other", "linear-front alone"]
        + ["linear-front", "heat-front", "flow-alone", "mlp", "appnp", "gcn", "says", "in", "confidence", "seconds"]
    ]
    lines = [found for g in graphs.GRAPHS for c in sorted({r["per_class"] for r in rows}) if (found := line(rows, g, c))]
    table += [found["text"] for found in lines]
    text = HEAD.format(builds=builds_text(rows), chosen_by=", ".join(graphs.CHOSEN_BY), confirmed_by=", ".join(graphs.CONFIRMED_BY))
    text += "| " + " | ".join(table[0]) + " |\n|" + "---|" * len(table[0]) + "\n"
    text += "".join("| " + " | ".join(row) + " |\n" for row in table[1:])
    autos = [found for found in lines if "gap" in found]
    fronts = [found["front_gap"] for found in lines if not math.isnan(found["front_gap"])]
    if autos:
        text += (
            f"\nWithin 0.5 points of the best other, or above it: `auto` in {sum(f['gap'] > -0.005 for f in autos)} of {len(autos)} cells, "
            f"`linear-front` alone in {sum(g > -0.005 for g in fronts)} of {len(fronts)}. "
            f"The printed interval held the truth in {sum(f['inside'] for f in autos)} of {sum(f['draws'] for f in autos)} runs; "
            f"what was printed was {signed(mean([f['off'] for f in autos]))} points above the truth in the mean.\n\n{times_text(rows)}\n"
        )
    path.write_text(text)
