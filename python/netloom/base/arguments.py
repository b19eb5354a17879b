"""Arguments of Python functions brought to the core's types; what cannot be is refused in words, all of it together."""

from __future__ import annotations

import contextlib
import math
import operator
from collections.abc import Iterable
from numbers import Real
from typing import TYPE_CHECKING, SupportsIndex

from .arrays import is_integers, is_numpy_bool
from .errors import Fault, NetloomError
from .nearest import did_you_mean

if TYPE_CHECKING:
    from .arrays import Endpoints

_BAD_VALUE = "NL-A007"


class Arguments:
    """Collects the faults of one call's arguments; the core checks ranges.

    Parameters
    ----------
    owner
        Name of the function, for messages.
    """

    def __init__(self, owner: str) -> None:
        self.owner = owner
        self.faults: list[Fault] = []

    def _refuse(self, name: str, expected: str, value: object) -> None:
        self.faults.append(Fault(_BAD_VALUE, f"{self.owner}.{name}", expected, _shown(value)))

    def integer(self, name: str, value: object) -> int:
        """An integer of 64 bits, also NumPy's; not a bool."""
        number = 1 << 63
        if isinstance(value, SupportsIndex):
            # An array has `__index__` and refuses unless it is one integer.
            with contextlib.suppress(TypeError):
                number = operator.index(value)
        if isinstance(value, bool) or is_numpy_bool(value) or not -(1 << 63) <= number < 1 << 63:
            self._refuse(name, "an integer", value)
            return 0
        return number

    def natural(self, name: str, value: object, most: int = (1 << 32) - 1) -> int:
        """An integer in 0..`most`."""
        number = self.integer(name, value)
        if not 0 <= number <= most:
            self._refuse(name, f"an integer in 0..{most}", value)
            return 0
        return number

    def number(self, name: str, value: object) -> float:
        """A real number, also NumPy's; not a bool."""
        if isinstance(value, Real) and not isinstance(value, bool) and not is_numpy_bool(value):
            return float(value)
        self._refuse(name, "a number", value)
        return 0.0

    def text(self, name: str, value: object, hint: str = "") -> str:
        if isinstance(value, str):
            return value
        self._refuse(name, f"text{' such as ' + hint if hint else ''}", value)
        return ""

    def flag(self, name: str, value: object) -> bool:
        if not isinstance(value, bool) and not is_numpy_bool(value):
            self._refuse(name, "True or False", value)
            return False
        return bool(value)

    def seconds(self, name: str, value: object) -> float | None:
        """A positive finite time, or None."""
        if value is None:
            return None
        number = value if isinstance(value, (int, float)) and not isinstance(value, bool) else math.nan
        if not 0 < number < 1e9:
            self._refuse(name, "a number of seconds > 0", value)
            return None
        return float(number)

    def one_of(self, name: str, value: object, types: tuple[type, ...], words: str) -> None:
        if not isinstance(value, types):
            self._refuse(name, words, value)

    def endpoints(self, name: str, value: object) -> Endpoints:
        """A mapping, endpoint numbers, one per rank: a column of the core as it is, anything else as an ndarray."""
        if is_integers(value) and len(value):
            return value
        import numpy as np

        wanted = "a list of endpoint numbers, one per rank"
        if isinstance(value, (str, bytes, dict)) or not isinstance(value, Iterable):
            self._refuse(name, wanted, value)
            return np.zeros(0, dtype=np.int64)
        try:
            array = np.asarray(value if isinstance(value, np.ndarray) else list(value))
        except (ValueError, TypeError, OverflowError):
            array = np.asarray("")
        if array.ndim != 1 or not array.size or not np.issubdtype(array.dtype, np.integer):
            self._refuse(name, wanted, value)
            return np.zeros(0, dtype=np.int64)
        # The core uses unsigned numbers and could not echo it.
        if array.min() < 0:
            self._refuse(name, "endpoint numbers >= 0", int(array.min()))
        return array

    def done(self) -> None:
        """Raises `NetloomError` with all that was refused."""
        if self.faults:
            raise NetloomError(self.faults)


def require_names(owner: str, given: Iterable[str], names: Iterable[str]) -> None:
    """Refuse options that a function does not take.

    Raises
    ------
    NetloomError
        NL-A003 for each, with the nearest name.
    """
    known = list(names)
    faults = [
        Fault("NL-A003", f"{owner}.{name}", f"is no option of {owner}", "", did_you_mean(name, known, "options"))
        for name in given
        if name not in known
    ]
    if faults:
        raise NetloomError(faults)


def _shown(value: object) -> str:
    try:
        return repr(value)
    except Exception:
        # A user's class may fail to describe itself.
        return f"a {type(value).__name__}"
