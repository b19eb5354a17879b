"""How many ranks a scenario has, and what is said where scenarios that are compared have different numbers of them."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable

from ..base.errors import NetloomError
from ..scenario import Calls, Scenario, Workshop
from ..scenario.ranks import alike
from . import bound_of
from .base import Evaluator

#: Inputs of which each value may have another number of ranks, without a word about ranks.
SIZED = ("network", "machine", "format", "part", "fail", "node", "cores", "placement")
#: Evaluators whose main numbers are of each endpoint, so that more of them are no more work.
OF_EACH = ("throughput",)


def may_differ(row: Evaluator, given: Collection[str]) -> bool:
    """Whether networks of other sizes would do another amount of work: ranks count, and nobody says how many."""
    return row.axis("ranks") is not None and row.name not in OF_EACH and not alike(given) and "jobs" not in given


def ranks_of(row: Evaluator, scenario: Scenario) -> int | None:
    """Ranks of the only job; None where the scenario is refused. Cost: that of its network."""
    try:
        return bound_of(row, scenario, Workshop(Calls(scenario.folder)), lambda done, total: None).ranks
    except NetloomError:
        return None


def ends(counts: Iterable[int | None]) -> tuple[int, int] | None:
    """The least and the most ranks; None where all are the same, or none is known."""
    known = {count for count in counts if count is not None}
    return (min(known), max(known)) if len(known) > 1 else None


def differ_said(found: tuple[int, int], given: Container[str]) -> str:
    """``Ranks differ, 8 to 128, as `ranks` is not given: ...``."""
    least, most = found
    if "nodes" in given or "ranks_per_node" in given:
        other = "ranks_per_node" if "nodes" in given else "nodes"
        return f"Ranks differ, {least:,} to {most:,}, as `{other}` is not given: give it to compare the same work"
    return (
        f"Ranks differ, {least:,} to {most:,}, as `ranks` is not given and each network is filled: give ranks={least} "
        "to compare the same work"
    )
