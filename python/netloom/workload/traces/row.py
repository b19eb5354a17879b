"""What a format of traces is to the others: how a file is recognised, and its reader."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypedDict

from ... import _core
from ...base.errors import Fault, NetloomError

if TYPE_CHECKING:
    from ...base.records import Row


#: Where the part of a record that is taken begins or ends: seconds, or a name and its number on each rank.
Border = float | tuple[str, int]
#: Factors on a record: first and last rank with that of their computation, and that of all bytes; and both borders.
Factors = tuple[list[tuple[int, int, float]], float, tuple[Border | None, Border | None]]
#: A record as it is.
ONE: Factors = ([], 1.0, (None, None))


class CallSum(NamedTuple):
    """All calls of one name: how many, the bytes that were given to them, and the seconds that they took in all."""

    calls: int
    bytes: int
    seconds: float


class Survey(TypedDict):
    """What a record says of itself; `communicators` are their sizes, that of all ranks first."""

    events: int
    calls: dict[str, CallSum]
    communicators: list[int]
    span_s: float
    notes: list[str]


@dataclass(frozen=True)
class Untold:
    """In the place of a workload: a record whose sums do not tell who sends to whom.

    Parameters
    ----------
    fault
        What it lacks.
    """

    ranks: int
    fault: Fault


@dataclass(frozen=True)
class Recorded:
    """A record: what its ranks do, and what it says of itself."""

    workload: _core.Programs | _core.Traffic | Untold
    survey: Survey

    def told(self) -> _core.Programs | _core.Traffic:
        """The workload.

        Raises
        ------
        NetloomError
            Why there is none.
        """
        if isinstance(self.workload, Untold):
            raise NetloomError([self.workload.fault])
        return self.workload


@dataclass(frozen=True)
class Source:
    """A file that is to be read.

    Parameters
    ----------
    path
        Of the file, or of a folder for formats of folders.
    head
        Its first 64 KiB; empty of a folder.
    algorithms
        Algorithm by collective, for what is replayed as calls.
    scale
        Factors on what it says.
    """

    path: Path
    head: bytes
    algorithms: Mapping[str, str] = field(default_factory=dict)
    scale: Factors = ONE

    def recording(self, ranks: int, wildcards: bool = False) -> _core.Recording:
        """A record that a reader fills."""
        return _core.Recording(self.place, ranks, wildcards, dict(self.algorithms), self.scale)

    @property
    def is_part(self) -> bool:
        """Whether only a part of it is taken."""
        return self.scale[2] != (None, None)

    def is_border(self, name: str) -> bool:
        """Whether a name in a record is one at which the part begins or ends."""
        names = [one[0] for one in self.scale[2] if isinstance(one, tuple)]
        return any(name == one or name.startswith(f"{one}#") for one in names)

    def size(self, size_bytes: int) -> int:
        """Bytes of a message, scaled."""
        return size_bytes if self.scale[1] == 1.0 else round(size_bytes * self.scale[1])

    @property
    def place(self) -> str:
        """Its name in messages."""
        return str(self.path)


@dataclass(frozen=True)
class TraceFormat:
    """A row.

    Parameters
    ----------
    begins
        Whether a file is one, by what stands in it.
    facts
        What a file says besides what ranks do; None for a format with nothing else.
    is_sums
        Whether it holds sums, which have no begin and no end.
    """

    name: str
    aliases: tuple[str, ...]
    summary: str
    restrictions: str
    source: str
    begins: Callable[[Source], bool]
    read: Callable[[Source], Recorded]
    facts: Callable[[Source], Mapping[str, object]] | None = None
    is_sums: bool = False

    def row(self) -> Row:
        """As `netloom list` shows it."""
        return {
            "name": self.name, "aliases": list(self.aliases), "summary": self.summary, "params": [],
            "signature": self.name, "example": self.name, "restrictions": self.restrictions, "source": self.source,
        }  # fmt: skip


def surveyed(survey: Mapping[str, object]) -> Survey:
    """What the core says of a record."""
    calls: Mapping[str, tuple[int, int, float]] = survey["calls"]  # type: ignore[assignment]  # of the core
    return Survey(**{**survey, "calls": {name: CallSum(*sums) for name, sums in calls.items()}})  # type: ignore[typeddict-item]
