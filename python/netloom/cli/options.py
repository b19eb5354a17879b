"""Options shared by several commands, and their parsers."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import fields
from functools import wraps
from typing import TYPE_CHECKING, TypeVar

import click

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

    from .. import _core
    from ..base.errors import NetloomError
    from ..base.stopping import Clock
    from ..evaluate import Evaluator, Option
    from ..results.rows import Cell

F = TypeVar("F", bound=Callable[..., object])
_PLUGINS, _STOP, _BEGUN = "netloom.plugins", "netloom.stop_after", "netloom.begun"


def as_json(function: F) -> F:
    """`--json`."""
    return click.option("--json", "json_", is_flag=True, help="Print JSON on stdout.")(function)


def no_progress(function: F) -> F:
    """`-q`."""
    return click.option("-q", "--quiet", is_flag=True, help="No progress.")(function)


def stop_after(function: F) -> F:
    """`--stop-after`, kept for `stop_seconds` and `within`."""

    def given(ctx: click.Context, param: click.Parameter, text: str | None) -> None:
        ctx.meta[_STOP] = None if text is None or ctx.resilient_parsing else number("--stop-after", text)
        ctx.meta[_BEGUN] = time.monotonic()

    words = "Stop after this time; give what there is."
    return click.option("--stop-after", metavar="SECONDS", expose_value=False, callback=given, help=words)(function)


def stop_seconds() -> float | None:
    """What `--stop-after` says."""
    found: float | None = click.get_current_context().meta.get(_STOP)
    return found


def stop_left() -> float | None:
    """What is left of it since the command began; None without a limit."""
    seconds, begun = stop_seconds(), click.get_current_context().meta.get(_BEGUN, 0.0)
    return None if seconds is None else max(seconds - (time.monotonic() - begun), 0.0)


@contextmanager
def within(less: str, so_far: Callable[[], str] | None = None) -> Iterator[Clock]:
    """Work that `--stop-after` ends: who has parts of the answer catches `Stopped`.

    Parameters
    ----------
    less
        What is known sooner, for where nothing is known in time.
    so_far
        What was done then, and what is missing.

    Raises
    ------
    NetloomError
        `NL-E004` if nothing is known after that time.
    """
    from ..base.errors import Fault, NetloomError
    from ..base.stopping import Stopped, stopping

    try:
        # A short time may be over before the work begins.
        with stopping(stop_seconds()) as clock:
            yield clock
    except Stopped:
        sentence = f"nothing is known after {stop_seconds():g} s" + (f": {so_far()}" if so_far else "")
        raise NetloomError([Fault("NL-E004", "--stop-after", sentence, "", less)]) from None


def threads(function: F) -> F:
    """`--threads` of the core's loops, set before anything is built."""

    def given(ctx: click.Context, param: click.Parameter, most: int | None) -> None:
        if not ctx.resilient_parsing:
            from ..base.threads import limit_threads

            limit_threads(most)

    words = "Most threads at the same time; no answer depends on them.  [default: one per processor]"
    return click.option(
        "--threads", type=click.IntRange(1, 1024), metavar="N", expose_value=False, is_eager=True, callback=given,
        help=words,
    )(function)  # fmt: skip


def together(
    name: str, noun: type[DataclassInstance], *options: Callable[[Callable[..., object]], Callable[..., object]]
) -> Callable[[Callable[..., object]], Callable[..., object]]:
    """Options that are about one thing; the command gets them as one value.

    Parameters
    ----------
    name
        The command's parameter.
    noun
        The value's class, which has a field for each option.
    options
        In the order of the help text.
    """

    def decorate(function: Callable[..., object]) -> Callable[..., object]:
        @wraps(function)
        def run(*first: object, **given: object) -> object:
            made = noun(**{field.name: given.pop(field.name) for field in fields(noun)})
            return function(*first, **given, **{name: made})

        for option in reversed(options):
            option(run)
        return run

    return decorate


def plugins(function: F) -> F:
    """`--plugin`, loaded before the command runs."""
    words = "Load your own topologies, placements, ... from a Python file; may be repeated."
    return _before("--plugin", "FILE", words, _load)(function)


def machines(function: F) -> F:
    """`--machines`, searched before the command runs."""
    words = "Also look for machines, TOML files, in this folder; may be repeated. So does $NETLOOM_MACHINES."
    return _before("--machines", "FOLDER", words, _search_in)(function)


