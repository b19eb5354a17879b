"""Columns of the core: what people script with gets ndarrays, and gives either."""

from __future__ import annotations

from array import array
from typing import Any

import numpy as np
import pytest

import netloom
from netloom.base.arrays import ndarray
from netloom.base.errors import NetloomError
from netloom.mapping.place import placed
from netloom.tuning import reorder

CALL = "alltoall:bruck"


def test_public_functions_return_ndarrays() -> None:
    mapping = netloom.place("torus(4,4)", 16, "random(seed=1)")
    assert isinstance(mapping, np.ndarray)
    assert mapping.dtype == np.uint32
    mapping[0] = mapping[0]  # writable
    found = netloom.simulate("torus(4,4)", workload=CALL, mapping=mapping, size_bytes=64)
    assert isinstance(found["finish_s"], np.ndarray)
    jobs = [netloom.Job(CALL, mapping=mapping[:8]), netloom.Job(CALL, mapping=mapping[8:])]
    assert all(isinstance(job, np.ndarray) for job in netloom.simulate("torus(4,4)", jobs=jobs)["finish_s"])
    assert isinstance(netloom.cut_bound("ring(4)", range(4), "allgather", 1)["cut"], np.ndarray)
    timing = netloom.time_collective("ring(4)", "allgather", sizes=[64])
    assert isinstance(timing.bound["cut"], np.ndarray)


def test_the_same_numbers() -> None:
    net = netloom.network("torus(4,4)")
    plain = placed(net, 16, "random(seed=1)", "draw")
    assert isinstance(plain, array)
    assert list(plain) == netloom.place(net, 16, "random(seed=1)").tolist()
    ends = netloom.evaluate(netloom.Scenario(net, workload=CALL, mapping=plain, size_bytes=64), "time")["finish_s"]
    assert list(ends) == netloom.simulate(net, workload=CALL, mapping=plain, size_bytes=64)["finish_s"].tolist()


KINDS: dict[str, Any] = {
    "list": list,
    "uint32": lambda ranks: np.array(ranks, dtype=np.uint32),
    "int64": np.array,
    "strided": lambda ranks: np.repeat(np.array(ranks, dtype=np.uint32), 2)[::2],
    "unsigned column": lambda ranks: array("I", ranks),
    "signed column": lambda ranks: array("q", ranks),
}


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_every_kind_of_mapping(kind: Any) -> None:
    ranks = [3, 1, 2, 0]
    given: dict[str, Any] = {"net": "ring(4)", "workload": CALL, "size_bytes": 64}
    assert netloom.hops(**given, mapping=kind(ranks)) == netloom.hops(**given, mapping=ranks)


@pytest.mark.parametrize("bad", [array("d", [0.0, 1.0]), array("I"), array("q", [-1, 0]), array("I", [0, 4])])
def test_no_mapping(bad: Any) -> None:
    with pytest.raises(NetloomError, match=r"NL-[AM]"):
        netloom.hops("ring(4)", workload=CALL, mapping=bad)


def test_bit_reversed_columns() -> None:
    mapping = array("I", [10, 11, 12, 13, 14, 15, 16, 17])
    _, column = reorder.places(mapping, "allreduce:rabenseifner@bit-reversed", 3)
    _, other = reorder.places(ndarray(mapping), "allreduce:rabenseifner@bit-reversed", 3)
    assert list(column) == other.tolist()
