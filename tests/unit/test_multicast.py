"""Broadcasts that switches copy: links of trees and paths, times, refusals."""

from __future__ import annotations

import pytest

import netloom
from netloom import NetloomError
from netloom.cli import main
from netloom.scenario import Scenario

WIRE = {"combining_switches": "all"}
N = 1 << 20


def hops(network: str, call: str, **given: object) -> int:
    return int(netloom.hops(network, workload=call, size_bytes=N, wire=WIRE, **given)["total_hops"])


@pytest.mark.parametrize(
    ("network", "multicast", "path"),
    [("ring(8)", 7, 7), ("star(6)", 6, 10), ("circulant(16,pow2)", 15, 15), ("torus(4,4)", 15, 15)],
)
def test_hops_are_the_links_of_the_tree(network: str, multicast: int, path: int) -> None:
    """Cui 2024, 2.3.1: from any root each link once."""
    for root in (0, 3, 5):
        assert hops(network, "broadcast:multicast", root=root) == multicast
        assert hops(network, "broadcast:path", root=root) == path
    assert hops(network, "broadcast:multicast(segments=5)") == 5 * multicast


@pytest.mark.parametrize(
    "network",
    [
        *("ring(13)", "torus(4,5)", "circulant(21,pow2)", "hypercube(5)", "complete(9,p=3)"),
        *("random_regular(40,degree=4,seed=3)", "random_shortcut(64,degree=4,seed=1)", "slim_fly(q=5)"),
        'dragonfly(a=4,p=2,h=2,g=8,arrangement="round-robin")',
    ],
)
@pytest.mark.parametrize("placement", ["linear", "random(seed=2)"])
def test_never_above_a_binomial_tree_where_every_switch_has_a_rank(network: str, placement: str) -> None:
    given = {"placement": placement, "root": 2}
    multicast = hops(network, "broadcast:multicast", **given)
    assert multicast == netloom.network(network).switches - 1
    assert multicast <= hops(network, "broadcast:path", **given)
    assert multicast <= hops(network, "broadcast:binomial", **given)


def test_a_tree_of_shortest_paths_is_not_always_the_shortest_tree() -> None:
    """Both arms of a ring: 5 + 5 links; a binomial tree goes from one arm's end to the other's: 5 + 2 + 1."""
    given = {"ranks": 4, "mapping": [0, 1, 5, 7]}
    assert hops("ring(12)", "broadcast:multicast", **given) == 10
    assert hops("ring(12)", "broadcast:binomial", **given) == 8


def seconds(network: str, call: str, model: str = "flow", **given: object) -> float:
    inputs = {"network": network, "workload": call, "size_bytes": N, "wire": WIRE, "calibration": "pure", **given}
    return float(netloom.evaluate(Scenario(**inputs), "packet" if model == "packet" else "time")["time_s"])


@pytest.mark.parametrize("segments", [1, 4, 16])
@pytest.mark.parametrize(("call", "links"), [("broadcast:multicast", 4), ("broadcast:path", 7)])
def test_segments_follow_each_other(segments: int, call: str, links: int) -> None:
    """Into the root's switch, over the links to the farthest one, out: stored at each for a segment's time."""
    ring = "ring(8,bandwidth=1GB/s,endpoint_bandwidth=1GB/s,latency=0,endpoint_latency=0)"
    part_s = N / segments / 1e9
    assert seconds(ring, f"{call}(segments={segments})") == pytest.approx((segments - 1 + 2 + links) * part_s)


@pytest.mark.parametrize("call", ["broadcast:multicast(segments=4)", "broadcast:path(segments=4)"])
def test_packets_and_flows_agree(call: str) -> None:
    for network in ("ring(8)", "torus(3,3)"):
        assert seconds(network, call, model="packet") == pytest.approx(seconds(network, call), rel=0.05)


def test_packets_need_no_order_of_legs() -> None:
    """Legs of several links, over switches without ranks: the packet model looks for rings of waiting itself."""
    given = {"ranks": 3, "mapping": [1, 3, 6]}
    flow, packet = (seconds("ring(8)", "broadcast:path", model=model, **given) for model in ("flow", "packet"))
    assert packet == pytest.approx(flow, rel=0.1)


@pytest.mark.parametrize("operation", ["scatter", "gather", "alltoall"])
@pytest.mark.parametrize("algorithm", ["multicast", "path"])
def test_data_of_ones_own_cannot_be_copied(operation: str, algorithm: str) -> None:
    with pytest.raises(NetloomError, match="which no switch can copy") as refused:
        hops("ring(8)", f"{operation}:{algorithm}")
    assert refused.value.faults[0].code == "NL-A002"


def test_the_rest_is_refused_with_a_way_out(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(NetloomError, match="use reduce:in-network"):
        hops("ring(8)", "reduce:multicast")
    with pytest.raises(NetloomError, match=r"(?s)NL-N018.*combining_switches"):
        netloom.hops("ring(8)", workload="broadcast:multicast", size_bytes=N)
    with pytest.raises(SystemExit) as left:
        main(["hops", "-n", "ring(8)", "-c", "scatter:multicast", "--size", "1KiB"])
    assert left.value.code == 2
    assert "netloom list collectives" in capsys.readouterr().err
