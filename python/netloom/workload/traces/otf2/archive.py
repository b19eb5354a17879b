"""OTF2, the traces of Score-P: what the package `otf2` reads of them becomes programs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ..row import Recorded, Source, TraceFormat, surveyed
from .package import Communicator, Event, Location, Told, opened
from .rank import Ranked, refuse

#: Where the mark of an anchor file stands at the latest.
_MARK_WITHIN = 64
#: Number of a communicator of one rank alone, which the recording has none for.
ALONE = -1
#: Events of MPI that no other thread than the first of a rank may have.
_MESSAGES = ("Mpi", "NonBlockingCollective")


def _begins(source: Source) -> bool:
    return b"OTF2" in source.head[:_MARK_WITHIN]


def _read(source: Source) -> Recorded:
    """Programs of an anchor file. O(events); of each rank some thousand events are kept at a time."""
    with opened(source.path, source.place) as told:
        return _Archive(source, told).programs()


class _Archive:
    """A trace that is open."""

    def __init__(self, source: Source, told: Told) -> None:
        self.source, self.told = source, told
        self.locations = self._locations()
        self.rank_of = {location.ref: rank for rank, location in enumerate(self.locations)}
        if len(self.rank_of) < len(self.locations):
            raise refuse("NL-F006", source.place, "two ranks are one location", "the file is damaged")
        self._check_files()
        self.recording = source.recording(len(self.locations))
        self.groups: dict[int, tuple[int, int]] = {}
        self.dropped: dict[str, int] = {}

    def programs(self) -> Recorded:
        """What its ranks do."""
        resolution = self.told.ticks_per_s
        if resolution <= 0:
            raise refuse("NL-F009", self.source.place, "its clock has no ticks per second", "the file is damaged")
        ranks = [Ranked(self.source.place, rank, resolution, self) for rank in range(len(self.locations))]
        first, last = None, None
        for rank, event in self._events():
            first = event.time if first is None else min(first, event.time)
            last = event.time if last is None else max(last, event.time)
            ranks[rank].add(event)
        for one, location in zip(ranks, self.locations, strict=True):
            if not one.events and location.events:
                sentence = f"the {location.events} events of rank {one.rank} are missing"
                raise refuse("NL-F010", self.source.place, sentence, "copy the folder of events whole")
            one.finish()
        self._notes(ranks)
        span_s = 0.0 if first is None or last is None else (last - first) / resolution
        programs, survey = self.recording.finish(span_s, dict(self.source.algorithms))
        return Recorded(programs, surveyed(survey))

    def group(self, communicator: Communicator, place: str) -> tuple[int, int]:
        """The number of a communicator in the recording, `ALONE` of one of a rank alone, and its size."""
        known = self.groups.get(communicator.number)
        if known is None:
            known = self.groups[communicator.number] = self._group(communicator, place)
        return known

    def _group(self, communicator: Communicator, place: str) -> tuple[int, int]:
        if communicator.kind is None:
            sentence = f"uses the communicator {communicator.text}, which is none of one group of ranks"
            raise refuse("NL-F013", place, sentence, "communicators between two groups are not read")
        if communicator.kind == "COMM_SELF":
            return ALONE, 1
        members = [self.rank_of[ref] for ref in communicator.members if ref in self.rank_of]
        if not members or len(members) < len(communicator.members):
            sentence = f"the communicator {communicator.text} has members that are no ranks"
            raise refuse("NL-F007", place, sentence, "copy the anchor file with its .def whole")
        if members == list(range(len(self.locations))) and 0 not in (number for number, _ in self.groups.values()):
            return 0, len(members)
        return self.recording.communicator(members), len(members)

    def _locations(self) -> list[Location]:
        """The location of each rank."""
        named = self.told.groups
        if len(named) != 1 or not named[0]:
            sentence = "names no ranks of MPI: it has no group of their locations"
            raise refuse("NL-F004", self.source.place, sentence, "trace a program of MPI")
        return named[0]

    def _check_files(self) -> None:
        """Each rank has its file of events, where each location has one."""
        folder = self.source.path.with_suffix("")
        if not folder.is_dir() or not any(folder.glob("*.evt")):
            return
        for rank, location in enumerate(self.locations):
            file: Path = folder / f"{location.ref}.evt"
            if location.events and not file.is_file():
                sentence = f"the file of rank {rank} is missing: {folder.name}/{file.name}"
                raise refuse("NL-F010", self.source.place, sentence, "copy the folder of events whole")

    def _events(self) -> Iterator[tuple[int, Event]]:
        for location, event in self.told.events():
            rank = self.rank_of.get(location.ref)
            if rank is not None:
                yield rank, event
                continue
            if event.name.startswith(_MESSAGES):
                sentence = f"{location.process:.60} has {event.name} in {location.name:.60}, no first thread of a rank"
                raise refuse("NL-F013", self.source.place, sentence, "trace with MPI in one thread of a rank")
            self.drop("events of other threads and devices")

    def drop(self, what: str, times: int = 1) -> None:
        """Counts what is left out."""
        self.dropped[what] = self.dropped.get(what, 0) + times

    def _notes(self, ranks: list[Ranked]) -> None:
        for one in ranks:
            for what, times in one.dropped.items():
                self.drop(what, times)
        for what, times in sorted(self.dropped.items()):
            self.recording.note(f"{what}: {times}")


OTF2 = TraceFormat(
    name="otf2",
    aliases=("scorep",),
    summary="Every call of MPI of each rank with its times, as Score-P records it.",
    restrictions=(
        "The anchor file, with its .def and the folder of events next to it. Collectives with a size for each member "
        "are spread evenly. Needs the extra traces."
    ),
    source="OTF2 3.x, https://www.vi-hps.org/projects/score-p; sizes of collectives as Score-P 8 writes them",
    begins=_begins,
    read=_read,
)
