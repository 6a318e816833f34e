"""What is said of every node where labels are values, or several classes per node."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _core

if TYPE_CHECKING:
    from numpy.typing import NDArray

STATUS = ("known", "estimated", "unreached")


class TargetAnswer:
    """What is said of every node: its values, or which classes it has and how likely each is."""

    def __init__(self, inner: _core.TargetAnswer, thresholds: list[float], data: _core.Data) -> None:
        self._inner = inner
        self._thresholds = np.array(thresholds)
        self._node_names = data.node_names
        self.kind = data.kind
        self.columns = data.target_names

    def predict(self) -> NDArray[Any]:
        """Values, by node (and by column, where there are several); or True for every class that a node has."""
        values = self._inner.values
        if self.kind == "many-labels":
            result: NDArray[Any] = np.where(self.status[:, None] == "known", values > 0.5, values >= self._thresholds)
            return result
        return values[:, 0] if values.shape[1] == 1 else values

    def predict_proba(self) -> NDArray[Any]:
        """Of many labels, (nodes, classes): the score of each class from 0 to 1."""
        if self.kind != "many-labels":
            raise _core.Error("predict_proba: values have no classes; predict() has them")
        return self._inner.values

    @property
    def status(self) -> NDArray[Any]:
        """known, estimated or unreached (no label is connected to the node: the mean is said), per node."""
        result: NDArray[Any] = np.array(STATUS)[self._inner.status]
        return result

    def certificate(self) -> dict[str, Any]:
        """How the answer was computed, and how far off it can be."""
        result: dict[str, Any] = json.loads(self._inner.certificate())
        return result

    def to_frame(self) -> Any:
        """The answer as a data frame of pandas, which must be installed: a column per value or class."""
        import pandas as pd

        nodes = self._node_names or np.arange(len(self._inner.status))
        columns = dict(zip(self.columns, self._inner.values.T))
        return pd.DataFrame({"node": nodes, **columns, "status": self.status})

    def __repr__(self) -> str:
        counts = np.bincount(self._inner.status, minlength=len(STATUS)).tolist()
        return f"TargetAnswer({', '.join(f'{n} {name}' for n, name in zip(counts, STATUS))})"
