"""Tables to files and back."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from netloom.base.errors import NetloomError
from netloom.results import Column, Table, write_table
from netloom.results.write import csv_bytes, parquet_bytes

COLUMNS = [
    Column("network"),
    Column("total_hops", "hops", "sum"),
    Column("aspl", "hops"),
    Column("proved"),
    Column("note"),
]
ROWS = [
    {"network": "torus(4,4)", "total_hops": 9007199254740993, "aspl": 0.1, "proved": True, "note": 'a,"b"\nc'},
    {"network": "ring(4)", "total_hops": None, "aspl": 4, "proved": False},
]


def table() -> Table:
    return Table("t", list(COLUMNS), [dict(row) for row in ROWS])


def test_csv_reads_back() -> None:
    rows = list(csv.DictReader(io.StringIO(csv_bytes(table()).decode())))
    assert rows[0] == {
        "network": "torus(4,4)",
        "total_hops": "9007199254740993",
        "aspl": "0.1",
        "proved": "true",
        "note": 'a,"b"\nc',
    }
    assert rows[1]["total_hops"] == "" and rows[1]["note"] == "" and rows[1]["proved"] == "false"


def test_parquet_reads_back_with_types_units_and_provenance() -> None:
    pq = pytest.importorskip("pyarrow.parquet")
    data = parquet_bytes(table(), {"study": "s"})
    assert data == parquet_bytes(table(), {"study": "s"})
    back = pq.read_table(io.BytesIO(data))
    assert [str(t) for t in back.schema.types] == ["string", "int64", "double", "bool", "string"]
    assert back.to_pylist()[0]["total_hops"] == 9007199254740993
    assert back.to_pylist()[1]["aspl"] == 4.0
    assert back.schema.field("total_hops").metadata[b"unit"] == b"hops"
    assert json.loads(back.schema.metadata[b"netloom"]) == {"study": "s"}


def test_files_and_provenance(tmp_path: Path) -> None:
    written = write_table(table(), tmp_path, {"study": "s"}, parquet=False)
    assert [path.name for path in written] == ["t.csv", "t.provenance.json"]
    about = json.loads((tmp_path / "t.provenance.json").read_text())
    assert about["study"] == "s" and about["columns"]["total_hops"]["unit"] == "hops"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["t.csv", "t.provenance.json"]


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(NetloomError, match="NL-X003"):
        write_table(table(), tmp_path / "file" / "below", {}, parquet=False)


def test_aggregates_groups_and_conditions() -> None:
    made = Table("t", [Column("a"), Column("v")], [{"a": a, "v": v} for a, v in (("x", 1), ("y", 5), ("x", 4))])
    assert made.where({"a": "x"}).aggregate("v", "median") == 2.5
    assert made.where({"a": ["x", "y"]}).aggregate("v", "sum") == 10
    assert made.where({"a": "z"}).aggregate("v") is None
    assert [(key, len(group.rows)) for key, group in made.groups(["a"])] == [(("x",), 2), (("y",), 1)]
