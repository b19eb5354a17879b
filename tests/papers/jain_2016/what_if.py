"""Chapter 7 of Jain 2016: what no single number of the study `what_if` says.

Whether the time is a line over the delay of a switch, whether bandwidth and delay combine as a maximum or as a sum, and
which conclusions hold in most cases. All from the times that the study's claims keep.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from math import inf

import numpy as np

from netloom.results import Table
from netloom.study.readings import combination, saturation
from netloom.study.schema import Combine, Saturation

from ..findings import Found, load
from ..measured import finding

TITLE = "What if: lines, maxima and majorities"
STUDY = "what_if"
RUNS = 140
#: Bandwidth at which nothing but delays counts, GB/s.
FREE = 1000
#: What a line may leave of a time.
LINE = 0.02
#: Per cent that are a gain.
SLACK = 2.0
TIE = 0.02
PATTERNS = ("4D Stencil", "Spread")


def kept(name: str, study: str = STUDY) -> list[tuple[dict[str, str], float, bool]]:
    """Axes, number and verdict of every case of a claim of a study."""
    claim = next(claim for claim in load(study).claims if claim.id == name)
    found = []
    for case in claim.cases:
        axes = dict(re.findall(r"(\w+) ((?:[^,]|,(?! \w+ ))+)", case["label"]))
        number = re.search(r"[\d.]+(?:e-?\d+)?", case["got"])
        assert number, case
        found.append((axes, float(number[0]), case["verdict"] != "refuted"))
    return found


def linear(points: dict[float, float]) -> tuple[float, float]:
    """R² of a line through times by delay, and the most that it leaves of a time."""
    x, y = np.array(list(points)), np.array(list(points.values()))
    fitted = np.polyval(np.polyfit(x, y, 1), x)
    share = 1 - ((y - fitted) ** 2).sum() / ((y - y.mean()) ** 2).sum()
    return float(share), float(np.abs(fitted / y - 1).max())


def nearer(times: dict[tuple[int, int], float]) -> tuple[int, int]:
    """Combinations of bandwidth and delay in which the maximum of both alone is nearer than their sum; of how many."""
    rows = [{"gbps": gbps, "delay": delay, "time_s": seconds} for (gbps, delay), seconds in times.items()]
    both = combination.rows(Combine(column="time_s", free={"gbps": FREE, "delay": 0}), Table("times", [], rows))
    at_maximum = sum(row["nearer"] == "maximum" for row in both)
    return at_maximum, len(both)


def measure() -> Iterator[Found]:
    """J38 and J40 to J46, but for J45, W16 and W40."""
    lines: dict[str, dict[float, float]] = {}
    for of, seconds, _ in kept("J38 times"):
        lines.setdefault(of["machine"], {})[float(of["delay"])] = seconds
    fits = {machine: linear(points) for machine, points in lines.items()}
    yield finding(
        "J38",
        "a line within 2 %",
        [
            (machine, f"within {100 * left:.1f} %, R² {share:.4f}", left <= LINE)
            for machine, (share, left) in fits.items()
        ],
        refuted="{failing}: where routes adapt to links that are full, each further delay adds less.",
    )
    grids: dict[str, dict[tuple[int, int], float]] = {}
    for of, seconds, _ in kept("J43 times"):
        label = f"{of['pattern']}, {of['machine']}"
        grids.setdefault(label, {})[int(of["gbps"]), int(of["delay"])] = seconds
    counts = {label: nearer(times) for label, times in grids.items()}
    yield finding(
        "J43",
        "nearer to the maximum than to the sum",
        [(label, f"in {few} of {all_} combinations", 2 * few > all_) for label, (few, all_) in counts.items()],
        refuted="A packet waits for the wires and then passes the switches: what binds one message adds up. {failing}.",
    )
    yield from more_is_slower()
    yield against_fcfs()
    yield from by_bandwidth()
    yield from by_choice()
    yield conclusions()


def more_is_slower() -> Iterator[Found]:
    """J44 and W16: what the most bandwidth of injection takes more than the best of less."""
    found = next(claim for claim in load(STUDY).claims if claim.id == "J44 each")
    cases = []
    for case in found.cases:
        most, best = (float(number) for number in re.findall(r"\d[\d.]*e-\d+", case["got"]))
        text = f"{1e6 * most:.4g} for {1e6 * best:.4g} µs"
        cases.append((f"links of {case['label'].removeprefix('link_gbps ')} GB/s", text, most > (1 + TIE) * best))
    any_ = any(good for *_, good in cases)
    yield finding("J44", "more time with more bandwidth of injection, somewhere", cases, held=any_)
    yield finding("W16", "more time with more bandwidth of injection, each", cases)


def choices() -> dict[tuple[str, str], dict[tuple[str, str], float]]:
    """Seconds of the four combinations of routes and injection, by pattern and network, everything else unbounded."""
    found: dict[tuple[str, str], dict[tuple[str, str], float]] = {}
    for of, seconds, _ in kept("J41 times"):
        found.setdefault((of["pattern"], of["machine"]), {})[of["routes"], of["policy"]] = seconds
    return found


def against_fcfs() -> Found:
    """J46: messages in turn with adaptive routes against first come first served with either routes."""
    cases = []
    for (pattern, machine), times in choices().items():
        best = min(times[routes, "fcfs"] for routes in ("static", "adaptive"))
        saved = 100 * (1 - times["adaptive", "round-robin"] / best)
        cases.append((f"{pattern}, {machine}", f"{saved:.1f} % less", saved > SLACK))
    held = 2 * sum(good for *_, good in cases) > len(cases)
    return finding("J46", "less than first come first served in most cases", cases, held=held, refuted="{failing}.")


def conclusions() -> Found:
    """W40: the three conclusions of section 7.5 on both patterns."""
    gains = more_injection()
    better = {case["label"]: case["verdict"] == "confirmed" for case in against_fcfs().cases}
    cases = [
        *(
            (
                f"injection above links pays on the dragonfly, {p}",
                f"{gains[p, 'dragonfly']:.1f} %",
                gains[p, "dragonfly"] > SLACK,
            )
            for p in PATTERNS
        ),
        *(
            (f"and less on the torus, {p}", f"{gains[p, 'torus']:.1f} %", gains[p, "torus"] < gains[p, "dragonfly"])
            for p in PATTERNS
        ),
        *(
            (f"messages in turn with adaptive routes, {p}", f"in {count} of 2 networks", count == 2)
            for p in PATTERNS
            for count in [sum(better[f"{p}, {machine}"] for machine in ("torus", "dragonfly"))]
        ),
    ]
    good = sum(case[2] for case in cases)
    return finding("W40", "in most cases", cases, held=2 * good > len(cases), refuted="{failing}.")


def by_bandwidth() -> Iterator[Found]:
    """J40: from which bandwidth doubling it gains less than 5 %."""
    found = saturations(kept("J40 times"))
    cases = []
    for limit, first, other in (("links", "dragonfly", "torus"), ("injection", "torus", "dragonfly")):
        both = [found[limit, machine] for machine in (first, other)]
        ends, then = (row.get("saturates_at") or inf for row in both)
        words = [f"{row['machine']} {end_words(row)} ({row['gain_percent']:.1f} % for a doubling)" for row in both]
        cases.append((limit, ", ".join(words), ends < then))
    yield finding("J40", "saturates at less than the other network", cases, refuted="{failing}.")


def saturations(times: list[tuple[dict[str, str], float, bool]]) -> dict[tuple[str, str], Mapping[str, object]]:
    """From which bandwidth a doubling gains less than 5 %, by what is limited and network."""
    rows = [dict(of) | {"gbps": int(of["gbps"]), "time_s": seconds} for of, seconds, _ in times]
    asked = Saturation(column="time_s", along="gbps", each=["limit", "machine"])
    return {(row["limit"], row["machine"]): row for row, _ in saturation.found(asked, Table("times", [], rows))}


def end_words(row: Mapping[str, object]) -> str:
    at = row.get("saturates_at")
    return "not up to 1000 GB/s" if at is None else f"at {at} GB/s"


def by_choice() -> Iterator[Found]:
    """J41 and J42: the four combinations of routes and injection in the stencil."""
    times = {
        (of["machine"], of["routes"], of["policy"]): seconds
        for of, seconds, _ in kept("J41 times")
        if of["pattern"] == "4D Stencil"
    }
    saved = {
        p: 100 * (1 - times["torus", "adaptive", p] / times["torus", "static", p]) for p in ("fcfs", "round-robin")
    }
    cases = [
        ("first come first served, 10 % ± 15", f"{saved['fcfs']:.1f} %", abs(saved["fcfs"] - 10) <= 15),
        ("in turn, 30 % ± 15", f"{saved['round-robin']:.1f} %", abs(saved["round-robin"] - 30) <= 15),
        ("more in turn", f"{saved['round-robin']:.1f} and {saved['fcfs']:.1f} %", saved["round-robin"] > saved["fcfs"]),
    ]
    yield finding("J41", "saved by adaptive routes", cases, refuted="{failing}.")
    best = times["dragonfly", "adaptive", "round-robin"]
    ratio = {(r, p): seconds / best for (m, r, p), seconds in times.items() if m == "dragonfly"}
    cases = [
        ("adaptive routes", f"{ratio['adaptive', 'fcfs']:.3g} times", abs(ratio["adaptive", "fcfs"] - 1) <= 0.05),
        (
            "messages in turn",
            f"{ratio['static', 'round-robin']:.3g} times",
            abs(ratio["static", "round-robin"] - 1) <= 0.05,
        ),
        ("neither", f"{ratio['static', 'fcfs']:.3g} times", ratio["static", "fcfs"] > 1.05),
    ]
    yield finding("J42", "as good as both, within 5 %, and neither is worse", cases, refuted="{failing}.")


def more_injection() -> dict[tuple[str, str], float]:
    """Per cent of the time that twice the bandwidth of links for injection saves, by pattern and network."""
    times = {(of["pattern"], of["machine"], int(of["injected_gbps"])): s for of, s, _ in kept("W40 times")}
    return {(p, m): 100 * (1 - times[p, m, 40] / times[p, m, 20]) for p, m, _ in times}
