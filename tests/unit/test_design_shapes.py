"""Shapes of `netloom design`: trees next to brute force, clusters, parallel cables, the bisection of clusters."""

from __future__ import annotations

import itertools
import math
import random
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from netloom import NetloomError, _core
from netloom.cli.whatif_shown import _sureness
from netloom.design import Settings, catalogue, design
from netloom.design.bill import parts_of
from netloom.design.families import GPUS, TAPERS, bundles, rail, sized
from netloom.design.trees import Tree, three_levels, tree, two_levels
from netloom.network.capacity import capacity
from netloom.network.whole_nodes import whole_nodes

from ..cli.design_cases import LAYOUT, cable, parts, switch


def _sound(one: Tree, n: int, r: int, taper: int) -> bool:
    """Enough endpoints, no switch over its ports, leaves tapered, upper levels full."""
    below, above = (1, *one.parallel), [a * b for a, b in zip(one.up, one.parallel, strict=True)]
    full = all(one.down[at] * below[at] <= above[at] for at in range(1, len(above)))
    return math.prod(one.down) >= n and max(one.ports) <= r and one.down[0] <= taper * above[0] and full


def _every(n: int, r: int, taper: int, levels: int) -> list[Tree]:
    """All sound trees, one by one."""
    found = []
    for numbers in itertools.product(range(1, r + 1), repeat=3 * levels - 2):
        down, rest = numbers[:levels], numbers[levels:]
        made = Tree(down, rest[: levels - 1], rest[levels - 1 :])
        if down[-1] > 1 and _sound(made, n, r, taper):
            found.append(made)
    return found


@pytest.mark.parametrize("r", [3, 4, 5, 6, 8])
def test_trees_of_two_levels_are_the_best_of_all(r: int) -> None:
    for n, taper in itertools.product(range(r + 1, r * r, 1 if r < 8 else 5), TAPERS):
        best = min((one.rank[:2] for one in _every(n, r, taper, 2)), default=None)
        made = min((one.rank[:2] for one in two_levels(n, r, taper)), default=None)
        assert made == best, (n, taper)


@pytest.mark.parametrize(("n", "r"), [(7, 4), (9, 4), (13, 4), (16, 4), (17, 4), (10, 3), (14, 5)])
def test_trees_of_three_levels_are_the_best_of_all(n: int, r: int) -> None:
    for taper in TAPERS:
        best = min((one.rank[:2] for one in _every(n, r, taper, 3)), default=None)
        made = min((one.rank[:2] for one in three_levels(n, r, taper)), default=None)
        assert made == best, taper


