"""Options that several commands share, and what they do with them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from .output import reader_notes

F = TypeVar("F", bound=Callable[..., Any])


def as_json(function: F) -> F:
    """`--json`."""
    return click.option("--json", "json_", is_flag=True, help="Print JSON on stdout.")(function)


def plugins(function: F) -> F:
    """`--plugin`, loaded before the command runs."""
    return click.option(
        "--plugin",
        "plugins_",
        multiple=True,
        metavar="FILE",
        expose_value=False,
        is_eager=True,
        callback=_load,
        help="Load topologies, placements, ... of your own from a Python file; may be repeated.",
    )(function)


def _load(ctx: click.Context, param: click.Parameter, paths: tuple[str, ...]) -> None:
    if paths and not ctx.resilient_parsing:
        from .. import plugin

        for path in paths:
            plugin.load(path)


def job(function: F) -> F:
    """`--network` ... `--order`, and one of `--collective`, `--traffic` and `--application`."""
    for option in reversed(
        [
            click.option("-n", "--network", required=True, metavar="CALL|FILE", help="Network, as call text or file."),
            click.option("--from", "format_", metavar="FORMAT", help="Format of the network file."),
            click.option("--ranks", metavar="N", help="Number of ranks; by default one per endpoint."),
            click.option("--placement", default="linear", show_default=True, metavar="CALL", help="Which endpoints."),
            click.option("--order", default="draw", show_default=True, metavar="CALL", help="Which rank on which."),
            click.option("-c", "--collective", metavar="CALL", help="collective:algorithm."),
            click.option("-t", "--traffic", metavar="CALL", help="A traffic pattern, in place of a collective."),
            click.option("-a", "--application", metavar="CALL", help="The messages of an application, all together."),
            click.option("--size", default="1", show_default=True, metavar="SIZE", help="Bytes of the collective."),
            click.option("--root", default="0", show_default=True, metavar="RANK", help="Root of the collective."),
        ]
    ):
        function = option(function)
    return function


class Job:
    """The shared options brought to objects.

    Raises
    ------
    NetloomError
        All that is wrong with them.
    """

    def __init__(
        self, network: str, format_: str | None, ranks: str | None, placement: str, collective: str | None,
        traffic: str | None, application: str | None, size: str, root: str,
    ) -> None:  # fmt: skip
        from .. import _core, api, flow
        from ..errors import Fault, NetloomError
        from ..quantities import parse_bytes

        named = [text for text in (collective, traffic, application) if text is not None]
        if len(named) != 1:
            hint = "for example --collective allreduce:ring, or --traffic 'uniform(seed=1)'"
            options = "--collective, --traffic, --application"
            raise NetloomError([Fault("NL-X010", options, "exactly one is needed", "", hint)])
        self.network = api.network(network, format_)
        reader_notes(self.network)
        self.ranks = self.network.endpoints if ranks is None else integer("--ranks", ranks, 1)
        self.root = integer("--root", root, 0)
        self.size_bytes = parse_bytes(size, "--size")
        self.placement = placement
        self.workload: api.Workload
        #: With the order of its messages, where there is one.
        self.ordered: api.Workload | _core.Programs
        if application is not None:
            self.ordered = flow.application(application, self.ranks)
            self.workload = _core.Traffic.of_programs(self.ordered)
        else:
            self.workload = api.workload(named[0], self.ranks, root=self.root, size_bytes=self.size_bytes)
            self.ordered = self.workload


def integer(place: str, text: str, least: int, most: int | None = None) -> int:
    """A whole number from the command line, refused in our own words.

    Raises
    ------
    NetloomError
        `NL-A007`.
    """
    from ..errors import Fault, NetloomError

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
    from ..errors import Fault, NetloomError

    try:
        value = float(text)
    except ValueError:
        value = float("nan")
    if 0 < value < 1e9:
        return value
    raise NetloomError([Fault("NL-A007", place, "a number > 0", text)])
