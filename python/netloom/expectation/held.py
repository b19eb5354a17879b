"""A log held against a machine, or a matrix of pairs against itself: the answer of `netloom expect`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from .. import _core
from ..base.errors import Fault, NetloomError
from ..evaluate.known_error import alone, costs_software
from ..machine import load
from ..measured import Measurements, read
from ..validation import Predictor
from ..validation.codes import NOTHING_USED
from ..validation.predict import DEFAULT, time_s
from .answer import Band, Expectation, Held
from .explain import Explainer, spread
from .matrix import of_matrix

if TYPE_CHECKING:
    from pathlib import Path

    from ..base.records import Settings
    from ..machine import Machine
    from ..measured import Measurement
    from ..measured.reading import Options

#: Share of the measured time by which a machine that nobody measured may be off.
DEFAULT_BAND = 0.5
#: Smaller sizes say nothing on a machine without costs of software.
LARGE_BYTES = 1 << 20


@dataclass(frozen=True)
class Against:
    """What a log is held against.

    Parameters
    ----------
    machine
        A name, a file or a machine.
    inputs
        Of the scenario, in place of the machine's.
    """

    machine: str | Path | Machine
    inputs: Mapping[str, object] = field(default_factory=dict)


def expect(
    path: str | Path,
    against: Against | None = None,
    options: Options | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> Expectation:
    """What a log of a benchmark should say, and what explains why it does not.

    Parameters
    ----------
    against
        The machine; None for a matrix of the rates of pairs, which needs none.
    options
        What the log does not say; see `netloom.measured.read`.
    progress
        Called with what is done and all there is to do.

    Raises
    ------
    NetloomError
        What is wrong with the log or the machine; `NL-X010` for a log without a machine or a matrix with one;
        `NL-V001` if no row can be used.

    Notes
    -----
    Cost: one simulation of each row; where one is not healthy, one of at most 64 rows for each way of each fault.
    """
    found = read(path, **(options or {}))
    if found.pairs:
        if against is not None:
            sentence = "a matrix of pairs is held against itself"
            raise NetloomError([Fault("NL-X010", "machine", sentence, "", "leave the machine out")])
        return of_matrix(found)
    if against is None:
        hint = "name the machine that was measured: netloom list machines"
        raise NetloomError([Fault("NL-X010", "machine", f"{path} has times, which are held against one", "", hint)])
    return _of_times(str(path), found, against, progress or (lambda done, total: None))


def _of_times(
    path: str, found: Measurements, against: Against, progress: Callable[[int, int], object]
) -> Expectation:
    predictor = Predictor(against.machine, against.inputs)
    predictor.prepare(found.rows)
    dropped = [*((gone.place, gone.reason) for gone in found.dropped), *predictor.dropped]
    rows, used = [], []
    machine = load(against.machine)
    for done, one in enumerate(predictor.prepared):
        progress(done, len(predictor.prepared))
        expected, bound = time_s(one), time_s(one, _wires(one.settings))
        if not expected > 0.0:
            dropped.append((one.row.place, f"{predictor.machine} has no cost of such a message"))
            continue
        rows.append(Held(one.row, expected, bound, band_of(machine, one.row, one.settings, bool(against.inputs))))
        used.append((one, expected))
    if not rows:
        raise NetloomError([_unusable(path, found, dropped)])
    compared = spread(used)
    explainer = Explainer(against.machine, against.inputs, predictor, compared)
    is_odd = any(one.healthy is False or one.is_fast for one in rows)
    findings = explainer.findings(progress) if is_odd else []
    return Expectation(
        predictor.machine, rows, (), findings, explainer.left_out, dropped, found.notes, len(compared) if is_odd else 0
    )


def band_of(machine: Machine, row: Measurement, settings: Settings, is_changed: bool) -> Band:
    """The error that a prediction of a row has on the machine.

    Parameters
    ----------
    is_changed
        Whether inputs replace some of the machine's.
    """
    known = machine.validated
    if known is None or is_changed:
        why = f"{machine.name} was changed" if is_changed else f"nobody has held {machine.name} against measurements"
        if not costs_software(settings) and row.bytes < LARGE_BYTES:
            return Band(float("inf"), "none", f"{machine.name} has no costs of software, which small sizes depend on")
        return Band(DEFAULT_BAND, "none", why)
    beyond = known.beyond(row.nodes, row.ranks_per_node, row.bytes, row.collective)
    return Band(known.p90, "extrapolated" if beyond else "validated", beyond or "measured on this machine")


def _wires(settings: Settings) -> Mapping[str, object]:
    """The settings if software took no time."""
    return _core.machine_settings("machine", alone(settings)["wire"])  # type: ignore[arg-type]


def _unusable(path: str, found: Measurements, dropped: list[tuple[str, str]]) -> Fault:
    place, reason = dropped[0] if dropped else (path, "has no rows")
    is_default = any(row.algorithm in (DEFAULT, "") for row in found.rows)
    hint = "say which algorithm ran: --algorithm ring" if is_default else "netloom list collectives names algorithms"
    return Fault(NOTHING_USED, place, f"none of {len(dropped)} rows can be used: {reason}", "", hint)
