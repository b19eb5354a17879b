"""The package `otf2` in a process of its own: its library of C may die of a damaged file, and takes nobody with it.

Run as `python child.py ANCHOR`, with nothing of this package. Writes lines of JSON: first the head of the archive, then
events, up to a thousand to a line, with the regions and communicators that they name for the first time; at last that
all was read, or why not.
"""

from __future__ import annotations

import contextlib
import io
import json
import signal
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from otf2.definitions import _Definition as Reference

    Row = list[Reference]

#: Events in a line.
_BATCH = 1000
_MESSAGE = ("communicator", "msg_tag", "msg_length")
_COLLECTIVE = ("communicator", "collective_op", "root", "size_sent", "size_received")
#: What of each kind of event is told, next to its time.
FIELDS: dict[str, tuple[str, ...]] = {
    "Enter": ("region",),
    "Leave": ("region",),
    "MpiSend": ("receiver", *_MESSAGE),
    "MpiRecv": ("sender", *_MESSAGE),
    "MpiMrecv": ("sender", *_MESSAGE),
    "MpiIsend": ("receiver", *_MESSAGE, "request_id"),
    "MpiIsendComplete": ("request_id",),
    "MpiIrecvRequest": ("request_id",),
    "MpiImrecvRequest": ("request_id",),
    "MpiIrecv": ("sender", *_MESSAGE, "request_id"),
    "MpiImrecv": ("sender", *_MESSAGE, "request_id"),
    "MpiRequestCancelled": ("request_id",),
    "MpiCollectiveEnd": _COLLECTIVE,
    "NonBlockingCollectiveRequest": ("request_id",),
    "NonBlockingCollectiveComplete": (*_COLLECTIVE, "request_id"),
}


def word(value: object) -> str:
    """The name of a constant of the package: texts such as `Paradigm.MPI`."""
    return str(value).rpartition(".")[2]


class _Told:
    """Definitions by number, each told once."""

    def __init__(self) -> None:
        self.numbers: dict[int, int] = {}
        self.kept: Row = []
        self.new: list[Row] = []

    def number(self, definition: Reference, tell: Callable[[Reference], Row]) -> int:
        """Its number; `tell` says what it is."""
        known = self.numbers.get(id(definition))
        if known is None:
            known = self.numbers[id(definition)] = len(self.kept)
            self.kept.append(definition)
            self.new.append(tell(definition))
        return known

    def news(self) -> list[Row]:
        """What was not told yet."""
        new, self.new = self.new, []
        return new


def _region(region: Reference) -> Row:
    return [str(region.name), word(region.paradigm)]


def _communicator(communicator: Reference) -> Row:
    text, group = f"{communicator!s:.80}", getattr(communicator, "group", None)
    if group is None:
        return [text, None, []]
    return [text, word(group.group_type), [getattr(one, "_ref", None) for one in group.members]]


def _location(location: Reference) -> Row:
    group = getattr(location, "group", None)
    return [location._ref, str(location.name), str(getattr(group, "name", "")), location.number_of_events]


def _say(what: dict[str, Reference]) -> None:
    sys.stdout.write(json.dumps(what) + "\n")


def _read(anchor: str) -> None:
    import otf2

    with otf2.reader.open(anchor) as trace:
        named = [
            [_location(one) for one in group.members]
            for group in trace.definitions.groups
            if word(group.group_type) == "COMM_LOCATIONS" and word(group.paradigm) == "MPI"
        ]
        _say({"ticks_per_s": int(trace.timer_resolution), "groups": named})
        tables = {"locations": _Told(), "regions": _Told(), "communicators": _Told()}
        locations, regions, communicators = tables.values()
        batch: list[Row] = []

        def flush() -> None:
            _say({name: table.news() for name, table in tables.items()} | {"events": batch})
            batch.clear()

        for location, event in trace.events:
            name = type(event).__name__
            row = [locations.number(location, _location), name, event.time]
            for field in FIELDS.get(name, ()):
                value = getattr(event, field)
                if field == "region":
                    value = regions.number(value, _region)
                elif field == "communicator":
                    value = communicators.number(value, _communicator)
                elif field == "collective_op":
                    value = word(value)
                row.append(value)
            batch.append(row)
            if len(batch) == _BATCH:
                flush()
        flush()


def main(anchor: str) -> None:
    """Reads an archive."""
    # Who started it hears Ctrl-C, and ends it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    said = io.StringIO()
    try:
        # The package prints what it cannot take.
        with contextlib.redirect_stderr(said):
            _read(anchor)
    except Exception as error:  # The package raises errors of many kinds for a wrong file.
        why = next((line.strip() for line in reversed(said.getvalue().splitlines()) if "rror:" in line), str(error))
        _say({"error": why[:200]})
    else:
        _say({"done": True})
    sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1])
