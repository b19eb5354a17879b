"""A file of measurements held against a machine: the answer of `netloom validate`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..base.ahead import announce, many
from ..base.errors import Fault, NetloomError
from ..base.stopping import Stopped
from ..measured import read
from .codes import NOTHING_USED
from .predict import Predictor, call_of, time_s
from .score import Compared, Score, score

if TYPE_CHECKING:
    from pathlib import Path

    from ..machine import Machine
    from ..measured import Measurement


@dataclass(frozen=True)
class Validation:
    """What a machine's predictions are worth on measurements.

    Attributes
    ----------
    machine
        Its name.
    compared
        Rows with their prediction, in the order of the files.
    dropped
        Place and reason of rows that were not used.
    notes
        What readers of files assumed.
    """

    machine: str
    compared: Sequence[Compared]
    score: Score
    dropped: Sequence[tuple[str, str]]
    notes: Sequence[str]

    def by_algorithm(self) -> list[dict[str, object]]:
        """Rows, median error and bias of each algorithm and number of nodes, the worst first."""
        groups: dict[tuple[str, int, int], list[Compared]] = {}
        for one in self.compared:
            groups.setdefault((call_of(one.row), one.row.nodes, one.row.ranks_per_node), []).append(one)
        scored = {key: score(own) for key, own in groups.items()}
        return [
            {
                "workload": call,
                "nodes": nodes,
                "ranks_per_node": each,
                "rows": found.rows,
                "median_error": found.median,
                "p90_error": found.p90,
                "bias": found.bias,
            }
            for (call, nodes, each), found in sorted(scored.items(), key=lambda item: -item[1].median)
        ]

    def reasons(self) -> dict[str, int]:
        """How many rows were not used for which reason, the commonest first."""
        found: dict[str, int] = {}
        for _, reason in self.dropped:
            found[reason] = found.get(reason, 0) + 1
        return dict(sorted(found.items(), key=lambda item: -item[1]))


def validate(
    paths: Sequence[str | Path],
    machine: str | Path | Machine,
    inputs: Mapping[str, object] | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> Validation:
    """Every measurement of the files next to what netloom says of it on the machine.

    Parameters
    ----------
    inputs
        Of the scenario, in place of the machine's.
    progress
        Called with rows done and all rows.

    Raises
    ------
    NetloomError
        What is wrong with a file or the machine; `NL-V001` if no row can be used.

    Notes
    -----
    Cost: one simulation of each row.
    """
    found = [read(path) for path in paths]
    rows = [row for one in found for row in one.rows]
    dropped = [(gone.place, gone.reason) for one in found for gone in one.dropped]
    notes = list(dict.fromkeys(note for one in found for note in one.notes))
    return held(rows, Predictor(machine, inputs), dropped, notes, progress)


def held(
    rows: Sequence[Measurement],
    predictor: Predictor,
    dropped: Sequence[tuple[str, str]] = (),
    notes: Sequence[str] = (),
    progress: Callable[[int, int], object] | None = None,
) -> Validation:
    """Rows next to what a predictor says of them.

    Parameters
    ----------
    dropped, notes
        Of whoever read the rows.

    Raises
    ------
    NetloomError
        `NL-V001` if no row can be used.
    """
    predictor.prepare(rows)
    left_out = [*dropped, *predictor.dropped]
    if not predictor.prepared:
        first = left_out[0] if left_out else ("the measurements", "have no rows")
        hint = "netloom list collectives names the algorithms"
        raise NetloomError(
            [Fault(NOTHING_USED, first[0], f"none of {len(left_out)} rows can be used: {first[1]}", "", hint)]
        )
    compared = []
    seconds, messages = (sum(getattr(one, name) for one in predictor.prepared) for name in ("seconds", "messages"))
    announce(seconds, many(messages, "messages"), "fewer rows")
    try:
        for done, one in enumerate(predictor.prepared):
            if progress is not None:
                progress(done, len(predictor.prepared))
            compared.append(Compared(one.row, time_s(one), one.call))
    except Stopped:
        if not compared:
            raise
        left_out += [(one.row.place, "there was no time for it") for one in predictor.prepared[len(compared) :]]
    return Validation(predictor.machine, compared, score(compared), left_out, notes)
