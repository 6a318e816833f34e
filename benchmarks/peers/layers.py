# SPDX-License-Identifier: MIT
"""(d) GCN and GAT, against PyTorch Geometric."""

import time

import data as datasets
import heatfront
import tables
from contest import check, contest
from heatfront import numbers

TITLE = "GCN and GAT against PyTorch Geometric"
WANTED = {"gcn": 5, "gat": 3}
EPOCHS = 100
SAME = {"gcn": ["self_loop=1"], "gat": []}  # what GCNConv has no setting for
APART = 0.05  # accuracies at most
NOTE = f"""\
{EPOCHS} epochs of each, from the same settings (`presets/gcn`, `presets/gat`; the defaults where there is
no preset; loops of weight 1) without early stopping: a training step on all training labels, then
validation and test are judged, every epoch, on both sides. PyTorch Geometric's layers are used as its own
examples use them, `GCNConv(cached=True)` and `GATConv`, in the way that is the fastest in a trial (*as*):
the graph as `edge_index` or (GCN) as a sparse matrix, features dense as in those examples or sparse, with
dropout on the stored values and a product that is quick both ways (`sparse_torch.py`). Where those
examples do otherwise than heatfront and the models' authors, PyTorch Geometric does as these: a GCN's
weight decay is for the weights of its first layer alone, and a GAT also drops of the features that it
averages. A GAT's attention begins with heatfront's spread. Accuracies are means of the runs that were
timed, each with a seed of its own, after so few epochs; where they are more than {100 * APART:.0f} points
apart, nothing is compared.
"""


def cases(quick):
    names = ["cora"] if quick else datasets.PAPER
    return [f"{model} {name}" for model in WANTED for name in names]


def geometric_model(kind, settings, inputs, classes):
    """Two layers. The first one's linear map is taken out of it, for features may be sparse."""
    import torch
    import torch.nn.functional as F
    from torch_geometric.nn import GATConv, GCNConv

    from sparse_torch import dropout, linear

    share, width = numbers(settings["dropout"])[0], int(numbers(settings["hidden"])[0])

    def drop_senders(layer, inputs):
        """Dropout of what a GATConv averages; its attention has seen all of it."""
        arcs, size, named = inputs
        senders, receivers = named["x"]
        return arcs, size, {**named, "x": (F.dropout(senders, share, layer.training), receivers)}

    class Model(torch.nn.Module):
        def __init__(self):
            super().__init__()
            if kind == "gcn":
                self.first = GCNConv(inputs, width, cached=True)
                self.second = GCNConv(width, classes, cached=True)
            else:
                heads, output_heads = int(settings["heads"]), int(settings["output_heads"])
                shared = {
                    "dropout": float(settings["attention_dropout"]),
                    "negative_slope": float(settings["slope"]),
                }
                self.first = GATConv(inputs, width, heads=heads, **shared)
                self.second = GATConv(width * heads, classes, heads=output_heads, concat=False, **shared)
                for layer in (self.first, self.second):
                    layer.register_propagate_forward_pre_hook(drop_senders)
                    bound = (6 / (layer.out_channels + 1)) ** 0.5
                    torch.nn.init.uniform_(layer.att_src, -bound, bound)
                    torch.nn.init.uniform_(layer.att_dst, -bound, bound)
            self.activation = F.relu if kind == "gcn" else F.elu
            self.linear, self.first.lin = self.first.lin, torch.nn.Identity()

        def forward(self, x, arcs):
            h = self.activation(self.first(linear(self.linear, dropout(x, share, self.training)), arcs))
            return self.second(F.dropout(h, share, self.training), arcs)

    return Model()


