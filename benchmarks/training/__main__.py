"""`python -m benchmarks.training`: predicted training steps next to measured ones.

One efficiency for a GPU type and precision is fitted to the rows that its set names, by bisection of the median of
predicted over measured; all other rows are reported. Memory is not checked: measured steps did fit.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median

from benchmarks.training.sets import SETS, Case, Set
from netloom.training import Planner
from netloom.training.compute import Roofline
from netloom.training.split import check
from netloom.training.timeline import Timeline

MEASURED = Path(__file__).parents[3] / "shared" / "reference" / "measured"
#: Bisections of the efficiency.
HALVINGS = 12


class Predicted:
    """A measured step whose messages are timed once."""

    def __init__(self, case: Case) -> None:
        check(case.model, case.split)
        self.case = case
        self._planner = Planner(case.model, case.site, case.split.gpus)
        self._clock = self._planner.clock(case.split)

    def seconds(self, efficiency: float) -> float:
        """Predicted."""
        split = self.case.split
        roof = Roofline(self._planner.gpu, split.precision, efficiency)
        return Timeline(self.case.model, split, roof, self._clock).ran().step_s

    def ratio(self, efficiency: float) -> float:
        """Predicted over measured."""
        return self.seconds(efficiency) / self.case.seconds


def fit(cases: Sequence[Predicted]) -> float:
    """The efficiency with which the median of predicted over measured is 1."""
    low, high = 0.05, 1.0
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if median(one.ratio(middle) for one in cases) > 1 else (low, middle)
    return (low + high) / 2


def show(one: Set, folder: Path, details: bool) -> Iterator[str]:
    """Rows of the table; with details also each case."""
    made = {name: [Predicted(case) for case in cases(folder)] for name, cases in one.sources}
    fitted = [case for cases in made.values() for case in cases if case.case.fitted]
    efficiency = fit(fitted)
    for name, cases in made.items():
        if details:
            for case in cases:
                mark = "fitted" if case.case.fitted else ""
                yield f"  {case.case.name:60} {case.case.seconds:9.3f} {case.ratio(efficiency):6.3f} {mark}"
        errors = sorted(abs(case.ratio(efficiency) - 1) for case in cases if not case.case.fitted)
        yield (
            f"| {one.gpu}, {one.precision} | {one.fitted_on} ({len(fitted)}) | {efficiency:.3f} | {name} "
            f"| {len(errors)} | {100 * median(errors):.1f} % | {100 * errors[-1]:.1f} % |"
        )


def main(arguments: Sequence[str]) -> int:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--measured", type=Path, default=MEASURED)
    parser.add_argument("--details", action="store_true")
    parser.add_argument("--only", default="")
    given = parser.parse_args(arguments)
    print("| GPU | efficiency fitted on (rows) | efficiency | reported | rows | median error | largest |")
    print("|---|---|---|---|---|---|---|")
    for one in SETS:
        if given.only in f"{one.gpu} {one.precision}":
            for line in show(one, given.measured, given.details):
                print(line, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
