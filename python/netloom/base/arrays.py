"""Columns of numbers as the core gives them: Python's own `array.array`, so that a command that only prints them starts
without NumPy, whose import costs more processor time than most answers.

Functions that people script with return ndarrays all the same: `ndarray` shares the column's memory.
"""

from __future__ import annotations

import sys
from array import array
from typing import TYPE_CHECKING, Any, TypeGuard, TypeVar

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from .. import _core

    Number = TypeVar("Number", bound=np.generic)
    #: Arrays whose number of dimensions is known.
    Vector = np.ndarray[tuple[int], np.dtype[Number]]
    Matrix = np.ndarray[tuple[int, int], np.dtype[Number]]

    #: Endpoint of every rank, on its way between core and command.
    Endpoints = array[int] | NDArray[np.uint32]
    #: Numbers, one per rank.
    Column = array[float] | NDArray[np.float64]

_INTEGERS = frozenset("bBhHiIlLqQ")


def ndarray(column: object) -> NDArray[Any]:
    """The column as an ndarray of the same type, without a copy; an ndarray is itself."""
    import numpy as np

    return np.asarray(column)


def same(one: object, other: object) -> bool:
    """True for equal values: arrays by type and what they hold, also inside lists and mappings; a NaN is itself."""
    if one is other:
        return True
    if hasattr(one, "dtype") and hasattr(other, "dtype"):
        import numpy as np

        left, right = np.asarray(one), np.asarray(other)
        real = left.dtype.kind in "fc"
        return left.dtype == right.dtype and np.array_equal(left, right, equal_nan=real)
    if type(one) is not type(other):
        return False
    if isinstance(one, dict) and isinstance(other, dict):
        return list(one) == list(other) and all(same(one[key], other[key]) for key in one)
    if isinstance(one, (list, tuple)) and isinstance(other, (list, tuple)):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, float) and one != one:
        return other != other
    return bool(one == other)


def is_integers(value: object) -> TypeGuard[array[int]]:
    """True for an `array.array` of integers."""
    return isinstance(value, array) and value.typecode in _INTEGERS


def is_floats(value: object) -> TypeGuard[array[float]]:
    """True for an `array.array` of doubles."""
    return isinstance(value, array) and value.typecode == "d"


def is_numpy_bool(value: object) -> bool:
    """True for NumPy's own True and False; where NumPy was never imported there are none."""
    # Another thread may be in the middle of its import; there are none then either.
    kind = getattr(sys.modules.get("numpy"), "bool_", None)
    return kind is not None and isinstance(value, kind)


def in_service(net: _core.Network) -> NDArray[np.uint32] | None:
    """Endpoints whose switch has not failed, ascending; None for all. O(endpoints)."""
    failed = net.failed
    if failed is None or not failed["switches"]:
        return None
    import numpy as np

    return np.flatnonzero(~np.isin(net.endpoint_switch, failed["switches"])).astype(np.uint32)


def in_service_count(net: _core.Network) -> int:
    """How many endpoints have a switch that has not failed."""
    usable = in_service(net)
    return net.endpoints if usable is None else len(usable)
