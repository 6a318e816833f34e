# SPDX-License-Identifier: MIT
"""Graphs with all their labels, and files of them in which only some labels are left."""

import array
import ast
import os
import random
import struct
import subprocess
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = Path(os.environ.get("HEATFRONT_PROGRAM", ROOT / "build" / "release" / "heatfront"))
WORK = ROOT / "build" / "defaults"
DATA = Path(os.environ.get("HEATFRONT_DATA", ROOT / "data"))

# How `linear-front` chooses its fronts was decided by the first five, with draws from 100 on; the others confirm that.
CHOSEN_BY = ["cora", "citeseer", "county_fb", "digits", "mixed"]
CONFIRMED_BY = ["acm", "polblogs", "lastfm", "uai", "pubmed", "photo", "twitch_de"]
GRAPHS = CHOSEN_BY + CONFIRMED_BY

FILES = {
    "cora": "cora.npz",
    "citeseer": "citeseer.npz",
    "pubmed": "pubmed.npz",
    "photo": "amazon_photo.npz",
    "county_fb": "county_fb.npz",
    "lastfm": "lastfm_asia_nofeat.npz",
    "acm": "more/acm.npz",
    "uai": "more/uai.npz",
    "polblogs": "more/polblogs.npz",
    "twitch_de": "more/twitch_de",
}
LEFT_OUT = {"train_idx.npy", "val_idx.npy", "test_idx.npy", "class_names.npy"}  # answers are class numbers then
NUMBERS = {"i1": "b", "i2": "h", "i4": "i", "i8": "q", "u1": "B", "u2": "H", "u4": "I", "u8": "Q", "f4": "f", "f8": "d"}


def run(*arguments):
    subprocess.run([PROGRAM, *map(str, arguments)], check=True, stdout=subprocess.DEVNULL)


def write_mixed(folder, nodes=2400, classes=4, words=300, own=0.3, degree=8, seed=1):
    """Four classes whose edges stay within the class for `own` of them, and go to the next class for as many; and a bag of
    words, a fifth of which a class likes three times as much as the others do."""
    draws = random.Random(seed)
    label = [draws.randrange(classes) for _ in range(nodes)]
    members = [[u for u in range(nodes) if label[u] == c] for c in range(classes)]
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / "edges.csv", "w") as file:
        file.write("source,target\n")
        for u in range(nodes):
            for _ in range(degree // 2):
                kind = draws.random()
                others = range(nodes)
                if kind < 2 * own:
                    others = members[(label[u] + (kind >= own)) % classes]
                v = draws.choice(others)
                if v != u:
                    file.write(f"{u},{v}\n")
    likes = [[3 if draws.random() < 0.2 else 1 for _ in range(words)] for _ in range(classes)]
    with open(folder / "features.csv", "w") as file:
        file.write("node," + ",".join(f"word {k}" for k in range(words)) + "\n")
        for u in range(nodes):
            has = set(draws.choices(range(words), likes[label[u]], k=12))
            file.write(f"{u}," + ",".join("1" if k in has else "0" for k in range(words)) + "\n")
    with open(folder / "labels.csv", "w") as file:
        file.write("node,label\n" + "".join(f"{u},{c}\n" for u, c in enumerate(label)))


def whole(name):
    """The npz of a graph with all its labels."""
    path = WORK / f"{name}.npz"
    if path.exists():
        return path
    WORK.mkdir(parents=True, exist_ok=True)
    if name == "mixed":
        write_mixed(WORK / "mixed")
        run("convert", WORK / "mixed", path)
    elif name == "digits":
        run("graph", "digits", "-o", path)
    else:
        run("convert", DATA / FILES[name], path)
    return path


def labels(path):
    """The classes of all nodes, -1 where there is none."""
    with zipfile.ZipFile(path) as file:
        content = file.read("labels.npy")
    (length,) = struct.unpack("<H", content[8:10])
    header = ast.literal_eval(content[10 : 10 + length].decode())
    values = array.array(NUMBERS[header["descr"][1:]])
    values.frombytes(content[10 + length :])
    return [int(value) for value in values]


def write_with(known, source, target):
    """The npz `source` without its split and names of classes, and with these labels only, `{node: class}`."""
    nodes = len(labels(source))
    values = array.array("i", [known.get(u, -1) for u in range(nodes)])
    header = f"{{'descr': '<i4', 'fortran_order': False, 'shape': ({nodes},), }}"
    header = header.ljust(117) + "\n"
    content = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + values.tobytes()
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w") as new:
        for name in old.namelist():
            if name not in LEFT_OUT:
                new.writestr(name, content if name == "labels.npy" else old.read(name))


def draw(name, classes, per_class, number):
    """So many labels of every class at random; of a small class all but a fifth."""
    draws = random.Random(f"{name} {per_class} {number}")
    known = {}
    for c in sorted(set(classes) - {-1}):
        nodes = [u for u, label in enumerate(classes) if label == c]
        left = max(1, len(nodes) // 5)
        for u in draws.sample(nodes, max(1, min(per_class, len(nodes) - left))):
            known[u] = c
    return known
