"""Which way a column of an evaluator is better: the least of a time, the greatest of a rate, neither of a count.

One row for each evaluator; `tests/unit/test_whatif_directions.py` asks for every column. A column of a plug-in says it
by its unit, or not at all.
"""

from __future__ import annotations

from typing import Literal

from .base import Evaluator

Direction = Literal["least", "greatest", ""]

#: Loads of switch links that the options `features` of `loads` and `packet` give. How many links are above the mean
#: says nothing of how loaded they are.
_FEATURES = (
    *("dilation_ao_mean", "dilation_max", "dilation_ao_sum"),
    *("bytes_mean", "bytes_ao_mean", "bytes_to_mean", "bytes_near_mean", "bytes_max", "fifo_max"),
)
_STALLS = tuple(
    f"{start}_{end}" for start in ("stalls", "stallsp") for end in ("mean", "ao_mean", "to_mean", "near_mean", "max")
)
#: On the critical path.
_SHARES = (
    *("compute_s", "combine_s", "copy_s", "call_s", "overhead_s", "gap_s", "rendezvous_s", "software_s", "latency_s"),
    *("bandwidth_s", "contention_s", "waiting_s"),
)
_TIMES = ("time_s", "repetition_s", "first_s", "mean_s", *_SHARES, "value")
_RATES = ("mop_per_s", "bandwidth_bytes_per_s")
#: Bytes on switch links: of the most loaded one and in all. The least loaded one and quartiles say how loads spread.
_LOADS = ("mean_bytes", "max_bytes")

#: By evaluator, the columns of which the least is best, and those of which the greatest is.
DIRECTIONS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "metrics": (("diameter", "aspl"), ("bisection_lower", "bisection_upper")),
    "hops": (
        (
            *("total_hops", "mean_hops", "max_hops", "hop_bytes", "average_dilation", "average_hops_per_byte"),
            *("average_bytes_per_link", "inter_node_messages", "inter_node_bytes", "value"),
        ),
        (),
    ),
    "loads": (
        (
            *("bytes_sent", "inter_node_bytes", "switch_bytes", "mean_hops", *_LOADS, "total_bytes"),
            *("endpoint_max_bytes", "max_s", "slowdown", "contentions", *_FEATURES, "value"),
        ),
        (),
    ),
    "learned": (("time_s", "low_s", "high_s", "beyond"), ()),
    "time": (_TIMES, _RATES),
    "packet": (
        (
            *_TIMES, "fast_error_s", "fast_error", "waits", "most_buffer_bytes", *_LOADS, "stalls_per_packet_s",
            "queue_mean", "queue_max", *_FEATURES, *_STALLS,
        ),
        _RATES,
    ),
    "throughput": (("zero_load_latency", "latency_mean", "latency_p99"), ("saturation", "ideal", "accepted")),
    "verify": (("max_bytes_sent",), ()),
    "cost": (
        (
            "cable_length_total_m", "cable_length_mean_m", "cable_length_max_m", "cable_cost_usd", "switch_cost_usd",
            "total_usd",
        ),
        (),
    ),
}  # fmt: skip
#: Units that say it of a column of a plug-in.
_LEAST = ("s", "hops", "cycles", "USD")


def direction(row: Evaluator, column: str) -> Direction:
    """``least`` or ``greatest``; "" of a column of which neither is better."""
    if row.name in DIRECTIONS:
        least, greatest = DIRECTIONS[row.name]
        return "least" if column in least else "greatest" if column in greatest else ""
    unit = next((one.unit for one in row.columns if one.name == column), "")
    return "greatest" if unit.endswith("/s") else "least" if unit in _LEAST else ""
