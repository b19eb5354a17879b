"""Measurements of `validate --run` next to predictions, and reasons for what is missed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from statistics import median
from typing import TYPE_CHECKING

from ...library import of_text
from ...measured import POINT_TO_POINT, Measurement
from ...validation import Compared, Predictor, Validation, held
from ...workload import DEFAULT
from .rows import Found

if TYPE_CHECKING:
    from pathlib import Path

    from ...machine import Machine

#: A time whose median repetition is longer by this share was disturbed.
DISTURBED = 0.5
#: An error that asks for a reason.
LARGE = 0.25


def measurements(found: Found) -> list[Measurement]:
    """The rows with netloom's names. The algorithm of a collective is the library's own choice."""
    about, made = found.about, []
    for number, row in enumerate(found.rows, 1):
        place = f"{found.name}: measurement {number}"
        if row.what == "collective":
            algorithm = "" if row.name in POINT_TO_POINT else DEFAULT
            made.append(
                Measurement(row.name, algorithm, about.mpi, about.nodes, about.ranks_per_node, row.bytes, row.time_s,
                            place)
            )  # fmt: skip
        elif row.what == "pingpong":
            nodes, each = (2, 1) if row.level == "network" else (1, 2)
            made.append(Measurement("pingpong", "", about.mpi, nodes, each, row.bytes, row.time_s, place))
    return made


def compared(
    found: Found,
    machine: str | Path | Machine,
    inputs: Mapping[str, object] | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> Validation:
    """What a machine's predictions are worth on what was measured, with reasons in its notes.

    Raises
    ------
    NetloomError
        What is wrong with the machine; `NL-V001` if no row can be used.
    """
    given = dict(inputs or {})
    about = found.about
    if about.is_crowded:
        # The node has fewer seats than there are processes.
        given.setdefault("node", f"node(cores={about.ranks_per_node})")
    made = held(measurements(found), Predictor(machine, given), progress=progress)
    return replace(made, notes=[*made.notes, *reasons(found, made.compared)])


def reasons(found: Found, rows: Sequence[Compared]) -> list[str]:
    """Why predictions may be off, as far as the measurements themselves tell it."""
    about, notes = found.about, []
    if about.is_crowded:
        notes.append(
            f"{about.ranks_per_node} processes shared {about.cores} cores: predictions give each a core of its own, "
            "and do not know of waiting for one"
        )
    if about.load >= 0.5:
        notes.append(f"{about.load:.1f} other programs ran or waited on {about.cores} cores when it began")
    times = [row for row in found.rows if row.what in ("collective", "pingpong")]
    disturbed = sum(row.scatter > DISTURBED for row in times)
    if disturbed:
        notes.append(
            f"{disturbed} of {len(times)} times were disturbed: half of their repetitions took "
            f"{100 * (1 + DISTURBED):.0f} % of the time or longer"
        )
    if found.ended != "all":
        notes.append("the measurements ended early: some collectives or sizes are missing")
    return [*notes, *_of_collectives(about.mpi, rows)]


def _of_collectives(mpi: str, rows: Sequence[Compared]) -> list[str]:
    """Whether messages are met and what the library does with them is not."""
    plain = [one.error for one in rows if one.row.collective in POINT_TO_POINT]
    chosen = [one for one in rows if one.row.collective not in POINT_TO_POINT]
    if not plain or not chosen:
        return []
    own, others = median(plain), median(one.error for one in chosen)
    if others < LARGE or others < 2 * own:
        return []
    calls = sorted({one.call.partition("(")[0] for one in chosen})
    library = of_text(mpi) or "the library"
    return [
        f"messages alone are met within {100 * own:.0f} % (median), collectives within {100 * others:.0f} %: what "
        f"{library} does there is only thought ({', '.join(calls)})"
    ]
