"""What is loaded when netloom is imported is there on macOS and Windows too; see docs/install.md."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from .python_source import PACKAGE, modules
from .rust_source import production
from .test_architecture import CRATES

#: Modules of Python that only some systems have.
POSIX = {"fcntl", "grp", "posix", "pty", "pwd", "resource", "syslog", "termios", "tty"}
#: Attributes that Windows lacks, used by name when a module is loaded.
ATTRIBUTES = re.compile(
    r"\bos\.(fork|getuid|geteuid|setsid|killpg|O_NOFOLLOW|O_CLOEXEC|mkfifo|uname)\b|signal\.(SIGKILL|SIGHUP)"
)


def at_import(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Statements that run when the module is loaded: not those of functions."""
    for node in body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            continue
        inner = [*getattr(node, "body", []), *getattr(node, "orelse", []), *getattr(node, "finalbody", [])]
        if inner:
            yield from at_import(inner)
        else:
            yield node


def test_nothing_of_one_system_is_imported_with_the_package() -> None:
    found = []
    for name, path in modules().items():
        for node in at_import(ast.parse(path.read_text()).body):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) and not node.level else []
            found += [f"{name}:{node.lineno} {one}" for one in names if one.split(".")[0] in POSIX]
            if ATTRIBUTES.search(ast.unparse(node)):
                found.append(f"{name}:{node.lineno} {ast.unparse(node)[:60]}")
    assert found == []
    assert len(modules()) > 200 and PACKAGE.is_dir()


def test_the_crates_name_no_system() -> None:
    """Nothing in the core asks which system it runs on, but for the clock and threads of Rust's own library."""
    wrong = [
        f"{path}: {line.strip()}"
        for crate in CRATES.iterdir()
        for path, code in production(crate)
        for line in code.splitlines()
        if re.search(r"std::os::|cfg\((target_os|unix|windows)|\blibc::", line)
    ]
    assert wrong == []
