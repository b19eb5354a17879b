"""The reader of Rust source that the architecture tests stand on: it hides tests and nothing else."""

from __future__ import annotations

import re
from pathlib import Path

from .rust_source import files_of_tests, production

SOURCE = r"""
//! std::comment { and an unmatched brace
/* a block /* in a block */ { */
use std::kept1;
#[cfg(test)]
use gone::{a, b};
const TEXT: &str = "kept{2 \" // no comment";
const RAW: &str = r#"an "unmatched" { brace"#;
#[cfg(test)]
#[derive(Clone)]
struct Gone {
    field: [u8; 4],
}
struct Kept3<'a> {
    #[cfg(test)]
    gone: Vec<(u8, u8)>,
    kept4: &'a [char; 2],
}
impl Kept3<'_> {
    #[cfg(test)]
    fn gone(&self) -> [u8; 4] {
        if self.kept4[0] == '{' { [0; 4] } else { [b'}'; 4] }
    }
    fn kept5(&self) -> char { '\'' }
}
#[cfg(test)]
const GONE: Gone = Gone { field: [0; 4] };
#[cfg(test)]
mod gone {
    #[test]
    fn inner() {}
}
fn kept6() {}
#[cfg(test)]
mod only;
fn kept7() { std::fs::read("x"); }
"""


def crate(folder: Path) -> Path:
    for name, text in {"lib.rs": SOURCE, "only.rs": "mod below;", "only/below.rs": "fn gone() {}"}.items():
        path = folder / "src" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


def test_every_line_outside_tests_is_read(tmp_path: Path) -> None:
    ((path, code),) = production(crate(tmp_path))
    assert path.name == "lib.rs" and len(code) == len(SOURCE) and code.count("\n") == SOURCE.count("\n")
    assert sorted(set(re.findall(r"[Kk]ept\d", code))) == ["Kept3", "kept1", "kept4", "kept5", "kept6", "kept7"]
    assert not re.search(r"gone|GONE|comment|inner|brace", code, re.IGNORECASE)
    assert code.splitlines()[SOURCE[: SOURCE.index("std::fs")].count("\n")].startswith("fn kept7() { std::fs::read(")


def test_text_is_kept_on_request(tmp_path: Path) -> None:
    ((_, code),) = production(crate(tmp_path), keep_text=True)
    assert "kept{2" in code and 'an "unmatched" { brace' in code and "in a block" not in code and "Gone" not in code


def test_files_below_a_module_of_tests_are_tests(tmp_path: Path) -> None:
    found = {path.name for path in files_of_tests(crate(tmp_path)) if path.exists()}
    assert found == {"only.rs", "below.rs"}


def test_what_is_read_of_the_crates_balances() -> None:
    """A test item cut too short or too long would leave a bracket without its partner."""
    crates = sorted((Path(__file__).resolve().parents[2] / "crates").iterdir())
    lines = 0
    for path, code in (pair for folder in crates for pair in production(folder)):
        assert len(code) == len(path.read_text(encoding="utf-8"))
        assert [code.count(c) for c in "([{"] == [code.count(c) for c in ")]}"], path
        assert "#[test]" not in code and "cfg(test)" not in code, path
        lines += code.count("\n")
    assert lines > 30_000
