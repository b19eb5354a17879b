"""Routings of the user's own: next hops become forwarding tables, which every rung takes, with the deadlock check."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import netloom
from netloom import contract, plugin
from netloom.compare import compare
from netloom.network.tables import with_tables

RING = 8
#: Rank 0 sends to rank 3, alone: 3 hops upwards and 5 downwards.
ONE = netloom.programs([[("send", 3, 1000)], [], [], [("receive", 0, 1000)], [], [], [], []])


class Around(plugin.Routing):
    """Round a ring, always in one direction."""

    name = "around"
    example = "around"
    networks = ("ring(5)", "ring(8)")

    def next_hops(self, network: netloom.Network, destination: int, by: int = 1) -> list[int]:
        n = network.switches
        return [(switch + by) % n for switch in range(n)]


class Counted(Around):
    """The same with a channel for each hop."""

    name = "counted"
    vc = "hops"


class ByEndpoint(plugin.Routing):
    """On two switches with two cables: endpoint e takes cable e mod 2."""

    name = "cable-of-endpoint"
    networks = ()
    by_endpoint = True
    gives_links = True

    def next_hops(self, network: netloom.Network, destination: int) -> Any:
        away = int(network.endpoint_switch[destination])
        links = np.full(network.switches, -1)
        at = 1 - away
        links[at] = int(network.offsets[at]) + destination % 2
        return links


@pytest.fixture(autouse=True)
def registered() -> None:
    for cls in (Around, Counted, ByEndpoint):
        plugin.register(cls)


def on_link(answer: Any, switch: int, to: int) -> float:
    net = answer.network
    (link,) = np.flatnonzero((net.tails == switch) & (net.heads == to))
    return float(answer.link_bytes[link])


def test_loads_follow_the_class() -> None:
    up = netloom.loads("ring(8)", workload=ONE, routing="around")
    down = netloom.loads("ring(8)", workload=ONE, routing="around(by=-1)")
    assert [on_link(up, at, at + 1) for at in (0, 1, 2)] == [1000] * 3 and on_link(up, 3, 4) == 0
    assert [on_link(down, at, (at - 1) % 8) for at in (0, 7, 6, 5, 4)] == [1000] * 5
    assert (up.mean_hops, down.mean_hops) == (3.0, 5.0)


def test_times_follow_the_class() -> None:
    """A message alone takes the latency of its links and the bytes over the bandwidth: 100 ns each, 12.5 GB/s."""
    up = netloom.simulate("ring(8)", workload=ONE, routing="around").time_s
    down = netloom.simulate("ring(8)", workload=ONE, routing="around(by=-1)").time_s
    assert down - up == pytest.approx(2 * 100e-9)
    packets = [
        netloom.simulate("ring(8)", workload=ONE, routing=f"counted(by={by})", switch="output-queued").time_s
        for by in (1, -1)
    ]
    assert packets[1] > packets[0] + 2 * 100e-9 - 1e-12


def test_curves_maps_and_comparisons_take_it() -> None:
    scenario = netloom.Scenario("ring(4)", workload="shift(k=3)", routing="counted")
    curve = netloom.evaluate(
        scenario, "throughput", loads="0.1", cycles=300, warm_up=50, drain=300, saturation=False, switch="input-queued"
    )
    # Three hops in the one direction, where the shortest way has one.
    assert curve.tables["points"][0]["mean_hops"] == 3.0
    found = netloom.map_ranks("ring(8)", workload=ONE, routing="around", objective="max-link-load", optimiser="two-opt")
    assert found.value == 1000
    rows = compare(["ring(8)", "ring(9)"], ["allreduce:ring"], routing="around", ranks=8, spread=False)
    assert [row["routing"] for row in rows] == ["around", "around"]
    job = {"name": "a", "nodes": 8, "workload": ONE, "routing": "around(by=-1)"}
    assert netloom.loads("ring(8)", [job]).mean_hops == 5.0


def test_what_can_wait_for_itself_is_refused() -> None:
    routing = plugin.routed(netloom.ring(RING), "around").routing(plugin.in_core("around"))
    assert routing.deadlock() == {"free": False, "cycle": [(link, 0) for link in circle(routing)]}
    with pytest.raises(netloom.NetloomError, match=r"NL-E019 .*around.* wait for each other"):
        netloom.simulate("ring(8)", workload=ONE, routing="around", switch="output-queued")
    counted = plugin.routed(netloom.ring(RING), "counted").routing(plugin.in_core("counted"))
    assert counted.deadlock()["free"] and counted.virtual_channels == RING - 1


def circle(routing: Any) -> list[int]:
    return [link for link, _ in routing.deadlock()["cycle"]]


def test_endpoints_and_cables_of_ones_own() -> None:
    net = netloom.network("ring(2,p=2)")
    doubled = net if net.switch_links == 2 else parallel()
    routing = plugin.routed(doubled, "cable-of-endpoint")
    tables = netloom._core.forwarding(routing, "cable-of-endpoint")  # type: ignore[attr-defined]
    assert np.asarray(tables["links"]).shape == (4, 2)
    # Endpoints 2 and 3 are on switch 1: from switch 0 they take its cables 0 and 1.
    assert np.asarray(tables["links"])[2:, 0].tolist() == [0, 1]


def parallel() -> netloom.Network:
    edges = np.array([[0, 1], [0, 1]], dtype=np.int64)
    return netloom.Network.from_edges("two", 2, edges, np.array([0, 0, 1, 1], dtype=np.int64), 12.5e9, 1e-7)


def test_failures_are_seen_by_the_class() -> None:
    class Shortest(plugin.Routing):
        """By breadth-first search, the lowest neighbour first."""

        name = "shortest-own"

        def next_hops(self, network: netloom.Network, destination: int) -> list[int]:
            near = network.hop_matrix()[:, destination]
            tails, heads = network.tails, network.heads
            hops = [-1] * network.switches
            for tail, head in zip(tails.tolist(), heads.tolist(), strict=True):
                if near[head] + 1 == near[tail] and hops[tail] < 0:
                    hops[tail] = head
            return hops

    plugin.register(Shortest)
    whole = netloom.loads("torus(4,4)", workload="shift(k=1)", ranks=16, routing="shortest-own")
    broken = netloom.loads("torus(4,4)", workload="shift(k=1)", ranks=16, routing="shortest-own", fail="link:0-1")
    assert on_link(whole, 0, 1) == 1
    assert broken.network.failed is not None and broken.mean_hops > whole.mean_hops
    assert contract.check(Shortest)["checks"] == 5


def test_the_contract() -> None:
    assert contract.check(Around)["checks"] == 2
    assert contract.check("minimal", "routings")["checks"] > 0


class Short(Around):
    name = "short"

    def next_hops(self, network: netloom.Network, destination: int, by: int = 1) -> list[int]:
        return [0]


class Far(Around):
    name = "far"

    def next_hops(self, network: netloom.Network, destination: int, by: int = 1) -> list[int]:
        return [(switch + 2) % network.switches for switch in range(network.switches)]


class Halves(Around):
    name = "halves"

    def next_hops(self, network: netloom.Network, destination: int, by: int = 1) -> Any:
        return [0.5] * network.switches


class Circles(Around):
    name = "circles"

    def next_hops(self, network: netloom.Network, destination: int, by: int = 1) -> list[int]:
        return [switch ^ 1 for switch in range(network.switches)]


class Breaks(Around):
    name = "breaks"

    def next_hops(self, network: netloom.Network, destination: int, by: int = 1) -> list[int]:
        raise ValueError("no idea")


@pytest.mark.parametrize(
    ("cls", "words"),
    [
        (Short, r"NL-G005 short must be 8 next hops, one for each switch, got 1"),
        (Far, r"NL-G005 far must be a neighbour of switch 1, or -1, on the way to 0, got 3"),
        (Halves, r"NL-G005 halves must be next hops of integers"),
        (Circles, r"NL-R010 circles on ring\(8\): packets from .* go in a circle"),
        (Breaks, r"NL-G004 breaks: ValueError: no idea \(test_python_routing.py:\d+\)"),
    ],
)
def test_what_a_class_gets_wrong_is_said(cls: type[plugin.Routing], words: str) -> None:
    plugin.register(cls)
    with pytest.raises(netloom.NetloomError, match=words):
        netloom.loads("ring(8)", workload=ONE, routing=cls.name)


def test_calls_and_names() -> None:
    with pytest.raises(netloom.NetloomError, match=r"NL-G003 around\(to=3\)"):
        netloom.loads("ring(8)", workload=ONE, routing="around(to=3)")
    with pytest.raises(netloom.NetloomError, match=r'(?s)"aroun".*did you mean "around"'):
        netloom.loads("ring(8)", workload=ONE, routing="aroun")
    with pytest.raises(netloom.NetloomError, match="NL-G002"):
        plugin.register(type("Taken", (Around,), {"name": "minimal"}))
    assert plugin.in_core("minimal") == "minimal" and plugin.in_core("around") == 'tables("around")'
    assert plugin.in_core("counted(by=1)") == 'tables("counted(by=1)",vc=hops)'
    net = netloom.ring(4)
    assert with_tables(net, ["auto", "minimal"], Path()) == net


def test_tables_that_are_too_large_are_refused_before_the_class_is_asked() -> None:
    with pytest.raises(netloom.NetloomError, match="NL-A009 around: 268435456 entries"):
        plugin.routed(netloom.torus(128, 128), "around")
