"""A calibration: the parameters between a network's links and the cost of a message."""

from __future__ import annotations

import math
from dataclasses import dataclass

from ..base.errors import NetloomError
from .check import Kind, Number, Rows, Text, Whole, Word, check

#: Rows of ``[above_bytes, factor]``.
Factors = tuple[tuple[int, float], ...]
#: Rows of ``[above_bytes, fixed_s, s_per_byte]``.
Overheads = tuple[tuple[int, float, float], ...]


@dataclass(frozen=True)
class Calibration:
    """How the flow engine turns bytes on links into seconds.

    A message of `B` bytes over a route of latency `L` (sum over its links, s) whose slowest link carries `W` bytes/s
    takes, alone, with `E = B + envelope_bytes`::

        latency_factor(E) * L + E / (bandwidth_factor(E) * W)

    Of every table the row with the largest ``above_bytes`` strictly below `E` counts; before the first row, factors are
    1 and overheads 0. An overhead is ``fixed_s + s_per_byte * E``. The defaults are those of no correction at all.

    Parameters
    ----------
    name, description, source
        For people: what it is called, what it stands for, where its numbers come from.
    sharing : {"equal", "rtt", "smpi"}
        How flows share a link: plain max-min; weight 1 / route latency; weight 1 / (route latency + `weight_s_bytes` *
        sum of 1 / bandwidth). A route's latency is the raw one, before the factor; a flow without latency has weight 1.
    weight_s_bytes : float
        The S of sharing "smpi", in bytes, >= 0.
    cross_traffic : float
        Share of its rate that a flow also takes on the way back (acknowledgements), 0 to 1.
    tcp_window_bytes : float
        A flow's rate is at most this / (2 * raw route latency); 0 means no bound.
    envelope_bytes : int
        Bytes that every message carries besides its data, 0 to 2^32.
    latency_factors, bandwidth_factors : list of [above_bytes, factor]
        At most 4096 rows, thresholds ascending; latency factors >= 0, bandwidth factors > 0.
    sender_returns_below_bytes : int
        A blocking send of fewer bytes returns at once; one of more waits for the end of its transfer.
    starts_early_below_bytes : int
        Below it a message moves as soon as it is sent; from it on only when the receive is posted too.
    send_overhead, nonblocking_send_overhead, receive_overhead : list of [above_bytes, fixed_s, s_per_byte]
        Time that a message costs the processor of the blocking sender, the non-blocking sender, the receiver.
    combine_s_per_byte : float
        Time that a reduction takes per byte that is combined, s.
    loopback_latency_s, loopback_bandwidth_bytes_per_s : float
        A message between two ranks of one endpoint takes this latency and `E` / (bandwidth factor * this bandwidth),
        without sharing; infinite bandwidth ("none" in a file) costs the latency alone.

    Raises
    ------
    NetloomError
        NL-L001 for every value that is not in its range.
    """

    name: str = "unnamed"
    description: str = ""
    source: str = ""
    sharing: str = "rtt"
    weight_s_bytes: float = 0.0
    cross_traffic: float = 0.0
    tcp_window_bytes: float = 0.0
    envelope_bytes: int = 0
    latency_factors: Factors = ()
    bandwidth_factors: Factors = ()
    sender_returns_below_bytes: int = 65536
    starts_early_below_bytes: int = 0
    send_overhead: Overheads = ()
    nonblocking_send_overhead: Overheads = ()
    receive_overhead: Overheads = ()
    combine_s_per_byte: float = 0.0
    loopback_latency_s: float = 0.0
    loopback_bandwidth_bytes_per_s: float = math.inf

    def __post_init__(self) -> None:
        clean, faults = check({name: getattr(self, name) for name in KINDS}, KINDS, "Calibration")
        if faults:
            raise NetloomError(faults)
        for name, value in clean.items():
            object.__setattr__(self, name, value)

    def to_core(self) -> dict[str, object]:
        """The engine's input, as plain text, numbers and lists; infinite bandwidth is ``inf``."""
        made = {name: getattr(self, name) for name, kind in KINDS.items() if not isinstance(kind, Text)}
        return {k: [list(row) for row in v] if isinstance(v, tuple) else v for k, v in made.items()}

    def latency_factor(self, size_bytes: int) -> float:
        """Factor on the latency of a message of that size, envelope included."""
        return _row(self.latency_factors, size_bytes, (1.0,))[0]

    def bandwidth_factor(self, size_bytes: int) -> float:
        """Factor on the bandwidth of a message of that size, envelope included."""
        return _row(self.bandwidth_factors, size_bytes, (1.0,))[0]

    def one_way_s(self, size_bytes: int, latency_s: float, bandwidth_bytes_per_s: float) -> float:
        """Time of a lone message from the start of its send to the end of its receive, both posted at once.

        A blocking sender's and the receiver's overheads are in it. O(rows).
        """
        size = size_bytes + self.envelope_bytes
        moving = self.latency_factor(size) * latency_s
        moving += size / (self.bandwidth_factor(size) * bandwidth_bytes_per_s)
        for table in (self.send_overhead, self.receive_overhead):
            fixed_s, s_per_byte = _row(table, size, (0.0, 0.0))
            moving += fixed_s + s_per_byte * size
        return moving


def _row(table: Factors | Overheads, size_bytes: int, otherwise: tuple[float, ...]) -> tuple[float, ...]:
    found = otherwise
    for above, *values in table:
        if above >= size_bytes:
            break
        found = tuple(values)
    return found


_BYTES = Whole((1 << 63) - 1)
_SECONDS = Number("a finite number of seconds >= 0")
_PER_BYTE = Number("a finite number of seconds per byte >= 0")
_OVERHEAD = Rows((_SECONDS, _PER_BYTE), "[above_bytes, fixed_s, s_per_byte]")

#: Type of each field, in file order.
KINDS: dict[str, Kind] = {
    "name": Text(),
    "description": Text(),
    "source": Text(),
    "sharing": Word(("equal", "rtt", "smpi")),
    "weight_s_bytes": Number("a finite number of bytes >= 0"),
    "cross_traffic": Number("a number from 0 to 1", high=1.0),
    "tcp_window_bytes": Number("a finite number of bytes >= 0 (0: no bound)"),
    "envelope_bytes": Whole(1 << 32),
    "latency_factors": Rows((Number("a finite factor >= 0"),), "[above_bytes, factor]"),
    "bandwidth_factors": Rows((Number("a finite factor > 0", above=True),), "[above_bytes, factor]"),
    "sender_returns_below_bytes": _BYTES,
    "starts_early_below_bytes": _BYTES,
    "send_overhead": _OVERHEAD,
    "nonblocking_send_overhead": _OVERHEAD,
    "receive_overhead": _OVERHEAD,
    "combine_s_per_byte": _PER_BYTE,
    "loopback_latency_s": _SECONDS,
    "loopback_bandwidth_bytes_per_s": Number('a number of bytes/s > 0, or "none"', above=True, none=True),
}
