"""What does not fit is refused before the work; one part that does not fit takes no other with it."""

from __future__ import annotations

import pytest

import netloom
from netloom.base.ahead import LongWork
from netloom.base.errors import NetloomError
from netloom.study.run import run_study
from netloom.tuning import usable
from netloom.workload import messages, workload

BOTH = ["alltoall:linear", "alltoall:bruck"]


@pytest.fixture(autouse=True)
def _no_limit_afterwards():
    yield
    netloom.limit_memory(None)


def code(call, *args, **inputs):
    with pytest.raises(NetloomError) as caught:
        call(*args, **inputs)
    return caught.value.faults[0].code


def test_messages_that_are_under_way_together_need_memory():
    netloom.limit_memory("1 MB")
    assert code(netloom.simulate, "torus(8,8)", workload="alltoall:linear") == "NL-X011"
    assert code(netloom.simulate, "torus(8,8)", workload="uniform(messages=100000)") == "NL-X011"
    # As many in many steps.
    assert netloom.simulate("torus(8,8)", workload="alltoall:pairwise").messages == 64 * 63


def test_a_record_needs_memory_and_has_an_end():
    netloom.limit_memory("400 kB")
    assert netloom.simulate("torus(8,8)", workload="alltoall:pairwise").messages == 64 * 63
    assert code(netloom.simulate, "torus(8,8)", workload="alltoall:pairwise", trace=True) == "NL-X011"
    netloom.limit_memory(None)
    asked = {"workload": "allreduce:ring", "repetitions": 1 << 20}
    with pytest.warns(LongWork, match="503 million messages"):
        assert code(netloom.simulate, "torus(4,4)", trace=True, **asked) == "NL-A009"


def test_packets_are_bounded_alike():
    netloom.limit_memory("1 MB")
    assert code(netloom.simulate, "torus(8,8)", workload="alltoall:linear", switch="output-queued") == "NL-X011"


def test_schedules_and_lists_of_messages_need_memory():
    netloom.limit_memory("1 MB")
    assert code(workload, "broadcast:chain(segments=4096)", 64) == "NL-X011"
    # Rounds that all ranks do alike are no list until one is asked for.
    rounds = workload("alltoall:pairwise", 512)
    assert rounds.messages == 512 * 511
    assert code(messages, rounds) == "NL-X011"


def test_an_algorithm_that_does_not_fit_is_left_out():
    netloom.limit_memory("1 MB")
    found = netloom.time_collective("torus(8,8)", "alltoall", sizes="1KiB,2KiB", algorithms=BOTH)
    assert found.algorithms() == ["alltoall:bruck"]
    assert [row["winner"] for row in found.table.rows] == [True, True]
    assert "needs 2.1 MB of memory; 1.0 MB may be taken" in found.left_out["alltoall:linear"]


def test_an_algorithm_with_too_many_rows_is_left_out_with_its_reason():
    algorithms = ["allreduce:double-tree(segments=1000000)", "allreduce:recursive-doubling"]
    found = netloom.time_collective("torus(16,16)", "allreduce", sizes="1KiB", algorithms=algorithms)
    assert found.algorithms() == ["allreduce:recursive-doubling"]
    assert "rows on 256 ranks exceed the" in found.left_out[algorithms[0]]


def test_if_none_is_left_the_reasons_are_said():
    netloom.limit_memory("1 MB")
    with pytest.raises(NetloomError) as caught:
        netloom.time_collective("torus(8,8)", "alltoall", sizes="1KiB", algorithms=BOTH[:1])
    (fault,) = caught.value.faults
    assert fault.code == "NL-D003"
    assert "alltoall:linear: a run of 4032 messages needs" in fault.hint


def test_mistakes_of_the_caller_are_still_faults():
    assert code(netloom.time_collective, "ring(4)", "allreduce", algorithms=["allreduce:nonsense"]) == "NL-A002"
    assert (
        code(netloom.time_collective, "ring(4)", "allreduce", algorithms=["allreduce:ring(segments=-1)"])[:4] == "NL-A"
    )


def test_other_faults_of_a_clock_are_raised():
    def clock(*args, **more):
        raise NetloomError([usable.Fault("NL-E012", "x", "stuck")])

    assert code(netloom.time_collective, "ring(4)", "allreduce", sizes="1KiB", clock=clock) == "NL-E012"


def test_a_run_of_a_study_that_does_not_fit_fails_alone(tmp_path):
    study = tmp_path / "study.toml"
    study.write_text(
        'title = "Two"\n[[experiment]]\nname = "a"\nevaluate = "time"\n[experiment.axes]\n'
        'network = ["torus(8,8)"]\nworkload = ["alltoall:linear", "alltoall:bruck"]\n'
    )
    netloom.limit_memory("1 MB")
    finished = run_study(study, tmp_path / "out", figures=False)
    assert len(finished.outcomes["a"].table.rows) == 1
    (problem,) = finished.problems
    netloom.limit_memory("1 kB")
    assert code(run_study, study, tmp_path / "none", figures=False) == "NL-X011"
    netloom.limit_memory("1 MB")
    assert "needs 2.1 MB of memory; 1.0 MB may be taken" in problem
