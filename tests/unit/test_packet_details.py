"""What `packet` sees of packets on their way: tables that agree with each other and with bytes on links."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

import netloom
from netloom import Scenario, evaluate
from netloom.evaluate import Answer

OUTPUT = "output-queued(packet_bytes=1024,buffer_bytes=4096)"
INPUT = "input-queued(channels=2)"
WORMHOLE = "input-queued(model=booksim,channels=2,packet_flits=4)"


def asked(switch: str, details: bool = True, **given: Any) -> Answer:
    options = {name: given.pop(name) for name in ("threads", "occupancy", "links", "stop_after_s") if name in given}
    scenario = Scenario("torus(4,4)", **({"routing": "dimension-ordered", "calibration": "pure"} | given))
    return evaluate(scenario, "packet", switch=switch, details=details, **options)


@pytest.fixture(scope="module", params=[OUTPUT, INPUT, WORMHOLE], ids=["output", "cut-through", "wormhole"])
def found(request: pytest.FixtureRequest) -> Answer:
    return asked(request.param, workload="alltoall:pairwise", size_bytes=5000, occupancy=16, links=1 << 20)


def test_tables_count_the_same_packets_and_bytes(found: Answer) -> None:
    (latency,) = found.tables["latency"]
    assert latency["packets"] == found["packets"] and latency["messages"] == found["messages"]
    for of in ("packets", "messages"):
        rows = [row for row in found.tables["latencies"] if row["of"] == of]
        assert sum(row["number"] for row in rows) == latency[of]
        assert all(a["to_s"] == b["from_s"] for a, b in itertools.pairwise(rows))
    by_hops = found.tables["by_hops"]
    assert sum(row["packets"] for row in by_hops) == latency["packets"]
    mean = sum(row["packets"] * row["mean_s"] for row in by_hops) / latency["packets"]
    assert mean == pytest.approx(latency["mean_s"], rel=1e-9)
    ordered = [latency[name] for name in ("p50_s", "p99_s", "p999_s", "max_s")]
    assert ordered == sorted(ordered) and latency["max_s"] <= latency["message_max_s"] <= found["time_s"]
    loads = {row["class"]: row["total_bytes"] for row in found.tables["classes"]}
    assert {row["class"]: row["bytes"] for row in found.tables["class_use"]} == {
        name: size for name, size in loads.items() if name != "all"
    }


def test_links_are_busy_as_long_as_their_bytes_take(found: Answer) -> None:
    speed = netloom.network("torus(4,4)").link_bandwidth_bytes_per_s
    rows = found.tables["busiest"]
    for row in rows:
        assert row["busy"] * found["watched_s"] == pytest.approx(row["bytes"] / speed[row["link"]], rel=1e-3)
    assert [row["busy"] for row in rows] == sorted((row["busy"] for row in rows), reverse=True)
    stalls = sum(row["stalls_s"] for row in rows)
    assert found["stalls_per_packet_s"] == pytest.approx(stalls / found["packets"], rel=1e-6)


def test_buffers_over_time_are_buffers_of_links(found: Answer) -> None:
    rows, stood = found.tables["occupancy"], 0.0
    for row in rows:
        stood += row["bytes"] * row["switches"] * (row["to_s"] - row["from_s"])
    buffers = [row for row in found.tables["busiest"] if row["buffer_mean_bytes"] is not None]
    # Those before links stand where they begin; those behind, which ejection links have not, where they end.
    before = any(row["to"].startswith("endpoint") for row in buffers)
    held = [row for row in buffers if not (before and row["from"].startswith("endpoint"))]
    assert stood / found["watched_s"] == pytest.approx(sum(row["buffer_mean_bytes"] for row in held), rel=1e-3)


@pytest.mark.parametrize("switch", [OUTPUT, INPUT, WORMHOLE])
def test_looking_changes_nothing(switch: str) -> None:
    given: dict[str, Any] = {"workload": "allreduce:ring", "size_bytes": 100_000}
    seen, unseen = asked(switch, **given), asked(switch, False, **given)
    assert [seen[name] for name in ("time_s", "packets", "events")] == [
        unseen[name] for name in ("time_s", "packets", "events")
    ]
    assert "latency" not in unseen.tables and unseen["watched_s"] is None


def test_any_number_of_threads_sees_the_same() -> None:
    one, *others = (
        asked(OUTPUT, workload="alltoall:pairwise", size_bytes=5000, threads=threads, occupancy=16)
        for threads in (1, 2, 5)
    )
    for other in others:
        assert other.tables == one.tables and other.record == one.record


def test_a_lone_message_takes_its_time_and_jobs_are_told_apart() -> None:
    load = netloom.Traffic.from_flows("one", 2, *(np.array([n]) for n in (0, 1, 1, 1000)))
    lone = asked(OUTPUT, workload=load)
    (row,) = lone.tables["latency"]
    assert row["packets"] == row["messages"] == 1
    assert row["max_s"] == row["message_max_s"] == pytest.approx(lone["time_s"], rel=1e-9)
    assert row["fairness"] == 1 and row["least_bytes_per_s"] == row["most_bytes_per_s"] > 0
    jobs = [{"workload": "alltoall:pairwise", "ranks": 8}, {"workload": "shift(k=1)", "ranks": 8}]
    both = asked(OUTPUT, jobs=[job | {"name": name} for job, name in zip(jobs, "ab", strict=True)])
    every, first, second = both.tables["latency"]
    assert [row["job"] for row in (every, first, second)] == ["all", "a", "b"]
    assert every["packets"] == first["packets"] + second["packets"] == both["packets"]
    assert (first["messages"], second["messages"]) == (8 * 7, 8)
    assert every["max_s"] == max(first["max_s"], second["max_s"])


def test_unequal_sources_are_not_fair() -> None:
    """Two messages to one endpoint, from its neighbour and with four times the bytes from another: rates by hand."""
    load = netloom.Traffic.from_flows("two", 3, *(np.array(n) for n in ([0, 1], [2, 2], [1, 1], [1000, 64_000])))
    (row,) = asked(OUTPUT, workload=load).tables["latency"]
    least, most = row["least_bytes_per_s"], row["most_bytes_per_s"]
    assert least < most
    assert row["fairness"] == pytest.approx((least + most) ** 2 / (2 * (least**2 + most**2)), rel=1e-9)


@pytest.mark.parametrize("evaluator", ["time", "packet"])
def test_a_stopped_run_has_no_time(evaluator: str) -> None:
    scenario = Scenario("torus(32,32)", workload="alltoall:pairwise", size_bytes=1 << 20)
    found = evaluate(scenario, evaluator, stop_after_s=1.5)
    assert np.isnan([found["time_s"], found["repetition_s"], found["mean_s"]]).all()
    assert found.record["time_s"] is None and found.tables["jobs"][0]["time_s"] is None
    assert found["stopped_s"] > 0 and 0 <= found["ranks_ended"] < 1024
    assert found.explain()[0].startswith("Stopped in time, after ")
    assert all(np.isnan(job["time_s"]) for job in found["jobs"]) and np.isnan(found["finish_s"]).all()
    whole = evaluate(Scenario("torus(4,4)", workload="allreduce:ring"), evaluator, stop_after_s=60)
    assert whole["stopped_s"] is None and whole["ranks_ended"] == 16 and whole["time_s"] > 0


def test_a_callback_may_ask_for_the_simulated_time() -> None:
    class Clock:
        times: list[float]

        def __init__(self) -> None:
            self.times = []

        def simulated(self, at_s: float) -> None:
            self.times.append(at_s)

        def __call__(self, done: int, total: int) -> None:
            assert done <= total == 256 * 255

    clock = Clock()
    scenario = Scenario("torus(16,16)", workload="alltoall:pairwise", size_bytes=1 << 16)
    found = evaluate(scenario, "packet", progress=clock, stop_after_s=1.0)
    end = np.nanmax([found["time_s"], found["stopped_s"] or np.nan])
    assert clock.times == sorted(clock.times) and 0 < clock.times[0] <= end
