# SPDX-License-Identifier: MIT
"""Writes the files beside it: one tiny data set as pickles of Python 3 (protocols 0, 1, 2) and as Python 2 wrote them.

Eight nodes. Node 6 is in the graph alone, as some of Citeseer are; node 4 has no class. Needs numpy and scipy.
"""
import collections
import pickle
import struct
from pathlib import Path

import numpy as np
import scipy.sparse

HERE = Path(__file__).parent
FEATURES = np.array([[1, 0, 0], [0, 2, 0], [0, 0, 0.5], [1, 0, 1], [0, 0, 0]], "f4")
CLASSES = np.array([[1, 0], [0, 1], [1, 0], [0, 1], [0, 0]], "i4")
TEST_FEATURES = np.array([[0, 3, 0], [0, 0, 4]], "f4")
TEST_CLASSES = np.array([[0, 1], [1, 0]], "i4")
TEST_NODES = [7, 5]
NEIGHBOURS = [[1, 2, 2], [0, 3], [0], [1, 3], [5], [4, 7], [], [5]]

MATRICES = {"x": FEATURES[:2], "tx": TEST_FEATURES, "allx": FEATURES}
LABELS = {"y": CLASSES[:2], "ty": TEST_CLASSES, "ally": CLASSES}


def write(folder, part, content):
    path = HERE / folder / f"ind.tiny.{part}"
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(content)


def write_python3(folder, protocol, features, labels, graph):
    for part, matrix in MATRICES.items():
        write(folder, part, pickle.dumps(features(matrix), protocol))
    for part, matrix in LABELS.items():
        write(folder, part, pickle.dumps(labels(matrix), protocol))
    write(folder, "graph", pickle.dumps(graph, protocol))


# The opcodes that Python 2's cPickle writes in protocol 2: byte strings for everything.
def string(text):
    text = text.encode() if isinstance(text, str) else text
    return b"U" + bytes([len(text)]) + text if len(text) < 256 else b"T" + struct.pack("<i", len(text)) + text


def integer(number):
    return b"K" + bytes([number])


def array(values):
    name = values.dtype.str[1:]
    made = b"cnumpy.core.multiarray\n_reconstruct\ncnumpy\nndarray\nK\x00\x85" + string("b") + b"\x87R"
    dtype = b"cnumpy\ndtype\n" + string(name) + b"K\x00K\x01\x87R(K\x03" + string("<") + b"NNNJ\xff\xff\xff\xffJ"
    dtype += b"\xff\xff\xff\xffK\x00tb"
    shape = b"(" + b"".join(integer(size) for size in values.shape) + b"t"
    return made + b"(K\x01" + shape + dtype + b"\x89" + string(values.tobytes()) + b"tb"


def csr(matrix):
    sparse = scipy.sparse.csr_matrix(matrix)
    parts = {"indptr": sparse.indptr, "indices": sparse.indices, "data": sparse.data}
    state = string("_shape") + integer(sparse.shape[0]) + integer(sparse.shape[1]) + b"\x86"
    state += b"".join(string(name) + array(values) for name, values in parts.items())
    return b"cscipy.sparse.csr\ncsr_matrix\n)\x81}(" + state + b"ub"


def write_python2(folder):
    for part, matrix in MATRICES.items():
        write(folder, part, b"\x80\x02" + csr(matrix) + b".")
    for part, matrix in LABELS.items():
        write(folder, part, b"\x80\x02" + array(matrix) + b".")
    rows = b"".join(integer(u) + b"](" + b"".join(map(integer, row)) + b"e" for u, row in enumerate(NEIGHBOURS))
    write(folder, "graph", b"\x80\x02ccollections\ndefaultdict\nc__builtin__\nlist\n\x85R(" + rows + b"u.")


graph = collections.defaultdict(list, enumerate(NEIGHBOURS))
write_python3("protocol0", 0, scipy.sparse.csr_matrix, lambda m: m, graph)
write_python3("protocol1", 1, lambda m: np.asfortranarray(m, ">f8"), lambda m: np.asfortranarray(m, ">i2"),
              {u: np.array(row, "u2") for u, row in enumerate(NEIGHBOURS)})
write_python3("protocol2", 2, scipy.sparse.csr_matrix, lambda m: m.astype(bool),
              {np.int64(u): tuple(row) for u, row in enumerate(NEIGHBOURS)})
write_python2("python2")
for folder in ("protocol0", "protocol1", "protocol2", "python2"):
    write(folder, "test.index", "".join(f"{node}\n" for node in TEST_NODES).encode())
