"""Pictures of link loads: what they show, what they refuse, the same bytes twice."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import netloom
from netloom.base.errors import NetloomError
from netloom.evaluate.loads.pictures import boxes, groups, histograms, jobs
from netloom.evaluate.loads.pictures_slices import slices
from netloom.evaluate.loads.pictures_style import decimal, matrix
from netloom.evaluate.loads.slices import MAX_LINKS, MAX_PLANES, of_rows, sliced
from netloom.evaluate.loads.slices import rows as listed
from netloom.plot import save

KEYS = ("min_bytes", "q1_bytes", "median_bytes", "mean_bytes", "q3_bytes", "max_bytes")


def row(name: str, variant: str, *numbers: float) -> dict[str, Any]:
    return {"name": name, "variant": variant, **dict(zip(KEYS, numbers, strict=True))}


ROWS = [row("rdn", "SD", 0, 1e6, 2e6, 3e6, 4e6, 9e6), row("rdn", "AD", 1e5, 1e6, 2e6, 3e6, 4e6, 8e6)]


def loads(network: str, traffic: str = "unstructured-mesh") -> Any:
    net = netloom.network(network)
    return netloom.loads(net, netloom.Job(traffic, name="job", mapping=range(net.endpoints)))


def test_the_dotted_line_stands_at_the_lowest_maximum(tmp_path: Path) -> None:
    sheet = boxes(ROWS, group="variant")
    dotted = [line for line in sheet.axes[0].lines if line.get_linestyle() == ":"]
    assert [line.get_ydata()[0] for line in dotted] == [8e6]
    assert [text.get_text() for text in sheet.axes[0].texts] == ["SD", "AD"]
    assert not [line for line in boxes(ROWS, best=False).axes[0].lines if line.get_linestyle() == ":"]
    save(sheet, tmp_path / "a.svg")
    save(boxes(ROWS, group="variant"), tmp_path / "b.svg")
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()


def test_boxes_refuse_nothing_and_too_many() -> None:
    for rows, code in (([], "NL-X105"), ([row("a", "b", 0, 0, 0, 0, 0, 0)], "NL-X105"), (ROWS * 200, "NL-X106")):
        with pytest.raises(NetloomError) as error:
            boxes(rows)
        assert error.value.faults[0].code == code


def test_a_histogram_counts_idle_links_in_its_shares() -> None:
    rows = [{"from_bytes": 0.0, "to_bytes": 0.0, "links": 3}, {"from_bytes": 1.0, "to_bytes": 2.0, "links": 1}]
    sheet = histograms({"global": rows})
    (steps,) = sheet.axes[0].patches
    assert steps.get_data().values == pytest.approx([25.0])
    assert steps.get_label() == "global (75 % idle)"


def test_bins_that_do_not_meet_have_nothing_between_them() -> None:
    rows = [{"from_bytes": a, "to_bytes": 2 * a, "links": 2} for a in (1.0, 8.0)]
    (steps,) = histograms({"global": rows}, share=False).axes[0].patches
    assert list(steps.get_data().values) == [2, 0, 2] and list(steps.get_data().edges) == [1, 2, 8, 16]


def test_slices_draw_every_link_of_the_planes_once() -> None:
    for network, planes in (("torus(4,5)", 1), ("torus(3,4,5)", 3), ("mesh(3,5)", 1), ("ring(7)", 1)):
        found = loads(network)
        panels = [ax for ax in slices(found).axes if ax.collections and ax.get_title()]
        assert len(panels) == 2 * planes
        drawn = sum(len(ax.collections[0].get_segments()) for ax in panels)
        net = found.network
        size = int(np.prod(net.grid[0][-2:]))
        assert drawn == int((net.tails // size == net.heads // size).sum())
        colours = np.concatenate([ax.collections[0].get_array() for ax in panels])
        inside = net.tails // size == net.heads // size
        assert np.sort(colours).tolist() == np.sort(found.link_bytes[: len(net.tails)][inside]).tolist()


def test_the_rows_of_slices_are_the_links_that_are_drawn() -> None:
    for network, planes in (
        ("torus(4,5)", 1),
        ("torus(3,4,5)", 3),
        ("mesh(3,5)", 1),
        ("ring(7)", 1),
        ("torus(2,2,4)", 2),
    ):
        found = loads(network)
        made, (whole, links) = listed(found), sliced(found)
        assert {row["planes"] for row in made} == {planes} and len({row["plane"] for row in made}) == planes
        assert [row["bytes"] for row in made] == found.link_bytes[links].tolist()
        again = of_rows(made)
        assert (again.names, again.shape, again.between) == (whole.names, whole.shape, whole.between)
        for part in ("plane", "tails", "heads", "up", "carried"):
            assert getattr(again, part).tolist() == getattr(whole, part).tolist(), part
        # Each switch has one link up and one down in each dimension of a torus; a step leads to the next place.
        for row in made:
            steps = (row["to_row"] - row["row"], row["to_column"] - row["column"])
            assert sorted(map(abs, steps))[0] == 0 and sum(map(abs, steps)) in (1, *(side - 1 for side in whole.shape))
            assert (row["direction"] == "up") == (sum(steps) == 1 or sum(steps) < -1)


def test_tables_of_slices_have_the_hottest_planes_only() -> None:
    found = loads("torus(12,4,4)", "opposite")
    assert len({row["plane"] for row in listed(found)}) == MAX_PLANES == 8
    tails, heads = found.network.tails // 16, found.network.heads // 16
    top = sorted((-max(found.link_bytes[: len(tails)][(tails == p) & (heads == p)]), p) for p in range(12))[:8]
    assert {row["plane"] for row in listed(found)} == {f"({p}, *, *)" for _, p in top}
    assert len(listed(loads("torus(5,64,64)", "shift(3)"))) == MAX_LINKS == 65536
    assert listed(loads("hyperx(4,4)")) == listed(loads("torus(2,65)")) == listed(loads("star(4)")) == []


def test_what_cannot_be_drawn_is_said() -> None:
    for draw, network, word in (
        (slices, "hyperx(4,4)", "more links"),
        (slices, "star(4)", "no grid"),
        (slices, "torus(2,65)", "64"),
        (groups, "torus(4,4)", "no groups"),
        (jobs, "torus(4,4)", "neighbours"),
    ):
        with pytest.raises(NetloomError) as error:
            draw(loads(network))
        assert word in str(error.value)


def test_large_squares_are_added_up() -> None:
    sheet = matrix(np.ones((1000, 1000)), ("to", "from", "bytes"))
    image = sheet.axes[0].images[0].get_array()
    assert image.shape == (334, 334) and image.sum() == 1e6


def test_numbers_are_short() -> None:
    assert [decimal(v) for v in (0.5, 1500, 2.5e9, "a" * 30)] == ["0.5 ", "1.5 k", "2.5 G", "a" * 23 + "…"]
