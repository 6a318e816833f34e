# SPDX-License-Identifier: MIT
"""The paper's method in PyTorch: torchdiffeq's dopri5 and its continuous adjoint.

    a step    y' = λ (S y − y) from y(0) = network(x); loss: cross-entropy of y(t) on the training rows
    judging   y' = λ (S y − y) on unlabelled rows, labelled ones held at their one-hot rows

In two ways:

    "paper"            with what the paper names, PyTorch Geometric and torchdiffeq, as their guides show it:
                       S y by message passing, learned weights and their normalisation inside the module that
                       is integrated, so that the adjoint sees them; x as PyTorch Geometric gives it, dense,
                       but sparse where the data has no features and x is the adjacency
    "dense", "sparse"  made quick: products with S are one call each way, S being symmetric; learned weights
                       are normalised once an epoch instead of at every call of the right-hand side; x is
                       dense or sparse

With the same seed all begin with the same parameters and drop the same units.
"""

import time

import scipy.sparse as sp
import torch
import torch.nn.functional as F
from torch_geometric.nn import MessagePassing
from torch_geometric.nn.conv.gcn_conv import gcn_norm
from torchdiffeq import odeint, odeint_adjoint

import data as datasets
from heatfront import numbers
from sparse_torch import Product, SparseFeatures, linear, torch_csr


class WeightedProduct(torch.autograd.Function):
    """S x for a symmetric S whose stored values are learned."""

    @staticmethod
    def forward(context, values, x, pattern):
        s = pattern.matrix(values)
        context.s, context.pattern = s, pattern
        context.save_for_backward(x)
        return s @ x

    @staticmethod
    def backward(context, gradient):
        (x,) = context.saved_tensors
        pattern = context.pattern
        of_values = (
            (gradient[pattern.rows] * x[pattern.columns]).sum(1) if context.needs_input_grad[0] else None
        )
        return of_values, context.s @ gradient, None


class Pattern:
    """Where S has entries; loops are among them."""

    def __init__(self, s):
        self.offsets, self.columns = torch.from_numpy(s.indptr).long(), torch.from_numpy(s.indices).long()
        self.rows = torch.repeat_interleave(torch.arange(s.shape[0]), self.offsets.diff())
        self.loops = self.rows == self.columns
        order = sp.csr_matrix((torch.arange(s.nnz).numpy(), s.indices, s.indptr), shape=s.shape).T.tocsr()
        self.reverse = torch.from_numpy(order.data).long()  # the entry of the other direction
        self.shape = s.shape

    def matrix(self, values):
        return torch.sparse_csr_tensor(
            self.offsets, self.columns, values, size=self.shape, check_invariants=False
        )

    def normalised(self, theta):
        """S's values for w = sigmoid((θ_uv + θ_vu)/2), loops of 1."""
        weights = torch.where(self.loops, 1.0, torch.sigmoid((theta + theta[self.reverse]) / 2))
        degrees = torch.zeros(self.shape[0]).index_add(0, self.rows, weights)
        roots = degrees.rsqrt()
        return weights * roots[self.rows] * roots[self.columns]


class Flow(torch.nn.Module):
    """y' = λ (S y − y); with `held`, a column of 0 at labelled rows and 1 elsewhere, those rows stay."""

    def __init__(self, product, speed, held=None):
        super().__init__()
        self.product, self.speed, self.held = product, speed, held

    def forward(self, t, y):
        change = self.product(y) - y
        if self.speed != 1:
            change = self.speed * change
        return change if self.held is None else self.held * change


class MessageFlow(MessagePassing):
    """The same by message passing; θ, where there is one, has an entry for each arc."""

    def __init__(self, arcs, reverse, nodes, theta, speed, held=None):
        super().__init__(aggr="add")
        self.arcs, self.reverse, self.nodes, self.theta = arcs, reverse, nodes, theta
        self.speed, self.held = speed, held
        self.fixed = None if theta is not None else gcn_norm(arcs, num_nodes=nodes)

    def normalised(self):
        if self.fixed is not None:
            return self.fixed
        weights = torch.sigmoid((self.theta + self.theta[self.reverse]) / 2)
        return gcn_norm(self.arcs, weights, num_nodes=self.nodes)

    def message(self, x_j, weights):
        return weights.view(-1, 1) * x_j

    def forward(self, t, y):
        arcs, weights = self.normalised()
        change = self.speed * (self.propagate(arcs, x=y, weights=weights) - y)
        return change if self.held is None else self.held * change


class Network(torch.nn.Module):
    """Linear, dropout, ReLU, … , linear."""

    def __init__(self, x, widths, dropout, initialiser):
        super().__init__()
        self.x, self.dropout = x, dropout
        self.layers = torch.nn.ModuleList(
            torch.nn.Linear(a, b) for a, b in zip(widths, widths[1:], strict=False)
        )
        for layer in self.layers:
            if initialiser == "glorot":
                torch.nn.init.xavier_uniform_(layer.weight)
            else:
                torch.nn.init.uniform_(layer.weight, -(layer.in_features**-0.5), layer.in_features**-0.5)

    def forward(self):
        h = linear(self.layers[0], self.x)
        for layer, share in zip(self.layers[1:], self.dropout, strict=True):
            h = layer(F.relu(F.dropout(h, share, self.training)))
        return h


