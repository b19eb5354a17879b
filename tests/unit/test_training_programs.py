"""The step as programs of all ranks: simulated whole, in formats of traces, as a workload, and beside another job."""

from __future__ import annotations

import warnings
from dataclasses import replace
from pathlib import Path

import pytest

import netloom
from netloom import Job, _core
from netloom.base.errors import NetloomError
from netloom.training import Model, Planner, Site, Split
from netloom.training.beside import beside, leaves_in_turn, size_of
from netloom.training.cluster import Cluster
from netloom.training.groups import Layout
from netloom.training.pipeline import needs
from netloom.training.program import order
from netloom.training.programs import Written, _in_turn, programs
from netloom.training.traffic import GROUPS, listed

SMALL = Model("small", 8, 1024, 4096, 16, 8192, kv_heads=8, sequence=1024)
FILE = "[small]\nlayers = 8\nhidden = 1024\nffn = 4096\nheads = 16\nkv_heads = 8\nvocab = 8192\nsequence = 1024\n"
#: One efficiency and one precision, said, so that nothing depends on what was fitted.
BASE = Split(16, tp=8, dp=2, global_batch=4, sequence=1024, recompute="none")


def whole_s(planner: Planner, made: _core.Programs) -> float:
    return float(str(planner.cluster.evaluate("time", made, made.ranks)["time_s"]))


@pytest.mark.parametrize(
    ("split", "off"),
    [
        # Groups of one kind, each call waited for or hidden behind one layer: the step's own sums.
        (Split(8, tp=8, global_batch=2, sequence=1024), 1e-9),
        (Split(8, tp=8, global_batch=2, sequence=1024, sequence_parallel=False), 1e-9),
        (Split(8, tp=8, global_batch=2, sequence=1024, recompute="full"), 1e-9),
        (Split(16, dp=16, zero=3, global_batch=32, sequence=16384, recompute="none"), 1e-9),
        # Gradients are summed one layer behind, not as early as they can be; replicas of two kinds meet on the wires.
        (Split(16, tp=2, dp=8, global_batch=16, sequence=1024), 0.05),
        (Split(16, tp=2, dp=8, zero=2, global_batch=16, sequence=1024), 0.05),
        # Sends of a pipeline are single ones, where the step has those of all stages at once.
        (Split(16, tp=4, pp=4, global_batch=16, sequence=1024, zero=0), 0.02),
        (Split(16, tp=4, pp=2, dp=2, global_batch=16, sequence=1024, schedule="interleaved", interleave=2), 0.05),
    ],
)
def test_the_whole_step_takes_what_its_calls_take(split: Split, off: float) -> None:
    planner = Planner(SMALL, Site("dgx-h100", efficiency=0.5), split.gpus)
    assert whole_s(planner, programs(planner, split)) == pytest.approx(planner.simulated(split).step_s, rel=off)


def test_kinds_that_share_a_wire_take_longer_than_one_by_one() -> None:
    # Keys and values go between nodes while gradients do: what the step leaves out, and its words say.
    split = Split(16, tp=4, cp=2, dp=2, global_batch=4, sequence=1024, order=("tp", "dp", "ep", "cp", "pp"))
    planner = Planner(SMALL, Site("dgx-h100", efficiency=0.5), 16)
    assert whole_s(planner, programs(planner, split)) >= planner.simulated(split).step_s * (1 - 1e-9)


@pytest.mark.parametrize("kind", GROUPS)
def test_all_groups_of_a_kind_hold_each_rank_once(kind: str) -> None:
    layout = Layout.of(Split(48, tp=2, pp=3, cp=2, dp=4, ep=2, global_batch=4))
    groups = layout.groups(kind)
    assert sorted(rank for group in groups for rank in group) == list(range(48)) and groups[0] == layout.first(kind)
    if kind != "pp":
        stages = [group for stage in range(3) for group in layout.groups(kind, stage)]
        assert sorted(map(tuple, stages)) == sorted(map(tuple, groups))


@pytest.mark.parametrize(
    "split", [Split(4, pp=4, global_batch=8), Split(4, pp=4, schedule="interleaved", interleave=2, global_batch=8)]
)
def test_tasks_of_all_stages_come_in_an_order_that_is_each_stage_s(split: Split) -> None:
    found, done = list(_in_turn(split)), set()
    for task in found:
        need = needs(task, split.parts)
        assert need is None or need in done
        done.add(task)
    for stage in range(4):
        assert [task for task in found if task[1] % 4 == stage] == order(split, stage)


