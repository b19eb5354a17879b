"""Files of measurements: what is read, what is dropped, what is refused with the line."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from netloom import NetloomError
from netloom.measured import Measurement, parse
from netloom.measured.own import COLUMNS, write

HEAD = ",".join(COLUMNS)
ROW = "allreduce,ring,Open MPI,8,2,65536,7.1e-05"
PICO = (
    "machine,nodes,ranks_per_node,mpi,mpi_version,gpu,collective,algorithm,segment_bytes,bytes,count,min_us,median_us"
)


def test_a_row_is_read_whatever_the_order_of_columns() -> None:
    wanted = Measurement("allreduce", "ring", "Open MPI", 8, 2, 65536, 7.1e-5, "a.csv:2")
    assert parse(f"{HEAD}\n{ROW}\n".encode(), "a.csv").rows == [wanted]
    turned = ",".join(reversed(COLUMNS)) + ",more\n" + ",".join(reversed(ROW.split(","))) + ",x\n"
    found = parse(turned.encode(), "a.csv")
    assert found.rows == [wanted]
    assert found.notes == ["columns that are not read: more"]


def test_comments_a_byte_order_mark_and_windows_lines_are_no_part_of_it() -> None:
    text = f"\ufeff# measured on Monday\r\n\r\n{HEAD}\r\n# a pause\r\n{ROW}\r\n"
    assert [row.place for row in parse(text.encode(), "a.csv").rows] == ["a.csv:5"]


def test_optional_columns() -> None:
    (row,) = parse(b"collective,nodes,bytes,time_s\nreduce_scatter,4,8,1e-5\n", "a.csv").rows
    assert (row.collective, row.algorithm, row.ranks_per_node, row.library) == ("reduce-scatter", "default", 1, "")


def test_what_is_written_is_read_again() -> None:
    rows = parse(f"{HEAD}\n{ROW}\n".encode(), "a.csv").rows
    assert parse(write(rows).encode(), "a.csv").rows == rows


def test_times_of_the_clock_are_dropped() -> None:
    found = parse(f"{HEAD}\nbroadcast,binomial,,2,1,8,9e-7\nbroadcast,binomial,,2,1,0,9e-6\n".encode(), "a.csv")
    assert found.rows == []
    assert [place for place, _ in found.dropped] == ["a.csv:2", "a.csv:3"]


@pytest.mark.parametrize(
    ("text", "code", "says"),
    [
        ("", "NL-V001", "no format"),
        ("a,b\n1,2\n", "NL-V001", "no format"),
        (HEAD.replace("nodes", "hosts") + "\n", "NL-V001", "lacks the column nodes"),
        (f"{HEAD},bytes\n", "NL-V001", "the column bytes twice"),
        (f"{HEAD}\n{ROW[:20]}", "NL-V002", "a.csv:2"),
        (f"{HEAD}\n{ROW.replace('65536', '64KiB')}\n", "NL-V002", "bytes without a unit"),
        (f"{HEAD}\n{ROW.replace('7.1e-05', '0')}\n", "NL-V002", "above 0"),
        (f"{HEAD}\n{ROW.replace('7.1e-05', 'nan')}\n", "NL-V002", "above 0"),
        (f"{HEAD}\n{ROW.replace('7.1e-05', 'inf')}\n", "NL-V002", "above 0"),
        (f"{HEAD}\n{ROW.replace('7.1e-05', '-1')}\n", "NL-V002", "above 0"),
        (f"{HEAD}\n{ROW.replace(',8,', ',0,')}\n", "NL-V002", "nodes"),
        # Swapped columns: 65,536 seconds for 71 bytes are slow, but the other way no network is so fast.
        (f"{HEAD}\n{ROW.replace('65536,7.1e-05', '1099511627776,7.1e-05')}\n", "NL-V002", "each other's column"),
        (f'{HEAD}\n"allreduce,ring\n', "NL-V001", "no CSV"),
        (f"{PICO}\nlumi,8,1,CRAY,8,no,allreduce,ring_over,0,1024,9,1.0\n", "NL-V002", "a.csv:2"),
    ],
)
def test_one_clear_fault(text: str, code: str, says: str) -> None:
    with pytest.raises(NetloomError) as error:
        parse(text.encode(), "a.csv")
    assert error.value.faults[0].code == code
    assert says in str(error.value)


def test_binary_data_and_other_encodings_are_refused() -> None:
    for data in (b"\0\1\2", "größe".encode("latin-1")):
        with pytest.raises(NetloomError):
            parse(data, "a.csv")


def test_pico_counts_bytes_of_all_ranks() -> None:
    rows = [
        "lumi,8,1,CRAY_MPICH,8.1.29,no,allgather,ring_over,0,8192,9,20.0,21.5",
        "lumi,8,1,CRAY_MPICH,8.1.29,no,allreduce,ring_mpich,0,8192,9,20.0,21.5",
        "lumi,8,1,CRAY_MPICH,8.1.29,no,allreduce,ring_mpich,0,16384,9,20.0,21.5",
        "lumi,8,1,CRAY_MPICH,8.1.29,no,allreduce,default_mpich,0,16384,9,20.0,21.5",
        "lumi,8,1,CRAY_MPICH,8.1.29,CUDA,allreduce,ring_over,0,16384,9,20.0,21.5",
        "lumi,2x2x2,1,CRAY_MPICH,8.1.29,no,allreduce,ring_over,0,16384,9,20.0,21.5",
        "lumi,8,1,CRAY_MPICH,8.1.29,no,allreduce,bine_bdw_remap_over,0,16384,9,20.0,21.5",
    ]
    found = parse("\n".join([PICO, *rows]).encode(), "a.csv")
    assert [(row.call, row.bytes) for row in found.rows] == [
        ("allgather:ring", 1024), ("allreduce:ring", 8192), ("allreduce:default", 16384),
    ]  # fmt: skip
    assert [place for place, _ in found.dropped] == ["a.csv:4", "a.csv:6", "a.csv:7", "a.csv:8"]


@given(st.integers(0, len(HEAD) + len(ROW)), st.text(max_size=8), st.integers(0, 20))
def test_a_damaged_file_gives_faults_and_nothing_else(at: int, put: str, cut: int) -> None:
    text = f"{HEAD}\n{ROW}\n{ROW}\n"
    try:
        parse((text[:at] + put + text[at + cut :]).encode("utf-8", "surrogatepass"), "a.csv")
    except NetloomError as error:
        assert all(fault.code.startswith("NL-V") for fault in error.faults)
