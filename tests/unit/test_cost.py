"""Floor plan, cable lengths and prices against numbers worked out by hand."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from netloom.base.errors import NetloomError
from netloom.cost import CODES, ORDERS, FloorPlan, Parts, cable_lengths_m, cost_model, layout, model_names, total_cost
from netloom.cost._stream import Stream, shuffled


def circulant_pow2(n: int) -> tuple[np.ndarray, np.ndarray]:
    """Both directions of every cable of ``circulant(n, pow2)``, n a power of two."""
    jumps = [1 << k for k in range(n.bit_length() - 1)]
    at = np.arange(n)
    pairs = [(at, (at + j) % n) if 2 * j < n else (at[: n // 2], at[n // 2 :]) for j in jumps]
    a, b = (np.concatenate(ends) for ends in zip(*pairs, strict=True))
    return np.concatenate([a, b]), np.concatenate([b, a])


def plan(model: str | None = None, **change) -> FloorPlan:
    """The floor plan of a model, changed."""
    return replace(cost_model(model).floor, **change)


def test_the_grid_of_the_source():
    floor = layout(1024)
    assert (floor.cabinets, floor.rows, floor.columns) == (128, 12, 11)
    # Cabinet 12 is second of the second row.
    assert floor.x_m[96] == pytest.approx(0.6)
    assert floor.y_m[96] == pytest.approx(2.1)


def test_lengths_inside_and_between_cabinets():
    floor = layout(64)  # 8 cabinets: 3 rows of 3
    lengths = cable_lengths_m([0, 7, 0, 0], [7, 8, 24, 56], floor)
    assert lengths == pytest.approx([1.0, 2.6, 4.1, 2.0 + 0.6 + 4.2])


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("switches", [1, 8, 9, 64, 100, 1000])
def test_every_order_gives_every_cabinet_its_own_cell(order, switches):
    floor = layout(switches, order=order, seed=3)
    cells = set(zip(floor.x_m.round(6), floor.y_m.round(6), strict=True))
    assert len(cells) == floor.cabinets == -(-switches // 8)
    assert floor.x_m.max() <= 0.6 * (floor.columns - 1) + 1e-9
    assert floor.y_m.max() <= 2.1 * (floor.rows - 1) + 1e-9


@pytest.mark.parametrize("order", ["snake", "hilbert"])
def test_curves_step_to_a_neighbouring_cabinet(order):
    floor = layout(8 * 64, order=order)
    x, y = floor.x_m[::8] / 0.6, floor.y_m[::8] / 2.1
    assert np.abs(np.diff(x)) + np.abs(np.diff(y)) == pytest.approx(1)


def test_random_order_is_the_stream_of_the_core():
    # Printed by netloom_model::Stream::new(7, "cabinets"): a shuffle of 0..12, then the next word.
    assert shuffled(12, 7, "cabinets").tolist() == [8, 6, 4, 3, 9, 2, 5, 7, 0, 11, 1, 10]
    stream = Stream(7, "cabinets")
    for i in range(11, 0, -1):
        stream.below(i + 1)
    assert stream.next_u64() == 4011808239160115361


def test_own_cabinets():
    floor = layout(4, cabinet_of=[0, 0, 3, 3])
    assert (floor.rows, floor.columns) == (2, 2)
    assert cable_lengths_m([0, 0], [1, 2], floor) == pytest.approx([1.0, 2.0 + 0.6 + 2.1])


def test_price_of_two_switches_by_hand():
    cost = total_cost(Parts(2, [0, 1], [1, 0], [0, 0, 1, 1], bandwidth_bytes_per_s=5e9))
    assert cost.cables == 1
    assert cost.cable_length_total_m == 1.0
    assert cost.cable_cost_usd == pytest.approx((0.4079 + 0.5771) * 40)
    assert cost.switch_cost_usd == pytest.approx(2 * (350.4 * 3 - 892.3))
    assert cost.total_usd == pytest.approx(cost.cable_cost_usd + cost.switch_cost_usd)
    assert cost.switch_power_w == pytest.approx(6 * 2.8)
    paid = total_cost(Parts(2, [0, 1], [1, 0], [0, 0, 1, 1]), endpoint_cables=True)
    assert paid.endpoint_cable_cost_usd == pytest.approx(4 * (0.4079 + 0.5771) * 100)


def test_cheaper_medium_changes_at_the_crossing():
    # 21.19 m: 0.4079 L + 0.5771 = 0.0919 L + 7.2745.
    for overhead, medium in ((19.08, "electrical"), (19.10, "optical")):
        cost = total_cost(Parts(16, [0, 8], [8, 0]), floor=layout(16, plan(inter_cabinet_overhead_m=overhead)))
        assert list(cost.by_medium) == [medium]


def test_a_price_line_below_zero_is_said():
    cost = total_cost(Parts(2, [0, 1], [1, 0]))
    assert cost.switch_cost_usd == 0.0
    assert any("too few ports" in note for note in cost.notes)


def test_classes_add_up():
    tails, heads = circulant_pow2(64)
    kind = (np.abs(tails - heads) > 8).astype(int)
    cost = total_cost(Parts(64, tails, heads, class_of=kind, class_names=["short", "long"]))
    assert set(cost.by_class) == {"short", "long"}
    assert sum(row["cables"] for row in cost.by_class.values()) == cost.cables == 352
    assert sum(row["cost_usd"] for row in cost.by_class.values()) == pytest.approx(cost.cable_cost_usd)
    json.dumps(cost.to_dict())


def test_mean_length_of_the_circulant_of_1024():
    tails, heads = circulant_pow2(1024)
    # Row-major, 12 rows of 11 cabinets; worked out once with a separate script from the formula.
    assert cable_lengths_m(tails, heads, layout(1024)).mean() == pytest.approx(6.13, abs=0.005)


def test_second_model_has_a_reach_and_a_fee():
    cost = total_cost(Parts(2, [0, 1], [1, 0]), model="mudigonda-2011")
    assert cost.cable_cost_usd == pytest.approx((16 + 40) * 1.25 + 2.50)
    floor = layout(16, plan("mudigonda-2011", inter_cabinet_overhead_m=4.0))
    far = total_cost(Parts(16, [0, 8], [8, 0]), model="mudigonda-2011", floor=floor)
    assert far.cable_cost_usd == pytest.approx((5 * 6.1 + 376) * 1.25 + 6.25)


@pytest.mark.parametrize("name", model_names())
def test_every_model_says_where_it_comes_from(name):
    model = cost_model(name)
    assert model.title
    assert model.source
    assert model.date.isdigit()


def test_a_model_of_ones_own(tmp_path: Path):
    file = tmp_path / "mine.toml"
    file.write_text(
        'title="t"\nsource="s"\ndate="2026"\n[layout]\ncabinet_width_m=1\ncabinet_depth_m=1\nintra_cabinet_m=0\n'
        'inter_cabinet_overhead_m=0\nswitches_per_cabinet=1\n[switch]\nusd=5\n[[cable]]\nname="c"\nusd_per_m=2\nmax_m=3\n'
    )
    cost = total_cost(Parts(2, [0, 1], [1, 0]), model=file)
    assert (cost.cable_cost_usd, cost.switch_cost_usd, cost.switch_power_w) == (2.0, 10.0, None)
    with pytest.raises(NetloomError) as caught:
        total_cost(Parts(16, [0, 15], [15, 0]), model=file)
    assert caught.value.faults[0].code == "NL-K006"


def codes_of(call) -> list[str]:
    with pytest.raises(NetloomError) as caught:
        call()
    return [fault.code for fault in caught.value.faults]


BAD = [-1, 0, 1.5, "a", None, 10**400, True, float("nan"), [1]]


@pytest.mark.parametrize("value", BAD, ids=[repr(v)[:12] for v in BAD])
def test_bad_numbers_are_faults(value):
    codes_of(lambda: layout(value))
    if value is not None:
        codes_of(lambda: layout(8, order=value))
        codes_of(lambda: layout(8, cabinet_of=value))
        if value not in (0, 1.5):
            codes_of(lambda: layout(8, plan(intra_cabinet_m=value)))
            codes_of(lambda: total_cost(Parts(2, [0, 1], [1, 0], bandwidth_bytes_per_s=value)))
    if value != [1]:
        codes_of(lambda: cable_lengths_m(value, [0], layout(8)))


def test_all_faults_of_one_call_together():
    narrow = plan(cabinet_width_m=0)
    assert codes_of(lambda: layout(8, narrow, order="row", seed=-1)) == ["NL-K001", "NL-K002", "NL-K001"]


def test_too_large_is_refused_before_it_is_made():
    assert codes_of(lambda: layout(10_000_001)) == ["NL-K007"]
    assert codes_of(lambda: cable_lengths_m([0], [8], layout(8))) == ["NL-K005"]
    assert codes_of(lambda: total_cost(Parts(2, [0], [1]))) == ["NL-K004"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x =", ["NL-K003"]),
        ("", ["NL-K003"] * 10),
        ('title="t"\nsource="s"\ndate="d"\ncolour=1\nlayout=3\n[switch]\nusd_per_prot=1', None),
    ],
)
def test_broken_model_files(tmp_path: Path, text, expected):
    file = tmp_path / "broken.toml"
    file.write_text(text)
    got = codes_of(lambda: cost_model(file))
    assert "NL-K003" in got
    if expected is None:
        assert got.count("NL-K002") == 2
        assert "NL-K001" in got
    else:
        assert set(got) == set(expected)


def test_unknown_model_names_the_nearest():
    with pytest.raises(NetloomError, match=r"NL-K002 cost model must be .*\n.*besta-hoefler-2014"):
        cost_model("besta-hofler-2014")
    assert codes_of(lambda: cost_model("absent.toml")) == ["NL-X001"]


def test_code_table_is_complete():
    rows = [row[0] for row in CODES]
    assert len(set(rows)) == len(rows)
    assert all(all(row) for row in CODES)
