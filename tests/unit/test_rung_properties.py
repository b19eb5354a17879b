"""Every rung counts a property of the network and its machine, refuses it, or says that it does not count."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import netloom
from netloom import calibration
from netloom.base.errors import NetloomError
from netloom.evaluate.properties import CALIBRATION, PROPERTIES, RUNGS

#: Evaluator and options of each rung.
ASKED: dict[str, tuple[str, dict[str, Any]]] = {
    "hops": ("hops", {}),
    "loads": ("loads", {}),
    "time": ("time", {}),
    "packet/output-queued": ("packet", {"switch": "output-queued(packet_bytes=1024)"}),
    "packet/input-queued": ("packet", {"switch": "input-queued"}),
    "packet/booksim": ("packet", {"switch": "input-queued(model=booksim)"}),
}
CURVE = {"loads": "0.6", "saturation": False, "warm_up": 300, "cycles": 2000}
ASKED |= {
    "throughput/output-queued": ("throughput", {"switch": "output-queued(packet_bytes=256)", **CURVE}),
    "throughput/input-queued": ("throughput", {"switch": "input-queued", **CURVE}),
    "throughput/booksim": ("throughput", {"switch": "input-queued(model=booksim,packet_flits=4)", **CURVE}),
}
#: One NIC sends to a near and a far endpoint; two endpoints exchange; two ranks of one endpoint talk.
FLOWS = ((0, 1, 30_000), (0, 2, 60_000), (2, 0, 30_000), (6, 7, 20_000), (7, 6, 20_000))
#: What each switch model calls the size of its buffers.
SMALLER = {
    "output-queued": "output-queued(packet_bytes={packet},buffer_bytes={packet})",
    "input-queued": "input-queued(buffer_packets=1,channels=2)",
    "booksim": "input-queued(model=booksim,buffer_flits=2{packet})",
}


def traffic() -> netloom.Traffic:
    columns = np.array(FLOWS, np.int64).T
    return netloom.Traffic.from_flows("flows", 8, columns[0], columns[1], np.ones(len(FLOWS), np.int64), columns[2])


def scenario(network: str = "ring(4)", **inputs: object) -> dict[str, object]:
    return {"network": network, "workload": traffic(), "mapping": [0, 1, 2, 3, 0, 1, 2, 2], **inputs}


def costs(**changed: object) -> dict[str, object]:
    """A scenario with a calibration that differs from `pure` in this."""
    return scenario(calibration=calibration.load("pure").but(**changed))


#: Scenarios that differ in one property; those of buffers differ in the switch model.
VARIED: dict[str, tuple[dict[str, object], dict[str, object]]] = {
    "bandwidth": (scenario(), scenario('ring(4,bandwidth="40 Gbps",endpoint_bandwidth="100 Gbps")')),
    "latency": (scenario(), scenario('ring(4,latency="3 us")')),
    "switch_latency": (scenario(), scenario(switch_latency="2 us")),
    "node": (
        scenario("ring(4)"),
        scenario("ring(4)", node='node(cores=8,nics=2,core_bandwidth="8 Gbps",core_latency="2 us")'),
    ),
    "duplex": (scenario(), scenario(duplex="half")),
    "overheads": (scenario(), costs(nonblocking_send_overhead=((0, 1e-5, 0.0),))),
    "latency_factors": (scenario(), costs(latency_factors=((0, 50.0),))),
    "bandwidth_factors": (scenario(), costs(bandwidth_factors=((0, 0.5),))),
    "sharing": (scenario(), costs(sharing="equal")),
    "cross_traffic": (scenario(), costs(cross_traffic=0.5)),
    "tcp_window": (scenario(), costs(tcp_window_bytes=100.0)),
    "loopback": (scenario(), costs(loopback_latency_s=1e-3)),
    "background": (scenario(), scenario(background=[{"src": 0, "dst": 2, "bytes": 1_000_000}])),
}


def answer(rung: str, asked: dict[str, object], buffers: bool = False) -> netloom.Answer:
    name, options = ASKED[rung]
    if buffers:
        packet = {"packet": 1024, "throughput": 256}[name] if rung.endswith("output-queued") else ""
        packet = ",packet_flits=4" if rung == "throughput/booksim" else packet
        options = options | {"switch": SMALLER[rung.partition("/")[2]].format(packet=packet)}
    if name == "hops":
        asked = {key: value for key, value in asked.items() if key != "routing"}
    if name in ("time", "packet"):
        asked = {"calibration": "pure"} | asked
    return netloom.evaluate(asked, name, **options)


def said(made: netloom.Answer) -> str:
    return " ".join((*made.assumptions, *made.explain()))


def test_every_property_is_counted_or_refused_or_left_out() -> None:
    for name, rung in RUNGS.items():
        assert not rung.counts & rung.refuses, name
        assert rung.counts | rung.refuses | set(rung.left_out) == set(PROPERTIES), name
    assert set(VARIED) | {"buffers"} == set(PROPERTIES) and set(CALIBRATION) < set(PROPERTIES)
    assert set(ASKED) == set(RUNGS)


@pytest.mark.parametrize("rung", ASKED)
@pytest.mark.parametrize("name", VARIED)
def test_a_property_changes_the_answer_or_is_refused_or_is_named(rung: str, name: str) -> None:
    before, after = VARIED[name]
    base = answer(rung, before)
    try:
        made = answer(rung, after)
    except NetloomError:
        assert name in RUNGS[rung].refuses
        return
    assert name not in RUNGS[rung].refuses
    if name in RUNGS[rung].counts:
        assert made.record != base.record
    else:
        assert made.record == base.record
        assert PROPERTIES[name] in said(made), said(made)


@pytest.mark.parametrize("rung", ASKED)
def test_buffers_change_the_answer_or_are_named(rung: str) -> None:
    base = answer(rung, scenario())
    if "buffers" not in RUNGS[rung].counts:
        assert PROPERTIES["buffers"] in said(base)
        return
    assert answer(rung, scenario(), buffers=True).record != base.record


@pytest.mark.parametrize("rung", ASKED)
def test_the_answer_names_the_model_that_was_used(rung: str) -> None:
    made = answer(rung, scenario())
    assert made.model == RUNGS[rung].model and made.assumptions == RUNGS[rung].sentences()


def test_a_latency_that_the_switch_was_given_is_named() -> None:
    given = netloom.evaluate(scenario(calibration="pure"), "packet", switch="input-queued(link_delay=3)")
    assert "in place of their latency" in said(given)
    assert given.record["time_s"] != answer("packet/input-queued", scenario()).record["time_s"]
