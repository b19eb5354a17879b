"""Section 3.1 of Jain 2016: boxes, tiles and tilts of pF3D and MILC on partitions of a Blue Gene/Q."""

from __future__ import annotations

from itertools import permutations
from math import prod

import numpy as np
import pytest
from scipy.stats import spearmanr

import netloom
from netloom.mapping.boxes import Box, autobox, box

LINKS = 'double=[false,false,false,false,true],bandwidth="2 GBps",latency="40 ns",endpoint_bandwidth="20 GBps"'
#: Table 3.1: 1,024 nodes are a mesh in D.
PARTITIONS = {
    1024: f"torus(4,4,4,8,2,wrap=[true,true,true,false,true],{LINKS})",
    2048: f"torus(4,4,4,16,2,{LINKS})",
    4096: f"torus(4,8,4,16,2,{LINKS})",
}
#: Tiles of the torus (A, B, C, D, E, T): as few dimensions as 4,096 nodes allow, and as many.
FEW, MANY = (1, 8, 4, 16, 1, 1), (4, 4, 4, 4, 2, 1)
#: Table 3.2, with tiles of the application (Z, Y, X).
TILES = {
    "Tile1": (FEW, (8, 8, 8)),
    "Tile2": (MANY, (8, 8, 8)),
    "Tile3": (FEW, (1, 16, 32)),
    "Tile4": (MANY, (1, 16, 32)),
}
CORES = 32


def test_j03_tiles_have_equal_sizes() -> None:
    """Table 3.2: a tile has 512 elements on the torus and in the application, and divides both."""
    for torus, application in TILES.values():
        assert prod(torus) == prod(application) == 512
    for nodes, text in PARTITIONS.items():
        places, ranks = autobox(text, cores=CORES), box(nodes * CORES // 512, 16, 32)
        places.tile(*MANY)
        ranks.tile(1, 16, 32)
        assert sorted(ranks.onto(places).tolist()) == list(range(nodes * CORES))


def test_m01_planes_become_cubes() -> None:
    """Figure 3.1: eight tiles of 27; the ranks of each 9 x 3 plane come into one 3 x 3 x 3 cube."""
    application, torus = box(9, 3, 8), autobox("torus(6,6,6)")
    application.tile(9, 3, 1)
    torus.tile(3, 3, 3)
    places = np.array(np.unravel_index(application.onto(torus), (6, 6, 6)))
    corners = set()
    for plane in range(8):
        cube = {tuple(place) for place in (places[:, plane::8] // 3).T.tolist()}
        assert len(cube) == 1
        corners |= cube
    assert len(corners) == 8


def onto(places: Box, tile: tuple[int, ...] = (1, 16, 32)) -> np.ndarray:
    """Endpoints of the ranks of pF3D, tiles of the application on the parts of a box of 4,096 nodes."""
    ranks = box(256, 16, 32)
    ranks.tile(*tile)
    return (ranks.onto(places) // CORES).astype(np.uint32)


def largest(mapping: np.ndarray) -> int:
    """Bytes of pF3D on the most loaded link."""
    found = netloom.loads(PARTITIONS[4096], workload="pf3d", mapping=mapping, hottest=0)
    return int(found["max_bytes"])


def test_q6_tilting_does_not_help() -> None:
    """3.1.3: three-dimensional tiles (B, C, D), planes of B and C tilted along B, load the worst link no less."""
    plain, tilted = autobox(PARTITIONS[4096], cores=CORES), autobox(PARTITIONS[4096], cores=CORES)
    for torus in (plain, tilted):
        torus.tile(*FEW)
    tilted.shear(3, 1)
    assert (onto(plain) != onto(tilted)).any()
    assert largest(onto(tilted)) >= largest(onto(plain))


def test_q14_one_grid_doubles_the_hops_of_milc() -> None:
    """3.1.4: of the orders of 16, 16, 32, 32 one makes the default's mean hops at 4,096 nodes twice those at 1,024."""

    def hops(nodes: int, grid: tuple[int, ...]) -> float:
        call = f"milc(grid=[{','.join(map(str, grid))}],sum_bytes=0)"
        return float(netloom.hops(PARTITIONS[nodes], workload=call, cores=64)["mean_hops"])

    before = hops(1024, (16, 16, 16, 16))
    doubled = [grid for grid in sorted(set(permutations((16, 16, 32, 32)))) if hops(4096, grid) >= 2 * before]
    assert doubled == [(16, 16, 32, 32)]


@pytest.fixture(scope="module")
def sends() -> list[tuple[float, float, float]]:
    """Mean hops, time and largest load of pF3D's sends at 4,096 nodes, for the six mappings."""
    slots = np.arange(131_072, dtype=np.uint32)
    mappings = {"default": slots // CORES, "round robin": slots % 4096}
    for name, (torus, application) in TILES.items():
        places = autobox(PARTITIONS[4096], cores=CORES)
        places.tile(*torus)
        mappings[name] = onto(places, application)
    found = []
    for mapping in mappings.values():
        asked = {"workload": "pf3d(x_bytes=0,y_bytes=0)", "mapping": mapping.astype(np.uint32)}
        hops = netloom.hops(PARTITIONS[4096], **asked)["mean_hops"]
        time = netloom.simulate(PARTITIONS[4096], calibration="pure", **asked)["time_s"]
        load = netloom.loads(PARTITIONS[4096], hottest=0, **asked)["max_bytes"]
        found.append((float(hops), float(time), float(load)))
    return found


def test_q7_the_time_of_sends_follows_mean_hops(sends: list[tuple[float, float, float]]) -> None:
    """3.1.3: rank correlation of both over the six mappings, 4,096 nodes."""
    hops, times, _ = zip(*sends, strict=True)
    assert spearmanr(hops, times).statistic > 0.8


def test_q7_time_follows_the_largest_load(sends: list[tuple[float, float, float]]) -> None:
    """3.1.3: rank correlation of the largest load and the time of the sends over the six mappings, 4,096 nodes."""
    _, times, loads = zip(*sends, strict=True)
    assert spearmanr(loads, times).statistic > 0.8