def test_the_messages_of_the_programs_are_those_of_the_step() -> None:
    split = replace(BASE, pp=1)
    planner = Planner(SMALL, Site("dgx-h100", efficiency=0.5), 16)
    made = programs(planner, split)
    expected = 0
    for row in listed(SMALL, split):
        ranks = len(planner.clock(split)._layout.first(row.call.kind))
        # A ring passes all but one part of the vector on, from each rank.
        expected += row.times * 16 * (ranks - 1) * (row.call.bytes // ranks)
    assert int(_core.Traffic.of_programs(made).table()["bytes"].sum()) == expected


def replayed_s(planner: Planner, made: _core.Programs, name: str, folder: Path, algorithm: str = "") -> float:
    """Seconds of programs that were written in a format and read again."""
    files = made.write(name)
    for place, data in files:
        (folder / place).write_bytes(data)
    named = {call: f"{call}:{algorithm}" for call in ("allgather", "reduce-scatter")} if algorithm else None
    with warnings.catch_warnings():
        # What a reader says of names of groups.
        warnings.simplefilter("ignore")
        again = netloom.read(folder / files[0][0], "programs", algorithms=named)
    return whole_s(planner, again)


@pytest.mark.parametrize(
    ("split", "goal", "chakra"),
    [
        (Split(8, tp=8, global_batch=1, sequence=8192), 0.04, 1e-3),
        (Split(16, tp=4, pp=2, dp=2, global_batch=4, sequence=8192), 0.02, 1e-3),
        # Chakra does one collective of a rank at a time: gradients wait for activations.
        (Split(16, tp=2, dp=8, global_batch=8, sequence=8192), 0.01, 0.08),
    ],
)
def test_formats_of_traces_hold_the_step(tmp_path: Path, split: Split, goal: float, chakra: float) -> None:
    planner = Planner("llama3-8b", Site("dgx-h100", efficiency=0.469), split.gpus)
    step_s, made = planner.simulated(split).step_s, programs(planner, split)
    plain = replayed_s(planner, made, "goal", tmp_path)
    assert replayed_s(planner, made, "goal-binary", tmp_path) == plain
    # Plain messages have none of the costs of NCCL's protocols, nor of combining.
    assert step_s * (1 - goal) < plain < step_s
    # With the algorithms and the protocol that the library chooses, parts of microseconds are lost.
    grained = programs(planner, split, Written(grain_s=1e-6))
    found = replayed_s(planner, grained, "chakra", tmp_path, "ring(protocol=simple)")
    assert found == pytest.approx(step_s, rel=chakra)


@pytest.mark.parametrize(
    "split", [Split(16, tp=4, dp=4, global_batch=4, sequence=1024), Split(4, pp=4, global_batch=4, sequence=1024)]
)
def test_smpi_holds_the_step_without_what_goes_on_at_the_same_time(tmp_path: Path, split: Split) -> None:
    planner = Planner(SMALL, Site("dgx-h100", efficiency=0.5), split.gpus)
    made = programs(planner, split, Written(overlaps=False))
    # Collectives of some ranks are messages in both; GOAL rounds computation to nanoseconds.
    smpi, goal = (replayed_s(planner, made, name, tmp_path) for name in ("smpi-trace", "goal"))
    assert smpi == pytest.approx(goal, rel=1e-5)
    if split.tp > 1:
        assert smpi > replayed_s(planner, programs(planner, split), "goal", tmp_path)
        with pytest.raises(NetloomError, match="NL-F018"):
            programs(planner, split).write("smpi-trace")


@pytest.mark.parametrize(
    ("split", "words"),
    [
        (replace(BASE, pp=2, dp=1, global_batch=4, schedule="zero-bubble"), "no fixed order"),
        (replace(BASE, overlap={"tp": 0.5}), "a share of messages"),
        (replace(BASE, global_batch=1 << 17), "16 ranks x"),
    ],
)
def test_what_no_program_can_be_is_refused(split: Split, words: str) -> None:
    with pytest.raises(NetloomError, match=words) as found:
        programs(Planner(SMALL, Site("dgx-h100", efficiency=0.5), 16), split)
    assert found.value.faults[0].code == "NL-Y003"


def test_a_call_is_a_workload_of_any_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("m.toml").write_text(FILE)
    call = 'step("m.toml",tp=8,efficiency=0.5,global_batch=4)'
    planner = Planner(SMALL, Site("dgx-h100", efficiency=0.5), 16)
    found = netloom.simulate(machine="dgx-h100", workload=call, ranks=16)
    assert found["time_s"] == pytest.approx(whole_s(planner, programs(planner, replace(BASE, recompute="auto"))))
    assert netloom.workload(call[:-1] + ',machine="dgx-h100")', 16).ranks == 16
    assert netloom.loads(machine="dgx-h100", workload=call, ranks=16)["total_bytes"] > 0


@pytest.mark.parametrize(
    ("call", "code", "words"),
    [
        ("step(tp=2)", "NL-Y002", "one model in quotes"),
        ('step("llama3-8b",zerro=2)', "NL-Y002", 'did you mean "zero"'),
        ('step("llama3-8b",tp="2")', "NL-Y003", "an integer"),
        ('step("llama3-8b",tp=3)', "NL-Y004", "does not divide"),
        ('step("llama3-8b",efficiency=2)', "NL-Y003", "a share in 0..1"),
        ('step("llama3-8",tp=2)', "NL-Y002", 'did you mean "llama3-8b"'),
    ],
)
def test_a_wrong_call_is_refused(call: str, code: str, words: str) -> None:
    with pytest.raises(NetloomError, match=words) as found:
        netloom.simulate(machine="dgx-h100", workload=call, ranks=12)
    assert code in {fault.code for fault in found.value.faults}


def test_a_call_without_a_machine_is_refused() -> None:
    with pytest.raises(NetloomError, match="which GPUs compute"):
        netloom.simulate("star(16)", workload='step("llama3-8b",tp=8)', ranks=16)


def test_map_finds_the_order_that_programs_give() -> None:
    # Tensor-parallel groups across nodes, as nobody numbers them: the search brings each onto one node.
    call = 'step("llama3-8b",tp=8,pp=2,global_batch=2,sequence=512,axes="pp-tp-cp-ep-dp",efficiency=0.5)'
    asked = {"machine": "dgx-h100", "workload": call, "ranks": 16}
    found = netloom.map_ranks(**asked, optimiser="anneal", objective="inter-node-bytes")
    before = netloom.simulate(**asked)["time_s"]
    after = netloom.simulate(**asked, mapping=found["mapping"])["time_s"]
    assert found["value"] < found["start_value"] and after < before


# ---- another job


def tapered(nodes: int, taper: int) -> Site:
    inputs = {"network.nodes": nodes, "network.pod": nodes // 2, "network.oversubscription": taper}
    return Site("dgx-h100", efficiency=1.0, inputs=inputs)


WIDE = Model("wide", 4, 4096, 16384, 32, 32000, sequence=64)
FULL = Split(16, dp=16, zero=3, global_batch=16, sequence=64, recompute="none")
OTHER = "allgather:ring(channels=8,local=8,protocol=simple)"


def test_two_jobs_on_other_leaves_do_not_meet() -> None:
    planner = Planner(WIDE, tapered(4, 2), 32)
    found = beside(planner, FULL, 16, "shift(k=8,bytes=268435456)")
    assert found.slowdown == pytest.approx((1.0, 1.0)) and found.leaves == (0, 2)


@pytest.mark.parametrize(("taper", "slower"), [(1, 1.0), (2, 2.0)])
def test_two_jobs_that_share_a_spine_take_what_its_taper_leaves(taper: int, slower: float) -> None:
    # Two nodes a leaf, half of them each job's, every hop of a ring over the spine: alone a job has one uplink for its
    # one node a leaf, together two nodes have two uplinks, or with a taper of two one.
    planner = Planner(WIDE, tapered(4, taper), 32)
    assert leaves_in_turn(planner.cluster) == [0, 2, 1, 3]
    size = 1 << 28
    found = beside(planner, FULL, 16, f"shift(k=8,bytes={size})", True)
    assert found.leaves == (2, 0)
    alone, together = found.alone_s[1], found.together_s[1]
    # A flow gets 0.96 of the 48 GB/s that NCCL reaches on a NIC, links have 0.96 of 50 GB/s.
    assert alone == pytest.approx(size / (0.96 * 48e9), rel=1e-3)
    # Half of the uplink, but where the step waits for latencies and leaves all of it.
    assert 0.9 * slower < together / alone <= slower * (1 + 1e-9)
    # Of two jobs that do nothing but send each has half.
    send = netloom.workload(f"shift(k=8,bytes={size})", 16)
    ends = [node * 8 + seat for node in (0, 2, 1, 3) for seat in range(8)]
    both = planner.cluster.together([Job(send, "a", mapping=ends[:16]), Job(send, "b", mapping=ends[16:])])
    assert both[0] == both[1] == pytest.approx(size / min(0.96 * 48e9, 0.96 * 50e9 / slower), rel=1e-3)


def test_the_size_of_the_other_job_is_read() -> None:
    assert size_of('16: step("a",tp=2)') == (16, 'step("a",tp=2)')
    for text in ("step(a)", "x: shift", "0: shift", "4:", ""):
        with pytest.raises(NetloomError, match="N: WORKLOAD"):
            size_of(text)


# ---- what fails


def test_a_failed_nic_sends_through_the_next_one() -> None:
    inputs = {"network.nodes": 4, "network.pod": 4}
    split = Split(32, tp=8, dp=4, global_batch=4, sequence=1024)
    sound = Planner("llama3-8b", Site("dgx-h100", inputs=inputs), 32).simulated(split)
    # GPU 0 is switch 4, the leaf of its rail 36.
    failed = Planner("llama3-8b", Site("dgx-h100", inputs=inputs | {"fail": "link:4-36"}), 32).simulated(split)
    for one, other in zip(sound.messages, failed.messages, strict=True):
        ratio = other.timed.seconds / one.timed.seconds
        # Over NVLink to the NIC of another rail, which then carries two rails: twice the time but for latencies.
        assert ratio == pytest.approx(1.0) if one.listed.call.kind == "tp" else 1.8 < ratio <= 2.0
    with pytest.raises(NetloomError, match="has 24 GPUs"):
        Cluster("dgx-h100", 32, inputs | {"fail": "switch:4"})
