"""Operations and memory of a step against the published formulas."""

from __future__ import annotations

from dataclasses import replace

import pytest

from netloom.training import Model, Split, model
from netloom.training.accelerator import accelerator
from netloom.training.compute import Roofline, Work, layer, model_flops
from netloom.training.memory import in_flight, layer_activations, memory, parameters_of
from netloom.training.traffic import Call, listed
from netloom.training.traffic import layer as calls_of

GPT3 = Model("gpt", 96, 12288, 4 * 12288, 96, 51200, sequence=2048, gated=False, dropout=True)
ONE = Split(1, sequence=2048, recompute="none", attention="stored")


@pytest.mark.parametrize(
    ("layers", "h", "heads", "vocab", "s", "batch"),
    [(96, 12288, 96, 51200, 2048, 3), (24, 1024, 16, 50304, 512, 1)],
)
def test_operations_are_those_of_narayanan_2021(
    layers: int, h: int, heads: int, vocab: int, s: int, batch: int
) -> None:
    """96 B s l h^2 (1 + s / 6h + V / 16 l h), which has a second forward pass through the layers."""
    made = Model("gpt", layers, h, 4 * h, heads, vocab, sequence=s, gated=False)
    split = replace(ONE, sequence=s, global_batch=batch)
    again = batch * sum(work.flops for work in layer(made, replace(split, micro_batch=1), False)) * layers
    published = 96 * batch * s * layers * h**2 * (1 + s / (6 * h) + vocab / (16 * layers * h))
    assert model_flops(made, split) + again == pytest.approx(published, rel=1e-12)


@pytest.mark.parametrize("name", ["llama3-8b", "llama3-405b", "mixtral-8x7b", "deepseek-v3"])
def test_operations_are_six_per_parameter_and_token_and_attention(name: str) -> None:
    made = model(name)
    split = Split(1, sequence=4096, global_batch=2)
    tokens = 2 * 4096
    # One table is looked up, not multiplied with; attention with the masked half left out, forward and twice backward.
    matrices = made.active_parameters() - made.embedding_parameters() * (not made.tied)
    scores = 3 * tokens * 4096 * made.layers * made.heads * (made.score_width + made.width)
    assert model_flops(made, split) == pytest.approx(6 * matrices * tokens + scores, rel=2e-3)


def test_tensor_parallelism_divides_products_and_sequences_the_rest() -> None:
    whole, part = (layer(GPT3, replace(ONE, tp=tp), False) for tp in (1, 8))
    for a, b in zip(whole, part, strict=True):
        assert b.flops == a.flops / 8 and b.bytes == pytest.approx(a.bytes / 8)
    plain = layer(GPT3, replace(ONE, tp=8, sequence_parallel=False), False)
    norms = next(k for k, work in enumerate(plain) if work.name == "norms and sums")
    assert plain[norms].bytes == whole[norms].bytes


def test_the_longer_of_two_times_counts() -> None:
    gpu = accelerator("h100")
    roof = Roofline(gpu, "bf16", 0.5)
    assert roof.forward_s(Work("a", 1e15, 1.0)) == 1e15 / (0.5 * gpu.peak("bf16"))
    assert roof.forward_s(Work("a", 1.0, 3.35e12)) == 1.0
    eight = Roofline(gpu, "fp8", 0.5)
    assert eight.forward_s(Work("a", 1e15, 1.0)) == pytest.approx(roof.forward_s(Work("a", 1e15, 1.0)) / 2, rel=1e-3)
    # The core of attention stays in half precision, at half of the share.
    scores = Work("a", 1e15, 1.0, scores=True)
    assert eight.forward_s(scores) == roof.forward_s(scores) == 2 * roof.forward_s(Work("a", 1e15, 1.0))


@pytest.mark.parametrize("t", [1, 8])
@pytest.mark.parametrize("b", [1, 4])
def test_activations_are_those_of_korthikanti_2022(t: int, b: int) -> None:
    """Table 2 there: bytes of a layer by technique."""
    s, h, a = 2048, GPT3.hidden, GPT3.heads
    base = replace(ONE, tp=t, micro_batch=b)
    assert 5 * a * s / h == 80
    both = layer_activations(GPT3, base, False)
    assert both == pytest.approx(s * b * h / t * (34 + 5 * a * s / h))
    assert layer_activations(GPT3, replace(base, recompute="selective"), False) == pytest.approx(s * b * h / t * 34)
    plain = layer_activations(GPT3, replace(base, sequence_parallel=False), False)
    assert plain == pytest.approx(s * b * h * (10 + 24 / t + 5 * a * s / (h * t)))
    lean = replace(base, recompute="selective", sequence_parallel=False)
    assert layer_activations(GPT3, lean, False) == pytest.approx(s * b * h * (10 + 24 / t))


