"""Figures and drawings: what is grouped, what is refused, the same bytes twice."""

from __future__ import annotations

import hashlib
import math
import xml.etree.ElementTree as ElementTree
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from netloom.base.errors import NetloomError
from netloom.plot import (
    CODES,
    KINDS,
    Drawing,
    Encoding,
    axis_label,
    draw_network,
    figure,
    positions,
    save,
    tidy,
    unit_of,
)
from netloom.plot.kinds import BY_NAME
from netloom.plot.links import adjacency, bends, cables
from netloom.plot.units import value_text

TABLE = {
    "algorithm": ["ring", "ring", "ring", "bruck", "bruck", "bruck"],
    "size_bytes": [1024, 256, 1024, 256, 1024, 1024],
    "seed": [1, 1, 2, 1, 1, 2],
    "time_s": [2.0, 1.0, 4.0, 3.0, None, float("nan")],
}


def circulant(n: int, jumps: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray]:
    a = np.concatenate([np.arange(n) for _ in jumps])
    b = np.concatenate([(np.arange(n) + j) % n for j in jumps])
    return np.concatenate([a, b]), np.concatenate([b, a])


def test_rows_are_grouped_and_missing_values_left_out():
    made = tidy("line", TABLE, Encoding(x="size_bytes", y="time_s", series="algorithm", log="xy"))
    ring, bruck = made.panels[0].series
    assert [(p.x, p.low, p.mean, p.high) for p in ring.points] == [(256, 1, 1, 1), (1024, 2, 3, 4)]
    assert [p.x for p in bruck.points] == [256]
    assert (made.log_x, made.log_y, made.spread) == (True, True, True)


def test_categories_are_sorted_when_numbers_and_bytes_are_words():
    made = tidy("bar", TABLE, Encoding(x="size_bytes", y="time_s", series="algorithm"))
    assert made.categories == ("256 B", "1 KiB")
    assert tidy("bar", TABLE, Encoding(x="algorithm", y="time_s")).categories == ("ring", "bruck")


def test_quartiles_agree_with_numpy():
    values = [3.0, 1.0, 4.0, 1.0, 5.0, 9.0, 2.6]
    made = tidy("box", {"x": ["a"] * 7, "y": values}, Encoding(x="x", y="y"))
    got = made.panels[0].series[0].points[0].quartiles()
    assert got == pytest.approx(np.quantile(values, [0, 0.25, 0.5, 0.75, 1]))


def test_log_axis_with_zero_stays_linear_and_says_so():
    made = tidy("line", {"x": [0, 1], "y": [1, 2]}, Encoding(x="x", y="y", log="xy"))
    assert (made.log_x, made.log_y) == (False, True)
    assert "axis of x is linear" in made.notes[0]


@pytest.mark.parametrize(
    ("column", "label", "unit"),
    [
        ("time_s", "time (s)", "s"),
        ("rate_bytes_per_s", "rate (B/s)", "B/s"),
        ("speed_mop_per_s", "speed (Mop/s)", "Mop/s"),
        ("host_flops_per_s", "host (flop/s)", "flop/s"),
        ("mean_hops", "mean hops", ""),
        ("cost_usd", "cost (USD)", "USD"),
    ],
)
def test_labels_come_from_column_names(column, label, unit):
    assert (axis_label(column), unit_of(column)) == (label, unit)


def test_bytes_in_words():
    assert [value_text(v, "bytes") for v in (1, 1024, 1536, 2**40)] == ["1 B", "1 KiB", "1.5 KiB", "1 TiB"]


def faults_of(call) -> list[str]:
    with pytest.raises(NetloomError) as caught:
        call()
    return [fault.code for fault in caught.value.faults]


def test_faults_of_a_figure_come_together():
    codes = faults_of(lambda: tidy("pie", TABLE, Encoding(x="size", y="time", log="z")))
    assert codes == ["NL-X102", "NL-X102", "NL-X103", "NL-X103"]