def _before(flag: str, metavar: str, words: str, callback: Callable[..., None]) -> Callable[[F], F]:
    """A repeated option that takes effect before all others are read, and that the command does not see."""
    name = f"{flag.removeprefix('--')}_"
    return click.option(
        flag, name, multiple=True, metavar=metavar, expose_value=False, is_eager=True, callback=callback, help=words
    )


def _load(ctx: click.Context, param: click.Parameter, paths: tuple[str, ...]) -> None:
    if paths and not ctx.resilient_parsing:
        from .. import plugin
        from ..plugin import consent

        for path in paths:
            plugin.load(path)
            consent.given(path)
        ctx.meta[_PLUGINS] = paths


def plugin_files() -> tuple[str, ...]:
    """What `--plugin` named, for a command that says how to run it again."""
    found: tuple[str, ...] = click.get_current_context().meta.get(_PLUGINS, ())
    return found


def _search_in(ctx: click.Context, param: click.Parameter, folders: tuple[str, ...]) -> None:
    if not ctx.resilient_parsing and (folders or "netloom.machine.presets" in sys.modules):
        from ..machine import search_in

        search_in(*folders)


def parameter(text: str) -> tuple[str, object]:
    """Name and value of `--set NAME=VALUE`, such as `node.nics=2`.

    Raises
    ------
    NetloomError
        `NL-A007` for another form or a name that is no part of an input, `NL-A001` for a value that is none.
    """
    from .. import _core
    from ..base.errors import Fault, NetloomError
    from ..scenario.axes import PARTED

    name, equals, value = (part.strip() for part in text.partition("="))
    start, _, key = name.partition(".")
    if not (equals and key and value) or start not in PARTED:
        expected = "INPUT.PARAMETER=VALUE, such as node.nics=2 or wire.duplex=half"
        hint = f"inputs with parameters: {', '.join(PARTED)}"
        raise NetloomError([Fault("NL-A007", "--set", expected, text, hint)])
    _, found, _ = _core.parse_call(f"x({value})")
    if len(found) != 1:
        raise NetloomError([Fault("NL-A007", "--set", "one value; a text with commas in quotes", value)])
    return name, found[0]


def require_taken(parameters: Iterable[str], flags: Collection[str]) -> None:
    """Refuses `--set` of an input that a command with these inputs does not take.

    Raises
    ------
    NetloomError
        `NL-H003`.
    """
    from ..base.errors import Fault, NetloomError
    from ..scenario.axes import PARTED
    from ..scenario.codes import NOT_USED

    known = [name for name in PARTED if name in flags]
    for name in parameters:
        if name.partition(".")[0] not in known:
            hint = f"it takes parameters of {', '.join(known)}"
            raise NetloomError([Fault(NOT_USED, f"--set {name}", "is not known to this command", "", hint)])


def require_toml(place: str, output: str, what: str) -> None:
    """Refuses a path by which the machine or the calibration would not be found again.

    Raises
    ------
    NetloomError
        `NL-X010`.
    """
    from ..base.errors import Fault, NetloomError

    if not output.endswith(".toml"):
        hint = f"a {what} is found again by its .toml"
        raise NetloomError([Fault("NL-X010", place, "a path ending in .toml", output, hint)])


def integer(place: str, text: str, least: int, most: int | None = None) -> int:
    """A whole number from the command line.

    Raises
    ------
    NetloomError
        `NL-A007`.
    """
    from ..base.errors import Fault, NetloomError

    plain = text.strip()
    if plain.isascii() and plain.isdecimal() and len(plain) < 20 and least <= int(plain) <= (most or int(plain)):
        return int(plain)
    expected = f"an integer >= {least}" if most is None else f"an integer in {least}..{most}"
    raise NetloomError([Fault("NL-A007", place, expected, text)])


def number(place: str, text: str) -> float:
    """A finite positive number from the command line.

    Raises
    ------
    NetloomError
        `NL-A007`.
    """
    from ..base.errors import Fault, NetloomError

    try:
        value = float(text)
    except ValueError:
        value = float("nan")
    if 0 < value < 1e9:
        return value
    raise NetloomError([Fault("NL-A007", place, "a number > 0", text)])


