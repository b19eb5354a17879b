"""The events of a rank of an OTF2 trace, one after another."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from .... import _core
from ....base.errors import Fault, NetloomError
from .package import Communicator, Event, Region
from .sizes import Sized, sized

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..row import Source

    #: Kind, communicator, peer or root, tag, bytes, request, seconds.
    Row = list[int | float | None]

#: Events that are kept before they are handed on.
_KEPT = 1 << 14
#: Kinds of events by name.
_KIND = {name: number for number, name in enumerate(_core.Recording.KINDS)}
_SEND, _RECV, _ISEND, _IRECV = _KIND["send"], _KIND["recv"], _KIND["isend"], _KIND["irecv"]
_WAIT, _WAITALL, _SLEEP, _EXCHANGE = _KIND["wait"], _KIND["waitall"], _KIND["sleep"], _KIND["sendrecv"]
#: Events of MPI that nothing follows from.
_SILENT = ("MpiCollectiveBegin", "MpiRequestTest", "MpiProbe")
#: A collective that is not known before it ends.
_OPEN = -1
_MOST_BYTES = (1 << 63) - 1
#: Added to tags of messages of a rank to itself on a communicator of its own.
_OWN_TAG = 1 << 40
_NO_REQUEST = -1


class Archive(Protocol):
    """What a rank needs of its trace."""

    recording: _core.Recording
    source: Source

    def group(self, communicator: Communicator, place: str) -> tuple[int, int]:
        """The number of a communicator and its size."""


def refuse(code: str, place: str, sentence: str, hint: str) -> NetloomError:
    """A fault in a trace."""
    return NetloomError([Fault(code, place, sentence, "", hint)])


class Ranked:
    """A rank: times in ticks.

    Parameters
    ----------
    resolution
        Ticks a second.
    """

    def __init__(self, place: str, rank: int, resolution: int, archive: Archive) -> None:
        self.place, self.rank, self.resolution, self.archive = place, rank, resolution, archive
        self.events = 0
        self.dropped: dict[str, int] = {}
        self._rows: list[Row | Callable[[], None]] = []
        #: Since the outermost call of MPI began.
        self._new: list[Row | Callable[[], None]] = []
        self._open: dict[int, Row] = {}
        self._sends: set[int] = set()
        self._regions: list[str] = []
        self._begin = 0
        self._end: int | None = None
        self._first: int | None = None
        self._now: int | None = None
        self._gap = 0
        self._full = _KEPT

    def add(self, event: Event) -> None:
        """The next event."""
        self.events += 1
        if self._now is not None and event.time < self._now:
            raise refuse("NL-F009", self._at(), "the clock runs backwards", "correct the clocks when tracing")
        self._now = event.time
        self._first = event.time if self._first is None else self._first
        name = event.name
        if name == "Enter":
            self._enter(event)
        elif name == "Leave":
            self._leave(event)
        else:
            act = _ACTS.get(name)
            if act is None:
                if name not in _SILENT and name.startswith(("Mpi", "Rma", "NonBlocking", "Io", "CommCreate")):
                    self._drop(f"events {name}, left out")
                return
            if not self._regions:
                self._begin = event.time
            act(self, event)
            if not self._regions:
                self._close("", event.time)

    def finish(self) -> None:
        """No event follows."""
        if self._gap:
            self._rows.append(self._sleep())
        for row in self._open.values():
            self._drop("receives and collectives that never complete, left out")
            row[0] = None
        self._open.clear()
        self._flush()

    def _at(self) -> str:
        return f"{self.place}: rank {self.rank}, event {self.events}"

    def _drop(self, what: str) -> None:
        self.dropped[what] = self.dropped.get(what, 0) + 1

    def _enter(self, event: Event) -> None:
        if _is_mpi(event.region):
            if not self._regions:
                self._begin = event.time
            self._regions.append(event.region.name)
        elif self.archive.source.is_part and self.archive.source.is_border(name := event.region.name):
            self._mark(name, event.time)

    def _mark(self, name: str, now: int) -> None:
        """What the region of interest may begin or end with: the time until then is that before it."""
        if not self._regions and self._end is not None:
            self._gap += now - self._end
            self._end = now
            if self._gap:
                self._time(now - self._gap)
                self._rows.append(self._sleep())
        self._time(now)
        self._rows.append(lambda: self.archive.recording.mark(self.rank, name))

    def _time(self, ticks: int) -> None:
        """When the next row begins."""
        if self.archive.source.is_part:
            seconds = (ticks - (self._first or 0)) / self.resolution
            self._rows.append(lambda: self.archive.recording.at(self.rank, seconds))

    def _leave(self, event: Event) -> None:
        if self._regions and _is_mpi(event.region):
            name = self._regions.pop()
            if not self._regions:
                self._close(name, event.time)

    def _close(self, name: str, end: int) -> None:
        """The outermost call of MPI ends."""
        if self._end is not None:
            self._gap += self._begin - self._end
        if self._new:
            new = self._exchanged() if name.startswith("MPI_Sendrecv") else self._waits_joined()
            if isinstance(new[0], list) and new[0][0] is not None:
                new[0][6] = (end - self._begin) / self.resolution
            if self._gap:
                self._time(self._begin - self._gap)
                self._rows.append(self._sleep())
            self._time(self._begin)
            self._rows.extend(new)
            self._new = []
            if len(self._rows) >= self._full:
                self._flush()
                self._full = _KEPT + 2 * len(self._rows)
        self._end = end

    def _spent(self) -> float:
        """Seconds since the call began."""
        return ((self._now or self._begin) - self._begin) / self.resolution

    def _sleep(self) -> Row:
        row: Row = [_SLEEP, 0, 0, 0, 0, _NO_REQUEST, self._gap / self.resolution]
        self._gap = 0
        return row

    def _exchanged(self) -> list[Row | Callable[[], None]]:
        """A send and a receive of one call as one event."""
        rows = [row for row in self._new if isinstance(row, list)]
        of_kind = {row[0]: row for row in rows}
        if not len(rows) == len(self._new) == 2 or of_kind.keys() != {_SEND, _RECV} or rows[0][1] != rows[1][1]:
            return self._new
        sent, came = of_kind[_SEND], of_kind[_RECV]
        seconds = self._spent()
        return [[_EXCHANGE, *sent[1:6], seconds], came]

    def _waits_joined(self) -> list[Row | Callable[[], None]]:
        """Several waits that leave nothing open as one."""
        waits = [row for row in self._new if isinstance(row, list) and row[0] == _WAIT]
        if len(waits) < 2 or len(waits) < len(self._new) or self._open or self._sends:
            return self._new
        return [[_WAITALL, 0, 0, 0, 0, _NO_REQUEST, 0.0]]

    def _flush(self) -> None:
        """Hands on what is known: up to the first receive whose message has not come."""
        import numpy as np

        unknown = {id(row) for row in self._open.values()}
        ready = next((at for at, row in enumerate(self._rows) if id(row) in unknown), len(self._rows))
        taken, self._rows = self._rows[:ready], self._rows[ready:]
        types = (np.uint8, np.uint32, np.int64, np.int64, np.uint64, np.int64, np.float64)
        run: list[Row] = []
        for row in [*taken, None]:
            if isinstance(row, list):
                if row[0] is not None:
                    run.append(row)
                continue
            if run:
                columns = [np.array(column, kind) for column, kind in zip(zip(*run, strict=True), types, strict=True)]
                self.archive.recording.extend(self.rank, *columns)
                run = []
            if row is not None:
                row()

    # What happens in a call.

    def _message(self, kind: int, event: Event, peer: int, request: int = _NO_REQUEST) -> Row:
        return [kind, *self._peer(event, peer), request, 0.0]

    def _peer(self, event: Event, peer: int) -> tuple[int, int, int, int]:
        group, size = self.archive.group(event.communicator, self._at())
        if not 0 <= peer < size:
            sentence = f"names rank {peer} of a communicator of {size}"
            raise refuse("NL-F009", self._at(), sentence, "the file is damaged")
        if event.msg_length > _MOST_BYTES:
            raise refuse("NL-F009", self._at(), f"has a message of {event.msg_length} bytes", "the file is damaged")
        if group < 0:
            return 0, self.rank, event.msg_tag + _OWN_TAG, event.msg_length
        return group, peer, event.msg_tag, event.msg_length

    def _send(self, event: Event) -> None:
        self._new.append(self._message(_SEND, event, event.receiver))

    def _receive(self, event: Event) -> None:
        self._new.append(self._message(_RECV, event, event.sender))

    def _start_send(self, event: Event) -> None:
        self._new.append(self._message(_ISEND, event, event.receiver, event.request_id))
        self._sends.add(event.request_id)

    def _send_done(self, event: Event) -> None:
        if event.request_id not in self._sends:
            self._drop("ends of requests whose begin is not recorded, left out")
            return
        self._sends.discard(event.request_id)
        self._wait(event.request_id)

    def _start_receive(self, event: Event) -> None:
        row: Row = [_IRECV, 0, 0, 0, 0, event.request_id, 0.0]
        self._open[event.request_id] = row
        self._new.append(row)

    def _receive_done(self, event: Event) -> None:
        row = self._open.pop(event.request_id, None)
        if row is None or row[0] != _IRECV:
            self._drop("receives whose begin is not recorded, taken as blocking")
            self._receive(event)
            return
        row[1:5] = self._peer(event, event.sender)
        self._wait(event.request_id)

    def _wait(self, request: int) -> None:
        self._new.append([_WAIT, 0, 0, 0, 0, request, 0.0])

    def _cancelled(self, event: Event) -> None:
        row = self._open.pop(event.request_id, None)
        if row is not None:
            row[0] = None
        self._drop("requests cancelled, left out")

    def _collective(self, event: Event) -> None:
        made = self._sized(event)
        if made is None:
            return
        if made.counts is None:
            self._new.append([made.kind, made.group, made.root, 0, made.bytes, _NO_REQUEST, 0.0])
        else:
            self._new.append(self._counted(made))

    def _start_collective(self, event: Event) -> None:
        row: Row = [_OPEN, 0, 0, 0, 0, event.request_id, 0.0]
        self._open[event.request_id] = row
        self._new.append(row)

    def _collective_done(self, event: Event) -> None:
        row = self._open.pop(event.request_id, None)
        if row is None:
            self._drop("ends of requests whose begin is not recorded, left out")
            return
        made = self._sized(event)
        if made is None or made.counts is not None:
            row[0] = None
            if made is not None:
                self._drop("non-blocking collectives with a size for each member, taken as blocking")
                self._new.append(self._counted(made))
            return
        row[:5] = [made.kind, made.group, made.root, 0, made.bytes]
        self._wait(event.request_id)

    def _sized(self, event: Event) -> Sized | None:
        group, size = self.archive.group(event.communicator, self._at())
        if group < 0:
            return None
        made = sized(event, group, size, self._at())
        for note in () if made is None else made.notes:
            self._drop(note)
        if made is None:
            self._drop(f"collectives {event.collective_op}, left out")
        return made

    def _counted(self, made: Sized) -> Callable[[], None]:
        sent, received = made.counts or ((), ())
        seconds = self._spent()
        put, rank = self.archive.recording.vector, self.rank
        return lambda: put(rank, made.name, made.group, made.root, list(sent), list(received), seconds)


def _is_mpi(region: Region) -> bool:
    return region.paradigm == "MPI" or region.name.startswith(("MPI_", "PMPI_"))


_ACTS: dict[str, Callable[[Ranked, Event], None]] = {
    "MpiSend": Ranked._send,
    "MpiRecv": Ranked._receive,
    "MpiMrecv": Ranked._receive,
    "MpiIsend": Ranked._start_send,
    "MpiIsendComplete": Ranked._send_done,
    "MpiIrecvRequest": Ranked._start_receive,
    "MpiImrecvRequest": Ranked._start_receive,
    "MpiIrecv": Ranked._receive_done,
    "MpiImrecv": Ranked._receive_done,
    "MpiRequestCancelled": Ranked._cancelled,
    "MpiCollectiveEnd": Ranked._collective,
    "NonBlockingCollectiveRequest": Ranked._start_collective,
    "NonBlockingCollectiveComplete": Ranked._collective_done,
}
