"""mpisee: databases that it wrote, next to their own sums, and what no database may do."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

import netloom
from netloom.workload import messages as messages_of
from netloom.workload.traces import Untold, read_record, recognised

DATA = Path(__file__).parents[2] / "data" / "traces"
MIXED, COLLECTIVES = DATA / "mixed.mpisee.db", DATA / "collectives.mpisee.db"
#: Calls, bytes and seconds of each operation on communicators of each size, as the database itself adds them up.
SUMS = (
    "SELECT lower(o.operation), c.size, sum(calls), sum(volume), sum(time) FROM data d "
    "JOIN comms c ON c.id = d.comm_id JOIN operations o ON o.id = d.operation_id "
    "WHERE o.operation NOT LIKE 'Init%' GROUP BY 1, 2"
)


@pytest.mark.parametrize("path", [MIXED, COLLECTIVES])
def test_calls_are_those_of_the_database(path: Path) -> None:
    assert recognised(path) == "mpisee"
    record = read_record(path)
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as base:
        for operation, size, calls, volume, seconds in base.execute(SUMS):
            name = operation if size == 4 else f"{operation} on {size} ranks"
            assert record.survey["calls"][name] == (calls, volume, pytest.approx(seconds))
        (longest,) = base.execute("SELECT max(time) FROM exectimes").fetchone()
        sizes = [size for (size,) in base.execute("SELECT size FROM comms ORDER BY size DESC")]
    assert record.survey["span_s"] == longest and record.survey["communicators"] == sizes
    assert record.workload.ranks == 4


def test_what_does_not_tell_receivers_is_no_workload() -> None:
    record = read_record(MIXED)
    assert isinstance(record.workload, Untold)
    with pytest.raises(netloom.NetloomError) as fault:
        netloom.simulate(network="ring(4)", workload=f'mpisee("{MIXED}")')
    said = str(fault.value)
    assert len(fault.value.faults) == 1 and "NL-F013" in said and "sends without receivers" in said
    assert "members are not recorded" in said and "collectives with a root" in said


def test_collectives_of_all_ranks_are_their_messages() -> None:
    # The program: 10 allreduce of 100 doubles, 3 alltoall of 2000 bytes, an allgather of 50 integers, a barrier.
    own = [(10, "allreduce", 800), (3, "alltoall", 2000), (1, "allgather", 200), (1, "barrier", 0)]
    recorded = messages_of(read_record(COLLECTIVES).told())
    expected: dict[tuple[int, int], list[int]] = {}
    for times, collective, size in own:
        trace = b"".join(f"{rank} {collective} {size} {size} 0 0 6\n".encode() for rank in range(4))
        line = {
            "allreduce": "{} allreduce {} 0 6",
            "alltoall": "{} alltoall {} {} 6 6",
            "allgather": "{} allgather {} {} 6 6",
            "barrier": "{} barrier",
        }[collective]
        trace = "".join(f"{line.format(rank, size, size)}\n" for rank in range(4)).encode()
        programs, _ = netloom._core.Programs.read(trace, "t")
        table = netloom._core.Traffic.of_programs(programs).table()
        for src, dst, messages, sent in zip(
            *(table[name].tolist() for name in ("src", "dst", "messages", "bytes")), strict=True
        ):
            pair = expected.setdefault((src, dst), [0, 0])
            pair[0] += times * messages
            pair[1] += times * sent
    table = recorded.table()
    found: dict[tuple[int, int], list[int]] = {}
    for src, dst, messages, sent in zip(
        *(table[name].tolist() for name in ("src", "dst", "messages", "bytes")), strict=True
    ):
        pair = found.setdefault((src, dst), [0, 0])
        pair[0] += messages
        pair[1] += sent
    assert found == expected


@pytest.fixture
def base(tmp_path: Path) -> Iterator[tuple[Path, sqlite3.Connection]]:
    path = tmp_path / "run.db"
    path.write_bytes(MIXED.read_bytes())
    with closing(sqlite3.connect(path)) as opened:
        yield path, opened


@pytest.mark.parametrize(
    ("statement", "says"),
    [
        ("UPDATE data SET rank = 9 WHERE rank = 3", "data.rank must be"),
        ("UPDATE data SET calls = -1", "data.calls must be"),
        ("UPDATE data SET volume = 'x'", "data.volume must be"),
        ("UPDATE data SET comm_id = 77", "uses the communicator 77, which nobody created"),
        ("DELETE FROM comms", "holds no communicator"),
        ("DROP TABLE operations", "the table operations lacks id, operation"),
        ("ALTER TABLE data RENAME COLUMN time TO t", "the table data lacks time"),
        ("DROP TABLE data; CREATE VIEW data AS SELECT 1 AS rank", "the table data lacks"),
    ],
)
def test_what_is_wrong_is_one_line(base: tuple[Path, sqlite3.Connection], statement: str, says: str) -> None:
    path, opened = base
    opened.executescript(statement)
    opened.commit()
    with pytest.raises(netloom.NetloomError) as fault:
        read_record(path, format="mpisee").told()
    assert says in str(fault.value) and len(fault.value.faults) == 1


def test_files_without_bytes_are_described(base: tuple[Path, sqlite3.Connection]) -> None:
    path, opened = base
    opened.executescript("ALTER TABLE data DROP COLUMN volume; VACUUM")
    opened.commit()
    survey = read_record(path, format="mpisee").survey
    assert survey["calls"]["allreduce"].bytes == 0 and any("does not count bytes" in note for note in survey["notes"])


@pytest.mark.parametrize("seed", range(200))
def test_changed_files_are_read_or_refused(tmp_path: Path, seed: int) -> None:
    draw, path = random.Random(seed), tmp_path / "run.db"
    data = bytearray(draw.choice([MIXED, COLLECTIVES]).read_bytes())
    for _ in range(draw.choice([1, 8])):
        data[draw.randrange(100, len(data))] = draw.randrange(256)
    path.write_bytes(data[: draw.choice([len(data), draw.randrange(1, len(data))])])
    before = path.read_bytes()
    try:
        read_record(path, format="mpisee").told()
    except netloom.NetloomError as fault:
        assert len(str(fault)) < 2000
    assert path.read_bytes() == before and [one.name for one in tmp_path.iterdir()] == ["run.db"]
