"""Rank files of `netloom map`: checked before the search, written after it, with the command line that uses each."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from .options import refused

if TYPE_CHECKING:
    from ..base.arrays import Endpoints
    from ..scenario import Bound

#: Optimisers that number places by a rule, which an option of a launcher may be able to say.
ORDERLY = ("enumeration", "level-orders")


def formats_of(emit: str | None, output: str | None, json_: bool) -> list[str]:
    """The rank file formats, checked."""
    from ..mapping.commands import paired
    from ..mapping.rank_files import check_format
    from .inputs import spelled

    if emit is None:
        return []
    formats = split_calls(emit)
    if not formats:
        raise refused("--emit", "must be a format of rank files", "see netloom list formats")
    with spelled({"format": "--emit"}):
        for text in formats:
            check_format(text)
    if formats and output is None and (len(formats) > 1 or json_):
        raise refused("--emit", "needs a folder for its files", "give -o FOLDER")
    return paired(formats)


def prepared(formats: list[str], bound: Bound, optimiser: str, cpus: str | None) -> list[str]:
    """The formats with the names of hosts and the numbers of CPUs that they get, checked before the search."""
    formats = _numbered(_named(formats, bound), cpus, bound)
    _require(formats, bound, optimiser)
    return formats


def _named(formats: list[str], bound: Bound) -> list[str]:
    """The formats with the names that the user calls hosts by, if the network has none."""
    from ..mapping.rank_files import named_as

    return formats if bound.network.has_names else named_as(formats, bound.text("placement"), bound.cores)


def _numbered(formats: list[str], cpus: str | None, bound: Bound) -> list[str]:
    """The formats with the CPU numbers of a node, if it is described."""
    if cpus is None:
        return formats
    from ..mapping.cpus import numbered
    from .inputs import spelled

    with spelled({"cpus": "--cpus"}):
        return numbered(formats, cpus, bound.cores, bound.text("node"))


def _require(formats: list[str], bound: Bound, optimiser: str) -> None:
    """Refuse formats before the search. What keeps the order of the places is tried in that order alone."""
    from .. import _core
    from ..mapping.cpus import require_gpus
    from ..mapping.launch import require_expressible, require_orderly
    from ..mapping.rank_files import emitted

    require_gpus(formats, bound.text("node"))
    if optimiser == "none":
        for text in formats:
            emitted(text, bound.slots, bound.start, bound.cores)
    elif _core.parse_call(optimiser)[0] in ORDERLY:
        require_orderly(formats, bound.slots, bound.start, bound.cores)
    elif formats:
        alike = 1 if bound.node is not None and bound.node.seats > 1 else bound.cores
        require_expressible(formats, bound.slots, bound.start, bound.cores, alike)


def written_to(formats: list[str], output: str | None, bound: Bound, slots: Endpoints) -> list[str]:
    """Rank files into the folder, or the only one to stdout."""
    from ..mapping.rank_files import emitted, write

    if formats and output is None:
        click.echo(emitted(formats[0], bound.slots, slots, bound.cores), nl=False)
    if output is None:
        return []
    return [str(path) for path in write(Path(output), formats, bound.slots, slots, bound.cores)]


def launches(formats: list[str], written: list[str], bound: Bound, slots: Endpoints) -> list[str]:
    """The command line that uses each file; without files, of the one on stdout."""
    from ..mapping.commands import commands
    from ..mapping.rank_files import emitted

    files = written or ["FILE"]
    made = [(f, file, emitted(f, bound.slots, slots, bound.cores)) for f, file in zip(formats, files, strict=False)]
    return commands(made, bound.ranks, lambda format: emitted(format, bound.slots, slots, bound.cores))


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
