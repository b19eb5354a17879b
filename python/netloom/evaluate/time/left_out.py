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
    share, error, error_s, packets, ranks = (
        record.get(f"fast_{name}") for name in ("share", "error", "error_s", "packets", "ranks")
    )  # fmt: skip
    if not isinstance(share, float):
        return ""
    over = record["fast_over"]
    if over is None:
        return (
            f"Fast is without effect: messages have {packets} packets, mean by bytes, and below 140, or within an "
            "error of 0, nothing is skipped; no two parts of the machine do the same apart from each other."
        )
    assert isinstance(error, float) and isinstance(error_s, float) and isinstance(over, str)
    acted = (
        f"{ranks} ranks were simulated, {100 * share:.3g} % of the packets; each other one does, apart from them, what "
        "one of them does"
    )
    if over == "ranks":
        return f"{acted}: the time is that of the whole run."
    parts = "parts of every message" if over.endswith("bytes") else "some of the repetitions"
    said = (
        f"Extrapolated from {100 * share:.3g} % of the packets, {parts}: the time may be off by {100 * error:.2g} %, "
        f"{time_text(error_s)}."
    )
    if over.startswith("ranks"):
        said = f"{said} {acted}."
    if error <= SMALL:
        return said
    return f"{said} Links were in no steady state yet: buffers still filled, or rates changed."
