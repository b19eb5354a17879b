"""One scenario, every evaluator: the same numbers as the functions of the core that came before."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pytest

import netloom
from netloom import NetloomError, _core, calibration, simulate

NETWORK = "dragonfly(a=4,p=2,h=2)"
BACKGROUND = [(0, 40, 1e6, 0.0, float("inf"))]


def network(text: str = NETWORK) -> _core.Network:
    return _core.Network.build(text)


def places(net: _core.Network, ranks: int) -> np.ndarray[Any, np.dtype[np.uint32]]:
    return np.asarray(netloom.place(net, ranks, "random(seed=1)"), np.uint32)


def settings_of(chosen: str, duplex: str, switch_latency_s: float, flops_per_s: float) -> dict[str, Any]:
    """What `_core.simulate` takes besides network, routing and jobs."""
    core = calibration.load(chosen).to_core()
    rows = {key: [tuple(row) for row in value] if isinstance(value, list) else value for key, value in core.items()}
    return {**rows, "duplex": duplex, "switch_latency_s": switch_latency_s, "flops_per_s": flops_per_s}


WORKLOADS: dict[str, Callable[[], Any]] = {
    "schedule": lambda: _core.Schedule.build("allreduce:ring", 32, 0, 4096),
    "cyclic": lambda: _core.Schedule.build("alltoall:bruck", 32, 0, 640),
    "traffic": lambda: _core.Traffic.pattern("uniform(messages=1000)", 32),
}


def alone(net: _core.Network, load: Any, **options: Any) -> _core.Scenario:
    return _core.Scenario(net, [_core.Job("job", load, places(net, 32), **options)])


@pytest.mark.parametrize("workload", WORKLOADS)
def test_hops(workload: str) -> None:
    net, load = network(), WORKLOADS[workload]()
    old = _core.hops(net, places(net, 32), load)
    answer = _core.evaluate(alone(net, load), "hops")
    steps = answer["tables"]["steps"]
    rows = [dict(zip(steps, row, strict=True)) for row in zip(*steps.values(), strict=True)]
    assert old.pop("steps") == rows and bool(rows) == (workload != "traffic")
    assert old.pop("histogram") == list(answer["tables"]["histogram"]["messages"])
    assert old.items() <= answer["record"].items()
    assert old["average_dilation"] > 0


@pytest.mark.parametrize("routing", ["minimal", "single-minimal", "group-minimal", "valiant(samples=2)"])
@pytest.mark.parametrize("workload", WORKLOADS)
def test_link_loads(workload: str, routing: str) -> None:
    net, load = network(), WORKLOADS[workload]()
    old = _core.link_loads(net, places(net, 32), load, routing)
    answer = _core.evaluate(alone(net, load, routing=routing), "loads", {"hottest": 0})
    record = answer["record"]
    assert np.array_equal(old["bytes"], np.asarray(answer["tables"]["links"]["bytes"]))
    assert (old["max_bytes"], old["endpoint_max_bytes"]) == (record["max_bytes"], record["endpoint_max_bytes"])
    assert (old["mean_bytes"], old["used_links"]) == (record["mean_bytes"], record["used_links"])


def test_contentions() -> None:
    net, load = network(), WORKLOADS["cyclic"]()
    answer = _core.evaluate(alone(net, load, routing="single-minimal"), "contentions")
    assert answer["record"]["contentions"] == _core.contentions(net, places(net, 32), load, "single-minimal") > 0
    assert sum(answer["tables"]["steps"]["contentions"]) == answer["record"]["contentions"]


@pytest.mark.parametrize("choice", ["static-direct", "static-indirect", "adaptive-direct", "adaptive-hybrid", "AI"])
def test_loads_of_several_jobs(choice: str) -> None:
    net = network()
    given = [("a", WORKLOADS["schedule"](), np.arange(32)), ("b", WORKLOADS["traffic"](), np.arange(32, 64) // 2)]
    streams = [_core.Sends.of_schedule(given[0][1]), _core.Sends.of_traffic(given[1][1])]
    rows = [(n, s, p.astype(np.uint32), "minimal", choice) for (n, _, p), s in zip(given, streams, strict=True)]
    old = _core.loads(net, rows, {"rounds": 7}, 4, 2, True)
    jobs = [_core.Job(n, load, p, routing="minimal", choice=choice) for n, load, p in given]
    answer = _core.evaluate(_core.Scenario(net, jobs), "loads(rounds=7)", {"hottest": 4, "top": 2})
    record, tables = answer["record"], answer["tables"]
    for key in ("messages", "bytes_sent", "switch_bytes", "rounds", "last_gain", "flows"):
        assert old[key] == record[key], key
    assert np.array_equal(old["link_bytes"], np.asarray(tables["links"]["bytes"]))
    mine = np.asarray(tables["job_links"]["bytes"]).reshape(2, -1)
    assert all(np.array_equal(job["link_bytes"], row) for job, row in zip(old["jobs"], mine, strict=True))
    assert np.array_equal(old["group_bytes"].ravel(), np.asarray(tables["groups"]["bytes"]))
    classes = tables["classes"]
    assert list(old["classes"]) == classes["class"]
    for at, name in enumerate(classes["class"]):
        assert old["classes"][name] == {key: column[at] for key, column in classes.items() if key != "class"}
    for at, job in enumerate(old["jobs"]):
        assert job["links"].items() <= {key: column[at] for key, column in tables["jobs"].items()}.items()
        assert job["slowdown"] == tables["jobs"]["slowdown"][at]
    assert [job["met_bytes"][1 - at] for at, job in enumerate(old["jobs"])] == list(tables["neighbours"]["met_bytes"])
    hot = tables["hottest"]
    for at, link in enumerate(old["hottest"]):
        assert {k: v for k, v in link.items() if k != "jobs"} == {key: column[at] for key, column in hot.items()}
        for share in link["jobs"]:
            for table, key in (("offsets", "offsets"), ("pairs", "pairs")):
                columns = list(zip(*tables[table].values(), strict=True))
                assert [tuple(r) for r in share[key]] == [
                    c[2:] for c in columns if c[:2] == (link["link"], share["job"])
                ]


def machine(**changes: Any) -> dict[str, Any]:
    core = calibration.load("simgrid-smpi").to_core()
    rows = {k: [tuple(row) for row in v] if isinstance(v, list) else v for k, v in core.items()}
    return {"duplex": "half", "switch_latency_s": 1e-7, "flops_per_s": 1e9, "calibration": rows, **changes}


@pytest.mark.parametrize("workload", [*WORKLOADS, "programs"])
def test_time(workload: str) -> None:
    net = network()
    made: dict[str, Any] = {**WORKLOADS, "programs": lambda: _core.Programs.application("is(class=S)", 32, {})}
    load = made[workload]()
    settings = settings_of("simgrid-smpi", "half", 1e-7, 1e9)
    old = _core.simulate(
        net, [(load, places(net, 32), 1e-3, 2)] * 2, "single-minimal", settings, BACKGROUND, trace=True
    )
    job = _core.Job("j", load, places(net, 32), routing="single-minimal", start="1 ms", repetitions=2)
    scenario = _core.Scenario(net, [job, job], BACKGROUND, machine())
    answer = _core.evaluate(scenario, "time(trace=true)")
    record, tables = answer["record"], answer["tables"]
    for key in ("time_s", "messages", "bytes", "solves", "fillings", "entries", "changes"):
        assert old[key] == record[key], key
    assert [x for job in old["finish_s"] for x in job] == list(tables["ranks"]["finish_s"])
    assert list(tables["jobs"]["finish_s"]) == [max(job) for job in old["finish_s"]]
    for name in ("messages", "intervals"):
        for key, column in old["trace"][name].items():
            assert np.array_equal(column, np.asarray(tables[name][key]), equal_nan=True), (name, key)
    bins = old["trace"]["link_bins"]
    assert np.array_equal(bins["bytes"].ravel(), np.asarray(tables["link_bins"]["bytes"]))
    assert (record["bin_s"], list(bins["links"])) == (bins["width_s"], list(tables["busy_links"]["link"]))
    path = old["critical_path"]
    assert np.array_equal(path["segments"]["end_s"], np.asarray(tables["critical_path"]["end_s"]))
    assert path["shares_s"] == dict(zip(tables["shares"]["kind"], tables["shares"]["seconds"], strict=True))


def test_operations_per_second() -> None:
    net, load = network(), _core.Programs.application("is(class=S)", 32, {})
    wanted = simulate(net, workload=load, mapping=places(net, 32), repetitions=3)
    job = _core.Job("j", load, places(net, 32), routing="single-minimal", repetitions=3)
    machine = {"calibration": settings_of("pure", "full", 0.0, 1e11)}
    record = _core.evaluate(_core.Scenario(net, [job], machine=machine), "time")["record"]
    assert (record["time_s"], record["mop_per_s"]) == (wanted["time_s"], wanted["mop_per_s"])


def test_without_settings_a_machine_is_the_default_of_the_api() -> None:
    net, load = network(), WORKLOADS["schedule"]()
    record = _core.evaluate(alone(net, load, routing="single-minimal"), "time")["record"]
    assert record["time_s"] == simulate(net, workload=load, mapping=places(net, 32))["time_s"]


@pytest.mark.parametrize("objective", ["hops", "hop-bytes", "max-link-load", "contentions", "time"])
@pytest.mark.parametrize("free", [True, False])
def test_search(objective: str, free: bool) -> None:
    net, load = network(), WORKLOADS["schedule"]()
    routing, optimiser = "single-minimal", "two-opt(swaps=300,seed=3)"
    settings = settings_of("simgrid-smpi", "half", 1e-7, 1e9)
    old = _core.optimise(
        net, places(net, 32), load, optimiser, objective, free, routing=routing, timing=(net, settings, routing, 1)
    )
    scenario = _core.Scenario(net, [_core.Job("j", load, places(net, 32), routing=routing)], machine=machine())
    new = _core.search(scenario, optimiser, objective, free)
    assert list(old.pop("mapping")) == list(new.pop("mapping")) and set(new.pop("seats")) == {0}
    assert old == new


def test_search_follows_the_routing_of_the_scenario() -> None:
    net, load = network("torus(4,4)"), _core.Traffic.pattern("uniform(messages=300)", 16)
    start = np.arange(16, dtype=np.uint32)
    seen = set()
    for routing in ("single-minimal", "dimension-ordered"):
        scenario = _core.Scenario(net, [_core.Job("j", load, start, routing=routing)])
        found = _core.search(scenario, "two-opt(swaps=1)", "max-link-load", False)
        loads = _core.evaluate(scenario, "loads")["record"]["max_bytes"]
        assert found["start_value"] == loads
        seen.add(found["start_value"])
    assert len(seen) == 2
    with pytest.raises(NetloomError, match="NL-A004 routing of job j"):
        _core.search(_core.Scenario(net, [_core.Job("j", load, start)]), "two-opt", "max-link-load", False)


@pytest.mark.parametrize("objective", ["hops", "time"])
def test_search_with_several_ranks_on_an_endpoint(objective: str) -> None:
    net, load, cores = network("torus(4,4)"), WORKLOADS["schedule"](), 4
    slots = net.with_slots(cores)
    start = np.asarray(netloom.place(slots, 32, "random(seed=5)"), np.uint32)
    settings = settings_of("simgrid-smpi", "half", 1e-7, 1e9)
    old = _core.optimise(
        slots, start, load, "two-opt(swaps=200)", objective, True, timing=(net, settings, "single-minimal", 1)
    )
    job = _core.Job("j", load, start // cores, start % cores, cores=cores, routing="single-minimal")
    new = _core.search(_core.Scenario(net, [job], machine=machine()), "two-opt(swaps=200)", objective, True)
    assert [c * cores + s for c, s in zip(new["mapping"], new["seats"], strict=True)] == list(old["mapping"])
    assert new["value"] == old["value"] < old["start_value"]


def refused(evaluator: str, *, jobs: int = 1, background: Any = None, **options: Any) -> list[str]:
    net = network()
    job = _core.Job("one", options.pop("load", None) or WORKLOADS["schedule"](), places(net, 32), **options)
    with pytest.raises(NetloomError) as caught:
        _core.evaluate(_core.Scenario(net, [job] * jobs, background), evaluator)
    return [f"{fault.code} {fault.place}" for fault in caught.value.faults]


def test_what_an_evaluator_cannot_use_is_refused_by_name() -> None:
    assert refused("hops", background=BACKGROUND) == ["NL-E030 background"]
    assert refused("hops", jobs=2, choice="static-direct", start=1.0) == [
        "NL-E030 jobs", "NL-E030 choice of job one", "NL-E030 start of job one",
    ]  # fmt: skip
    assert refused("loads", repetitions=2, routing="minimal") == ["NL-E030 repetitions of job one"]
    assert refused("time", choice="adaptive-direct", routing="minimal") == ["NL-E030 choice of job one"]
    assert refused("contentions", load=WORKLOADS["traffic"](), routing="minimal") == ["NL-E030 workload of job one"]
    assert refused("time", jobs=0) == ["NL-E030 jobs"]
    assert refused("loads") == ["NL-A004 routing of job one"]
    assert refused("loads", routing="minimal", choice="adaptiv") == ["NL-A007 variant of job one"]
    assert refused("loads(round=3)", routing="minimal") == ["NL-A003 loads"]
    assert refused("loads(rounds=0, fresh_paths=0)") == ["NL-A007 loads.rounds", "NL-A007 loads.fresh_paths"][::-1]
    assert refused("load") == ["NL-A002 evaluator"]


def test_bad_jobs_are_refused_when_the_scenario_is_made() -> None:
    net, load = network(), WORKLOADS["schedule"]()

    def code(endpoints: Any, **options: Any) -> str:
        with pytest.raises(NetloomError) as caught:
            _core.Scenario(net, [_core.Job("j", load, np.asarray(endpoints, np.uint32), **options)])
        return caught.value.faults[0].code

    assert code(range(31)) == "NL-E001"
    assert code([*range(31), 72]) == "NL-M001"
    assert code([0] * 32, cores=31) == "NL-M002"
    assert code([0] * 32, seats=np.zeros(32, np.uint32)) == "NL-M002"
    assert code(range(32), repetitions=0) == "NL-A007"
    assert code(range(32), routing="minimall") == "NL-A002"
    with pytest.raises(NetloomError, match=r"NL-A007 machine\.duplex"):
        _core.Scenario(net, [], machine={"duplex": "both"})


def test_ranks_share_endpoints_in_every_evaluator() -> None:
    net, load = network(), WORKLOADS["cyclic"]()
    job = _core.Job("j", load, np.arange(32) // 4, routing="single-minimal")
    scenario = _core.Scenario(net, [job])
    found: Mapping[str, Any] = {
        name: _core.evaluate(scenario, name) for name in ("hops", "loads", "contentions", "time")
    }
    assert found["hops"]["record"]["hop_bytes"] == sum(found["loads"]["tables"]["links"]["bytes"][: -2 * net.endpoints])
    assert found["time"]["record"]["messages"] == found["hops"]["record"]["messages"]


def test_a_stream_is_the_list_it_streams() -> None:
    net, load = network(), _core.Traffic.pattern("uniform(messages=1000)", 32)
    for evaluator in ("hops", "loads", "time"):
        answers = [
            _core.evaluate(alone(net, form, routing="single-minimal"), evaluator)
            for form in (load, _core.Sends.of_traffic(load))
        ]
        assert answers[0] == answers[1]


def test_answers_say_what_they_take_for_granted() -> None:
    net, load = network(), WORKLOADS["schedule"]()
    for row in _core.evaluators():
        answer = _core.evaluate(alone(net, load, routing="single-minimal"), row["name"])
        assert answer["evaluator"] == row["name"] and answer["model"] == row["model"]
        assert answer["assumptions"] == row["assumptions"] and all(text.endswith(".") for text in row["assumptions"])
        assert list(answer["record"]) == [name for name, _, _ in row["fields"]]
        assert set(answer["tables"]) <= set(row["tables"])
        for name, columns in answer["tables"].items():
            assert list(columns) == [field for field, _, _ in row["tables"][name][1]]


def test_whole_bytes_are_whole_and_fractions_stay() -> None:
    # On a torus all switch links are alike, and six minimal paths of a pair have a sixth of its bytes each.
    net = network("torus(4,4,4)")
    ranks = np.arange(net.endpoints)
    src, dst = (pair.ravel().astype(np.int64) for pair in np.meshgrid(ranks, ranks))
    bytes_ = np.full(src.size, 8)

    def loads(rows: slice) -> set[float]:
        load = _core.Traffic.from_flows("own", net.endpoints, src[rows], dst[rows], bytes_[rows], bytes_[rows])
        job = _core.Job("j", load, ranks.astype(np.uint32), routing="minimal")
        answer = _core.evaluate(_core.Scenario(net, [job]), "loads")
        return set(np.asarray(answer["tables"]["links"]["bytes"])[: -2 * net.endpoints].tolist())

    assert loads(slice(None)) == {256.0}
    corner = next(at for at in range(src.size) if (src[at], dst[at]) == (0, 21))
    assert {round(load, 10) for load in loads(slice(corner, corner + 1))} == {0, round(8 / 6, 10), round(8 / 3, 10)}
