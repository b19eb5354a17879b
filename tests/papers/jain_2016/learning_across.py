"""Sections 4.5.2 and 4.6 of Jain 2016: features and models of one kind of code used for another, or for more nodes.

`python -m tests.papers.jain_2016.learning_across` adds to `learning_across.jsonl` what it lacks, about five minutes
of one core. Boosted trees with Huber's loss; joined sets in both readings of `learning_quantiles`. Criteria, set
before the first run:

- L16 and J26 (figure 4.16): 70 % of the rows train, RCC and R2 are means over 20 splits (the thesis: 50). A subset
  predicts worse where both scores are below those of all nineteen features, and by more than 0.01 in one; what is worse
  by less is a tie. The subset of all sets is close where RCC is at most 0.02 and R2 at most 0.05 below those of all
  nineteen;
- L17: learned from the kernels, all nineteen features, a set of an application is ranked reasonably where RCC is at
  least 0.75: of the pairs that chance gets wrong, half are right;
- more nodes (ours): learned from a set of 1,024 nodes, used for the same code on 4,096; reasonable where RCC is at
  least 0.75 and R2 at least 0.5. Features and time as they are, and both scaled to 0..1 in each set. Next to it a
  model of half of the 4,096 set, on the other half, mean over ten splits. Rows of which any feature is outside of the
  range that was learned are counted: trees answer there as at the border.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np

from netloom.learning import SCORES, Method

from ..findings import Found, digest
from . import learning_data as data
from . import learning_figures as figures
from .learning_claims import Case, as_one, claim, over
from .learning_quantiles import NAMES, READINGS, joined, scaled, subset, wanted
from .learning_scores import Line, key, lines, mean_scores, write

TITLE = "Features and models of one code used for another"
RUNS = 1516
FILE = Path(__file__).parent / "learning_across.jsonl"
METHOD, SPLITS, TRAIN = Method("gradient-boosting"), 20, 0.7
USED_ON, FROM = ("Kernels", "MILC", "pF3D"), ("Kernels", "Apps", "All")
#: Of the criteria above.
WORSE, CLOSE, RANKED, EXPLAINED = 0.01, {"rcc": 0.02, "r2": 0.05}, 0.75, 0.5
ALIKE, HALVES = 0.95, 10
RAW, EACH = "as they are", "scaled in each set"


def expert(values: np.ndarray) -> list[str]:
    """In place of the twelve that experts chose, which are not listed: the first of those with |r| above 0.95."""
    together = np.abs(np.nan_to_num(np.corrcoef(values, rowvar=False)))
    kept: list[int] = []
    for at in range(values.shape[1]):
        if not any(together[at, other] > ALIKE for other in kept):
            kept.append(at)
    return [NAMES[at] for at in kept]


def subsets(reading: str) -> dict[str, list[str]]:
    """Features by where they are from."""
    found = {"all nineteen": list(NAMES), "uncorrelated": expert(joined("All", READINGS[reading])[0])}
    return found | {name: subset(name, reading) for name in FROM if data.chosen(wanted_codes(name))}


def wanted_codes(name: str) -> tuple[str, ...]:
    """Codes of a joined set."""
    return tuple(dict.fromkeys(one.code.name for one in wanted(name)))


def used(reading: str, on: str) -> Line:
    """Figure 4.16: scores of each subset on a joined set."""
    values, observed, _ = joined(on, READINGS[reading])
    found = {
        name: mean_scores(values[:, [NAMES.index(one) for one in features]], observed, METHOD, SPLITS, TRAIN)
        for name, features in subsets(reading).items()
    }
    return {"what": "subset", "reading": reading, "on": on, "scores": found, "features": subsets(reading)}


def ranked(reading: str, one: data.Set) -> Line:
    """A model of all kernels used for a set of an application."""
    values, observed, _ = joined("Kernels", READINGS[reading])
    target, times = data.of(one).values, data.times(one)
    if READINGS[reading]:
        target = scaled(target)
    else:
        raw = np.concatenate([data.of(other).values for other in data.chosen(data.KERNELS)])
        low, wide = raw.min(axis=0), np.ptp(raw, axis=0)
        target = (target - low) / np.where(wide > 0, wide, 1.0)
    made = METHOD.made()
    made.fit(values, observed)
    return {"what": "ranks", "reading": reading, "on": one.name, "scores": _scores(times, made.predict(target))}


def larger(small: data.Set, large: data.Set) -> Line:
    """A model of 1,024 nodes used on 4,096, next to one of half of the 4,096 set."""
    found: dict[str, object] = {}
    for way in (RAW, EACH):
        sides = [(data.of(one).values, data.times(one)) for one in (small, large)]
        if way == EACH:
            sides = [(scaled(values), scaled(observed)) for values, observed in sides]
        (values, observed), (others, times) = sides
        made = METHOD.made()
        made.fit(values, observed)
        outside = ((others < values.min(axis=0)) | (others > values.max(axis=0))).any(axis=1)
        found[way] = _scores(times, made.predict(others)) | {"outside": int(outside.sum())}
    values, half = data.of(large).values, data.times(large)
    found["half"] = mean_scores(values, half, METHOD, HALVES, 0.5)
    return {"what": "nodes", "on": large.name, "rows": len(half), "scores": found}


def _scores(observed: np.ndarray, predicted: np.ndarray) -> dict[str, float]:
    return {name: round(score(observed, predicted), 5) for name, score in SCORES.items()}


def pairs(among: list[data.Set]) -> list[tuple[data.Set, data.Set]]:
    """Sets of 1,024 and of 4,096 nodes of the same code and size."""
    return [
        (one, two) for one in among for two in among
        if (one.nodes, two.nodes) == (1024, 4096) and one.label == two.label
    ]  # fmt: skip


def run() -> None:
    """Add what is missing, and drop what is of other samples."""
    before = {(line["what"], line.get("reading"), line["on"]): line for line in lines(FILE)}
    made: list[Line] = []

    def add(what: str, reading: str | None, on: str, sets: list[data.Set], make: object) -> None:
        made_of = digest([[key(one) for one in sets], subsets(reading) if what == "subset" and reading else None])
        line = before.get((what, reading, on))
        if line is None or line["key"] != made_of:
            line = make() | {"key": made_of}  # type: ignore[operator]
        made.append(line)

    there = data.there()
    for reading in READINGS:
        for name in USED_ON:
            if sets := data.chosen(wanted_codes(name)):
                add("subset", reading, name, sets, lambda reading=reading, name=name: used(reading, name))
        for one in data.chosen(data.APPLICATIONS):
            sets = [*data.chosen(data.KERNELS), one]
            add("ranks", reading, one.name, sets, lambda reading=reading, one=one: ranked(reading, one))
    for small, large in pairs(there):
        add("nodes", None, large.name, [small, large], lambda small=small, large=large: larger(small, large))
    write(FILE, made)
    kept.cache_clear()


@cache
def kept() -> Mapping[tuple[str, str | None, str], Mapping[str, Mapping[str, float]]]:
    """Scores by what, reading, and where they are of."""
    return {(line["what"], line.get("reading"), line["on"]): line["scores"] for line in lines(FILE)}  # type: ignore[misc]


def measure() -> Iterator[Found]:
    """L16, J26 and L17, the other reading of each in one claim, and more nodes."""
    each, together = READINGS
    yield from (*figure_16(each), ranks(each))
    for part in (*figure_16(together), ranks(together)):
        yield as_one(f"{part.id}, together", [part])
    yield from more_nodes()


def ranks(reading: str) -> Found:
    """L17."""
    sets = data.chosen(data.APPLICATIONS, among=data.SETS)
    there = [one for one in sets if ("ranks", reading, one.name) in kept()]
    needed = [*sets, *data.chosen(data.KERNELS, among=data.SETS)]
    refuted = "The order of {failing} is hardly better than chance."
    cases = over(there, lambda one: _ranks(reading, one))
    return claim("L17", f"RCC at least {RANKED}", cases, needed, refuted=refuted, alone=False)


def _ranks(reading: str, one: data.Set) -> tuple[str, bool]:
    value = kept()["ranks", reading, one.name]["rcc"]
    return f"{value:.3f}", value >= RANKED  # type: ignore[operator]


def _both(of: Mapping[str, float]) -> str:
    return f"RCC {of['rcc']:.3f}, R2 {of['r2']:.3f}"


def figure_16(reading: str) -> Iterator[Found]:
    """Subsets against all nineteen features."""
    worse: list[Case] = []
    ties: list[str] = []
    close: list[Case] = []
    for on in USED_ON:
        scores = kept().get(("subset", reading, on), {})
        source = "Apps" if on == "Kernels" else "Kernels"
        if source in scores:
            label = f"{source} on {on}"
            lost = {by: scores["all nineteen"][by] - scores[source][by] for by in CLOSE}
            text = f"{_both(scores[source])}; all nineteen {_both(scores['all nineteen'])}"
            worse.append((label, text, min(lost.values()) > 0 and max(lost.values()) > WORSE))
            ties += (
                [label] if not worse[-1][2] and max(lost.values()) > 0 and max(map(abs, lost.values())) <= WORSE else []
            )
        if "All" in scores:
            lost = {by: scores["all nineteen"][by] - scores["All"][by] for by in CLOSE}
            text = f"{_both(scores['All'])}; all nineteen {_both(scores['all nineteen'])}"
            close.append((on, text, all(lost[by] <= most for by, most in CLOSE.items())))
    every = wanted("All")
    refuted = "Not worse than all nineteen features: {failing}."
    yield claim("L16", "both scores below all nineteen features", worse, every, ties=ties, refuted=refuted, alone=False)
    text = f"RCC at most {CLOSE['rcc']} and R2 at most {CLOSE['r2']} below all nineteen"
    yield claim("J26", text, close, every, refuted="Farther below all nineteen features: {failing}.", alone=False)


def more_nodes() -> Iterator[Found]:
    """From 1,024 to 4,096 nodes."""
    every = [one for pair in pairs(list(data.SETS)) for one in pair]
    there = [large for _, large in pairs(data.there()) if ("nodes", None, large.name) in kept()]
    for way, name in ((RAW, "4.6 more nodes"), (EACH, "4.6 more nodes, scaled")):
        cases = []
        for one in there:
            scores = kept()["nodes", None, one.name]
            of, half = scores[way], scores["half"]
            text = f"{_both(of)}, tau {of['kendall_tau_b']:.3f}, {of['outside']:.0f} rows outside"
            text += f", of half of the set {_both(half)}"
            cases.append((one.label, text, of["rcc"] >= RANKED and of["r2"] >= EXPLAINED))
        expected = f"RCC at least {RANKED} and R2 at least {EXPLAINED}, features {way}"
        made = claim(name, expected, cases, every, refuted="Less in {failing}.")
        said = f"a model of 1,024 nodes predicts the times of the same code on 4,096, features and times {way}"
        yield replace(made, says=said, place="4.6")


def draw(figure: str, path: Path) -> None:
    """Figure 4.16, every set scaled by itself."""
    reading = next(iter(READINGS))
    there = [on for on in USED_ON if ("subset", reading, on) in kept()]
    names = list(kept()["subset", reading, there[0]])
    scores = {
        by: {name: [kept()["subset", reading, on][name][by] for on in there] for name in names} for by in ("rcc", "r2")
    }
    figures.scores("Subsets of features used on other codes", there, scores, path)


if __name__ == "__main__":
    run()