class Training:
    """PyTorch Geometric's usual loop."""

    def __init__(self, kind, data, settings, seed, as_matrix, sparse):
        import scipy.sparse as sp
        import torch

        from sparse_torch import SparseFeatures, torch_csr

        torch.manual_seed(seed)
        x = datasets.network_features(data, settings["features"])
        self.x = (
            SparseFeatures(x) if sparse else torch.from_numpy(x.toarray() if sp.issparse(x) else x).float()
        )
        self.labels = torch.from_numpy(data.labels)
        self.parts = [torch.from_numpy(part).long() for part in (data.train, data.validation, data.test)]
        pairs = data.adjacency.tocoo()
        self.arcs = (
            torch_csr(data.adjacency)
            if as_matrix
            else torch.stack([torch.from_numpy(pairs.row).long(), torch.from_numpy(pairs.col).long()])
        )
        self.model = geometric_model(kind, settings, self.x.shape[1], data.classes)
        decayed = set((self.model.linear if kind == "gcn" else self.model).parameters())
        groups = [
            {"params": list(decayed), "weight_decay": float(settings["weight_decay"])},
            {"params": list(set(self.model.parameters()) - decayed)},
        ]
        kinds = {"adam": torch.optim.Adam, "rmsprop": torch.optim.RMSprop}
        self.optimiser = kinds[settings["optimiser"]](groups, lr=float(settings["learning_rate"]))

    def run(self, epochs):
        """Seconds, and the test accuracy of the epoch that is best on validation."""
        import torch
        import torch.nn.functional as F

        train, validation, test = self.parts
        best, kept = (-1.0, 0.0), 0.0
        begin = time.perf_counter()
        for _ in range(epochs):
            self.model.train()
            self.optimiser.zero_grad()
            F.cross_entropy(self.model(self.x, self.arcs)[train], self.labels[train]).backward()
            self.optimiser.step()
            self.model.eval()
            with torch.no_grad():
                logits = self.model(self.x, self.arcs)
                right = logits.argmax(1) == self.labels
                loss = float(F.cross_entropy(logits[validation], self.labels[validation]))
                score = (float(right[validation].float().mean()), -loss)
                if score > best:
                    best, kept = score, float(right[test].float().mean())
        return time.perf_counter() - begin, kept


def measure(case, quick):
    kind, name = case.split()
    data, epochs = datasets.load(name), 10 if quick else EPOCHS
    preset = heatfront.ROOT / "presets" / kind / f"{name}.preset"
    flags = ["train", data.path, "--model", kind, "--split", data.split_path]
    flags += ["--preset", preset if preset.exists() else "none"]
    for setting in (f"epochs={epochs}", "patience=0", "select=validation-accuracy", *SAME[kind]):
        flags += ["--set", setting]
    settings = heatfront.settings(heatfront.run(*flags))
    accuracies = {"heatfront": [], "pyg": []}

    def ours():
        trained = heatfront.run(*flags, "--seed", len(accuracies["heatfront"]))
        accuracies["heatfront"].append(trained["test_accuracy"])
        return trained["seconds"]["train"]

    def trial_of(way):
        return Training(kind, data, settings, 0, *ways[way]).run(3)[0]

    def theirs():
        training = Training(kind, data, settings, len(accuracies["pyg"]), *ways[way])
        seconds, accuracy = training.run(epochs)
        accuracies["pyg"].append(accuracy)
        return seconds

    ways = {
        f"{graph}, {x} x": (as_matrix, x == "sparse")
        for graph, as_matrix in {"edge_index": False, "matrix": True}.items()
        for x in ("dense", "sparse")
        if kind == "gcn" or not as_matrix
    }
    trial = contest({way: lambda way=way: trial_of(way) for way in ways}, rounds=2, budget=10)
    way = min(trial, key=trial.get)
    best = contest({"heatfront": ours, "pyg": theirs}, rounds=5, budget=15, warm_up=False)
    accuracy = {name: sum(each) / len(each) for name, each in accuracies.items()}
    if not quick:
        check(f"{case}: accuracies apart", abs(accuracy["heatfront"] - accuracy["pyg"]), APART)
    return {"epochs": epochs, "way": way, "seconds": best, "accuracy": accuracy}


def report(results):
    rows, text = [], ""
    for case, result in results.items():
        ours, theirs, epochs = result["seconds"]["heatfront"], result["seconds"]["pyg"], result["epochs"]
        rows.append(
            [
                *case.split(),
                tables.seconds(ours / epochs),
                tables.seconds(theirs / epochs),
                result["way"],
                tables.ratio(theirs / ours),
                tables.percent(result["accuracy"]["heatfront"]),
                tables.percent(result["accuracy"]["pyg"]),
            ]
        )
    head = ["model", "data", "heatfront, an epoch", "PyG, an epoch", "as", "ratio", "accuracy", "PyG's"]
    text += tables.markdown(head, rows)
    for kind, wanted in WANTED.items():
        ratios = [
            r["seconds"]["pyg"] / r["seconds"]["heatfront"]
            for case, r in results.items()
            if case.startswith(kind)
        ]
        text += "\n" + tables.verdict(kind.upper(), ratios, wanted)
    return text
