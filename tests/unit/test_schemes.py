"""Choices among paths under traffic that is bad for minimal routes: what each accepts, the channels it needs."""

from __future__ import annotations

import pytest

import netloom
from netloom.cli import main

DRAGONFLY = "dragonfly(a=4,p=2,h=2,g=9)"
#: Every endpoint sends to the next group: eight endpoints share one global link.
NEXT = "shift(k=8)"
VARIANTS = ("static-direct", "static-indirect", "adaptive-hybrid", "adaptive-global", "adaptive-progressive")
SWITCHES = {
    "input-queued": "input-queued(channels=5,buffer_packets=8)",
    "output-queued": "output-queued(packet_bytes=256,buffer_bytes=4096)",
}


def saturation(net: str, workload: str, switch: str, **asked: str) -> float:
    short = {"loads": "0.02", "warm_up": 10_000, "cycles": 5000, "drain": 0, "details": False, "switch": switch}
    scenario = netloom.Scenario(net, workload=workload, **asked)  # type: ignore[arg-type]
    return float(str(netloom.evaluate(scenario, "throughput", **short).record["saturation"]))


@pytest.mark.parametrize("switch", SWITCHES)
def test_detours_carry_what_a_global_link_cannot_and_all_queues_tell_more_than_one(switch: str) -> None:
    asked = {"routing": "group-minimal"}
    found = {
        variant: saturation(DRAGONFLY, NEXT, SWITCHES[switch], variant=variant, **asked)
        for variant in (
            "static-direct",
            "static-indirect",
            "adaptive-hybrid",
            "adaptive-global",
            "adaptive-progressive",
        )
    }
    assert found["static-direct"] <= 1 / 8 + 0.01
    # Every detour crosses two global links: half of what they carry.
    assert 0.38 < found["static-indirect"] <= 0.57
    # One share of the eight goes directly, the others over two global links each: 4.5 of 8 at most.
    for variant in ("adaptive-hybrid", "adaptive-global", "adaptive-progressive"):
        assert 3.5 * found["static-direct"] < found[variant] <= 4.5 / 8 + 0.01, found
    assert found["adaptive-global"] > found["adaptive-hybrid"] - 0.01, found
    assert found["adaptive-progressive"] > 0.9 * found["adaptive-hybrid"], found


@pytest.mark.parametrize("traffic", ["transpose", "tornado"])
def test_a_bubble_frees_adaptive_packets_on_a_torus_from_the_order_of_dimensions(traffic: str) -> None:
    for channels in (2, 4):
        switch = f"input-queued(channels={channels})"
        ordered = saturation("torus(8,8)", traffic, switch, routing="dimension-ordered")
        free = saturation("torus(8,8)", traffic, switch, routing="minimal", variant="adaptive-escape")
        assert ordered <= 0.25 + 0.01 and free > 1.5 * ordered, (ordered, free)


def test_an_escape_tree_needs_one_channel_where_shortest_paths_need_as_many_as_hops() -> None:
    net, switch = "random_regular(64,degree=6,seed=1)", "input-queued(channels=2)"
    tree = saturation(net, "uniform", switch, routing="up-down", variant="adaptive-direct")
    escape = saturation(net, "uniform", switch, routing="minimal", variant="adaptive-escape")
    assert escape > 2 * tree
    with pytest.raises(netloom.NetloomError, match="needs 4 virtual channels"):
        saturation(net, "uniform", switch, routing="minimal", variant="adaptive-direct")


@pytest.mark.parametrize(("net", "channels"), [("torus(8,8)", 3), ("random_regular(64,degree=6,seed=1)", 2)])
def test_packets_in_output_queued_switches_escape_too(net: str, channels: int) -> None:
    switch = f"output-queued(channels={channels},packet_bytes=256,buffer_bytes=1024)"
    ordered = saturation(net, "transpose", switch, routing="dimension-ordered" if channels == 3 else "up-down")
    free = saturation(net, "transpose", switch, routing="minimal", variant="adaptive-escape")
    assert free > 1.3 * ordered, (ordered, free)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (("-v", "adaptive-escape", "--switch", "input-queued(channels=1)"), "channels=2 or more"),
        (("-v", "adaptive-escape", "--switch", "input-queued(buffer_packets=1)"), "buffer hold 2 packets or more"),
        (("-v", "adaptive-escape", "--switch", "input-queued(choice=once)"), "choice=again"),
        (("-v", "adaptive-escape(escape='dimension-ordered(vc=one)')", "--switch", "output-queued"), "has rings"),
        (("-v", "adaptive-escape", "--switch", "output-queued(channels=2)"), "channels=3 or more"),
        (("-v", "adaptive-escape", "--switch", "input-queued(model=booksim)"), "use model=cut-through"),
        (("-v", "adaptive-escape(escape='minimal(vc=one)')"), "are no ring"),
        (("-v", "adaptive-escape(escape=nowhere)"), "nowhere"),
        (("-v", "adaptive-progressive", "--switch", "input-queued(channels=64)"), "no groups"),
        (("-v", "adaptive-global", "--switch", "input-queued(channels=4)"), "channels=8 or more"),
    ],
)
def test_bad_input_is_one_line(capfd: pytest.CaptureFixture[str], given: tuple[str, ...], words: str) -> None:
    with pytest.raises(SystemExit) as left:
        main(("throughput", "-n", "torus(4,5)", "-t", "uniform", "--routing", "minimal", "--loads", "0.1", *given))
    err = capfd.readouterr().err
    assert left.value.code == 2 and words in err, err
    assert "Traceback" not in err and "panicked" not in err
