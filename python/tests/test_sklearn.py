"""The estimators behave as scikit-learn's do."""

import numpy as np
import pytest

pytest.importorskip("sklearn")

from sklearn.base import clone
from sklearn.datasets import load_iris, make_moons
from sklearn.model_selection import GridSearchCV, KFold, StratifiedKFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

import heatfront as hf
from heatfront.sklearn import HeatFrontClassifier, HeatFrontRegressor


@parametrize_with_checks([HeatFrontClassifier(n_jobs=1), HeatFrontRegressor(n_jobs=1)])
def test_each_is_an_estimator(estimator, check):
    check(estimator)


def test_it_works_in_pipelines_searches_and_cross_validation():
    X, y = load_iris(return_X_y=True)
    assert cross_val_score(make_pipeline(StandardScaler(), HeatFrontClassifier(n_jobs=1)), X, y, cv=3).mean() > 0.9
    search = GridSearchCV(HeatFrontClassifier(n_jobs=1), {"n_neighbors": [5, 10]}, cv=3).fit(X, y)
    assert search.best_score_ > 0.9
    X, y = load_iris().data[:, :3], load_iris().data[:, 3]
    assert cross_val_score(make_pipeline(StandardScaler(), HeatFrontRegressor(n_jobs=1)), X, y, cv=3).shape == (3,)
    search = GridSearchCV(HeatFrontRegressor(n_jobs=1), {"n_neighbors": [5, 10]}, cv=KFold(3, shuffle=True))
    assert search.fit(X, y).best_score_ > 0.8


@pytest.mark.parametrize("preference", ["threads", "processes"])
def test_joblib_may_run_it_in_threads_and_processes(preference):
    joblib = pytest.importorskip("joblib")
    X, y = load_iris(return_X_y=True)
    with joblib.parallel_config(backend="multiprocessing" if preference == "processes" else "threading"):
        for estimator in (HeatFrontClassifier(n_jobs=1), HeatFrontRegressor(n_jobs=1)):
            assert cross_val_score(estimator, X, y, cv=StratifiedKFold(2), n_jobs=2).mean() > 0.8


def test_a_graph_may_be_given_and_is_not_copied_by_clone():
    X, y = make_moons(100, noise=0.05, random_state=0)
    graph = hf.knn_graph(X, k=5)
    estimator = HeatFrontClassifier(graph)
    assert clone(estimator).graph is graph
    some = np.where(np.arange(100) < 20, y, -1)
    assert (estimator.fit(X, some).transduction_ == y).mean() > 0.9


def test_values_that_are_not_known_are_learned_about():
    X = np.linspace(0, 6, 80).reshape(-1, 1)
    curve = np.c_[np.sin(X[:, 0]), np.cos(X[:, 0])]
    some = np.where(np.arange(80)[:, None] % 4 == 0, curve, np.nan)
    said = HeatFrontRegressor(n_neighbors=4).fit(X, some)
    assert np.abs(said.transduction_ - curve).mean() < 0.1
    assert np.abs(said.predict(X + 0.01) - curve).mean() < 0.1
    assert clone(said).fit(X, some[:, 0]).predict(X).shape == (80,)
