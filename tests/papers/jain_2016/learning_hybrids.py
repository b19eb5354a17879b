"""Sections 4.3.4 and 4.3.5 of Jain 2016: features together, those of table 4.5, on 1,024 and 4,096 nodes.

Scores are those of `learning_scores`; the readings are the two definitions of top outliers (E4-05). Criteria, set
before the scores were computed:

- A printed score is met within 0.05, 64 KiB standing for 4 MB; "up to" a score: by the best set;
- L7: both bytes together beat the better of the two, H1 beats both together and H3 beats H1, in every set;
- L9: the best single feature is the better of `max bytes` and `avg bytes TO`, as in figure 4.9; halos gain more than
  nothing and up to 8 %, within 2 points;
- L10: H5 scores at least 0.95 by RCC and by R2;
- J23: the best hybrid of a set has an RCC of at least 0.95.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from netloom.learning.parts import split_again

from ..findings import Found
from . import learning_data as data
from . import learning_figures as figures
from .learning_claims import as_one, claim, greater, over
from .learning_scores import METHOD, NEAR, PAIR, TRAIN, best, columns, hybrids, near, score
from .learning_sets import LARGE, SMALL
from .learning_singles import HALOS, sets, there

TITLE = "Features together"
RUNS = 12 * 84
NEAR_MOST = ", near"
SINGLE = ("max bytes", "avg bytes TO")


def measure() -> Iterator[Found]:
    """One claim for each sentence."""
    alike = list(together())
    yield from alike
    yield from (*of_1024(""), *of_4096(""))
    near_1024, near_4096 = list(of_1024(NEAR_MOST)), list(of_4096(NEAR_MOST))
    for row, parts in (("L7", [*alike, *near_1024]), ("L8", near_1024), ("L9", near_4096), ("L10", near_4096)):
        yield as_one(f"{row}{NEAR_MOST}", [part for part in parts if part.id.split()[0] == row])
    yield as_one(f"J23{NEAR_MOST}", [part for part in near_4096 if part.id == "J23"])


def together() -> Iterator[Found]:
    """J22, and those parts of L7 in which no top outliers are."""
    wanted = sets(nodes=None)
    cases, ties = greater(there(wanted), lambda one: (score(one, PAIR), best(one, ("avg bytes", "max bytes"))[0]))
    yield claim("J22", "average and maximum bytes above the better of the two", cases, wanted, ties=ties)
    wanted = sets(size=LARGE)
    cases = list(over(there(wanted), lambda one: (f"{score(one, PAIR):.3f}", near(score(one, PAIR), 0.94))))
    yield claim("L7 both bytes", f"RCC 0.94, within {NEAR}", cases, wanted)
    cases = list(over(there(wanted), lambda one: (f"{score(one, 'H1'):.3f}", near(score(one, "H1"), 0.96))))
    yield claim("L7 H1", f"RCC 0.96, within {NEAR}", cases, wanted)
    wanted = sets()
    for better, worse in (("H1", PAIR), ("H3", "H1")):
        cases, ties = greater(
            there(wanted), lambda one, pair=(better, worse): (score(one, pair[0]), score(one, pair[1]))
        )  # type: ignore[misc]
        yield claim(f"L7 {better} gains", f"RCC of {better} above {worse}", cases, wanted, ties=ties)
    wanted = sets(("3D Halo", "Sub A2A"))
    cases = list(over(there(wanted), lambda one: (f"{score(one, 'H3'):.3f}", near(score(one, "H3"), 0.98, 0.99))))
    yield claim("L7 H3", f"RCC 0.98 to 0.99, within {NEAR}", cases, wanted)


def of_1024(end: str) -> Iterator[Found]:
    """L7 and L8, on 1,024 nodes."""
    names = list(hybrids(end))
    wanted = sets(("Sub A2A",))
    top = max(((*best(one, names), one.shown) for one in there(wanted)), default=(0.0, "", ""))
    got = f"{top[0]:.3f} of {top[1]}"
    yield claim("L7 A2A", f"up to 0.995, within {NEAR}", [(top[2], got, near(top[0], 0.995))], wanted)
    wanted = sets(("2D Halo",))
    worst = min(((*best(one, names), one.shown) for one in there(wanted)), default=(0.0, "", ""))
    got = f"{worst[0]:.3f} of {worst[1]}, {(1 - worst[0]) * 378:.0f} of 378 pairs"
    text = f"best hybrid 0.958 in the worst case, within {NEAR}"
    yield claim("L7 2D", text, [(worst[2], got, near(worst[0], 0.958, 1.0))], wanted)
    for code, size, printed in (("2D Halo", SMALL, 0.975), ("2D Halo", LARGE, 0.955)):
        wanted = sets((code,), size=size)

        def case(one: data.Set, printed: float = printed) -> tuple[str, bool]:
            value, name = best(one, names, "r2")
            return f"{value:.3f} of {name}", near(value, printed)

        yield claim(f"L8 {size}", f"R2 {printed}, within {NEAR}", over(there(wanted), case), wanted)
    wanted = sets(("3D Halo", "Sub A2A"))
    cases = [
        (one.shown, "{:.3f} of {}".format(*best(one, names, "r2")), near(best(one, names, "r2")[0], 0.99))
        for one in there(wanted)
    ]
    yield claim("L8 others", f"R2 0.99, within {NEAR}", cases, wanted)


def of_4096(end: str) -> Iterator[Found]:
    """L9, L10 and J23."""
    names, single = list(hybrids(end)), [SINGLE[0], f"{SINGLE[1]}{end}"]
    wanted = sets(("Sub A2A",), 4096)

    def rise(one: data.Set) -> tuple[str, bool]:
        before, after = best(one, single)[0], best(one, names)[0]
        return f"{before:.3f} to {after:.3f}", near(before, 0.86) and near(after, 0.98, 1.0)

    yield claim("L9 A2A", f"0.86 to 0.98, within {NEAR}", over(there(wanted), rise), wanted)
    wanted = sets(HALOS, 4096)

    def gain(one: data.Set) -> tuple[str, bool]:
        grown = 100 * (best(one, names)[0] / best(one, single)[0] - 1)
        return f"{grown:.1f} %", 0 < grown <= 10

    yield claim("L9 halos", "gain up to 8 %, within 2 points", over(there(wanted), gain), wanted)
    wanted = sets(nodes=4096, size=LARGE)
    five = f"H5{end}"

    def exact(one: data.Set) -> tuple[str, bool]:
        ordered, met = score(one, five), score(one, five, "r2")
        return f"RCC {ordered:.3f}, R2 {met:.3f}", min(ordered, met) >= 0.95

    yield claim("L10", "RCC and R2 at least 0.95", over(there(wanted), exact), wanted)
    wanted = sets(nodes=None)
    cases = [
        (one.shown, "{:.3f} of {}".format(*best(one, names)), best(one, names)[0] >= 0.95) for one in there(wanted)
    ]
    yield claim("J23", "RCC of the best hybrid at least 0.95", cases, wanted)


def draw(figure: str, path: Path) -> None:
    """Figures 4.8, 4.9 and 4.10."""
    if figure == "4.10":
        predicted(path)
        return
    shown = there(sets(nodes=1024 if figure == "4.8" else 4096))
    names = [PAIR, *hybrids()] if figure == "4.8" else [*SINGLE, "H1", "H3", "H5"]
    found = {by: {name: [score(one, name, by) for one in shown] for name in names} for by in ("rcc", "r2")}
    nodes = "1,024" if figure == "4.8" else "4,096"
    figures.scores(f"Features together, {nodes} nodes", [one.label for one in shown], found, path)


def predicted(path: Path) -> None:
    """Test rows of one split by H5, next to what was observed."""
    curves = {}
    for one in there(sets(nodes=4096, size=LARGE)) or there(sets(size=LARGE)):
        values, observed = data.features(one, columns("H5")), data.times(one)
        (rows, test), *_ = split_again(len(observed), TRAIN, METHOD.seed, 1)
        made = METHOD.made()
        made.fit(values[rows], observed[rows])
        order = test[np.argsort(observed[test])]
        curves[one.shown] = (observed[order], made.predict(values[order]))
    figures.predictions("Test mappings predicted by H5", curves, path)
