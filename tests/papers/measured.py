"""Findings that no study file can ask for, computed by a module of this folder: `measure()` gives one for each claim.

A module beside the tests of its paper says `TITLE`, `RUNS` (how many runs its numbers are from) and `measure()`, and
draws what the page shows of it, if anything, with `draw(figure, path)`. `make papers` keeps findings like a study's.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import date
from importlib import import_module
from types import ModuleType

from netloom.study.work import build

from .findings import Case, Found, Kept, digest, with_words

#: Names of the kept files, and the modules.
MODULES = {
    "improvements": "cui_2024.improvements",
    "packet_study": "navaridas_2009.packet_findings",
    "cores": "swartvagher_2023.cores",
    "link_usage": "jain_2016.link_usage",
    "network_cost": "jain_2016.network_cost",
    "rates": "jain_2016.rates",
    "hybrid": "jain_2016.hybrid",
    "engines": "jain_2016.engine_findings",
    "scales": "jain_2016.scales",
    "what_if_sums": "jain_2016.what_if",
    "what_if_figures": "jain_2016.what_if_figures",
    "what_if_sizes": "jain_2016.sizes",
    "what_if_rest": "jain_2016.what_if_spread",
    "channels": "jain_2016.channels",
    "packet_loads": "jain_2016.packet_loads",
    "torus_benchmarks": "jain_2016.torus_benchmarks",
    "mapping_readings": "jain_2016.mapping_readings",
    "single_jobs": "jain_2016.single_jobs",
    "network_rates": "jain_2016.network_rates",
    "charm_fft": "jain_2016.charm_fft",
    **{
        f"learning_{name}": f"jain_2016.learning_{name}"
        for name in ("singles", "hybrids", "best", "quantiles", "across")
    },
    "learned_mapping": "jain_2016.learned_mapping",
}


def module(name: str) -> ModuleType:
    """The module behind a kept file."""
    return import_module(f".{MODULES[name]}", __package__)


def place(name: str) -> str:
    """Its path below this folder."""
    return f"{MODULES[name].replace('.', '/')}.py"


def measure(name: str) -> Kept:
    """Compute all findings of a module."""
    source = module(name)
    today, version = date.today().isoformat(), build()
    claims = [replace(claim, made=today, version=version) for claim in source.measure()]
    return Kept(name, source.TITLE, digest([claim.key for claim in claims]), source.RUNS, 0, claims)


def finding(
    name: str,
    expected: str,
    cases: Iterable[tuple[str, str, bool]],
    *,
    held: bool | None = None,
    ties: Sequence[str] = (),
    refuted: str = "",
) -> Found:
    """A claim from its cases: label, what came out, whether it holds.

    Parameters
    ----------
    held
        Verdict on the whole; left out, all cases must hold.
    ties
        Labels of cases that fail by 2 % or less.
    refuted
        Why it fails; `{got}` and `{label}` are numbers.
    """
    made: list[Case] = []
    for label, got, good in cases:
        verdict = "confirmed" if good else "tie" if label in ties else "refuted"
        made.append({"label": label, "setting": label, "got": got, "verdict": verdict})
    verdicts = {case["verdict"] for case in made}
    if held is None:
        verdict = "refuted" if "refuted" in verdicts else "tie" if "tie" in verdicts else "confirmed"
    else:
        verdict = "confirmed" if held else "refuted"
    shown = made if len(made) <= 8 else [case for case in made if case["verdict"] != "confirmed"] or made[:2]
    got = "; ".join(f"{case['label']}: {case['got']}" if case["label"] else case["got"] for case in shown)
    found = Found(name, digest([name, expected]), "", "", expected, got, verdict, "", False, made)
    return with_words(found, {"refuted": refuted})
