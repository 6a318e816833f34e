"""Labels as users have them into labels as the library takes them: classes, values, or several classes per node."""

from __future__ import annotations

from collections.abc import Set
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from . import _core
from ._core import Error
from .arrays import is_unknown, plain, reals

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Targets = tuple[str, list[str], NDArray[np.int32], NDArray[np.float64]]

KINDS = ("classes", "values", "many-labels")


class Labels(NamedTuple):
    codes: NDArray[np.int32]  # the class of each node, -1 where it is not known
    class_names: list[str]
    classes: NDArray[Any] | None  # what the user calls them
    targets: Targets | None = None  # in place of classes: kind, columns, labelled nodes and their rows


def labels(y: Any, nodes: int, kind: str | None = None) -> Labels:
    """What `y` says of the nodes. Unless `kind` says it: sets or lists, and rows of 0 and 1, are several classes per
    node; numbers with fractions, and rows of numbers, are values; all else is one class per node."""
    if kind is not None and kind not in KINDS:
        raise Error(f"kind: '{kind}' is none; choose from: {', '.join(KINDS)}")
    columns = [str(name) for name in y.columns] if hasattr(y, "columns") else None
    name = getattr(y, "name", None)
    sets = _as_sets(y, nodes) if kind in (None, "many-labels") and columns is None else None
    if sets is not None:
        return _without_classes(nodes, sets)
    given = plain(y)
    if given.ndim == 2 and given.shape == (nodes, 1):
        given = given.reshape(-1)
    if given.ndim not in (1, 2) or given.shape[0] != nodes or (given.ndim == 2 and kind == "classes"):
        raise Error(
            f"y: a label is expected for each of {nodes} nodes (-1, None or NaN where it is not known), its shape is "
            f"{given.shape}; edges say how many nodes there are as (edges, number), and hf.tables goes by names"
        )
    if given.ndim == 2:
        rows = _numbers(given)
        known = np.asarray(~np.isnan(rows).all(axis=1))
        zeros_and_ones = np.isin(rows[known], (-1.0, 0.0, 1.0)).all()
        kind = kind or ("many-labels" if zeros_and_ones else "values")
        if kind == "many-labels":
            known = np.asarray(known & ~(rows == -1).all(axis=1))
        names = columns or [str(i) for i in range(rows.shape[1])]
        return _without_classes(nodes, _rows(kind, names, known, rows))
    if kind == "many-labels":
        raise Error("y: several classes per node are sets or lists of names, or a column of 0 and 1 for each class")
    if kind is None and _has_fractions(given):
        kind = "values"
    if kind == "values":
        rows = _numbers(given).reshape(-1, 1)
        names = columns or [str(name) if name is not None else "value"]
        return _without_classes(nodes, _rows(kind, names, ~np.isnan(rows[:, 0]), rows))
    told = _classes(given, nodes)
    if kind is None and _core.look_like_values(told.class_names, told.codes):
        raise Error(
            f'y: {len(told.class_names)} different numbers; kind="values" if they are quantities, kind="classes" if '
            "they are names"
        )
    return told


def row_of(label: Any, kind: str, columns: list[str]) -> list[float]:
    """The label of one node as a row: a number, numbers, or the classes that it has."""
    if kind == "many-labels" and isinstance(label, (Set, list, tuple)) and not _all_numbers(label, len(columns)):
        unknown = [str(one) for one in label if str(one) not in columns]
        if unknown:
            raise Error(f"class '{unknown[0]}': there are {', '.join(columns)}")
        return [float(name in {str(one) for one in label}) for name in columns]
    row = np.atleast_1d(_numbers(plain(label)))
    if row.shape != (len(columns),):
        raise Error(f"label {label!r}: {len(columns)} numbers are expected, for {', '.join(columns)}")
    return [float(value) for value in row]


def _all_numbers(label: Any, count: int) -> bool:
    return len(label) == count and all(isinstance(one, (int, float, np.number)) for one in label)


