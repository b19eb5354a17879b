"""`fast` of packets: a part of a run, and the time of the whole with its error."""

from __future__ import annotations

import random

import pytest

import netloom
from netloom.base.errors import NetloomError

SWITCH = "output-queued(packet_bytes=64,buffer_bytes=256)"


def asked(network: str, workload: str, fast: bool = True, switch: str = SWITCH, **more: object) -> netloom.Answer:
    options = {name: more.pop(name) for name in ("threads", "trace") if name in more}
    scenario = netloom.Scenario(network, workload=workload, **{"calibration": "pure", **more})  # type: ignore[arg-type]
    return netloom.evaluate(scenario, "packet", switch=switch, fast=fast, **options)  # type: ignore[call-overload, no-any-return]


def both(network: str, workload: str, **more: object) -> tuple[dict[str, float], float]:
    """The record of a fast run, and the time of the whole."""
    found = asked(network, workload, **dict(more)).record
    whole = asked(network, workload, fast=False, **dict(more)).record
    assert whole["fast_share"] is None and whole["fast_error"] is None
    assert (found["messages"], found["total_bytes"]) == (whole["messages"], whole["total_bytes"])
    return found, float(str(whole["time_s"]))  # type: ignore[return-value]


def test_one_long_message_takes_its_bytes_over_its_bandwidth() -> None:
    # Three links and no latency: the head of a packet is there at once, and packets follow each other.
    found, whole = both('torus(2,bandwidth="1 GBps",latency="0 s")', "pair(0,1,bytes=64000)" if False else "shift(k=1,bytes=64000)")
    assert found["time_s"] == pytest.approx(64e-6, rel=1e-9) and whole == pytest.approx(64e-6, rel=1e-9)
    assert found["fast_over"] == "bytes" and found["fast_share"] == pytest.approx(7 * 7 / 1000)
    assert found["fast_error_s"] <= 1e-9 * whole and found["fast_packets"] == 1000


def test_all_to_one_takes_the_bytes_of_all_over_one_link() -> None:
    found, whole = both('star(9,bandwidth="1 GBps",latency="0 s")', "incast(bytes=64000)")
    assert found["time_s"] == pytest.approx(whole, rel=1e-9)
    assert whole == pytest.approx(8 * 64e-6, rel=1e-2)
