"""`docs/reference/errors.md` is exactly what the codes in the code say."""

from __future__ import annotations

import re
from pathlib import Path

from netloom.reference.errors import all_rows, render

PAGE = Path(__file__).resolve().parents[2] / "docs" / "reference" / "errors.md"


def test_the_page_is_current() -> None:
    again = "run: python -m netloom.reference.errors docs/reference/errors.md"
    assert PAGE.read_text(encoding="utf-8") == render(), again


def test_codes_are_unique_and_well_formed() -> None:
    codes = [row[0] for row in all_rows()]
    assert len(codes) == len(set(codes))
    assert all(re.fullmatch(r"NL-[A-Z]\d{3}", code) for code in codes)


def test_every_code_raised_from_python_is_in_the_table() -> None:
    known = {row[0] for row in all_rows()}
    package = PAGE.parents[2] / "python" / "netloom"
    for source in package.rglob("*.py"):
        for code in re.findall(r"NL-[A-Z]\d{3}", source.read_text(encoding="utf-8")):
            if source.name != "errors.py":
                assert code in known, f"{source}: {code}"
