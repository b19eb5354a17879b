"""Records of `netloom record --depth order`, made by their layout."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from netloom.workload.traces.netloom_record import layout

NAMES = [
    "MPI_Init", "MPI_Send", "MPI_Recv", "MPI_Isend", "MPI_Irecv", "MPI_Wait", "MPI_Sendrecv", "MPI_Allreduce",
    "MPI_Alltoallv", "MPI_Ialltoallv", "MPI_Gatherv", "MPI_Neighbor_alltoall", "MPI_Put",
    "MPI_Allgatherv", "MPI_Scatterv", "MPI_Reduce_scatter", "MPI_Bcast_init", "MPI_Send_init", "MPI_Recv_init",
    "MPI_Allgather", "MPI_Iallgather",
]  # fmt: skip
#: The communicator of all, and that of the odd ranks.
WORLD, ODD = 0, 1


class Rank:
    """A rank that is being written; a tick is a nanosecond."""

    def __init__(self, rank: int, ranks: int) -> None:
        self.rank, self.ranks = rank, ranks
        self.events: list[tuple[object, ...]] = []
        self.now = 1000

    def call(
        self, name: str, *, comm: int = WORLD, peer: int = -1, tag: int = 0, sent: int = 0, wanted: int = 0,
        request: int = 0, root: int = -1, took: int = 10, gap: int = 0, thread: int = 0,
    ) -> None:  # fmt: skip
        """A call that begins `gap` after the end of the one before."""
        begin = self.now + gap
        self.now = begin + took
        number = NAMES.index(f"MPI_{name}")
        row = (number, layout.CALL, comm, begin, self.now, peer, tag, sent, wanted, request, root, thread)
        self.events.append(row)

    def more(self, kind: int, **values: int) -> None:
        """A part of the last call, or a request that it completes."""
        names = [name for name, _ in layout.EVENT]
        row = dict(zip(names, self.events[-1], strict=True)) | {"kind": kind} | values
        self.events.append(tuple(row[name] for name in names))

    def parts(self, sizes: dict[int, int]) -> None:
        for peer, size in sizes.items():
            self.more(layout.PART, peer=peer, sent=size)

    def wait(self, request: int, gap: int = 0) -> None:
        self.call("Wait", gap=gap)
        self.more(layout.REQUEST, request=request)


def write(folder: Path, ranks: list[Rank], **header: object) -> Path:
    """The files of a record."""
    folder.mkdir(exist_ok=True)
    (folder / layout.ABOUT).write_text(json.dumps({"form": layout.FORM, "functions": NAMES}))
    for one in ranks:
        head = np.zeros(1, dtype=layout.HEADER)
        values: dict[str, object] = {
            "magic": layout.SUMS, "form": layout.FORM, "functions": len(NAMES), "bins": layout.BINS,
            "comms": layout.COMMS, "rows": layout.ROWS, "ending": layout.FINALIZED, "rank": one.rank,
            "size": one.ranks, "depth": layout.ORDER_DEPTH, "end_ticks": 1_000_000, "end_ns": 1_000_000,
            "comms_used": 2 if one.rank % 2 else 1,
        }  # fmt: skip
        for name, value in (values | header).items():
            head[name] = value
        comms = np.zeros(layout.COMMS, dtype=layout.COMM)
        comms[WORLD] = (77, 0, 99, 0, 0, 0, one.ranks, one.rank, 0, 0, 0, 0)
        comms[ODD] = (88, 77, 3, 0, 1, 0, one.ranks // 2, one.rank // 2, 0, 0, 0, 1)
        tables = [
            np.zeros(len(NAMES), dtype=layout.TOTAL),
            *(np.zeros(count, dtype=layout.PAIR) for count in (one.ranks, one.ranks, layout.BINS, layout.BINS)),
            comms,
            np.zeros(layout.ROWS, dtype=layout.ROW),
        ]
        data = head.tobytes().ljust(layout.HEADER_BYTES, b"\0") + b"".join(part.tobytes() for part in tables)
        (folder / f"rank-{one.rank}.sums").write_bytes(data)
        events = np.array(one.events, dtype=layout.EVENT)
        chunk = layout.ORDER + (0).to_bytes(8, "little") + len(events).to_bytes(8, "little")
        (folder / f"rank-{one.rank}.order").write_bytes(chunk.ljust(layout.CHUNK_HEAD, b"\0") + events.tobytes())
    return folder


def pair() -> list[Rank]:
    """Two ranks with a call of each kind."""
    made = [Rank(0, 2), Rank(1, 2)]
    for one in made:
        other = 1 - one.rank
        one.call("Irecv", peer=other, tag=1, wanted=8, request=5)
        one.call("Isend", peer=other, tag=1, sent=8, request=6)
        one.call("Wait")
        one.more(layout.REQUEST, request=5)
        one.more(layout.REQUEST, request=6)
        one.call("Alltoallv", sent=30, wanted=30)
        one.parts({0: 10, 1: 20})
        one.call("Allreduce", wanted=16, gap=50)
        one.call("Neighbor_alltoall", sent=9)
        one.parts({other: 9})
    return made
