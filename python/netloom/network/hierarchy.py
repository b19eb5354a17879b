"""The description of a node from what hwloc prints, or from counts."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import TypedDict

from .. import _core
from ..base import files
from ..base.errors import Fault, NetloomError

#: The machine that runs netloom.
HERE = "host"
LSTOPO = ("lstopo", "--of", "xml")
LIMIT_S = 60


class DescribedNode(TypedDict):
    """What `node_of` gives; see there."""

    node: str
    nodes: int | None
    levels: dict[str, int | list[int]]
    seats: int
    nics: int
    cpus: list[int]
    usable: list[int]
    closed: list[int]
    notes: list[str]


class Units:
    """Units of a level in each unit around it: one number for all, or one for each of them in order."""

    def __init__(self, each: Sequence[int]) -> None:
        #: One number where all are the same.
        self.each = list(each[:1]) if len(set(each)) == 1 else list(each)

    @property
    def alone(self) -> bool:
        """Whether each unit around has one."""
        return self.each == [1]

    @property
    def plain(self) -> int | list[int]:
        """The number, or the list."""
        return self.each[0] if len(self.each) == 1 else self.each

    def of(self, inner: Units) -> Units:
        """Units of the next level in each unit around this one. O(units)."""
        if len(inner.each) == 1:
            return Units([count * inner.each[0] for count in self.each])
        left = iter(inner.each)
        counts = self.each if len(self.each) > 1 else self.each * (len(inner.each) // self.each[0])
        return Units([sum(islice(left, count)) for count in counts])

    def __str__(self) -> str:
        return str(self.plain).replace(" ", "")


def node_of(
    source: str | Path, keep: str | None = None, insert: str | None = None, nodes: str | None = None
) -> DescribedNode:
    """The node that a description of a machine's levels stands for.

    Parameters
    ----------
    source
        A file of `lstopo --of xml` (hwloc 1 or 2), of `scontrol show node` or the lines `NodeName=` of slurm.conf, or
        of NCCL's topology XML, of which GPUs are the seats; a synthetic string such as
        `"package:2 numa:4 l3:2 core:8 pu:1"` or of `lstopo --of synthetic`; counts such as `"16,2,2,8"` for nodes,
        sockets, NUMA domains and cores; or `"host"`, the machine that this runs on.
    keep
        Levels that remain, such as `"sockets,cores"`; the units of others become units of the level around them. By
        default all.
    insert
        Levels that the description lacks, such as `"caches=4"`: the units of the next level inside are divided into
        that number of groups.
    nodes
        Of what Slurm says, a host list of those that count, where not all are alike.

    Returns
    -------
    dict
        `node` (a call), `nodes` (how many, or None), `levels` (units in each around them, a list where these differ),
        `seats`, `nics`, `cpus`
        (what the operating system calls the first CPU of each core, in the order of the seats), `usable` (all CPUs that
        may be used), `closed` (those that are offline or not allowed), `notes`. The lists of CPUs are empty where the
        description does not tell.

    Raises
    ------
    NetloomError
        NL-F018 for nodes or GPUs that differ, NL-A007 for unknown levels and groups that do not divide, NL-X015
        without `lstopo`, and what is wrong with a file.

    Notes
    -----
    Of hwloc, sockets are packages, NUMA domains are cores with the same local memory, and caches are the outermost
    level that divides a domain and that cores share. A file and a string of one machine give the same node.

    >>> node_of("16,2,2,8")["node"]
    'node(sockets=2,numa=2,cores=8)'
    """
    text = str(source)
    place = text if text == HERE or _is_file(text) else "node"
    found = _core.hierarchy(_data(text), place, nodes or "")
    inner = "gpus" if found["gpus"] else "cores"
    counts = {inner if name == "cores" else name: Units(count) for name, count in found["levels"]}
    if insert:
        _insert(counts, insert)
    kept = _kept(keep, list(counts), inner)
    levels: dict[str, Units] = {}
    merged = seats = Units([1])
    for name, count in counts.items():
        merged, seats = merged.of(count), seats.of(count)
        if name in kept:
            levels[name], merged = merged, Units([1])
    parts = [f"{name}={count}" for name, count in levels.items() if not count.alone or name == inner]
    if (speed := found["speed_bytes_per_s"]) is not None:
        parts.append(f'{inner.removesuffix("s")}_bandwidth="{speed * 8e-9:g} Gbps"')
    if found["links"]:
        parts.append(f'links="{found["links"]}"')
    if found["nics"] > 1:
        parts.append(f"nics={found['nics']}")
    return {
        "node": f"node({','.join(parts)})",
        "nodes": found["nodes"],
        "levels": {name: count.plain for name, count in levels.items()},
        "seats": seats.each[0],
        "nics": found["nics"],
        "cpus": found["cpus"],
        "usable": found["usable"],
        "closed": found["closed"],
        "notes": found["notes"],
    }


def _insert(counts: dict[str, Units], text: str) -> None:
    """Levels such as `caches=4`, whose groups the units of the next level inside form."""
    known = list(counts)
    for part in text.split(","):
        name, _, number = (word.strip() for word in part.partition("="))
        if name not in known[:-1] or not counts[name].alone or not number.isdecimal() or int(number) < 1:
            free = [level for level in known[:-1] if counts[level].alone]
            hint = f"free levels: {', '.join(free)}" if free else "all levels are there"
            raise NetloomError([Fault("NL-A007", "node.insert", "LEVEL=COUNT of a level not there", repr(part), hint)])
        inside = next((level for level in known[known.index(name) + 1 :] if not counts[level].alone), known[-1])
        groups, own = int(number), counts[inside].each
        if any(count % groups for count in own):
            expected = f"groups whose number divides the {counts[inside]} {inside}"
            raise NetloomError([Fault("NL-A007", "node.insert", expected, part)])
        divided = [count // groups for count in own for _ in range(groups if len(own) > 1 else 1)]
        counts[name], counts[inside] = Units([groups]), Units(divided)


def _kept(keep: str | None, known: list[str], inner: str) -> set[str]:
    """The levels that remain; the innermost always does."""
    if keep is None:
        return set(known)
    names = [name.strip() for name in keep.split(",")]
    for name in names:
        if name not in known:
            raise NetloomError([Fault("NL-A007", "node.keep", f"levels of {', '.join(known)}", repr(name))])
    return {*names, inner}


def _is_file(text: str) -> bool:
    return files.is_file(text) or Path(text).suffix == ".xml"


def _data(text: str) -> bytes:
    if text != HERE:
        return files.read(text) if _is_file(text) else text.encode()
    hint = "install hwloc, or give the XML file of a machine that has it"
    try:
        done = subprocess.run(LSTOPO, capture_output=True, timeout=LIMIT_S, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise NetloomError([Fault("NL-X015", HERE, f"lstopo cannot be run: {error}", "", hint)]) from None
    if done.returncode != 0:
        said = done.stderr.decode(errors="replace").strip().splitlines()
        raise NetloomError([Fault("NL-X015", HERE, f"lstopo fails: {said[0] if said else done.returncode}", "", hint)])
    return done.stdout
