"""Which rungs can rate mappings in the time that is left."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import _core

if TYPE_CHECKING:
    from ..scenario import Question
    from .candidates import Candidate
    from .methods import Watch

#: Most packet hops of all ratings without a budget.
PACKET_HOPS = 1 << 20
PACKET_BYTES = 2048
#: Packet hops that are simulated in a second, a cautious number.
PACKET_PACE = 1_000_000


def few_packets(bound: Question, ones: list[Candidate], watch: Watch) -> bool:
    """True if packets of these mappings are simulated within the time that is left, or soon."""
    # Every hop of every packet, with the two links of endpoints.
    sent = bound.messages if isinstance(bound.messages, _core.Traffic) else _core.Traffic.of_schedule(bound.messages)
    known = [one.worth.get("hop_bytes") for one in ones]
    hops = max(float("inf") if number is None else float(number) for number in known) + 2 * sent.bytes
    packets = len(ones) * bound.repetitions * (hops / PACKET_BYTES + 4 * sent.messages)
    return packets / PACKET_PACE <= watch.left and (watch.seconds is not None or packets <= PACKET_HOPS)
