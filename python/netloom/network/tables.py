"""Forwarding tables in files, for the routing `tables("file.csv")`."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from .. import _core, plugin
from ..base import files

#: A dump with the names of all destinations at every switch is several times as long as one without.
SHORTER = "leave out the remarks, which are not needed: sed 's/ [#:] .*//'"


def read_tables(path: str | Path) -> bytes:
    """The bytes of a file of forwarding tables.

    Raises
    ------
    NetloomError
        `NL-X001`, `NL-X002`.
    """
    return files.read(path, SHORTER)


def file_of(routing: str) -> str | None:
    """The file that a routing reads its tables from; None for routings without one.

    Raises
    ------
    NetloomError
        If the text is no routing.
    """
    if routing == "auto" or plugin.find("routings", routing) is not None:
        return None
    name, positional, keyword = _core.parse_call(_core.canonical("routings", routing))
    if name != "tables":
        return None
    given = dict(keyword).get("file", positional[0] if positional else "")
    return str(given) or None


def with_tables(net: _core.Network, routings: Iterable[str], folder: Path) -> _core.Network:
    """The network with the tables that routings name; file names start in `folder`. A plug-in's routing is tables too.

    Raises
    ------
    NetloomError
        `NL-X001`, `NL-X002`, and what is wrong with a file or a class.
    """
    for routing in dict.fromkeys(routings):
        net = plugin.routed(net, routing)
        file = file_of(routing)
        if file is not None:
            net = net.with_tables(read_tables(folder / file), file)
    return net
