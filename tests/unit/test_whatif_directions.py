"""Which way a column is better: every column of every evaluator says it, or says that neither way is."""

from __future__ import annotations

from typing import Any

import pytest

from netloom import NetloomError, plugin
from netloom.evaluate import ALL, evaluator
from netloom.evaluate.directions import DIRECTIONS, direction
from netloom.whatif import Settings, whatif

pytest.importorskip("sklearn")

#: Texts, counts, sizes, and what says how a run went: neither less nor more is better.
NEITHER = {
    "metrics": "switches endpoints switch_links endpoint_links degree_min degree_max",
    "hops": "messages total_bytes pairs messages_own bytes_own steps start_value bound evaluations",
    "loads": "messages inside_bytes min_bytes q1_bytes median_bytes q3_bytes min_used_bytes used_links links max_class "
    "flows rounds last_gain bytes_ao_links start_value bound evaluations",
    "learned": "level",
    "time": "messages total_bytes solves folded_ranks periods_skipped start_value bound evaluations",
    "packet": "messages total_bytes fast_over fast_share fast_packets fast_ranks packets packet_hops events min_bytes "
    "q1_bytes median_bytes q3_bytes used_links links watched_s bytes_ao_links stalls_ao_links stallsp_ao_links "
    "start_value bound evaluations",
    "throughput": "zero_load_exact switch_kind latency_unit cycle_s channel_classes deadlock_free packet_hops "
    "not_measured",
    "verify": "proved fault steps messages total_bytes max_ports",
    "cost": "switches cables",
}


@pytest.mark.parametrize("row", ALL, ids=lambda row: row.name)
def test_every_column_has_a_direction_or_none(row: Any) -> None:
    least, greatest = DIRECTIONS[row.name]
    columns = [column.name for column in row.columns]
    assert sorted([*least, *greatest, *NEITHER[row.name].split()]) == sorted(columns)
    assert {column for column in columns if not direction(row, column)} == set(NEITHER[row.name].split())
    # The column that answers does so by its least value.
    assert not row.headline or direction(row, row.headline) == "least"


class Own(plugin.Evaluator):
    """Columns of one's own."""

    name = "own-columns"
    inputs = ("network",)
    columns = (("waits_s", "s", "a time"), ("flow_bytes_per_s", "B/s", "a rate"), ("tables", "", "a count"))

    def evaluate(self, bound: Any, options: Any) -> dict[str, float]:
        return {"waits_s": 1.0, "flow_bytes_per_s": 1.0, "tables": 1.0}


def test_a_plug_in_says_it_by_its_unit() -> None:
    plugin.register(Own)
    row = evaluator("own-columns")
    assert [direction(row, column.name) for column in row.columns] == ["least", "greatest", ""]


def test_the_greatest_saturation_is_best() -> None:
    found = whatif(
        {"network": "torus(4,4)", "workload": "uniform", "routing": "minimal"},
        "routing=minimal|dimension-ordered", "throughput", target="saturation",
        options={"loads": "0.5", "details": False},
    )  # fmt: skip
    (curve,) = found.curves
    first, second = curve.results
    assert first > 1.02 * second and found.asked.least is False
    assert any("minimal is best" in said and "better than dimension-ordered" in said for said in found.explain())


def test_the_greatest_bisection_is_best() -> None:
    vary = "network=torus(4,4)|hypercube(4)|ring(16)"
    found = whatif({"network": "torus(4,4)"}, vary, "metrics", target="bisection_lower", options={"bisection": True})
    assert dict(zip(found.curves[0].values, found.curves[0].results, strict=True))["ring(16)"] == 2
    assert not any("ring(16) is best" in said for said in found.explain())
    assert any("better than ring(16)" in said for said in found.explain())


def test_what_is_a_count_needs_a_word() -> None:
    scenario = {"network": "torus(4,4)", "workload": "alltoall:pairwise", "size_bytes": "1 KiB"}
    with pytest.raises(NetloomError) as error:
        whatif(scenario, "link_bandwidth=1..2 Gbps", target="messages")
    assert "NL-U006 --best: is missing" in str(error.value) and "--best least" in str(error.value)
    found = whatif(scenario, "link_bandwidth=1..2 Gbps", target="messages", best="least", how=Settings(samples=16))
    assert found.asked.least


def test_bytes_of_links_are_not_checked_by_bytes_of_messages() -> None:
    scenario = {"network": "torus(4,4)", "workload": "alltoall:pairwise", "size_bytes": "1 KiB"}
    found = whatif(scenario, "size_bytes=1..8 KiB", "loads", target="total_bytes", how=Settings(samples=16))
    assert found.decision is not None
    assert found.decision.sure.checked.refused == "total_bytes of time is something else: sum over all messages"
