"""Sections 5.1 to 6.2 of Navaridas 2009 judged: 273 runs of workloads and 39 points of figure 4, kept by `packets.py`.

Bounds are taken as printed. A printed greatest slow-down may differ by a factor of 1.5, weights of table 4 by 10 % and
of table 5 by 15 %. The paper does not say whether a waiting packet chooses its output again: claims are judged where it
chooses once, and again, under the same name with `again`, where it does so in every cycle.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import pairwise
from pathlib import Path

from matplotlib.figure import Figure

from ..findings import SLACK, Found
from ..measured import finding
from . import packets
from .packet_costs import costs
from .packet_runs import RUNS, TASKS, lines, phi, relative, sizes, thinned, times, tree, whole

TITLE = "Thin trees, packet by packet"
__all__ = ["RUNS", "TITLE", "draw", "measure"]
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


def accepted(net: str) -> list[float]:
    """At the greatest load, with one, two and four channels."""

    def at(channels: int) -> float:
        rows = [row for row in lines("curves.jsonl") if (row["net"], row["vc"]) == (net, channels)]
        return float(max(rows, key=lambda row: float(row["load"]))["accepted"])

    return [at(channels) for channels in (1, 2, 4)]


def measure() -> Iterator[Found]:
    """All claims of sections 5.1 to 6.2."""
    yield from throughput()
    for choice in packets.CHOICES:
        for claim in (*one_size(choice), *width(choice), *one_radix(choice), *radix_12(choice), *costs(choice)):
            yield claim if choice == "once" else replace(claim, id=f"{claim.id} {choice}")
    asked = set(packets.runs([TASKS[-1]]))
    made = {(net, load, tasks) for (tasks, net), found in times("again").items() for load in found} & asked
    share = f"{len(made)} of {len(asked)}"
    yield finding("runs again", "all runs of 4,096 tasks where packets choose again", [("", share, made == asked)])


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


def one_size(choice: str) -> Iterator[Found]:
    """Section 5.2, table 4."""
    for name, up, most, mostly in (("T13", 7, 1.13, 1.05), ("T14", 6, 1.21, 1.1), ("T15", 5, 1.5, 1.3)):
        found = list(thinned(up, choice))
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
    full = "thin_tree(8,8,4)"
    if whole(choice, 4096, "thin_tree(8,1,4)", full):
        thinnest = relative(4096, "thin_tree(8,1,4)", full, choice)
        worst = max(thinnest, key=thinnest.__getitem__)
        slow = [(worst, f"{thinnest[worst]:.3g} times", 41 / 1.5 <= thinnest[worst] <= 41 * 1.5)]
        beside = f"The next, M3, is slower by {thinnest['M3']:.3g} times, near the printed number."
        yield finding("T16", "41 times at most, within a factor of 1.5", slow, refuted=f"{beside} {BU}")
    wide = [one for up in range(4, 8) for one in thinned(up, choice)]
    light = [(name, max(r for _, load, r in wide if load == name)) for name in LIGHT]
    yield finding("T17", "below 1.3 times on 8:4 and wider trees", [(name, f"{r:.4g}", r < 1.3) for name, r in light])
    known = sizes(choice, packets.same_size)
    table = [
        weights(f"{tasks:,} nodes", packets.same_size(tasks), tasks, TABLE_4[tasks], 0.1, choice) for tasks in known
    ]
    yield finding("T18", "within 10 % of table 4, in its order", table, refuted=f"Not on {{failing}}. {BU}")
    columns = [phi(tasks, packets.same_size(tasks), choice) for tasks in known]
    grows = [
        (
            f"8:{up}",
            ", ".join(f"{weight:.3f}" for weight in weights_),
            all(after <= (1 + SLACK) * before for before, after in pairwise(weights_)),
        )
        for up, weights_ in enumerate(list(zip(*columns, strict=True))[:-1], 1)
    ]
    yield finding("T23", "phi falls from 64 to 512 and 4,096 nodes, or ties", grows)


def width(choice: str) -> Iterator[Found]:
    """Section 5.2: where slow-down starts, and which tree is the fastest."""
    steps = []
    for tasks in sizes(choice, packets.same_size):
        slower = [1 / weight for weight in phi(tasks, packets.same_size(tasks), choice)]
        added = [slower[up - 1] - slower[up] for up in (3, 4)]
        steps.append((f"{tasks:,} nodes", f"{added[0]:.3g} and {added[1]:.3g}", added[0] > added[1]))
    yield finding("5.2 turn", "the step from 8:4 to 8:3 adds more time than that from 8:5 to 8:4", steps)
    best = []
    for tasks in sizes(choice, packets.same_size):
        full = packets.same_size(tasks)[-1]
        for load in packets.WORKLOADS:
            thin = min((relative(tasks, net, full, choice)[load], net) for net in packets.same_size(tasks)[:-1])
            best.append((f"{load} on {tasks:,} nodes", f"{tree(thin[1])} {thin[0]:.4g}", thin[0] >= 1))
    near = [label for label, got, good in best if not good and float(got.split()[1]) >= 1 - SLACK]
    few = sum(good for *_, good in best)
    share = [
        (
            "all",
            f"8:8 first in {few} of {len(best)}, within 2 % in {few + len(near)}",
            few + len(near) >= 0.9 * len(best),
        )
    ]
    yield finding("5.2 fastest", "8:8 in 90 % of the runs, ties included", share)


def radix_12(choice: str) -> Iterator[Found]:
    """Section 5.3, its summary: 8:4 against 6:6, and light workloads."""
    pairs = {tasks: (packets.same_radix(tasks)[3], packets.same_radix(tasks)[-1]) for tasks in TASKS}
    pairs = {tasks: pair for tasks, pair in pairs.items() if whole(choice, tasks, *pair)}
    heavy = [
        (f"{load} on {tasks:,} nodes", f"{(ratio := relative(tasks, *pair, choice)[load]):.3f}", ratio <= 1)
        for tasks, pair in pairs.items()
        for load in HEAVY
    ]
    near = [label for label, got, good in heavy if not good and float(got) <= 1 + SLACK]
    yield finding("5.3 heavy", "time on 8:4 over that on 6:6 at most 1", heavy, ties=near)
    light = []
    for tasks in sizes(choice, packets.same_radix):
        *thin, full = packets.same_radix(tasks)
        for load in LIGHT:
            worst = max((relative(tasks, net, full, choice)[load], net) for net in thin)
            light.append((f"{load} on {tasks:,} nodes", f"{tree(worst[1])} {worst[0]:.3g}", worst[0] <= 1.1))
    yield finding("5.3 light", "every tree within 10 % of 6:6", light)


def one_radix(choice: str) -> Iterator[Found]:
    """Section 5.3, table 5."""
    table = [
        weights(f"{tasks:,} nodes", packets.same_radix(tasks), tasks, TABLE_5[tasks], 0.15, choice)
        for tasks in sizes(choice, packets.same_radix)
    ]
    why = "In the paper 8:4 is above 7:5, here, where a packet chooses once, it is below. {got}."
    for name, part in (("T19", table[:1]), ("T19 larger", table[1:])):
        yield finding(name, "within 15 % of table 5, in its order", part, refuted=why)
    draws = [(f"draw {seed}", exchanges(choice, seed)) for seed in (1, 2, 3)]
    channels = exchanges(choice, 1, 2)
    yield finding("T20", "below 1", [(draw, f"{ratio:.3f} times", ratio < 1) for draw, ratio in draws])
    yield finding("T20 2 channels", "below 1", [("", f"{channels:.3f} times", channels < 1)])
    yield from largest(choice)


def largest(choice: str) -> Iterator[Found]:
    """Section 5.3, what it says of 4,096 tasks."""
    if not whole(choice, 4096, *packets.same_radix(4096)[3:]):
        return
    sweeps = [
        (f"{load} on {tree(net)}", f"{(ratio := relative(4096, net, 'thin_tree(6,6,5)', choice)[load]):.4f}", ratio < 1)
        for net in ("thin_tree(7,5,5)", "thin_tree(8,4,4)")
        for load in ("W2", "W3")
    ]
    near = [label for label, got, _ in sweeps if 1 <= float(got) <= 1 + SLACK]
    yield finding("T21", "below 1", sweeps, ties=near, refuted="W2 takes the same time, W3 a little more.")
    four, five = phi(4096, packets.same_radix(4096)[3:], choice)[:2]
    text = f"{four:.4f} and {five:.4f}"
    slower = [
        load
        for load, ratio in relative(4096, "thin_tree(8,4,4)", "thin_tree(7,5,5)", choice).items()
        if ratio > 1 + SLACK
    ]
    why = f"No workload gains on 8:4,4; {', '.join(slower)} are slower there."
    yield finding("T25", "phi of 8:4,4 above that of 7:5,5", [("", text, four > five)], refuted=why)
    if not whole(choice, 4096, *packets.same_radix(4096)[:3]):
        return
    thin = {net: relative(4096, net, "thin_tree(6,6,5)", choice) for net in packets.same_radix(4096)[:3]}
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


@cache
def exchanges(choice: str, seed: int, channels: int = 1) -> float:
    """BU on 8:4,2 over 6:6,3, both with 64 tasks."""
    thin, full = (
        packets.cycles(network, "BU", 64, seed, packets.switch(choice, channels))
        for network in ("thin_tree(8,4,2)", "thin_tree(6,6,3)")
    )
    return thin / full


def weights(
    label: str, networks: list[str], tasks: int, printed: list[float], within: float, choice: str
) -> tuple[str, str, bool]:
    """Phi against a printed column."""
    found = phi(tasks, networks, choice)
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
