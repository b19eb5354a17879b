"""Small maps of a torus: sums of links over all dimensions but two."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import numpy as np
import pytest

import netloom
from netloom.base.errors import NetloomError
from netloom.evaluate.loads.minimaps import MAX_DIMENSIONS, of_rows, rows, summed
from netloom.evaluate.loads.pictures_minimaps import minimaps
from netloom.plot.style import PALETTE


def loads(network: str) -> Any:
    net = netloom.network(network)
    traffic = f"uniform(seed=1,messages={4 * net.endpoints},bytes=1000)"
    return netloom.loads(net, netloom.Job(traffic, name="job", mapping=range(net.endpoints)))


@pytest.mark.parametrize("network", ["torus(4,5)", "mesh(3,5)", "torus(3,4,2)", "torus(2,3,1,4)"])
def test_maps_are_the_sums_of_their_links(network: str) -> None:
    found = loads(network)
    net, sides = found.network, found.network.grid[0]
    long = [axis for axis, side in enumerate(sides) if side > 1]
    made = {(one.direction, one.other): one for one in summed(found)}
    assert list(made) == [(a, b) for a in long for b in (None, *(c for c in long if c != a))]
    assert len(made) == len(long) + len(list(permutations(long, 2)))
    for (axis, other), one in made.items():
        up, down = np.zeros_like(one.up), np.zeros_like(one.down)
        for link, (tail, head) in enumerate(zip(net.tails.tolist(), net.heads.tolist(), strict=True)):
            a, b = np.unravel_index(tail, sides), np.unravel_index(head, sides)
            if a[axis] == b[axis]:
                continue
            # The next place, or from the last one to the first.
            counts = b[axis] == (a[axis] + 1) % sides[axis] and (sides[axis] > 2 or b[axis] > a[axis])
            place = (a if counts else b)[axis]
            (up if counts else down)[place, 0 if other is None else a[other]] += found.link_bytes[link]
        assert np.allclose(one.up, up) and np.allclose(one.down, down), (axis, other)
    every = found.link_bytes[: len(net.tails)].sum()
    assert sum((one.up + one.down).sum() for one in made.values() if one.other is None) == pytest.approx(every)


def test_rows_are_the_maps() -> None:
    for network in ("torus(4,5)", "torus(3,4,2)"):
        found = loads(network)
        listed = rows(found)
        assert all(row["bytes"] == row["up_bytes"] + row["down_bytes"] for row in listed)
        for one, again in zip(summed(found), of_rows(listed), strict=True):
            assert (one.direction, one.other) == (again.direction, again.other)
            assert one.up.tolist() == again.up.tolist() and one.down.tolist() == again.down.tolist()


def test_each_direction_has_its_colour_and_each_pair_its_map() -> None:
    found = loads("torus(3,4,5,2)")
    sheet = minimaps(found)
    images = [ax for ax in sheet.axes if ax.images]
    bars = [ax for ax in sheet.axes if ax.patches]
    # Four dimensions: twelve maps, and the sums of each direction.
    assert (len(images), len(bars)) == (12, 4)
    assert len({ax.images[0].get_cmap().name for ax in images}) == 4
    for ax in images:
        axis, other = (int(text.split()[1]) for text in (ax.get_xlabel(), ax.get_ylabel()))
        (one,) = [one for one in summed(found) if (one.direction, one.other) == (axis, other)]
        assert ax.images[0].get_array().tolist() == (one.up + one.down).T.tolist()
        assert ax.images[0].get_cmap().name == PALETTE[axis]
    scales = {ax.images[0].norm.vmax for ax in images}
    assert scales == {max(float(ax.images[0].get_array().max()) for ax in images)}


def test_shades_get_darker_all_the_way() -> None:
    for ax in (ax for ax in minimaps(loads("torus(2,2,2,2,2,2)")).axes if ax.images):
        shades = ax.images[0].get_cmap()(np.linspace(0, 1, 32))[:, :3]
        lightness = shades @ np.array([0.2126, 0.7152, 0.0722])
        assert (np.diff(lightness) < 0).all()


@pytest.mark.parametrize(
    ("network", "word"),
    [
        ("hyperx(4,4)", "more links"),
        ("star(4)", "no grid"),
        ("ring(8)", "no two dimensions"),
        ("torus(2,65)", "64"),
        ("torus(2,2,2,2,2,2,2)", f"{MAX_DIMENSIONS} dimensions"),
    ],
)
def test_what_has_no_maps_is_refused(network: str, word: str) -> None:
    found = loads(network)
    with pytest.raises(NetloomError) as error:
        minimaps(found)
    assert word in str(error.value)
    assert rows(found) == []
