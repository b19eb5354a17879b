"""What is behind the endpoints of a network whose mapping is read or written."""

from __future__ import annotations

from .. import _core
from ..base.arguments import Arguments


def node_of(function: str, text: str | None, net: _core.Network | None = None) -> _core.Node | None:
    """The node of a call text, behind the endpoints of a network; None if it is not given."""
    if text is None:
        return None
    given = Arguments(function)
    text = given.text("node", text)
    given.done()
    return _core.Node(text) if net is None else _core.Node(text).on(net)


def seats_of(function: str, cores: int | None, node: _core.Node | None) -> int:
    """Slots of each endpoint: those that are said, else the seats of the node, else 1."""
    if cores is None:
        return 1 if node is None else node.seats_per_endpoint
    given = Arguments(function)
    cores = given.natural("cores", cores)
    given.done()
    return cores
