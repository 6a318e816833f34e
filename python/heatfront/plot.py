"""Pictures with matplotlib, which must be installed. Each takes axes, or makes some, and returns them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from matplotlib import pyplot
from matplotlib.collections import LineCollection
from matplotlib.colors import to_rgb
from numpy.typing import NDArray

from ._core import Error
from .graph import Graph

# Okabe and Ito's, which people who see fewer colours can tell apart.
COLOURS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#f0e442", "#000000")
_FOR, _AGAINST = COLOURS[0], COLOURS[5]
_MOST_EDGES = 20_000
_MOST_BARS = 12


def _axes(ax: Any) -> Any:
    return pyplot.subplots(layout="constrained")[1] if ax is None else ax


def sweep(result: Mapping[str, Any], ax: Any = None) -> Any:
    """Accuracy over the time that heat flows."""
    ax = _axes(ax)
    times = [point["time"] for point in result["points"]]
    for part, colour in (("validation", COLOURS[0]), ("test", COLOURS[1])):
        _line(ax, times, _column(result["points"], f"{part}_accuracy"), color=colour, label=part)
    ax.axvline(result["best"]["time"], color="grey", linestyle=":", label="best by validation")
    ax.set(xscale="log", xlabel="time", ylabel="accuracy", title="Accuracy over time")
    ax.legend()
    return ax


def training(result: Mapping[str, Any], ax: Any = None) -> Any:
    """Accuracy and loss by epoch."""
    if len(result.get("history", ())) < 2:
        raise Error("plot: the model was not trained in epochs, so there is no curve to draw")
    ax = _axes(ax)
    epochs = _column(result["history"], "epoch")
    for part, colour in (("train", COLOURS[2]), ("validation", COLOURS[0])):
        _line(ax, epochs, _column(result["history"], f"{part}_accuracy"), color=colour, label=f"{part} accuracy")
    ax.set(xlabel="epoch", ylabel="accuracy", title="Training")
    loss = ax.twinx()
    loss.plot(epochs, _column(result["history"], "loss"), color="grey", linestyle=":", label="loss")
    loss.set_ylabel("loss")
    lines = [*ax.get_lines(), *loss.get_lines()]
    ax.legend(lines, [line.get_label() for line in lines])
    return ax


def reliability(result: Mapping[str, Any], ax: Any = None) -> Any:
    """How often answers of a confidence are right, beside the confidence."""
    if "calibration" not in result:
        raise Error("plot: only how sure classes are can be drawn; print() shows the figures")
    ax = _axes(ax)
    bins = [one for one in result["calibration"]["bins"] if one["nodes"]]
    confidence, accuracy = _column(bins, "confidence"), _column(bins, "accuracy")
    ax.plot([0, 1], [0, 1], color="grey", linestyle=":", label="as sure as right")
    size = 400 * np.sqrt([one["nodes"] / result["judged"] for one in bins])
    ax.scatter(confidence, accuracy, size, color=COLOURS[0], alpha=0.7, label="nodes of this confidence")
    ax.set(xlabel="confidence", ylabel="accuracy", title="Reliability", xlim=(0, 1.02), ylim=(-0.02, 1.02))
    ax.legend()
    return ax


def explanation(result: Mapping[str, Any], ax: Any = None) -> Any:
    """What speaks for a node's class or value, and what against it."""
    parts = []
    for one in result["labels"]:
        said = one["class"] if "class" in one else f"{one['value']:.4g}"
        parts.append((f"label {said} of {one['node']}", one.get("lead", one.get("adds"))))
    parts += [(f"front of {one['node']}", one["lead"]) for one in result.get("fronts", ())]
    parts += [(one["attribute"], one.get("lead", one.get("adds"))) for one in result.get("attributes", ())]
    parts = sorted(parts, key=lambda part: -abs(part[1]))[:_MOST_BARS][::-1]
    ax = _axes(ax)
    ax.barh(
        [name for name, _ in parts], [by for _, by in parts], color=[_FOR if by > 0 else _AGAINST for _, by in parts]
    )
    said = result["class"] if "class" in result else f"{result['column']} {result['value']:.4g}"
    ax.axvline(0, color="grey", linewidth=0.8)
    ax.set(xlabel="adds" if "value" in result else "lead", title=f"Why {result['node']} is {said}")
    return ax


def draw(graph: Any, answer: Any, positions: Any = None, ax: Any = None) -> Any:
    """The graph, nodes coloured by their class and paler where that is less sure; known labels have a ring."""
    made = Graph(graph) if not isinstance(graph, Graph) else graph
    places = made.layout() if positions is None else np.asarray(positions, float)
    if places.shape != (made.nodes, 2):
        raise Error(f"positions: two numbers per node are expected, their shape is {places.shape}")
    ax = _axes(ax)
    _, targets, offsets = made.csr()
    sources = np.repeat(np.arange(made.nodes), np.diff(offsets))
    once = np.flatnonzero(sources < targets)
    once = once[:: max(1, len(once) // _MOST_EDGES)]
    lines = np.stack([places[sources[once]], places[targets[once]]], axis=1)
    ax.add_collection(LineCollection(list(lines), colors="#cccccc", linewidths=0.5, zorder=1))
    numbers = answer._inner.classes
    colours = _colours(len(answer.classes))
    strength = 0.2 + 0.8 * np.asarray(answer.confidence)[:, None]
    size = float(np.clip(4e4 / max(made.nodes, 1), 2, 80))
    known = answer.status == "known"
    ax.scatter(
        places[:, 0],
        places[:, 1],
        size,
        color=colours[numbers] * strength + (1 - strength),
        edgecolors=np.where(known, "black", "none"),
        linewidths=0.8,
        zorder=2,
    )
    for colour, name in zip(colours, answer.classes):
        ax.scatter([], [], 40, color=colour, label=str(name))
    ax.legend(title="class; paler is less sure", loc="center left", bbox_to_anchor=(1, 0.5), frameon=False)
    ax.set_aspect("equal")
    ax.set_axis_off()
    return ax


def _colours(classes: int) -> NDArray[Any]:
    """A colour per class; where there are more than colours, darker ones follow."""
    bright = np.array([to_rgb(colour) for colour in (COLOURS if classes <= len(COLOURS) else COLOURS[:-1])])
    return np.array([bright[i % len(bright)] * 0.6 ** (i // len(bright)) for i in range(classes)])


_KINDS: dict[str, Callable[[Mapping[str, Any], Any], Any]] = {
    "Sweep": sweep,
    "Fit": training,
    "Evaluation": reliability,
    "Explanation": explanation,
}


def result(kind: str, values: Mapping[str, Any], ax: Any = None) -> Any:
    """A result by its kind."""
    if kind not in _KINDS:
        raise Error(f"plot: there is no picture of a {kind}; choose from: {', '.join(_KINDS)}")
    return _KINDS[kind](values, ax)


def _line(ax: Any, x: list[float], y: list[float], **style: Any) -> None:
    """A line, where there is anything to draw: data without validation nodes has no such accuracy."""
    if not np.isnan(y).all():
        ax.plot(x, y, **style)


def _column(rows: list[dict[str, Any]], name: str) -> list[float]:
    return [np.nan if row[name] is None else row[name] for row in rows]
