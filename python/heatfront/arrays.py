"""Arrays as users have them into arrays as the library takes them. Nothing here imports what it converts from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ._core import Error

if TYPE_CHECKING:
    from numpy.typing import NDArray


def plain(array: Any) -> NDArray[Any]:
    """Any array, tensor, series or list as NumPy's."""
    if hasattr(array, "detach"):  # a tensor of PyTorch
        array = array.detach().cpu()
    if hasattr(array, "to_numpy") and not hasattr(array, "to_pylist"):  # Arrow's refuses gaps
        return np.asarray(array.to_numpy())
    if not hasattr(array, "__array__") and hasattr(array, "__dlpack__"):
        return np.from_dlpack(array)
    return np.asarray(array)


def whole_numbers(array: Any, what: str, most: int, dtype: type[np.signedinteger[Any]]) -> NDArray[Any]:
    """The array as whole numbers from 0 to below `most`."""
    numbers = plain(array)
    if numbers.ndim != 1:
        raise Error(f"{what}: one dimension is expected, it has {numbers.ndim}")
    if numbers.size == 0:
        return np.zeros(0, dtype)
    if numbers.dtype.kind not in "iu":
        raise TypeError(f"{what}: whole numbers are expected, it holds {numbers.dtype}")
    low, high = int(numbers.min()), int(numbers.max())
    if low < 0 or high >= most:
        raise Error(f"{what}: numbers from 0 to {most - 1} are expected, it has {low if low < 0 else high}")
    return np.ascontiguousarray(numbers, dtype)


def reals(array: Any, what: str) -> NDArray[np.float32]:
    """The array as single precision, all of it finite."""
    numbers = plain(array)
    if numbers.dtype.kind in "cMmUSV":
        raise TypeError(f"{what}: numbers are expected, it holds {numbers.dtype}")
    if numbers.dtype.kind == "O":
        try:
            numbers = numbers.astype(np.float64)
        except (TypeError, ValueError):
            raise TypeError(f"{what}: numbers are expected, it holds {numbers.dtype}") from None
    with np.errstate(over="ignore"):
        result = np.ascontiguousarray(numbers, np.float32)
    if not np.isfinite(result).all():
        raise Error(f"{what}: finite numbers are expected, it has NaN, infinity or more than single precision holds")
    return result


def is_unknown(label: Any) -> bool:
    """Is this how somebody says that a label is not known: None, NaN, NA, -1?"""
    if label is None:
        return True
    if isinstance(label, (bool, np.bool_)):
        return False
    if isinstance(label, (int, np.integer)):
        return int(label) == -1
    try:
        return bool(label != label)
    except (TypeError, ValueError):  # pandas' NA does not say
        return True


def names(values: Any, count: int, what: str) -> list[str]:
    """Names as a list of text; none where there are none."""
    if values is None:
        return []
    result = [str(value) for value in (values.tolist() if hasattr(values, "tolist") else values)]
    if len(result) != count:
        raise Error(f"{what}: {count} names are expected, there are {len(result)}")
    return result


def settings_of(settings: dict[str, Any]) -> list[str]:
    """Keyword arguments as the settings of a model."""

    def text(value: Any) -> str:
        if isinstance(value, (bool, np.bool_)):
            return "true" if value else "false"
        if isinstance(value, Sequence) and not isinstance(value, str):
            return ",".join(text(item) for item in value)
        return str(value)

    return [f"{name}={text(value)}" for name, value in settings.items()]
