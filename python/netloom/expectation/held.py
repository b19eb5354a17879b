"""A log held against a machine, or a matrix of pairs against its sound ones: the answer of `netloom expect`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..base.ahead import announce, many
from ..base.errors import Fault, NetloomError
from ..base.stopping import Stopped
from ..machine import load
from ..measured import Measurements, read
from ..measured.codes import CONTRADICTION
from ..validation import Predictor
from ..validation.codes import NOTHING_USED
from ..validation.predict import time_s
from .answer import Expectation, Held
from .assumed import CHOSEN, SAYS, assume, candidates
from .band import band_of, wires
from .explain import Against, Explainer, Progress, spread
from .machine_pairs import PairRates
from .matrix import of_matrix

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from ..machine import Machine
    from ..measured.reading import Options
    from ..validation.predict import Prepared
    from .assumed import Assumed

#: Share of the rows that may be outside of the error of a sound machine.
ODD = 0.1
#: Of a row that was not simulated.
OVER = "there was no time for it"
#: All simulations over those of the rows alone, about: for the progress.
FAULTS_TAKE = 8


def expect(
    path: str | Path,
    against: Against | None = None,
    options: Options | None = None,
    progress: Progress | None = None,
) -> Expectation:
    """What a log of a benchmark should say, and what explains why it does not.

    Parameters
    ----------
    against
        The machine; None for a matrix of rates of pairs, which needs none: it is held against its own sound pairs.
    options
        What the log does not say; see `netloom.measured.read`.
    progress
        Called with what is done and all there is to do.

    Raises
    ------
    NetloomError
        What is wrong with the log or the machine; `NL-X010` for a log of times without a machine; `NL-V001` if no row
        can be used.

    Notes
    -----
    Cost: one simulation of each row, up to five where the log does not say which algorithm ran; where more than a tenth
    of the rows are not healthy, one of at most 16 rows for each way of each fault.
    """
    found = _read(path, options or {})
    if found.pairs:
        rates = None if against is None else PairRates(Predictor(against.machine, against.inputs))
        return of_matrix(found, options or {}, rates)
    if against is None:
        hint = "name the machine that was measured: netloom list machines"
        raise NetloomError([Fault("NL-X010", "machine", f"{path} has times, which are held against one", "", hint)])
    return _of_times(str(path), found, against, progress or (lambda done, total: None))


def _read(path: str | Path, options: Options) -> Measurements:
    """The log; a table whose columns say what the options say is no contradiction."""
    try:
        return read(path, **options)
    except NetloomError as error:
        nodes, each = options.get("nodes"), options.get("ranks_per_node")
        if {fault.code for fault in error.faults} != {CONTRADICTION} or (nodes, each) == (None, None):
            raise
        others: Options = {**options, "nodes": None, "ranks_per_node": None}
        found = read(path, **others)
        if any(
            row.nodes != (nodes or row.nodes) or row.ranks_per_node != (each or row.ranks_per_node)
            for row in found.rows
        ):
            raise error from None
        return found


def _of_times(path: str, found: Measurements, against: Against, progress: Progress) -> Expectation:
    predictor = Predictor(against.machine, against.inputs)
    asked = candidates(predictor, found.rows)
    _announce([one for of_row in asked for one in of_row.prepared])
    whole, tried = len(asked), FAULTS_TAKE - 1
    machine = load(against.machine)
    used: list[Assumed] = []
    rows: list[Held] = []
    free: list[tuple[str, str]] = []
    over = False
    try:
        for one in assume(asked, lambda done: progress(done, FAULTS_TAKE * whole)):
            if one.expected_s > 0.0:
                rows.append(_held(one, machine, is_changed=bool(against.inputs)))
                used.append(one)
            else:
                free.append((one.row.place, "takes no time on the machine"))
    except Stopped:
        if not used:
            raise
        over = True
    dropped = [*((gone.place, gone.reason) for gone in found.dropped), *predictor.dropped, *free]
    if over:
        known = {one.row.place for one in used} | {place for place, _ in dropped}
        dropped += [(row.place, OVER) for row in found.rows if row.place not in known]
    if not used:
        raise NetloomError([_unusable(path, found, dropped)])
    odd = sum(one.healthy is False or one.is_fast for one in rows)
    compared = spread(len(used)) if odd > ODD * len(rows) and not over else []
    explainer = Explainer(against, predictor, [used[at] for at in compared])
    findings = explainer.findings(lambda share: progress(int(whole * (1 + tried * share)), FAULTS_TAKE * whole))
    said = [CHOSEN if one.is_chosen else SAYS for one in used if one.is_assumed]
    notes = [*found.notes, *dict.fromkeys(said)]
    if odd and not compared and not over:
        notes.append(f"{odd} of {len(rows)} rows outside of the error are no more than on a sound machine")
    return Expectation(predictor.machine, rows, (), findings, explainer.left_out, dropped, notes, compared)


def _announce(runs: Sequence[Prepared]) -> None:
    """Of all runs, as if no row were looked into: faults are tried only where rows are odd, each on few of them."""
    seconds, messages = (sum(getattr(one, name) for one in runs) for name in ("seconds", "messages"))
    announce(seconds, many(messages, "messages"), "fewer rows, or rows that name their algorithms")


def _held(one: Assumed, machine: Machine, *, is_changed: bool) -> Held:
    settings, doubt = one.prepared.settings, "the algorithm is not known" if one.is_assumed else ""
    # Without eager messages senders wait, which software that sends early does not.
    bound = min(time_s(one.prepared, wires(settings)), one.expected_s)
    band = band_of(machine, one.row, settings, f"{machine.name} was changed" if is_changed else doubt)
    return Held(one.row, one.prepared.row.algorithm, one.expected_s, bound, band)


def _unusable(path: str, found: Measurements, dropped: list[tuple[str, str]]) -> Fault:
    place, reason = dropped[0] if dropped else (path, "has no rows")
    hint = "netloom list collectives names algorithms; netloom describe --machine has the machine's nodes"
    return Fault(NOTHING_USED, place, f"none of {len(dropped)} rows can be used: {reason}", "", hint)