def test_the_first_stage_keeps_as_many_layers_as_the_model_has() -> None:
    split = replace(ONE, pp=8, micro_batch=1, global_batch=64)
    assert [in_flight(split, stage) for stage in range(8)] == [8, 7, 6, 5, 4, 3, 2, 1]
    assert in_flight(replace(split, global_batch=3), 0) == 3
    # Korthikanti 2022, section 4.2.3: interleaving keeps 1 + (p - 1) / p m times as much.
    parts = replace(split, schedule="interleaved", interleave=3)
    assert in_flight(parts, 0) / 8 == pytest.approx(1 + (8 - 1) / (8 * 3), rel=1e-12)


def test_zero_divides_over_the_replicas() -> None:
    made = model("llama3-8b")
    split = Split(64, dp=64, global_batch=64, sequence=2048, recompute="full")
    count = sum(parameters_of(made, split, 0))
    assert count == pytest.approx(made.parameters(), rel=1e-6)
    plain, one, two, three = (memory(made, replace(split, zero=zero)) for zero in range(4))
    assert (plain.parameters, plain.gradients, plain.optimizer) == (2 * count, 4 * count, 12 * count)
    assert one.optimizer == 12 * count / 64 and one.gradients == plain.gradients
    assert two.gradients == 4 * count / 64 and two.parameters == plain.parameters
    biggest = made.layer_parameters(False)
    assert three.parameters == pytest.approx(2 * count / 64 + 2 * 2 * biggest)
    assert one.activations == plain.activations == three.activations


def test_stages_and_slices_have_all_parameters() -> None:
    for name, ep in (("llama3-70b", 1), ("mixtral-8x7b", 4), ("deepseek-v3", 8)):
        made = model(name)
        split = Split(64, tp=4, pp=2, dp=8, ep=ep, global_batch=8, uneven=True)
        shared, routed = (
            sum(column) for column in zip(*(parameters_of(made, split, k) for k in range(2)), strict=True)
        )
        assert 4 * (shared + ep * routed) == pytest.approx(made.parameters(), rel=1e-5)


def test_messages_of_a_layer_are_those_of_megatron() -> None:
    """Four allgathers and reduce-scatters of 2 b s h bytes, and two inputs gathered again (Korthikanti 2022)."""
    split = replace(ONE, tp=8, micro_batch=2)
    uses = {use.call.collective: use for use in calls_of(GPT3, split, False)}
    assert {name: use.times for name, use in uses.items()} == {"allgather": 6, "reduce-scatter": 4}
    assert {use.call.bytes for use in uses.values()} == {2 * 2 * 2048 * 12288}
    (plain,) = calls_of(GPT3, replace(split, sequence_parallel=False), False)
    assert (plain.call.collective, plain.times) == ("allreduce", 4)


def test_a_step_of_fsdp_gathers_twice_and_sums_once() -> None:
    made = model("llama3-8b")
    split = Split(64, dp=64, global_batch=128, zero=3)
    rows = {(one.call.collective, one.what): one for one in listed(made, split)}
    layer_ = made.layer_parameters(False)
    gathered = rows["allgather", "parameters"]
    assert (gathered.call, gathered.times) == (Call("dp", "allgather", 2 * layer_), 2 * 2 * 32)
    summed = rows["reduce-scatter", "gradients"]
    assert (summed.call.bytes, summed.times) == (4 * layer_, 2 * 32)


def test_experts_are_summed_over_fewer_replicas() -> None:
    made = model("mixtral-8x7b")
    rows = listed(made, Split(64, ep=8, dp=64, global_batch=64, sequence=2048))
    alltoall = next(one for one in rows if one.call.kind == "ep")
    assert alltoall.call.bytes == 2 * 2048 * 2 * made.hidden and alltoall.times == 4 * 32
    assert any(one.call.kind == "edp" and one.call.bytes == 4 * made.expert_parameters() for one in rows)
