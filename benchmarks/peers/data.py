# SPDX-License-Identifier: MIT
"""The data sets as heatfront reads them, by way of `heatfront convert` and `heatfront split`."""

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

import heatfront

FOLDER = heatfront.WORK / "data"
PAPER = ["cora", "citeseer", "pubmed", "photo", "county_fb", "lastfm_asia"]  # the paper's six
IMAGES = "mnist_graph"  # the 70,000 images of MNIST, each joined to its 10 nearest
SPLITS = {"cora": "file", "citeseer": "file", "pubmed": "file", IMAGES: "per-class 20,500"}


@dataclass
class Data:
    name: str
    path: str  # for the program: an npz
    split_path: str
    adjacency: sp.csr_matrix  # symmetric, without loops, double
    features: object  # csr_matrix, array (single) or None
    labels: np.ndarray
    train: np.ndarray
    validation: np.ndarray
    test: np.ndarray

    @property
    def nodes(self):
        return self.adjacency.shape[0]

    @property
    def classes(self):
        return int(self.labels.max()) + 1

    def known(self):
        """The clamped start: one-hot rows at the training nodes, zeros elsewhere."""
        start = np.zeros((self.nodes, self.classes))
        start[self.train, self.labels[self.train]] = 1
        return start

    def accuracy(self, scores):
        """Share of the test nodes whose highest score is that of their class."""
        return float((scores[self.test].argmax(1) == self.labels[self.test]).mean())


def split_flags(name, seed=0):
    """`--split` and `--seed` of a data set: the paper's."""
    return ["--split", SPLITS.get(name, "percent 40,40"), "--seed", seed]


def source(name):
    """What the program takes for this name; the graph of the images is made once."""
    if name != IMAGES:
        return name
    FOLDER.mkdir(parents=True, exist_ok=True)
    path = FOLDER / f"{name}.npz"
    if not path.exists():
        heatfront.run(
            "graph", "mnist", "-k", 10, "--kernel", "rbf", "--sigma", "auto", "--without-features", "-o", path
        )
    return str(path)


def csr(arrays, prefix, dtype):
    shape, indices, offsets = (arrays[f"{prefix}_{part}"] for part in ("shape", "indices", "indptr"))
    values = arrays[f"{prefix}_data"] if f"{prefix}_data" in arrays else np.ones(len(indices))
    return sp.csr_matrix((values.astype(dtype), indices, offsets), shape=tuple(shape))


def load(name, seed=0):
    FOLDER.mkdir(parents=True, exist_ok=True)
    path, split_path = FOLDER / f"{name}.npz", FOLDER / f"{name}.{seed}.split.npz"
    if not path.exists():
        heatfront.run("convert", source(name), path) if name != IMAGES else source(name)
    if not split_path.exists():
        heatfront.run("split", path, *split_flags(name, seed), "-o", split_path)
    with np.load(path) as arrays, np.load(split_path) as split:
        features = None
        if "attr_indptr" in arrays:
            features = csr(arrays, "attr", np.float32)
        elif "attr_matrix" in arrays:
            features = arrays["attr_matrix"].astype(np.float32)
        parts = [split[key] for key in ("train_idx", "val_idx", "test_idx")]
        return Data(
            name,
            str(path),
            str(split_path),
            csr(arrays, "adj", np.float64),
            features,
            arrays["labels"].astype(np.int64),
            *parts,
        )


def network_features(data, kind):
    """What a network sees, by heatfront's setting `features`; sparse where the data is."""
    x = data.features
    if kind == "auto":
        kind = "neighbourhood" if x is None else "as-given" if sp.issparse(x) else "standardised"
    if kind == "neighbourhood":
        return sp.csr_matrix(sp.identity(data.nodes) + data.adjacency, dtype=np.float32)
    if kind == "binarised":
        return (x != 0).astype(np.float32)
    if kind == "row-sums":
        sums = np.asarray(abs(x).sum(1)).ravel()  # as heatfront's: of absolute values
        scale = np.divide(1, sums, out=np.zeros_like(sums), where=sums != 0)
        return sp.csr_matrix(sp.diags(scale) @ x, dtype=np.float32) if sp.issparse(x) else scale[:, None] * x
    if kind == "standardised":
        deviation = x.std(0)
        return (x - x.mean(0)) / np.where(deviation > 0, deviation, 1)
    return x


def spread_matrix(data, dtype=np.float64):
    """S = D^-1/2 (W + I) D^-1/2."""
    looped = data.adjacency + sp.identity(data.nodes)
    roots = sp.diags(1 / np.sqrt(np.asarray(looped.sum(1)).ravel()))
    return sp.csr_matrix(roots @ looped @ roots, dtype=dtype)
