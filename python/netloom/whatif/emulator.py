"""A cheap stand-in for dear runs: fitted on a quasi-random design, judged on runs that it did not see.

Over ranges a Gaussian process with a Matern kernel (nu = 5/2) and one length for each parameter (Rasmussen and Williams
2006); where something is chosen, extremely randomised trees (Geurts et al. 2006). Positive results that differ by more
than ten times are fitted on a logarithmic scale.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from .varied import Choice, Value, Varied

if TYPE_CHECKING:
    from ..base.arrays import Matrix, Vector
    from ..learning.learners import Fitted

#: Runs of a design at most (the work grows with their cube), at least for each parameter (half of the ten of Loeppky,
#: Sacks and Welch 2009), and parts of the cross-validation.
MOST_RUNS, EACH, FOLDS = 256, 5, 5
#: R2 on held-out runs below which no index is given.
FLOOR = 0.8
#: Results that differ by more times are fitted on a logarithmic scale.
APART = 10.0


@dataclass(frozen=True)
class Emulator:
    """A fitted stand-in.

    Attributes
    ----------
    kind
        In words.
    runs
        That it was fitted on.
    r2, error
        On held-out runs: share of the variance that it explains, and the root of the mean squared error over the
        standard deviation of all results.
    whole, parts
        Fitted on all runs, and on those without each part.
    """

    kind: str
    runs: int
    r2: float
    error: float
    log: bool
    whole: Fitted
    parts: Sequence[Fitted]

    @property
    def trusted(self) -> bool:
        """Whether indices of it may be given."""
        return self.r2 >= FLOOR

    def predict(self, at: Matrix[np.float64], part: int | None = None) -> Vector[np.float64]:
        """Results at places between 0 and 1; `part` asks the one without that part of the runs."""
        found = (self.whole if part is None else self.parts[part]).predict(at)
        return np.exp(found) if self.log else found


def design(varied: Sequence[Varied], runs: int, seed: int) -> list[tuple[Value, ...]]:
    """Quasi-random points (Sobol' 1967), each once."""
    from scipy.stats import qmc  # type: ignore[import-untyped]

    sampler = qmc.Sobol(len(varied), bits=64, rng=np.random.default_rng(seed))
    rows = sampler.random(1 << (runs - 1).bit_length())[:runs]
    return list(
        dict.fromkeys(tuple(one.at(float(at)) for one, at in zip(varied, row, strict=True)) for row in rows)
    )  # fmt: skip


def fitted(varied: Sequence[Varied], points: Sequence[tuple[Value, ...]], results: Sequence[float]) -> Emulator:
    """An emulator, and how far it is off on runs that it did not see: each fifth is left out once."""
    # Samples, files of models and all else of learning are loaded with it: only where an emulator is needed.
    from ..learning import r2

    at = np.array([[one.place(value) for one, value in zip(varied, point, strict=True)] for point in points])
    observed = np.array(results)
    log = bool(observed.min() > 0 and observed.max() > APART * observed.min())
    wanted = np.log(observed) if log else observed
    trees = any(isinstance(one, Choice) for one in varied)
    part_of = np.arange(len(points)) % FOLDS
    whole = _fit(_trees() if trees else _process(at.shape[1]), at, wanted)
    # Those of the parts begin at the lengths of the whole, and look for their own.
    parts = [
        _fit(_trees() if trees else _process(at.shape[1], whole), at[part_of != part], wanted[part_of != part])
        for part in range(FOLDS)
    ]
    held = np.empty(len(points))
    for part, one in enumerate(parts):
        held[part_of == part] = one.predict(at[part_of == part])
    held = np.exp(held) if log else held
    spread = float(observed.std())
    error = float(np.sqrt(np.mean((held - observed) ** 2)) / spread) if spread > 0 else 0.0
    score = r2(observed, held) if spread > 0 else 1.0
    kind = "forest of random trees" if trees else "Gaussian process"
    return Emulator(kind, len(points), score, error, log, whole, parts)


def _fit(made: Fitted, at: Matrix[np.float64], wanted: Vector[np.float64]) -> Fitted:
    with warnings.catch_warnings():
        # A length at the end of its bounds: the parameter does nothing, or is a straight line.
        warnings.simplefilter("ignore")
        made.fit(at, wanted)
    return made


def _trees() -> Fitted:
    from ..learning import Method

    return Method("extra-trees").made()


def _process(parameters: int, like: Fitted | None = None) -> Fitted:
    from sklearn.gaussian_process import GaussianProcessRegressor
    from sklearn.gaussian_process.kernels import ConstantKernel, Matern, WhiteKernel

    if like is not None:
        kernel = like.kernel_  # type: ignore[attr-defined]
    else:
        lengths = Matern(np.ones(parameters), (1e-2, 1e3), nu=2.5)
        kernel = ConstantKernel(1.0, (1e-3, 1e6)) * lengths + WhiteKernel(1e-6, (1e-10, 1e-1))
    made: Fitted = GaussianProcessRegressor(kernel, normalize_y=True, random_state=1)
    return made
