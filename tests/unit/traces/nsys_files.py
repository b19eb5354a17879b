"""Databases of Nsight Systems, made by its schema."""

from __future__ import annotations

import sqlite3
import struct
from pathlib import Path

TABLES = """
CREATE TABLE META_DATA_EXPORT (name TEXT, value TEXT);
CREATE TABLE StringIds (id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE TARGET_INFO_SESSION_START_TIME (utcEpochNs INTEGER);
CREATE TABLE NVTX_EVENTS (start INTEGER NOT NULL, end INTEGER, eventType INTEGER NOT NULL, text TEXT, globalTid INTEGER,
  textId INTEGER, domainId INTEGER, binaryData BLOB);
CREATE TABLE NVTX_PAYLOAD_SCHEMA_ENTRIES (domainId INTEGER NOT NULL, schemaId INTEGER NOT NULL, idx INTEGER NOT NULL,
  flags INTEGER, type INTEGER, name TEXT, description TEXT, arrayOrUnionDetail INTEGER, offset INTEGER);
CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER NOT NULL, end INTEGER NOT NULL, deviceId INTEGER NOT NULL,
  contextId INTEGER NOT NULL, streamId INTEGER NOT NULL, correlationId INTEGER, globalPid INTEGER,
  demangledName INTEGER NOT NULL, shortName INTEGER NOT NULL, graphNodeId INTEGER);
CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER NOT NULL, end INTEGER NOT NULL, eventClass INTEGER NOT NULL,
  globalTid INTEGER, correlationId INTEGER, nameId INTEGER NOT NULL, returnValue INTEGER NOT NULL);
CREATE TABLE MPI_RANKS (globalTid INTEGER NOT NULL, rank INTEGER NOT NULL);
CREATE TABLE MPI_P2P_EVENTS (start INTEGER NOT NULL, end INTEGER, globalTid INTEGER, textId INTEGER, commHandle INTEGER,
  tag INTEGER, remoteRank INTEGER, size INTEGER, requestHandle INTEGER);
CREATE TABLE MPI_COLLECTIVES_EVENTS (start INTEGER NOT NULL, end INTEGER, globalTid INTEGER, textId INTEGER,
  commHandle INTEGER, rootRank INTEGER, size INTEGER, recvSize INTEGER, requestHandle INTEGER);
CREATE TABLE MPI_START_WAIT_EVENTS (start INTEGER NOT NULL, end INTEGER, globalTid INTEGER, textId INTEGER,
  requestHandle INTEGER);
CREATE TABLE MPI_COMMUNICATORS (rank INTEGER, timestamp INTEGER, commHandle INTEGER, parentHandle INTEGER,
  localRank INTEGER, size INTEGER, groupRoot INTEGER, groupRootUid INTEGER, members TEXT);
"""
#: Number of a schema, and its fields: type, name, offset.
INIT, COLL, P2P = 100, 200, 300
SCHEMAS = {
    INIT: [(18, "NCCL communicator ID", None), (5, "No. of ranks", 8), (5, "Rank", 12), (5, "CUDA device", 16)],
    COLL: [(18, "NCCL communicator ID", None), (22, "Message size [bytes]", 8), (5, "Root", 16)],
    P2P: [(18, "NCCL communicator ID", None), (22, "Message size [bytes]", 8), (5, "Peer rank", 16)],
}
MS = 1_000_000


class Made:
    """A database that is being filled; times in nanoseconds."""

    def __init__(self, path: Path, began_ns: int = 1_000) -> None:
        path.unlink(missing_ok=True)
        self.path = path
        self.to = sqlite3.connect(path)
        self.to.executescript(TABLES)
        self.to.execute("INSERT INTO META_DATA_EXPORT VALUES ('EXPORT_SCHEMA_VERSION', '3.28.1')")
        self.to.execute("INSERT INTO TARGET_INFO_SESSION_START_TIME VALUES (?)", (began_ns,))
        self.texts: dict[str, int] = {}
        self.correlation = 0
        for schema, fields in SCHEMAS.items():
            for at, (kind, name, offset) in enumerate(fields):
                row = (7, schema, at, None, kind, name, None, None, offset)
                self.to.execute("INSERT INTO NVTX_PAYLOAD_SCHEMA_ENTRIES VALUES (?,?,?,?,?,?,?,?,?)", row)

    def text(self, value: str) -> int:
        if value not in self.texts:
            self.texts[value] = len(self.texts) + 1
            self.to.execute("INSERT INTO StringIds VALUES (?, ?)", (self.texts[value], value))
        return self.texts[value]

    def done(self) -> Path:
        self.to.commit()
        self.to.close()
        return self.path

    def range(self, pid: int, name: str, begin: int, end: int, schema: int, body: bytes) -> None:
        head = struct.pack("<IIIIQQ", 7, 0, schema, 0, len(body), 32 + len(body))
        row = (begin, end, 59, None, thread(pid), self.text(name), 7, head + body)
        self.to.execute("INSERT INTO NVTX_EVENTS VALUES (?,?,?,?,?,?,?,?)", row)

    def init(self, pid: int, comm: int, rank: int, ranks: int) -> None:
        self.range(pid, "ncclCommInitRankConfig", 0, 1, INIT, struct.pack("<Qiii", comm, ranks, rank, 0))

    def kernel(self, pid: int, name: str, begin: int, end: int, stream: int, launched: int) -> None:
        self.correlation += 1
        names = self.text(f"{name}(args)"), self.text(name)
        row = (begin, end, 0, 1, stream, self.correlation, pid << 24, *names, None)
        self.to.execute("INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (?,?,?,?,?,?,?,?,?,?)", row)
        launch = (launched, launched + 5, 0, thread(pid), self.correlation, self.text("cudaLaunchKernel"), 0)
        self.to.execute("INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (?,?,?,?,?,?,?)", launch)

    def collective(
        self, pid: int, name: str, comm: int, size: int, at: int, begin: int, end: int, root: int = 0
    ) -> None:
        """A call at a time of the host, and its kernel."""
        self.range(pid, f"nccl{name}", at, at + 10, COLL, struct.pack("<QQi", comm, size, root))
        self.kernel(pid, f"ncclDevKernel_{name}_RING_LL", begin, end, 20, at + 3)


def thread(pid: int) -> int:
    return 0x1_0000_0000_0000 | pid << 24 | pid
