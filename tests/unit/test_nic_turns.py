"""The NIC of output-queued switches: messages take turns from their first packet."""

from __future__ import annotations

import numpy as np
import pytest

import netloom

#: Bytes per second and seconds of a link of an endpoint.
SPEED, LATENCY = 12.5e9, 100e-9


def ends(flows: list[tuple[int, int, int]], injection: str = "round-robin", packet: int = 4096) -> list[float]:
    columns = np.array(flows, np.int64).T
    load = netloom.Traffic.from_flows("flows", 4, columns[0], columns[1], np.ones(len(flows), np.int64), columns[2])
    switch = f"output-queued(packet_bytes={packet},injection={injection})"
    found = netloom.simulate("complete(1,p=4)", workload=load, switch=switch, calibration="pure")
    return [float(end) for end in found["finish_s"]]


def takes(*packets: int) -> float:
    return sum(packets) / SPEED + 2 * LATENCY


def test_a_short_message_waits_for_one_packet_of_a_long_one() -> None:
    assert ends([(0, 1, 40960), (0, 2, 256)])[2] == pytest.approx(takes(4096, 256))
    assert ends([(0, 1, 40960), (0, 2, 256)], "fcfs")[2] == pytest.approx(takes(40960, 256))


def test_three_messages_take_turns() -> None:
    made = ends([(0, 1, 40960), (0, 2, 8192), (0, 3, 8192)])
    assert made[2] == pytest.approx(takes(4096, 4096, 4096, 4096, 4096))
    assert made[3] == pytest.approx(takes(4096, 4096, 4096, 4096, 4096, 4096))


def test_the_long_message_loses_no_more_than_its_turns() -> None:
    assert ends([(0, 1, 40960), (0, 2, 256)])[1] == pytest.approx(takes(40960, 256))
