"""The libraries whose own choice of algorithm is known, by name."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..base.errors import Fault, NetloomError
from ..base.nearest import did_you_mean
from ..base.registries import catalogue
from .choice import Choice, Communicator
from .codes import NO_CHOICE, UNKNOWN

if TYPE_CHECKING:
    from ..base.records import Row
    from .tuner import Tuner


@dataclass(frozen=True)
class Library:
    """One row.

    Parameters
    ----------
    choose
        Gives the rules: from operation, size and communicator to the choice, None for an operation that it has not.
    tuner
        Of a library that moves data of GPUs: its model, which asks for the rates of a node.
    """

    name: str
    aliases: tuple[str, ...]
    summary: str
    source: str
    choose: Callable[[], Callable[[str, int, Communicator], Choice | None]]
    tuner: Callable[[], Tuner] | None = None

    @property
    def gpu(self) -> bool:
        """True if it moves data of GPUs."""
        return self.tuner is not None


def _tabled(name: str, table: str, by_node: bool = False) -> Callable[[], Callable[..., Choice | None]]:
    def rules() -> Callable[..., Choice | None]:
        from .tabled import Tabled

        return Tabled(name, table, by_node).choose

    return rules


def _han() -> Callable[[str, int, Communicator], Choice | None]:
    from .han import Han
    from .tabled import Tabled

    return Han(Tabled("openmpi-5", "ompi-5")).choose


def _nccl() -> Tuner:
    from .nccl import NCCL

    return NCCL


def _rccl() -> Tuner:
    from .rccl import RCCL

    return RCCL


LIBRARIES: tuple[Library, ...] = (
    Library(
        "openmpi",
        ("ompi", "open-mpi"),
        "Open MPI 4.1: the fixed decision of coll/tuned, by ranks and bytes; it does not look at nodes.",
        "coll_tuned_decision_fixed.c of Open MPI 4.1.4, where coll/han has the least priority",
        _tabled("openmpi", "ompi"),
    ),
    Library(
        "openmpi-5",
        ("ompi-5", "openmpi5", "ompi5", "open-mpi-5"),
        "Open MPI 5.0: coll/han, level by level, where several nodes have several ranks each; coll/tuned elsewhere.",
        "ompi/mca/coll/han, tuned and libnbc of Open MPI 5.0.10",
        _han,
    ),
    Library(
        "mpich",
        (),
        "MPICH: the selection compiled into its generic layer.",
        "maint/tuning/coll/mpir/generic.json of MPICH 4.0.2",
        _tabled("mpich", "mpich", by_node=True),
    ),
    Library(
        "cray-mpich",
        ("cray", "craympich"),
        "Cray MPICH: the rules of the MPICH that it derives from; its own are not published.",
        "MPICH 3.4 and 4.0.2, held against times of Cray MPICH 8.1.29 (github.com/HLC-Lab/pico)",
        _tabled("cray-mpich", "cray-mpich", by_node=True),
    ),
    Library(
        "nccl",
        (),
        "NCCL: the least time of its tuner's table over ring, tree, NVLS and the protocols LL, LL128, Simple.",
        "src/graph/tuning.cc of NCCL, commit b6475625",
        lambda: _nccl().choose,
        _nccl,
    ),
    Library(
        "rccl",
        (),
        "RCCL: NCCL's model with a table of its own, ring and tree, LL and Simple.",
        "src/graph/tuning.cc of RCCL, commit 9e22c79d, model 0",
        lambda: _rccl().choose,
        _rccl,
    ),
)
#: The first number of a version after a library's name.
_MAJOR = re.compile(r"[ \-v]*([0-9]+)")
_BY_WORD = {word: row for row in LIBRARIES for word in (row.name, *row.aliases)}


def names() -> list[str]:
    """Names of all libraries."""
    return [row.name for row in LIBRARIES]


def library(name: str) -> Library:
    """The library of that name or alias.

    Raises
    ------
    NetloomError
        `NL-D001` with the nearest name.
    """
    row = _BY_WORD.get(name.strip().lower())
    if row is None:
        hint = did_you_mean(name, names(), "libraries")
        raise NetloomError([Fault(UNKNOWN, "library", f'there is no library "{name[:80]}"', "", hint)])
    return row


def of_text(text: str) -> str:
    """The name of the library that a text such as `Open MPI 4.1.6` or `cray-mpich 8.1.29` names; "" for none."""
    words = text.strip().lower().replace("_", "-")
    for word in ("cray-mpich", "craympich", "open mpi", "open-mpi", "openmpi", "ompi", "mpich", "nccl", "rccl"):
        if words.startswith(word):
            found = library(word.replace(" ", "-")).name
            major = _MAJOR.match(words, len(word))
            return "openmpi-5" if found == "openmpi" and major and int(major[1]) >= 5 else found
    return ""


def choose(name: str, collective: str, size_bytes: int, at: Communicator) -> Choice:
    """What a library chooses for one call by its own rules.

    Parameters
    ----------
    name
        Of the library, or an alias.
    collective
        The catalogue's name of the operation.
    size_bytes
        In the collective's own meaning.

    Raises
    ------
    NetloomError
        `NL-D001` for an unknown library, `NL-D007` if it has no such operation.

    Notes
    -----
    O(1). The choice is that for ranks that fill one node after another.

    Examples
    --------
    >>> from netloom.library import Communicator, choose
    >>> choose("openmpi", "allreduce", 8, Communicator(16)).call()
    'allreduce:recursive-doubling'
    """
    row = library(name)
    made = row.choose()(collective, size_bytes, at)
    if made is None:
        hint = f"name an algorithm{_such_as(collective)}; netloom list {collective} has all"
        raise NetloomError([Fault(NO_CHOICE, "library", f"{row.name} has no {collective}", "", hint)])
    return made


def _such_as(collective: str) -> str:
    """The first of the catalogue, for a hint."""
    first = next((row for row in catalogue("collectives") if row["name"].startswith(f"{collective}:")), None)
    return f", such as {first['name']}" if first else ""


def run(name: str, collective: str, algorithm: str, size_bytes: int, at: Communicator) -> Choice | None:
    """How a library of GPUs runs an algorithm that it is told to take: with its own protocol, over its own channels.

    None for another library, and for an algorithm that it does not have. Parameters and errors are those of `choose`.
    """
    row = library(name)
    return row.tuner().run(collective, algorithm, size_bytes, at) if row.tuner else None


def rows() -> list[Row]:
    """The libraries as rows of `netloom.catalogue`."""
    return [
        {
            "name": row.name,
            "aliases": list(row.aliases),
            "summary": row.summary,
            "params": [],
            "signature": row.name,
            "example": row.name,
            "restrictions": "",
            "source": row.source,
        }
        for row in LIBRARIES
    ]
