"""What takes long says so before it begins, from counts; a part of something larger says nothing of its own."""

from __future__ import annotations

import re
import warnings
from pathlib import Path

import pytest

import netloom
from netloom import _core
from netloom.base import ahead
from netloom.base.ahead import LongWork, announce, announced, duration, many
from netloom.compare import compare
from netloom.evaluate import ahead as estimates
from netloom.evaluate import bound_of, evaluator
from netloom.evaluate.contest import contest
from netloom.expectation import Against, expect
from netloom.scenario import Calls, Scenario, Workshop
from netloom.study.run import run_study


def bound(evaluator_name, **inputs):
    return bound_of(evaluator(evaluator_name), Scenario(**inputs), Workshop(Calls(Path())), lambda done, total: None)


class Begun(Exception):
    """The work itself."""


@pytest.fixture
def never(monkeypatch):
    """The core is asked for nothing."""

    def begun(*args, **more):
        raise Begun

    monkeypatch.setattr(_core, "evaluate", begun)


@pytest.fixture
def said(monkeypatch):
    """Everything is long."""
    monkeypatch.setattr(ahead, "LONG_S", 0.0)
    with warnings.catch_warnings(record=True) as kept:
        warnings.simplefilter("always", LongWork)
        yield lambda: [str(one.message) for one in kept if issubclass(one.category, LongWork)]


def test_words():
    assert [duration(one) for one in (50, 2240, 1e5, 6e6, 2e10)] == ["50 s", "37 min", "28 h", "69 days", "634 years"]
    counts = [many(one, "messages") for one in (12, 12_000, 537e6, 1.2e9)]
    assert counts == ["12 messages", "12,000 messages", "537 million messages", "1.2 billion messages"]


def test_ten_seconds_is_the_limit():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        announce(9, "few")
        with pytest.raises(LongWork, match=r"about 11 s \(many\)$"):
            announce(11, "many")
        with pytest.raises(LongWork, match=r"about 11 s and 1.9 GB \(many\); sooner: less$"):
            announce(11, "many", "less", 1.9e9)


def test_a_part_says_nothing_of_its_own(said):
    with announced(100, "all"):
        announce(90, "a part")
    announce(80, "another")
    assert said() == ["about 100 s (all)", "about 80 s (another)"]


@pytest.mark.parametrize(
    ("name", "inputs"),
    [
        ("time", {"network": "torus(128,128)", "workload": "allreduce:ring"}),
        ("packet", {"network": "torus(16,16)", "workload": "alltoall:pairwise", "size_bytes": "4 MiB"}),
        ("loads", {"network": "torus(64,64)", "workload": "all-pairs", "variant": "adaptive-hybrid", "ranks": 4096}),
        ("throughput", {"network": "torus(64,64)", "workload": "uniform"}),
        ("hops", {"network": "ring(65536)", "workload": "allreduce:ring", "ranks": 65536}),
    ],
)
def test_each_evaluator_says_it_before_the_work(never, name, inputs):
    with pytest.warns(LongWork, match=r"about .* \(.*(messages|cycles)") as kept, pytest.raises(Begun):
        netloom.evaluate(inputs, name)
    assert len(kept) == 1


def test_small_work_says_nothing():
    with warnings.catch_warnings():
        warnings.simplefilter("error", LongWork)
        netloom.simulate("torus(4,4)", workload="alltoall:pairwise")
        netloom.hops("torus(4,4)", workload="alltoall:pairwise")
        contest(bound("time", network="torus(4,4)", workload="stencil(4,4)"))


def test_counts_are_those_of_the_work(said):
    netloom.simulate("torus(4,4)", workload="allreduce:ring", repetitions=10)
    assert said() == ["about 0 s (4,800 messages); sooner: link loads, fewer ranks, fewer repetitions"]


def test_jobs_are_counted_together(said):
    jobs = [
        {"name": "a", "nodes": 4, "workload": "alltoall:linear"},
        {"name": "b", "nodes": 4, "workload": "alltoall:linear"},
    ]
    netloom.simulate("torus(4,4)", jobs=jobs)
    assert [one.partition(";")[0] for one in said()] == ["about 0 s (24 messages)"]


def test_a_search_a_comparison_and_a_collective_say_it_once(said, monkeypatch):
    monkeypatch.setattr("netloom.compare.ahead.FEW", 0)
    contest(bound("time", network="torus(4,4)", workload="stencil(4,4)"))
    assert len(said()) == 1
    compare(["torus(4,4)", "hypercube(4)"], ["alltoall:bruck"], spread=False)
    assert len(said()) == 2
    netloom.time_collective("torus(4,4)", "broadcast", sizes="1KiB,2KiB", algorithms=["broadcast:binomial"])
    assert said()[2] == "about 0 s (30 messages); sooner: fewer sizes, or algorithms by their names"


def test_memory_is_that_of_lists_of_messages_under_way_and_of_routes(never):
    """A million messages at once over some eight links each, one of each rank at once, and a list of eight million."""
    for network, workload, least, most in (
        ("torus(16,8,8)", "alltoall:linear", 0.7e9, 2e9),
        ("torus(128,128)", "allreduce:ring", 1e6, 0.2e9),
        ("torus(64,64)", "allreduce:double-tree(segments=512)", 0.5e9, 2e9),
    ):
        with pytest.warns(LongWork) as kept, pytest.raises(Begun):
            netloom.evaluate(
                {"network": network, "workload": workload, "size_bytes": "1 GiB", "placement": "random"}, "time"
            )
        number, unit = re.search(r" and ([\d.]+) (.B) ", str(kept[0].message)).groups()
        assert least < float(number) * {"MB": 1e6, "GB": 1e9}[unit] < most, workload


