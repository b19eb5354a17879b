"""Section 4.3 of Jain 2016: how well single features and hybrids predict the times of the kernels.

`python -m tests.papers.jain_2016.learning_scores` adds to `learning_scores.jsonl` what it lacks, about fifteen seconds
of one core a set. The learner is that of the section, extremely randomised trees with 100 trees. Two thirds of a set
train and one third tests, as in section 4.2.2; the thesis does not say which rows, so a score here is the mean over
ten splits that are drawn once. A feature set is given, not chosen, so that no score is of rows that chose it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from statistics import fmean

import numpy as np

from netloom.learning import HYBRIDS, NINETEEN, SCORES, Method
from netloom.learning.parts import split_again

from ..findings import digest
from . import learning_data as data

FILE = Path(__file__).parent / "learning_scores.jsonl"
METHOD, SPLITS, TRAIN = Method("extra-trees"), 10, 2 / 3
#: A printed score is met within this: no score of another machine need be met nearer.
NEAR = 0.05
PRIOR = ("max dilation", "avg bytes", "max bytes")
NEW = ("avg stalls", "avg stalls TO", "sum dilation AO", "avg bytes AO", "avg bytes TO")
PAIR = "avg + max bytes"
#: What is scored, by name. In features with "near" top outliers are links within 5 % of the most (E4-05).
ASKED: dict[str, tuple[str, ...]] = {name: (name,) for name in (*PRIOR, *NEW)}
ASKED |= {PAIR: ("avg bytes", "max bytes"), **HYBRIDS}
ASKED |= {f"{name}, near": of for name, of in ASKED.items() if any(part in data.NEAR for part in of)}
Line = dict[str, object]


def key(one: data.Set) -> str:
    """Digest of the samples of a set."""
    return digest([data.of(one).values.tolist(), data.times(one).tolist()])


def columns(name: str) -> list[str]:
    """Columns of what is asked."""
    near = name.endswith(", near")
    return [data.NEAR[part] if near and part in data.NEAR else NINETEEN[part] for part in ASKED[name]]


def mean_scores(
    values: np.ndarray, observed: np.ndarray, method: Method, splits: int = SPLITS, train: float = TRAIN
) -> dict[str, float]:
    """Mean of each score on the test rows of random splits."""
    found: dict[str, list[float]] = {name: [] for name in SCORES}
    for rows, test in split_again(len(observed), train, method.seed, splits):
        made = method.made()
        made.fit(values[rows], observed[rows])
        predicted = made.predict(values[test])
        for name, score in SCORES.items():
            found[name].append(score(observed[test], predicted))
    return {name: round(fmean(of), 5) for name, of in found.items()}


def scored(one: data.Set) -> Line:
    """All that is asked of one set."""
    scores = {name: mean_scores(data.features(one, columns(name)), data.times(one), METHOD) for name in ASKED}
    return {"set": one.name, "key": key(one), "scores": scores}


def lines(path: Path = FILE) -> list[Line]:
    """What a file keeps."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.is_file() else []


def write(path: Path, kept: Sequence[Line]) -> None:
    """Keep lines."""
    path.write_text("".join(json.dumps(line) + "\n" for line in kept), encoding="utf-8")


def run() -> None:
    """Add what is missing, and drop what is of other samples."""
    chosen = data.chosen()
    kept = {str(line["set"]): line for line in lines()}
    for one in chosen:
        if kept.get(one.name, {}).get("key") != key(one):
            kept[one.name] = scored(one)
            write(FILE, [kept[other.name] for other in chosen if other.name in kept])


@cache
def kept() -> Mapping[str, Mapping[str, Mapping[str, float]]]:
    """By set and what was asked, its scores."""
    return {str(line["set"]): line["scores"] for line in lines()}  # type: ignore[misc]


def score(one: data.Set, name: str, by: str = "rcc") -> float:
    """One of them."""
    return kept()[one.name][name][by]


def best(one: data.Set, names: Sequence[str], by: str = "rcc") -> tuple[float, str]:
    """The best score among some, and whose it is."""
    return max((score(one, name, by), name) for name in names)


def near(value: float, low: float, high: float | None = None, most: float = NEAR) -> bool:
    """Whether a score is within the slack of a printed one, or of a printed range."""
    return low - most <= value <= (low if high is None else high) + most


def hybrids(reading: str = "") -> Iterator[str]:
    """Names of the hybrids of table 4.5, with one of the definitions of top outliers."""
    for name in HYBRIDS:
        yield f"{name}, near" if reading and f"{name}, near" in ASKED else name


if __name__ == "__main__":
    run()
