"""Sections 5.1 to 5.3 of Navaridas 2009 judged: 273 runs of workloads and 39 points of figure 4, kept by `packets.py`.

Bounds are taken as printed. A printed greatest slow-down may differ by a factor of 1.5, weights of table 4 by 10 % and
of table 5 by 15 %.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from matplotlib.figure import Figure

from ..findings import SLACK, Found
from ..measured import finding
from . import packets

HERE = Path(__file__).parent
TITLE = "Thin trees, packet by packet"
TASKS = (64, 512, 4096)
LIGHT = ("BT", "W2", "W3")
HEAVY = ("BU", "M2", "M3", "WF")
#: Tables 4 and 5, phi as printed: 8:1 to 8:8, and 11:1, 10:2, 9:3, 8:4, 7:5, 6:6.
TABLE_4 = {
    64: [0.4419, 0.697, 0.8354, 0.9094, 0.9539, 0.9791, 0.99, 1.0],
    512: [0.141, 0.4272, 0.6746, 0.8273, 0.9088, 0.9523, 0.9695, 1.0],
    4096: [0.0628, 0.3157, 0.5164, 0.7243, 0.8569, 0.9276, 0.9647, 1.0],
}
TABLE_5 = {
    64: [0.3491, 0.6277, 0.7341, 0.9969, 0.8644, 1.0],
    512: [0.098, 0.3105, 0.5135, 0.8653, 0.7453, 1.0],
    4096: [0.0441, 0.1667, 0.3633, 0.7359, 0.6411, 1.0],
}
BU = "Of the workloads BU departs, on 4,096 nodes. The paper has no time of BU alone that would say why."


def lines(name: str) -> list[dict[str, float | str]]:
    """Kept runs."""
    return [json.loads(line) for line in (HERE / name).read_text(encoding="utf-8").splitlines()]


RUNS = len(lines("packets.jsonl")) + len(lines("curves.jsonl"))


@cache
def times() -> dict[tuple[int, str], dict[str, float]]:
    """Cycles by tasks and network, then workload."""
    found: dict[tuple[int, str], dict[str, float]] = {}
    for row in lines("packets.jsonl"):
        found.setdefault((int(row["tasks"]), str(row["network"])), {})[str(row["workload"])] = float(row["cycles"])
    return found


def relative(tasks: int, network: str, full: str) -> dict[str, float]:
    """Time over that of the complete tree, by workload."""
    return {load: cycles / times()[tasks, full][load] for load, cycles in times()[tasks, network].items()}


def thinned(up: int) -> Iterator[tuple[int, str, float]]:
    """Tasks, workload, relative time on 8:up."""
    for tasks in TASKS:
        networks = packets.same_size(tasks)
        for load, ratio in relative(tasks, networks[up - 1], networks[-1]).items():
            yield tasks, load, ratio


def phi(tasks: int, networks: list[str]) -> list[float]:
    """Weights of section 6.1."""
    return packets.performance({network: times()[tasks, network] for network in networks}, networks)


def accepted(net: str) -> list[float]:
    """At the greatest load, with one, two and four channels."""

    def at(channels: int) -> float:
        rows = [row for row in lines("curves.jsonl") if (row["net"], row["vc"]) == (net, channels)]
        return float(max(rows, key=lambda row: float(row["load"]))["accepted"])

    return [at(channels) for channels in (1, 2, 4)]


def tree(network: str) -> str:
    """`thin_tree(8,4,2)` as the paper writes it, 8:4,2."""
    down, up, levels = network.removeprefix("thin_tree(").removesuffix(")").split(",")
    return f"{down}:{up},{levels}"


def measure() -> Iterator[Found]:
    """All claims of sections 5.1 to 5.3."""
    yield from throughput()
    yield from one_size()
    yield from one_radix()


def throughput() -> Iterator[Found]:
    """Section 5.1, figure 4."""
    one, two, four = accepted("thin_tree(8,8,4)")
    texts = [f"{load:.4g}" for load in (one, two, four)]
    yield finding("T09", "below 1", [("4 channels", texts[2], four < 1)])
    named = zip(("1 channel", "2 channels", "4 channels"), texts, (one < 1, one < two < 1, two < four < 1), strict=True)
    yield finding("T26", "below 1, and rising", named)
    ideals = {f"thin_tree(8,{up},4)": (up / 8) ** 3 for up in (6, 4, 2)}
    ideal = [
        (tree(net), f"{accepted(net)[2]:.4g} of {best:.4g}", accepted(net)[2] > 0.95 * best)
        for net, best in ideals.items()
    ]
    yield finding("T10", "95 % of the ideal or more with 4 channels", ideal)
    rising = [
        (tree(net), ", ".join(f"{x:.4g}" for x in accepted(net)), accepted(net) == sorted(set(accepted(net))))
        for net in ("thin_tree(8,8,4)", *ideals)
    ]
    yield finding("T11", "rising with 1, 2 and 4 channels", rising)
    spread = [
        (
            f"{tree(str(row['net']))} at load {row['load']}, channels {row['vc']}",
            f"{100 * float(row['sd']) / float(row['accepted']):.3g} %",
            float(row["sd"]) < 0.005 * float(row["accepted"]),
        )
        for row in lines("curves.jsonl")
    ]
    why = "Where the load is low a batch has so few packets that chance alone changes their number by more."
    yield finding("T12", "below 0.5 % of the mean", spread, refuted=why)


def one_size() -> Iterator[Found]:
    """Section 5.2, table 4."""
    for name, up, most, mostly in (("T13", 7, 1.13, 1.05), ("T14", 6, 1.21, 1.1), ("T15", 5, 1.5, 1.3)):
        found = list(thinned(up))
        worst = [max((r, tasks) for tasks, load, r in found if load == name) for name in packets.WORKLOADS]
        cases = [
            (load, f"{r:.4g} on {tasks:,} nodes", r < most)
            for load, (r, tasks) in zip(packets.WORKLOADS, worst, strict=True)
        ]
        few = sum(r < mostly for _, _, r in found)
        share = ("most", f"{few} of {len(found)} below {mostly}", 2 * few > len(found))
        near = [load for load, got, good in cases if not good and float(got.split()[0]) <= (1 + SLACK) * most]
        text = f"below {most} times on every size, most runs below {mostly}"
        yield finding(name, text, [share, *cases], ties=near, refuted=f"{BU} Most runs hold.")
    thinnest = {load: r for tasks, load, r in thinned(1) if tasks == 4096}
    worst = max(thinnest, key=thinnest.__getitem__)
    slow = [(worst, f"{thinnest[worst]:.3g} times", 41 / 1.5 <= thinnest[worst] <= 41 * 1.5)]
    beside = f"The next, M3, is slower by {thinnest['M3']:.3g} times: the printed number."
    yield finding("T16", "41 times at most, within a factor of 1.5", slow, refuted=f"{beside} {BU}")
    wide = [one for up in range(4, 8) for one in thinned(up)]
    light = [(name, max(r for _, load, r in wide if load == name)) for name in LIGHT]
    yield finding("T17", "below 1.3 times on 8:4 and wider trees", [(name, f"{r:.4g}", r < 1.3) for name, r in light])
    table = [weights(f"{tasks:,} nodes", packets.same_size(tasks), tasks, TABLE_4[tasks], 0.1) for tasks in TASKS]
    why = f"Not on 4,096 nodes: {{4,096 nodes}}. {BU}"
    yield finding("T18", "within 10 % of table 4, in its order", table, refuted=why)
    small, middle, large = (phi(tasks, packets.same_size(tasks)) for tasks in TASKS)
    grows = [
        (f"8:{up}", f"{a:.3f}, {b:.3f}, {c:.3f}", b <= (1 + SLACK) * a and c <= (1 + SLACK) * b)
        for up, a, b, c in zip(range(1, 8), small, middle, large, strict=False)
    ]
    yield finding("T23", "phi falls from 64 to 512 and 4,096 nodes, or ties", grows)


def one_radix() -> Iterator[Found]:
    """Section 5.3, table 5."""
    table = [weights(f"{tasks:,} nodes", packets.same_radix(tasks), tasks, TABLE_5[tasks], 0.15) for tasks in TASKS]
    why = "In the paper 8:4 is above 7:5, here 7:5 is above 8:4 at every size."
    yield finding("T19", "within 15 % of table 5, in its order", table, refuted=why)
    exchange = relative(64, "thin_tree(8,4,2)", "thin_tree(6,6,3)")["BU"]
    yield finding(
        "T20",
        "below 1",
        [("", f"{exchange:.3f} times", exchange < 1)],
        refuted="{got} here.",
    )
    sweeps = [
        (f"{load} on {tree(net)}", f"{(ratio := relative(4096, net, 'thin_tree(6,6,5)')[load]):.4f}", ratio < 1)
        for net in ("thin_tree(7,5,5)", "thin_tree(8,4,4)")
        for load in ("W2", "W3")
    ]
    near = [label for label, got, _ in sweeps if 1 <= float(got) <= 1 + SLACK]
    yield finding("T21", "below 1", sweeps, ties=near, refuted="W2 takes the same time, W3 a little more.")
    thin = {net: relative(4096, net, "thin_tree(6,6,5)") for net in packets.same_radix(4096)[:3]}
    heavy = [
        (f"{load} on {tree(net)}", f"{ratios[load]:.3g}", ratios[load] > 1.3)
        for net, ratios in thin.items()
        for load in HEAVY
    ]
    most = max(ratio for ratios in thin.values() for ratio in ratios.values())
    greatest = ("greatest", f"{most:.3g}", 90 / 1.5 <= most <= 90 * 1.5)
    text = "above 1.3 in heavy workloads; the greatest 90, within a factor of 1.5"
    yield finding(
        "T22", text, [*heavy, greatest], refuted="They are much slower, and BU on 11:1,4 by more: {greatest} times."
    )
    four, five = phi(4096, packets.same_radix(4096))[3:5]
    text = f"{four:.4f} and {five:.4f}"
    slower = [
        load for load, ratio in relative(4096, "thin_tree(8,4,4)", "thin_tree(7,5,5)").items() if ratio > 1 + SLACK
    ]
    why = f"No workload gains on 8:4,4; {', '.join(slower)} are slower there."
    yield finding("T25", "phi of 8:4,4 above that of 7:5,5", [("", text, four > five)], refuted=why)


def weights(label: str, networks: list[str], tasks: int, printed: list[float], within: float) -> tuple[str, str, bool]:
    """Phi against a printed column."""
    found = phi(tasks, networks)
    apart = [ours / theirs - 1 for ours, theirs in zip(found, printed, strict=True)]
    order = sorted(range(len(found)), key=found.__getitem__) == sorted(range(len(found)), key=printed.__getitem__)
    worst = max(range(len(found)), key=lambda i: abs(apart[i]))
    text = f"{tree(networks[worst])} differs most, {found[worst]:.4f} for {printed[worst]:.4f}"
    return label, text, order and all(abs(off) <= within for off in apart)


def draw(figure: str, path: Path) -> None:
    """Figure `radix-12`: weights of table 5 on 4,096 nodes, printed and ours."""
    assert figure == "radix-12"
    axes = Figure(figsize=(7, 3.6), layout="constrained").subplots()
    names = [tree(network) for network in packets.same_radix(4096)]
    for shift, label, values in ((-0.2, "printed", TABLE_5[4096]), (0.2, "here", phi(4096, packets.same_radix(4096)))):
        bars = axes.bar([place + shift for place in range(len(names))], values, 0.4, label=label)
        axes.bar_label(bars, fmt="%.2f", fontsize=8)
    axes.set_xticks(range(len(names)), names)
    axes.set_ylabel("performance, complete tree = 1")
    axes.set_title("Trees of switches with 12 ports, 4,096 tasks: mean over seven workloads")
    axes.legend(loc="upper left")
    figure_ = axes.get_figure()
    assert figure_ is not None
    figure_.savefig(path, dpi=100, metadata={"Software": None})
