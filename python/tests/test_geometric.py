"""Data of PyTorch Geometric and OGB: objects of their shape, and the real ones where they are installed."""

import os
import subprocess
import sys
import types
from pathlib import Path

import numpy as np
import pytest

import heatfront as hf
from heatfront.geometric import HeatFront


def blocks():
    random = np.random.default_rng(3)
    truth = np.arange(90) % 3
    edges = [(u, v) for u in range(90) for v in range(u) if random.random() < (0.2 if truth[u] == truth[v] else 0.01)]
    X = np.eye(3, dtype=np.float32)[truth] + random.normal(0, 0.7, (90, 3)).astype(np.float32)
    part = random.permutation(90)
    masks = {
        name: np.isin(np.arange(90), part[a:b]) for name, a, b in (("train", 0, 15), ("val", 15, 40), ("test", 40, 90))
    }
    return np.array(edges).T, X, truth, masks


def data_of(convert=lambda array: array):
    edges, X, truth, masks = blocks()
    return types.SimpleNamespace(
        edge_index=convert(edges),
        x=convert(X),
        y=convert(truth),
        num_nodes=90,
        **{f"{name}_mask": convert(mask) for name, mask in masks.items()},
    )


def test_data_with_masks_is_fitted_to_its_training_nodes():
    model = hf.fit(data_of(), quick=True)
    assert len(model.known) == 15
    assert model.evaluate().judged == 50
    assert model.evaluate().accuracy > 0.8


def test_the_transform_looks_at_training_labels_alone():
    data = data_of()
    told = HeatFront(quick=True)(data)
    assert told.heat.shape == (90, 3) and not hasattr(data, "heat")
    assert (told.heat_class == data.y)[data.test_mask].mean() > 0.8
    data.y = np.where(data.train_mask, data.y, 2)
    assert (HeatFront(quick=True)(data).heat == told.heat).all()


def test_a_data_set_of_ogb_is_taken_with_its_split():
    edges, X, truth, masks = blocks()

    class DataSet:
        def __getitem__(self, i):
            return {"edge_index": edges, "num_nodes": 90, "node_feat": X}, truth.reshape(-1, 1)

        def get_idx_split(self):
            return {
                "train": np.flatnonzero(masks["train"]),
                "valid": np.flatnonzero(masks["val"]),
                "test": np.flatnonzero(masks["test"]),
            }

    model = hf.fit(DataSet(), quick=True)
    assert (model.predict_proba() == hf.fit(data_of(), quick=True).predict_proba()).all()


def test_tensors_go_in_and_come_out():
    torch = pytest.importorskip("torch", reason="PyTorch is not installed")
    told = HeatFront(quick=True)(data_of(torch.from_numpy))
    assert isinstance(told.heat, torch.Tensor)
    assert (told.heat.numpy() == HeatFront(quick=True)(data_of()).heat).all()


def test_a_real_data_object_with_its_transforms():
    pytest.importorskip("torch", reason="PyTorch is not installed")
    geometric = pytest.importorskip("torch_geometric", reason="PyTorch Geometric is not installed")
    import torch

    data = geometric.data.Data(**vars(data_of(torch.from_numpy)))
    told = geometric.transforms.Compose([HeatFront(quick=True)])(data)
    assert told.heat.shape == (90, 3)
    assert hf.fit(data, quick=True).evaluate().accuracy > 0.8


STAND_INS = {  # modules of the names and shapes that PyTorch Geometric and OGB document
    "torch_geometric/datasets.py": """
import types
import numpy as np


class Planetoid:
    def __init__(self, root, name):
        assert (root, name) == ("somewhere", "Cora")
        arrays = np.load(PATH)
        self.data = types.SimpleNamespace(num_nodes=90, **arrays)

    def __getitem__(self, i):
        return self.data
""",
    "ogb/nodeproppred.py": """
import numpy as np


class NodePropPredDataset:
    def __init__(self, name):
        assert name == "ogbn-small"
        self.arrays = np.load(PATH)

    def __getitem__(self, i):
        graph = {"edge_index": self.arrays["edge_index"], "num_nodes": 90, "node_feat": self.arrays["x"]}
        return graph, self.arrays["y"].reshape(-1, 1)

    def get_idx_split(self):
        parts = {"train": "train_mask", "valid": "val_mask", "test": "test_mask"}
        return {name: np.flatnonzero(self.arrays[mask]) for name, mask in parts.items()}
""",
}


@pytest.mark.parametrize(("example", "argument"), [("planetoid.py", "somewhere"), ("ogb_dataset.py", "ogbn-small")])
def test_the_examples_run_on_data_of_the_shape_that_the_data_sets_have(example, argument, tmp_path):
    path = str(tmp_path / "arrays.npz")
    np.savez(path, **{name: value for name, value in vars(data_of()).items() if name != "num_nodes"})
    for name, text in STAND_INS.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text.replace("PATH", repr(path)))
    program = Path(__file__).resolve().parents[2] / "examples" / "python" / example
    beside = os.pathsep.join([str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])])
    outcome = subprocess.run(
        [sys.executable, program, argument],
        capture_output=True,
        text=True,
        timeout=1800,
        env={**os.environ, "PYTHONPATH": beside},
    )
    assert outcome.returncode == 0, outcome.stderr
    accuracy = float(outcome.stdout.splitlines()[-1].removeprefix("test accuracy ").removesuffix(" %"))
    assert 80 < accuracy <= 100
