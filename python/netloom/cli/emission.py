"""Rank files of `netloom map`: checked before the search, written after it, with the command line that uses each."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from .options import refused, together

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ..base.arrays import Endpoints
    from ..scenario import Question

#: Optimisers that number places by a rule, which an option of a launcher may be able to say.
ORDERLY = ("enumeration", "level-orders")


@dataclass(frozen=True)
class RankFiles:
    """Rank files that are asked for, as typed; None where nothing was said."""

    emit: str | None
    cpus: str | None
    output: str | None

    def formats(self, json_: bool) -> list[str]:
        """The rank file formats, checked."""
        from ..mapping.commands import paired
        from ..mapping.rank_files import check_format
        from .inputs import spelled

        if self.emit is None:
            if self.output is not None:
                raise refused("-o", "is the folder of rank files", "give --emit, such as --emit rankfile")
            return []
        formats = split_calls(self.emit)
        if not formats:
            raise refused("--emit", "must be a format of rank files", "see netloom list formats")
        with spelled({"format": "--emit"}):
            for text in formats:
                check_format(text)
        if formats and self.output is None and (len(formats) > 1 or json_):
            raise refused("--emit", "needs a folder for its files", "give -o FOLDER")
        return paired(formats)

    def prepared(self, formats: list[str], bound: Question, optimiser: str) -> list[str]:
        """The formats with the names of hosts and the numbers of CPUs that they get, checked before the search."""
        from ..mapping.rank_files import of_slots

        for text in formats:
            of_slots(text, bound.site.cores, _ports(text, bound))
            _note_split_hosts(text, bound)
        formats = _numbered(_named(formats, bound), self.cpus, bound)
        with _told():
            _require(formats, bound, optimiser)
        return formats

    def write(self, formats: list[str], bound: Question, slots: Endpoints) -> list[str]:
        """Rank files into the folder, or the only one to stdout."""
        from ..mapping.rank_files import write

        made = _writer(bound)
        with _told():
            if formats and self.output is None:
                click.echo(made(formats[0], slots), nl=False)
            if self.output is None:
                return []
            return [str(path) for path in write(Path(self.output), formats, lambda text: made(text, slots))]


rank_files = together(
    "rank_files",
    RankFiles,
    click.option(
        "--emit", metavar="FORMAT[,FORMAT]", help="Write rank files in these formats; see netloom list formats."
    ),
    click.option("--cpus", metavar="FILE", help="The node as lstopo --of xml: lists of cores get its CPU numbers."),
    click.option("-o", "--output", metavar="FOLDER", help="Folder for the rank files."),
)


@contextmanager
def _told() -> Iterator[None]:
    """Formats that cannot hold a mapping are named with the option that asks for them."""
    from ..base.errors import NetloomError

    try:
        yield
    except NetloomError as error:
        told = [replace(f, place=f"--emit {f.place}") if f.code == "NL-F018" else f for f in error.faults]
        raise NetloomError(told) from error.__cause__


def _note_split_hosts(format: str, bound: Question) -> None:
    """Say it where `slots` joins endpoints of several switches: it does not count cores. O(endpoints)."""
    from .. import _core
    from ..base.arrays import ndarray
    from .output import note

    slots = _core.parse_call(format)[2].get("slots", 1)
    if (
        bound.site.cores > 1
        or bound.site.node is not None
        or not isinstance(slots, int)
        or slots < 2
        or bound.network.has_names
    ):
        return
    if bound.network.hosts is not None:
        return
    switches = ndarray(bound.network.endpoint_switch)[:slots]
    if (switches != switches[0]).any():
        name = format.partition("(")[0].strip()
        words = f"{name}.slots: {slots} endpoints of several switches are one host"
        note(f"note: {words}; several ranks on an endpoint need --cores")


def _alike(bound: Question) -> bool:
    """Whether nothing tells the slots of an endpoint apart."""
    return bound.site.node is None or bound.site.node.seats <= 1


def _ports(format: str, bound: Question) -> int:
    """Endpoints of a host of the format; a placement by names gives one to each."""
    from .. import _core
    from ..mapping.rank_files import ports_of

    by_name = _core.parse_call(bound.text("placement"))[0] == "hosts" and bound.network.hosts is None
    return 1 if by_name else ports_of(format, bound.network, bound.site.node)


def _writer(bound: Question) -> Callable[[str, Endpoints], bytes]:
    """The file of a format for the slots of every rank."""
    from ..mapping.rank_files import emitted

    def write(format: str, slots: Endpoints) -> bytes:
        return emitted(format, bound.site.slots, slots, bound.site.cores, _alike(bound), _ports(format, bound))

    return write


def _named(formats: list[str], bound: Question) -> list[str]:
    """The formats with the names that the user calls hosts by, if the network has none."""
    from ..mapping.rank_files import named_as

    return formats if bound.network.has_names else named_as(formats, bound.text("placement"), bound.site.cores)


def _numbered(formats: list[str], cpus: str | None, bound: Question) -> list[str]:
    """The formats with the CPU numbers of a node, if it is described."""
    if cpus is None:
        return formats
    from ..mapping.cpus import numbered
    from .inputs import spelled

    with spelled({"cpus": "--cpus"}, [cpus]):
        hosts = bound.site.slots.hosts
        nics = 1 if bound.site.node is None else bound.site.node.nics
        seats = bound.site.cores * nics if hosts is None else hosts["most_endpoints"]
        return numbered(formats, cpus, seats, bound.text("node"))


def _require(formats: list[str], bound: Question, optimiser: str) -> None:
    """Refuse formats before the search. What keeps the order of the places is tried in that order alone."""
    from .. import _core
    from ..mapping.cpus import require_gpus
    from ..mapping.launch import require_expressible, require_orderly

    require_gpus(formats, bound.text("node"))
    if optimiser == "none":
        for text in formats:
            _writer(bound)(text, bound.place.start)
    elif _core.parse_call(optimiser)[0] in ORDERLY:
        require_orderly(formats, bound.place.start, _writer(bound))
    elif formats:
        require_expressible(
            formats, bound.place.start, bound.site.cores, bound.site.cores if _alike(bound) else 1, _writer(bound)
        )


def launches(formats: list[str], written: list[str], bound: Question, slots: Endpoints) -> list[str]:
    """The command line that uses each file; without files, of the one on stdout."""
    from ..mapping.commands import commands

    files = written or ["FILE"]
    write = _writer(bound)
    made = [(text, file, write(text, slots)) for text, file in zip(formats, files, strict=False)]
    hosts = bound.network.hosts
    gpus = hosts["most_endpoints"] if hosts is not None and hosts["joined"] else 0
    return commands(made, bound.ranks, lambda format: write(format, slots), gpus)


def split_calls(text: str) -> list[str]:
    """`a,b(x=1,y=2)` at the commas outside parentheses and quotes."""
    parts, depth, quote, start = [], 0, "", 0
    for i, c in enumerate(text):
        if quote:
            quote = "" if c == quote else quote
        elif c in "\"'":
            quote = c
        elif c in "([":
            depth += 1
        elif c in ")]":
            depth -= 1
        elif c == "," and depth == 0:
            parts.append(text[start:i])
            start = i + 1
    return [part.strip() for part in [*parts, text[start:]] if part.strip()]
