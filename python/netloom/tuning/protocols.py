"""With which protocol a library of GPUs runs an algorithm."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from .. import _core
from ..library import library, run
from .reorder import split

if TYPE_CHECKING:
    from ..scenario import Question


def protocols(bound: Question) -> Callable[[str, int], str] | None:
    """The protocol of a call at a size in the collective's own meaning, "" for an algorithm that the library does not
    have; None where the scenario's library has no protocols. O(1) each.
    """
    name = bound.text("library")
    if not name or not library(name).gpu:
        return None
    at = bound.chosen.communicator(bound.ranks)

    def protocol(call: str, size_bytes: int) -> str:
        algorithm, _, given = _core.parse_call(_core.canonical("collectives", split(call)[0]))
        if said := str(given.get("protocol") or ""):
            return said
        collective, _, schedule = algorithm.partition(":")
        made = run(name, collective, schedule, size_bytes, at)
        return "" if made is None else made.protocol

    return protocol
