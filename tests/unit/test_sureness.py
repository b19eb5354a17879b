"""What `map` says of how sure its decision is: by what was simulated, and for which size."""

from __future__ import annotations

import pytest

from netloom.evaluate.ask import bound_job
from netloom.evaluate.contest import contest
from netloom.evaluate.sureness import free_of_cost, size_note
from netloom.evaluate.verdict import sure
from netloom.scenario import Question, Scenario


def bound(**inputs: object) -> Question:
    return bound_job(Scenario("torus(4,4)", placement="random(seed=1)", **inputs), lambda done, total: None)  # type: ignore[arg-type]


def test_costs_that_are_nothing_are_named() -> None:
    assert free_of_cost(bound(workload="stencil(4,4)")) == []
    made = bound(workload="stencil(4,4)", calibration="pure")
    assert free_of_cost(made) == ["software", "combining data in memory"]
    free = Scenario("torus(4,4,latency=0)", workload="stencil(4,4)", calibration="pure")
    assert free_of_cost(bound_job(free, lambda done, total: None))[-1] == "links and switches to pass a message on"


def test_models_without_costs_are_never_sure() -> None:
    decision = contest(bound(workload='stencil(4,4,bytes="64 KiB")', calibration="pure"))
    words = sure(decision)
    assert "as sure as" not in words
    if words.startswith("flows and packets agree"):
        assert "take no time for software" in words


@pytest.mark.parametrize("collective", ["allreduce:ring", "alltoall:bruck"])
def test_a_collective_without_a_size_says_so(collective: str) -> None:
    made = bound(workload=collective)
    assert "no size was given" in size_note(made)
    decision = contest(made)
    assert any("no size was given" in note for note in decision.notes)
    if decision.best is not decision.start:
        assert list(decision.sizes) == [1 << 20] and "at 1MiB" in sure(decision)


def test_a_size_that_was_given_needs_no_word() -> None:
    assert not size_note(bound(workload="allreduce:ring", size_bytes="1 MiB"))
    assert not size_note(bound(workload="stencil(4,4)"))
