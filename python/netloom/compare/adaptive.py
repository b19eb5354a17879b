"""What an adaptive variant means to link loads and to packets, and how far apart that puts them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

#: Variants that choose among direct paths and detours, or detours alone, and where a packet looks.
_DETOURS = {
    "adaptive-indirect": "its first buffer, times links",
    "adaptive-hybrid": "its first buffer, times links",
    "adaptive-global": "the buffers of all its links",
    "adaptive-progressive": "its first buffer, times links, and may look again after a hop",
}
#: Variants that choose among direct paths alone.
_PATHS = ("adaptive-direct", "adaptive-escape")
#: Bytes within this share are the same: packets have headers.
ALIKE = 0.05


def two_meanings(variants: Iterable[str], loads: NDArray[np.float64], packets: NDArray[np.float64]) -> list[str]:
    """A sentence for each adaptive variant, with how far apart the two models are; nothing without one.

    Parameters
    ----------
    variants
        Names of the variants of all jobs, without arguments.
    loads, packets
        Bytes on each link between switches, by the two models.
    """
    said = []
    for name in dict.fromkeys(variants):
        if name in _DETOURS and packets.any():
            said.append(
                f"{name}: link loads, and flows with them, split a message over all its candidates by the room on "
                f"their links, as if no NIC bounded it; a packet takes the one with least in {_DETOURS[name]}. "
                + _of_all(float(loads.sum() / packets.sum()))
            )
        elif name in _PATHS and loads.any():
            most = float(np.abs(packets - loads).max() / loads.max())
            said.append(
                f"{name}: link loads, and flows with them, split a message over its paths by the room on their links; "
                "a packet takes the one whose next buffer has most room. Here no link's bytes differ by more than "
                f"{most:.0%} of the busiest one's."
            )
    return said


def _of_all(ratio: float) -> str:
    """Bytes of link loads over those of packets."""
    if abs(ratio - 1) <= ALIKE:
        return "Here both put as many bytes on links."
    if ratio < 1:
        return (
            f"Here link loads put {ratio:.2f} times as many bytes on links: long queues send packets on more detours."
        )
    return (
        f"Here link loads put {ratio:.2f} times as many bytes on links, by more or longer detours. The slower the "
        "NICs, the farther apart: up to 2.1 times in what was tried."
    )
