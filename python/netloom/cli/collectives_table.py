"""The answer of `netloom collectives` as text: times by size, and who ties."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ..base.winner import NAMED
from .output import columns_wide, emit_table, note, say
from .unchanged import show_unchanged

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..results.rows import Cell
    from ..tuning import Timing
    from ..tuning.unchanged import Unchanged

#: Letters of a column of times.
COLUMN = 9
_SHOWN = ("algorithm", "time", "algbw", "busbw", "% of bound", "")
RATES = ("algbw_bytes_per_s", "busbw_bytes_per_s")
#: Lines of a collective besides algorithms, switch points and the library's choices; algorithms that are always shown.
LINES, LEAST = 6, 4


def show_times(timing: Timing, own: list[Unchanged], high: int | None) -> None:
    """The answer, sizes by algorithms (all numbers of one size), the switch points, and what the library chooses by
    itself; as many algorithms as `high` lines have room for."""
    from ..base.quantities import amount_text, counted, size_text, time_text
    from ..tuning.tables import switch_points, winners
    from ..tuning.ties import fastest

    size, best, time_s = winners(timing)[-1]
    level = [_short(name) for name in fastest(timing, size)[1:]]
    tie = f", level with {', '.join(level)}" if level else ""
    speed = max(float(row["busbw_bytes_per_s"] or 0) for row in timing.table.rows if row["size_bytes"] == size)
    where = f"{timing.network}, {counted(timing.ranks, 'rank')}"
    rate = f", busbw {amount_text(speed)}/s" if speed else ""
    tie += _unless(timing, size)
    say(f"{timing.collective} of {size_text(size)}: {time_text(time_s)}{rate} with {best}{tie}; {where}")
    points = switch_points(timing)
    sizes = _fitting(timing.sizes, max(len(_short(row["algorithm"])) for row in timing.table.rows))
    if len(timing.sizes) == 1:
        _one_size(timing)
    else:
        _by_size(timing, sizes, None if high is None else max(LEAST, high - LINES - len(points) - len(own)))
    for size, name in points:
        click.echo(f"from {size_text(size)}: {name}{_unless(timing, size)}")
    show_unchanged(own)
    exact = "no cut asks for more" if timing.bound["exact"] else "other cuts may ask for more"
    click.echo(f"bound: {timing.bound['method']}; {exact}")
    if len(sizes) < len(timing.sizes):
        note(f"{len(sizes)} of {len(timing.sizes)} sizes are shown; --report FILE.html, -o FOLDER and --json have all")
    if timing.sizes_left_out:
        note(f"left out for want of time: {', '.join(map(size_text, timing.sizes_left_out))}: give fewer with --sizes")
    if timing.elsewhere:
        note("-: cannot win there, or there was no time to tell; --json has the reasons")
    for name, reason in timing.left_out.items():
        note(f"left out: {name}: {reason}")


def note_undecided(timings: Sequence[Timing], kinds: Sequence[str]) -> None:
    """A note where tuning files choose without algorithms that may win."""
    for timing in timings if kinds else []:
        if timing.may_win or timing.sizes_left_out:
            note(f"note: {timing.collective}: the files choose among what was timed; --json has may_win, sizes_skipped")


def _unless(timing: Timing, size: int) -> str:
    """Who was not timed at a size and may win there."""
    names = [_short(name) for name, sizes in timing.may_win.items() if size in sizes]
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return f", unless {', '.join(names[:NAMED])}{more}, not timed" if names else ""


def _short(algorithm: Cell) -> str:
    """Without the collective, which the first line names."""
    return str(algorithm).partition(":")[2] or str(algorithm)


def _fitting(sizes: list[int], names: int) -> list[int]:
    """Sizes whose columns fit the width, evenly apart, the largest among them."""
    most = max(2, (columns_wide() - names) // COLUMN)
    step = -(-len(sizes) // most)
    return sizes[::-1][::step][::-1]


def _ranked(timing: Timing) -> list[tuple[Cell, dict[int, float]]]:
    """Each algorithm and its times by size; who loses least on average first."""
    from math import fsum, log

    times: dict[Cell, dict[int, float]] = {}
    for row in timing.table.rows:
        times.setdefault(row["algorithm"], {})[int(row["size_bytes"] or 0)] = float(row["time_s"] or 0.0)
    best = {size: min(one[size] for one in times.values() if size in one) for size in timing.sizes}

    def lost(one: dict[int, float]) -> float:
        return fsum(log(time / best[size]) for size, time in one.items() if best[size] > 0) / len(one)

    return sorted(times.items(), key=lambda item: lost(item[1]))


def _by_size(timing: Timing, sizes: list[int], most: int | None) -> None:
    from ..base.quantities import size_text, time_text
    from ..base.winner import is_tie
    from ..tuning.ties import margin

    ranked = _ranked(timing)
    best, share = {size: min(one[size] for _, one in ranked if size in one) for size in sizes}, margin(timing)
    if most is not None and len(ranked) > most:
        # Those that win somewhere before the others.
        wins = [any(one.get(size) == least for size, least in best.items()) for _, one in ranked]
        kept = sorted(sorted(range(len(ranked)), key=lambda at: not wins[at])[:most])
        note(f"{most} of {len(ranked)} algorithms are shown; --report FILE.html, -o FOLDER and --json have all")
        ranked = [ranked[at] for at in kept]
    lines = [["", *map(size_text, sizes)]]
    for name, times in ranked:
        cells = [
            time_text(times[size]) + ("*" if is_tie(best[size], times[size], share) else " ") if size in times else "- "
            for size in sizes
        ]
        lines.append([_short(name), *cells])
    wide = max(len(line[0]) for line in lines)
    for line in lines:
        head = line is lines[0]
        cells = [f"{cell + ' ' * head:>{COLUMN}}" for cell in line[1:]]
        click.echo(f"{line[0]:<{wide}}{''.join(cells)}".rstrip())
    say(f"* {_tied(timing, timing.sizes[-1]) or f'fastest of its size, with those {_within(timing)}'}", 2)


def _within(timing: Timing) -> str:
    """`within 7 %, the median error of such predictions`."""
    from ..base.winner import within
    from ..tuning.ties import margin

    return within(margin(timing))


def _tied(timing: Timing, size: int) -> str:
    """Who ties at a size by a known error; "" where one is alone, or no error is known."""
    from ..base.quantities import size_text
    from ..base.winner import tie_said
    from ..tuning.ties import margin, tied

    at = f" at {size_text(size)}" if len(timing.sizes) > 1 else ""
    said = tie_said([_short(name) for name in tied(timing, size)], margin(timing))
    return said and f"{said}{at}"


def _one_size(timing: Timing) -> None:
    from ..base.quantities import amount_text, time_text
    from ..tuning.ties import tied

    size = timing.sizes[0]
    level = tied(timing, size) if timing.error is not None else []
    rows = [
        [
            _short(row["algorithm"]),
            time_text(float(row["time_s"] or 0), 4),
            *(None if row[rate] is None else f"{amount_text(float(row[rate] or 0), 4)}/s" for rate in RATES),
            row["bound_percent"],
            "winner" if row["winner"] else "tie" if row["algorithm"] in level else "",
        ]
        for row in timing.table.rows
    ]
    emit_table(_SHOWN, rows)
    if line := _tied(timing, size):
        say(line)