@pytest.mark.parametrize(
    ("table", "code"),
    [
        ({"x": [1, 2], "y": [1]}, "NL-X104"),
        ({"x": [1], "y": ["fast"]}, "NL-X104"),
        ({"x": [1], "y": [10**400]}, "NL-X104"),
        ({"x": [1], "y": [math.inf]}, "NL-X104"),
        ({"x": [1], "y": [None]}, "NL-X105"),
        ({"x": [], "y": []}, "NL-X105"),
        ({"x": 3, "y": [1]}, "NL-X104"),
        (7, "NL-X104"),
    ],
)
def test_bad_tables(table, code):
    assert faults_of(lambda: tidy("line", table, Encoding(x="x", y="y"))) == [code]


def test_too_many_series_are_refused():
    table = {"x": [1] * 41, "y": [1] * 41, "s": list(range(41))}
    assert faults_of(lambda: tidy("line", table, Encoding(x="x", y="y", series="s"))) == ["NL-X106"]


def test_pyarrow_tables_are_columns_too():
    pyarrow = pytest.importorskip("pyarrow")
    made = tidy("line", pyarrow.table(TABLE), Encoding(x="size_bytes", y="time_s", series="algorithm"))
    assert made.names == ("ring", "bruck")


def draw(kind: str):
    options = {"x": "size_bytes", "y": "time_s", "series": "algorithm", "facet": "seed"}
    if kind == "radar":
        table = {"measure": ["time", "price", "hops"], "share": [1.0, 0.25, 0.5]}
        return figure(kind, table, x="measure", y="share", title="A <radar>")
    if BY_NAME[kind].cells:
        options = {"x": "size_bytes", "y": "algorithm", "value": "time_s"}
    return figure(kind, TABLE, title="Time of a <broadcast>", log="y", **options)


@pytest.mark.parametrize("kind", KINDS)
def test_figures_have_the_same_bytes_twice(kind, tmp_path: Path):
    pytest.importorskip("matplotlib")
    digests = []
    for turn in "ab":
        paths = save(draw(kind), tmp_path / f"{turn}.png", tmp_path / f"{turn}.svg")
        digests.append([hashlib.sha256(p.read_bytes()).hexdigest() for p in paths])
    assert digests[0] == digests[1]
    svg = (tmp_path / "a.svg").read_bytes()
    assert b"date" not in svg.lower()
    ElementTree.fromstring(svg)
    assert not [p for p in tmp_path.iterdir() if p.name.startswith(".")]


def test_axes_carry_units_and_every_series_its_own_look():
    pytest.importorskip("matplotlib")
    sheet = figure("line", TABLE, x="size_bytes", y="time_s", series="algorithm", log="x")
    (axes,) = sheet.axes
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("size", "time")
    looks = {(line.get_color(), line.get_marker()) for line in axes.lines}
    assert len(looks) == 2


def test_sizes_on_a_logarithmic_axis_are_words():
    pytest.importorskip("matplotlib")
    sizes = [2**i for i in range(8, 21)]
    table = {"size_bytes": sizes, "time_s": [1e-5 + size / 1e9 for size in sizes]}
    (ax,) = figure("line", table, x="size_bytes", y="time_s", log="xy").axes
    low, high = ax.get_xlim()
    at = [(x, label.get_text()) for x, label in zip(ax.get_xticks(), ax.get_xticklabels(), strict=True)]
    shown = [text for x, text in at if low <= x <= high]
    assert shown == ["256 B", "1 KiB", "4 KiB", "16 KiB", "64 KiB", "256 KiB", "1 MiB"]
    assert (ax.get_xscale(), ax.get_yscale()) == ("log", "log")


