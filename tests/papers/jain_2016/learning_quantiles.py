"""Section 4.5 of Jain 2016: features that matter in models of the lowest and the highest tenth.

`python -m tests.papers.jain_2016.learning_quantiles` adds to `learning_quantiles.jsonl` what it lacks, about seven
minutes of one core. Sets are joined as in section 4.5.2, and the selection is that of `netloom learn --select`: 70 % of
the rows train, importance above 0.1 in either quantile, means over 20 splits (the thesis: 50); the same once more with
what was selected gives figure 4.15. How joined sets are scaled is not said, so there are two readings: every set to
0..1 by itself, time too, before they are joined, and all rows together (to trees as good as not scaled). Criteria, set
before the first run:

- L13: a model is sparse where at most five features have an importance above 0.1 and these together at least 0.6; other
  features matter where the features above 0.1 are not the same at 0.1 and 0.9; a feature is used at one quantile where
  its importance is above 0.1 there and not at the other;
- L14: on all sets the features of stalls have, once selected, the greatest sum of importances over both quantiles of
  the groups of table 4.1; average bytes are selected, before the FIFO, and it too; maximum bytes and dilation are not;
- L15: each feature is selected in the joined sets that figure 4.15 names, and in no other.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import numpy as np

from netloom.learning import NINETEEN, Method
from netloom.learning.selection import QUANTILES, THRESHOLD, by_quantiles

from ..findings import Found, digest
from . import learning_data as data
from . import learning_figures as figures
from .learning_claims import Case, as_one, claim
from .learning_scores import Line, key, lines, write

TITLE = "Features that matter at extreme quantiles"
RUNS = 1516
FILE = Path(__file__).parent / "learning_quantiles.jsonl"
SEED, SPLITS = 1, 20
JOINED = {
    **{code: (code,) for code in data.KERNELS},
    "Kernels": data.KERNELS,
    **{code: (code,) for code in data.APPLICATIONS},
    "Apps": data.APPLICATIONS,
    "All": (*data.KERNELS, *data.APPLICATIONS),
}
READINGS = {"reading each set scaled": True, "reading all rows scaled together": False}
#: Features by the indicator of table 4.1 that they are of.
GROUPS = {"dilation": "dilation", "bytes": "bytes", "stalls": "stalls", "FIFO": "FIFO"}
MOST, SHARE = 5, 0.6
NAMES = tuple(NINETEEN)


def joined(name: str, each: bool) -> tuple[np.ndarray, np.ndarray, list[data.Set]]:
    """Features and times of sets together, and which they are."""
    sets = data.chosen(JOINED[name])
    parts = [(data.of(one).values, data.times(one)) for one in sets]
    if each:
        parts = [(scaled(values), scaled(observed)) for values, observed in parts]
    values, observed = (np.concatenate(side) for side in zip(*parts, strict=True))
    return (values, observed, sets) if each else (scaled(values), scaled(observed), sets)


def scaled(found: np.ndarray) -> np.ndarray:
    """Columns to 0..1; one that is the same everywhere to 0."""
    low, wide = found.min(axis=0), np.ptp(found, axis=0)
    return np.asarray((found - low) / np.where(wide > 0, wide, 1.0))


def selected(name: str, reading: str) -> Line:
    """Two rounds of the selection on a joined set."""
    values, observed, sets = joined(name, READINGS[reading])
    kept, first = by_quantiles(values, observed, SEED, SPLITS)
    _, second = by_quantiles(values[:, kept], observed, SEED, SPLITS)
    return {
        "joined": name, "reading": reading, "key": digest([key(one) for one in sets]), "rows": len(observed),
        "first": {str(q): dict(zip(NAMES, (round(one, 4) for one in of), strict=True)) for q, of in first.items()},
        "second": {str(q): dict(zip([NAMES[at] for at in kept], (round(one, 4) for one in of), strict=True))
                   for q, of in second.items()},
    }  # fmt: skip


def run() -> None:
    """Add what is missing, and drop what is of other samples."""
    before = {(line["joined"], line["reading"]): line for line in lines(FILE)}
    made: list[Line] = []
    for reading in READINGS:
        for name, codes in JOINED.items():
            sets = data.chosen(codes)
            line = before.get((name, reading))
            if sets and (line is None or line["key"] != digest([key(one) for one in sets])):
                line = selected(name, reading)
            made += [line] if sets and line is not None else []
            write(FILE, made)
    kept.cache_clear()


@cache
def kept() -> Mapping[tuple[str, str], Line]:
    """By joined set and reading."""
    return {(str(line["joined"]), str(line["reading"])): line for line in lines(FILE)}


def importances(name: str, reading: str, turn: str = "first") -> dict[str, dict[str, float]]:
    """By quantile and feature."""
    return kept()[name, reading][turn]  # type: ignore[return-value]


def subset(name: str, reading: str) -> list[str]:
    """What was selected."""
    return list(importances(name, reading, "second")[str(QUANTILES[0])])


def weight(name: str, reading: str, feature: str) -> float:
    """Mean importance over both quantiles once selected; 0 for a feature that was not."""
    both = importances(name, reading, "second")
    return sum(both[str(q)].get(feature, 0.0) for q in QUANTILES) / len(QUANTILES)


def wanted(name: str) -> list[data.Set]:
    """The sets that make a joined one."""
    return data.chosen(JOINED[name], among=data.SETS)


def measure() -> Iterator[Found]:
    """L13 to L15 and J24, in either reading."""
    each, together = READINGS
    yield from parts(each)
    others = list(parts(together))
    for row in ("L13", "L14", "L15"):
        if mine := [part for part in others if part.id.split()[0] == row]:
            yield as_one(f"{row}, together", mine)
    yield from (as_one("J24, together", [part]) for part in others if part.id == "L14 stalls")


def parts(said: str) -> Iterator[Found]:
    """L13 to L15, sentence by sentence."""
    there = [name for name in JOINED if (name, said) in kept()]
    yield from sparse(said, there)
    if "All" in there:
        yield from on_all(said)
    yield from by_set(said, there)


def _above(name: str, reading: str, quantile: float) -> list[str]:
    return [one for one, share in importances(name, reading)[str(quantile)].items() if share > THRESHOLD]


def sparse(said: str, there: list[str]) -> Iterator[Found]:
    """L13: figures 4.13 and 4.14."""
    cases: list[Case] = []
    others: list[Case] = []
    for name in (name for name in ("Kernels", "Apps") if name in there):
        sides = {q: _above(name, said, q) for q in QUANTILES}
        for q, above in sides.items():
            share = sum(importances(name, said)[str(q)][one] for one in above)
            text = f"{len(above)} features with {share:.2f}"
            cases.append((f"{name} at {q}", text, len(above) <= MOST and share >= SHARE))
        text = " | ".join(f"{q}: {', '.join(above) or 'none'}" for q, above in sides.items())
        others.append((name, text.replace(" | ", " and "), set(sides[0.1]) != set(sides[0.9])))
    both = [*wanted("Kernels"), *wanted("Apps")]
    yield claim("L13 sparse", f"at most {MOST} features above 0.1, with at least {SHARE}", cases, both, alone=False)
    yield claim("L13 others", "other features at 0.1 and 0.9", others, both, alone=False)
    asked = (
        ("Kernels", "avg bytes", (0.9,)),
        ("Kernels", "avg stallsp", (0.1,)),
        ("Apps", "sum dilation AO", QUANTILES),
        ("Apps", "max inj FIFO", QUANTILES),
    )
    named: list[Case] = []
    for name, feature, sides_ in asked:
        if name in there:
            at = {q: importances(name, said)[str(q)][feature] for q in QUANTILES}
            used = [q for q, share in at.items() if share > THRESHOLD]
            text = f"{at[0.1]:.2f} at 0.1, {at[0.9]:.2f} at 0.9"
            named.append((f"{feature}, {name}", text, len(used) == 1 and used[0] in sides_))
    text = (
        "average bytes at 0.9 and avg stallsp at 0.1 (kernels), sum dilation AO and max inj FIFO at one (applications)"
    )
    yield claim("L13 named", text, named, both, alone=False)


def on_all(said: str) -> Iterator[Found]:
    """L14 and J24: the row of all sets in figure 4.15."""
    sums = {group: sum(weight("All", said, name) for name in NAMES if word in name) for group, word in GROUPS.items()}
    text = ", ".join(f"{group} {share:.2f}" for group, share in sums.items())
    first = max(sums, key=lambda group: sums[group]) == "stalls"
    refuted = "By the importance once selected: {got}."
    yield claim("L14 stalls", "stalls first", [("", text, first)], wanted("All"), refuted=refuted, alone=False)
    loads, queue = (weight("All", said, name) for name in ("avg bytes", "max inj FIFO"))
    text = f"average bytes {loads:.2f}, max inj FIFO {queue:.2f}"
    good = loads > queue > 0
    yield claim(
        "L14 then",
        "average bytes, then max inj FIFO",
        [("", text, good)],
        wanted("All"),
        refuted=refuted,
        alone=False,
    )
    lesser = ("max bytes", "max dilation", "avg dilation AO", "sum dilation AO")
    cases = [(name, f"{weight('All', said, name):.2f}", weight("All", said, name) == 0) for name in lesser]
    yield claim("L14 not", "not selected", cases, wanted("All"), refuted="Selected: {failing}.", alone=False)


def by_set(said: str, there: list[str]) -> Iterator[Found]:
    """L15: which rows of figure 4.15 have a marker."""
    apps = ("MILC", "pF3D", "Apps", "All")
    asked = (
        ("L15 FIFO", "max inj FIFO", apps),
        ("L15 stalls", "max stallsp", apps),
        ("L15 bytes", "avg bytes", tuple(name for name in JOINED if name not in ("Sub A2A", "MILC"))),
    )
    for name, feature, homes in asked:
        cases = []
        for one in there:
            shown = feature in subset(one, said)
            cases.append((one, "selected" if shown else "not selected", shown == (one in homes)))
        refuted = "Not as printed in {failing}."
        yield claim(name, f"{feature} in {', '.join(homes)} alone", cases, wanted("All"), refuted=refuted, alone=False)


def draw(figure: str, path: Path) -> None:
    """Figures 4.13, 4.14 and 4.15, every set scaled by itself."""
    reading = next(iter(READINGS))
    if figure == "4.13":
        quantile_models(path)
    elif figure == "4.14":
        bars = {
            f"{name}, {q}": importances(name, reading)[str(q)]
            for name in ("Kernels", "Apps") if (name, reading) in kept() for q in QUANTILES
        }  # fmt: skip
        figures.stacked("Importance at the extreme quantiles", bars, path)
    else:
        there = [name for name in JOINED if (name, reading) in kept()]
        rows = {name: {one: weight(name, reading, one) for one in NAMES} for name in there}
        figures.matrix("Importance once selected, both quantiles", rows, path)


def quantile_models(path: Path) -> None:
    """Predictions of all applications, or of the kernels where there are none yet, sorted by what was observed."""
    values, observed, _ = joined("Apps" if data.chosen(data.APPLICATIONS) else "Kernels", True)
    order = np.argsort(observed, kind="stable")
    curves = {}
    for quantile in QUANTILES:
        made = Method("gradient-boosting", "quantile", quantile, SEED).made()
        made.fit(values, observed)
        curves[f"quantile {quantile}"] = (observed[order], made.predict(values[order]))
    figures.predictions("Models of quantiles, applications", curves, path, unit="time, scaled to 0..1")


if __name__ == "__main__":
    run()
