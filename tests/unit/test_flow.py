"""Flows that share links: closed forms, a slow reference by the definition, and what must hold for any set of flows."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import netloom
from netloom import NetloomError, simulate_flows
from netloom.workload import by_collective

#: Closed forms know no time of software.
simulate = partial(netloom.simulate, calibration="pure")


def random_case(seed: int, flows: int = 40, links: int = 12) -> dict[str, Any]:
    """Flows over up to four of a few links, so that many share."""
    draw = np.random.default_rng(seed)
    return {
        "bandwidth_bytes_per_s": draw.uniform(0.5e9, 4e9, links),
        "latency_s": draw.uniform(1e-7, 5e-6, links),
        "routes": [list(draw.choice(links, draw.integers(1, 5), replace=False)) for _ in range(flows)],
        "size_bytes": draw.integers(1, 4_000_000, flows).astype(float),
        "start_s": draw.uniform(0, 5e-3, flows) * draw.integers(0, 2, flows),
    }


def fair(capacity: NDArray[np.float64], routes: list[list[int]], weight: NDArray[np.float64]) -> NDArray[np.float64]:
    """Weighted max-min fair rates by the definition: fill the tightest link, fix its flows, go on."""
    rate = np.zeros(len(routes))
    left, open_ = capacity.copy(), set(range(len(routes)))
    while open_:
        level = {
            link: left[link] / sum(weight[f] for f in open_ if link in routes[f])
            for link in {link for f in open_ for link in routes[f]}
        }
        tightest = min(level, key=lambda link: level[link])
        for f in [f for f in open_ if tightest in routes[f]]:
            rate[f] = level[tightest] * weight[f]
            for link in routes[f]:
                left[link] -= rate[f]
            open_.remove(f)
        left[tightest] = 0.0
    return rate


def slow(case: dict[str, Any], sharing: str) -> NDArray[np.float64]:
    """Finish times from event to event, every rate anew each time."""
    capacity, routes = case["bandwidth_bytes_per_s"], case["routes"]
    latency = np.array([sum(case["latency_s"][link] for link in route) for route in routes])
    weight = 1 / latency if sharing == "rtt" else np.ones(len(routes))
    begin, left = case["start_s"] + latency, case["size_bytes"].copy()
    finish, now = np.full(len(routes), np.nan), 0.0
    while np.isnan(finish).any():
        moving = [f for f in range(len(routes)) if begin[f] <= now and np.isnan(finish[f])]
        rate = fair(capacity, [routes[f] for f in moving], weight[moving])
        ends = [now + left[f] / r for f, r in zip(moving, rate, strict=True)]
        later = [b for b in begin if b > now]
        then = min([*ends, *later])
        for f, r, end in zip(moving, rate, ends, strict=True):
            left[f] -= r * (then - now)
            if end <= then * (1 + 1e-13):
                finish[f] = then
        now = then
    return finish


@pytest.mark.parametrize("sharing", ["equal", "rtt"])
@pytest.mark.parametrize("seed", range(6))
def test_the_definition_gives_the_same_times(seed: int, sharing: str) -> None:
    case = random_case(seed)
    np.testing.assert_allclose(simulate_flows(**case, sharing=sharing), slow(case, sharing), rtol=1e-9)


def test_a_lone_flow_pays_latency_then_its_narrowest_link() -> None:
    ends = simulate_flows([2e9, 1e9], [1e-6, 2e-6], [[0, 1], [], [0]], [1e6, 5.0, 0.0], [0.0, 3.0, 4.0])
    np.testing.assert_allclose(ends, [3e-6 + 1e-3, 3.0, 4.0 + 1e-6], rtol=1e-12)


def test_shares_of_one_link() -> None:
    """Equal flows take turns in no order: n flows take n times as long. Weights 3 to 1 share 3 to 1."""
    assert simulate_flows([1e9], [0.0], [[0]] * 5, 1e6) == pytest.approx([5e-3] * 5, rel=1e-12)
    ends = simulate_flows([1e9], [0.0], [[0], [0]], [1e6, 1e6], weight=[3.0, 1.0])
    assert ends == pytest.approx([4e-3 / 3, 2e-3], rel=1e-12)


def test_a_long_flow_waits_at_the_slower_link() -> None:
    """The chain: one flow over two links, one short flow on each; the second link has half the bandwidth."""
    ends = simulate_flows([2e9, 1e9], [0.0, 0.0], [[0, 1], [0], [1]], [1e6, 1.5e6, 1e6])
    # Long and short share link 1 at 0.5 each; link 0 leaves 1.5 to its own flow.
    assert ends == pytest.approx([2e-3, 1e-3, 2e-3], rel=1e-12)


def test_caps_fat_links_and_the_way_back() -> None:
    assert simulate_flows([1e9], [0.0], [[0], [0]], 1e6, cap_bytes_per_s=[1e8, 1e12]) == pytest.approx(
        [1e-2, 1e6 / 9e8], rel=1e-12
    )
    assert simulate_flows([1e9], [0.0], [[0]] * 3, 1e6, fat_links=[True]) == pytest.approx([1e-3] * 3, rel=1e-12)
    both = simulate_flows(
        [1e9, 1e9], [1e-6, 1e-6], [[0], [1]], 1e6, sharing="smpi", reverse_routes=[[1], [0]], tcp_window_bytes=0
    )
    assert both == pytest.approx([1e-6 + 1.05e-3] * 2, rel=1e-9)
    windowed = simulate_flows([1e12], [1e-3], [[0]], 1e6, sharing="smpi")
    assert windowed == pytest.approx([1e-3 + 1e6 / (4194304 / 2e-3)], rel=1e-9)


@pytest.mark.parametrize("sharing", ["equal", "rtt", "smpi"])
@pytest.mark.parametrize("seed", range(4))
def test_the_order_of_flows_changes_nothing(seed: int, sharing: str) -> None:
    case = random_case(seed, flows=150)
    order = np.random.default_rng(seed).permutation(150)
    turned = {
        **case,
        "routes": [case["routes"][f] for f in order],
        "size_bytes": case["size_bytes"][order],
        "start_s": case["start_s"][order],
    }
    straight = simulate_flows(**case, sharing=sharing)
    np.testing.assert_allclose(simulate_flows(**turned, sharing=sharing), straight[order], rtol=1e-12)


@pytest.mark.parametrize("seed", range(4))
def test_routes_as_offsets_and_ids(seed: int) -> None:
    case = random_case(seed)
    flat = np.array([link for route in case["routes"] for link in route])
    offsets = np.cumsum([0, *map(len, case["routes"])])
    assert (simulate_flows(**{**case, "routes": (offsets, flat)}) == simulate_flows(**case)).all()


@pytest.mark.parametrize("seed", range(8))
def test_all_bandwidths_doubled_is_half_the_time(seed: int) -> None:
    """Without latency time scales with bandwidth; a lone flow is never slower for a faster link."""
    case = random_case(seed) | {"latency_s": np.zeros(12), "start_s": 0.0}
    faster = case | {"bandwidth_bytes_per_s": 2 * case["bandwidth_bytes_per_s"]}
    np.testing.assert_allclose(2 * simulate_flows(**faster), simulate_flows(**case), rtol=1e-12)
    draw = np.random.default_rng(seed)
    for link in range(12):
        alone = random_case(seed, flows=1)
        bandwidth = alone["bandwidth_bytes_per_s"].copy()
        before = simulate_flows(**alone)
        bandwidth[link] *= draw.uniform(1, 2)
        assert simulate_flows(**{**alone, "bandwidth_bytes_per_s": bandwidth}) <= before


@pytest.mark.parametrize("sharing", ["equal", "rtt"])
def test_no_link_carries_more_than_it_can(sharing: str) -> None:
    """The last flow of a link ends no sooner than the link could have moved all bytes, and an incast is that fast."""
    for seed in range(5):
        case = random_case(seed, flows=100) | {"start_s": 0.0}
        ends = simulate_flows(**case, sharing=sharing)
        for link, bandwidth in enumerate(case["bandwidth_bytes_per_s"]):
            users = [f for f, route in enumerate(case["routes"]) if link in route]
            assert ends[users].max() >= case["size_bytes"][users].sum() / bandwidth * (1 - 1e-12)
    sizes = np.arange(1.0, 51.0) * 1e4
    incast = simulate_flows([*[1e10] * 50, 1e9], [0.0] * 51, [[f, 50] for f in range(50)], sizes, sharing=sharing)
    assert incast.max() == pytest.approx(sizes.sum() / 1e9, rel=1e-12)


@pytest.mark.parametrize("duplex", ["full", "half"])
@pytest.mark.parametrize("calibration", ["pure", "simgrid-smpi"])
@pytest.mark.parametrize("workload", ["alltoall:pairwise", "allreduce:ring", "transpose(bytes=20000)"])
def test_recorded_bytes_are_those_of_the_messages(workload: str, calibration: str, duplex: str) -> None:
    """Bytes into the network are the messages', and no link's bin holds more than its bandwidth times its width."""
    net = netloom.torus(4, 4)
    size = {"size_bytes": 20_000} if ":" in workload else {}
    found = simulate(
        net, workload=workload, **size, calibration=calibration, duplex=duplex, trace=True,
        switch_latency=1e-7,
    )  # fmt: skip
    bins = found["trace"]["link_bins"]
    into = (bins["links"] >= net.tails.size) & (bins["links"] < net.tails.size + net.endpoints)
    messages = found["trace"]["messages"]
    known = netloom.calibration.load(calibration)
    factor = [known.bandwidth_factor(int(b) + known.envelope_bytes) for b in messages["bytes"]]
    moved = sum((int(b) + known.envelope_bytes) / f for b, f in zip(messages["bytes"], factor, strict=True))
    assert bins["bytes"][into].sum() == pytest.approx(moved, rel=1e-9)
    speed = net.link_bandwidth_bytes_per_s[bins["links"]]
    assert (bins["bytes"] <= speed[:, None] * bins["width_s"] * (1 + 1e-9)).all()
    assert len(messages["bytes"]) == found["messages"] and messages["bytes"].sum() == found["bytes"]
    assert found["critical_path"]["total_s"] == pytest.approx(found["time_s"], rel=1e-12)
    assert sum(found["critical_path"]["shares_s"].values()) == pytest.approx(found["time_s"], rel=1e-9)


def refused(call: Callable[[], object], *words: str) -> None:
    with pytest.raises(NetloomError) as error:
        call()
    text = str(error.value)
    assert text.startswith("NL-") and all(word in text for word in words), text


ONE: dict[str, Any] = {"bandwidth_bytes_per_s": [1e9], "latency_s": [0.0], "routes": [[0]], "size_bytes": [1.0]}
BAD_FLOWS: list[tuple[dict[str, Any], str]] = [
    ({"bandwidth_bytes_per_s": [0.0]}, "bandwidth"),
    ({"bandwidth_bytes_per_s": [-1.0]}, "bandwidth"),
    ({"bandwidth_bytes_per_s": [math.nan]}, "bandwidth"),
    ({"bandwidth_bytes_per_s": "fast"}, "numbers"),
    ({"bandwidth_bytes_per_s": [[1e9]]}, "NL-E010"),
    ({"bandwidth_bytes_per_s": [1e9, 1e9]}, "NL-E010"),
    ({"latency_s": [-1e-9]}, "latency"),
    ({"latency_s": [math.inf]}, "latency"),
    ({"routes": [[1]]}, "NL-E011"),
    ({"routes": [[-1]]}, "NL-E011"),
    ({"routes": [[0.5]]}, "routes"),
    ({"routes": [["a"]]}, "routes"),
    ({"routes": 3}, "routes"),
    ({"routes": [[0], [0]]}, "NL-E010"),
    ({"routes": ([0, 2], [0])}, "NL-E010"),
    ({"routes": ([1, 0], [0])}, "NL-E010"),
    ({"size_bytes": [-1.0]}, "size"),
    ({"size_bytes": [math.nan]}, "size"),
    ({"size_bytes": [math.inf]}, "size"),
    ({"size_bytes": [1.0, 2.0]}, "NL-E010"),
    ({"size_bytes": None}, "size_bytes"),
    ({"start_s": [-1.0]}, "start"),
    ({"start_s": [math.nan]}, "start"),
    ({"start_s": [0.0, 0.0]}, "NL-E010"),
    ({"sharing": "tcp"}, "equal"),
    ({"sharing": 3}, "sharing"),
    ({"weight": [0.0]}, "weight"),
    ({"cap_bytes_per_s": [0.0]}, "cap"),
    ({"fat_links": [True, False]}, "NL-E010"),
    ({"reverse_routes": [[7]]}, "NL-E011"),
    ({"sharing": "smpi", "tcp_window_bytes": -1.0}, "window"),
    ({"sharing": "smpi", "cross_traffic": math.nan}, "cross"),
    ({"bandwidth_bytes_per_s": [1e-300], "size_bytes": [1e300]}, "NL-E016"),
]


@pytest.mark.parametrize(("change", "word"), BAD_FLOWS, ids=lambda v: str(v)[:50] if isinstance(v, dict) else "")
def test_flows_that_cannot_be_are_refused(change: dict[str, Any], word: str) -> None:
    refused(lambda: simulate_flows(**{**ONE, **change}), word)


BAD_RUNS: list[tuple[dict[str, Any], str]] = [
    ({"workload": None}, "NL-H004 workload"),
    ({"workload": "nothing:here"}, "NL-A00"),
    ({"workload": 3}, "workload"),
    ({"duplex": "simplex"}, '"full" or "half", got "simplex"'),
    ({"calibration": "nobody"}, "NL-L"),
    ({"switch_latency": -1.0}, "switch_latency"),
    ({"switch_latency": "fast"}, "switch_latency"),
    ({"flops_per_s": 0.0}, "flops_per_s"),
    ({"flops_per_s": math.nan}, "flops_per_s"),
    ({"repetitions": 0}, "repetitions"),
    ({"repetitions": -1}, "repetitions"),
    ({"mapping": [0, 1, 2, 99]}, "endpoint"),
    ({"mapping": [0.5]}, "mapping"),
    ({"background": [{"src": 0}]}, "background[0]"),
    ({"background": [{"src": 0, "dst": 99}]}, "background[0]"),
    ({"background": [{"src": 0, "dst": 1, "bytes": -1}]}, "background[0]"),
    ({"background": [{"src": 0, "dst": 1, "cap_bytes_per_s": 0}]}, "background[0]"),
    ({"background": [{"src": "a", "dst": 1}]}, "background[0]"),
    ({"net": "torus(4,4)", "variant": "no-such"}, "NL-A002"),
    ({"trace": "yes"}, "trace"),
]


@pytest.mark.parametrize(("change", "word"), BAD_RUNS, ids=lambda v: str(v)[:50] if isinstance(v, dict) else "")
def test_runs_that_cannot_be_are_refused(change: dict[str, Any], word: str) -> None:
    refused(lambda: simulate(**{"net": "star(4)", "workload": "allreduce:ring", **change}), word)


def run(*bodies: list[tuple[Any, ...]]) -> dict[str, Any]:
    return simulate(netloom.star(8), workload=netloom.programs(bodies), mapping=list(range(len(bodies))))


def test_programs_that_never_end_are_told_from_those_that_do() -> None:
    big = 1 << 20
    ring = [[("send", (r + 1) % 3, big), ("receive", (r - 1) % 3, big)] for r in range(3)]
    refused(lambda: run(*ring), "NL-E012", "cycle of 3 ranks", "rank 0", "rank 1", "rank 2")
    # Short messages leave at once: the same ring ends.
    assert run(*[[("send", (r + 1) % 3, 8), ("receive", (r - 1) % 3, 8)] for r in range(3)])["messages"] == 3
    refused(lambda: run([("receive", 1, 8)], [("compute", 1.0)]), "NL-E013", "rank 0")
    refused(lambda: run([("send", 1, 8)], [("compute", 1.0)]), "NL-E013", "rank 0", "rank 1")
    refused(lambda: run([("send", 1, 8, 1)], [("receive", 0, 8, 2)]), "NL-E013")
    refused(lambda: run([("send", 1, 9)], [("receive", 0, 8)]), "NL-E014")
    for body in ([("send", 9, 1)], [("send", 0, 1)], [("compute", math.nan)], [("jump",)], [("wait", 0)], [()]):
        refused(lambda body=body: run(body, []), "NL-A007", "rank 0, action 0")  # type: ignore[misc]
    refused(lambda: run([("sleep", 1e308), ("sleep", 1e308)], []), "NL-E016")


def test_a_program_by_hand() -> None:
    """Compute, then a message over the hub: four links with their latencies, the bandwidth of any."""
    net = netloom.network("star(2,bandwidth='8 Gbps',latency='100 ns')")
    both = netloom.programs([[("compute", 1e6), ("send", 1, 1_000_000)], [("receive", 0, 1_000_000)]])
    found = simulate(net, workload=both, flops_per_s=1e9)
    assert found["time_s"] == pytest.approx(1e-3 + 4e-7 + 1e-3, rel=1e-12)
    twice = simulate(net, workload=both, flops_per_s=1e9, repetitions=2)
    assert twice["time_s"] == pytest.approx(2 * found["time_s"], rel=1e-12)


def test_jobs_side_by_side() -> None:
    """Two jobs that share no link do not feel each other; on the same links each is slower, and so it is beside
    background that never ends."""
    net = netloom.star(8)
    ring = netloom.workload("allreduce:ring", 4, size_bytes=1 << 20)
    alone = simulate(net, workload=ring, mapping=[0, 1, 2, 3])["time_s"]
    apart = simulate(
        net, jobs=[netloom.Job(ring, mapping=[0, 1, 2, 3]), netloom.Job(ring, mapping=[4, 5, 6, 7], start=1e-3)]
    )
    assert apart["finish_s"][0].max() == pytest.approx(alone, rel=1e-12)
    assert apart["finish_s"][1].max() == pytest.approx(1e-3 + alone, rel=1e-12)
    mixed = simulate(net, jobs=[netloom.Job(ring, mapping=[0, 1, 2, 3]), netloom.Job(ring, mapping=[0, 1, 2, 3])])
    assert mixed["time_s"] > 1.5 * alone
    beside = simulate(net, workload=ring, mapping=[0, 1, 2, 3], background=[{"src": 7, "dst": 1}])
    assert beside["time_s"] > 1.2 * alone


def test_a_wait_means_requests_that_did_not_block() -> None:
    """A blocking send and a collective between a request and its wait do not count: NPB's codes post a receive, send
    blocking, and wait for the receive."""
    net = netloom.network("star(2,bandwidth='8 Gbps',latency='1 us')")
    for between in ([("send", 1, 8)], [], [("send", 1, 8)] * 5):
        first = [("start_receive", 1, 1000), *between, ("wait", 1)]
        answer = [*[("receive", 0, 8)] * len(between), ("compute", 1e6), ("send", 0, 1000)]
        found = simulate(net, workload=netloom.programs([first, answer]), flops_per_s=1e9)
        # One short message after another over four links, the computation, a microsecond of transfer.
        assert found["finish_s"][0] == pytest.approx(1e-3 + 5e-6 + (4e-6 + 8e-9) * len(between), rel=1e-9)
    quiet = netloom.application("cg(class=S,iterations=1,compute=false)", 8)
    assert simulate("torus(2,4)", workload=quiet, mapping=range(8))["time_s"] > 1e-6 * 10


@pytest.mark.parametrize("call", ["allreduce:rdb", "smpi:allreduce:rdb", " allreduce:hierarchical(4,algorithms='a:b')"])
def test_an_algorithm_is_filed_under_its_collective(call: str) -> None:
    assert by_collective([call, "smpi", ""]) == {"allreduce": call.strip(), "smpi": "smpi"}