@pytest.mark.parametrize(("largest", "ticks"), [(6e4, 6), (6e7, 5)])
def test_decimal_sizes_on_a_long_logarithmic_axis_do_not_meet(largest, ticks):
    """Ticks at 1, 2 and 5 of every power of ten where three of them are drawn, else at the powers alone."""
    pytest.importorskip("matplotlib")
    table = {"moved_bytes": [800.0, 7e3, largest], "time_s": [1e-6, 1e-5, 1e-4]}
    (ax,) = figure("line", table, x="moved_bytes", y="time_s", log="x").axes
    ax.figure.canvas.draw()
    low, high = ax.get_xlim()
    boxes = [
        label.get_window_extent()
        for x, label in zip(ax.get_xticks(), ax.get_xticklabels(), strict=True)
        if low <= x <= high
    ]
    assert len(boxes) >= ticks
    assert all(one.x1 < then.x0 for one, then in pairwise(boxes))


def test_the_size_of_a_communicator_is_a_chosen_size():
    pytest.importorskip("matplotlib")
    table = {"communicator_bytes": [1 << 12, 1 << 16, 1 << 20], "time_s": [1e-6, 1e-5, 1e-4]}
    (ax,) = figure("line", table, x="communicator_bytes", y="time_s", log="x").axes
    assert "64 KiB" in [label.get_text() for label in ax.get_xticklabels()]


@pytest.mark.parametrize("log", ["x", "xy"])
def test_every_tick_of_time_says_its_unit(log):
    pytest.importorskip("matplotlib")
    table = {"size_bytes": [256, 1024, 4096], "time_s": [80e-6, 0.4e-3, 1.3e-3]}
    sheet = figure("line", table, x="size_bytes", y="time_s", log=log)
    sheet.canvas.draw()
    axis = sheet.axes[0].yaxis
    low, high = axis.get_view_interval()
    ticks = zip(axis.get_majorticklocs(), axis.get_ticklabels(), strict=True)
    at = {label.get_text(): seconds for seconds, label in ticks if low <= seconds <= high}
    assert (at["200 µs"], at["1 ms"]) == pytest.approx((200e-6, 1e-3))
    assert all(text.endswith((" µs", " ms")) for text in at if text != "0")
    assert not axis.get_offset_text().get_text()
    assert not any(label.get_text() for label in axis.get_ticklabels(minor=True))


def test_boxes_span_the_quartiles_of_each_mapping():
    pytest.importorskip("matplotlib")
    random = np.random.default_rng(1)
    speed = {name: 1e3 * k * random.lognormal(0, 0.2, 100) for k, name in enumerate(("ring", "tree"), start=1)}
    names = [name for name in speed for _ in range(100)]
    table = {"mapping": names, "speed_mop_per_s": np.concatenate(list(speed.values()))}
    (ax,) = figure("box", table, x="mapping", y="speed_mop_per_s", log="y").axes
    assert ax.get_ylabel() == "speed (Mop/s)"
    assert [t.get_text() for t in ax.get_xticklabels()] == ["ring", "tree"]
    for patch, values in zip(ax.patches, speed.values(), strict=True):
        heights = patch.get_path().vertices[:, 1]
        assert [heights.min(), heights.max()] == pytest.approx(np.quantile(values, [0.25, 0.75]))


def test_panels_share_an_axis_that_holds_them_all():
    pytest.importorskip("matplotlib")
    table = {"x": ["a", "b"] * 2, "y": [10, 20, 30, 40], "f": ["p", "p", "q", "q"]}
    for ax in figure("bar", table, x="x", y="y", facet="f").axes:
        low, high = ax.get_ylim()
        assert low == 0
        assert high > 40


def test_save_refuses_other_endings_and_places_that_cannot_be_written(tmp_path: Path):
    pytest.importorskip("matplotlib")
    sheet = draw("bar")
    assert faults_of(lambda: save(sheet, tmp_path / "a.gif")) == ["NL-X102"]
    (tmp_path / "file").touch()
    assert faults_of(lambda: save(sheet, tmp_path / "file" / "a.png")) == ["NL-X003"]


