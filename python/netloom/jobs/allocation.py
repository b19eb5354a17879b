"""Cores and CPUs of each node of a job, as ``squeue --json`` and ``scontrol show job --json`` list them.

``data_parser`` v0.0.41 and later (Slurm 24.05) has a list ``nodes.allocation`` with ``cpus.count`` and, socket by
socket, the status of every core; those before it have ``allocated_nodes``, a list or a mapping of objects with
``cpus_used`` and a mapping of sockets and cores. Field names: Slurm's data_parser plug-ins.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .asked import MOST, refuse
from .codes import BAD_VALUE

Details = list[tuple[str, str]]
Counts = list[tuple[str, int]]


def allocated(resources: object, place: str) -> tuple[Details, Counts]:
    """Numbers of cores, and how many CPUs, by node; nothing where the list does not say.

    Raises
    ------
    NetloomError
        NL-J002 for a node without a name, or a count that is none.
    """
    details: Details = []
    counts: Counts = []
    for number, node in enumerate(_nodes(resources)):
        name = node.get("name", node.get("nodename"))
        here = f"{place}: node {number}"
        if not isinstance(name, str) or not name:
            raise refuse(BAD_VALUE, here, "an object with the name of a node", ascii(name)[:60])
        cpus = node.get("cpus")
        count = cpus.get("count") if isinstance(cpus, dict) else node.get("cpus_used", cpus)
        if isinstance(count, dict):
            count = count.get("number") if count.get("set", True) is True else None
        if count is not None:
            if type(count) is not int or not 0 <= count <= MOST:
                raise refuse(BAD_VALUE, f"{here}.cpus", f"an integer in 0..{MOST}", ascii(count)[:60])
            counts.append((name, count))
        if cores := _cores(node.get("sockets")):
            details.append((name, ",".join(map(str, cores))))
    return details, counts


def _nodes(resources: object) -> list[dict[str, Any]]:
    if not isinstance(resources, dict):
        return []
    nodes = resources.get("nodes")
    listed = nodes.get("allocation") if isinstance(nodes, dict) else resources.get("allocated_nodes")
    if isinstance(listed, dict):
        listed = [node if not isinstance(node, dict) or "nodename" in node else {**node, "nodename": name}
                  for name, node in listed.items()]  # fmt: skip
    return [node for node in listed if isinstance(node, dict)] if isinstance(listed, list) else []


def _cores(sockets: object) -> list[int]:
    """Numbers of the allocated cores, counted over the sockets of a node; none where a socket does not list its own."""
    found: list[int] = []
    first = 0
    for _, cores in _numbered(sockets):
        listed = list(_numbered(cores.get("cores") if isinstance(cores, dict) else None))
        if not listed:
            return []
        for number, core in listed:
            status = core.get("status") if isinstance(core, dict) else core
            states = status if isinstance(status, list) else [status]
            # A core that another job has too is given as allocated there; idle ones are UNALLOCATED.
            if any(isinstance(state, str) and state.upper() in ("ALLOCATED", "IN_USE") for state in states):
                found.append(first + number)
        first += max(number for number, _ in listed) + 1
    return found


def _numbered(items: object) -> Iterator[tuple[int, Any]]:
    """Sockets or cores by number: a list of objects with ``index``, or a mapping by number."""
    if isinstance(items, dict):
        pairs = [(int(key), value) for key, value in items.items() if key.isdecimal() and len(key) < 6]
    elif isinstance(items, list):
        given = [item for item in items if isinstance(item, dict)]
        fits = [item for item in given if type(item.get("index")) is int and 0 <= item["index"] < 100_000]
        pairs = [(item["index"], item) for item in fits]
    else:
        pairs = []
    yield from sorted(pairs, key=lambda pair: pair[0])
