"""Cora as PyTorch Geometric has it: fitted to train_mask, judged by test_mask. `pip install torch_geometric`."""

import sys

from torch_geometric.datasets import Planetoid

import heatfront as hf

data = Planetoid(sys.argv[1] if len(sys.argv) > 1 else "data", "Cora")[0]
model = hf.fit(data, progress=True)
print(model.report)
print(f"test accuracy {100 * model.evaluate().accuracy:.1f} %")
