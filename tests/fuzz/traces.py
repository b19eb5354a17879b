"""Traces of every format, read without the rest of a command: a million inputs need that."""

from __future__ import annotations

import shutil
from pathlib import Path

SEEDS = Path(__file__).with_name("seeds")


def alone(path: Path) -> object:
    """A file of which no other one is needed."""
    from netloom.workload.traces import read_record

    return read_record(path).workload


def smpi(path: Path) -> object:
    """The file of a rank of two, with its index; the other one is sound."""
    from netloom.workload.traces import read_record

    other, index = path.with_name("rank-1.trace"), path.with_name("index.trace")
    other.write_bytes(b"1 init\n1 recv 0 3 64 6\n1 irecv 0 4 64 6\n1 wait 0 1 4\n1 allreduce 8 1 6\n1 finalize\n")
    index.write_text(f"{path.name}\n{other.name}\n")
    return read_record(index, "smpi").workload


def chakra(path: Path) -> object:
    """The file of rank 0 of two; the other one is sound."""
    from netloom.workload.traces import read_record

    first = path.with_name("input.0.et")
    path.replace(first)
    shutil.copyfile(SEEDS / "trace-chakra" / "one.et", path.with_name("input.1.et"))
    return read_record(first).workload


def otf2(path: Path) -> object:
    """One of the files of an archive; the others are sound."""
    from netloom.workload.traces import read_record

    folder = path.with_name("archive")
    shutil.copytree(SEEDS / "otf2", folder, dirs_exist_ok=True)
    where = {".def": "archive.def", ".evt": "archive/0.evt"}
    path.replace(folder / where[path.suffix])
    return read_record(folder / "archive.otf2").workload


def order(path: Path) -> object:
    """The calls of rank 1 of two; the rest of its record is sound."""
    from tests.unit.traces.record_files import pair, write

    from netloom.workload.traces import read_record

    folder = write(path.parent / "record", pair())
    (folder / "rank-1.order").write_bytes(path.read_bytes())
    return read_record(folder)
