"""Costs of software from measured collectives: bounded least squares of log errors over the simulator itself."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ..base.errors import Fault, NetloomError
from .codes import TOO_FEW
from .predict import time_s
from .score import Compared, Score, score

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy as np
    from numpy.typing import NDArray

    from ..base.records import Settings
    from .predict import Prepared

    Vector = NDArray[np.float64]

#: Errors beyond it count less and less: a row that no term explains does not bend the others.
SCALE = 0.15
#: Standard deviation of what is known of a term before, in powers of e.
PRIOR = 1.5
#: A term whose logarithm is known worse than this is not determined.
DETERMINED = 0.5
#: Steps of the search, and of the differences.
STEPS, DIFFERENCE = 25, 0.02
#: Bytes from which a buffer is in no cache, and sizes of messages between which latency may differ.
CACHES, LARGE, HUGE = 1 << 24, 1 << 16, 1 << 20
SMALL = 128


@dataclass(frozen=True)
class Term:
    """A number that is fitted, above 0.

    Parameters
    ----------
    usual
        What it is on machines of the last ten years; the search starts there, and stays there where data say nothing.
    """

    name: str
    unit: str
    usual: float
    least: float
    most: float
    meaning: str


TERMS: tuple[Term, ...] = (
    Term("latency_s", "s", 2e-6, 1e-7, 1e-4, f"a message of at most {SMALL} bytes"),
    Term("eager_latency_s", "s", 2.5e-6, 1e-7, 1e-4, "a larger one that is eager"),
    Term("eager_s_per_byte", "s/B", 2e-10, 1e-12, 1e-8, "and each of its bytes"),
    Term("rendezvous_latency_s", "s", 5e-6, 1e-7, 1e-3, "one that is not eager, up to 64 KiB"),
    Term("large_latency_s", "s", 8e-6, 1e-7, 1e-3, "one above 64 KiB"),
    Term("huge_latency_s", "s", 1e-5, 1e-7, 1e-3, "one above 1 MiB"),
    Term("flow_cap", "B/s", 1.5e10, 1e8, 1e12, "largest rate of a message"),
    Term("crossing_flow_cap", "B/s", 1e10, 1e8, 1e12, "the same while another goes the opposite way between the ranks"),
    Term("combine_s_per_byte", "s/B", 1.5e-10, 1e-12, 1e-8, "combining, of a buffer in caches"),
    Term("combine_far_s_per_byte", "s/B", 2.5e-10, 1e-12, 1e-8, "combining, of a buffer above 16 MiB"),
    Term("copy_s_per_byte", "s/B", 5e-11, 1e-13, 1e-8, "copying, of a buffer in caches"),
    Term("copy_far_s_per_byte", "s/B", 1e-10, 1e-13, 1e-8, "copying, of a buffer above 16 MiB"),
    Term("call_overhead_s", "s", 2e-6, 1e-8, 1e-3, "entering a collective"),
)


#: Settings that the terms make, each with its terms.
FITTED: dict[str, tuple[str, ...]] = {
    "message_latency": (
        "latency_s",
        "eager_latency_s",
        "eager_s_per_byte",
        "rendezvous_latency_s",
        "large_latency_s",
        "huge_latency_s",
    ),
    "flow_cap": ("flow_cap",),
    "crossing_flow_cap": ("crossing_flow_cap",),
    "combine_s_per_byte": ("combine_s_per_byte", "combine_far_s_per_byte"),
    "copy_s_per_byte": ("copy_s_per_byte", "copy_far_s_per_byte"),
    "call_overhead_s": ("call_overhead_s",),
}


def settings_of(values: Mapping[str, float], base: Settings) -> dict[str, object]:
    """Settings of the core with these terms, else those of `base`."""
    eager = int(str(base["sender_returns_below_bytes"]))
    latency = [[0, values["latency_s"], 0.0]]
    if eager > SMALL:
        latency.append([SMALL, values["eager_latency_s"], values["eager_s_per_byte"]])
    # A message of exactly the limit is not eager.
    latency += [
        [above, values[name], 0.0]
        for above, name in (
            (max(eager - 1, 0), "rendezvous_latency_s"),
            (LARGE, "large_latency_s"),
            (HUGE, "huge_latency_s"),
        )
        if above > latency[-1][0]
    ]
    return {
        **base,
        "message_latency": latency,
        "flow_cap": values["flow_cap"],
        "crossing_flow_cap": values["crossing_flow_cap"],
        "combine_s_per_byte": [[0, values["combine_s_per_byte"]], [CACHES, values["combine_far_s_per_byte"]]],
        "copy_s_per_byte": [[0, values["copy_s_per_byte"]], [CACHES, values["copy_far_s_per_byte"]]],
        "call_overhead_s": values["call_overhead_s"],
    }


@dataclass
class Fit:
    """Terms that were fitted.

    Attributes
    ----------
    values
        By name of `TERMS`.
    low, high
        Between which a term lies with the weight of two standard deviations, from the curvature of the errors.
    determined
        Terms that the measurements tell; the others are about as usual.
    own
        Score on the rows that were fitted.
    held
        By number of nodes: score on its rows of a fit without them; empty where there is one number of nodes only.
    """

    values: dict[str, float]
    low: dict[str, float]
    high: dict[str, float]
    determined: set[str]
    own: Score
    held: dict[int, Score] = field(default_factory=dict)

    @property
    def held_out(self) -> tuple[float, float, int] | None:
        """Median and 90 % quantile of the errors on rows of node counts that were left out, and their number."""
        if not self.held:
            return None
        rows = sum(one.rows for one in self.held.values())
        median = sum(one.median * one.rows for one in self.held.values()) / rows
        return median, max(one.p90 for one in self.held.values()), rows


Progress = Callable[[str, int, int], object]


def fit(prepared: Sequence[Prepared], *, cross: bool = True, progress: Progress | None = None) -> Fit:
    """The terms with which simulated times are nearest to measured ones.

    Parameters
    ----------
    cross
        Also fit without each number of nodes in turn, and score on its rows.
    progress
        Called with what is fitted, its step and the most steps.

    Raises
    ------
    NetloomError
        `NL-V002` for fewer rows than terms; `NL-X012` without SciPy.

    Notes
    -----
    Cost: steps times terms simulations of all rows, and as many again for each number of nodes.
    """
    if len(prepared) < len(TERMS):
        hint = "measure more sizes and algorithms"
        sentence = f"at least {len(TERMS)} measurements that can be used"
        raise NetloomError([Fault(TOO_FEW, "calibrate", sentence, str(len(prepared)), hint)])
    x, covariance = _solved(prepared, "all", progress)
    known = [(one, math.sqrt(max(float(covariance[at, at]), 0.0))) for at, one in enumerate(TERMS)]
    values = _values(x)
    made = Fit(
        values,
        {one.name: max(values[one.name] * math.exp(-2 * d), one.least) for one, d in known},
        {one.name: min(values[one.name] * math.exp(2 * d), one.most) for one, d in known},
        {one.name for one, d in known if d < DETERMINED},
        _scored(prepared, values),
    )
    counts = sorted({one.row.nodes for one in prepared})
    for nodes in counts if cross and len(counts) > 1 else ():
        others = [one for one in prepared if one.row.nodes != nodes]
        if len(others) < len(TERMS):
            continue
        without, _ = _solved(others, f"without {nodes} nodes", progress)
        made.held[nodes] = _scored([one for one in prepared if one.row.nodes == nodes], _values(without))
    return made


def _values(x: Vector) -> dict[str, float]:
    """Four digits, as they are written: no term is known to more."""
    return {one.name: float(f"{math.exp(float(at)):.4g}") for one, at in zip(TERMS, x, strict=True)}


def _scored(prepared: Sequence[Prepared], values: Mapping[str, float]) -> Score:
    return score([Compared(one.row, at) for one, at in zip(prepared, _times(prepared, values), strict=True)])


def _times(prepared: Sequence[Prepared], values: Mapping[str, float]) -> Iterator[float]:
    settings = settings_of(values, prepared[0].settings)
    return (time_s(one, settings) for one in prepared)


def _solved(prepared: Sequence[Prepared], what: str, progress: Progress | None) -> tuple[Vector, Vector]:
    """Logarithms of the terms, and their covariance."""
    try:
        import numpy as np
        from scipy.optimize import least_squares  # type: ignore[import-untyped]
    except ImportError:
        hint = "pip install 'netloom[all]'"
        raise NetloomError([Fault("NL-X012", "calibrate", "needs SciPy", "", hint)]) from None
    measured = np.log([one.row.time_s for one in prepared])
    usual, least, most = (np.log([getattr(one, name) for one in TERMS]) for name in ("usual", "least", "most"))
    step = 0

    def residuals(x: Vector) -> Vector:
        values = {one.name: math.exp(float(at)) for one, at in zip(TERMS, x, strict=True)}
        times = np.fromiter(_times(prepared, values), float, len(prepared))
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
    spread = max(1.0, 2.0 * found.cost / max(len(prepared) - len(TERMS), 1))
    covariance: Vector = np.linalg.pinv(found.jac.T @ found.jac) * spread
    return found.x, covariance
