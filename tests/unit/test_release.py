"""Releases: one version everywhere, a script that refuses what is not ready, subjects of commits that fit a line."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from benchmarks import history

import netloom

from .test_architecture import ROOT

VERSION = netloom.__version__
LONGEST_SUBJECT = 72
NAMES = ("Cargo.toml", "Cargo.lock", "pyproject.toml", "CITATION.cff", "CHANGELOG.md", "python/netloom/__init__.py")


def _git(folder: Path, *words: str) -> str:
    told = ["-c", "user.name=Test", "-c", "user.email=test@example.org"]
    return subprocess.run(["git", *told, *words], cwd=folder, capture_output=True, text=True, check=True).stdout


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A repository with what a release looks at, all of one version."""
    for name in (*NAMES, "packaging/release"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes((ROOT / name).read_bytes())
    _git(tmp_path, "init", "--quiet", "--initial-branch=main")
    _git(tmp_path, "add", ".")
    _git(tmp_path, "commit", "--quiet", "--message", "All")
    return tmp_path


def _release(tree: Path, version: str) -> tuple[int, list[str], list[str]]:
    command = [sys.executable, "packaging/release", version, "--dry-run"]
    done = subprocess.run(command, cwd=tree, capture_output=True, text=True)
    return done.returncode, done.stdout.splitlines(), done.stderr.splitlines()


def test_a_tree_that_is_ready(tree: Path) -> None:
    code, told, faults = _release(tree, VERSION)
    assert (code, faults) == (0, [])
    assert [line.split(",")[0] for line in told] == [
        "would run: make wheels",
        f"would run: git tag --annotate v{VERSION}",
    ]
    assert _git(tree, "tag") == ""


def test_a_tree_that_is_not(tree: Path) -> None:
    _git(tree, "switch", "--quiet", "--create", "other")
    _git(tree, "tag", "v9.9.9")
    (tree / "CITATION.cff").write_text("version: 9.9.9\n")
    code, _, faults = _release(tree, "9.9.9")
    assert code == 1
    text = "\n".join(faults)
    for words in (
        "not committed",
        "the branch is other",
        "a tag v9.9.9",
        "`## 9.9.9 (YYYY-MM-DD)`",
        f"Cargo.toml: {VERSION}",
    ):
        assert words in text, words
    assert "CITATION.cff" not in text and f"Cargo.lock, netloom-model: {VERSION} instead of 9.9.9" in text
    assert _release(tree, "next")[0] == 2


def test_subjects_of_commits_fit_a_line() -> None:
    """Since the release 0.2.0, where a checkout has its tag."""
    if not _git(ROOT, "tag", "--list", "v0.2.0"):
        pytest.skip("no tag v0.2.0")
    subjects = _git(ROOT, "log", "--no-merges", "--format=%s", "v0.2.0..HEAD").splitlines()
    assert [subject for subject in subjects if len(subject) > LONGEST_SUBJECT] == []


def test_speeds_are_kept_by_commit(tmp_path: Path) -> None:
    path = history.keep({"lines": []}, tmp_path)
    commit = _git(ROOT, "log", "-1", "--format=%h").strip()
    assert path.name.endswith(f"-{commit}.json") and f'"commit": "{commit}"' in path.read_text()
