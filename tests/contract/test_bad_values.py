"""-1, 0, 1.5, "a", None, nan, 10^30 for every parameter of everything that has a name: refused in words, or allowed by
the attribute table. Never another exception, never a wait."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import netloom

from .rows import arguments, call_text, may_pass, use_once

Row = dict[str, Any]

IN_TEXT: list[Any] = [-1, 0, 1.5, "a", "", None, True, 10**30, [], [1, "a"], [-1], "\u202e<script>"]
IN_PYTHON: list[Any] = [*IN_TEXT, float("nan"), float("inf"), object(), {}, b"a", np.int64(-1), np.float64("nan"), 2j]


def refused(error: netloom.NetloomError) -> None:
    text = str(error)
    assert error.faults and all(fault.code.startswith("NL-") for fault in error.faults)
    assert "Traceback" not in text and "panicked" not in text
    assert all(len(line) < 1000 and line.isprintable() for line in text.splitlines())


@pytest.mark.timeout(60)
def test_in_call_text(row: Row) -> None:
    good = arguments(row)
    for param in row["params"]:
        for value in IN_TEXT:
            text = call_text(row["name"], {**good, param["name"]: value})
            try:
                use_once(row["kind"], text)
            except netloom.NetloomError as error:
                refused(error)
            else:
                assert may_pass(param, value), text


@pytest.mark.timeout(60)
@pytest.mark.parametrize("row_", netloom.catalogue("topologies"), ids=lambda row: str(row["name"]))
def test_in_python(row_: Row) -> None:
    build = getattr(netloom, row_["name"].replace("-", "_"))
    good = arguments(row_)
    for param in row_["params"]:
        for value in IN_PYTHON:
            try:
                build(**{**good, param["name"]: value})
            except netloom.NetloomError as error:
                refused(error)
            else:
                # An argument that is absent by default may be passed as None.
                absent = value is None and param["default"] == ""
                assert absent or may_pass(param, value), (param["name"], value)


@pytest.mark.parametrize("ranks", [-1, 0, 10**9, 2**31, 2**32, 2**62])
def test_ranks(ranks: int) -> None:
    for row in netloom.catalogue("collectives"):
        try:
            made = netloom.workload(row["example"], ranks, size_bytes=1)
        except netloom.NetloomError as error:
            refused(error)
        else:
            assert ranks > 0 and made.ranks == ranks
    for row in netloom.catalogue("patterns"):
        try:
            netloom.workload(row["example"], ranks)
        except netloom.NetloomError as error:
            refused(error)
        else:
            assert ranks > 0


@pytest.mark.parametrize(
    ("ranks", "root", "size"),
    [(8, -1, 1), (8, 8, 1), (8, 2**40, 1), (8, 0, -1), (8, 0, 2**63 - 1), (0, 0, 1), (-8, 0, 1), (2**63 - 1, 0, 1)],
)
def test_roots_and_sizes(ranks: int, root: int, size: int) -> None:
    for row in netloom.catalogue("collectives"):
        try:
            netloom.workload(row["example"], ranks, root=root, size_bytes=size)
        except netloom.NetloomError as error:
            refused(error)
        else:
            assert (ranks, root, size) == (8, 0, 2**63 - 1)


def test_more_ranks_than_slots() -> None:
    for row in netloom.catalogue("placements"):
        for ranks in (0, -1, 17, 2**40):
            with pytest.raises(netloom.NetloomError) as caught:
                netloom.place("circulant(16,pow2)", ranks, row["example"])
            refused(caught.value)
