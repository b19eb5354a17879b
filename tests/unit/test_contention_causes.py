"""Contention on the critical path: with one's own messages at one's own NIC, with one's own job, with other jobs."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest

import netloom

#: Links alone: software takes no time that would spread the messages.
simulate = partial(netloom.simulate, calibration="pure")


def flows(ranks: int, rows: list[tuple[int, int, int]]) -> netloom.Traffic:
    columns = np.array(rows, np.int64).T
    ones = np.ones(len(rows), np.int64)
    return netloom.Traffic.from_flows("flows", ranks, columns[0], columns[1], ones, columns[2])


def parts(found: netloom.TimeAnswer) -> dict[str, float]:
    path = found["critical_path"]
    total = path["shares_s"]["contention"]
    assert sum(path["contention_s"].values()) == pytest.approx(total)
    return {cause: seconds / total for cause, seconds in path["contention_s"].items() if seconds > 0}


def test_messages_of_one_rank_on_a_crossbar_share_its_nic() -> None:
    load = flows(4, [(0, to, 1_000_000) for to in (1, 2, 3)])
    found = simulate("complete(1,p=4)", workload=load, trace=True)
    assert parts(found) == {"own NIC": pytest.approx(1)}


def test_messages_to_one_rank_share_its_nic() -> None:
    load = flows(4, [(rank, 0, 1_000_000) for rank in (1, 2, 3)])
    assert parts(simulate("complete(1,p=4)", workload=load, trace=True)) == {"own NIC": pytest.approx(1)}


def test_messages_of_one_job_share_a_cable() -> None:
    # Two switches with two endpoints each, one cable between them.
    load = flows(4, [(0, 2, 1_000_000), (1, 3, 1_000_000)])
    found = simulate("complete(2,p=2)", workload=load, trace=True)
    assert parts(found) == {"own job": pytest.approx(1)}


def test_messages_of_two_jobs_share_a_cable() -> None:
    one = flows(2, [(0, 1, 1_000_000)])
    jobs = [{"name": "a", "workload": one, "mapping": [0, 2]}, {"name": "b", "workload": one, "mapping": [1, 3]}]
    found = simulate("complete(2,p=2)", jobs=jobs, trace=True)
    assert parts(found) == {"other jobs": pytest.approx(1)}


def test_two_of_three_messages_on_a_cable_are_of_another_job() -> None:
    own, others = flows(2, [(0, 1, 1_000_000)]), flows(4, [(0, 2, 1_000_000), (1, 3, 1_000_000)])
    jobs = [
        {"name": "a", "workload": own, "mapping": [0, 3]},
        {"name": "b", "workload": others, "mapping": [1, 2, 4, 5]},
    ]
    found = simulate("complete(2,p=3)", jobs=jobs, trace=True)
    shares = parts(found)
    # The first rank of those that end last is on the path.
    assert shares["other jobs"] == pytest.approx(1) and (found["critical_path"]["job"], len(shares)) == (0, 1)


def test_background_is_not_of_the_job() -> None:
    load = flows(2, [(0, 1, 1_000_000)])
    asked = {"workload": load, "mapping": [0, 2], "background": [{"src": 1, "dst": 3}]}
    assert parts(simulate("complete(2,p=2)", trace=True, **asked)) == {"other jobs": pytest.approx(1)}  # type: ignore[arg-type]


def test_the_path_names_the_ranks_where_it_begins_and_ends() -> None:
    load = flows(3, [(0, 1, 1000), (2, 0, 500_000)])
    path = simulate("complete(1,p=3)", workload=load, trace=True)["critical_path"]
    # Ranks 2 and 0 end together, with the large message; the first of them counts.
    assert (path["job"], path["rank"]) == (0, 0)
    chain = simulate("complete(1,p=4)", workload="broadcast:chain(segments=1)", size_bytes=1024, trace=True)
    assert (chain["critical_path"]["from_rank"], chain["critical_path"]["rank"]) == (1, 3)
