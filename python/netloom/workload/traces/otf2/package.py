"""What the package `otf2` gives: it has no types, and its words are texts such as `Paradigm.MPI`."""

from __future__ import annotations

from typing import Any

#: An event, and anything that an event refers to.
Event = Reference = Any


def word(value: object) -> str:
    """The name of one of its constants."""
    return str(value).rpartition(".")[2]
