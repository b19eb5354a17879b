"""Chapter 7 of Jain 2016, its findings that the times of the study `what_if_spread` decide: W17 to W19, W26 and W35."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from ..findings import Found
from ..measured import finding
from .what_if import LINE, SLACK, TIE, end_words, kept, linear, saturations

TITLE = "What if: Spread alone, and static routes over bandwidth"
STUDY = "what_if_spread"
RUNS = 58
#: Bandwidths that are low, and the high one, GB/s.
LOW, HIGH = (2, 5), 100
MIB = 1 << 20


def measure() -> Iterator[Found]:
    """One claim for each finding."""
    yield delay()
    yield buffers()
    yield bandwidths()
    yield from turns()


def delay() -> Found:
    """W17: figure 7.10."""
    lines: dict[str, dict[float, float]] = {}
    for of, seconds, _ in kept("W17 times", STUDY):
        lines.setdefault(of["machine"], {})[float(of["delay"])] = seconds
    cases = []
    for machine, points in lines.items():
        times = [points[at] for at in sorted(points)]
        rises = all(after > (1 + TIE) * before for before, after in pairwise(times))
        share, left = linear(points)
        text = f"{1e6 * times[0]:.3g} to {1e6 * times[-1]:.3g} µs, a line within {100 * left:.1f} %, R² {share:.4f}"
        cases.append((machine, text, rises and left > LINE))
    return finding("W17", "more time with every delay, a line within 2 % on neither", cases, refuted="{failing}.")


def buffers() -> Found:
    """W18: figure 7.10."""
    flat = kept("W18 dragonfly", STUDY)
    times = {int(of["buffer"]): seconds for of, seconds, _ in kept("W18 times", STUDY)}
    words = ", ".join(f"{size // 1024} KiB {1e6 * seconds:.4g} µs" for size, seconds in sorted(times.items()))
    most, least = max(times, key=lambda size: times[size]), min(times, key=lambda size: times[size])
    wide = times[most] > (1 + TIE) * times[least]
    ratios = ", ".join(f"{number:.3g}" for _, number, _ in flat)
    cases = [
        ("dragonfly", f"{ratios} times the time with 1 MiB", all(good for *_, good in flat)),
        ("torus", words, wide and (most, least) == (MIB // 4, 4 * MIB)),
    ]
    return finding(
        "W18", "dragonfly within 2 %; torus slowest with 256 KiB, fastest with 4 MiB", cases, refuted="{failing}."
    )


def bandwidths() -> Found:
    """W19: figure 7.11."""
    found = saturations(kept("W19 times", STUDY))
    links, injection = found["links", "dragonfly"], found["injection", "torus"]
    cases = [
        ("links of the dragonfly", end_words(links), links.get("saturates_at") in (200, 400)),
        ("injection of the torus", end_words(injection), injection.get("saturates_at") == 400),
    ]
    return finding(
        "W19", "dragonfly at links of 200 or 400 GB/s, torus at an injection of 400 GB/s", cases, refuted="{failing}."
    )


def turns() -> Iterator[Found]:
    """W26 and W35: figures 7.6 and 7.14, static routes on the dragonfly."""
    times: dict[str, dict[tuple[int, str], float]] = {}
    for of, seconds, _ in kept("policy times", STUDY):
        times.setdefault(of["pattern"], {})[int(of["gbps"]), of["policy"]] = seconds
    gains = {
        pattern: {
            gbps: 100 * (1 - of[gbps, "round-robin"] / of[gbps, "fcfs"]) for gbps in sorted({gbps for gbps, _ in of})
        }
        for pattern, of in times.items()
    }
    words = {
        pattern: ", ".join(f"{gain:.1f} % at {gbps} GB/s" for gbps, gain in of.items()) for pattern, of in gains.items()
    }
    stencil, spread = gains["4D Stencil"], gains["Spread"]
    fading = list(stencil.values())
    falls = all(after < before + SLACK for before, after in pairwise(fading))
    held = fading[0] > SLACK and falls and fading[-1] < fading[0] / 2
    expected = "saved by messages in turn, less with every bandwidth"
    yield finding("W35", expected, [("", words["4D Stencil"], held)], refuted="{failing}.")
    alone = spread[HIGH] > SLACK and all(spread[gbps] <= SLACK for gbps in LOW)
    expected = "saved by messages in turn at high bandwidth, nothing at low"
    yield finding("W26", expected, [("", words["Spread"], alone)], refuted="{failing}.")
