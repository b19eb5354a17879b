"""Messages as packets: the same questions as simulated time, and where the two must agree."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial

import numpy as np
import pytest

import netloom
from netloom.cli.app import main

TREE = "fat_tree(radix=8,levels=2)"
#: Links and switches alone: software takes no time that would hide what they do.
simulate = partial(netloom.simulate, calibration="pure")
Scenario = partial(netloom.Scenario, calibration="pure")
OPTIONS = "output-queued(packet_bytes={packet},buffer_bytes={buffer},switching={switching})"


def both(net: str, **asked: object) -> tuple[float, float]:
    flow = simulate(net, **asked)  # type: ignore[arg-type]
    packet = simulate(net, switch="output-queued", **asked)  # type: ignore[arg-type]
    assert (flow["messages"], flow["bytes"]) == (packet["messages"], packet["bytes"])
    return float(flow["time_s"]), float(packet["time_s"])


@pytest.mark.parametrize("size", [0, 1, 4096, 4097, 3_000_000])
def test_a_ping_pong_takes_the_time_of_a_flow(size: int) -> None:
    for net in (TREE, "torus(4,4)", "dragonfly(a=4,p=2,h=1,g=5)", "hypercube(3)"):
        load = netloom.Traffic.from_flows("one", 2, *(np.array([n]) for n in (0, 1, 1, size)))
        flow, packet = both(net, workload=load, mapping=[0, netloom.network(net).endpoints - 1], switch_latency=1e-7)
        assert packet == pytest.approx(flow, rel=1e-5)


def test_smaller_packets_come_nearer_to_flows() -> None:
    asked = {"workload": "alltoall:pairwise", "size_bytes": 1 << 16}
    flow = simulate(TREE, **asked)["time_s"]
    off = [
        abs(simulate(TREE, switch=f"output-queued(packet_bytes={size})", **asked)["time_s"] / flow - 1)
        for size in (65536, 4096, 512)
    ]
    assert off == sorted(off, reverse=True) and off[-1] < 0.02


def test_bytes_on_links_are_those_of_link_loads() -> None:
    asked = {"workload": "shift(k=5,bytes=100000)", "routing": "d-mod-k"}
    trace = simulate(TREE, switch="output-queued", trace=True, **asked)["trace"]
    bins = trace["link_bins"]
    loads = netloom.loads(TREE, arrays=True, **asked)
    carried = dict(zip(bins["links"].tolist(), bins["bytes"].sum(axis=1), strict=True))
    for link, size in enumerate(loads.link_bytes):
        assert carried.get(link, 0.0) == pytest.approx(size, rel=1e-6)
    assert carried.keys() <= set(range(len(loads.link_bytes)))


def test_ranks_on_seats_use_the_links_of_their_node() -> None:
    node = "node(sockets=2,cores=2,socket_bandwidth=5e9,socket_latency=3e-7,core_bandwidth=1e10,core_latency=1e-7)"
    for pair in ([0, 1], [0, 2], [0, 5]):
        seats = [rank % 4 for rank in pair]
        load = netloom.Traffic.from_flows("one", 2, *(np.array([n]) for n in (0, 1, 1, 500_000)))
        asked = {"workload": load, "mapping": [rank // 4 for rank in pair], "seats": seats, "node": node}
        flow, packet = both("star(4)", **asked)
        assert packet == pytest.approx(flow, rel=0.01)


def test_the_seed_and_nothing_else_decides() -> None:
    asked = {"workload": "random-pairs(seed=1,bytes=50000)", "routing": "minimal", "switch": "output-queued"}
    one, same, other = (simulate("torus(4,4)", seed=seed, **asked)["time_s"] for seed in (1, 1, 2))
    assert one == same != other


def test_background_flows_take_bandwidth() -> None:
    asked = {"workload": "shift(k=1,bytes=1000000)", "switch": "output-queued"}
    alone = simulate("star(4)", **asked)["time_s"]
    loaded = simulate("star(4)", background=[{"src": 0, "dst": 2}], **asked)["time_s"]
    assert 1.9 < loaded / alone < 2.1


def test_output_queues_accept_what_a_crossbar_can_and_their_latency_is_in_cycles() -> None:
    scenario = netloom.Scenario("star(16,latency=0)", workload="uniform")
    asked = {"loads": "0.05,0.95", "cycles": 100_000, "saturation": False}
    found = netloom.evaluate(scenario, "throughput", switch="output-queued(packet_bytes=256)", **asked)
    assert found.record["zero_load_latency"] == pytest.approx(16, abs=1e-9)
    low, high = (float(points["accepted"]) / float(points["born"]) for points in found.tables["points"])
    assert low == pytest.approx(1, abs=0.01) and high > 0.98
    blocked = netloom.evaluate(scenario, "throughput", switch="input-queued(channels=1)", **asked)
    assert float(blocked.tables["points"][-1]["accepted"]) < 0.7


def test_detours_carry_what_minimal_routes_of_neighbouring_groups_cannot() -> None:
    asked = {"workload": "shift(k=8,bytes=1)"}
    switch = "output-queued(packet_bytes=256,buffer_bytes=4096)"
    short = {"loads": "0.05", "warm_up": 3000, "cycles": 4000, "drain": 0, "switch": switch}
    found = {}
    for variant in ("static-direct", "static-indirect", "adaptive-hybrid"):
        scenario = netloom.Scenario("dragonfly(a=4,p=2,h=2,g=9)", variant=variant, **asked)
        found[variant] = float(str(netloom.evaluate(scenario, "throughput", **short).record["saturation"]))
    # Eight endpoints behind one link; Valiant halves what a link is worth.
    assert found["static-direct"] <= 1 / 8 and 0.3 < found["static-indirect"] <= 0.55
    assert found["adaptive-hybrid"] > 1.5 * found["static-direct"]


def _record(scenario: netloom.Scenario, threads: int, parallel: str = "conservative") -> dict[str, object]:
    switch = "output-queued(buffer_bytes=16384)"
    found = netloom.evaluate(scenario, "packet", switch=switch, threads=threads, parallel=parallel)
    return dict(found.record) | {f"rank {rank}": end for rank, end in enumerate(np.ravel(found["finish_s"]))}


NODE = 'node(sockets=2,cores=4,nics=2,socket_bandwidth="400 Gbps",socket_latency=4e-7,core_latency=1e-7)'


@pytest.mark.parametrize(
    "asked",
    [
        {
            "net": "fat_tree(radix=8,levels=3)",
            "workload": "alltoall:pairwise",
            "ranks": 48,
            "variant": "adaptive-direct",
        },
        {
            "net": "dragonfly(a=4,p=4,h=2,g=9)",
            "workload": "allreduce:rabenseifner",
            "node": NODE,
            "placement": "random(seed=3)",
        },
        {
            "net": "rail_cluster(nodes=8,gpu_latency=2e-8)",
            "workload": "alltoall:pairwise",
            "ranks": 32,
            "size_bytes": 5000,
        },
        {
            "net": "torus(6,5)",
            "workload": "shift(k=7,bytes=90000)",
            "background": [{"src": 0, "dst": 17}, {"src": 3, "dst": 9, "bytes": 1e6}],
        },
        {
            "net": "random_regular(20,degree=4,seed=2)",
            "workload": "reduce:binomial",
            "routing": "up-down",
            "repetitions": 3,
        },
        {
            "net": "torus(4,4)",
            "workload": "allreduce:ring",
            "calibration": netloom.Calibration(latency_factors=[(0, 0.5), (9000, 3.25)]),
        },
    ],
    ids=lambda asked: str(asked["net"]),
)
def test_any_number_of_threads_gives_the_same_bytes(asked: dict[str, object]) -> None:
    size = {"size_bytes": 20000} if ":" in str(asked["workload"]) else {}
    scenario = Scenario(asked.pop("net"), **(size | asked))  # type: ignore[arg-type]
    one = _record(scenario, 1)
    for threads in (0, 2, 3, 7):
        assert _record(scenario, threads) == one
    for threads, parallel in ((2, "optimistic"), (7, "optimistic(batch=20,interval=10)")):
        assert _record(scenario, threads, parallel) == one


@pytest.mark.parametrize("node", ["node(cores=4)", "node(gpus=4,gpu_latency=0)"])
def test_parts_agree_where_ranks_of_a_node_answer_at_once(node: str) -> None:
    scenario = Scenario(
        "torus(4,3)", workload="allreduce:recursive-doubling", ranks=32, size_bytes=20000, node=node, cores=4
    )
    one = _record(scenario, 1)
    for threads, parallel in ((0, "conservative"), (2, "conservative"), (5, "conservative"), (3, "optimistic")):
        assert _record(scenario, threads, parallel) == one


def test_links_without_latency_stay_in_one_part() -> None:
    scenario = Scenario("torus(4,3,latency=0)", workload="shift(k=2,bytes=9000)", switch_latency=0)
    assert netloom.evaluate(scenario, "packet", counts=True).tables["parallel"][0]["parts"] == 1
    with pytest.raises(
        netloom.NetloomError, match=r"NL-A007 packet.threads must be at most 1 parts: links without latency"
    ):
        netloom.evaluate(scenario, "packet", threads=2)


def test_parts_that_run_ahead_event_by_event_go_on() -> None:
    """Links that are free again before any latency is over: a part must not wait for others that wait for it."""
    columns = (np.array(n) for n in ([0, 0, 0, 5], [1, 2, 7, 9], [1, 1, 1, 1], [500, 500, 9000, 500]))
    load = netloom.Traffic.from_flows("few", 12, *columns)
    scenario = Scenario("torus(4,3)", workload=load, routing="dimension-ordered", switch_latency=5e-8)
    one = _record(scenario, 1)
    for threads, parallel in ((2, "optimistic(batch=1,interval=1)"), (5, "optimistic(batch=7,interval=1,windows=9)")):
        assert _record(scenario, threads, parallel) == one


def test_how_parts_worked_together_is_said_on_demand_and_apart() -> None:
    scenario = Scenario("torus(6,5)", workload="shift(k=7,bytes=90000)")
    ask = partial(netloom.evaluate, scenario, "packet", threads=3)
    plain = ask()
    assert "parallel" not in plain.tables
    windows, ahead = (
        ask(parallel=parallel, counts=True) for parallel in ("conservative", "optimistic(batch=50000,windows=1000000)")
    )
    assert plain.record == windows.record == ahead.record
    (windows,), (ahead,) = (answer.tables["parallel"] for answer in (windows, ahead))
    events = plain["work"]["events"]
    assert windows["parts"] == ahead["parts"] == 3 and windows["lookahead_s"] > 0
    assert windows["processed"] == events and windows["rollbacks"] == windows["cancelled"] == 0
    # So few events are for one thread, whose parts go on in order of time.
    assert ahead["rollbacks"] == 0 and ahead["processed"] == events
    assert ahead["efficiency"] == pytest.approx(1 - (ahead["processed"] - events) / events)
    assert ahead["synchronisations"] < windows["synchronisations"]
    assert ahead["mail"] - ahead["cancelled"] == windows["mail"]


def test_default_costs_go_with_input_queued_switches() -> None:
    """But for their bound of rates inside nodes, which these switches do not know: one that is named is refused where
    ranks share a node, and bounds nothing elsewhere.
    """
    asked = {"workload": "allreduce:ring", "size_bytes": 1 << 16, "switch": "input-queued"}
    assert netloom.simulate("star(4)", **asked)["time_s"] > simulate("star(4)", **asked)["time_s"]
    for named in ({"calibration": "mpi-rdma"}, {"software": {"inside_flow_cap": 1e9}}):
        with pytest.raises(netloom.NetloomError, match="NL-A007 calibration: bounds the rate of messages"):
            netloom.simulate("star(4)", cores=2, **asked, **named)
        assert netloom.simulate("star(4)", **asked, **named)["time_s"] == netloom.simulate("star(4)", **asked)["time_s"]


@pytest.mark.parametrize(
    ("switch", "more", "said"),
    [
        ("iq", {}, True),
        ("input-queued", {}, True),
        ("output-queued", {}, False),
        ("iq", {"calibration": "pure"}, False),
        ("iq", {"cores": 1}, False),
    ],
)
def test_a_bound_that_default_costs_lose_is_said(switch: str, more: dict[str, object], said: bool) -> None:
    asked = {"workload": "allreduce:ring", "size_bytes": 1 << 10, "cores": 2, **more}
    lines = netloom.simulate("star(4)", switch=switch, **asked).explain()
    assert any(line.endswith("without that bound of mpi-rdma.") for line in lines) is said


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    def run(*words: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as left:
            main(("simulate", "-n", TREE, *words))
        printed = capfd.readouterr()
        return int(left.value.code or 0), printed.out, printed.err

    return run


def test_json_has_the_keys_of_flows(run: Callable[..., tuple[int, str, str]]) -> None:
    asked = ("-c", "allreduce:ring", "--size", "64KiB", "--json", "--critical-path")
    (_, flow, _), (code, packet, err) = run(*asked), run(*asked, "--model", "packet")
    assert code == 0, err
    one, other = json.loads(flow), json.loads(packet)
    assert list(one) == list(other)
    assert other["work"].keys() == {"packets", "packet_hops", "waits", "most_buffer_bytes", "events"}
    assert sum(other["critical_path"]["shares_s"].values()) == pytest.approx(other["time_s"])


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (("--switch", "output-queued"), "add --model packet"),
        (("--model", "packets"), "packet"),
        (("--model", "packet", "--switch", "output-queued(buffer_bytes=100)"), "at least a packet, 4096 bytes"),
        (("--model", "packet", "--switch", "output-queued(channels=0)"), "channels"),
        (("--model", "packet", "--switch", "output-queued(packet_bytes=0)"), "packet_bytes"),
        (("--model", "packet", "--switch", "input-queued", "--node", "node(sockets=2,cores=2)"), "node"),
        (("--model", "packet", "--switch", "input-queued", "--critical-path"), "no record"),
        (("--threads", "2"), "add --model packet"),
        (("--parallel", "optimistic"), "add --model packet"),
        (("--model", "packet", "--parallel", "optimist"), 'did you mean "optimistic"'),
        (("--model", "packet", "--parallel", "optimistic(batch=0,interval=x)"), "optimistic.interval must be"),
        (("--model", "packet", "--parallel", "optimistic", "--switch", "input-queued"), "use output-queued"),
        (("--model", "packet", "--threads", "7"), "at most 6, the switches"),
        (("--model", "packet", "--duplex", "half"), "full-duplex"),
        (("--model", "packet", "--calibration", "simgrid-smpi"), "flow"),
        (("--model", "packet", "--switch", "input-queued(model=booksim)", "-v", "par"), "use model=cut-through"),
        (("--model", "packet", "--switch", "input-queued(model=booksim)", "-v", "escape"), "or output-queued"),
        (("--model", "packet", "-v", "adaptive-progressive"), "no groups"),
        (("--model", "packet", "--switch", "output-queued(channels=1)", "-v", "adaptive-hybrid"), "channels=2 or more"),
    ],
)
def test_bad_input_is_one_line(run: Callable[..., tuple[int, str, str]], given: tuple[str, ...], words: str) -> None:
    code, _, err = run("-c", "allreduce:ring", *given)
    assert code == 2 and words in err, err
    assert "Traceback" not in err and "panicked" not in err


@pytest.mark.parametrize("switch", ["input-queued", "output-queued(channels=2)"])
def test_a_grid_whose_own_routing_needs_more_channels_takes_dimensions_in_order(switch: str) -> None:
    asked = {"workload": "shift(k=21,bytes=20000)"}
    found = simulate("torus(8,8)", switch=switch, **asked)
    given = simulate("torus(8,8)", switch=switch, routing="dimension-ordered(tie=split)", **asked)
    assert found.record == given.record and found.routing == given.routing == "dimension-ordered(tie=split)"
    assert any("too few virtual channels for minimal" in line for line in found.explain())
    assert not any("channels" in line for line in given.explain())
    for more in ({"routing": "minimal"}, {"variant": "adaptive-direct"}):
        with pytest.raises(netloom.NetloomError, match=r"NL-E019.*virtual channels"):
            simulate("torus(8,8)", switch=switch, **asked, **more)


def test_a_cycle_of_channels_is_refused() -> None:
    with pytest.raises(netloom.NetloomError, match=r"NL-E019.*wait for each other forever"):
        simulate("ring(6)", workload="shift(k=2)", routing="single-minimal(vc=one)", switch="output-queued")
