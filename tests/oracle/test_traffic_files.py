"""Communication matrices as SciPy and NumPy write and read them."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

import netloom
from netloom import _core

scipy_io = pytest.importorskip("scipy.io")
sparse = pytest.importorskip("scipy.sparse")


def matrix(ranks: int, seed: int) -> NDArray[np.int64]:
    """Bytes between a third of the pairs, some of them on the diagonal."""
    random = np.random.default_rng(seed)
    return random.integers(1, 1 << 40, (ranks, ranks)) * (random.random((ranks, ranks)) < 0.3)


def held(traffic: _core.Traffic) -> NDArray[np.int64]:
    table = traffic.table()
    found = np.zeros((traffic.ranks, traffic.ranks), dtype=np.int64)
    found[table["src"], table["dst"]] = table["bytes"]
    return found


def without_diagonal(bytes_: NDArray[np.int64]) -> NDArray[np.int64]:
    return bytes_ - np.diag(np.diag(bytes_))


@pytest.mark.parametrize("dtype", ["u8", "i8", ">i8", "f8", ">f8"])
@pytest.mark.parametrize("order", ["C", "F"])
def test_numpy_files(tmp_path: Path, dtype: str, order: str) -> None:
    wanted = matrix(17, 1)
    np.save(tmp_path / "m.npy", np.array(wanted, dtype=dtype, order=order))
    assert np.array_equal(held(netloom.read(tmp_path / "m.npy", "traffic")), without_diagonal(wanted))


@pytest.mark.parametrize("dtype", ["u1", "i1", "<u2", ">i2", "u4", "i4", "f4", ">f4"])
def test_narrow_numpy_files(tmp_path: Path, dtype: str) -> None:
    wanted = matrix(9, 2) % 100
    np.save(tmp_path / "m.npy", wanted.astype(dtype))
    assert np.array_equal(held(netloom.read(tmp_path / "m.npy", "traffic")), without_diagonal(wanted))


@pytest.mark.parametrize("version", [(1, 0), (2, 0), (3, 0)])
def test_versions_of_numpy_files(version: tuple[int, int]) -> None:
    file = io.BytesIO()
    np.lib.format.write_array(file, matrix(5, 3), version=version)
    assert np.array_equal(held(_core.Traffic.read(file.getvalue(), "m.npy")), without_diagonal(matrix(5, 3)))


@pytest.mark.parametrize("array", [np.array([["a"]], dtype=object), np.zeros((2, 2), dtype=[("a", "i4")])])
def test_arrays_of_objects_and_records_are_refused(array: NDArray[np.generic]) -> None:
    file = io.BytesIO()
    np.save(file, array, allow_pickle=True)
    with pytest.raises(netloom.NetloomError, match="NL-F013"):
        _core.Traffic.read(file.getvalue(), "m.npy")


@pytest.mark.parametrize("symmetric", [False, True])
@pytest.mark.parametrize("dense", [False, True])
@pytest.mark.parametrize("dtype", [np.int64, np.float64])
def test_matrix_market_files(tmp_path: Path, symmetric: bool, dense: bool, dtype: type) -> None:
    wanted = matrix(17, 4)
    if symmetric:
        wanted = np.tril(wanted) + np.tril(wanted, -1).T
    given = wanted.astype(dtype)
    name = tmp_path / "m.mtx"
    scipy_io.mmwrite(
        name,
        given if dense else sparse.coo_array(given),
        symmetry="symmetric" if symmetric else "general",
        precision=17,
    )
    assert np.array_equal(held(netloom.read(name, "traffic")), without_diagonal(wanted))


@pytest.mark.parametrize("header", [True, False])
def test_tables(tmp_path: Path, header: bool) -> None:
    wanted = matrix(17, 5)
    name = tmp_path / "m.csv"
    if header:
        src, dst = np.nonzero(wanted)
        columns = np.stack([src, dst, wanted[src, dst]], axis=1)
        np.savetxt(name, columns, fmt="%d", delimiter=",", header="src,dst,bytes", comments="")
    else:
        np.savetxt(name, wanted, fmt="%d", delimiter=",")
    assert np.array_equal(held(netloom.read(name, "traffic", ranks=17)), without_diagonal(wanted))


def test_what_is_written_is_read_elsewhere(tmp_path: Path) -> None:
    traffic = netloom.workload("stencil(4,5,bytes=100)", 20)
    for name in ("m.npy", "m.mtx", "m.csv"):
        netloom.write(traffic, tmp_path / name)
        again = netloom.read(tmp_path / name, "traffic")
        assert np.array_equal(held(again), held(traffic))
    assert np.array_equal(np.load(tmp_path / "m.npy", allow_pickle=False), held(traffic))
    assert np.array_equal(scipy_io.mmread(tmp_path / "m.mtx").toarray(), held(traffic))


def test_a_file_stands_where_a_pattern_does(tmp_path: Path) -> None:
    name = str(tmp_path / "ring.csv")
    netloom.write(netloom.workload("nearest-ring", 8), name)
    for ranks in (8, 12):
        by_file = netloom.hops("ring(16)", ranks=ranks, workload=name)
        assert by_file["total_hops"] == netloom.hops("ring(16)", ranks=8, workload="nearest-ring")["total_hops"]
    with pytest.raises(netloom.NetloomError, match="NL-F009"):
        netloom.workload(name, 7)
    with pytest.raises(netloom.NetloomError, match="NL-X001"):
        netloom.workload(str(tmp_path / "absent.npy"), 8)
    with pytest.raises(netloom.NetloomError, match="traffic-csv, matrix-market, npy"):
        netloom.read(__file__, "traffic")
    with pytest.raises(netloom.NetloomError, match="NL-A002"):
        netloom.write(netloom.workload("shift", 8), tmp_path / "m.dat")
