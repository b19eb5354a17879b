"""The records of the core have the keys that their types say."""

from __future__ import annotations

import numpy as np
import pytest

import netloom
from netloom import _core
from netloom.base import records

RING = "torus(4,4)"


def _network() -> _core.Network:
    return netloom.network(RING)


def _searched() -> records.SearchFound:
    net = _network()
    job = _core.Job("job", netloom.workload("allreduce:ring", 16), np.arange(16, dtype=np.uint32))
    return _core.search(_core.Scenario(net, [job]), "sa", "hops", free=False, timed=False)


def _ended() -> records.FlowEnds:
    one, none = np.ones(1), np.zeros(0)
    way = (np.array([0, 1], dtype=np.uint64), np.zeros(1, dtype=np.uint32))
    back = (np.zeros(0, dtype=np.uint64), np.zeros(0, dtype=np.uint32))
    numbers = (8775.0, 0.0, 0.0)
    return _core.simulate_flows(
        one, one, way, one, one, "equal", *numbers, np.zeros(0, dtype=np.bool_), back, none, none
    )


def _bound() -> records.CutFound:
    return _core.cut_bound(_network(), np.arange(16, dtype=np.uint32), "allgather", 8, 0, True)


GIVEN = {
    records.LinkClass: lambda: _network().classes[0],
    records.Failed: lambda: _network().without("link:0-1").failed,
    records.Metrics: lambda: _network().metrics(),
    records.Bisection: lambda: _network().bisection(),
    records.Expected: lambda: _core.expected("torus(4,4)"),
    records.EndpointCut: lambda: _network().endpoint_bisection(),
    records.Path: lambda: _network().routing("minimal").paths(0, 5)[0],
    records.Proof: lambda: netloom.workload("allreduce:ring", 4).verify(),
    records.Param: lambda: _core.catalogue("topologies")[0]["params"][0],
    records.EvaluatorRow: lambda: _core.evaluators()[0],
    records.SearchFound: _searched,
    records.CutFound: _bound,
    records.FlowEnds: _ended,
}


@pytest.mark.parametrize("record", GIVEN, ids=lambda record: record.__name__)
def test_a_record_has_the_keys_of_its_type(record: type) -> None:
    assert list(GIVEN[record]()) == list(record.__annotations__)


def test_a_row_of_a_registry_has_the_keys_of_its_type_and_one_of_errors_the_others() -> None:
    row, error = _core.catalogue("topologies")[0], _core.catalogue("errors")[0]
    assert [*row, *error] == list(records.Row.__annotations__)


def test_deadlock_says_the_size_of_a_free_graph() -> None:
    found = _network().routing("dimension-ordered").deadlock()
    assert found["free"]
    assert set(records.Deadlock.__annotations__) - set(found) == {"cycle"}
