"""Which algorithm of a library a timed schedule is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from ... import _core, plugin
from ...base.errors import NetloomError
from ...base.registries import catalogue
from ...library.decide import differs_on, schedule_of, table_of
from ..reorder import SUFFIX, split

if TYPE_CHECKING:
    from ..tables import Timing

#: Segments of pipelined trees and rings that a rule file can set in Open MPI, besides one whole message.
SEGMENTS = (1, 4, 16)
#: Schedule with `segments`, and Open MPI's algorithm to whose segment size it corresponds.
_SEGMENTED = {
    "bcast": {"broadcast:chain": "pipeline", "broadcast:k-ary": "binary_tree"},
    "reduce": {"reduce:chain": "pipeline", "reduce:k-ary": "binary"},
    "allreduce": {"allreduce:segmented-ring": "segmented_ring"},
}


def canonical(call: str) -> str:
    """The call with all its parameters, under the registered name; a plug-in's as it is written."""
    schedule, turned = split(call)
    if plugin.find("collectives", schedule) is not None:
        return call
    return _core.canonical("collectives", schedule) + (SUFFIX if turned else "")


def parameters(call: str) -> tuple[str, dict[str, object]]:
    """Registered name and all parameters, regardless of rank order."""
    name, _, named = _core.parse_call(canonical(split(call)[0]))
    return name, named


def of_table(library: str, collective: str, ranks: int) -> dict[str, str]:
    """Canonical call to the library's name, for a library with a decision table; the first name of a schedule wins."""
    row = table_of(library)["collectives"].get(collective)
    found: dict[str, str] = {}
    for name, facts in ({} if row is None else row["algorithms"]).items():
        call = schedule_of(facts, ranks)
        if isinstance(call, str):
            found.setdefault(canonical(call), name)
    return found


def ompi_segmented(collective: str, call: str, ranks: int, size_bytes: int) -> tuple[str, int] | None:
    """Open MPI's algorithm and segment size in bytes for a call with segments, None if it has none."""
    name, named = parameters(call)
    pipelined = None if split(call)[1] else _SEGMENTED.get(collective, {}).get(name)
    if pipelined is not None and named.get("k", 2) == 2:
        segments = int(str(named["segments"]))
        if pipelined == "segmented_ring":
            # Its segments cut the block of one rank.
            block = -(-size_bytes // ranks)
            return pipelined, -(-block // segments)
        return pipelined, 0 if segments == 1 else max(1, -(-size_bytes // segments))
    return None


def ompi(collective: str, call: str, ranks: int, size_bytes: int) -> tuple[str, int] | None:
    """Open MPI's algorithm and segment size in bytes for a call, None if it has none.

    The two-process algorithms are left out: they are refused on any other communicator.
    """
    pipelined = ompi_segmented(collective, call, ranks, size_bytes)
    if pipelined is not None:
        return pipelined
    found = of_table("ompi", collective, ranks).get(canonical(call))
    return None if found is None or found == "two_proc" else (found, 0)


def known_to(kinds: Iterable[str], names: Iterable[str], ranks: int) -> list[set[str]]:
    """Of some algorithms of one collective those that each kind of tuning file has."""
    full = {name: canonical(name) for name in names if _is_call(name)}
    words = {name.partition(":")[0] for name in full}
    there = [{call for word in words for call in calls(kind, word, ranks)} for kind in kinds]
    return [{name for name, call in full.items() if call in known} for known in there]


def _is_call(name: str) -> bool:
    try:
        canonical(name)
    except NetloomError:
        # Whoever times it says why.
        return False
    return True


def of_timing(library: str, collective: str, timing: Timing) -> dict[str, tuple[str, str]]:
    """Timed calls that a library with a decision table has: its name, and how its pairs of ranks differ from ours.

    A schedule that the library runs with its ranks in another order stands for it only where that order was not timed.
    """
    row = table_of(library)["collectives"][collective]
    exact = of_table(library, collective, timing.ranks)
    near: dict[str, str] = {}
    for name, facts in row["algorithms"].items():
        if isinstance(facts["netloom"], str):
            near.setdefault(canonical(facts["netloom"]), name)
    found = {}
    timed = {call: canonical(call) for call in timing.algorithms()}
    named = {exact[call] for call in timed.values() if call in exact}
    for call, full in timed.items():
        if full in exact:
            name = exact[full]
            found[call] = (name, differs_on(row["algorithms"][name], timing.ranks))
        elif full in near and near[full] not in named:
            found[call] = (near[full], "the library reverses the bits of every rank")
    return found


def variants(library: str, collective: str, call: str, ranks: int) -> list[str]:
    """The same algorithm with the order of ranks in which a library runs it, where that is another one."""
    full, found = canonical(call), []
    for word, row in table_of(library)["collectives"].items() if library in ("ompi", "mpich") else ():
        exact = of_table(library, word, ranks) if row["netloom"] == collective else {}
        for turned, name in exact.items():
            plain = row["algorithms"][name]["netloom"]
            if turned != full and isinstance(plain, str) and canonical(plain) == full and turned not in found:
                found.append(turned)
    return found


def aliased(library: str, call: str) -> str | None:
    """The name after `library:collective:` among the aliases of a call's row: for NCCL and UCC."""
    name, _ = parameters(call)
    if split(call)[1]:
        return None
    for row in catalogue("collectives"):
        if row["name"] == name:
            for alias in row["aliases"]:
                if alias.startswith(f"{library}:"):
                    return str(alias.rpartition(":")[2])
    return None


def without(timing: Timing) -> str:
    """Why a file holds nothing of a collective."""
    return f"{timing.collective}: it has none of the algorithms that were timed"


def calls(library: str, collective: str, ranks: int) -> Iterator[str]:
    """Schedules to time so that a library's file has all of its algorithms to choose from.

    Parameters
    ----------
    library
        `ompi`, `mpich`, `nccl` or `ucc`.
    collective
        Netloom's word.
    """
    if library in ("ompi", "mpich"):
        for word, row in table_of(library)["collectives"].items():
            if row["netloom"] == collective:
                yield from of_table(library, word, ranks)
                for name in _SEGMENTED.get(word, {}) if library == "ompi" else ():
                    extra = "k=2," if name.endswith("k-ary") else ""
                    yield from (canonical(f"{name}({extra}segments={count})") for count in SEGMENTS)
        return
    for registered in catalogue("collectives"):
        name = str(registered["name"])
        if name.partition(":")[0] == collective and aliased(library, name) is not None:
            yield canonical(name)
