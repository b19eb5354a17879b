"""What the package `otf2` reads of an archive, told by a process of its own."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypedDict

from ....base import interrupt
from ....base.errors import Fault, NetloomError
from .child import FIELDS

_HINT = "check it with otf2-print; copy the anchor file with its .def and the folder of events"


class Line(TypedDict, total=False):
    """What the process says at a time."""

    ticks_per_s: int
    groups: list[list[tuple[int, str, str, int]]]
    locations: list[tuple[int, str, str, int]]
    regions: list[tuple[str, str]]
    communicators: list[tuple[str, str | None, list[int | None]]]
    events: list[tuple[int, str, int, *tuple[int | str, ...]]]
    error: str
    done: bool


@dataclass(frozen=True)
class Region:
    """A routine, and what it is part of, such as `MPI`."""

    name: str
    paradigm: str


@dataclass(frozen=True)
class Communicator:
    """A communicator by number, the kind of its group, and its members' locations; no kind if it has not one group."""

    number: int
    text: str
    kind: str | None
    members: list[int | None]


@dataclass(frozen=True)
class Location:
    """Where events happen: its reference, its name, that of its process, and how many there are."""

    ref: int
    name: str
    process: str
    events: int


class Event:
    """An event; it has those of these fields that its kind has, under the names of OTF2."""

    __slots__ = (
        *("name", "time", "region", "communicator", "receiver", "sender", "msg_tag", "msg_length", "request_id"),
        *("collective_op", "root", "size_sent", "size_received"),
    )
    name: str
    time: int
    region: Region
    communicator: Communicator
    receiver: int
    sender: int
    msg_tag: int
    msg_length: int
    request_id: int
    collective_op: str
    root: int
    size_sent: int
    size_received: int


@dataclass
class Told:
    """An archive that is being read.

    Parameters
    ----------
    place
        In faults.
    lines
        What the process says.
    """

    place: str
    lines: Iterator[Line]
    ticks_per_s: int = field(init=False)
    #: Groups of the locations of ranks of MPI.
    groups: list[list[Location]] = field(init=False)

    def __post_init__(self) -> None:
        head = next(self.lines)
        self.ticks_per_s = head["ticks_per_s"]
        self.groups = [[Location(*one) for one in group] for group in head["groups"]]

    def events(self) -> Iterator[tuple[Location, Event]]:
        """All of them, in order of time."""
        locations: list[Location] = []
        regions: list[Region] = []
        communicators: list[Communicator] = []
        tables: dict[str, Sequence[object]] = {"region": regions, "communicator": communicators}
        for told in self.lines:
            locations += (Location(*one) for one in told["locations"])
            regions += (Region(*one) for one in told["regions"])
            communicators += (
                Communicator(number, *one) for number, one in enumerate(told["communicators"], len(communicators))
            )
            for location, name, time, *values in told["events"]:
                event = Event()
                event.name, event.time = name, time
                for key, value in zip(FIELDS.get(name, ()), values, strict=True):
                    setattr(event, key, tables[key][int(value)] if key in tables else value)
                yield locations[location], event


@contextmanager
def opened(path: Path, place: str) -> Iterator[Told]:
    """An archive, read event by event in another process.

    Raises
    ------
    NetloomError
        `NL-A007` without the package; `NL-F003` if it cannot read the archive, or dies of it.
    """
    if importlib.util.find_spec("otf2") is None:
        raise NetloomError([Fault("NL-A007", place, "the package otf2", "nothing", "pip install 'netloom[traces]'")])
    command = [sys.executable, "-P", str(Path(__file__).with_name("child.py")), str(path.absolute())]
    known = {**os.environ, "PYTHONPATH": os.pathsep.join(one for one in sys.path if one)}
    quiet = subprocess.DEVNULL
    with subprocess.Popen(command, env=known, stdin=quiet, stdout=subprocess.PIPE, stderr=quiet) as process:
        try:
            yield Told(place, _lines(process, place))
        finally:
            process.kill()


def _lines(process: subprocess.Popen[bytes], place: str) -> Iterator[Line]:
    for line in process.stdout or ():
        interrupt.require_go_on()
        if not line.endswith(b"\n"):
            break  # It died within a line.
        told: Line = json.loads(line)
        if "done" in told:
            return
        if "error" in told:
            raise _unread(place, told["error"])
        yield told
    interrupt.require_go_on()
    code = process.wait()
    raise _unread(place, f"its library was ended by signal {-code}" if code < 0 else "its library gave up")


def _unread(place: str, why: str) -> NetloomError:
    return NetloomError([Fault("NL-F003", place, f"cannot be read as OTF2: {why}", "", _HINT)])