def _without_classes(nodes: int, targets: Targets) -> Labels:
    return Labels(np.full(nodes, -1, np.int32), [], None, targets)


def _has_fractions(given: NDArray[Any]) -> bool:
    """Numbers, some of them with a fraction?"""
    if given.dtype.kind == "O":
        known = [one for one in given if not is_unknown(one)]
        if not known or not all(isinstance(one, (int, float, np.number)) for one in known):
            return False
        given = np.array(known, np.float64)
    if given.dtype.kind != "f":
        return False
    values = given[np.isfinite(given)]
    return bool((values != np.round(values)).any())


def _numbers(given: NDArray[Any]) -> NDArray[np.float64]:
    if given.dtype.kind == "O":
        given = np.array([np.nan if is_unknown(one) and one != -1 else one for one in given.ravel()]).reshape(
            given.shape
        )
    if given.dtype.kind in "cMmUSVO":
        raise TypeError(f"y: numbers are expected, it holds {given.dtype}")
    rows = given.astype(np.float64)
    if np.isinf(rows).any():
        raise Error("y: values are finite numbers, or NaN where they are not known")
    return rows


def _rows(kind: str, names: list[str], known: NDArray[np.bool_], rows: NDArray[np.float64]) -> Targets:
    if np.isnan(rows[known]).any():
        raise Error("y: a row has some of its values and not others; give all of them, or NaN for all")
    return kind, names, np.flatnonzero(known).astype(np.int32), np.ascontiguousarray(rows[known])


def _as_sets(y: Any, nodes: int) -> Targets | None:
    """Sets or lists of classes by node, as a column per class; None where that is not what it is."""
    if not isinstance(y, (list, tuple)) and getattr(getattr(y, "dtype", None), "kind", "") != "O":
        return None
    known = [not _is_absent(one) for one in y]
    told = [one for one, is_known in zip(y, known) if is_known]
    if not told or not all(isinstance(one, (Set, list, tuple)) for one in told):
        return None
    if all(isinstance(one, (list, tuple)) and one and _all_numbers(one, len(told[0])) for one in told):
        return None  # rows of numbers
    if len(known) != nodes:
        raise Error(f"y: a set of classes is expected for each of {nodes} nodes, there are {len(known)}")
    names = sorted({str(name) for one in told for name in one})
    place = {name: i for i, name in enumerate(names)}
    rows = np.zeros((len(told), len(names)))
    for i, one in enumerate(told):
        for name in one:
            rows[i, place[str(name)]] = 1
    return "many-labels", names, np.flatnonzero(known).astype(np.int32), rows


def _is_absent(one: Any) -> bool:
    return one is None or (isinstance(one, float) and one != one)


def _classes(given: NDArray[Any], nodes: int) -> Labels:
    if given.dtype.kind in "iu":
        known = given != -1 if given.dtype.kind == "i" else np.ones(nodes, bool)
    elif given.dtype.kind == "f":
        known = ~np.isnan(given) & (given != -1)
    elif given.dtype.kind in "bUS":
        known = np.ones(nodes, bool)
    elif given.dtype.kind == "O":
        known = np.fromiter((not is_unknown(label) for label in given), bool, nodes)
    else:
        raise TypeError(f"y: names or numbers are expected, it holds {given.dtype}")
    values = given[known]
    if given.dtype.kind == "f":
        reals(values, "y")
        values = values.astype(np.float64)
        if (values == np.round(values)).all() and (np.abs(values) < 2**53).all():
            values = values.astype(np.int64)
    try:
        classes, codes = np.unique(values, return_inverse=True)
    except TypeError:  # names and numbers side by side
        classes, codes = np.unique(values.astype(str), return_inverse=True)
    result = np.full(nodes, -1, np.int32)
    result[known] = codes
    return Labels(result, [str(name) for name in classes.tolist()], classes)
