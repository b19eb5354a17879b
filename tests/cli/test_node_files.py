"""A node from hwloc's XML, a synthetic string, counts and the running host."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., tuple[int, str, str]]
XML = Path(__file__).parents[1] / "data" / "hwloc" / "two_sockets.xml"


@pytest.mark.parametrize(
    ("source", "node"),
    [
        (str(XML), "node(sockets=2,numa=4,caches=2,cores=8)"),
        ("package:2 numa:4 l3:2 core:8 pu:1", "node(sockets=2,numa=4,caches=2,cores=8)"),
        ("16,2,4,2,8", "node(sockets=2,numa=4,caches=2,cores=8)"),
        ("16,2,2,8", "node(sockets=2,numa=2,cores=8)"),
        ("package:1 core:4 pu:2", "node(cores=4)"),
    ],
)
def test_every_source_gives_the_call(netloom: Run, source: str, node: str) -> None:
    code, out, err = netloom("node", source)
    assert (code, out) == (0, node + "\n"), err
    code, out, err = netloom("loads", "-n", "torus(4,4)", "-t", "shift(k=1)", "--ranks", "16", "--node", node, "--json")
    assert code == 0, err


def test_levels_are_merged(netloom: Run) -> None:
    code, out, _ = netloom("node", str(XML), "--keep", "numa", "--json")
    found = json.loads(out)
    assert (code, found["node"], found["seats"]) == (0, "node(numa=8,cores=16)", 128)
    code, out, _ = netloom("node", "16,2,2,8", "--json")
    assert (json.loads(out)["nodes"], json.loads(out)["seats"]) == (16, 32)


def test_the_running_host(netloom: Run) -> None:
    if shutil.which("lstopo") is None:
        code, _, err = netloom("node", "host")
        assert code == 2 and err.startswith("error: NL-X015 host")
        return
    code, out, err = netloom("node", "host", "--json")
    assert code == 0, err
    assert json.loads(out)["seats"] >= 1


def test_without_lstopo(netloom: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    code, out, err = netloom("node", "host")
    assert (code, out) == (2, "") and err.startswith("error: NL-X015 host: lstopo cannot be run"), err


BOMB = (
    "<!DOCTYPE t [" + "".join(f'<!ENTITY a{i + 1} "&a{i};&a{i};">' for i in range(64)) + "]><topology>&a64;</topology>"
)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (BOMB, "NL-F013"),
        ("<topology>" + "<object type='Group'>" * 100_000, "NL-F005"),
        (XML.read_text()[:9000], "NL-F003"),
        (XML.read_text().replace('type="Core"', 'type="Misc"', 3), "NL-F018"),
        ("<machine/>", "NL-F003"),
    ],
)
def test_bad_files_are_one_line(netloom: Run, text: str, code: str) -> None:
    Path("m.xml").write_text(text)
    left, out, err = netloom("node", "m.xml")
    assert (left, out) == (2, "") and err.startswith(f"error: {code} m.xml") and err.count("\nerror:") == 0, err[:300]


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("16,0,2",), "NL-F009"),
        (("16",), "NL-F003"),
        (("core:4 package:2",), "NL-F013"),
        (("none.xml",), "NL-X001"),
        (("16,2,8", "--keep", "racks"), "NL-A007"),
    ],
)
def test_bad_levels_are_one_line(netloom: Run, arguments: tuple[str, ...], code: str) -> None:
    left, out, err = netloom("node", *arguments)
    assert (left, out) == (2, "") and err.startswith(f"error: {code} "), err
