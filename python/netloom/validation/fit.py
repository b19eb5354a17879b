"""Costs of software from measured collectives: bounded least squares of log errors over the simulator itself."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

from ..base.errors import Fault, NetloomError
from ..base.stopping import Stopped
from .codes import TOO_FEW
from .predict import time_s
from .score import Compared, Score, score
from .terms import GPUS, MPI, Terms

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy as np
    from numpy.typing import NDArray

    from .predict import Prepared

    Vector = NDArray[np.float64]

#: What rows are left out by: a number of nodes, or the name of an algorithm.
K = TypeVar("K", int, str)

#: Errors beyond it count less and less: a row that no term explains does not bend the others.
SCALE = 0.15
#: Standard deviation of what is known of a term before, in powers of e.
PRIOR = 1.5
#: A term whose logarithm is known worse than this is not determined.
DETERMINED = 0.5
#: Steps of the search, and of the differences.
STEPS, DIFFERENCE = 25, 0.02


@dataclass
class Fit:
    """Terms that were fitted.

    Attributes
    ----------
    terms
        Of MPI, or of a library of GPUs.
    values
        By name of a term.
    low, high
        Between which a term lies with the weight of two standard deviations, from the curvature of the errors.
    determined
        Terms that the measurements tell; the others are about as usual.
    own
        Score on the rows that were fitted.
    held
        By number of nodes: score on its rows of a fit without them; empty where there is one number of nodes only.
    held_algorithms
        The same by algorithm.
    """

    terms: Terms
    values: dict[str, float]
    low: dict[str, float]
    high: dict[str, float]
    determined: set[str]
    own: Score
    held: dict[int, Score] = field(default_factory=dict)
    held_algorithms: dict[str, Score] = field(default_factory=dict)

    @property
    def held_out(self) -> tuple[float, float, int] | None:
        """Median and 90 % quantile of the errors on rows of node counts that were left out, and their number."""
        return _together(self.held.values())

    @property
    def held_out_algorithms(self) -> tuple[float, float, int] | None:
        """The same for algorithms that were left out."""
        return _together(self.held_algorithms.values())


def _together(scores: Collection[Score]) -> tuple[float, float, int] | None:
    """Mean median and worst 90 % quantile of the errors of several fits, and the number of rows."""
    if not scores:
        return None
    rows = sum(one.rows for one in scores)
    return sum(one.median * one.rows for one in scores) / rows, max(one.p90 for one in scores), rows


Progress = Callable[[str, int, int], object]


def fit(prepared: Sequence[Prepared], *, cross: bool = True, progress: Progress | None = None) -> Fit:
    """The terms with which simulated times are nearest to measured ones.

    Parameters
    ----------
    cross
        Also fit without each number of nodes, and without each algorithm, in turn, and score on its rows.
    progress
        Called with what is fitted, its step and the most steps.

    Raises
    ------
    NetloomError
        `NL-V002` for fewer rows than terms, and for rows of MPI and of a library of GPUs together; `NL-X012` without
        SciPy.

    Notes
    -----
    Cost: steps times terms simulations of all rows, and as many again for each number of nodes and each algorithm.
    """
    terms = terms_of(prepared)
    if len(prepared) < len(terms.all):
        hint = "measure more sizes and algorithms"
        sentence = f"at least {len(terms.all)} measurements that can be used"
        raise NetloomError([Fault(TOO_FEW, "calibrate", sentence, str(len(prepared)), hint)])
    x, covariance = _solved(prepared, terms, "all", progress)
    known = [(one, math.sqrt(max(float(covariance[at, at]), 0.0))) for at, one in enumerate(terms.all)]
    values = _values(x, terms)
    made = Fit(
        terms,
        values,
        {one.name: max(values[one.name] * math.exp(-2 * d), one.least) for one, d in known},
        {one.name: min(values[one.name] * math.exp(2 * d), one.most) for one, d in known},
        {one.name for one, d in known if d < DETERMINED},
        _scored(prepared, terms, values),
    )
    # Where time is over each of them is there as a whole or not at all.
    with suppress(Stopped):
        if cross:
            made.held = _without_each(prepared, terms, lambda one: one.row.nodes, "nodes", progress)
            made.held_algorithms = _without_each(prepared, terms, algorithm_of, "", progress)
    return made


def algorithm_of(prepared: Prepared) -> str:
    """Its name in the catalogue, without parameters."""
    return prepared.call.partition("(")[0]


def _without_each(
    prepared: Sequence[Prepared], terms: Terms, key: Callable[[Prepared], K], what: str, progress: Progress | None
) -> dict[K, Score]:
    """By key, the score on its rows of a fit without them; empty where all have the same one."""
    found: dict[K, Score] = {}
    keys = sorted({key(one) for one in prepared})
    for own in keys if len(keys) > 1 else ():
        others = [one for one in prepared if key(one) != own]
        if len(others) < len(terms.all):
            continue
        without, _ = _solved(others, terms, f"without {own} {what}".rstrip(), progress)
        found[own] = _scored([one for one in prepared if key(one) == own], terms, _values(without, terms))
    return found


def terms_of(prepared: Sequence[Prepared]) -> Terms:
    """What measurements tell about: MPI, or a library of GPUs, whose schedules have a protocol.

    Raises
    ------
    NetloomError
        `NL-V002` for both together.
    """
    of_gpus = sum("protocol=" in one.call for one in prepared)
    if 0 < of_gpus < len(prepared):
        hint = "give them in two files, and calibrate twice"
        sentence = "measurements of MPI, or of a library of GPUs"
        raise NetloomError([Fault(TOO_FEW, "calibrate", sentence, f"{of_gpus} of {len(prepared)} of the latter", hint)])
    return GPUS if of_gpus else MPI


def _values(x: Vector, terms: Terms) -> dict[str, float]:
    """Four digits, as they are written: no term is known to more."""
    return {one.name: float(f"{math.exp(float(at)):.4g}") for one, at in zip(terms.all, x, strict=True)}


def _scored(prepared: Sequence[Prepared], terms: Terms, values: Mapping[str, float]) -> Score:
    return score([Compared(one.row, at) for one, at in zip(prepared, _times(prepared, terms, values), strict=True)])


def _times(prepared: Sequence[Prepared], terms: Terms, values: Mapping[str, float]) -> Iterator[float]:
    settings = terms.settings(values, prepared[0].settings)
    return (time_s(one, settings) for one in prepared)


def _solved(prepared: Sequence[Prepared], terms: Terms, what: str, progress: Progress | None) -> tuple[Vector, Vector]:
    """Logarithms of the terms, and their covariance."""
    try:
        import numpy as np
        from scipy.optimize import least_squares  # type: ignore[import-untyped]
    except ImportError:
        hint = "pip install 'netloom[all]'"
        raise NetloomError([Fault("NL-X012", "calibrate", "needs SciPy", "", hint)]) from None
    measured = np.log([one.row.time_s for one in prepared])
    usual, least, most = (np.log([getattr(one, name) for one in terms.all]) for name in ("usual", "least", "most"))
    step = 0

    def residuals(x: Vector) -> Vector:
        values = {one.name: math.exp(float(at)) for one, at in zip(terms.all, x, strict=True)}
        times = np.fromiter(_times(prepared, terms, values), float, len(prepared))
        own: Vector = np.concatenate([(np.log(times) - measured) / SCALE, (x - usual) / PRIOR])
        return own

    def derivatives(x: Vector) -> Vector:
        nonlocal step
        step += 1
        if progress is not None:
            progress(what, step, STEPS)
        here = residuals(x)
        columns = []
        for at in range(len(x)):
            side = DIFFERENCE if x[at] + DIFFERENCE <= most[at] else -DIFFERENCE
            moved = x.copy()
            moved[at] += side
            columns.append((residuals(moved) - here) / side)
        made: Vector = np.stack(columns, axis=1)
        return made

    found = least_squares(
        residuals, usual, jac=derivatives, bounds=(least, most), loss="soft_l1", max_nfev=STEPS, xtol=1e-3, ftol=1e-4
    )
    # Residuals are in units of SCALE: their real spread takes its place.
    spread = max(1.0, 2.0 * found.cost / max(len(prepared) - len(terms.all), 1))
    covariance: Vector = np.linalg.pinv(found.jac.T @ found.jac) * spread
    return found.x, covariance
