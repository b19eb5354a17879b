"""The section of docs/validation.md on the study of residuals, from its kept scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from benchmarks import table
from benchmarks.validation.residuals import CORRECTIONS, PLAIN, Scored, read, verdict

#: Other ways to divide the cells, or other costs, in words.
OTHERS = {
    "machines_alike": "each other machine drawn to as many rows",
    "default_costs": "costs `mpi-rdma` and `gpu-rdma` in place of the machines' own",
    "random_rows": "random fifths of all rows left out, not machines",
}


def section() -> str:
    """Text and tables."""
    kept = read()
    own = kept["machine_left_out"]
    others = [line for way, words in OTHERS.items() for line in _way(words, kept[way])]
    return "\n".join(
        [
            TITLE,
            "",
            QUESTION,
            "",
            table.text(["machine left out", "rows", "`time`, interval", *CORRECTIONS], _machines(own)),
            "",
            FOUND,
            "",
            table.text(["what is left out", "", "`time`", *CORRECTIONS], others),
            "",
            AGAIN,
            "",
        ]
    )


def _machines(by: Mapping[str, Mapping[str, Scored]]) -> list[list[object]]:
    """A line a machine, then the verdict's."""
    plain = by[PLAIN]
    lines: list[list[object]] = [
        [name, one.rows, f"{share(one.median)} ({100 * one.low:.0f} to {100 * one.high:.0f})"]
        + [f"{share(by[way][name].median)}{sign(by[way][name])}" for way in CORRECTIONS]
        for name, one in plain.items()
    ]
    return [*lines, *([*line[:1], "", *line[1:]] for line in _sums(by))]


def _sums(by: Mapping[str, Mapping[str, Scored]]) -> list[list[object]]:
    made = {name: verdict(list(one.values())) for name, one in by.items()}
    ways = (PLAIN, *CORRECTIONS)
    return [
        ["mean of the medians", *(share(made[way].mean) for way in ways)],
        ["mean \\|log ratio\\|", *(f"{made[way].log_ratio:.2f}" for way in ways)],
        ["lower on", "", *(f"{made[way].lower_on} of {made[way].machines}" for way in CORRECTIONS)],
    ]


def _way(words: str, by: Mapping[str, Mapping[str, Scored]]) -> list[list[object]]:
    return [[words if at == 0 else "", *line] for at, line in enumerate(_sums(by))]


def share(value: float) -> str:
    return f"{100 * value:.1f} %"


def sign(one: Scored) -> str:
    """Better or worse beyond the interval of the change."""
    return " −" if one.change_high < 0 else " +" if one.change_low > 0 else ""


def accepted(by: Mapping[str, Mapping[str, Scored]]) -> Sequence[str]:
    """The corrections that the rule takes."""
    return [way for way in CORRECTIONS if verdict(list(by[way].values())).accepted]


TITLE = QUESTION = FOUND = AGAIN = ""
