"""Estimators as scikit-learn has them, which must be installed.

A graph is given beforehand, or made from X by nearest neighbours. Rows whose label is -1 are learned about, not from,
unless all others are of one class: -1 is the second class then.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.neighbors import NearestNeighbors
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from .graph import Graph, knn_graph
from .model import fit


class HeatFrontClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Classes of points or nodes from a few labels.

    `graph`: whatever `Graph` takes, a node per row of X; None: the k nearest neighbours. `predict` of rows that were
    not there when it was fitted goes one step, from the nearest rows that were.

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
        threads = max(0, self.n_jobs or 0)
        self.n_neighbors_ = max(1, min(self.n_neighbors, len(X) - 1))
        if self.graph is not None:
            graph = Graph(self.graph)
        elif len(X) > 1:
            graph = knn_graph(X, self.n_neighbors_, threads=threads)
        else:
            graph = Graph((np.zeros((0, 2), np.int64), 1))
        if len(self.classes_) == 1 or (graph.edges == 0 and len(X) == 1):
            shares = np.zeros((len(X), len(self.classes_)))
            shares[:, 0] = 1
        else:
            self.model_ = fit(
                graph,
                X,
                labels,
                model=self.model,
                quick=self.quick,
                seed=int(self.random_state or 0),
                threads=threads,
                **(self.settings or {}),
            )
            shares = np.asarray(self.model_.predict_proba(), np.float64)
        self.label_distributions_ = shares / shares.sum(1, keepdims=True)
        self.transduction_: NDArray[Any] = self.classes_[shares.argmax(1)]
        self._nearest = NearestNeighbors(n_neighbors=self.n_neighbors_).fit(X)
        return self

    def predict_proba(self, X: Any) -> NDArray[Any]:
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        distances, places = self._nearest.kneighbors(X)
        width = np.maximum(distances[:, -1:], np.finfo(float).tiny)
        weights = np.exp(-((distances / width) ** 2) * 4)
        shares = (weights[:, :, None] * self.label_distributions_[places]).sum(1)
        result: NDArray[Any] = shares / shares.sum(1, keepdims=True)
        return result

    def predict(self, X: Any) -> NDArray[Any]:
        shares = self.predict_proba(X)
        result: NDArray[Any] = self.classes_[shares.argmax(1)]
        return result


def _known(y: NDArray[Any]) -> NDArray[np.bool_]:
    """-1 is unknown, unless all others are of one class: then it is the second."""
    known: NDArray[np.bool_] = y != -1 if y.dtype.kind in "if" else np.ones(len(y), bool)
    return known if len(np.unique(y[known])) > 1 else np.ones(len(y), bool)
