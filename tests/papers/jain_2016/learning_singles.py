"""Sections 4 to 4.3.3 of Jain 2016: how far times spread over mappings, and what one feature alone says of them.

Scores are those of `learning_scores`. Criteria, set before the scores were computed, when times and rank correlations
of raw features had been seen for five sets:

- L1: among mappings whose largest link loads are equal within 1 %, the greatest time over the least, of the group where
  it is greatest, is 2.5 (50 over 20 ms) within 0.5, or more, in one of the sizes of the 2D halo;
- L2: mappings matter where the slowest takes 1.5 times as long as the fastest or more;
- L18: the slowest over the fastest is 7 within 2;
- L3: the best of the three prior features is near the printed 0.91 in at least three of five sets, and near 0.86 in the
  3D halo of 16 KiB; near is within 0.05;
- L4: A2A's average bytes are 2 to 7 points ahead of its maximum bytes in the messages of 16 KiB (printed: 4 to 5);
- J21 is said of both halos in section 4.3.2; A2A is told beside, and was part of it in a first run;
- L6: buffers are weak where `avg stalls` and `avg stalls TO` are more than 0.05 below the best new feature of bytes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from netloom.learning import NINETEEN

from ..findings import Found
from . import learning_data as data
from . import learning_figures as figures
from .learning_claims import as_one, claim, greater, over
from .learning_scores import NEAR, NEW, PRIOR, best, near, score
from .learning_sets import SMALL

TITLE = "One feature alone, and how far times spread"
RUNS = 12 * 84
HALOS = ("2D Halo", "3D Halo")
#: Of the criteria above.
EQUAL, SPREAD, SLACK, MATTERS = 0.01, 2.5, 0.5, 1.5
BEST, BEST_3D = 0.91, 0.86
#: Bytes that a link takes in a second, and a time that is near enough to that of the fullest link.
RATE, BOUND = 2e9, 1.1


def sets(codes: Sequence[str] = data.KERNELS, nodes: int | None = 1024, size: str | None = None) -> list[data.Set]:
    """The sets that a finding speaks of, whether they are there or not."""
    return data.chosen(codes, nodes, size, data.SETS)


def there(wanted: Sequence[data.Set]) -> list[data.Set]:
    """Those that are."""
    return [one for one in wanted if one in data.there()]


def measure() -> Iterator[Found]:
    """One claim for each sentence."""
    yield from spreads()
    yield from samples()
    yield from priors()
    yield from news("")
    yield as_one("L6, near", list(news(", near")))


def ratio(one: data.Set) -> float:
    """The slowest mapping's time over the fastest's."""
    return float(data.times(one).max() / data.times(one).min())


def at_equal_load(one: data.Set) -> float:
    """Greatest ratio of times among mappings with the same largest load."""
    loads, seconds = data.features(one, [NINETEEN["max bytes"]])[:, 0], data.times(one)
    groups = (seconds[np.abs(loads / load - 1) <= EQUAL] for load in loads)
    return float(max(group.max() / group.min() for group in groups))


def spreads() -> Iterator[Found]:
    """L1, L2 and L18."""
    wanted = sets(("2D Halo",))
    cases = [
        (one.shown, f"{at_equal_load(one):.3g} times", at_equal_load(one) >= SPREAD - SLACK) for one in there(wanted)
    ]
    held = any(good for _, _, good in cases)
    yield claim("L1", "2.5 times at one largest load, in one of the sizes", cases, wanted, held=held)
    wanted = sets()
    cases = list(over(there(wanted), lambda one: (f"{ratio(one):.3g} times", ratio(one) >= MATTERS)))
    yield claim("L2", "slowest over fastest at least 1.5", cases, wanted)
    wanted = sets(("2D Halo",))
    cases = list(over(there(wanted), lambda one: (f"{ratio(one):.3g} times", abs(ratio(one) - 7) <= 2)))
    yield claim("L18", "slowest over fastest 7, within 2", cases, wanted)


def over_fullest(one: data.Set) -> float:
    """Median of a mapping's time over what its fullest link takes for its bytes."""
    return float(np.median(data.times(one) / (data.features(one, [NINETEEN["max bytes"]])[:, 0] / RATE)))


def samples() -> Iterator[Found]:
    """Ours: what the samples are, whatever is learned from them."""
    wanted = sets((*data.KERNELS, *data.APPLICATIONS), nodes=None)
    cases = [(one.shown, f"{over_fullest(one):.3g} times", over_fullest(one) <= BOUND) for one in there(wanted)]
    made = claim("4.3 fullest link", f"time at most {BOUND} times that of the fullest link, median", cases, wanted)
    yield replace(made, says="the fullest link alone sets the time of a mapping", place="4.3")
    cases = []
    for one in there(wanted):
        different = len(np.unique(np.column_stack([data.of(one).values, data.times(one)]), axis=0))
        number = len(data.times(one))
        cases.append((one.shown, f"{different} of {number}", different == number))
    made = claim("4.2 twins", "all mappings of a set differ in a feature or in time", cases, wanted)
    yield replace(made, says="no two mappings of a set are the same to the network", place="4.2")