def test_trees_of_any_size() -> None:
    draw = random.Random(5)
    for _ in range(150):
        r = draw.choice([8, 10, 16, 18, 24, 36, 40, 48, 64])
        n = int(r + 1 + draw.random() ** 3 * min(r**3 // 4 - r - 1, 20_000))
        switches = []
        for taper in TAPERS:
            best = tree(n, r, taper)
            if best is None:
                continue
            assert _sound(best, n, r, taper), (n, r, taper)
            # With a port fewer the leaves would have too few.
            assert (best.down[0] - 1) * math.prod(best.down[1:]) < n
            found = _core.expected(best.call() + ")")
            assert (found["switches"], found["switch_links"]) == (best.switches, best.cables)
            assert max(found["degree_max"] or 0, best.ports[0]) <= r
            for levels in (two_levels, three_levels):
                full, tapered = (min((one.switches for one in levels(n, r, some)), default=None) for some in (1, taper))
                assert full is None or (tapered is not None and tapered <= full)
            switches.append(best.switches)
        # What reaches with full leaves does with tapered ones, with no more switches.
        assert switches == sorted(switches, reverse=True), (n, r)


@pytest.mark.parametrize(
    ("n", "r", "switches"),
    [(128, 40, (11, 7, 5)), (256, 36, (24, 15, 13)), (1000, 64, (48, 35, 25))],
)
def test_tapered_trees_are_smaller(n: int, r: int, switches: tuple[int, ...]) -> None:
    """Before, 2:1 had 18, 15 and 45 switches, many with few ports in use; 4:1 of 256 had 16."""
    assert tuple(cast(Tree, tree(n, r, taper)).switches for taper in TAPERS) == switches


def test_a_taper_costs_less_than_a_full_tree() -> None:
    how = Settings(calibration="pure", least_ports=40, most_ports=40, failed_links="0", failed_switches="0")
    found = design(128, ["shift(k=1,bytes=1000)"], families=["fat-tree"], how=how)
    usd = {one.sized.variant: one.usd for one in found.candidates}
    assert usd["4:1"] < usd["2:1"] < 0.6 * usd["1:1"]


def test_the_same_network_is_one_candidate() -> None:
    kind = type(catalogue().switches[0])(**(vars(catalogue().switches[0]) | {"ports": 3}))
    found, left_out = sized("fat-tree", kind, 4)
    assert len({one.call for one in found}) == len(found)
    assert [one.reason for one in left_out][-1] == "the same network as 2:1"


@pytest.mark.parametrize("endpoints", [200, 600, 1000, 2000])
@pytest.mark.parametrize("r", [36, 40, 64])
def test_clusters_have_no_more_switches_than_full_pods(endpoints: int, r: int) -> None:
    nodes, counts = -(-endpoints // GPUS), []
    for (_, call, why), taper in zip(rail(endpoints, r), TAPERS, strict=False):
        assert call, why
        made = parts_of(_core.Network.build(call + ")"), endpoints)
        assert made.radix <= r and int(made.ends.sum()) == nodes * GPUS
        counts.append(made.switches)
        if nodes > r:
            up = r // (taper + 1)
            pods = f"pod={min(taper * up, nodes)},oversubscription={taper}"
            full = f"rail_cluster(nodes={nodes},gpus={GPUS},{pods},radix={r})"
            assert made.switches <= parts_of(_core.Network.build(full), endpoints).switches
    assert counts == sorted(counts, reverse=True)


def test_clusters_have_pods_and_spines_of_the_fewest_switches() -> None:
    """Before, 600 GPUs on 64 ports had pods of 32 and of 42 nodes, on 40 and 23 switches."""
    made = [parts_of(_core.Network.build(call + ")"), 600).switches for _, call, _ in rail(600, 64)]
    assert made == [37, 21]


@pytest.mark.parametrize(
    ("extents", "ports", "lines"), [([8], 8, [1]), ([6], 18, [3]), ([2, 5], 8, [3, 1]), ([2, 2, 2], 8, [3, 3, 2])]
)
def test_parallel_cables_go_where_the_cut_is_thin(extents: list[int], ports: int, lines: list[int]) -> None:
    made = bundles(extents, ports)
    assert made == lines
    assert sum((extent - 1) * many for extent, many in zip(extents, made, strict=True)) <= ports
    same = ports // sum(extent - 1 for extent in extents)
    assert min(a * b for a, b in zip(extents, made, strict=True)) >= min(extents) * same


@pytest.mark.parametrize(
    ("call", "share"),
    [
        # One leaf for each rail: whatever the NICs send arrives.
        ('rail_cluster(nodes=64,gpus=8,pod=64,spine=absent,radix=64,nic_bandwidth="800 Gbps")', 1.0),
        ('rail_cluster(nodes=13,gpus=8,pod=13,spine=absent,radix=36,nic_bandwidth="100 Gbps")', 1.0),
        ("rail_cluster(nodes=128,gpus=8,pod=32,radix=64)", 1.0),
        ("rail_cluster(nodes=128,gpus=8,pod=32,oversubscription=2,radix=64)", 0.5),
        # Two GPUs share a NIC, and spines are slower.
        ("rail_cluster(nodes=16,gpus=4,rails=2,pod=8,radix=64)", 1.0),
        ('rail_cluster(nodes=8,gpus=4,pod=4,spine_bandwidth="100 Gbps")', 0.25),
    ],
)
def test_the_bisection_of_clusters_is_that_of_their_nics(call: str, share: float) -> None:
    net = _core.Network.build(call)
    assert capacity(net)["bisection"] == pytest.approx(share)
    rails = net.rails
    assert rails is not None
    outside = whole_nodes(net)
    assert outside.endpoints == net.endpoints
    assert outside.switches == rails["nodes"] + parts_of(net, net.endpoints).switches


def test_the_bisection_of_other_networks_is_as_before() -> None:
    assert capacity(_core.Network.build("xgft(m=[16,32],w=[1,8])"))["bisection"] == 0.5


GOOD = parts(switch(8, 1.0), cable("optical", 1.0))
COPPER = cable("copper", 1.0, max_m=3.0)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("switches_per_cabinet = 4", "switches_per_cabinet = 8.7", "layout.switches_per_cabinet must be an integer in"),
        ("switches_per_cabinet = 4", "switches_per_cabinet = 4.0", "layout.switches_per_cabinet must be an integer in"),
        ("switches_per_cabinet = 4", "switches_per_cabinet = true", "layout.switches_per_cabinet must be an integer"),
        ("switches_per_cabinet = 4", "switches_per_cabinet = 0", "layout.switches_per_cabinet must be an integer"),
        ("switches_per_cabinet = 4", "switches_per_cabinet = -4", "layout.switches_per_cabinet must be an integer"),
        ("ports = 8", "ports = 36.5", "switch[0].ports must be an integer in 2..4096, got 36.5"),
        ("ports = 8", "ports = true", "switch[0].ports must be an integer in 2..4096, got True"),
        ("ports = 8", "ports = 5000", "switch[0].ports must be an integer in 2..4096, got 5000"),
        ("cabinet_width_m = 1.0", "cabinet_width_m = 0", "layout.cabinet_width_m must be a number above 0, got 0"),
        ("cabinet_depth_m = 2.0", "cabinet_depth_m = true", "layout.cabinet_depth_m must be a number above 0"),
        ("max_m = 3.0", "max_m = 0", "cable[1].max_m must be a number above 0, got 0"),
        ("watts = 100.0", "watts = false", "switch[0].watts must be a finite number >= 0, got False"),
        ("gbps = 100.0", "gbps = 0", "switch[0].gbps must be a number of 0.001 or more, got 0"),
    ],
)
def test_numbers_of_a_catalogue(tmp_path: Path, old: str, new: str, said: str) -> None:
    path = tmp_path / "parts.toml"
    text = GOOD + COPPER
    assert old in text and LAYOUT in text
    path.write_text(text.replace(old, new, 1))
    with pytest.raises(NetloomError) as error:
        catalogue(path)
    assert said in str(error.value)


def test_one_candidate_is_the_only_one() -> None:
    how = Settings(calibration="pure", least_ports=128, most_ports=128)
    found = design(100, ["shift(k=1,bytes=1000)"], families=["fat-tree"], how=how)
    assert found.explain()[0].endswith(" for the mix): the only candidate.")


def test_a_lead_is_the_same_in_numbers_and_words() -> None:
    """The page of `whatif` said -5.1 % where its sentence said 5.4 %."""
    sure = SimpleNamespace(lead=-0.051, tie=False)
    one = SimpleNamespace(runner_up="b", totals={}, sure=sure, rungs_agree=None, leads={})
    (number,) = _sureness(cast(Any, SimpleNamespace(decision=one, asked=SimpleNamespace(ranks=()))))
    assert (number.value, number.note) == ("5.4 %", "behind the runner-up")
