"""Workloads: collectives, traffic patterns, applications, user programs, files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from .. import _core
from ..base.arguments import Arguments
from ..base.errors import Fault, NetloomError
from .matrix import as_traffic
from .resolve import (
    DEFAULT,
    FILES,
    WORDS,
    Workload,
    by_collective,
    file_named,
    instead_of_size,
    kind_of,
    left_to_library,
    messages,
    own_program,
    resolve,
    steps,
    stream,
    takes_size,
)
from .traces import read_trace, write_trace
from .traffic import read_traffic, write_traffic

__all__ = [
    "DEFAULT",
    "FILES",
    "WORDS",
    "Workload",
    "application",
    "as_traffic",
    "by_collective",
    "file_named",
    "kind_of",
    "left_to_library",
    "messages",
    "own_program",
    "programs",
    "read_trace",
    "read_traffic",
    "resolve",
    "steps",
    "stream",
    "workload",
    "write_trace",
    "write_traffic",
]


def workload(
    source: Workload | str,
    ranks: int | None = None,
    *,
    root: int = 0,
    size_bytes: int = 0,
    algorithms: Mapping[str, str] | None = None,
) -> Workload:
    """A collective's schedule, a traffic pattern, an application or the content of a file.

    Parameters
    ----------
    source
        `"collective:algorithm"`, a pattern's or an application's call text, a file of traffic (`.csv`, `.mtx`,
        `.npy`, `.npz`, see `read_traffic`), a trace (see `read_trace`) or steps (`.toml`, see `steps`), or what these
        make; a square of bytes per pair of ranks (NumPy, SciPy sparse, pandas), or a frame with the columns of a table.
    ranks
        Number of ranks; a file tells its own.
    root
        Root rank of a rooted collective.
    size_bytes
        See the collective's `size_meaning`. Refused for other workloads: patterns take their own `bytes`.
    algorithms
        What an application or a trace uses for a collective, such as `{"alltoall": "alltoall:pairwise"}`; by default
        what MPICH would choose.

    Examples
    --------
    >>> import netloom
    >>> netloom.workload("allreduce:ring", 8).messages
    112

    Raises
    ------
    NetloomError
        `NL-A002` for a name that nothing has, and what is wrong with the call or the file.
    """
    source = cast("Workload | str", as_traffic(source))
    given = Arguments("workload")
    given.one_of("source", source, (str, _core.Schedule, _core.Traffic, _core.Programs, _core.Sends), WORDS)
    if ranks is not None:
        ranks = given.integer("ranks", ranks)
    elif isinstance(source, str) and kind_of(source) not in FILES:
        given.integer("ranks", ranks)
    root, size_bytes = given.integer("root", root), given.integer("size_bytes", size_bytes)
    given.done()
    # 1 is the size of a scenario that says none.
    if size_bytes > 1 and isinstance(source, str) and not takes_size(source):
        fault = Fault("NL-A007", "workload.size_bytes", "is of collectives only", "", instead_of_size(source))
        raise NetloomError([fault])
    return resolve(source, ranks, root=root, size_bytes=size_bytes, algorithms=algorithms)


def application(text: str, ranks: int, algorithms: Mapping[str, str] | None = None) -> _core.Programs:
    """A registered application (`netloom list applications`), such as `"ft(class=A)"`, on `ranks` ranks.

    Examples
    --------
    >>> import netloom
    >>> netloom.application("cg(class=S)", 4).ranks
    4
    """
    return _core.Programs.application(text, ranks, dict(algorithms or {}))


def programs(actions: Sequence[Sequence[tuple[str | float, ...]]], label: str = "programs") -> _core.Programs:
    """Your own programs: the actions of each rank, in order.

    Parameters
    ----------
    actions
        Per rank a list of tuples: `("send", rank, bytes[, tag])`, `("receive", rank, bytes[, tag])`,
        `("start_send", ...)`, `("start_receive", ...)`, `("sendrecv", to, bytes, from, bytes[, tag])`,
        `("wait", back)` for the request that was started `back` requests ago, `("wait_all",)`, `("compute", flops)`,
        `("sleep", seconds)`, and `("repeat", n, times)` for the next `n` actions. `sendrecv` counts as four.
        `("strand", n)` lets the next `n` actions go on by themselves while the rank does what follows them, and
        `("join",)` waits for all strands that were started in the same program, loop or strand.
    """
    rows = [[tuple(action) for action in body] for body in actions]
    return _core.Programs.from_actions(label, rows)