def priors() -> Iterator[Found]:
    """L3, L4, L5 and J21."""
    wanted = [one for one in sets() if (one.code.name, one.size) != ("3D Halo", SMALL)]
    cases = list(over(there(wanted), lambda one: (_named(one, PRIOR), near(best(one, PRIOR)[0], BEST))))
    held = sum(good for _, _, good in cases) >= 3
    yield claim("L3 most", f"best of three {BEST}, in three sets of five", cases, wanted, held=held)
    wanted = sets(("3D Halo",), size=SMALL)
    cases = list(over(there(wanted), lambda one: (_named(one, PRIOR), near(best(one, PRIOR)[0], BEST_3D))))
    yield claim("L3 3D", f"best of three {BEST_3D}, within {NEAR}", cases, wanted)
    wanted = sets(HALOS)
    cases = list(
        over(there(wanted), lambda one: (f"{score(one, 'max dilation'):.3f}", near(score(one, "max dilation"), 0.6)))
    )
    yield claim("L4 dilation", f"maximum dilation 0.60, within {NEAR}", cases, wanted)
    for by, name, wanted in (("rcc", "L4 bytes", sets(HALOS)), ("r2", "L5 order", sets())):
        text = f"maximum bytes best of the prior features by {'R2' if by == 'r2' else 'RCC'}"
        yield claim(name, text, *_first(wanted, by), refuted="Ahead of maximum bytes: {failing}.")
    wanted = sets(("Sub A2A",), size=SMALL)
    cases, _ = greater(there(wanted), lambda one: (score(one, "avg bytes"), score(one, "max bytes")))
    ahead = [score(one, "avg bytes") - score(one, "max bytes") for one in there(wanted)]
    cases = [(label, got, 0.02 <= gap <= 0.07) for (label, got, _), gap in zip(cases, ahead, strict=True)]
    yield claim("L4 A2A", "average bytes 2 to 7 points ahead of maximum bytes", cases, wanted)
    wanted = sets()
    top = max(((score(one, "max bytes", "r2"), one.shown) for one in there(wanted)), default=(0.0, ""))
    yield claim(
        "L5 most", f"up to 0.95, within {NEAR}", [(top[1], f"R2 {top[0]:.3f}", near(top[0], 0.95))], wanted, alone=False
    )
    for name, codes in (("J21", HALOS), ("J21 A2A", ("Sub A2A",))):
        wanted = sets(codes, nodes=None)
        cases, ties = greater(there(wanted), lambda one: (score(one, "max bytes"), score(one, "max dilation")))
        yield claim(name, "maximum bytes above maximum dilation", cases, wanted, ties=ties)


def _named(one: data.Set, names: Sequence[str]) -> str:
    value, name = best(one, names)
    return f"{value:.3f} of {name}"


def _first(wanted: list[data.Set], by: str) -> tuple[list[tuple[str, str, bool]], list[data.Set]]:
    """Whether maximum bytes have the best score of the prior features."""
    cases = []
    for one in there(wanted):
        value, name = best(one, PRIOR, by)
        mine = score(one, "max bytes", by)
        cases.append((one.shown, f"{mine:.3f}, best {value:.3f} of {name}", name == "max bytes"))
    return cases, wanted


def news(end: str) -> Iterator[Found]:
    """L6, with either definition of top outliers."""
    names = [f"{name}{end}" if name.endswith("TO") else name for name in NEW]
    wanted = sets(("Sub A2A",))
    cases = list(over(there(wanted), lambda one: (_named(one, names), near(best(one, names)[0], 0.95))))
    yield claim("L6 A2A", f"best of five 0.95, within {NEAR}", cases, wanted)
    wanted = sets(("3D Halo",), size=SMALL)

    def better(one: data.Set) -> tuple[str, bool]:
        value, before = best(one, names)[0], best(one, PRIOR)[0]
        return f"{_named(one, names)}, prior {before:.3f}", near(value, 0.9) and value > before

    yield claim("L6 3D", f"0.90, within {NEAR}, and above the prior", over(there(wanted), better), wanted)
    wanted = sets(("2D Halo",))

    def weak(one: data.Set) -> tuple[str, bool]:
        stalls = best(one, [name for name in names if "stalls" in name])[0]
        loads = best(one, [name for name in names if "bytes" in name])[0]
        return f"buffers {stalls:.3f}, bytes {loads:.3f}", stalls < loads - NEAR

    yield claim("L6 2D", f"buffers more than {NEAR} below bytes", over(there(wanted), weak), wanted)


def draw(figure: str, path: Path) -> None:
    """Figures 4.5, 4.6 and 4.7."""
    shown = there(sets())
    if figure == "4.5":
        figures.sorted_times({one.shown: data.times(one) for one in there(sets(nodes=None))}, path)
        return
    names = PRIOR if figure == "4.6" else NEW
    scores = {by: {name: [score(one, name, by) for one in shown] for name in names} for by in ("rcc", "r2")}
    kind = "prior" if figure == "4.6" else "new"
    figures.scores(f"One {kind} feature alone, 1,024 nodes", [one.label for one in shown], scores, path)
