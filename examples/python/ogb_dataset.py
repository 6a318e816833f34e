"""A data set of OGB with its own split: PyTorch and `pip install ogb`."""

import sys

from ogb.nodeproppred import NodePropPredDataset

import heatfront as hf

dataset = NodePropPredDataset(sys.argv[1] if len(sys.argv) > 1 else "ogbn-arxiv")
model = hf.fit(dataset, quick=True, progress=True)
print(f"test accuracy {100 * model.evaluate().accuracy:.1f} %")
