"""What all trained models have in common."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _core
from .data import Data
from .progress import Progress, shown
from .results import Result

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Trained:
    """A trained model. Labels that it is given count at once; every change can be undone."""

    _inner: Any

    @property
    def name(self) -> str:
        """What it is: linear-front, heat-front, …"""
        name: str = self._inner.name
        return name

    @property
    def data(self) -> Data:
        return Data(self._inner.data)

    @property
    def report(self) -> Result:
        """What training came to, and what was tried; empty where the model was read from a file."""
        return self._result("Fit", self._inner.report, "candidates")

    def undo(self) -> Result:
        """Takes the last `label` back."""
        return self._labelled(self._inner.undo())

    def train(self, *, progress: bool | Progress = False) -> Any:
        """Trains again, with the same settings, on all labels that it holds; returns itself."""
        with shown(progress) as tell:
            self._inner.train_again(tell)
        return self

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the file that the command line reads."""
        self._inner.save(os.fspath(path))

    def _labelled(self, told: tuple[str, str]) -> Result:
        raise NotImplementedError

    def _result(self, kind: str, told: str | tuple[str, str] | dict[str, Any], rows: str = "") -> Result:
        return Result(kind, told, rows, numbered=not self._inner.names_nodes)

    def _node(self, node: Any) -> int:
        if isinstance(node, (int, np.integer)):
            nodes = self._inner.data.graph.nodes
            if not 0 <= int(node) < nodes:
                raise _core.Error(f"node {node}: there are nodes 0 to {nodes - 1}")
            return int(node)
        found: int = self._inner.find_node(str(node))
        return found

    def _nodes(self, nodes: list[Any]) -> NDArray[np.int32]:
        return np.array([self._node(node) for node in nodes], np.int32)

    def __copy__(self) -> Any:
        function, arguments = self.__reduce__()
        return function(*arguments)

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        return self.__copy__()

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        raise NotImplementedError

    def __str__(self) -> str:
        return str(Result("Model", self._inner.info()))

    def _repr_html_(self) -> str:
        return Result(f"Model {self.name}", self._inner.info())._repr_html_()


def now() -> int:
    """The time of a change, for the log; SOURCE_DATE_EPOCH sets it, so that files can come out the same again."""
    return int(os.environ.get("SOURCE_DATE_EPOCH") or time.time())
