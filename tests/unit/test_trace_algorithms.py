"""Who chooses the algorithms of a trace's collectives."""

from __future__ import annotations

from pathlib import Path

import pytest

import netloom
from netloom.base.errors import NetloomError

RANKS = 8


@pytest.fixture
def trace(tmp_path: Path) -> Path:
    """A reduction of 64 KiB on eight ranks."""
    path = tmp_path / "t.txt"
    path.write_text("".join(f"{rank} reduce 65536 0 0 6\n" for rank in range(RANKS)))
    return path


def time_s(trace: Path, algorithms: object) -> float:
    programs = netloom.read(trace, "programs", algorithms=algorithms)  # type: ignore[arg-type]
    network = netloom.network(f"star({RANKS})")
    return float(netloom.simulate(network, workload=programs, mapping=list(range(RANKS)), calibration="pure")["time_s"])


def test_smpi_lets_all_vectors_come_at_once(trace: Path) -> None:
    all_at_once = netloom.programs(
        [[*[("start_receive", r, 65536) for r in range(1, RANKS)], ("wait_all",)]]
        + [[("send", 0, 65536)] for _ in range(1, RANKS)]
    )
    asked = {"workload": all_at_once, "mapping": list(range(RANKS)), "calibration": "pure"}
    expected = netloom.simulate(f"star({RANKS})", **asked)["time_s"]
    assert time_s(trace, "smpi") == pytest.approx(expected, rel=1e-12)
    assert time_s(trace, {"reduce": "reduce:smpi"}) == time_s(trace, "smpi")
    assert time_s(trace, "smpi") > 1.5 * time_s(trace, None)


def test_a_named_algorithm_comes_before_smpis(trace: Path) -> None:
    named = {"reduce": "reduce:binomial"}
    assert time_s(trace, {"smpi": "smpi", **named}) == time_s(trace, named)
    assert time_s(trace, {"smpi": "smpi", **named}) < time_s(trace, "smpi")


@pytest.mark.parametrize(
    ("algorithms", "says"),
    [
        ({"reduc": "reduc:binomial"}, "did you mean reduce?"),
        ({"reduce": "allreduce:ring"}, "algorithms.reduce"),
        ({"reduce": "smpi"}, "algorithms.reduce"),
        ({"smpi": "smpi:allreduce:rdb"}, "algorithms.smpi"),
        ("allreduce:ring", "algorithms"),
        (["smpi"], "read.algorithms"),
    ],
)
def test_what_is_no_algorithm_of_that_collective_is_refused(trace: Path, algorithms: object, says: str) -> None:
    with pytest.raises(NetloomError, match="NL-A007") as refused:
        time_s(trace, algorithms)
    assert says in str(refused.value)


def test_an_application_has_no_algorithm_of_smpi() -> None:
    with pytest.raises(NetloomError, match="NL-A007"):
        netloom.application("is(class=S)", 8, {"smpi": "smpi"})
