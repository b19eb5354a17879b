"""Chapter 7 of Jain 2016, its findings W3 to W37 that the times of the study `what_if` decide.

They are of the paper's machines, with messages of 8 KiB in the stencil and 4 KiB in Spread. Where no delay counts the
time is in proportion to the inverse of all bandwidths together, so that what is found at 1,000 GB/s holds at any.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..findings import Found
from ..measured import finding
from .what_if import SLACK, TIE, choices, kept, more_injection

TITLE = "What if: figures one by one"
RUNS = 140
#: Per cent by which a printed gain may be missed.
NEAR = 10.0
PAIR = ("torus", "dragonfly")
ROUTES = ("adaptive", "static")


def measure() -> Iterator[Found]:
    """One claim for each finding."""
    yield buffers()
    yield from bandwidths()
    yield from choices_of_stencil()
    yield from choices_of_spread()
    yield from delays()
    yield from injection()


def percent(less: float, more: float) -> float:
    """By how much the first is below the second."""
    return 100 * (1 - less / more)


def buffers() -> Found:
    """W3: figure 7.1."""
    (most,) = (number for _, number, _ in kept("W3 torus"))
    text = f"{most:.3g} times the time with 1 MiB at most"
    return finding("W3", "1.39 times with 64 KiB, within 0.2", [("", text, abs(most - 2.5 / 1.8) <= 0.2)])


def bandwidths() -> Iterator[Found]:
    """W6, W7, W20, W32 and W33: figures 7.3, 7.4 and 7.12."""
    both = {(of["pattern"], of["machine"], int(of["gbps"]), of["delay"]): s for of, s, _ in kept("J43 times")}
    halves = {}
    for pattern, machine in choices():
        products = [gbps * both[pattern, machine, gbps, "0"] for gbps in (2, 50, 1000)]
        # Twice the bandwidth: as far from half the time as bandwidth times time is from a constant.
        halves[pattern, machine] = 100 * (1 - max(products) / min(products) / 2)
    stencil = {machine: halves["4D Stencil", machine] for machine in ("torus", "dragonfly")}
    told = {machine: f"{gain:.3g} % less with twice the bandwidth" for machine, gain in stencil.items()}
    yield finding(
        "W6",
        "torus 33 % less from 400 to 800 GB/s, dragonfly less than 20 %",
        [
            ("torus", told["torus"], abs(stencil["torus"] - 33) <= NEAR),
            ("dragonfly", told["dragonfly"], stencil["dragonfly"] < 20),
        ],
        refuted="With no delay nothing is left but bandwidth, so that twice as much takes half the time.",
    )
    text = f"{stencil['torus']:.3g} and {stencil['dragonfly']:.3g} %"
    yield finding("W33", "a greater gain on the torus", [("", text, stencil["torus"] > stencil["dragonfly"] + SLACK)])
    spread = {machine: halves["Spread", machine] for machine in ("torus", "dragonfly")}
    text = f"{spread['torus']:.3g} and {spread['dragonfly']:.3g} %"
    alike = abs(spread["torus"] - spread["dragonfly"]) <= NEAR
    yield finding("W20", "similar gains on both networks, within 10 points", [("", text, alike)])
    alone = {(of["limit"], of["machine"], int(of["gbps"])): s for of, s, _ in kept("J40 times")}
    links, nodes = (1e6 * alone[limit, "torus", 100] for limit in ("links", "injection"))
    text = f"injection of 100 GB/s {nodes:.4g} µs, links of 100 GB/s {links:.4g} µs"
    yield finding("W7", "low injection costs less than low bandwidth of links", [("", text, nodes < links)])
    cases = []
    for gbps, binds in ((100, "links"), (400, "injection")):
        links, nodes = (1e6 * alone[limit, "dragonfly", gbps] for limit in ("links", "injection"))
        text = f"links {links:.4g} µs, injection {nodes:.4g} µs"
        cases.append((f"{gbps} GB/s", text, (links > nodes) == (binds == "links")))
    yield finding("W32", "links bind at low bandwidth, injection at high", cases)


def choices_of_stencil() -> Iterator[Found]:
    """W10 to W13: figures 7.5 and 7.6."""
    torus, dragonfly = (choices()["4D Stencil", machine] for machine in ("torus", "dragonfly"))
    gain = {
        (name, policy): percent(times["adaptive", policy], times["static", policy])
        for name, times in (("torus", torus), ("dragonfly", dragonfly))
        for policy in ("fcfs", "round-robin")
    }
    turn = {
        (name, routes): percent(times[routes, "round-robin"], times[routes, "fcfs"])
        for name, times in (("torus", torus), ("dragonfly", dragonfly))
        for routes in ("static", "adaptive")
    }
    yield finding(
        "W10",
        "adaptive routes gain little on the torus, and on the dragonfly",
        [
            ("torus", f"{gain['torus', 'fcfs']:.1f} %", abs(gain["torus", "fcfs"]) <= SLACK),
            ("dragonfly", f"{gain['dragonfly', 'fcfs']:.1f} %", gain["dragonfly", "fcfs"] > SLACK),
        ],
    )
    cases = [(name, f"{gain[name, 'round-robin']:.1f} %", gain[name, "round-robin"] > SLACK) for name in PAIR]
    yield finding("W11", "adaptive routes gain on both", cases)
    yield finding(
        "W12",
        "messages in turn gain with adaptive routes alone",
        [
            ("static routes", f"{turn['torus', 'static']:.1f} %", abs(turn["torus", "static"]) <= SLACK),
            ("adaptive routes", f"{turn['torus', 'adaptive']:.1f} %", turn["torus", "adaptive"] > SLACK),
        ],
    )
    cases = [
        (f"{routes} routes", f"{turn['dragonfly', routes]:.1f} %", turn["dragonfly", routes] > SLACK)
        for routes in ROUTES
    ]
    yield finding("W13", "messages in turn take less time, up to 40 % with adaptive routes", cases)


def choices_of_spread() -> Iterator[Found]:
    """W21 to W25: figures 7.12 to 7.14."""
    torus, dragonfly = (choices()["Spread", machine] for machine in PAIR)
    fcfs, turn = (percent(torus["adaptive", policy], torus["static", policy]) for policy in ("fcfs", "round-robin"))
    yield finding(
        "W21",
        "adaptive routes gain 15 % first come first served, 25 % in turn, within 10 points",
        [
            ("first come first served", f"{fcfs:.1f} %", abs(fcfs - 15) <= NEAR),
            ("in turn", f"{turn:.1f} %", abs(turn - 25) <= NEAR),
        ],
    )
    worst = dragonfly["static", "fcfs"]
    saved = {chosen: percent(seconds, worst) for chosen, seconds in dragonfly.items() if seconds != worst}
    names = {
        ("adaptive", "fcfs"): "adaptive routes",
        ("static", "round-robin"): "in turn",
        ("adaptive", "round-robin"): "both",
    }
    cases = [(name, f"{saved[chosen]:.1f} %", abs(saved[chosen] - 12) <= NEAR) for chosen, name in names.items()]
    yield finding("W22", "each gains 12 % over neither, within 10 points", cases)
    other = percent(dragonfly["adaptive", "fcfs"], dragonfly["static", "fcfs"])
    cases = [("torus", f"{fcfs:.1f} %", fcfs > SLACK), ("dragonfly", f"{other:.1f} %", abs(other) <= SLACK)]
    yield finding("W23", "adaptive routes gain on the torus, hardly on the dragonfly", cases)
    other = percent(dragonfly["adaptive", "round-robin"], dragonfly["static", "round-robin"])
    cases = [("torus", f"{turn:.1f} %", turn > SLACK), ("dragonfly", f"{other:.1f} %", other > SLACK)]
    yield finding("W24", "adaptive routes gain on both", cases)
    still, adaptive = (
        percent(torus[routes, "round-robin"], torus[routes, "fcfs"]) for routes in ("static", "adaptive")
    )
    cases = [("static", f"{still:.1f} %", abs(still) <= SLACK), ("adaptive", f"{adaptive:.1f} %", adaptive > SLACK)]
    yield finding("W25", "messages in turn gain with adaptive routes alone", cases)


def delays() -> Iterator[Found]:
    """W28 and W34: figures 7.9 and 7.16."""
    times = {(of["pattern"], of["machine"], int(of["gbps"]), int(of["delay"])): s for of, s, _ in kept("J43 times")}
    cases = []
    for gbps in (50, 1000):
        grown = {p: 1e9 * (times[p, "torus", gbps, 100] - times[p, "torus", gbps, 0]) for p in ("Spread", "4D Stencil")}
        text = f"Spread {grown['Spread']:.0f} ns, stencil {grown['4D Stencil']:.0f} ns"
        cases.append((f"{gbps} GB/s", text, grown["Spread"] < grown["4D Stencil"]))
    yield finding("W28", "100 ns of delay add less to Spread than to the stencil", cases)
    more = {
        gbps: 100 * (times["4D Stencil", "dragonfly", gbps, 100] / times["4D Stencil", "dragonfly", gbps, 0] - 1)
        for gbps in (2, 50)
    }
    cases = [(f"{gbps} GB/s", f"{grown:.1f} % more", grown > SLACK) for gbps, grown in more.items()]
    yield finding("W34", "100 ns of delay add to the stencil on the dragonfly at low bandwidth", cases)


def injection() -> Iterator[Found]:
    """W15, W29, W30, W36 and W37: figures 7.8, 7.16 and 7.17, links of 20 GB/s."""
    times = {(of["pattern"], of["machine"], int(of["injected_gbps"])): 1e6 * s for of, s, _ in kept("W40 times")}
    least, most = (times["4D Stencil", "torus", gbps] for gbps in (20, 100))
    text = f"{least:.4g} µs with 20 GB/s of injection, {most:.4g} µs with 100"
    yield finding("W15", "injection hardly counts", [("", text, abs(percent(most, least)) <= SLACK)])
    gains = more_injection()
    gain = gains["Spread", "dragonfly"]
    yield finding("W29", "injection of twice the links' bandwidth gains", [("", f"{gain:.1f} %", gain > SLACK)])
    cases = []
    for pattern in ("4D Stencil", "Spread"):
        one, other = (gains[pattern, machine] for machine in ("dragonfly", "torus"))
        cases.append((pattern, f"dragonfly {one:.1f} %, torus {other:.1f} %", one > SLACK and other < one))
    yield finding("W30", "twice the links' bandwidth gains on the dragonfly, less on the torus", cases)
    half, whole = (times["Spread", "torus", gbps] for gbps in (10, 20))
    text = f"{half:.4g} µs with half the links' bandwidth, {whole:.4g} µs with all of it"
    enough = half <= (1 + TIE) * whole
    yield finding("W36", "half the links' bandwidth suffices for Spread on the torus", [("", text, enough)])
    below, level, above = (times["Spread", "dragonfly", gbps] for gbps in (10, 20, 40))
    text = f"{below:.4g}, {level:.4g} and {above:.4g} µs with half, all and twice the links' bandwidth"
    yield finding("W37", "the more the better, up to twice the links' bandwidth", [("", text, above < level < below)])
