"""The binding holds no algorithm, and no default of anything that a registry describes."""

from __future__ import annotations

import re

import netloom
from netloom.base.registries import KINDS

from .rust_source import production
from .test_architecture import BINDING, CRATES, ROOT

#: What a parameter that is left out may be in a signature of the binding: nothing, off, on, none or the first.
EMPTY = {"None", "false", "true", "0", "HashMap::new()", '""'}


def test_the_binding_holds_no_name_of_a_registry() -> None:
    """A registered name there would be a default, or a decision that belongs to a crate. Keys of a record are none."""
    kinds = (kind for kind in KINDS if kind != "errors")
    names = {name for kind in kinds for row in netloom.catalogue(kind) for name in (row["name"], *row["aliases"])}
    written = [
        f"{path.relative_to(ROOT)}: {text!r}"
        for path, code in production(CRATES / BINDING, keep_text=True)
        for text in re.findall(r'(?<!set_item\()"([^"\n]*)"', code)
        if text in names
    ]
    assert written == [], written


def test_the_binding_has_no_default_of_its_own() -> None:
    found = {}
    signatures = 0
    for path, code in production(CRATES / BINDING, keep_text=True):
        for text in re.findall(r"#\[pyo3\(signature\s*=\s*\((.*?)\)\)\]", code, re.DOTALL):
            signatures += 1
            for name, default in re.findall(r"(\w+)\s*=\s*(\"[^\"]*\"|[^,\s]+)", text):
                if default not in EMPTY:
                    found[f"{path.relative_to(ROOT)}: {name}"] = default
    assert signatures > 10
    assert found == {}, found