class Training:
    """One training: everything before the first epoch is set up here, and is not timed."""

    def __init__(self, data, settings, learn_weights, way, seed=0):
        torch.manual_seed(seed)
        x = datasets.network_features(data, settings["features"])
        by_messages = way == "paper"
        if way == "sparse" or by_messages and data.features is None:
            x = SparseFeatures(x)
        else:
            x = torch.from_numpy(x.toarray() if sp.issparse(x) else x).float()
        widths = [x.shape[1], *map(int, numbers(settings["hidden"])), data.classes]
        self.network = Network(x, widths, numbers(settings["dropout"]), settings["initialiser"])
        self.parameters = list(self.network.parameters())
        spread = data.adjacency.tocsr() if by_messages else datasets.spread_matrix(data)
        self.s, self.pattern, self.theta = torch_csr(spread), Pattern(spread), None
        if learn_weights:
            bound = float(settings["weight_spread"])
            theta = torch.zeros(spread.nnz)  # of loops it is not used, and stays 0
            theta[~self.pattern.loops] = torch.empty(data.adjacency.nnz).uniform_(-bound, bound)
            self.theta = torch.nn.Parameter(theta)
            self.parameters.append(self.theta)
        kind = {"adam": torch.optim.Adam, "rmsprop": torch.optim.RMSprop}[settings["optimiser"]]
        self.optimiser = kind(
            self.parameters, lr=float(settings["learning_rate"]), weight_decay=float(settings["weight_decay"])
        )
        self.labels = torch.from_numpy(data.labels)
        self.train, self.validation, self.test = (
            torch.from_numpy(part).long() for part in (data.train, data.validation, data.test)
        )
        self.known = torch.from_numpy(data.known()).float()
        self.held = torch.ones(data.nodes, 1)
        self.held[self.train] = 0
        self.times = torch.tensor([0.0, float(settings["time"])])
        self.speed, self.clamped_speed = float(settings["lambda"]), float(settings["clamped_lambda"])
        rtol = float(settings["runge_kutta_tolerance"])
        self.control = {"method": "dopri5", "rtol": rtol, "atol": rtol / 10}
        self.by_loss = settings["select"] == "validation-loss"
        self.messages = None
        if by_messages:
            arcs = torch.stack([self.pattern.columns, self.pattern.rows])
            of_all = (arcs, self.pattern.reverse, data.nodes, self.theta)
            self.messages = {
                "free": MessageFlow(*of_all, self.speed),
                "clamped": MessageFlow(*of_all, self.clamped_speed, self.held),
            }

    def flows(self):
        """The free and the clamped flow, and what of them is learned."""
        if self.messages is not None:
            return self.messages, tuple(self.messages["free"].parameters())
        learned = () if self.theta is None else (self.pattern.normalised(self.theta),)

        def product(y):
            if self.theta is None:
                return Product.apply(self.s, self.s, y)
            return WeightedProduct.apply(learned[0], y, self.pattern)

        clamped = Flow(product, self.clamped_speed, self.held)
        return {"free": Flow(product, self.speed), "clamped": clamped}, learned

    def differentiate(self):
        """Gives every parameter its derivative of the loss."""
        self.network.train()
        self.optimiser.zero_grad()
        flows, learned = self.flows()
        heat = odeint_adjoint(
            flows["free"], self.network(), self.times, adjoint_params=learned, **self.control
        )[-1]
        F.cross_entropy(heat[self.train], self.labels[self.train]).backward()

    def gradients(self):
        """Those of the first step: the network's in a row, and θ's, without loops, where there is one."""
        self.differentiate()
        found = {"network": torch.cat([parameter.grad.ravel() for parameter in self.network.parameters()])}
        if self.theta is not None:
            found["weights"] = self.theta.grad[~self.pattern.loops]
        return found

    @torch.no_grad()
    def judge(self):
        """Validation loss, validation and test accuracy of the clamped flow."""
        self.network.eval()
        start = self.known + self.held * self.network()
        heat = odeint(self.flows()[0]["clamped"], start, self.times, **self.control)[-1]
        right = heat.argmax(1) == self.labels
        loss = F.cross_entropy(heat[self.validation], self.labels[self.validation])
        return (
            float(loss),
            float(right[self.validation].float().mean()),
            float(right[self.test].float().mean()),
        )

    def run(self, epochs):
        """Seconds, test accuracy of the epoch that is best on validation, and every validation accuracy."""
        best, kept, course = None, None, []
        begin = time.perf_counter()
        for _ in range(epochs):
            self.differentiate()
            self.optimiser.step()
            loss, validation, test = self.judge()
            course.append(validation)
            score = (-loss, 0) if self.by_loss else (validation, -loss)
            if best is None or score > best:
                best, kept = score, test
                self.state = [parameter.detach().clone() for parameter in self.parameters]
        return time.perf_counter() - begin, kept, course
