"""The section of docs/validation.md on the study of residuals, from its kept scores."""

from __future__ import annotations

from collections.abc import Mapping

from benchmarks import table
from benchmarks.validation.residuals import CORRECTIONS, PLAIN, WAYS, Outcome, Scored, read

TITLE = "## A learned correction: not taken"
ASKED = """\
`time` is off by a share that depends on size, collective and code. Can that share be learned on machines that were
measured, and make predictions of another machine better? The target is the logarithm of measured over predicted
time of a row. Known beforehand are bytes, ranks, nodes, ranks on a node and predicted time (logarithms), the shares
of the predicted time that wires alone and that delays of software take, the collective, and whether PICO's code, an
MPI library or NCCL ran it. The corrections are one factor (the median), a factor for each collective, and three
learners of `netloom learn` with its settings. A machine is left out as a whole. The rule was set before any
correction was scored: a correction is taken if the median error falls on two thirds of the machines left out, and
its mean over the machines falls too.

The rows are those scored above, those of Fugaku, and those of three machines that netloom does not ship, for which
`generic-hdr` (with 96 ranks on a node), `summit` and `cloud-h100-roce` stand in: allreduces of the OSU benchmarks
on Azure and Lassen (github.com/converged-computing/performance-study, MIT licence, 2024: medians; the algorithm is
what Open MPI would choose) and rings of 1,024 H100 (issue 322 of github.com/NVIDIA/nccl-tests, 2025). Numbers are
median errors. In brackets stands the interval of 90 % of that of `time`, by bootstrap over the rows; ▼ and ▲ mark
corrections that make it lower or higher beyond the interval of the difference."""
FOUND = """\
No correction is taken: each raises the median error on more machines than it lowers it on. Leonardo is twice as
slow as predicted, LUMI-G and H100 are not, and nothing that is known of a row beforehand says which of these a new
machine is. So what is learned on the others spoils most where `time` was near. On machines left out no correction
explains any of the variance of the target (R² in the next table is 0 or less).

The last lines are what a random split would have promised: half the error of `time`, from the same rows and
learners, and the rule would have taken extra-trees. But such a split tests on repetitions and neighbouring sizes of
what it learned from. With whole node counts left out, while the machine's other ones are learned from, the mean of
the median errors is above that of `time` again; what is better there is the mean of the logarithms, most of all on
Azure, which is twenty times as slow as predicted. Where a machine has measurements of its own, `netloom calibrate`
fits costs to them."""
AGAIN = """\
`python -m benchmarks.validation.residuals` computes the scores again from the kept rows
(`benchmarks/validation/cells.csv`) in two minutes; with `--anew` it simulates the rows again first, in about a
quarter of an hour. The five rows of 1,024 H100 were simulated as a ring in the order of ranks at first, and were
mended after the first scores had been seen; no correction was taken then either. Leaving out node counts, and doing
without the stand-ins, were added then. The costs of MareNostrum 5 were fitted to a part of its rows, as said above,
and those of messages between two nodes of the stand-ins for Azure and Lassen are from point-to-point tests there."""


def section() -> str:
    """Text and tables."""
    kept = read()
    heads = [*CORRECTIONS]
    first = ["machine left out", "rows", "measured / `time`", "error of `time`", *heads]
    lines = [line for way, row in WAYS.items() for line in _sums(row.words, kept[way])]
    parts = [
        TITLE,
        ASKED,
        table.text(first, _machines(kept["machines"])),
        FOUND,
        table.text(["what is left out", "over the machines", "`time`", *heads], lines),
        AGAIN,
    ]
    return "\n\n".join(parts) + "\n"


def _machines(by: Mapping[str, Outcome]) -> list[list[object]]:
    """A line a machine."""
    return [
        [name, one.rows, f"{one.bias:.2f}", f"{_share(one.median)} ({100 * one.low:.0f} to {100 * one.high:.0f})"]
        + [f"{_share(by[way].machines[name].median)}{_mark(by[way].machines[name])}" for way in CORRECTIONS]
        for name, one in by[PLAIN].machines.items()
    ]


def _sums(words: str, by: Mapping[str, Outcome]) -> list[list[object]]:
    """Lines of a way to leave out."""
    made = {name: one.verdict for name, one in by.items()}
    ways = (PLAIN, *CORRECTIONS)
    return [
        [words, "mean of the median errors", *(_share(made[way].mean) for way in ways)],
        ["", "mean \\|log ratio\\|", *(f"{made[way].log_ratio:.2f}" for way in ways)],
        ["", "R² of the logarithms", "", *(f"{by[way].r2:.2f}" for way in CORRECTIONS)],
        ["", "median error lower on", "", *(f"{made[way].lower_on} of {made[way].machines}" for way in CORRECTIONS)],
    ]


def _share(value: float) -> str:
    return f"{100 * value:.1f} %"


def _mark(one: Scored) -> str:
    """Lower or higher beyond the interval of the change."""
    return " ▼" if one.change_high < 0 else " ▲" if one.change_low > 0 else ""
