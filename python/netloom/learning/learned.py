"""Learns a column of a table from others, and says how far to trust it."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from ..base.errors import Fault, NetloomError
from .codes import BAD_SETTING
from .learners import Method, one_thread
from .model_file import Model
from .parts import Parts, Shares, divided
from .samples import Samples, varying
from .scores import LEVEL, SCORES, Score, interval
from .search import Searched, Task, search, subsets
from .selection import by_quantiles, impurity, permutation

if TYPE_CHECKING:
    from ..base.arrays import Vector

#: Subsets that one search may rate: all of nineteen features.
MOST_SUBSETS = (1 << 19) - 1
#: Features whose correlation is beyond this say the same.
ALIKE = 0.95


@dataclass(frozen=True)
class Asked:
    """What is learned, and how.

    Attributes
    ----------
    method
        Learner and settings.
    shares
        Which rows test, and which are held out.
    search
        Most features of a subset; all subsets are rated, and the best one by `by` is taken. None: all features.
    by
        `rcc` or `r2`.
    select
        Whether only features are taken that matter at extreme quantiles (Jain 2016, section 4.5.1).
    workers
        Processes of a search; no result depends on them.
    """

    method: Method = field(default_factory=Method)
    shares: Shares = field(default_factory=Shares)
    search: int | None = None
    by: str = "rcc"
    select: bool = False
    workers: int = 1

    def __post_init__(self) -> None:
        if self.by not in ("rcc", "r2"):
            raise NetloomError([Fault(BAD_SETTING, "--by", "rcc or r2", self.by)])
        if self.search is not None and self.search < 1:
            raise NetloomError([Fault(BAD_SETTING, "--search", "at least 1", str(self.search))])
        if self.search is not None and self.select:
            raise NetloomError(
                [Fault(BAD_SETTING, "--select", "does not go with --search", "", "leave one of them out")]
            )


@dataclass(frozen=True)
class Learned:
    """The model, and what is known of it.

    Attributes
    ----------
    scores
        By score, its value on each part of the rows; `*_interval` those of a bootstrap.
    importances
        By feature: `impurity`, its share of what splits gained, and `permutation`, by how much the error grows when
        it is shuffled.
    chosen
        The search, where there was one.
    quantiles
        Mean importances by quantile, where features were selected.
    optimism
        Score of the chosen subset on the rows that chose it, less that on rows that chose nothing; None without a
        choice.
    """

    model: Model
    samples: Samples
    parts: Parts
    predicted: Vector[np.float64]
    importances: Mapping[str, Mapping[str, float]]
    chosen: Searched | None
    quantiles: Mapping[float, Mapping[str, float]]
    optimism: float | None
    notes: Sequence[str]


def learn(found: Samples, asked: Asked, named: bool = False, said: Callable[..., object] | None = None) -> Learned:
    """Fits a learner on the training rows.

    Parameters
    ----------
    named
        Whether the features were named one by one, so that none of them may be useless.
    said
        Told how many subsets are rated, of how many.

    Raises
    ------
    NetloomError
        `NL-Q002`, `NL-Q003`, `NL-Q005`, and `NL-X012` without scikit-learn.
    """
    with one_thread():
        return _learned(found, asked, named, said)


def _learned(found: Samples, asked: Asked, named: bool, said: Callable[..., object] | None) -> Learned:
    assert found.observed is not None
    samples, constant = varying(found, named)
    parts = divided(len(samples.values), asked.shares, asked.method.seed)
    notes = _notes(samples, constant)
    chosen, quantiles, features = None, {}, list(samples.features)
    if asked.search is not None:
        chosen = _searched(samples, parts, asked, said)
        features = [samples.features[at] for at in chosen.best(asked.by).features]
    elif asked.select:
        train = parts.train
        kept, means = by_quantiles(samples.values[train], found.observed[train], asked.method.seed)
        quantiles = {q: dict(zip(samples.features, mean, strict=True)) for q, mean in means.items()}
        features = [samples.features[at] for at in kept] or features
    if asked.method.learner == "isotonic" and len(features) != 1:
        hint = "name it with --features, or add --search 1"
        raise NetloomError([Fault(BAD_SETTING, "--learner isotonic", "takes one feature", str(len(features)), hint)])
    return _fitted(samples, parts, asked, features, (chosen, quantiles), notes)


def _searched(samples: Samples, parts: Parts, asked: Asked, said: Callable[..., object] | None) -> Searched:
    assert samples.observed is not None and asked.search is not None
    total = subsets(len(samples.features), asked.search)
    if total > MOST_SUBSETS:
        sentence = f"at most {MOST_SUBSETS} subsets, and {len(samples.features)} features have {total}"
        raise NetloomError([Fault(BAD_SETTING, "--search", sentence, "", "name fewer --features, or smaller subsets")])
    # In drawn order, so that the first rows are a sample of all.
    draws = np.random.Generator(np.random.PCG64(asked.method.seed))
    train, test = draws.permutation(parts.train), draws.permutation(parts.test)
    task = Task(
        asked.method, samples.values[train], samples.observed[train], samples.values[test], samples.observed[test]
    )
    return search(task, asked.search, asked.workers, said)


def _fitted(
    samples: Samples,
    parts: Parts,
    asked: Asked,
    features: list[str],
    choice: tuple[Searched | None, Mapping[float, Mapping[str, float]]],
    notes: list[str],
) -> Learned:
    observed, values = samples.observed, samples.of(features)
    assert observed is not None
    made = asked.method.made()
    made.fit(values[parts.train], observed[parts.train])
    predicted: Vector[np.float64] = np.asarray(made.predict(values), dtype=float)
    scores = _scores(observed, predicted, parts, asked.method.seed)
    error, level, relative = _conformal(observed, predicted, parts, choice[0] is not None)
    ranges = tuple((float(low), float(high)) for low, high in _ranges(values[parts.train]))
    model = Model(
        made, tuple(features), samples.target, ranges, samples.origin, asked.method.facts(), scores, error, level,
        relative, len(parts.train),
    )  # fmt: skip
    shuffled = permutation(made, values[parts.test], observed[parts.test], asked.method.seed)
    importances = {
        name: {"impurity": float(share), "permutation": float(grown)}
        for name, share, grown in zip(features, impurity(made, len(features)), shuffled, strict=True)
    }
    optimism, (_, by_test, fresh, _) = None, scores[asked.by]
    if choice[0] is not None and by_test is not None and fresh is not None:
        optimism = by_test - fresh
    return Learned(model, samples, parts, predicted, importances, *choice, optimism, notes)


def _scores(observed: Vector[np.float64], predicted: Vector[np.float64], parts: Parts, seed: int) -> dict[str, Score]:
    made = {}
    for name, score in SCORES.items():
        found = {part: _known(score(observed[rows], predicted[rows])) for part, rows in parts.named()}
        fresh = interval(name, observed[parts.held_out], predicted[parts.held_out], seed)
        made[name] = Score(**found, held_out_interval=fresh)
    return made


def _known(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _ranges(values: np.ndarray[tuple[int, int], np.dtype[np.float64]]) -> list[tuple[float, float]]:
    return list(zip(np.min(values, axis=0), np.max(values, axis=0), strict=True))


def _conformal(
    observed: Vector[np.float64], predicted: Vector[np.float64], parts: Parts, searched: bool
) -> tuple[float, float, bool]:
    """Half-width of an interval that holds a fresh sample of the same kind with a probability, and that probability.

    Split conformal prediction (Lei et al. 2018) on rows that did not train, nor choose. Errors are relative where all
    that was observed is positive: times of one code spread over orders of magnitude.
    """
    rows = parts.held_out if searched else np.concatenate([parts.test, parts.held_out])
    relative = bool(np.all(observed > 0) and np.all(predicted > 0))
    errors = np.sort(np.abs(observed[rows] - predicted[rows]) / (predicted[rows] if relative else 1.0))
    number = min(math.ceil((len(errors) + 1) * LEVEL), len(errors))
    return float(errors[number - 1]), min(LEVEL, number / (len(errors) + 1)), relative


def _notes(samples: Samples, constant: list[str]) -> list[str]:
    """What was left out, and which features say the same."""
    notes = [f"{name} is the same in all rows and was left out" for name in constant]
    if len(samples.features) > 1:
        together = np.atleast_2d(np.corrcoef(samples.values, rowvar=False))
        for at, name in enumerate(samples.features):
            same = [other for to, other in enumerate(samples.features) if to > at and abs(together[at, to]) > ALIKE]
            if same:
                notes.append(
                    f"{name} says nearly the same as {', '.join(same)} (|r| > {ALIKE:g}): they share importance"
                )
    return notes
