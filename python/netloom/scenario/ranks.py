"""Whether a scenario says how many ranks there are, on any network."""

from __future__ import annotations

from collections.abc import Container


def alike(given: Container[str]) -> bool:
    """Whether the inputs say how many ranks there are on each network."""
    return "ranks" in given or ("nodes" in given and "ranks_per_node" in given)
