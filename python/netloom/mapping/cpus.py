"""Lists of cores and GPUs against the node that they are for."""

from __future__ import annotations

from itertools import accumulate, pairwise
from typing import TYPE_CHECKING

from .. import _core
from ..base import files
from ..base.errors import Fault, NetloomError
from ..network.hierarchy import DescribedNode, Units, node_of
from .rank_files import canonical

if TYPE_CHECKING:
    from collections.abc import Sequence

#: Formats whose numbers are those of the operating system; `pe-list`, `rankfile` and likwid count the cores in order.
OF_SYSTEM = ("map-cpu", "mask-cpu", "hydra-bind", "intel-pin")
#: Levels of a node of cores, from outside.
_LEVELS = ("sockets", "numa", "caches", "cores")


def numbered(formats: Sequence[str], source: str, cores: int, shape: str = "") -> list[str]:
    """Rank file formats whose lists of cores have the numbers of a node's CPUs.

    Parameters
    ----------
    source
        The node, as `netloom.network.hierarchy.node_of` takes it, of a kind that says the numbers of its CPUs.
    cores
        Slots of a host: those without `cpus=[...]` get the first CPU of `cores` cores, in the order of the description.
    shape
        Call of the node whose seats the slots are; empty where nothing tells them apart.

    Raises
    ------
    NetloomError
        NL-A007 for CPUs that are given and that the node lacks or that may not be used, for too few cores, for a
        description without numbers or of another shape, and if no format takes numbers of the operating system.
    """
    calls = [(text, *_core.parse_call(canonical(text))) for text in formats]
    if not any(name in OF_SYSTEM for _, name, _, _ in calls):
        hint = f"give --emit with one of {', '.join(OF_SYSTEM)}"
        raise NetloomError([Fault("NL-A007", "cpus", "formats with CPU numbers of the system", "none", hint)])
    node = _described(source)
    if not node["cpus"]:
        hint = "write it on the node with lstopo --of xml"
        raise NetloomError([Fault("NL-A007", "cpus", "a description with the numbers of the CPUs", source, hint)])
    made, faults = [], _misshaped(shape, node, source)
    for text, name, positional, said in calls:
        if name not in OF_SYSTEM:
            made.append(text)
        elif "cpus" in said:
            made.append(text)
            faults += _unusable(name, said["cpus"], node, source)
        else:
            slots = _size(said.get("slots"), cores)
            faults += _few(slots, node, source)
            made.append(_call(name, positional, said | {"cpus": node["cpus"][:slots]}))
    if faults:
        raise NetloomError(faults)
    return made


def _described(source: str) -> DescribedNode:
    """The node; what is neither a file nor a description is a file that is missing."""
    try:
        return node_of(source)
    except NetloomError as error:
        if all(fault.place == "node" for fault in error.faults):
            files.read(source)
        raise


def require_gpus(formats: Sequence[str], shape: str) -> None:
    """Refuse formats that number GPUs where the seats of the node are cores.

    Raises
    ------
    NetloomError
        NL-F018.
    """
    if not shape or "gpus" in _core.parse_call(shape)[2]:
        return
    for text in formats:
        if canonical(text).partition("(")[0] == "torchrun":
            sentence = f"the seats of {shape} are cores; torchrun numbers GPUs"
            raise NetloomError([Fault("NL-F018", "torchrun", sentence, "", "give a node with gpus, or write rankfile")])


def _misshaped(shape: str, node: DescribedNode, source: str) -> list[Fault]:
    """Seats in other groups than the cores of the description.

    A socket and every level that both have must be as large in both, and groups of one must be whole in the other.
    """
    if not shape:
        return []
    asked = _core.parse_call(shape)[2]
    given = {name: _counts(asked.get(name, 1)) for name in _LEVELS}
    there = {name: _counts(node["levels"].get(name, 1)) for name in _LEVELS}
    if any(len(each) > 1 for each in (*given.values(), *there.values())):
        fits = "gpus" not in asked and _nested(given, there)
        return [] if fits else [_unlike(shape, node, source)]
    counts, own = ({name: each[0] for name, each in levels.items()} for levels in (given, there))
    mine, its = _units(counts), _units(own)
    both = [name for name in _LEVELS[:-1] if counts[name] > 1 and (own[name] > 1 or name == "sockets")]
    sizes = sorted({mine[name] for name in counts if counts[name] > 1} | {its[name] for name in own if own[name] > 1})
    whole = all(large % small == 0 for small, large in pairwise(sizes))
    if "gpus" not in asked and whole and all(mine[name] == its[name] for name in both):
        return []
    return [_unlike(shape, node, source)]


