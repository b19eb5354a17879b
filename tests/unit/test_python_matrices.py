"""Matrices, frames, archives of arrays and graphs of other packages, wherever traffic or a network is taken."""

from __future__ import annotations

import io
import pickle
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import netloom

networkx = pytest.importorskip("networkx")
sparse = pytest.importorskip("scipy.sparse")

LARGE = 2**53 + 1
SQUARE = np.zeros((4, 4), dtype=np.int64)
SQUARE[0, 1], SQUARE[2, 3], SQUARE[3, 0], SQUARE[1, 1] = 10, 7, LARGE, 5
#: What a rank sends itself is dropped; no number goes through a double.
FLOWS = {(0, 1): 10, (2, 3): 7, (3, 0): LARGE}


def flows(traffic: Any) -> dict[tuple[int, int], int]:
    table = traffic.table()
    assert table["messages"].tolist() == [1] * len(table["src"]) and traffic.ranks == 4
    return dict(
        zip(zip(table["src"].tolist(), table["dst"].tolist(), strict=True), table["bytes"].tolist(), strict=True)
    )


def frame(package: str) -> Any:
    columns = {"src": [0, 2, 3], "dst": [1, 3, 0], "bytes": [10, 7, LARGE]}
    return pytest.importorskip(package).DataFrame(columns)


GIVEN: dict[str, Callable[[], Any]] = {
    "array": lambda: SQUARE,
    "matrix": lambda: SQUARE.view(np.matrix),
    "unsigned": lambda: SQUARE.astype(np.uint64),
    "not contiguous": lambda: np.asfortranarray(SQUARE)[:, ::-1][:, ::-1],
    "frame of pandas": lambda: pytest.importorskip("pandas").DataFrame(SQUARE),
    "table of pandas": lambda: frame("pandas"),
    "table of Polars": lambda: frame("polars"),
    **{
        f"{kind} {form}": lambda kind=kind, form=form: getattr(sparse, f"{kind}_{form}")(SQUARE)
        for kind in ("csr", "csc", "coo", "bsr", "dia", "lil", "dok")
        for form in ("array", "matrix")
    },
}


@pytest.mark.parametrize("name", GIVEN)
def test_a_workload_in_python(name: str) -> None:
    assert flows(netloom.workload(GIVEN[name]())) == FLOWS


@pytest.mark.parametrize("compressed", [True, False])
@pytest.mark.parametrize("kind", ["csr", "csc", "coo"])
def test_files_of_scipy(kind: str, compressed: bool, tmp_path: Path) -> None:
    for form in ("array", "matrix"):
        sparse.save_npz(tmp_path / "m.npz", getattr(sparse, f"{kind}_{form}")(SQUARE), compressed=compressed)
        assert flows(netloom.read(tmp_path / "m.npz", "traffic")) == FLOWS


@pytest.mark.parametrize("save", [np.savez, np.savez_compressed])
def test_files_of_numpy(save: Callable[..., None], tmp_path: Path) -> None:
    path = tmp_path / "m.npz"
    save(path, SQUARE)
    assert flows(netloom.read(path, "traffic")) == FLOWS
    assert netloom.read(path, "traffic", ranks=6).ranks == 6
    save(path, src=[0, 2, 3], dst=[1, 3, 0], bytes=[10, 7, LARGE])
    assert flows(netloom.read(path, "traffic", format="npz")) == FLOWS
    with pytest.raises(netloom.NetloomError, match="NL-F009"):
        netloom.read(path, "traffic", ranks=3)


def saved(path: Path, *arrays: Any, **named: Any) -> None:
    np.savez(path, *arrays, **named)


def head(path: Path, shape: tuple[int, ...], follow: int, kind: str = "<i8") -> None:
    """An archive whose only array promises a shape and has so many bytes."""
    file = io.BytesIO()
    np.lib.format.write_array_header_1_0(file, {"descr": kind, "fortran_order": False, "shape": shape})
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.npy", file.getvalue() + bytes(follow))


