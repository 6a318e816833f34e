# SPDX-License-Identifier: MIT
"""Sparse products in PyTorch that are quick both ways: its own derivative of a CSR product is not."""

import warnings

import numpy as np
import scipy.sparse as sp
import torch
import torch.nn.functional as F

warnings.filterwarnings(
    "ignore", message="Sparse"
)  # "… CSR tensor support is in beta", "… invariant checks …"


def torch_csr(matrix):
    matrix = sp.csr_matrix(matrix)
    return torch.sparse_csr_tensor(
        torch.from_numpy(matrix.indptr).long(),
        torch.from_numpy(matrix.indices).long(),
        torch.from_numpy(matrix.data).float(),
        size=matrix.shape,
    )


class Product(torch.autograd.Function):
    """A x for a constant sparse A, whose transpose is at hand."""

    @staticmethod
    def forward(context, a, transposed, x):
        context.transposed = transposed
        return a @ x

    @staticmethod
    def backward(context, gradient):
        return None, None, context.transposed @ gradient


class SparseFeatures:
    """A sparse matrix X and its transpose, for X W and its derivative by W."""

    def __init__(self, matrix):
        matrix = sp.csr_matrix(matrix)
        places = sp.csr_matrix(
            (np.arange(matrix.nnz), matrix.indices, matrix.indptr), shape=matrix.shape
        ).T.tocsr()
        self.x, self.transposed = torch_csr(matrix), torch_csr(matrix.T)
        self.places = torch.from_numpy(places.data).long()  # of the transpose's values among those of X
        self.shape = matrix.shape

    def dropout(self, share, training):
        """Some stored values set to zero, the others scaled."""
        if not training or share == 0:
            return self
        other = object.__new__(SparseFeatures)
        values = F.dropout(self.x.values(), share)
        other.x, other.transposed = (
            with_values(self.x, values),
            with_values(self.transposed, values[self.places]),
        )
        other.places, other.shape = self.places, self.shape
        return other

    def linear(self, layer):
        """X Wᵀ + b."""
        y = Product.apply(self.x, self.transposed, layer.weight.T)
        return y if layer.bias is None else y + layer.bias


def linear(layer, x):
    """A linear layer of dense or sparse features."""
    return x.linear(layer) if isinstance(x, SparseFeatures) else layer(x)


def dropout(x, share, training):
    """Dropout of dense or sparse features; of these, stored values are dropped."""
    return x.dropout(share, training) if isinstance(x, SparseFeatures) else F.dropout(x, share, training)


def with_values(pattern, values):
    return torch.sparse_csr_tensor(
        pattern.crow_indices(), pattern.col_indices(), values, size=pattern.shape, check_invariants=False
    )
