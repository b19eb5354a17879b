"""What the library chooses by itself, as `netloom collectives` shows it next to the fastest algorithms."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ..base.quantities import counted
from .output import note

if TYPE_CHECKING:
    from ..scenario import Question
    from ..tuning import Timing
    from ..tuning.unchanged import Unchanged


def by_library(timing: Timing, bound: Question) -> list[Unchanged]:
    """The choice at every size; a note, and nothing, where the library has no such collective."""
    from ..base.errors import NetloomError
    from ..library.codes import NO_CHOICE
    from ..tuning.reorder import SUFFIX, split
    from ..tuning.unchanged import unchanged

    try:
        found = unchanged(
            timing,
            lambda size: bound.chosen.choice(timing.collective, timing.ranks, size),
            lambda name, size: bound.chosen.call(split(name)[0], timing.ranks, size) + SUFFIX * split(name)[1],
        )
    except NetloomError as error:
        if error.faults[0].code != NO_CHOICE:
            raise
        note(f"note: {error.faults[0].expected}")
        return []
    if missing := len(timing.sizes) - len(found):
        note(f"note: what the library chooses by itself was not timed at {counted(missing, 'size')}, for want of time")
    return found


def note_asked_after(kinds: list[str], bound: Question) -> None:
    """A note where Open MPI 5 asks coll/han before the file that is written for coll/tuned."""
    from ..library import library

    name = bound.text("library")
    if "ompi" not in kinds or not name or library(name).name != "openmpi-5":
        return
    at = bound.chosen.communicator(bound.ranks)
    if min(at.local, at.nodes) > 1:
        note(
            "note: where several nodes have several ranks each Open MPI 5 asks coll/han before the file: with "
            "OMPI_MCA_coll=^han the file decides"
        )


def show_unchanged(own: list[Unchanged]) -> None:
    """A line for each run of sizes with the same algorithm, and how it differs from what the library runs."""
    from itertools import groupby

    from ..base.quantities import size_text, time_text
    from ..base.winner import is_tie

    for call, group in groupby(own, key=lambda one: one.choice.call()):
        rows = list(group)
        first, worst = rows[0], max(rows, key=lambda one: one.slower_by or 1.0)
        lead = f"unchanged, {first.choice.library} {first.choice.version}, from {size_text(first.size_bytes)}: "
        if is_tie(worst.best_s, worst.time_s):
            click.echo(f"{lead}{_short(call)}, as fast as any")
            continue
        at = f"{time_text(worst.time_s)} where {_short(worst.best)} takes {time_text(worst.best_s)}"
        size = f" at {size_text(worst.size_bytes)}" if len(rows) > 1 else ""
        click.echo(f"{lead}{_short(call)}, {worst.slower_by:.3g} times the fastest{size}: {at}")
    for call, why in dict.fromkeys((one.choice.call(), one.choice.note) for one in own if one.choice.note):
        note(f"note: {_short(call)}: {why}")


def _short(call: str) -> str:
    """Without the collective, which the first line names."""
    return call.partition(":")[2]