def refused(place: str, sentence: str, hint: str = "") -> NetloomError:
    """Options that do not go together: `NL-X010`."""
    from ..base.errors import Fault, NetloomError

    return NetloomError([Fault("NL-X010", place, sentence, "", hint)])


def settings_of(row: Evaluator, texts: dict[str, str | None]) -> dict[str, Cell]:
    """Parse options of an evaluator to the type of each option; text that does not parse stays text.

    Unknown options and values out of range are refused when the evaluator checks its options.
    """
    made: dict[str, Cell] = {}
    known = {option.name: option for option in row.options}
    for name, text in texts.items():
        if text is not None:
            made[name] = _typed(text.strip(), known[name]) if name in known else text
    return made


def _typed(text: str, option: Option) -> Cell:
    try:
        if isinstance(option.default, bool):
            return {"true": True, "false": False}.get(text, text)
        kind = option.kind or type(option.default)
        return kind(text) if issubclass(kind, (int, float)) and len(text) < 40 else text
    except ValueError:
        return text


def background(text: str) -> dict[str, float]:
    """The flow of `--background SRC:DST[:SIZE]`.

    Raises
    ------
    NetloomError
        `NL-A007`, `NL-A008`.
    """
    from ..base.errors import Fault, NetloomError
    from ..base.quantities import parse_bytes

    parts = text.split(":")
    if len(parts) not in (2, 3):
        raise NetloomError([Fault("NL-A007", "--background", "SRC:DST or SRC:DST:SIZE, such as 0:7:1GiB", text)])
    ends = [integer("--background", part, 0) for part in parts[:2]]
    flow: dict[str, float] = {"src": ends[0], "dst": ends[1]}
    if len(parts) == 3:
        flow["bytes"] = float(parse_bytes(parts[2], "--background"))
    return flow


def jobs_of(texts: tuple[str, ...], net: _core.Network, used: int = 0) -> list[dict[str, object]]:
    """`--job` as job rows; jobs without a size share the remaining endpoints equally (`used` are taken).

    Behind the size may stand `*TIMES`, how often the workload runs, and `@START`, when its ranks begin.

    Raises
    ------
    NetloomError
        `NL-A007`.
    """
    from ..base.arrays import in_service_count
    from ..base.quantities import parse_seconds

    rows: list[dict[str, object]] = []
    usable = in_service_count(net)
    left, open_ = usable - used, []
    for text in texts:
        head, colon, workload = text.partition(":")
        head, begins, start = (part.strip() for part in head.partition("@"))
        head, repeats, times = (part.strip() for part in head.partition("*"))
        name, sized, size = (part.strip() for part in head.partition("="))
        if not colon or not name or not workload.strip() or (sized and not size) or (begins and not start):
            raise _bad_job(text)
        row: dict[str, object] = {"name": name, "workload": workload.strip()}
        if repeats:
            row["repetitions"] = integer(f"--job {name}", times, 1)
        if begins:
            row["start"] = parse_seconds(start, f"--job {name}", least=0.0)
        if not sized:
            open_.append(row)
        elif size.endswith("%"):
            row["share"] = size
            left -= _share(size, text, usable)
        else:
            row["nodes"] = nodes = integer(f"--job {name}", size, 1)
            left -= nodes
        rows.append(row)
    for at, row in enumerate(open_):
        row["nodes"] = max(left // len(open_) + (at < left % len(open_)), 1)
    return rows


def _share(size: str, text: str, endpoints: int) -> int:
    """Endpoints of `50%`, rounded down, as job lists count them."""
    from fractions import Fraction

    digits = size.removesuffix("%").strip()
    if len(digits) > 20 or not digits.replace(".", "", 1).isdecimal() or not digits.isascii():
        raise _bad_job(text)
    return int(Fraction(digits) / 100 * endpoints)


def _bad_job(text: str) -> NetloomError:
    from ..base.errors import Fault, NetloomError

    hint = "for example --job 'mesh: stencil(8,8)', --job 'noise=25%: uniform' or --job 'late=4*3@1ms: ring.goal'"
    expected = "NAME: WORKLOAD, NAME=N: WORKLOAD or NAME=N%: WORKLOAD, before the colon *TIMES and @START if wanted"
    return NetloomError([Fault("NL-A007", "--job", expected, text, hint)])
