"""How far a measured time may be from the expected one, and the settings if software took no time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from .. import _core
from ..evaluate.known_error import costs_software, wire_of
from .answer import Band

if TYPE_CHECKING:
    from ..base.records import Settings
    from ..machine import Machine
    from ..measured import Measurement

#: Share of the measured time by which a prediction may be off where nobody measured. A link at half its rate is seen.
DEFAULT_BAND = 0.4
#: Smaller sizes say nothing on a machine without costs of software.
LARGE_BYTES = 1 << 20


def band_of(machine: Machine, row: Measurement, settings: Settings, doubt: str = "") -> Band:
    """The error that a prediction of a row has on the machine.

    Parameters
    ----------
    doubt
        Why the machine's own error does not hold for this row; "" if it does.
    """
    known = machine.validated
    if known is None or doubt:
        why = doubt or f"nobody has held {machine.name} against measurements"
        if not costs_software(settings) and row.bytes < LARGE_BYTES:
            return Band(float("inf"), "none", f"{machine.name} has no costs of software, which small sizes depend on")
        share = DEFAULT_BAND if known is None else max(known.p90, DEFAULT_BAND)
        return Band(share, "none" if known is None else "extrapolated", why)
    beyond = known.beyond(row.nodes, row.ranks_per_node, row.bytes, row.collective)
    if beyond:
        return Band(max(known.p90, DEFAULT_BAND), "extrapolated", beyond)
    return Band(known.p90, "validated", "nine tenths of the errors on this machine are within it")


def wires(settings: Settings) -> Mapping[str, object]:
    """The settings if software took no time."""
    return _core.machine_settings("machine", wire_of(settings))
