"""Data to stdout, everything else to stderr."""

from __future__ import annotations

import json
import os
import shutil
import sys
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from itertools import zip_longest
from typing import TYPE_CHECKING

import click

from ..base.ahead import duration as duration
from ..base.errors import printable
from ..base.progress import Simulated, TimeLeft

if TYPE_CHECKING:
    from .. import _core
    from ..evaluate import Answer


#: Letters of a column that is still worth folding.
NARROW = 14


def emit_json(data: Mapping[str, object] | Iterable[Mapping[str, object]]) -> None:
    """One JSON document that says the version of netloom."""
    from ..base.stamp import stamped

    click.echo(json.dumps(stamped(data), indent=2, ensure_ascii=False, default=plain))


def model_of(found: Answer) -> dict[str, object]:
    """Which model answered, for JSON."""
    unused = {"without_effect": found.without_effect} if found.without_effect else {}
    return {"model": found.model, "assumptions": list(found.assumptions), **unused}


def plain(value: object) -> object:
    """NumPy values as Python ones."""
    return value.tolist() if hasattr(value, "tolist") else str(value)


def columns_wide() -> int:
    """Letters of a line: those of the terminal, 80 where stdout is none."""
    return shutil.get_terminal_size((80, 24)).columns if sys.stdout.isatty() else 80


def lines_high() -> int:
    """Lines of the terminal; 0 where stdout is none."""
    return shutil.get_terminal_size((80, 24)).lines if sys.stdout.isatty() else 0


def emit_facts(facts: Mapping[str, object]) -> None:
    """Aligned `name  value` lines."""
    width = max((len(name) for name in facts), default=0)
    for name, value in facts.items():
        say(f"{name:<{width}}  {show(value)}", min(width + 2, 24))


def emit_table(columns: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """Aligned columns, numbers to the right."""
    texts = [[show(cell) for cell in row] for row in rows]
    widths = [max([len(c), *(len(row[i]) for row in texts)]) for i, c in enumerate(columns)]
    if sys.stdout.isatty() and sum(widths) + 2 * len(widths) > columns_wide() and rows:
        _emit_narrow(columns, texts, widths)
        return
    right = [all(isinstance(row[i], (int, float)) or row[i] is None for row in rows) for i in range(len(columns))]
    for line in [list(columns), *texts]:
        cells = [f"{c:>{w}}" if r else f"{c:<{w}}" for c, w, r in zip(line, widths, right, strict=True)]
        click.echo("  ".join(cells).rstrip())


def _emit_narrow(columns: Sequence[str], texts: list[list[str]], widths: list[int]) -> None:
    """A table that is wider than the terminal: its long texts folded, or turned round, or a block for each row."""
    turned = [[name, *(row[at] for row in texts)] for at, name in enumerate(columns)]
    across = [max(len(row[at]) for row in turned) for at in range(len(texts) + 1)]
    for lines, wide in (([list(columns), *texts], widths), (turned, across)):
        fitting = _shrunk(wide)
        if fitting is not None:
            _emit_folded(lines, fitting)
            return
    wide_name = max(map(len, columns))
    for row in texts:
        for name, text in zip(columns, row, strict=True):
            say(f"{name:<{wide_name}}  {text}", wide_name + 2)
        click.echo()


def _shrunk(widths: Sequence[int]) -> list[int] | None:
    """Widths of columns that fit the terminal, the widest made narrower; None if one would be too narrow to read."""
    made, room = list(widths), columns_wide() - 2 * (len(widths) - 1)
    while sum(made) > room:
        widest = max(range(len(made)), key=made.__getitem__)
        if made[widest] <= NARROW:
            return None
        made[widest] -= 1
    return made


def _emit_folded(lines: Sequence[Sequence[str]], widths: Sequence[int]) -> None:
    for line in lines:
        folded = [textwrap.wrap(text, wide) or [""] for text, wide in zip(line, widths, strict=True)]
        for parts in zip_longest(*folded, fillvalue=""):
            click.echo("  ".join(f"{part:<{wide}}" for part, wide in zip(parts, widths, strict=True)).rstrip())


def say(text: str, indent: int = 0) -> None:
    """A sentence on stdout; folded at the width of a terminal, whole in a file."""
    if sys.stdout.isatty():
        text = textwrap.fill(
            text, max(columns_wide(), 40), subsequent_indent=" " * indent, break_on_hyphens=False, drop_whitespace=True
        )
    click.echo(text)


def show(value: object) -> str:
    """A value for people: six significant digits, lists with commas, control characters escaped."""
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:,.0f}" if 1e4 <= abs(value) < 1e15 else f"{value:.6g}"
    if isinstance(value, int):
        return f"{value:,}" if abs(value) >= 10000 else str(value)
    if isinstance(value, (list, tuple)):
        return ", ".join(map(show, value))
    return printable(str(value))


def note(text: str) -> None:
    """A line for people, on stderr; ignored if stderr is closed."""
    with suppress(BrokenPipeError):
        click.echo(printable(text, kept="\n"), err=True)


def reader_notes(network: _core.Network, node: _core.Node | None = None) -> None:
    """Notes of the reader of a network file; what costs nothing without a node is of no interest with one."""
    for text in network.notes:
        if node is None or "at the cost of a node if one is given" not in text:
            note(f"note: {text}")


def colour_wanted() -> bool:
    """True on a terminal, unless NO_COLOR is set or the terminal is dumb."""
    return sys.stderr.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


@contextmanager
def progress(title: str, quiet: bool = False, lines: bool = True) -> Iterator[Callable[..., object]]:
    """A progress bar on a terminal, a line now and then elsewhere unless the caller writes its own.

    Yields a callback of (done, total), and on a terminal of a few words on what is under way.
    """
    if quiet or not (lines or sys.stderr.isatty()):
        yield lambda done, total, words="": None
        return
    if not sys.stderr.isatty():
        yield TimeLeft(title, say=note)
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
    from rich.table import Column

    console = Console(stderr=True, no_color=not colour_wanted())
    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.percentage:>3.0f} %"))
    what = TextColumn("{task.fields[words]}", markup=False, table_column=Column(no_wrap=True, overflow="ellipsis"))
    with Progress(*columns, TimeElapsedColumn(), TimeRemainingColumn(), what, console=console, transient=True) as bar:
        task = bar.add_task(title, total=None, words="")

        def update(done: int, total: int, words: str) -> None:
            bar.update(task, completed=done, total=total or None, words=printable(words))

        yield _Bar(update)


class _Bar(Simulated):
    """Moves a bar."""

    def __init__(self, update: Callable[[int, int, str], object]) -> None:
        self.update = update

    def __call__(self, done: int, total: int, words: str = "") -> None:
        self.update(done, total, words or self.words(done, total))
