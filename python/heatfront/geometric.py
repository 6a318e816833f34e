"""Data of PyTorch Geometric and of OGB, by their shape; neither is imported.

`hf.fit(dataset[0])` takes a `Data` object with its features, labels and masks, and `hf.fit(ogb_dataset)` a data set of
OGB with its split; `HeatFront` is a transform for pipelines of PyTorch Geometric.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .arrays import plain
from .graph import Graph

_MASKS = {"train": "train_mask", "validation": "val_mask", "test": "test_mask"}
_OGB_PARTS = {"train": "train", "validation": "valid", "test": "test"}


def taken_apart(graph: Any) -> tuple[Graph, Any, Any, dict[str, Any] | None] | None:
    """(graph, X, y, split) of an object of PyTorch Geometric or OGB; None where it is neither."""
    if hasattr(graph, "get_idx_split"):
        parts = graph.get_idx_split()
        split: dict[str, Any] | None = {ours: plain(parts[theirs]) for ours, theirs in _OGB_PARTS.items()}
        first = graph[0]
        if isinstance(first, tuple):
            stored, y = first
            made = Graph((plain(stored["edge_index"]).T, int(stored["num_nodes"])))
            return made, stored.get("node_feat"), plain(y), split
        return Graph(first), _array(first, "x"), _array(first, "y"), split
    if not hasattr(graph, "edge_index"):
        return None
    masks = {part: _array(graph, name) for part, name in _MASKS.items()}
    has_masks = masks["train"] is not None
    split = {part: _first_column(mask) for part, mask in masks.items() if mask is not None} if has_masks else None
    return Graph(graph), _array(graph, "x"), _array(graph, "y"), split


def _array(graph: Any, name: str) -> Any:
    value = getattr(graph, name, None)
    return None if value is None else plain(value)


def _first_column(mask: Any) -> Any:
    return mask[:, 0] if mask.ndim == 2 else mask


class HeatFront:
    """A transform of PyTorch Geometric: fits a model to the training nodes of `data` and adds `heat_class`, the class
    of each node, and `heat`, the share of each class, which a network may take as further features.

    Arguments are those of `heatfront.fit`; labels outside of `train_mask` are not looked at.
    """

    def __init__(self, **arguments: Any) -> None:
        self.arguments = arguments

    def __call__(self, data: Any) -> Any:
        import copy

        from .model import fit

        apart = taken_apart(data)
        if apart is None:
            raise TypeError("data: an object with edge_index is expected, as PyTorch Geometric has it")
        graph, X, y, split = apart
        if y is None:
            raise TypeError("data: it has no labels y")
        codes = np.array(y, np.int64).reshape(graph.nodes)
        known = np.ones(graph.nodes, bool) if split is None else np.asarray(split["train"], bool)
        model = fit(graph, X, np.where(known, codes, -1), **{"kind": "classes", **self.arguments})
        shares = np.zeros((graph.nodes, int(codes.max()) + 1), np.float32)
        shares[:, model.classes] = model.predict_proba()
        result = copy.copy(data)
        result.heat = _like(data.edge_index, shares)
        result.heat_class = _like(data.edge_index, shares.argmax(1))
        return result

    def __repr__(self) -> str:
        return f"HeatFront({', '.join(f'{name}={value!r}' for name, value in self.arguments.items())})"


def _like(tensor: Any, array: Any) -> Any:
    """The array as a tensor where the data has tensors."""
    if not hasattr(tensor, "detach"):
        return array
    import torch

    return torch.from_numpy(array).to(tensor.device)
