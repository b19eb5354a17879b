"""Figures 5.3 to 5.5 of Jain 2016 judged on our engine in parts: runs kept by `engines.py`, medians over turns.

The machine was busy, so a time is that of the processors, of all threads together. Where it is less than twice that
of one part, two idle processors are faster.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import pairwise
from statistics import median

from ..findings import Found
from ..measured import finding
from . import engines
from .engines import Setting

TITLE = "Parts that wait for each other, and parts that run ahead"
LINES = [json.loads(line) for line in engines.FILE.read_text(encoding="utf-8").splitlines()]
RUNS = len(LINES)
#: Of medians of a busy machine.
NOISE = 0.1


def middle(setting: Setting, column: str) -> float:
    """Median over the turns."""
    own = [line for line in LINES if all(line[name] == value for name, value in vars(setting).items())]
    return float(median(line[column] for line in own))


def rate(setting: Setting) -> float:
    """Events that stay, in millions per second of processor time."""
    return middle(setting, "events") / middle(setting, "cpu_s") / 1e6


def undone(setting: Setting) -> float:
    """Events undone, in millions."""
    return (middle(setting, "processed") - middle(setting, "events")) / 1e6


def measure() -> Iterator[Found]:
    """P1 to P4, J59."""
    one, waiting = (Setting(4096, parts, "conservative") for parts in (1, 2))
    ahead = engines.optimistic(4096)
    counts = [(setting.way, middle(setting, "synchronisations")) for setting in (waiting, ahead)]
    fewer = [(way, f"{count:,.0f}", way == "conservative" or count < counts[0][1]) for way, count in counts]
    yield finding("P1 synchronisations", "fewer where parts run ahead", fewer)
    slower, faster = (middle(setting, "cpu_s") / middle(one, "cpu_s") for setting in (waiting, ahead))
    yield finding("P1 conservative", "two processors slower than one", [("", f"{slower:.3g} times", slower / 2 > 1)])
    yield finding("P1 optimistic", "two processors faster than one", [("", f"{faster:.3g} times", faster / 2 < 1)])
    yield grows("P2", "batch", [engines.optimistic(2048, batch=batch) for batch in engines.BATCHES])
    yield grows("P3", "interval", [engines.optimistic(2048, interval=interval) for interval in engines.INTERVALS])
    yield falls("P2 efficiency", "batch", [engines.optimistic(2048, batch=batch) for batch in engines.BATCHES])
    parts = [engines.optimistic(2048, parts=parts) for parts in reversed(engines.PARTS)]
    labels = [f"{setting.nodes // setting.parts:,} nodes in a part" for setting in parts]
    events = [undone(setting) for setting in parts]
    texts = [f"{number:.3g} million undone" for number in events]
    yield finding("J59 undone", "grows with the part", rising(labels, texts, events))
    times = [middle(setting, "cpu_s") for setting in parts]
    yield finding("J59 time", "grows with the part", rising(labels, [f"{number:.3g} s" for number in times], times))


def grows(name: str, column: str, settings: list[Setting]) -> Found:
    """The event rate by batch or interval."""
    rates = [rate(setting) for setting in settings]
    labels = [f"{column} {getattr(setting, column):,}" for setting in settings]
    texts = [f"{number:.3g} million events a second" for number in rates]
    return finding(name, "a rate that grows", rising(labels, texts, rates))


def falls(name: str, column: str, settings: list[Setting]) -> Found:
    """The efficiency by batch."""
    shares = [middle(setting, "efficiency") for setting in settings]
    labels = [f"{column} {getattr(setting, column):,}" for setting in settings]
    return finding(name, "falls", rising(labels, [f"{100 * share:.3g} %" for share in shares], [-x for x in shares]))


def rising(labels: list[str], texts: list[str], values: list[float]) -> list[tuple[str, str, bool]]:
    """Cases: each above the one before, but for noise."""
    good = [True, *(then > now - NOISE * abs(now) for now, then in pairwise(values))]
    return list(zip(labels, texts, good, strict=True))