def claims(path: Path, size: int) -> None:
    """An archive that says that it unpacks to so many bytes."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.npy", bytes(1000))
    data = path.read_bytes()
    at = data.rindex(b"PK\x01\x02") + 24
    path.write_bytes(data[:at] + size.to_bytes(4, "little") + data[at + 4 :])


CSR = sparse.csr_array(SQUARE)
PARTS = {"data": CSR.data, "indices": CSR.indices, "indptr": CSR.indptr}
BAD: dict[str, tuple[Callable[[Path], None], str]] = {
    "objects": (lambda path: saved(path, np.array([{}, {}], dtype=object)), "NL-F013 .*Object arrays"),
    "rectangle": (lambda path: saved(path, np.ones((3, 4), int)), r"NL-A007 .*got shape \(3, 4\)"),
    "three dimensions": (lambda path: saved(path, np.zeros((2, 2, 2), int)), r"NL-A007 .*\(2, 2, 2\)"),
    "nobody": (lambda path: saved(path, np.zeros((0, 0), int)), r"NL-A007 .*got shape \(0, 0\)"),
    "negative": (lambda path: saved(path, -np.ones((2, 2), int)), "NL-A007 .*got -1"),
    "halves": (lambda path: saved(path, np.full((2, 2), 0.5)), "NL-A007 .*got 0.5"),
    "not a number": (lambda path: saved(path, np.full((2, 2), np.nan)), "NL-A007 .*got nan"),
    "beyond 2^63": (lambda path: saved(path, np.full((2, 2), 2**63, np.uint64)), "NL-A007 .*whole numbers"),
    "complex": (lambda path: saved(path, np.ones((2, 2), complex)), "NL-A007 .*complex128"),
    "texts": (lambda path: saved(path, np.array([["a", "b"], ["c", "d"]])), "NL-A007 .*U1"),
    "two squares": (lambda path: saved(path, a=SQUARE, b=SQUARE), "NL-F013 .*arrays 'a', 'b'"),
    "nothing": (lambda path: saved(path), "NL-F004 .*holds no array"),
    "columns of two lengths": (lambda path: saved(path, src=[0], dst=[1], bytes=[1, 2]), "NL-A007 .*one length"),
    "no archive": (lambda path: path.write_bytes(b"PK\x03\x04junk") and None, "NL-F003"),
    "empty": (lambda path: path.write_bytes(b"") and None, "NL-F003"),
    "a pickle": (lambda path: path.write_bytes(pickle.dumps([1])) and None, "NL-F003"),
    "other files": (lambda path: zipfile.ZipFile(path, "w").writestr("a.txt", "hi"), "NL-F0"),
    "a head that promises 8 TiB": (
        lambda path: head(path, (1 << 20, 1 << 20), 100),
        "NL-F013 .*promises 8796093022208",
    ),
    "a head with less than follows": (lambda path: head(path, (2, 2), 33), "NL-F013 .*promises 32 bytes, and 33"),
    "a head with objects": (lambda path: head(path, (2, 2), 32, "|O"), "NL-F013 .*Object arrays"),
    "more than 1 GiB": (lambda path: claims(path, (1 << 30) + 1), "NL-F001 .*1 GiB unpacked"),
    "many arrays": (lambda path: saved(path, *[SQUARE] * 65), "NL-F001 .*64 arrays"),
    "sparse of another kind": (lambda path: saved(path, format="dia", shape=(4, 4)), r"NL-F013 .*got dia\n.*tocsr"),
    "sparse without its data": (lambda path: saved(path, format="csr", shape=(4, 4)), "NL-F010 .*no array data"),
    "sparse of texts": (lambda path: saved(path, format="csr", shape=np.array("x"), **PARTS), "NL-F003"),
    "sparse beyond itself": (
        lambda path: saved(path, format="csr", shape=(4, 4), **{**PARTS, "indices": CSR.indices + 9}),
        "NL-A007 .*a rank in 0..4",
    ),
    "sparse with rows backwards": (
        lambda path: saved(path, format="csr", shape=(4, 4), **{**PARTS, "indptr": CSR.indptr[::-1]}),
        "NL-F003",
    ),
    "sparse of halves of rows": (
        lambda path: saved(path, format="coo", shape=(4, 4), data=[1], row=np.array([0.5]), col=[1]),
        "NL-F003",
    ),
    "sparse of three dimensions": (
        lambda path: saved(path, format="csr", shape=(4, 4, 4), **PARTS),
        r"NL-A007 .*\(4, 4, 4\)",
    ),
    "sums beyond 2^63": (
        lambda path: saved(path, format="coo", shape=(2, 2), data=[2**62, 2**62], row=[0, 0], col=[1, 1]),
        "NL-A009",
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_archives_that_are_refused_in_words(name: str, tmp_path: Path) -> None:
    make, words = BAD[name]
    path = tmp_path / "m.npz"
    make(path)
    with pytest.raises(netloom.NetloomError, match=words):
        netloom.read(path, "traffic")


def test_an_archive_is_never_executed(tmp_path: Path) -> None:
    class Evil:
        def __reduce__(self) -> Any:
            return (Path.touch, (tmp_path / "pwned",))

    np.savez(tmp_path / "m.npz", np.array([[Evil()]], dtype=object))
    with pytest.raises(netloom.NetloomError, match=r"NL-F013 .*\n.*never read, since that executes code"):
        netloom.read(tmp_path / "m.npz", "traffic")
    assert not (tmp_path / "pwned").exists()


DOORS: dict[str, Callable[[Any, Any], Any]] = {
    "hops": lambda net, load: netloom.hops(net, workload=load).messages,
    "loads": lambda net, load: netloom.loads(net, workload=load).messages,
    "jobs": lambda net, load: netloom.loads(net, [{"name": "a", "nodes": 4, "workload": load}]).messages,
    "Job": lambda net, load: netloom.loads(net, netloom.Job(workload=load, nodes=4)).messages,
    "job of its size": lambda net, load: netloom.loads(net, [{"name": "a", "workload": load}]).messages,
    "simulate": lambda net, load: netloom.simulate(net, workload=load).messages,
    "a dictionary": lambda net, load: netloom.evaluate({"network": net, "workload": load}, "hops").messages,
    "steps": lambda net, load: (
        netloom.hops(net, workload=netloom.steps({"ranks": 4, "step": [{"workload": load}]})).messages
    ),
    "map_ranks": lambda net, load: len(netloom.map_ranks(net, workload=load, objective="hops").mapping) - 1,
}


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("load", [SQUARE, CSR], ids=["array", "sparse"])
def test_every_door_takes_a_graph_and_a_matrix(door: str, load: Any) -> None:
    assert DOORS[door](networkx.cycle_graph(4), load) == 3


def test_graphs_and_matrices_are_written_and_are_places_of_mappings(tmp_path: Path) -> None:
    graph = networkx.cycle_graph(4)
    netloom.write(graph, tmp_path / "g.graphml")
    assert netloom.read(tmp_path / "g.graphml", "network").switch_links == 4
    netloom.write(SQUARE, tmp_path / "m.csv")
    assert flows(netloom.read(tmp_path / "m.csv", "traffic")) == FLOWS
    netloom.write([3, 2, 1, 0], tmp_path / "r.csv", network=graph)
    assert netloom.read(tmp_path / "r.csv", "mapping", network=graph).tolist() == [3, 2, 1, 0]
    with pytest.raises(netloom.NetloomError, match=r"NL-A007 write\.value"):
        netloom.write(SQUARE, tmp_path / "r.csv", network=graph)


def hint_of(call: Callable[[], object]) -> str:
    with pytest.raises(netloom.NetloomError) as refused:
        call()
    return str(refused.value.faults[0].hint)


def test_what_is_not_taken_names_what_is_and_that_works() -> None:
    names = {"networkx": networkx, "numpy": np, "netloom": netloom}
    cables = np.array([[0, 2, 0], [2, 0, 1], [0, 1, 0]])
    for matrix in (cables, sparse.csr_array(cables)):
        call = hint_of(lambda matrix=matrix: netloom.network(matrix)).partition(" is ")[0]
        assert netloom.network(eval(call, names | {"matrix": matrix})).switch_links == 3
        call = hint_of(lambda matrix=matrix: netloom.hops(matrix, workload="uniform")).partition(" is ")[0]
        assert call.startswith("networkx.from_")
    graph = networkx.DiGraph([(0, 1, {"bytes": 10}), (1, 2, {"bytes": 4})])
    call = hint_of(lambda: netloom.workload(graph)).partition(" is ")[0]
    assert netloom.workload(eval(call, names | {"graph": graph})).bytes == 14
    call = hint_of(lambda: netloom.workload([[0, 1], [1, 0]])).partition(" is ")[0]
    assert netloom.workload(eval(call, names | {"rows": [[0, 1], [1, 0]]})).bytes == 2


def test_the_command_line(tmp_path: Path) -> None:
    sparse.save_npz(tmp_path / "m.npz", CSR)
    np.save(tmp_path / "m.npy", SQUARE)

    def run(*args: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "netloom", *args]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False)

    done = run("hops", "-n", "ring(4)", "-t", "m.npz", "--json")
    assert done.returncode == 0 and '"messages": 3' in done.stdout, done.stderr
    for name in ("m.npz", "m.npy"):
        done = run("hops", "-n", name, "-t", "uniform")
        assert (done.returncode, done.stdout) == (2, "")
        assert "is a matrix, which is traffic and no network" in done.stderr and "write_graphml" in done.stderr
    networkx.write_graphml(networkx.cycle_graph(4), tmp_path / "g.graphml")
    assert run("hops", "-n", "g.graphml", "-t", "m.npz").returncode == 0
