"""Steps as a whole: groups, times on a machine, timelines, sweeps and orders of ranks."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import product

import pytest

import netloom
from netloom.base.errors import NetloomError
from netloom.training import Model, Planner, Site, Split, facts, model, step, timeline
from netloom.training.cluster import Cluster
from netloom.training.compute import embedding, head, layer, model_flops
from netloom.training.groups import Layout, places
from netloom.training.parts import Layer, gathered_backward, gathered_forward
from netloom.training.placing import place
from netloom.training.program import program
from netloom.training.split import check, layers_of
from netloom.training.sweep import splits, sweep
from netloom.training.timeline import Timeline
from netloom.training.timing import LEAST_RANKS, Call, Simulated
from netloom.training.traffic import GROUPS, listed

SMALL = Model("small", 8, 1024, 4096, 16, 8192, kv_heads=8, sequence=1024)
SPLIT = Split(32, tp=2, pp=2, cp=2, dp=4, global_batch=32, sequence=1024)


class Still:
    """A clock of messages that take no time."""

    def seconds(self, call: Call) -> float:
        return 0.0


@pytest.mark.parametrize("order", ["tp-cp-ep-dp-pp", "pp-tp-dp-ep-cp", "dp-ep-cp-pp-tp"])
@pytest.mark.parametrize("kind", GROUPS)
def test_groups_are_ranks_that_differ_in_their_axes_alone(order: str, kind: str) -> None:
    split = Split(48, tp=2, pp=3, cp=2, dp=4, ep=2, global_batch=4)
    layout = Layout.of(split, tuple(order.split("-")))
    ranges = [range(size) for size in layout.sizes]
    # The first axis is the fastest: the last of the product.
    points = [dict(zip(reversed(layout.order), digits, strict=True)) for digits in product(*reversed(ranges))]
    first = [
        k for k, at in enumerate(points) if all(at[axis] == 0 for axis in layout.order if axis not in GROUPS[kind])
    ]
    assert layout.first(kind) == first
    span = layout.span(kind)
    assert max(first) < span and layout.ranks % span == 0


def test_an_order_moves_ranks_and_loses_none() -> None:
    other = ("pp", "tp", "cp", "ep", "dp")
    found = places(SPLIT, other)
    assert sorted(found) == list(range(32)) and places(SPLIT, SPLIT.order) == list(range(32))
    # Ranks of a pipeline, 16 apart for Megatron, stand next to each other.
    assert found[16] == found[0] + 1


def test_a_call_takes_what_the_same_steps_take() -> None:
    cluster = Cluster("dgx-h100", 32)
    clock = Simulated(cluster, Layout.of(SPLIT))
    timed = clock.timed(Call("dp", "reduce-scatter", 1 << 26))
    table = {
        "groups": {"order": ["tp", "rest", "pp"], "tp": 2, "rest": 8, "pp": 2},
        "step": [{"on": "rest", "workload": timed.workload, "size": (1 << 26) // 8}],
    }
    direct = netloom.simulate(machine="dgx-h100", ranks=32, workload=netloom.steps(table))
    assert timed.seconds == pytest.approx(float(direct["time_s"]), rel=1e-9) and timed.scale == 1.0


def test_a_shortened_ring_takes_what_the_whole_one_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    from netloom.training import timing

    split = Split(256, tp=2, dp=128, global_batch=128)
    cluster, call = Cluster("dgx-h100", 256), Call("dp", "reduce-scatter", 1 << 30)
    whole = Simulated(cluster, Layout.of(split)).timed(call)
    monkeypatch.setattr(timing, "MOST_MESSAGES", 1 << 15)
    monkeypatch.setattr(timing, "MOST_ROUNDS", 1 << 15)
    short = Simulated(cluster, Layout.of(split)).timed(call)
    assert whole.scale == 1.0 and short.scale == 127 / (LEAST_RANKS - 1) and short.ranks == 128
    assert short.seconds == pytest.approx(whole.seconds, rel=0.03)


def test_without_messages_a_step_is_its_operations() -> None:
    made = Planner(SMALL, Site("dgx-h100"), 8)
    split = Split(8, dp=8, global_batch=24, sequence=1024, recompute="none", zero=0)
    roof = made.roofline("bf16")
    ran = Timeline(SMALL, split, roof, Still()).ran()
    once = [*layer(SMALL, split, False) * 8, *embedding(SMALL, split), *head(SMALL, split)]
    expected = 3 * sum(roof.forward_s(work) + roof.backward_s(work) for work in once)
    assert ran.step_s - ran.optimizer_s == pytest.approx(expected)
    full = Timeline(SMALL, replace(split, recompute="full"), roof, Still()).ran()
    again = 3 * 8 * sum(roof.forward_s(work) for work in layer(SMALL, split, False))
    assert full.step_s - ran.step_s == pytest.approx(again)


def test_gathering_hides_behind_the_layer_before() -> None:
    layers = [Layer(2.0, 4.0, 0.0, 1.0, 1.5)] * 3
    # The first gathering is seen, the others end while a layer computes.
    assert gathered_forward(layers) == 1.5 + 3 * 2.0
    slow = [Layer(1.0, 4.0, 0.0, 0.0, 3.0)] * 3
    assert gathered_forward(slow) == 3 * 3.0 + 1.0
    # Backward: a gathering, three layers, and the last sum.
    assert gathered_backward(layers, True) == 1.5 + 3 * 4.0 + 1.0
    assert gathered_backward(layers, False) == 3 * 4.0 + 1.0


def test_micro_batches_in_the_middle_only_repeat(monkeypatch: pytest.MonkeyPatch) -> None:
    made = Planner(SMALL, Site("dgx-h100"), 32)
    for schedule, parts in (("1f1b", 1), ("interleaved", 2), ("zero-bubble", 1)):
        split = replace(SPLIT, global_batch=512, schedule=schedule, interleave=parts, recompute="none")
        line = Timeline(SMALL, split, made.roofline("bf16"), made.clock(split))
        whole = line.ran()
        with monkeypatch.context() as patch:
            patch.setattr(timeline, "MOST_TASKS", 256)
            short = line.ran()
        assert len(short.pipeline.spans) < len(whole.pipeline.spans)
        assert short.step_s == pytest.approx(whole.step_s, rel=1e-9)
        assert line.estimate_s() == pytest.approx(whole.step_s, rel=0.1)


def test_the_answer_agrees_with_itself() -> None:
    found = step(SMALL, Site("dgx-h100"), SPLIT)
    told = facts(found)
    assert told["tokens_per_s"] == 32 * 1024 / found.step_s
    assert found.mfu == pytest.approx(found.flops / found.step_s / 32 / 989.4e12)
    assert set(found.exposed_s) == {"tp", "pp", "cp", "ep", "dp"} and found.exposed_s["ep"] == 0
    assert 0 < sum(found.exposed_s.values()) < found.step_s
    assert told["memory_bytes_per_gpu"] == found.memory.total < 80e9
    assert found.bubble == pytest.approx(1 / 8, rel=0.2)
    assert sum(one.share for one in found.shares) == pytest.approx(1, abs=0.02)
    assert found.limits.endswith(".") and found.hot_links


def test_what_fails_makes_no_step_quicker() -> None:
    split = Split(64, tp=8, dp=8, global_batch=8, sequence=1024, recompute="none")
    sound = step(SMALL, Site("dgx-h100"), split)
    leaf = step(SMALL, Site("dgx-h100", inputs={"fail": "switch:1152"}), split)
    assert leaf.exposed_s["dp"] > sound.exposed_s["dp"] and leaf.step_s > sound.step_s


def test_a_larger_job_than_the_machine_takes_more_of_the_same_nodes() -> None:
    grown = Cluster("dgx-h100", 2048)
    assert grown.network.endpoints == 2048 and "256 was taken" in grown.notes[0]
    with pytest.raises(NetloomError, match="has 72 GPUs"):
        Cluster("gb200-nvl72", 73)


@pytest.mark.parametrize(("layers", "parts"), [(126, 16), (96, 8), (61, 16), (126, 64), (32, 1)])
def test_layers_are_divided_and_none_is_lost(layers: int, parts: int) -> None:
    made = replace(SMALL, layers=layers)
    found = layers_of(made, Split(parts, pp=parts))
    assert [number for part in found for number in part] == list(range(layers))
    sizes = list(map(len, found))
    assert max(sizes) - min(sizes) <= 1
    if layers % parts and (layers + 2) % parts == 0:
        assert sizes[0] == sizes[-1] == sizes[1] - 1


def test_a_sweep_counts_every_split_and_simulates_the_best() -> None:
    made = Planner(SMALL, Site("dgx-h100"), 16)
    start = Split(16, global_batch=32, sequence=1024)
    tried = list(splits(SMALL, start, ()))
    assert len(tried) == len(set(map(str, tried)))
    found = sweep(made, start, best=3)
    assert len(found.rated) + sum(found.refused.values()) == len(tried)
    simulated = [one for one in found.rated if one.step is not None]
    assert len(simulated) == 3 and found.best.step_s == min(one.step_s for one in simulated)
    for one in found.rated:
        check(SMALL, one.split)
        assert one.split.tp * one.split.pp * one.split.cp * one.split.dp == 16
    assert {one.split.tp for one in sweep(made, replace(start, tp=2), ("tp",), best=1).rated} == {2}


def test_a_sweep_without_a_split_says_why() -> None:
    with pytest.raises(NetloomError, match="does not fit into the memory") as found:
        sweep(Planner("llama3-405b", Site("dgx-h100"), 8), Split(8, global_batch=8, sequence=8192))
    assert found.value.faults[0].code == "NL-Y007"


def test_orders_are_simulated_and_sorted() -> None:
    made = Planner(SMALL, Site("dgx-h100"), 32)
    found = place(made, SPLIT, best=3)
    times = [one.step_s for one in found]
    assert times == sorted(times) and any(one.program.startswith("Megatron") for one in found)
    own = next(one for one in found if one.program.startswith("Megatron-LM, DeepSpeed"))
    assert own.step_s == made.simulated(SPLIT).step_s
    # Tensor-parallel groups over nodes cost more.
    assert found[-1].step_s > found[0].step_s


def test_models_of_experts_run() -> None:
    made = replace(model("mixtral-8x7b"), layers=4)
    found = step(made, Site("dgx-h100"), Split(32, tp=2, ep=8, dp=16, global_batch=32, sequence=2048))
    assert found.exposed_s["ep"] > 0
    less = replace(found.split, overlap={"ep": 0.5})
    assert step(made, Site("dgx-h100"), less).exposed_s["ep"] == pytest.approx(found.exposed_s["ep"] / 2)


@pytest.mark.parametrize(
    "split",
    [
        SPLIT,
        replace(SPLIT, schedule="interleaved", interleave=2, recompute="full"),
        Split(32, dp=32, zero=3, global_batch=64, sequence=1024, recompute="none"),
        Split(32, tp=2, dp=16, zero=2, global_batch=32, sequence=1024, recompute="selective"),
    ],
)
def test_the_program_of_all_ranks_has_the_operations_and_messages_of_the_step(split: Split) -> None:
    split = replace(split, recompute="none" if split.recompute == "auto" else split.recompute)
    done = [list(program(SMALL, split, stage)) for stage in range(split.pp)]
    ranks = split.gpus // split.pp
    # Of attention a backward pass computes the scores again, which is nothing that the model needs.
    flops = sum(one.work.flops * min(one.scale, 2.0) for stage in done for one in stage if one.work is not None)
    needed = model_flops(SMALL, split) / ranks
    if split.recompute == "full":
        needed += split.micro_batches * sum(8 * work.flops for work in layer(SMALL, split, False))
    assert flops == pytest.approx(needed)
    # The busiest stage's messages, of which the table counts all that a rank makes.
    told = {}
    for row in listed(SMALL, split):
        told[row.call] = told.get(row.call, 0) + row.times
    made = [Counter(one.call for one in stage if one.call is not None) for stage in done]
    sends = sum(count for stage in made for call, count in stage.items() if call.kind == "pp")
    assert sends == 2 * (split.parts - 1) * split.micro_batches
    found = {call: count for call, count in made[0].items() if call.kind != "pp"}
    assert found == {call: count for call, count in told.items() if call.kind != "pp"}
