"""Many answers at once: accuracy over the time that heat flows, models side by side, settings searched for."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import numpy as np

from . import _core
from .arrays import settings_of
from .data import made
from .progress import Progress, shown
from .results import Result


def sweep(
    graph: Any,
    X: Any = None,
    y: Any = None,
    *,
    times: Sequence[float] | None = None,
    split: str = "",
    seed: int = 0,
    progress: bool | Progress = False,
    threads: int = 0,
) -> Result:
    """Accuracy of the flow alone over the time that heat flows, and the best time by validation nodes; `plot` draws it.

    >>> import heatfront as hf
    >>> curve = hf.sweep(hf.open("karate"), split="per-class 2,3", times=[1, 2, 5, 10])
    >>> len(curve.points)
    4
    """
    inner, _ = made(graph, X, y, kind="classes")
    wanted = np.geomspace(0.1, 100, 40).tolist() if times is None else sorted(float(t) for t in times)
    with shown(progress) as tell:
        told = _core.sweep(inner, wanted, split, seed, tell, threads or _core.available_cores())
    return Result("Sweep", told, "points")


def compare(
    graph: Any,
    X: Any = None,
    y: Any = None,
    *,
    models: Sequence[str] = ("heat-front", "gcn", "label-propagation"),
    split: str = "",
    runs: int = 10,
    seed: int = 0,
    choose: str = "folds",
    record: str | os.PathLike[str] = "",
    progress: bool | Progress = False,
    threads: int = 0,
) -> Result:
    """Several models on the same splits: how good each is, and which differences are more than chance.

    `models`: names, each with the settings that it has in any case, such as "cgnn mixing=true", or "auto". `choose`:
    its other settings by "folds" of the training labels, or by its "presets". `record`: a file that keeps every run,
    from which an interrupted comparison goes on.

    >>> import heatfront as hf
    >>> result = hf.compare(hf.open("karate"), models=["flow-alone", "linear-front"], runs=2, split="per-class 4,4")
    >>> sorted(model["model"] for model in result.models)
    ['flow-alone', 'linear-front']
    """
    if choose not in ("folds", "presets"):
        raise _core.Error(f"choose: it must be folds or presets, it is '{choose}'")
    inner, _ = made(graph, X, y, kind="classes")
    with shown(progress) as tell:
        told = _core.compare(
            inner,
            list(models),
            split,
            runs,
            seed,
            choose == "presets",
            os.fspath(record),
            tell,
            threads or _core.available_cores(),
        )
    return Result("Comparison", told, "models")


class Found(Result):
    """What a search found: `settings` for `fit(model=…, **found.settings)`, and `preset` as the command line has it."""

    @property
    def settings(self) -> dict[str, str]:
        best: dict[str, str] = self["ranking"][0]["settings"]
        return best


def search(
    graph: Any,
    X: Any = None,
    y: Any = None,
    *,
    model: str = "heat-front",
    split: str = "",
    trials: int = 60,
    seeds: Sequence[int] = (0, 1, 2, 3, 4),
    seed: int = 0,
    space: str | os.PathLike[str] = "",
    seconds: float = float("inf"),
    record: str | os.PathLike[str] = "",
    progress: bool | Progress = False,
    threads: int = 0,
    **fixed: Any,
) -> Found:
    """Searches for the settings of a model that do best on validation nodes; `fixed` are those of every trial.

    >>> import heatfront as hf
    >>> found = hf.search(hf.open("karate"), split="per-class 4,4", trials=3, seeds=[0], epochs=5)
    >>> model = hf.fit(hf.open("karate"), model="heat-front", split="per-class 4,4", **found.settings)
    """
    inner, _ = made(graph, X, y, kind="classes")
    with shown(progress) as tell:
        told = _core.search(
            inner,
            model,
            split,
            trials,
            list(seeds),
            seed,
            os.fspath(space),
            settings_of(fixed),
            float(seconds),
            os.fspath(record),
            tell,
            threads or _core.available_cores(),
        )
    return Found("Search", told, "ranking")