def test_positions_by_layout():
    place, used = positions(4)
    assert used == "circle"
    assert place == pytest.approx(np.array([[0.5, 1], [1, 0.5], [0.5, 0], [0, 0.5]]))
    place, used = positions(6, dims=[2, 3])
    assert used == "grid"
    assert place[0] == pytest.approx([0, 0.75])
    assert place[5] == pytest.approx([1, 0.25])
    place, used = positions(3, levels=[0, 0, 1])
    assert used == "layers"
    assert place[2, 1] > place[0, 1]
    assert positions(4, groups=[0, 0, 1, 1])[1] == "groups"
    assert positions(5, dims=[5], levels=[0] * 5, groups=[0] * 5)[1] == "circle"


@pytest.mark.parametrize("options", [{}, {"dims": [4, 4, 4, 4]}, {"groups": np.arange(256) // 16}])
def test_no_two_switches_share_a_place(options):
    place, _ = positions(256, **options)
    assert len(np.unique(place.round(9), axis=0)) == 256
    assert place.min() >= -1e-9
    assert place.max() <= 1 + 1e-9


def test_cables_are_counted_once_from_links_or_edges():
    tails, heads = np.array([0, 1, 0, 1, 2, 0]), np.array([1, 0, 1, 0, 0, 2])
    assert [c.tolist() for c in cables(3, tails, heads)] == [[0, 0], [1, 2], [2, 1]]
    once = cables(3, np.array([0, 0, 2]), np.array([1, 1, 0]))
    assert [c.tolist() for c in once] == [[0, 0], [1, 2], [2, 1]]


def test_adjacency_of_more_switches_than_cells_keeps_every_cable():
    tails, heads = circulant(2048, (1, 5))
    cells = adjacency(2048, tails, heads)
    assert cells.shape == (512, 512)
    assert (cells == cells.T).all()
    assert np.triu(cells).sum() == 4096


def test_links_over_other_switches_bow_out():
    a, b = np.array([0, 0]), np.array([1, 3])
    assert bends(a, b, [4, 4]).tolist() == [0.0, 0.12]
    assert bends(a, b, None).tolist() == [0.0, 0.0]


@pytest.mark.parametrize("switches", [8, 400])
def test_drawings_have_the_same_bytes_twice(switches, tmp_path: Path):
    pytest.importorskip("matplotlib")
    tails, heads = circulant(switches, (1, 2))
    bytes_of = []
    for turn in "ab":
        sheet = draw_network(Drawing("circulant", switches, tails, heads))
        bytes_of.append([p.read_bytes() for p in save(sheet, tmp_path / f"{turn}.png", tmp_path / f"{turn}.svg")])
    assert bytes_of[0] == bytes_of[1]


@pytest.mark.parametrize("switches", [-1, 0, 1.5, "a", None, 10**400, True])
def test_bad_networks_are_faults(switches):
    pytest.importorskip("matplotlib")
    assert faults_of(lambda: draw_network(Drawing("", switches, [0], [1]))) == ["NL-X107"]


@pytest.mark.parametrize(
    "options",
    [
        {"layout": "grid"},
        {"layout": "grid", "dims": [3]},
        {"layout": "layers", "levels": [0]},
        {"groups": [0.5, 1.5]},
        {"class_of": [0]},
    ],
)
def test_structure_that_does_not_fit(options):
    pytest.importorskip("matplotlib")
    assert faults_of(lambda: draw_network(Drawing("", 2, [0, 1], [1, 0], **options))) == ["NL-X107"]


def test_links_beyond_the_switches():
    pytest.importorskip("matplotlib")
    assert faults_of(lambda: draw_network(Drawing("", 2, [0, 5], [-1, 0]))) == ["NL-X107", "NL-X107"]
    globe = Drawing("", 2, [0], [1], view="globe", layout="x")
    assert faults_of(lambda: draw_network(globe)) == ["NL-X102"]


def test_code_table_is_complete():
    rows = [row[0] for row in CODES]
    assert len(set(rows)) == len(rows)
    assert all(all(row) for row in CODES)
