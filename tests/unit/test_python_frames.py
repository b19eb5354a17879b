"""Answers as tables of other libraries: as the pages say, with each library, and without it."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pytest

import netloom
from netloom.results.frames import Frames

JOB = {"workload": "alltoall:pairwise", "size_bytes": "1 MiB"}


@pytest.fixture(scope="module")
def loads() -> Any:
    return netloom.loads("torus(4,4)", **JOB)


@pytest.fixture(scope="module")
def found() -> Any:
    return netloom.map_ranks("torus(4,2)", workload="stencil(4,2)", objective="hops", optimiser="two-opt(swaps=9)")


def test_rows_need_no_library(loads: Any, found: Any) -> None:
    assert loads.to_rows() == [loads.record]
    assert [row["bytes"] for row in loads.to_rows("hottest")] == [row["bytes"] for row in loads.hottest]
    columns = [list(row) for row in loads.to_rows("classes")]
    assert all(names == columns[0] for names in columns)
    assert [row["endpoint"] for row in found.to_rows()] == found.mapping.tolist()
    timing = netloom.time_collective("ring(4)", "allgather", sizes="1KiB:2KiB")
    assert timing.to_rows() == [dict(row) for row in timing.table.rows]
    with pytest.raises(
        netloom.NetloomError, match=r'NL-A002 to_rows.table .* got hotest\n.*hint: did you mean "hottest"'
    ):
        loads.to_rows("hotest")


def test_values_by_name_as_a_dictionary_has_them(loads: Any, found: Any) -> None:
    for result in (loads, found):
        assert dict(result) == {name: result[name] for name in result} or result is found
        assert list(result.keys()) == list(result) and len(result) == len(list(result.values()))
        assert all(
            result[name] is value or result[name] == value for name, value in result.items() if name != "mapping"
        )
    assert loads.get("max_bytes") == loads.max_bytes and loads.get("nothing", 7) == 7 and "nothing" not in loads
    with pytest.raises(KeyError):
        loads["nothing"]
    with pytest.raises(TypeError, match="unhashable"):
        hash(loads)


def test_an_answer_is_no_array(loads: Any) -> None:
    """NumPy and pandas would take its names for it, without a word."""
    with pytest.raises(netloom.NetloomError, match=r"NL-A007 answer: is no array.*\n.*to_pandas\(\)"):
        np.asarray(loads)


def test_a_mapping_is_the_array_of_endpoints(found: Any) -> None:
    assert np.asarray(found).tolist() == found.mapping.tolist()


class Streams(Frames):
    """What a library sees of a result."""

    def _rows_of(self, table: str | None) -> list[dict[str, int | None]]:
        return [{"a": 1}, {"a": 2, "b": 3}]


def test_columns_that_only_some_rows_have() -> None:
    assert Streams().to_rows() == [{"a": 1, "b": None}, {"a": 2, "b": 3}]


@pytest.mark.parametrize(
    ("method", "package", "hint"),
    [
        ("to_pandas", "pandas", "pip install 'netloom[pandas]'"),
        ("to_arrow", "pyarrow.lib", "pip install 'netloom[parquet]'"),
        ("__arrow_c_stream__", "pyarrow.lib", "pip install 'netloom[parquet]'"),
    ],
)
def test_a_missing_library_is_named_with_its_extra(
    method: str, package: str, hint: str, loads: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(netloom.NetloomError) as refused:
        getattr(loads, method)()
    assert hint in str(refused.value) and "\n" in str(refused.value) and "NL-A007" in str(refused.value)


def test_the_extras_that_hints_name_are_there() -> None:
    import tomllib
    from pathlib import Path

    project = Path(__file__).parents[2] / "pyproject.toml"
    extras = tomllib.loads(project.read_text())["project"]["optional-dependencies"]
    assert {"pandas", "parquet", "graph"} <= set(extras)
    assert "pandas" in extras["all"][0]


def test_pandas(loads: Any, found: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    pandas = pytest.importorskip("pandas")
    # pandas alone is enough.
    monkeypatch.setitem(sys.modules, "pyarrow.lib", None)
    assert loads.to_pandas().to_dict("records")[0]["max_bytes"] == loads.max_bytes
    assert list(loads.to_pandas("hottest").columns) == list(loads.to_rows("hottest")[0])
    assert pandas.DataFrame(loads.to_rows("classes")).shape == loads.to_pandas("classes").shape
    assert found.to_pandas()["endpoint"].tolist() == found.mapping.tolist()
    with pytest.raises(netloom.NetloomError, match="to_pandas"):
        pandas.DataFrame(loads)


def test_polars(loads: Any, found: Any) -> None:
    polars = pytest.importorskip("polars")
    pytest.importorskip("pyarrow")
    assert polars.DataFrame(loads)["max_bytes"].to_list() == [loads.max_bytes]
    assert polars.DataFrame(found)["endpoint"].to_list() == found.mapping.tolist()
    assert polars.DataFrame(loads.to_rows("hottest")).height == 5


def test_arrow_stream(loads: Any) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    assert pyarrow.table(loads).to_pylist() == loads.to_rows()
    # What libraries of tables would take before the stream.
    from collections.abc import Mapping, Sequence

    assert not isinstance(loads, (Mapping, Sequence))
