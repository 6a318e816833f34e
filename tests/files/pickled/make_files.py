# SPDX-License-Identifier: MIT
"""Writes npz files of one tiny graph beside it, with pickled matrices as the numpy and scipy that run it write them.

Run with numpy 1.16 and scipy 1.2, numpy 1.26 and scipy 1.10, numpy 2.4 and scipy 1.17.
"""
from pathlib import Path

import numpy as np
import scipy
import scipy.sparse

HERE = Path(__file__).parent
GRAPH = np.array([[0, 1, 0, 0], [1, 0, 2, 0], [0, 2, 0, 0], [0, 0, 0, 0]], "f4")
FEATURES = np.array([[1, 0, 0], [0, 2, 0], [0, 0, 0.5], [1, 0, 3]], "f8")
NAMES = np.array(["anna", "ben", "cleo", "dan"], dtype=object)

version = ".".join(scipy.__version__.split(".")[:2])
arrays = hasattr(scipy.sparse, "csr_array")
for form in ("csr", "csc", "coo"):
    matrix = getattr(scipy.sparse, form + "_matrix")
    np.savez_compressed(HERE / "scipy-{}-{}.npz".format(version, form), adj_matrix=matrix(GRAPH),
                        node_attr=getattr(scipy.sparse, form + "_array")(FEATURES) if arrays else matrix(FEATURES),
                        node_label=np.array([0, 1, -1, 1]), node_names=NAMES, idx_to_class={0: "red", 1: "blue"},
                        edge_attr=None, metadata={"source": "by hand", "year": 2020})
