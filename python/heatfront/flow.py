"""Heat that flows from known labels, nothing trained; and what is said of every node."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _core
from .arrays import reals
from .data import made
from .target_answer import TargetAnswer

if TYPE_CHECKING:
    from numpy.typing import NDArray

STATUS = ("known", "decided", "undecided", "unreached")


class Answer:
    """What is said of every node: its class, how sure that is, and whether the computation settled it."""

    def __init__(self, inner: _core.Answer, classes: NDArray[Any], node_names: list[str]) -> None:
        self._inner = inner
        self.classes = classes
        self._node_names = node_names

    def predict(self) -> NDArray[Any]:
        """The class of each node, by the user's name for it."""
        result: NDArray[Any] = self.classes[self._inner.classes]
        return result

    def predict_proba(self) -> NDArray[Any]:
        """(nodes, classes): the share of each class; a node whose label is known has 1 at it."""
        return self._inner.shares()

    @property
    def confidence(self) -> NDArray[Any]:
        return self._inner.confidence

    @property
    def status(self) -> NDArray[Any]:
        """known, decided, undecided or unreached (no label is connected to the node), per node."""
        result: NDArray[Any] = np.array(STATUS)[self._inner.status]
        return result

    @property
    def temperatures(self) -> NDArray[Any]:
        return self._inner.temperatures

    def certificate(self) -> dict[str, Any]:
        """How the answer was computed, and how far off it can be."""
        result: dict[str, Any] = json.loads(self._inner.certificate())
        return result

    def to_frame(self) -> Any:
        """The answer as a data frame of pandas, which must be installed."""
        import pandas as pd

        return pd.DataFrame(
            {
                "node": self._node_names or np.arange(len(self._inner.classes)),
                "class": self.predict(),
                "confidence": self.confidence,
                "status": self.status,
            }
        )

    def plot(self, graph: Any, positions: Any = None, *, ax: Any = None) -> Any:
        """Draws the graph with nodes coloured by their class, paler where that is less sure."""
        from .plot import draw

        return draw(graph, self, positions, ax)

    def __repr__(self) -> str:
        counts = np.bincount(self._inner.status, minlength=4)
        return f"Answer({', '.join(f'{n} {name}' for n, name in zip(counts.tolist(), STATUS))})"


def flow(
    graph: Any,
    y: Any = None,
    *,
    time: float | None = None,
    times: Sequence[float] | None = None,
    front: Any = None,
    speed: float = 1,
    laplacian: str = "",
    self_loop: float = 1,
    solver: str = "",
    tolerance: float = 1e-6,
    label_scale: float = 1,
    class_prior: Sequence[float] | None = None,
    kind: str | None = None,
    threads: int = 0,
) -> Any:
    """Lets heat flow from the known labels for a time (float("inf"): to rest), or for many times in one pass.

    Without a time it is chosen, and whether each class gets its share of the heat, by how many labels are known and by
    some of them left out, as `heatfront solve` does.

    Returns an `Answer`, or a list of them with `times`, which are sorted; of values and many labels (`kind`) a
    `TargetAnswer`. Where the data has a split, the labels of its training part are known; else all.

    >>> answer = flow([(0, 1), (1, 2), (2, 3)], ["a", None, None, "b"], time=1)
    >>> answer.predict().tolist()
    ['a', 'a', 'b', 'b']
    """
    data, classes = made(graph, None, y, kind=kind)
    wanted = [5.0 if time is None else float(time)] if times is None else sorted(float(t) for t in times)
    if not wanted:
        raise _core.Error("times: there are none")
    cores = threads or _core.available_cores()
    if data.kind != "classes":
        if front is not None or class_prior is not None or label_scale != 1:
            raise _core.Error("front, class_prior and label_scale are for labels that are classes; these are not")
        walk = laplacian or "random-walk"
        found = [
            TargetAnswer(*_core.flow_targets(data, t, speed, walk, self_loop, solver, tolerance, cores), data)
            for t in wanted
        ]
        return found[0] if times is None else found
    prior = None if class_prior is None else [float(share) for share in class_prior]
    answers = _core.flow(
        data,
        wanted,
        time is None and times is None,
        speed,
        laplacian or "symmetric",
        self_loop,
        solver,
        tolerance,
        label_scale,
        None if front is None else reals(front, "front"),
        prior,
        cores,
    )
    names = np.array(data.class_names) if classes is None else classes
    told = [Answer(answer, names, data.node_names) for answer in answers]
    return told[0] if times is None else told
