"""Small TOML that would cost gigabytes: every reader refuses it before it is parsed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from netloom.base.errors import MOST_FAULTS, Fault, NetloomError
from netloom.base.toml import MOST_DEPTH, MOST_KEY, MOST_PARTS, read_toml
from netloom.calibration import load as load_calibration
from netloom.cost.model import cost_model
from netloom.jobs import read_jobs
from netloom.scenario import Scenario
from netloom.study.load import load as load_study
from netloom.study.run import prepare
from netloom.workload.step_reader import load as load_steps

READERS: dict[str, tuple[str, Callable[[Path], object]]] = {
    "study": ("NL-S001", load_study),
    "scenario": ("NL-H002", Scenario.read),
    "calibration": ("NL-L003", lambda path: load_calibration(str(path))),
    "steps": ("NL-W001", lambda path: load_steps(path, str(path))),
    "prices": ("NL-K003", lambda path: cost_model(str(path))),
    "jobs": ("NL-J001", lambda path: read_jobs(path, "ring(64)")),
}
HOSTILE = {
    "dotted key": (".".join(["a"] * 20_000) + " = 1\n", "more than 32 parts"),
    "spaced key": (" . ".join(["'a'"] * 20_000) + " = 1\n", "more than 32 parts"),
    "table of parts": ("[" + ".".join(["a"] * 1_500) + "]\nb = 1\n", "more than 32 parts"),
    "lists": ("a = " + "[" * 1_500 + "]" * 1_500 + "\n", "levels deep"),
    "tables": ("a = " + "{ a = " * 100 + "1" + " }" * 100 + "\n", "levels deep"),
    "deep in two ways": ("[" + ".".join("a" * 30) + "]\n" + ".".join("b" * 30) + " = 1\n", "levels deep"),
    "digits": ("a = " + "9" * 5_000 + "\n", "at most 200 characters"),
    "long key": (f"{'k' * 201} = 1\n", "at most 200 characters"),
    "long quoted key": (f"'{'k' * 201}' = 1\n", "at most 200 characters"),
    "no UTF-8": ("a = '\udcff'\n", "is not UTF-8"),
    "no TOML": ("a = \n", ":1:5: is not TOML"),
}


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("text", HOSTILE)
def test_every_reader_refuses_it(tmp_path: Path, reader: str, text: str) -> None:
    code, read = READERS[reader]
    content, words = HOSTILE[text]
    path = tmp_path / "hostile.toml"
    # A job list is told from other formats by its first table.
    path.write_bytes((content + ("[[job]]\n" if reader == "jobs" else "")).encode(errors="surrogateescape"))
    with pytest.raises(NetloomError) as caught:
        read(path)
    (fault,) = caught.value.faults
    assert fault.code == code and words in str(fault) and len(str(fault)) < 500, fault


def test_what_only_looks_deep_is_read() -> None:
    within = '[{.,"' * 100
    assert read_toml(f"a = '{within}'\n", "x", "NL-S001") == {"a": within}
    assert read_toml(f"# {within}\na = 1\n", "x", "NL-S001") == {"a": 1}
    assert read_toml(f"a = '''\n{within}\n'''\n", "x", "NL-S001") == {"a": within + "\n"}
    assert read_toml('a = """\n' + '\\"[[.' * 50 + '\n"""', "x", "NL-S001") == {"a": '"[[.' * 50 + "\n"}
    assert read_toml("a = " + "[1.5, " * MOST_DEPTH + "]" * MOST_DEPTH, "x", "NL-S001")
    assert read_toml(".".join("a" * MOST_PARTS) + " = 1", "x", "NL-S001")
    assert read_toml("k" * MOST_KEY + " = 1", "x", "NL-S001")
    assert read_toml("a = -9223372036854775808\nb = 9_223_372_036_854_775_807", "x", "NL-S001")
    assert read_toml("\n".join(f"a{i}.b.c.d = {i}.5" for i in range(100)), "x", "NL-S001")
    assert read_toml("\ufeffa = 1\n".encode(), "x", "NL-S001") == {"a": 1}


def study(axes: str) -> str:
    return f'title = "x"\n[[experiment]]\nname = "x"\nevaluate = "hops"\n[experiment.axes]\n{axes}\n'


def refused(tmp_path: Path, axes: str) -> NetloomError:
    path = tmp_path / "study.toml"
    path.write_text(study(axes))
    with pytest.raises(NetloomError) as caught:
        prepare(path)
    return caught.value


def test_placeholders_that_double_are_refused(tmp_path: Path) -> None:
    lines = ['a0 = "xxxxxxxx"', *(f'a{i} = "{{a{i - 1}}}{{a{i - 1}}}"' for i in range(1, 30)), 'network = "{a29}"']
    error = refused(tmp_path, "\n".join([*lines, "ranks = 4", 'workload = "alltoall:pairwise"']))
    assert [fault.code for fault in error.faults] == ["NL-S007"] and "65536 characters" in str(error)


def test_a_long_chain_of_placeholders_is_refused(tmp_path: Path) -> None:
    lines = ['a0 = "x"', *(f'a{i} = "{{a{i - 1}}}"' for i in range(1, 2000)), 'network = "{a1999}"']
    error = refused(tmp_path, "\n".join([*reversed(lines), "ranks = 4", 'workload = "alltoall:pairwise"']))
    assert [fault.code for fault in error.faults] == ["NL-S007"] and "more than 64 axes" in str(error)


def test_half_a_million_faults_are_twenty_and_a_count(tmp_path: Path) -> None:
    axes = 'network = "torus({n})"\nn = { range = [-500000, -1] }\nranks = 4\nworkload = "alltoall:pairwise"'
    error = refused(tmp_path, axes)
    lines = str(error).splitlines()
    shown = [line for line in lines if line.startswith("NL-")]
    assert len(shown) == MOST_FAULTS and lines[-1].startswith("... and ") and lines[-1].endswith(" more")
    assert len(error.faults) < 2000


def test_values_are_echoed_in_eighty_characters() -> None:
    long = "v" * 5000
    for fault in (
        Fault("NL-S004", "x", "short", long),
        Fault("NL-S009", "x", f'no run has the value "{long}"'),
        Fault("NL-S009", "x", "is wrong", "", f'did you mean "{long}"?'),
    ):
        assert "v" * 80 in str(fault) and "v" * 81 not in str(fault)
