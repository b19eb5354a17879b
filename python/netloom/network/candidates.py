"""Parameters that a family may have near a number of endpoints: a function each, which gives calls, no networks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import count, product

#: A call, and the endpoints of a switch; of trees and Dragonfly+ all ports of a switch that carries endpoints.
Candidate = tuple[str, int]
#: Endpoints per switch that are tried where nothing else bounds them.
PER_SWITCH = (1, 2, 4, 8, 16, 24, 32)


def roots(n: int, power: int) -> range:
    """Integers around the root of that power, at least 2."""
    near = round(n ** (1 / power))
    return range(max(2, near - 3), near + 4)


def grids(name: str) -> Callable[[int], Iterator[Candidate]]:
    """Equal extents, and one that differs; two to five dimensions."""

    def near(n: int) -> Iterator[Candidate]:
        for p, dims in product(PER_SWITCH, range(2, 6)):
            for k, last in product(roots(max(n // p, 1), dims), repeat=2):
                yield f"{name}({','.join(map(str, [k] * (dims - 1) + [last]))},p={p})", p

    return near


def of_switches(call: str, most: int = 1 << 20) -> Callable[[int], Iterator[Candidate]]:
    """A family of n switches with p endpoints each; {n} and {p} are placeholders in the call."""

    def near(n: int) -> Iterator[Candidate]:
        for p in PER_SWITCH:
            for switches in {max(1, n // p), -(-n // p)}:
                if switches <= most:
                    yield call.format(n=switches, p=p), p

    return near


def powers(call: str, bases: range, longest: int = 24) -> Callable[[int], Iterator[Candidate]]:
    """A family of about b^n switches with p endpoints each."""

    def near(n: int) -> Iterator[Candidate]:
        for p, b, length in product(PER_SWITCH, bases, range(1, longest)):
            if n / (4 * p) <= b**length <= 4 * n / p:
                yield call.format(b=b, n=length, p=p), p

    return near


def flattened(n: int) -> Iterator[Candidate]:
    for dims in range(2, 6):
        for k in roots(n, dims):
            yield f"flattened_butterfly(k={k},n={dims})", k


def k_ary(n: int) -> Iterator[Candidate]:
    for levels in range(2, 6):
        for k in roots(n, levels):
            yield f"k_ary_n_tree(k={k},n={levels})", 2 * k


def thin(n: int) -> Iterator[Candidate]:
    for levels in range(2, 6):
        for k in roots(n, levels):
            for up in {k // 2, k // 3, k // 4} - {0}:
                yield f"thin_tree(down={k},up={up},levels={levels})", k + up


def fat(n: int) -> Iterator[Candidate]:
    for levels, (top, step) in product(range(2, 6), (("doubled", 4), ("full", 2))):
        for half in roots(n if top == "doubled" else n // 2, levels):
            radix = 2 * half // step * step
            yield f'fat_tree(radix={radix},levels={levels},top="{top}")', radix


def xgft(n: int) -> Iterator[Candidate]:
    for k, over in product((8, 12, 16, 18, 20, 24, 32, 36, 48), (1, 2, 3)):
        up, tops = max(1, k // over), max(2, -(-n // k))
        yield f"xgft(m=[{k},{tops}],w=[1,{up}])", k + up


def dragonfly(n: int) -> Iterator[Candidate]:
    """Balanced (a = 2p = 2h, Kim 2008) and less so, with all groups or as many as n needs."""
    for p, h in product(range(1, 33), repeat=2):
        for a in {2 * h, 2 * p} if max(p, h) <= 2 * min(p, h) else ():
            most = a * h + 1
            for g in {most, min(most, max(2, n // (a * p))), min(most, max(2, -(-n // (a * p))))}:
                yield f"dragonfly(a={a},p={p},h={h},g={g})", p


def proportioned(n: int, proportions: Sequence[int]) -> Iterator[Candidate]:
    """Dragonflies whose endpoints of a switch, switches of a group and global ports of a switch are in proportion.

    Jain 2016, table 6.1: the smallest switch with which as many groups as a group has global ports reach `n` endpoints;
    then the same switch with fewer global ports in use, and as many groups as these join.
    """
    p, a, h = proportions
    unit = next(unit for unit in count(1) if p * a * a * h * unit**4 >= n)
    for used in range(1, h * unit + 1):
        yield f"dragonfly(a={a * unit},p={p * unit},h={used},g={a * unit * used})", p * unit


def dragonfly_plus(n: int) -> Iterator[Candidate]:
    for k in range(2, 33):
        most = k * k + 1
        for g in {most, min(most, max(2, n // (k * k))), min(most, max(2, -(-n // (k * k))))}:
            yield f"dragonfly_plus(leaves={k},spines={k},h={k},g={g},p={k})", 2 * k


def slim_fly(n: int) -> Iterator[Candidate]:
    for q in range(3, 60):
        balanced = -(-(3 * q) // 4)
        for p in {max(1, balanced - 1), balanced, balanced + 1, max(1, n // (2 * q * q))}:
            yield f"slim_fly(q={q},p={p})", p


def recursive_circulant(n: int) -> Iterator[Candidate]:
    for p, d, length, c in product(PER_SWITCH, range(2, 9), range(1, 24), range(1, 8)):
        if c < d and n / (2 * p) <= c * d**length <= 2 * n / p:
            yield f"recursive_circulant({c * d**length},{d},p={p})", p


def of_degree(call: str) -> Callable[[int], Iterator[Candidate]]:
    """A family of n switches whose degree is free: twice to four times the endpoints of a switch."""

    def near(n: int) -> Iterator[Candidate]:
        for p, times in product(PER_SWITCH, (2, 3, 4)):
            degree = max(3, times * p)
            for switches in {n // p, n // p + 1, max(1, n // p // (degree + 1)), -(-n // p // (degree + 1)) + 1}:
                yield call.format(n=switches, d=degree, p=p), p

    return near


def rail(n: int) -> Iterator[Candidate]:
    """Nodes of 4 or 8 GPUs."""
    for gpus in (4, 8):
        near = max(2, round(n / gpus))
        for nodes in sorted({near, near + 1, max(2, near - 1), *(max(2, near // many * many) for many in (8, 16, 32))}):
            yield f"rail_cluster(nodes={nodes},gpus={gpus})", 1


#: By family; the trees and Dragonfly+ give the ports of a switch themselves.
FAMILIES: dict[str, Callable[[int], Iterator[Candidate]]] = {
    "ring": of_switches("ring({n},p={p})"),
    "mesh": grids("mesh"),
    "torus": grids("torus"),
    "hypercube": powers("hypercube({n},p={p})", range(2, 3)),
    "complete": of_switches("complete({n},p={p})", 4096),
    "hyperx": grids("hyperx"),
    "flattened_butterfly": flattened,
    "star": of_switches("star({n},p={p})"),
    "k_ary_n_tree": k_ary,
    "thin_tree": thin,
    "fat_tree": fat,
    "xgft": xgft,
    "dragonfly": dragonfly,
    "dragonfly_plus": dragonfly_plus,
    "slim_fly": slim_fly,
    "circulant": of_switches("circulant({n},pow2,p={p})"),
    "recursive_circulant": recursive_circulant,
    "de_bruijn": powers("de_bruijn({b},{n},p={p})", range(2, 17)),
    "kautz": powers("kautz({b},{n},p={p})", range(2, 17)),
    "random_shortcut": of_degree("random_shortcut({n},degree={d},p={p})"),
    "random_regular": of_degree("random_regular({n},degree={d},p={p})"),
    "xpander": of_degree("xpander(degree={d},lift={n},p={p})"),
    "rail_cluster": rail,
}
#: Families whose candidates say the ports of a switch with endpoints as a whole.
WHOLE = ("k_ary_n_tree", "thin_tree", "fat_tree", "xgft", "dragonfly_plus", "rail_cluster")
