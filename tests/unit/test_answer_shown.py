"""What people see of an answer in a notebook, and its tables for other libraries."""

from __future__ import annotations

import pytest

import netloom
from netloom.evaluate.shown import readable


def test_one_line() -> None:
    answer = netloom.simulate("torus(4,4)", ranks=16, workload="allreduce:ring", size_bytes="1 MiB")
    assert repr(answer).startswith("<time: time_s=") and repr(answer).endswith("more>") and len(repr(answer)) < 200


def test_html_is_escaped_and_has_every_number() -> None:
    scenario = netloom.Scenario("ring(8)", ranks=8, workload="broadcast:binomial")
    answer = netloom.evaluate(scenario, "hops")
    answer.evaluator = "<script>"
    page = answer._repr_html_()
    assert "<script>" not in page and "&lt;script&gt;" in page
    assert all(f">{name}<" in page for name, value in answer.record.items() if value is not None)


def test_arrow() -> None:
    pytest.importorskip("pyarrow")
    answer = netloom.loads("torus(4,4)", ranks=16, workload="nearest-ring")
    row = answer.to_arrow().to_pylist()
    assert row == [answer.record]
    for name, rows in answer.tables.items():
        assert answer.to_arrow(name).num_rows == len(rows)
    with pytest.raises(netloom.NetloomError, match="NL-A002"):
        answer.to_arrow("hotest")


@pytest.mark.parametrize(
    ("name", "value", "shown"),
    [
        ("time_s", 0.000107047, "107 µs"),
        ("max_bytes", 8 << 20, "8.39 MB"),
        ("messages", 123456, "123,456"),
        ("mop_per_s", 2.5, "2.5/s"),
        ("total_usd", 1234567.8, "1,234,568 USD"),
        ("name", "x", "x"),
        ("exact", True, "True"),
    ],
)
def test_numbers_have_units(name: str, value: float | str, shown: str) -> None:
    assert readable(name, value) == shown
