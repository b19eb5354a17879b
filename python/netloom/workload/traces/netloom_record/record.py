"""Files of all ranks as one record: who sent how much to whom, what was called, where the time went."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from ....base.errors import Fault, NetloomError
from . import codes
from .layout import ABORTED, FINALIZED, MOST_RANKS, Rank, functions, read_rank

if TYPE_CHECKING:
    from ...._core import Traffic

#: Operations by number.
_OPS = (
    "", "sum", "max", "min", "prod", "land", "band", "lor", "bor", "lxor", "bxor", "maxloc", "minloc", "replace",
    "no-op",
)  # fmt: skip
#: Calls that start and end a program.
FRAME = ("MPI_Init", "MPI_Init_thread", "MPI_Finalize")
#: What no record has.
NOT_SEEN = (
    "messages that the library sends within collectives and files: collectives are listed by their counts",
    "programs that are linked statically, and MPI used through sessions alone",
    "extensions of a library (MPIX_...), and receives by MPI_Mrecv beyond their number",
    "the algorithm that a library chose for a collective: no library says it",
)


@dataclass(frozen=True)
class Record:
    """What a program did, by the files of its ranks.

    Attributes
    ----------
    folder
        Where the files are.
    names
        Functions by number.
    ranks
        One for each rank that left a file, by number.
    size
        Ranks of MPI_COMM_WORLD.
    """

    folder: Path
    names: tuple[str, ...]
    ranks: tuple[Rank, ...]
    size: int

    @cached_property
    def missing(self) -> tuple[int, ...]:
        """Ranks without a file."""
        return tuple(sorted(set(range(self.size)) - {one.number for one in self.ranks}))

    @property
    def complete(self) -> bool:
        """Whether every rank came to the end of MPI_Finalize, and nothing was lost."""
        ended = all(one.header["ending"] == FINALIZED and one.header["lost"] == 0 for one in self.ranks)
        return ended and not self.missing

    @property
    def is_cut(self) -> bool:
        """Whether something that happened is in no file: a rank has none, events went beyond the limit or the disk."""
        return bool(self.missing) or any(one.header["lost"] for one in self.ranks)

    def why_incomplete(self) -> list[str]:
        """What is missing, a sentence each."""
        ends = {
            "ended by MPI_Abort": [one.number for one in self.ranks if one.header["ending"] == ABORTED],
            "did not reach the end of MPI_Finalize": [
                one.number for one in self.ranks if one.header["ending"] not in (ABORTED, FINALIZED)
            ],
            "left no file": list(self.missing),
        }
        said = [f"{_ranks(who)} {what}" for what, who in ends.items() if who]
        if lost := sum(one.header["lost"] for one in self.ranks):
            said.append(f"{lost} events were not written: the limit or the disk was reached")
        return said

    @cached_property
    def pairs(self) -> tuple[tuple[int, int, int, int], ...]:
        """`src, dst, messages, bytes` of each pair: messages, and what was put and fetched one-sidedly."""
        fetched: dict[int, dict[int, tuple[int, int]]] = {}
        for one in self.ranks:
            for row in one.fetched:
                fetched.setdefault(int(row["rank"]), {})[one.number] = int(row["messages"]), int(row["bytes"])
        by_number = {one.number: one for one in self.ranks}
        made: list[tuple[int, int, int, int]] = []
        for source in sorted(by_number.keys() | fetched.keys()):
            cells = dict(fetched.get(source, {}))
            if (sender := by_number.get(source)) is not None:
                for row in sender.sent:
                    more = cells.get(int(row["rank"]), (0, 0))
                    cells[int(row["rank"])] = int(row["messages"]) + more[0], int(row["bytes"]) + more[1]
            for to in sorted(cells):
                made.append((source, to, *cells[to]))
        return tuple(made)

    @cached_property
    def bytes_between_hosts(self) -> int:
        """What leaves the host of its sender."""
        hosts = self.hosts()
        return sum(size for source, target, _, size in self.pairs if hosts[source] != hosts[target])

    def calls(self) -> dict[str, dict[str, float]]:
        """By function: calls, seconds of all ranks, the least and most of a rank, the longest call, bytes given."""
        found: dict[str, dict[str, float]] = {}
        for at, name in enumerate(self.names):
            mine = [(one.totals[at], one.seconds_per_tick) for one in self.ranks]
            seconds = [int(total["ticks"]) * tick for total, tick in mine]
            if number := sum(int(total["calls"]) for total, _ in mine):
                found[name] = {
                    "calls": number,
                    "seconds": sum(seconds),
                    "least_s": min(seconds),
                    "most_s": max(seconds),
                    "longest_s": max(int(total["longest"]) * tick for total, tick in mine),
                    "bytes": sum(int(total["bytes"]) for total, _ in mine),
                }
        return found

    def collectives(self) -> list[dict[str, object]]:
        """Collectives that are alike: function, communicator, root, operation, count, bytes of an element, calls."""
        found: dict[tuple[object, ...], list[float]] = {}
        for one in self.ranks:
            for row in one.rows:
                comm = one.communicator(int(row["comm"]))
                key = (
                    self._name(int(row["call"])), f"{comm:016x}", int(row["root"]), _operation(int(row["op"])),
                    int(row["count"]), int(row["type_bytes"]),
                )  # fmt: skip
                sums = found.setdefault(key, [0, 0.0, 0, 0])
                sums[0] += int(row["calls"])
                sums[1] += int(row["ticks"]) * one.seconds_per_tick
                sums[2] += int(row["sent"])
                sums[3] += 1
        keys = ("call", "communicator", "root", "op", "count", "type_bytes")
        return [
            dict(zip(keys, key, strict=True))
            | {"calls": int(sums[0]), "ranks": int(sums[3]), "seconds": sums[1], "bytes": int(sums[2])}
            for key, sums in sorted(found.items(), key=lambda item: str(item[0]))
        ]

    def communicators(self) -> list[dict[str, object]]:
        """Each communicator: where it comes from, its size, what its members sent."""
        found: dict[int, dict[str, object]] = {}
        for one in self.ranks:
            for row in one.comms:
                made = found.setdefault(int(row["id"]), self._communicator(row))
                for name in ("messages", "bytes", "collectives"):
                    made[name] = int(str(made[name])) + int(row[name])
        return list(found.values())

    def _communicator(self, row: Mapping[str, int]) -> dict[str, object]:
        parent, size = int(row["parent"]), int(row["size"])
        if parent:
            made_by = self._name(int(row["call"]))
        else:
            made_by = "MPI_COMM_WORLD" if size == self.size else "MPI_COMM_SELF" if size == 1 else "unseen"
        return {
            "communicator": f"{int(row['id']):016x}",
            "parent": f"{parent:016x}" if parent else None, "made_by": made_by,
            "ordinal": int(row["ordinal"]), "color": int(row["color"]), "size": size, "first": int(row["first"]),
            "messages": 0, "bytes": 0, "collectives": 0,
        }  # fmt: skip

    def sizes(self) -> list[dict[str, int]]:
        """Messages and bytes by size: from `least_bytes`, up to twice as much."""
        found = []
        for at in range(len(self.ranks[0].sizes)):
            messages = sum(int(one.sizes[at]["messages"]) for one in self.ranks)
            if messages:
                total = sum(int(one.sizes[at]["bytes"]) for one in self.ranks)
                found.append({"least_bytes": 1 << (at - 1) if at else 0, "messages": messages, "bytes": total})
        return found

    def hosts(self) -> list[str]:
        """The host of each rank; "" where no file says it."""
        found = [""] * self.size
        for one in self.ranks:
            found[one.number] = one.host
        return found

    def seconds(self) -> dict[str, float]:
        """Of all ranks: between the calls, in them without the first and the last, and the longest time of a rank."""
        frame = {at for at, name in enumerate(self.names) if name in FRAME}
        inside = [
            (one.header["mpi_ticks"] - sum(int(one.totals[at]["ticks"]) for at in frame)) * one.seconds_per_tick
            for one in self.ranks
        ]
        return {
            "compute_s": sum(one.header["compute_ticks"] * one.seconds_per_tick for one in self.ranks),
            "mpi_s": max(sum(inside), 0.0),
            "wall_s": max((one.header["end_ns"] - one.header["begin_ns"]) * 1e-9 for one in self.ranks),
        }

    def traffic(self) -> Traffic:
        """What was sent, as any command takes it."""
        import numpy as np

        from ...._core import Traffic

        rows = [row for row in self.pairs if row[0] != row[1]]
        columns = np.array(rows, dtype=np.int64).reshape(-1, 4).T
        return Traffic.from_flows(str(self.folder), self.size, *columns)

    def _name(self, number: int) -> str:
        return self.names[number] if number < len(self.names) else "unseen"


def read_record(folder: str | Path) -> Record:
    """What a program sent, from the folder that `netloom record` filled.

    Raises
    ------
    NetloomError
        NL-X001 for a folder that is none, NL-I005 for files that are damaged, NL-I006 for those of another version,
        NL-I007 for files of several runs, NL-I008 where no rank left anything.

    Notes
    -----
    Files of ranks are mapped, and only what is there is looked at: memory grows with the pairs that communicate.
    """
    place = Path(folder)
    names = functions(place)
    found = {
        int(match[1]): path for path in place.iterdir() if (match := re.fullmatch(r"rank-(\d{1,7})\.sums", path.name))
    }
    ranks = [one for number in sorted(found) if (one := read_rank(found[number], names)) is not None]
    if not ranks:
        sentence = "no rank of the program left a record"
        hint = "programs linked statically, or without MPI, cannot be recorded"
        raise NetloomError([Fault(codes.NOTHING, str(place), sentence, "", hint)])
    size = ranks[0].header["size"]
    for one in ranks:
        path = found.get(one.number)
        if one.header["size"] != size or path is None or path.name != f"rank-{one.number}.sums":
            expected = f"the file of a rank of {min(size, MOST_RANKS)}"
            got = f"rank {one.number} of {one.header['size']}"
            hint = "give every run a folder of its own"
            raise NetloomError([Fault(codes.MIXED, str(place), expected, got, hint)])
    return Record(place, tuple(names), tuple(ranks), size)


def _operation(number: int) -> str:
    return _OPS[number] if number < len(_OPS) else "own"


def _ranks(numbers: list[int]) -> str:
    shown = ", ".join(map(str, numbers[:8])) + (f" and {len(numbers) - 8} more" if len(numbers) > 8 else "")
    return f"rank {shown}" if len(numbers) == 1 else f"ranks {shown}"
