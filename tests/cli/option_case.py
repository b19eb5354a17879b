"""A command line on which an option shows what it does, and what several of them share."""

from __future__ import annotations

from typing import NamedTuple


class Case(NamedTuple):
    """A command line, and what the option adds to it.

    Attributes
    ----------
    base
        The command line without the option, without the command.
    added
        The option with its value.
    effect
        `changes` (stdout differs), `files` (files differ), `notes` (stderr differs), `refuses` (exit code 2 where
        nothing else is right), `speed` (the same bytes, by another way), `runs` (only that it is taken),
        `mends` (the line is refused without the option), `idle` (never of effect here, which is said).
    """

    base: str
    added: str
    effect: str = "changes"


TORUS = "-n torus(4,4)"
COLLECTIVE = "-c allreduce:recursive-doubling"
SOCKETS = "--node 'node(sockets=2,cores=2,socket_bandwidth=\"1Gbps\",nics=1)'"
