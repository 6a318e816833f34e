"""Estimators as scikit-learn has them, which must be installed.

A graph is given beforehand, or made from X by nearest neighbours. Rows whose label is not known are learned about, not
from.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.neighbors import NearestNeighbors
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from .graph import Graph, knn_graph
from .model import fit


class _HeatFrontEstimator(BaseEstimator):  # type: ignore[misc]
    """What both estimators do: the graph of the rows, and the way from there to rows that were not there."""

    graph: Any
    n_neighbors: int
    n_jobs: int | None

    def _threads(self) -> int:
        return max(0, self.n_jobs or 0)

    def _join(self, X: NDArray[Any]) -> Graph:
        self.n_neighbors_ = max(1, min(self.n_neighbors, len(X) - 1))
        self._nearest = NearestNeighbors(n_neighbors=self.n_neighbors_).fit(X)
        if self.graph is not None:
            return Graph(self.graph)
        if len(X) == 1:
            return Graph((np.zeros((0, 2), np.int64), 1))
        return knn_graph(X, self.n_neighbors_, threads=self._threads())

    def _one_step(self, X: Any, said: NDArray[Any]) -> NDArray[Any]:
        """The mean of what is said of the nearest rows that were fitted, the nearer the more."""
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        distances, places = self._nearest.kneighbors(X)
        width = np.maximum(distances[:, -1:], np.finfo(float).tiny)
        weights = np.exp(-((distances / width) ** 2) * 4)
        result: NDArray[Any] = (weights[:, :, None] * said[places]).sum(1) / weights.sum(1, keepdims=True)
        return result


class HeatFrontClassifier(ClassifierMixin, _HeatFrontEstimator):  # type: ignore[misc]
    """Classes of points or nodes from a few labels; -1 is not known, unless all others are of one class: it is the
    second class then.

    `graph`: whatever `Graph` takes, a node per row of X; None: the k nearest neighbours. `transduction_` has the
    classes of the rows that it was fitted to; `predict` of other rows goes one step, from the nearest that were there.

    >>> from sklearn.datasets import make_moons
    >>> X, y = make_moons(200, noise=0.05, random_state=0)
    >>> some = np.where(np.arange(200) < 20, y, -1)
    >>> bool((HeatFrontClassifier().fit(X, some).transduction_ == y).mean() > 0.95)
    True
    """

    def __init__(
        self,
        graph: Any = None,
        *,
        n_neighbors: int = 10,
        model: str = "auto",
        quick: bool = True,
        settings: dict[str, Any] | None = None,
        random_state: int | None = None,
        n_jobs: int | None = None,
    ) -> None:
        self.graph = graph
        self.n_neighbors = n_neighbors
        self.model = model
        self.quick = quick
        self.settings = settings
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any) -> HeatFrontClassifier:
        X, y = validate_data(self, X, y, dtype=np.float64)
        check_classification_targets(y)
        known = _known(y)
        self.classes_, codes = np.unique(y[known], return_inverse=True)
        if len(self.classes_) == 0:
            raise ValueError("y: there is no label that is known")
        labels = np.full(len(y), -1, np.int32)
        labels[known] = codes
        graph = self._join(X)
        if len(self.classes_) == 1 or (graph.edges == 0 and len(X) == 1):
            shares = np.zeros((len(X), len(self.classes_)))
            shares[:, 0] = 1
        else:
            self.model_ = fit(
                graph,
                X,
                labels,
                kind="classes",
                model=self.model,
                quick=self.quick,
                seed=int(self.random_state or 0),
                threads=self._threads(),
                **(self.settings or {}),
            )
            shares = np.asarray(self.model_.predict_proba(), np.float64)
        self.label_distributions_ = shares / shares.sum(1, keepdims=True)
        self.transduction_: NDArray[Any] = self.classes_[shares.argmax(1)]
        return self

    def predict_proba(self, X: Any) -> NDArray[Any]:
        check_is_fitted(self)
        shares = self._one_step(X, self.label_distributions_)
        result: NDArray[Any] = shares / shares.sum(1, keepdims=True)
        return result

    def predict(self, X: Any) -> NDArray[Any]:
        shares = self.predict_proba(X)
        result: NDArray[Any] = self.classes_[shares.argmax(1)]
        return result


class HeatFrontRegressor(RegressorMixin, _HeatFrontEstimator):  # type: ignore[misc]
    """Values of points or nodes from a few of them, one or several per row; NaN is not known.

    `graph`, `transduction_` and `predict` are as those of `HeatFrontClassifier`.

    >>> X = np.linspace(0, 6, 60).reshape(-1, 1)
    >>> some = np.where(np.arange(60) % 4 == 0, np.sin(X[:, 0]), np.nan)
    >>> said = HeatFrontRegressor(n_neighbors=4).fit(X, some).transduction_
    >>> bool(np.abs(said - np.sin(X[:, 0])).mean() < 0.1)
    True
    """

    def __init__(
        self,
        graph: Any = None,
        *,
        n_neighbors: int = 10,
        model: str = "auto",
        settings: dict[str, Any] | None = None,
        n_jobs: int | None = None,
    ) -> None:
        self.graph = graph
        self.n_neighbors = n_neighbors
        self.model = model
        self.settings = settings
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any) -> HeatFrontRegressor:
        X, y = _with_gaps(self, X, y)
        rows = y.reshape(len(y), -1)
        known = ~np.isnan(rows).any(1)
        if not known.any():
            raise ValueError("y: there is no value that is known")
        graph = self._join(X)
        centre = rows[known].mean(0)
        if graph.edges == 0 or known.sum() < 3 or (rows[known] == centre).all():
            said = np.where(known[:, None], rows, centre)
        else:
            self.model_ = fit(
                graph,
                X,
                np.where(known[:, None], rows, np.nan),
                kind="values",
                model=self.model,
                threads=self._threads(),
                **(self.settings or {}),
            )
            said = self.model_.predict().reshape(len(y), -1)
        self._said = np.array(said, np.float64)
        self.transduction_: NDArray[Any] = self._said.reshape(y.shape)
        return self

    def predict(self, X: Any) -> NDArray[Any]:
        check_is_fitted(self)
        values = self._one_step(X, self._said)
        return values[:, 0] if self.transduction_.ndim == 1 else values

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        return tags


def _with_gaps(estimator: Any, X: Any, y: Any) -> tuple[NDArray[Any], NDArray[Any]]:
    """X and y as scikit-learn checks them, but that y may have NaN."""
    gaps = np.isnan(y) if isinstance(y, np.ndarray) and y.dtype.kind == "f" else None
    if gaps is None or gaps.all() or not gaps.any():
        X, y = validate_data(estimator, X, y, dtype=np.float64, multi_output=True, y_numeric=True)
        return X, np.asarray(y, np.float64)
    X, filled = validate_data(estimator, X, np.where(gaps, 0.0, y), dtype=np.float64, multi_output=True, y_numeric=True)
    return X, np.where(gaps, np.nan, filled)


def _known(y: NDArray[Any]) -> NDArray[np.bool_]:
    """-1 is unknown, unless all others are of one class: then it is the second."""
    known: NDArray[np.bool_] = y != -1 if y.dtype.kind in "if" else np.ones(len(y), bool)
    return known if len(np.unique(y[known])) > 1 else np.ones(len(y), bool)
