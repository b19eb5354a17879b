"""Instances of every family with at least n endpoints, made of one switch of the catalogue.

Switches are bought whole, so an instance uses as many of their ports as its shape allows: parallel cables where a pair
of switches can have them. A function a family yields (variant, call) or (variant, "", reason).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import prod

from .. import _core
from ..base.errors import NetloomError
from .catalogue import Switch
from .places import integers
from .trees import Tree, ceiling, topped, tree

#: Endpoints of a leaf over its uplinks, at most.
TAPERS = (1, 2, 4)
#: GPUs of a node of a rail-optimised cluster, and most of them in all: each is a switch of the model, whose loads are
#: summed from all to all.
GPUS, MOST_GPUS = 8, 4096
#: Most switches of a candidate.
MOST_SWITCHES = 1 << 16
#: (variant, parameters without speeds), or (variant, "", why there is none).
Shape = tuple[str, str, str]


@dataclass(frozen=True)
class Sized:
    """One instance of a family.

    Attributes
    ----------
    family, variant
        Together with the switch they name the candidate whatever its size.
    call
        Of the network.
    """

    family: str
    variant: str
    switch: Switch
    call: str


@dataclass(frozen=True)
class LeftOut:
    """A candidate that is none, and why."""

    name: str
    reason: str


def fat_tree(n: int, r: int) -> Iterator[Shape]:
    """Of each taper of the leaves the tree with the fewest switches, on two levels where they reach."""
    if n <= r:
        yield "one switch", f"complete(1,p={n}", ""
        return
    for taper in TAPERS:
        best = tree(n, r, taper)
        why = "" if best else f"three levels of {r} ports do not reach {n:,} endpoints"
        yield f"{taper}:1", best.call() if best else "", why


def dragonfly(n: int, r: int) -> Iterator[Shape]:
    """Balanced, a = 2p = 2h (Kim et al. 2008), all ports in use; the last groups are left out."""
    p = (r + 1) // 4
    a, h = 2 * p, p
    if p < 1 or n > a * p * (a * h + 1):
        yield "balanced", "", f"switches of {r} ports reach {a * p * (a * h + 1):,} endpoints"
        return
    groups = ceiling(n, a * p)
    if groups < 2:
        yield "balanced", "", f"one group of {a * p:,} endpoints holds all"
        return
    yield "balanced", f"dragonfly(a={a},p={p},h={h},g={groups}", ""


def dragonfly_plus(n: int, r: int) -> Iterator[Shape]:
    """Leaves with half of their ports down, spines with half of theirs to other groups (Shpiner et al. 2017)."""
    half = r // 2
    group = half * half
    groups = ceiling(n, group)
    if groups < 2:
        yield "balanced", "", f"one group of {group:,} endpoints holds all"
    elif groups > group + 1:
        yield "balanced", "", f"switches of {r} ports reach {group * (group + 1):,} endpoints"
    else:
        yield "balanced", f"dragonfly_plus(leaves={half},spines={half},h={half},g={groups},p={half}", ""


def hyperx(n: int, r: int) -> Iterator[Shape]:
    """One to three dimensions as equal as can be; an equal share of the ports for the endpoints, or half of them."""
    for dims in (1, 2, 3):
        for share in (dims + 1, 2)[: 1 if dims == 1 else 2]:
            p = max(1, r // share)
            name = f"{dims}D p={p}"
            extents = fitting(ceiling(n, p), dims, r - p)
            if ceiling(n, p) < 2**dims:
                yield name, "", f"too few switches for {dims} dimensions"
            elif extents is None:
                steps = lines_at_least(ceiling(n, p), dims)
                yield name, "", f"{steps} other switches in line at least, and {r - p} ports for them"
            else:
                lines = bundles(extents, r - p)
                text = f"{lines[0]}" if len(set(lines)) == 1 else f"[{','.join(map(str, lines))}]"
                extra = f",parallel={text}" if lines != [1] * dims else ""
                yield name, f"hyperx({','.join(map(str, extents))}{extra},p={p}", ""


def fitting(cells: int, dims: int, ports: int) -> list[int] | None:
    """Extents of a HyperX of at least `cells` switches with that many ports for each other; None where there are none.

    As equal as can be; where these have too many other switches in line, of all that fit the smallest, then the most
    equal. O(cells^(2/3)) for three dimensions.
    """
    if lines_at_least(cells, dims) > ports:
        return None
    near = box(cells, dims, 2)
    if sum(near) - dims <= ports:
        return near
    return min(
        (made for made in boxes(cells, dims, 2) if sum(made) - dims <= ports),
        key=lambda extents: (prod(extents), extents[-1] - extents[0], extents),
    )


def lines_at_least(cells: int, dims: int) -> int:
    """The fewest other switches in line with one, over all dimensions: those of extents that differ by one at most."""
    extents = [2] * dims
    while prod(extents) < cells:
        extents[extents.index(min(extents))] += 1
    return sum(extents) - dims


def boxes(cells: int, dims: int, least: int) -> Iterator[list[int]]:
    """Ascending extents of `least` at least with room for the cells, each with the smallest last one."""
    if dims == 1:
        yield [max(least, cells)]
        return
    for first in range(least, max(least, cells) + 1):
        for rest in boxes(ceiling(cells, first), dims - 1, first):
            yield [first, *rest]
        # With a greater one all of them are greater than they need be.
        if first**dims >= cells:
            return


def bundles(extents: list[int], ports: int) -> list[int]:
    """Parallel cables in each dimension: always one more where the cut through the middle has the fewest.

    That cut has cables in proportion to the extent times the parallel ones. Stops where no port is left for it.
    """
    made = [1] * len(extents)
    left = ports - sum(extent - 1 for extent in extents)
    while True:
        thin = min(range(len(extents)), key=lambda at: (extents[at] * made[at], at))
        left -= extents[thin] - 1
        if left < 0:
            return made
        made[thin] += 1


def box(cells: int, dims: int, least: int) -> list[int]:
    """Extents as equal as can be whose product is at least `cells`, the smallest such product."""
    if dims == 1:
        return [max(cells, least)]
    near = round(cells ** (1 / dims))
    made = [
        sorted([extent, *box(ceiling(cells, extent), dims - 1, least)])
        for extent in range(max(least, near - 2), max(least, near) + 3)
    ]
    return min(made, key=lambda extents: (prod(extents), extents[-1] - extents[0], extents))


def torus(n: int, r: int) -> Iterator[Shape]:
    """Three and five dimensions: as many endpoints as cables at a switch, or all ports that are left."""
    for dims in (3, 5):
        for p in dict.fromkeys((2 * dims, r - 2 * dims)):
            name = f"{dims}D p={p}"
            if p < 1 or p + 2 * dims > r:
                yield f"{dims}D", "", f"{2 * dims} cables and an endpoint need more than {r} ports"
                continue
            extents = box(ceiling(n, p), dims, 3)
            if ceiling(n, p) * 2 < 3**dims:
                yield name, "", f"too few switches for {dims} dimensions"
                continue
            yield name, f"torus({','.join(map(str, extents))},p={p}", ""


def slim_fly(n: int, r: int) -> Iterator[Shape]:
    """The smallest that has room: with as many endpoints as the paper balances, or on all ports that are left."""
    for name, full in (("balanced", False), ("all ports", True)):
        for q in range(3, 512):
            degree = mms_degree(q)
            if degree is None or degree >= r:
                continue
            most = r - degree if full else min(r - degree, ceiling(degree, 2))
            p = ceiling(n, 2 * q * q)
            if p <= most:
                yield name, f"slim_fly(q={q},p={p}", ""
                break
        else:
            yield name, "", f"no prime power gives {n:,} endpoints with {r} ports"


def mms_degree(q: int) -> int | None:
    """Cables of a switch of the MMS graph of a prime power; None for other numbers."""
    prime = next((one for one in range(2, q + 1) if q % one == 0), q)
    rest = q
    while rest % prime == 0:
        rest //= prime
    delta = {0: 0, 1: 1, 3: -1}.get(q % 4)
    return None if rest != 1 or delta is None else (3 * q - delta) // 2


def random_regular(n: int, r: int) -> Iterator[Shape]:
    """A third of the ports for endpoints, or half (Singla et al. 2012)."""
    for share in (3, 2):
        p = max(1, r // share)
        switches, degree = ceiling(n, p), r - p
        name = f"p={p}"
        if switches <= degree:
            yield name, "", f"{switches} switches have no {degree} neighbours"
            continue
        yield name, f"random_regular({switches + (switches * degree) % 2},degree={degree},p={p}", ""


def xpander(n: int, r: int) -> Iterator[Shape]:
    """A third of the ports for endpoints, or half (Valadarsky et al. 2016)."""
    for share in (3, 2):
        p = max(1, r // share)
        switches = ceiling(n, p)
        lift = ceiling(switches, r - p + 1)
        degree = ceiling(switches, lift) - 1
        name = f"p={p}"
        if degree < 2 or lift < 2:
            yield name, "", f"{switches} switches are no more than a switch has neighbours"
            continue
        yield name, f"xpander(degree={degree},lift={lift},p={p}", ""


def rail(n: int, r: int) -> Iterator[Shape]:
    """Nodes of eight GPUs, GPU i of every node on the leaves of rail i; of each taper the fewest switches."""
    nodes = ceiling(n, GPUS)
    for taper in TAPERS[:2]:
        if n > MOST_GPUS:
            yield (
                f"{taper}:1",
                "",
                f"link loads of more than {MOST_GPUS:,} GPUs, each a switch of the model, take too long",
            )
            continue
        if nodes <= r:
            yield f"{taper}:1", f"rail_cluster(nodes={nodes},gpus={GPUS},pod={nodes},spine=absent,radix={r}", ""
            return
        best = min(rail_pods(nodes, r, taper), default=None)
        why = "" if best else f"three tiers of {r} ports do not join {nodes:,} nodes"
        yield f"{taper}:1", best[-1] if best else "", why


def rail_pods(nodes: int, r: int, taper: int) -> Iterator[tuple[int, int, int, str]]:
    """Clusters of every size of pod: switches, cables, nodes of a pod, parameters without speeds.

    O(r) closed forms, each of which finds the spines.
    """
    for pod in range(taper, min(nodes, r - 1) + 1, taper):
        up, leaves = pod // taper, GPUS * ceiling(nodes, pod)
        if pod + up > r:
            return
        extra = f",oversubscription={taper}" if taper > 1 else ""
        call = f"rail_cluster(nodes={nodes},gpus={GPUS},pod={pod}{extra},radix={r}"
        # By itself it takes spines with no more ports than a leaf has in use, where there are such.
        spines = next((some for some in range(1, up + 1) if up % some == 0 and leaves * up // some <= r), None)
        call += "" if spines is None else f",spines={spines}"
        try:
            found = _core.expected(call + ")")
        except NetloomError:
            continue
        # Where there is no such cluster the closed form has nothing.
        if found["switches"]:
            yield found["switches"], found["switch_links"], pod, call


#: In the order of the docs. Trees and rails grow in place as far as their top has ports.
FAMILIES: dict[str, Callable[[int, int], Iterator[Shape]]] = {
    "fat-tree": fat_tree,
    "dragonfly": dragonfly,
    "dragonfly-plus": dragonfly_plus,
    "hyperx": hyperx,
    "slim-fly": slim_fly,
    "torus": torus,
    "rail-optimised": rail,
    "xpander": xpander,
    "random-regular": random_regular,
}


#: The family whose links inside nodes nobody pays for here, and why it is none of all.
WITH_NVLINK = "rail-optimised"
NO_NVLINK = "its nodes need NVLink, which other families do without and no catalogue has: --nvlink adds it"


def sized(family: str, switch: Switch, endpoints: int) -> tuple[list[Sized], list[LeftOut]]:
    """All variants of a family that have room for the endpoints, and why others are left out."""
    found, left_out = list[Sized](), list[LeftOut]()
    for one in variants(family, switch, endpoints):
        same = next((other for other in found if isinstance(one, Sized) and other.call == one.call), None)
        if isinstance(one, Sized) and same is None:
            found.append(one)
        elif isinstance(one, LeftOut):
            left_out.append(one)
        elif same is not None:
            left_out.append(LeftOut(f"{family} {one.variant}, {switch.name}", f"the same network as {same.variant}"))
    return found, left_out


def variants(family: str, switch: Switch, endpoints: int) -> Iterator[Sized | LeftOut]:
    """Each variant of a family, or why there is none; two of them may be the same network."""
    for variant, text, reason in FAMILIES[family](endpoints, switch.ports):
        call = text + speeds(family, switch.gbps) + ")"
        if why := wrong(call, switch, endpoints) if text else reason:
            yield LeftOut(f"{family} {variant}, {switch.name}", why)
        else:
            yield Sized(family, variant, switch, call)


def larger(one: Sized, endpoints: int) -> tuple[list[str], str]:
    """Networks that one can grow to with its own switch, and why there is none."""
    why = f"this shape has no room for {endpoints:,} endpoints"
    made = []
    for other in variants(one.family, one.switch, endpoints):
        if isinstance(other, Sized) and other.variant == one.variant:
            made.append(other.call)
        elif isinstance(other, LeftOut) and other.name == f"{one.family} {one.variant}, {one.switch.name}":
            why = other.reason
    name, _, named = _core.parse_call(one.call)
    if name == "xgft":
        m, w, parallel = (tuple(integers(named[key])) for key in ("m", "w", "parallel"))
        taper = int(one.variant.partition(":")[0])
        more = topped(Tree(m, w[1:], parallel[1:]), endpoints, one.switch.ports, taper)
        made += [more.call() + speeds(one.family, one.switch.gbps) + ")"] if more else []
    if name == "rail_cluster":
        made.append(one.call.replace(f"nodes={named['nodes']},", f"nodes={ceiling(endpoints, GPUS)},", 1))
    return [call for call in dict.fromkeys(made) if not wrong(call, one.switch, endpoints)], why


def speeds(family: str, gbps: float) -> str:
    """All links have the speed of the switch; endpoints that of their links."""
    name = "nic_bandwidth" if family == "rail-optimised" else "bandwidth"
    return f',{name}="{gbps:g} Gbps"'


def wrong(call: str, switch: Switch, endpoints: int) -> str:
    """Why a call is no candidate; empty if it is one. From closed forms: nothing is built."""
    try:
        expected = _core.expected(call)
    except NetloomError as error:
        return str(error.faults[0].expected)
    if expected["switches"] > MOST_SWITCHES:
        return f"{expected['switches']:,} switches, more than {MOST_SWITCHES:,}"
    if expected["endpoints"] < endpoints:
        return f"{endpoints:,} endpoints cannot be joined by switches of {switch.ports} ports"
    return ""
