"""The reader of Python source that the architecture tests stand on: it sees every import, and counts as people do."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from . import python_source
from .python_source import (
    Import,
    body_lines,
    circles,
    functions,
    imports,
    is_command,
    mentions,
    parameters,
    things_taken,
)
from .rust_source import signatures

FILES = {
    "__init__.py": """
from typing import TYPE_CHECKING
if TYPE_CHECKING:
    from .a import f
else:
    from . import b
""",
    "a/__init__.py": """
from .deep import f
from ..b import thing
""",
    "a/deep.py": """
def f():
    import netloom.b
    from importlib import import_module
    import_module('.c', 'netloom.a')
""",
    "a/c.py": """
from netloom import b
import os.path
class A:
    def m(self):
        from ... import far
""",
    "b.py": """
from .a.c import A
from . import _core
""",
}


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.setattr(python_source, "PACKAGE", tmp_path)
    return tmp_path


def test_every_import_is_seen(package: Path) -> None:
    found = [one for one in imports() if one.imported]
    assert sorted(found, key=lambda one: (one.importer, one.line)) == [
        Import("", 4, "a", True),
        Import("", 6, "b", False),
        Import("a", 2, "a.deep", False),
        Import("a", 3, "b", False),
        Import("a.c", 2, "b", False),
        Import("a.deep", 3, "b", False),
        Import("a.deep", 5, "a.c", False),
        Import("b", 2, "a.c", False),
    ]


def test_circles() -> None:
    assert circles([("a", "b"), ("b", "c"), ("c", "b"), ("c", "d"), ("e", "e")]) == [["b", "c"]]
    assert circles([("a", "b"), ("b", "c"), ("c", "a"), ("x", "y"), ("y", "x")]) == [["a", "b", "c"], ["x", "y"]]
    assert circles([("a", "b"), ("a", "c"), ("b", "c")]) == []


def test_functions_are_counted_as_callers_see_them(tmp_path: Path) -> None:
    path = tmp_path / "module.py"
    path.write_text(
        "class A:\n    def m(self, a, /, b, *args: Any, c=1, **kwargs: 'dict[str, Any]') -> Any:\n        pass\n"
        "@app.command()\n@click.option('--x')\ndef run(x):\n    '''Two\n    lines.'''\n    return x\n"
        "@cache\ndef plain(): ...\n"
    )
    found = dict(functions(path))
    assert {name: parameters(node) for name, node in found.items()} == {"A.m": 5, "run": 1, "plain": 0}
    assert [name for name, node in found.items() if is_command(node)] == ["run"]
    assert body_lines(found["run"]) == 2 and isinstance(found["run"], ast.FunctionDef)
    assert mentions(path, "Any") == {2}


def test_modules_in_tables_are_imports(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Absolute, relative and bare names: whatever the file gives to `import_module`."""
    (tmp_path / "a").mkdir()
    for name, text in {
        "__init__.py": "HOMES = {'x': '.a.c', 'y': '._core'}\nimport_module(HOMES[name], __name__)\n",
        "a/__init__.py": "NAMES = ('c-d', 'c')\nimport_module(f'.{name}', __name__)\n",
        "a/c.py": "AT = ('netloom.b', 'b')\nimportlib.import_module(AT[0])\n",
        "a/c_d.py": "AT = ('netloom.b', 'b')\nimport_module('pyarrow')\n",
        "b.py": "",
    }.items():
        (tmp_path / name).write_text(text)
    monkeypatch.setattr(python_source, "PACKAGE", tmp_path)
    found = {(one.importer, one.imported) for one in imports() if one.by_name}
    assert found == {("", "a.c"), ("a", "a.c_d"), ("a", "a.c"), ("a.c", "b")}


def test_packed_parameters_are_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "m.py").write_text(
        "class Base(TypedDict):\n    a: int\nclass More(Base, total=False):\n    b: int\n    c: int\n"
        "def f(x, pair: tuple[int, tuple[int, int]] | None, *rest: tuple[int, ...], **more: Unpack[More]): ...\n"
        "def g(**inputs: Unpack[Axes]): ...\n"
    )
    monkeypatch.setattr(python_source, "PACKAGE", tmp_path)
    found = dict(functions(tmp_path / "m.py"))
    assert things_taken("m", found["f"]) == 1 + 3 + 1 + 3 and things_taken("m", found["g"]) == 1


def test_values_of_rust_functions_are_counted() -> None:
    code = (
        "fn a(&self, at: (u32, (u8, u8)), f: &dyn Fn(u32, u32) -> u32) -> (u8, u8) {}"
        "fn b<F: Fn(u8) -> u8, T>(x: &'a (T, T), y: HashMap<u8, u8>, (): ()) {} fn c() {}"
    )
    assert list(signatures(code)) == [("a", 3), ("b", 4), ("c", 0)]
