"""Schedules of pipelines: closed forms of their bubbles, and a slow reference with tasks of any length."""

from __future__ import annotations

import random
from functools import cache
from itertools import pairwise

import pytest

from netloom.training.pipeline import (
    BACKWARD,
    FORWARD,
    Times,
    interleaved,
    one_forward_one_backward,
    run,
)

SHAPES = [(1, 4), (2, 2), (2, 8), (4, 4), (4, 12), (8, 32), (16, 16)]


def equal(parts: int) -> Times:
    return Times([1.0] * parts, [2.0] * parts, [1.0] * parts)


@pytest.mark.parametrize(("p", "m"), SHAPES)
def test_the_bubble_of_1f1b_is_p_minus_1_over_m(p: int, m: int) -> None:
    assert run("1f1b", p, m, equal(p)).bubble == pytest.approx((p - 1) / m)


@pytest.mark.parametrize("v", [1, 2, 4])
@pytest.mark.parametrize(("p", "m"), SHAPES)
def test_interleaving_divides_it_by_the_parts(p: int, m: int, v: int) -> None:
    assert run("interleaved", p, m, equal(p * v)).bubble == pytest.approx((p - 1) / (v * m))


@pytest.mark.parametrize(("p", "m"), SHAPES)
def test_gradients_of_weights_fill_two_thirds_of_it(p: int, m: int) -> None:
    """ZB-H1 of Qi et al. 2023: (p - 1) (forward + backward - weights) remain, a third if all are equal."""
    assert run("zero-bubble", p, m, equal(p)).bubble == pytest.approx((p - 1) / (3 * m))


@pytest.mark.parametrize("seed", range(12))
def test_times_are_the_longest_paths(seed: int) -> None:
    """The definition: a task begins when the one before on its stage and its input are done."""
    draw = random.Random(seed)
    p, v = draw.choice([1, 2, 3, 4]), draw.choice([1, 2, 3])
    m, schedule = p * draw.choice([1, 2, 3]), "interleaved" if v > 1 else "1f1b"
    forward, backward = ([draw.uniform(0.5, 3) for _ in range(p * v)] for _ in range(2))
    send, release = draw.uniform(0, 1), [draw.uniform(0, 5) for _ in range(p * v)]
    times = Times(forward, backward, [0.0] * (p * v), send, release)
    orders = [interleaved(k, p, m, v) if v > 1 else one_forward_one_backward(k, p, m) for k in range(p)]
    before = {task: order[place - 1] for order in orders for place, task in enumerate(order) if place}

    @cache
    def end(task: tuple[str, int, int]) -> float:
        kind, part, k = task
        begin = end(before[task]) if task in before else 0.0
        if kind == FORWARD:
            begin = max(begin, release[part] if k == 0 else 0.0)
            if part:
                begin = max(begin, end((FORWARD, part - 1, k)) + (send if p > 1 else 0.0))
            return begin + forward[part]
        if part + 1 < p * v:
            begin = max(begin, end((BACKWARD, part + 1, k)) + (send if p > 1 else 0.0))
        return max(begin, end((FORWARD, part, k))) + backward[part]

    found = run(schedule, p, m, times)
    assert len(found.spans) == 2 * p * v * m
    assert found.end_s == pytest.approx(max(end(task) for order in orders for task in order))


def test_no_stage_does_two_things_or_keeps_more_than_1f1b() -> None:
    draw = random.Random(5)
    p, m = 4, 9
    times = Times([draw.uniform(1, 2) for _ in range(p)], [3.0] * p, [1.2] * p, 0.1)
    found = run("zero-bubble", p, m, times)
    assert len(found.spans) == 3 * p * m
    for stage in range(p):
        own = sorted(span for (_, part, _), span in found.spans.items() if part == stage)
        assert all(a[1] <= b[0] + 1e-12 for a, b in pairwise(own))
        begun = sorted((found.spans[FORWARD, stage, k][0], 1) for k in range(m))
        ended = sorted((found.spans[BACKWARD, stage, k][1], -1) for k in range(m))
        kept = most = 0
        for _, change in sorted([*begun, *ended]):
            kept += change
            most = max(most, kept)
        assert most <= p - stage
