"""The estimators behave as scikit-learn's do."""

import numpy as np
import pytest

pytest.importorskip("sklearn")

from sklearn.base import clone
from sklearn.datasets import load_iris, make_moons
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

import heatfront as hf
from heatfront.sklearn import HeatFrontClassifier


@parametrize_with_checks([HeatFrontClassifier(n_jobs=1)])
def test_it_is_an_estimator(estimator, check):
    check(estimator)


def test_it_works_in_pipelines_searches_and_cross_validation():
    X, y = load_iris(return_X_y=True)
    assert cross_val_score(make_pipeline(StandardScaler(), HeatFrontClassifier(n_jobs=1)), X, y, cv=3).mean() > 0.9
    search = GridSearchCV(HeatFrontClassifier(n_jobs=1), {"n_neighbors": [5, 10]}, cv=3).fit(X, y)
    assert search.best_score_ > 0.9


@pytest.mark.parametrize("preference", ["threads", "processes"])
def test_joblib_may_run_it_in_threads_and_processes(preference):
    joblib = pytest.importorskip("joblib")
    X, y = load_iris(return_X_y=True)
    with joblib.parallel_config(backend="loky" if preference == "processes" else "threading"):
        scores = cross_val_score(HeatFrontClassifier(n_jobs=1), X, y, cv=2, n_jobs=2)
    assert scores.mean() > 0.9


def test_a_graph_may_be_given_and_is_not_copied_by_clone():
    X, y = make_moons(100, noise=0.05, random_state=0)
    graph = hf.knn_graph(X, k=5)
    estimator = HeatFrontClassifier(graph)
    assert clone(estimator).graph is graph
    some = np.where(np.arange(100) < 20, y, -1)
    assert (estimator.fit(X, some).transduction_ == y).mean() > 0.9
