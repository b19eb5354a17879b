"""A study that names code: it runs only when the user says so, and only from the study's folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from netloom import plugin
from netloom.base.errors import NetloomError
from netloom.plugin import consent
from netloom.study.run import prepare

STUDY = """
title = "t"
plugins = [{names}]
[[experiment]]
name = "m"
evaluate = "metrics"
[experiment.axes]
network = "ring(8)"
"""
LEAVES_A_TRACE = """
from pathlib import Path
from netloom import plugin
Path(__file__).with_name("trace").write_text("ran")
class Mine(plugin.Topology):
    name = "mine"
    def build(self):
        return plugin.NetworkSpec(switches=2, edges=[(0, 1)])
"""


@pytest.fixture(autouse=True)
def nobody_trusts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(consent, "_folders", set())
    monkeypatch.setattr(consent, "_files", set())
    monkeypatch.delenv(consent.VARIABLE, raising=False)


def study(folder: Path, *names: str) -> Path:
    path = folder / "study.toml"
    path.write_text(STUDY.replace("{names}", ", ".join(f"'{name}'" for name in names)))
    return path


def mine(folder: Path) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / "mine.py").write_text(LEAVES_A_TRACE)
    return folder / "mine.py"


def test_nothing_runs_without_a_word_of_the_user(tmp_path: Path) -> None:
    mine(tmp_path)
    with pytest.raises(NetloomError, match=r"NL-G007.*mine.py") as caught:
        prepare(study(tmp_path, "mine.py", "more.py"))
    assert len(caught.value.faults) == 2 and "study.toml:3:" in str(caught.value)
    assert not (tmp_path / "trace").exists()


@pytest.mark.parametrize("way", ["folder", "file", "variable"])
def test_each_way_to_allow_it(tmp_path: Path, way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    file = mine(tmp_path)
    if way == "folder":
        plugin.trust(tmp_path)
    elif way == "file":
        consent.given(file)
    else:
        monkeypatch.setenv(consent.VARIABLE, f"/nowhere:{tmp_path}")
    prepare(study(tmp_path, "mine.py"))
    assert (tmp_path / "trace").exists()


def test_no_file_outside_the_folder_even_if_it_is_trusted(tmp_path: Path) -> None:
    plugin.trust(tmp_path)
    outside = mine(tmp_path / "elsewhere")
    home = tmp_path / "home"
    home.mkdir()
    (home / "link.py").symlink_to(outside)
    for name in (str(outside), "../elsewhere/mine.py", "link.py"):
        with pytest.raises(NetloomError, match=r"NL-G007.*inside the study's folder"):
            prepare(study(home, name))
    assert not (tmp_path / "elsewhere" / "trace").exists()


def test_an_exit_is_a_fault(tmp_path: Path) -> None:
    (tmp_path / "leave.py").write_text("import sys\nsys.exit(0)\n")
    plugin.trust(tmp_path)
    with pytest.raises(NetloomError, match=r"NL-G006.*SystemExit: 0 \(leave.py:2\)"):
        prepare(study(tmp_path, "leave.py"))


def test_an_exit_of_its_method_is_a_fault() -> None:
    class Leaving(plugin.Topology):
        name = "leaving"

        def build(self) -> plugin.NetworkSpec:
            raise SystemExit(0)

    plugin.register(Leaving)
    with pytest.raises(NetloomError, match=r"NL-G004.*SystemExit: 0"):
        plugin.build_network("leaving()")
