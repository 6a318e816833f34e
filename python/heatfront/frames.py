"""Tables as data frames have them: of pandas, polars or Arrow. Nothing here imports any of them.

What the cells mean (numbers, dates, categories, gaps) is for the library to say, which reads them as it reads files.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from . import _core
from .arrays import is_unknown, plain

Columns = list[tuple[str, list[str]]]


def is_frame(table: Any) -> bool:
    return hasattr(table, "columns") or hasattr(table, "column_names")


def columns_of(frame: Any) -> dict[str, Any]:
    """The columns of a frame by their names."""
    if hasattr(frame, "column_names"):  # Arrow
        return {str(name): frame.column(name) for name in frame.column_names}
    names = [str(name) for name in frame.columns]
    if len(set(names)) < len(names):
        raise _core.Error(f"two columns are called '{next(n for n in names if names.count(n) > 1)}'; names must differ")
    return {str(name): frame[name] for name in frame.columns}


def is_plain(columns: Mapping[str, Any]) -> bool:
    """Numbers alone, and none of them missing?"""
    arrays = (plain(column) for column in columns.values())
    return all(
        array.dtype.kind in "iub" or (array.dtype.kind == "f" and not (array != array).any()) for array in arrays
    )


def cells_of(columns: Mapping[str, Any]) -> Columns:
    """The cells as a file would have them."""
    return [(name, [_cell(value) for value in _values(column)]) for name, column in columns.items()]


def _values(column: Any) -> Iterable[Any]:
    for name in ("to_pylist", "to_list", "tolist"):
        if hasattr(column, name):
            values: Iterable[Any] = getattr(column, name)()
            return values
    return list(column)


def _cell(value: Any) -> str:
    if not (isinstance(value, int) and not isinstance(value, bool)) and is_unknown(value):
        return ""
    if hasattr(value, "isoformat"):
        return str(value.isoformat()).replace("T", " ")
    return " ".join(str(value).split())


def named_columns(table: Any, what: str, node: str = "") -> dict[str, Any]:
    """The columns of a table as a file would have them, an index that names nodes first. `node`: which column names
    them, where the user says so."""
    if isinstance(table, Mapping):
        return {"node": list(table.keys()), "label": list(table.values())}
    index = getattr(table, "index", None)
    name = getattr(index, "name", None)
    if what == "edges" or callable(index) or type(index).__name__ in ("NoneType", "RangeIndex"):
        front = {}
    else:
        front = {str(name or "node"): index}
    if not is_frame(table):  # a series
        return {**(front or {"node": range(len(table))}), "label": table}
    columns = columns_of(table)
    if front and name is None and plain(index).dtype.kind in "iu" and _has_names(columns, node):
        front = {}  # numbers of rows that were sorted or chosen from
    return {**front, **columns}


def _has_names(columns: Mapping[str, Any], node: str) -> bool:
    """Is there a column that names nodes: the one that is said to, or a first one of differing texts?"""
    if node in columns:
        return True
    first = list(_values(next(iter(columns.values()), ())))
    return bool(first) and len(set(map(str, first))) == len(first) and all(isinstance(name, str) for name in first)


def write(columns: Mapping[str, Any], path: str) -> None:
    import csv

    cells = cells_of(columns)
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, quoting=csv.QUOTE_MINIMAL)
        writer.writerow([name for name, _ in cells])
        writer.writerows(zip(*(column for _, column in cells)))