def test_a_size_whose_blocks_are_equal_takes_less(never):
    """1,056 ranks do not divide 2^30."""
    asked = {"network": "dragonfly(a=8,p=4,h=4,g=33,arrangement=relative)", "workload": "allreduce:ring"}
    with pytest.warns(LongWork, match=r"such as 17179869696 B, link loads") as kept, pytest.raises(Begun):
        netloom.evaluate(asked | {"size_bytes": 1 << 34, "repetitions": 4}, "time")
    assert len(kept) == 1
    with pytest.raises(Begun):
        netloom.evaluate(asked | {"size_bytes": 17179869696, "repetitions": 4}, "time")


def test_a_log_says_it_before_the_work(monkeypatch, said, tmp_path):
    log = tmp_path / "log.csv"
    log.write_text("collective,algorithm,nodes,ranks_per_node,bytes,time_s\nallreduce,ring,4,1,1024,0.00005\n")
    expect(log, Against("lumi-c"))
    assert said()[0].startswith("about 0 s (24 messages); sooner: fewer rows")


def test_a_study_says_it_once(said, tmp_path):
    study = tmp_path / "study.toml"
    study.write_text(
        'title = "Two"\n[[experiment]]\nname = "a"\nevaluate = "time"\n[experiment.axes]\n'
        'network = ["torus(4,4)", "ring(16)"]\nworkload = ["alltoall:bruck"]\n'
    )
    run_study(study, tmp_path / "out", figures=False)
    assert len(said()) == 1
    assert "(2 runs" in said()[0]


def test_messages_of_a_stream_are_sampled():
    exact = _core.Traffic.pattern("stencil(16,16)", 256).messages
    assert estimates.messages_of(_core.stream("stencil(16,16)", 256)) == exact


def test_what_is_merged_takes_no_time_of_its_own():
    """Messages of one pair of ranks are one flow; those of one pair of switches are one load."""
    pairs = _core.Traffic.pattern("uniform(messages=100000)", 8)
    assert estimates.flow_s(pairs, 8) == estimates.flow_s(_core.Traffic.pattern("uniform(messages=64)", 8), 8)
    ring, all_to_all = (
        bound("loads", network="torus(16,16)", workload=f"{name}") for name in ("allreduce:ring", "alltoall:pairwise")
    )
    seconds = [
        estimates.of_loads(one, [one.work.stream_of(job, one.size_bytes) for job in one.jobs])[0]
        for one in (ring, all_to_all)
    ]
    assert ring.messages.messages > all_to_all.messages.messages
    assert seconds[0] < seconds[1]


def test_what_all_send_to_all_is_summed():
    """Not message by message: 1.07 billion of them take seconds, on trees, tori and dragonflies."""
    for network in ("k_ary_n_tree(k=32,n=3)", "torus(32,32,32)", "dragonfly(a=16,p=16,h=8,g=129)"):
        asked = bound("loads", network=network, workload="alltoall:pairwise")
        (job,) = asked.jobs
        sends = asked.work.stream_of(job, 1024)
        seconds, counts, *_ = estimates.of_loads(asked, [sends])
        assert 0.5 < seconds < 20 and counts.endswith("billion messages")
        assert isinstance(sends, _core.Sends) and sends.to_all
    assert not _core.stream("stencil(16,16)", 256).to_all


def test_a_curve_grows_with_its_loads():
    """Loads that are no numbers are left to the evaluation to refuse."""
    asked = bound("throughput", network="torus(8,8)", workload="uniform")
    of = [estimates.of_curve(asked, {"loads": loads})[0] for loads in ("0.1", "0.8", "x", "")]
    assert of[0] < of[2] < of[1] < of[3]
    with pytest.raises(netloom.NetloomError, match='"x"'):
        netloom.evaluate(Scenario(network="torus(4,4)", workload="uniform"), "throughput", loads="x")


def test_messages_that_meet_take_longer():
    """The same messages in one step and in many."""
    at_once, stepwise = (_core.Schedule.build(f"alltoall:{name}", 256) for name in ("linear", "pairwise"))
    assert at_once.messages == stepwise.messages
    assert estimates.flow_s(at_once, 256) > 5 * estimates.flow_s(stepwise, 256)


def test_programs_count_their_messages():
    programs = _core.Programs.application("ft(class=S)", 16)
    assert programs.messages == _core.Traffic.of_programs(programs).messages


def test_packets_grow_with_bytes():
    small, large = (
        bound("packet", network="torus(8,8)", workload="alltoall:pairwise", size_bytes=size) for size in (64, 1 << 20)
    )
    options = {"switch": "output-queued(packet_bytes=1024)"}
    seconds = [estimates.of_run(one, "packet", [one.workload], options)[0] for one in (small, large)]
    assert seconds[1] > 100 * seconds[0]


def test_what_is_done_twice_takes_twice_as_long(said):
    with ahead.repeated(2):
        announce(30, "a run")
    announce(30, "a run", "less of it")
    assert said() == ["about 60 s (a run)", "about 30 s (a run); sooner: less of it"]


def test_rounds_alike_are_proved_as_one_and_counted_for_less():
    gathered, reduced = (_core.Schedule.build(f"{name}:ring", 64) for name in ("allgather", "allreduce"))
    assert estimates.to_prove(gathered) == gathered.messages / estimates.ALIKE
    assert estimates.to_prove(reduced) == reduced.messages


def test_a_cut_of_a_grid_is_known():
    assert estimates.of_cut(_core.Network.build("torus(4,4)")).seconds == 0
    assert estimates.of_cut(_core.Network.build("random_regular(16,degree=4)")).seconds > 0
