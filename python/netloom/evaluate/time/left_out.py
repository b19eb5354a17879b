"""What an answer says where a part of the run was simulated: the option `fast` of packets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...base.quantities import time_text

if TYPE_CHECKING:
    from collections.abc import Mapping

#: An error above which a line says where it comes from: up to there the core lets a part grow.
SMALL = 0.1


def sentence(record: Mapping[str, object]) -> str:
    """One line of what was left out, with its error; "" of a run that was to be whole."""
    share, error, error_s, packets = (
        record.get(f"fast_{name}") for name in ("share", "error", "error_s", "packets")
    )  # fmt: skip
    if not isinstance(share, float):
        return ""
    if record["fast_over"] is None:
        return f"Fast is without effect: messages have {packets} packets, mean by bytes; below 140 nothing is skipped."
    assert isinstance(error, float) and isinstance(error_s, float)
    parts = "parts of every message" if record["fast_over"] == "bytes" else "some of the repetitions"
    said = (
        f"Extrapolated from {100 * share:.3g} % of the packets, {parts}: the time may be off by {100 * error:.2g} %, "
        f"{time_text(error_s)}."
    )
    if error <= SMALL:
        return said
    return f"{said} Links were in no steady state yet: buffers still filled, or rates changed."
