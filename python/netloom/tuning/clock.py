"""What times a schedule."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NotRequired, Protocol, TypeAlias, TypedDict

if TYPE_CHECKING:
    from .. import _core
    from .reorder import Places

#: `(network, schedule call, mapping, size, root)` to `{"time_s": ..., "finish_s": ...}`.
#: The mapping is what was given, or a column of the core.
Clock: TypeAlias = "Callable[[_core.Network, str, Places, int, int], Taken]"


class Simulated(Protocol):
    """A clock that takes the seat of every rank on its endpoint too; "": in order of rank."""

    def __call__(
        self, net: _core.Network, call: str, mapping: Places, size_bytes: int, root: int, /, seats: Places | str = ""
    ) -> Taken: ...


class Taken(TypedDict):
    """The result of a clock: the end of the last rank and, if known, of every rank."""

    time_s: float
    finish_s: NotRequired[Sequence[float]]
