"""Which process is it, by the launcher's environment, and what is said without mpi4py."""

from __future__ import annotations

import sys

import pytest

from netloom.base import processes
from netloom.base.errors import NetloomError

NAMES = [name for pair in processes._LAUNCHERS for name in pair]


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in NAMES:
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize("names", processes._LAUNCHERS)
@pytest.mark.parametrize(
    ("values", "place"), [(("1", "3"), (1, 3)), (("0", "1"), None), (("x", "3"), None), (("1", ""), None)]
)
def test_place(names: tuple[str, str], values: tuple[str, str], place: object, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in zip(names, values, strict=True):
        monkeypatch.setenv(name, value)
    assert processes.started() == place


def test_without_mpi4py(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PMI_RANK", "0")
    monkeypatch.setenv("PMI_SIZE", "2")
    monkeypatch.setitem(sys.modules, "mpi4py", None)
    with pytest.raises(NetloomError) as caught, processes.together():
        pass
    assert str(caught.value).startswith("NL-X012 mpirun: needs the package mpi4py")
    assert processes.current() is None
