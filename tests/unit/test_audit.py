"""The audit of locked packages finds what a database of advisories names."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.audit import _within, crates, of_python, of_rust, wheels


@pytest.mark.parametrize(
    ("version", "rule", "inside"),
    [
        ("0.9.0", ">= 0.9.1", False),
        ("0.9.1", ">= 0.9.1", True),
        ("1.4.9", "^1.4.2", True),
        ("2.0.0", "^1.4.2", False),
        ("0.5.9", "^0.5.1", True),
        ("0.6.0", "^0.5.1", False),
        ("1.4.9", "~1.4", True),
        ("1.5.0", "~1.4", False),
        ("0.3.5", ">= 0.3.2, < 0.4", True),
        ("1.0.0", "< 0.1.0", False),
    ],
)
def test_rules_of_cargo(version: str, rule: str, inside: bool) -> None:
    assert _within(version, rule) is inside


def test_advisories_are_found(tmp_path: Path) -> None:
    rust = tmp_path / "crates" / "one"
    rust.mkdir(parents=True)
    head = '[advisory]\nid = "RUSTSEC-2020-0001"\npackage = "one"\n'
    (rust / "RUSTSEC-2020-0001.md").write_text(f'```toml\n{head}[versions]\npatched = [">= 1.2"]\n```\n')
    assert list(of_rust(tmp_path, {("one", "1.1.0")})) == ["one 1.1.0: RUSTSEC-2020-0001 (vulnerability)"]
    assert not list(of_rust(tmp_path, {("one", "1.2.0")}))
    python = tmp_path / "vulns" / "two"
    python.mkdir(parents=True)
    (python / "PYSEC-2020-2.yaml").write_text(
        "id: PYSEC-2020-2\naffected:\n- package: {name: two}\n  ranges:\n  - type: ECOSYSTEM\n"
        "    events: [{introduced: '1.0'}, {fixed: '1.3'}]\n"
    )
    assert list(of_python(tmp_path, {("two", "1.2")})) == ["two 1.2: PYSEC-2020-2"]
    assert not list(of_python(tmp_path, {("two", "0.9"), ("two", "1.3")}))


def test_locks_are_read() -> None:
    assert "pyo3" in dict(crates()) and "numpy" in dict(wheels())
