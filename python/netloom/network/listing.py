"""The switches of a network by name, as failures and parts are given."""

from __future__ import annotations

from typing import TypedDict

from .. import _core

#: Characters that a failure ends a name at, so that a name with one of them stands in quotes.
SEPARATING = frozenset(';#"\\,')


class Listed(TypedDict):
    """A switch."""

    number: int
    name: str
    #: Of InfiniBand; None where the file has none.
    guid: str | None
    #: 0 at the endpoints; None where the cables make no levels.
    level: int | None
    #: Number of the part that cables join to it; see `netloom.network`.
    part: int
    #: All of its ports; None where the file does not say how many there are without a cable.
    ports: int | None
    #: Cables to other switches.
    cables: int
    endpoints: int
    #: As `fail` takes it.
    fail: str


def switches(net: _core.Network) -> list[Listed]:
    """The switches that are in service, in the order of their numbers.

    Notes
    -----
    Cost O(links).
    """
    import numpy as np

    names, subnet = net.switch_names, _core.subnet(net)
    levels = _core.likely_levels(net)
    cables = np.bincount(np.asarray(net.tails, dtype=np.int64), minlength=net.switches).tolist()
    endpoints = np.bincount(np.asarray(net.endpoint_switch, dtype=np.int64), minlength=net.switches).tolist()
    part_of = {switch: number for number, part in enumerate(net.parts) for switch in part["switches"]}
    gone = set(net.failed["switches"] if net.failed else ())
    return [
        {
            "number": switch,
            "name": name,
            "guid": None if subnet is None else f"0x{int(subnet['switch_guid'][switch]):016x}",
            "level": None if levels is None else int(levels[switch]),
            "part": part_of.get(switch, 0),
            "ports": None if subnet is None else int(subnet["switch_ports"][switch]),
            "cables": cables[switch],
            "endpoints": endpoints[switch],
            "fail": f"switch:{quoted(name)}",
        }
        for switch, name in enumerate(names)
        if switch not in gone
    ]


def quoted(name: str) -> str:
    """A switch's name as a failure has it: in double quotes where it holds what separates."""
    plain = name and not any(c in SEPARATING or c.isspace() or not c.isprintable() for c in name)
    return name if plain else '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'