def _unlike(shape: str, node: DescribedNode, source: str) -> Fault:
    hint = f"give --node '{node['node']}', as the file says, or the file of the node that is meant"
    return Fault("NL-A007", "cpus", f"a file of {shape}", f"{node['node']} in {source}", hint)


def _counts(given: object) -> list[int]:
    """Of a level, one number for all units around or one for each of them."""
    return [each for each in (given if isinstance(given, list) else [given]) if isinstance(each, int)] or [1]


def _starts(levels: dict[str, list[int]]) -> dict[str, list[int]]:
    """The first core of each unit of every level; of a level that divides nothing those of the one around it."""
    seats, sizes = Units([1]), {}
    for name in reversed(_LEVELS):
        sizes[name] = seats
        seats = Units(levels[name]).of(seats)
    starts, units = {}, 1
    for name in _LEVELS:
        each = Units(levels[name]).each
        units = sum(each) if len(each) > 1 else units * each[0]
        own = sizes[name].each if len(sizes[name].each) > 1 else sizes[name].each * units
        starts[name] = [0, *accumulate(own)]
    return starts


def _nested(given: dict[str, list[int]], there: dict[str, list[int]]) -> bool:
    """Whether units of nodes of as many cores lie inside one another, and are the same on levels that both have."""
    mine, its = _starts(given), _starts(there)
    divides = {name: (max(given[name]) > 1, max(there[name]) > 1 or name == "sockets") for name in _LEVELS[:-1]}
    same = all(mine[name] == its[name] for name, both in divides.items() if all(both))
    cuts = sorted((set(starts) for starts in (*mine.values(), *its.values())), key=len)
    return same and all(few <= many for few, many in pairwise(cuts))


def _units(counts: dict[str, int]) -> dict[str, int]:
    """Cores in one unit of each level."""
    units, size = {}, 1
    for name in reversed(_LEVELS):
        units[name] = size
        size *= counts[name]
    return units


def _unusable(name: str, given: object, node: DescribedNode, source: str) -> list[Fault]:
    """The CPUs of a list that the node lacks or that may not be used."""
    usable, closed = set(node["usable"]), set(node["closed"])
    numbers = given if isinstance(given, (list, tuple)) else []
    wrong = [
        f"{cpu} ({'offline or not allowed' if cpu in closed else 'not there'})" for cpu in numbers if cpu not in usable
    ]
    expected = f"CPUs of {source} that may be used: {ranges(node['usable'])}"
    hint = "leave cpus out to have these numbers"
    return [Fault("NL-A007", f"{name}.cpus", expected, ", ".join(wrong), hint)] if wrong else []


def _few(slots: int, node: DescribedNode, source: str) -> list[Fault]:
    cores = len(node["cpus"])
    hint = "give fewer ranks per node, or cpus=[...] with a hardware thread for each"
    return (
        [Fault("NL-A007", "cores", f"at most {cores}, the cores of {source}", str(slots), hint)]
        if slots > cores
        else []
    )


def _size(given: object, default: int) -> int:
    return given if isinstance(given, int) else default


def _call(name: str, positional: Sequence[object], said: dict[str, object]) -> str:
    parts = [*map(_word, positional), *(f"{key}={_word(value)}" for key, value in said.items())]
    return f"{name}({','.join(parts)})"


def _word(value: object) -> str:
    if isinstance(value, (list, tuple)):
        return f"[{','.join(map(str, value))}]"
    return f'"{value}"' if isinstance(value, str) else str(value)


def ranges(numbers: Sequence[int]) -> str:
    """`0-3,8` for ascending numbers."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return ",".join(str(a) if a == b else f"{a}-{b}" for a, b in runs)
