"""The routing that spreads over as many paths as a network has."""

from __future__ import annotations

from .. import _core

_ONE_WAY = "destination-tag"


def all_paths(net: _core.Network) -> str:
    """All shortest paths; on a butterfly, whose links go one way, the one path that there is."""
    return _ONE_WAY if net.default_routing == _ONE_WAY else "minimal"
