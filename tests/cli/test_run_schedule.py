"""`netloom run-schedule` and `netloom bench-orders` without mpirun: what is wrong is said before anything starts."""

from __future__ import annotations

import pytest

from netloom.cli.app import main


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        ("run-schedule allreduce:ring --sizes 8:x", "NL-A008 --sizes"),
        ("run-schedule allreduce:ring --datatype float16", 'NL-I052 --datatype: there is no datatype "float16"'),
        ("run-schedule allreduce:ring --datatype byte --op sum", "NL-I052 --op must be an operation on byte, got sum"),
        ("run-schedule allreduce:ring --root -1", "NL-A007 --root must be an integer >= 0, got -1"),
        ("run-schedule allreduce:ring --seconds 0", "NL-A007 --seconds must be a number > 0, got 0"),
        ("run-schedule allreduce:ring --one-in 0", "NL-A007 --one-in must be an integer >= 1, got 0"),
        (
            "run-schedule allreduce:ring --check-only -o x.csv",
            "NL-X010 --output: has times, and --check-only takes none",
        ),
        ("run-schedule allreduce:ring --runner rust", "NL-A011 netloom run-schedule: Invalid value for '--runner'"),
        ("run-schedule allreduce:ring --runner python --mpicc mpicc", "NL-X010 --mpicc: compiles the runner in C"),
        ("run-schedule", "NL-A011 netloom run-schedule: Missing argument"),
        ("bench-orders none.toml --window x", "NL-A007 --window must be a number > 0, got x"),
    ],
)
def test_refused(words: str, fault: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(words.split())
    said = capsys.readouterr()
    assert ended.value.code == 2 and said.err.startswith(f"error: {fault}") and said.out == ""


def test_without_mpi4py(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setitem(__import__("sys").modules, "mpi4py", None)
    with pytest.raises(SystemExit) as ended:
        main(["run-schedule", "allreduce:ring"])
    assert ended.value.code == 2
    assert capsys.readouterr().err.startswith("error: NL-X012 mpirun: needs the package mpi4py")
