"""What link loads say of jobs that share links: simulated before it is said; endpoints' links and repetitions count."""

from __future__ import annotations

import numpy as np
import pytest

import netloom
from netloom.base.errors import NetloomError
from netloom.evaluate.loads.words import worst_nic
from netloom.evaluate.node_selection import choose_nodes

#: Two switches with three endpoints each and one cable.
PAIR = "complete(2,p=3)"


def job(name: str, at: int, size: int = 1_000_000, **more: object) -> dict[str, object]:
    """From an endpoint of the first switch to one of the second."""
    flow = [np.array([value], np.int64) for value in (0, 1, 1, size)]
    return {"name": name, "workload": netloom.Traffic.from_flows("one", 2, *flow), "mapping": [at, at + 3], **more}


def said(*jobs: dict[str, object]) -> str:
    return " ".join(netloom.evaluate(netloom.Scenario(PAIR, jobs=list(jobs)), "loads").explain())


def test_what_sharing_costs_is_simulated() -> None:
    # Of 1 MB and 0.5 MB on a link of 12.5 GB/s: 120.3 µs for 80.3 and 80.3 for 40.3 µs.
    words = said(job("large", 0), job("small", 1, 500_000))
    assert "the worst link of small takes 3 times as long with large as alone" in words
    assert "simulated, small takes 99.3 % longer with large, large 49.8 % longer" in words
    assert "should not" not in words


def test_sharing_that_costs_nothing_in_time_is_no_advice() -> None:
    """The second job begins when the first one is done: their loads add up, their times do not."""
    rows = [[("compute", 1e8), ("send", 1, 1_000_000)], [("receive", 0, 1_000_000)]]
    late = job("late", 1) | {"workload": netloom.programs(rows)}  # type: ignore[arg-type]
    words = said(job("early", 0), late)
    assert "takes 2 times as long with" in words
    assert "simulated, early takes 0.0 % longer with late, late 0.0 % longer" in words


def test_the_hottest_link_may_be_that_of_an_endpoint() -> None:
    flows = [np.array(column, np.int64) for column in ([1, 2], [0, 0], [1, 1], [1_000_000] * 2)]
    load = netloom.Traffic.from_flows("in", 3, *flows)
    found = netloom.loads(netloom.network("complete(1,p=3)"), netloom.Job(load, name="j", mapping=[0, 1, 2]))
    assert worst_nic(found.classes) == ("ejection", pytest.approx(160e-6), 2_000_000)
    apart = netloom.loads(netloom.network("complete(3)"), netloom.Job(load, name="j", mapping=[0, 1, 2]))
    assert "The hottest link of all is that of endpoint 0: it receives 2 MB, 160 µs" in " ".join(apart.explain())
    assert [(link["class"], link["endpoint"], link["level"], link["bytes"]) for link in apart.ends] == [
        ("injection", 1, 1, 1_000_000),
        ("ejection", 0, 0, 2_000_000),
    ]


def test_whose_bytes_the_hottest_endpoint_receives() -> None:
    """A third of them come from one job, two thirds from another."""
    jobs = [
        {**job(name, 0, size), "mapping": places}
        for name, size, places in [("s", 1 << 20, [1, 0]), ("t", 1 << 21, [2, 0])]
    ]
    found = netloom.evaluate(netloom.Scenario("complete(3)", jobs=jobs), "loads")
    words = " ".join(found.explain())
    assert "that of endpoint 0: it receives 3.15 MB, 252 µs, 67 % of it from t; links between" in words, words
    assert [(share["job"], share["bytes"]) for share in found.ends[1]["jobs"]] == [(1, 1 << 21), (0, 1 << 20)]


def test_repetitions_of_a_job_are_bytes() -> None:
    once = netloom.evaluate(netloom.Scenario(PAIR, jobs=[job("a", 0), job("b", 1)]), "loads")
    more = netloom.evaluate(netloom.Scenario(PAIR, jobs=[job("a", 0, repetitions=3), job("b", 1)]), "loads")
    assert [one["messages"] for one in more.jobs] == [3, 1]
    assert (once.classes["all"]["max_bytes"], more.classes["all"]["max_bytes"]) == (2_000_000, 4_000_000)
    assert more.bytes_sent == once.bytes_sent + 2_000_000
    same = netloom.evaluate(netloom.Scenario(PAIR, jobs=[job("a", 0, 3_000_000), job("b", 1)]), "loads")
    assert np.array_equal(same.link_bytes, more.link_bytes)


@pytest.mark.parametrize("variant", ["static-direct", "adaptive-direct"])
def test_repetitions_of_an_adaptive_job(variant: str) -> None:
    def most(**more: object) -> float:
        one = {"name": "a", "workload": "alltoall:pairwise", "nodes": 9, "variant": variant, **more}
        found = netloom.evaluate(netloom.Scenario("torus(3,3)", jobs=[one], size_bytes=1 << 16), "loads")
        return float(found.classes["all"]["max_bytes"])

    assert most(repetitions=4) == pytest.approx(4 * most(), rel=1e-3)


def test_repetitions_beyond_all_numbers_are_refused() -> None:
    with pytest.raises(NetloomError, match="exceed 2\\^62"):
        netloom.evaluate(netloom.Scenario(PAIR, jobs=[job("a", 0, 1 << 40, repetitions=2**31 - 1)]), "loads")


def test_nodes_beside_running_jobs_count_one_round_of_each() -> None:
    def chosen(**more: object) -> list[tuple[float, float]]:
        running = [job("a", 0, **more)]
        made = choose_nodes(PAIR, nodes=2, jobs=running, workload="shift(k=1,bytes=1000)")  # type: ignore[arg-type]
        return [(one.alone_s, one.beside_s) for one in made]

    assert chosen(repetitions=1000, start="1 ms") == chosen()
