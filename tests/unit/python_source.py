"""The package as the architecture tests read it: which part imports which, and what its functions take."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[2] / "python" / "netloom"


@dataclass(frozen=True)
class Import:
    """One import of a module of the package: who, which line, what; `typing` if only a type checker runs it,
    `by_name` if a table holds the module's name as a text."""

    importer: str
    line: int
    imported: str
    typing: bool
    by_name: bool = False


def modules() -> dict[str, Path]:
    """Every module of the package by its dotted name below `netloom`; the package itself is ""."""
    found = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


@cache
def tree(path: Path) -> ast.Module:
    """The parsed file."""
    return ast.parse(path.read_text(encoding="utf-8"))


def imports() -> list[Import]:
    """All imports inside the package: also those in functions, and modules that `import_module` is given by name."""
    known = modules()
    return [found for name in known for found in (*_imports(name, known), *_by_table(name, known))]


def package_of(name: str, path: Path) -> str:
    """The package that relative imports of a module start from."""
    return name if path.name == "__init__.py" else name.rpartition(".")[0]


def _by_table(name: str, known: dict[str, Path]) -> Iterator[Import]:
    """Modules named by texts of a file that imports by a name which is no constant: the file's table of homes.

    Such a text is absolute (`netloom.a.b`), relative (`.a.b`), or, where the call is `import_module(f".{...}")`, the
    bare name of a module of the same package.
    """
    path = known[name]
    calls = [node.args[0] for node in ast.walk(tree(path)) if isinstance(node, ast.Call) and _imports_by_name(node)]
    if all(isinstance(given, ast.Constant) for given in calls):
        return
    package = package_of(name, path)
    bare = any(isinstance(given, ast.JoinedStr) for given in calls)
    for node in ast.walk(tree(path)):
        text = node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""
        if not text.strip("."):
            target = ""
        elif text.startswith("netloom."):
            target = text.removeprefix("netloom.")
        elif text.startswith("."):
            target = _resolved(text.lstrip("."), len(text) - len(text.lstrip(".")), package) or ""
        else:
            target = f"{package}.{text.replace('-', '_')}".lstrip(".") if bare else ""
        if target in known and target not in ("", name):
            yield Import(name, node.lineno, target, False, by_name=True)


def _imports_by_name(node: ast.Call) -> bool:
    return ast.unparse(node.func) in ("import_module", "importlib.import_module") and bool(node.args)


def _imports(name: str, known: dict[str, Path]) -> Iterator[Import]:
    path = known[name]
    package = package_of(name, path)
    for node, typing in _nodes(tree(path), False):
        for target in _targets(node, package):
            # `from .a import b` imports the module a.b where there is one, else a name of a.
            while target not in known and target:
                target = target.rpartition(".")[0]
            if target != name:
                yield Import(name, node.lineno, target, typing)


def _nodes(parent: ast.AST, typing: bool) -> Iterator[tuple[ast.Import | ast.ImportFrom | ast.Call, bool]]:
    """Imports below a node, and whether each stands under `if TYPE_CHECKING`."""
    for node in ast.iter_child_nodes(parent):
        if isinstance(node, (ast.Import, ast.ImportFrom, ast.Call)):
            yield node, typing
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
            for child in node.body:
                yield from _nodes(ast.Module([child], []), True)
            for child in node.orelse:
                yield from _nodes(ast.Module([child], []), typing)
        else:
            yield from _nodes(node, typing)


def _targets(node: ast.Import | ast.ImportFrom | ast.Call, package: str) -> Iterator[str]:
    """Dotted names below `netloom` that a node imports."""
    if isinstance(node, ast.Import):
        yield from (a.name.partition(".")[2] for a in node.names if a.name.partition(".")[0] == "netloom")
    elif isinstance(node, ast.ImportFrom):
        base = _resolved(node.module or "", node.level, package)
        if base is not None:
            yield from (f"{base}.{alias.name}".lstrip(".") for alias in node.names)
    elif _imports_by_name(node):
        name = node.args[0].value if isinstance(node.args[0], ast.Constant) else None
        if isinstance(name, str):
            level = len(name) - len(name.lstrip("."))
            base = _resolved(name.lstrip("."), level, package)
            yield from [] if base is None else [base]


def _resolved(module: str, level: int, package: str) -> str | None:
    if level == 0:
        first, _, rest = module.partition(".")
        return rest if first == "netloom" else None
    parts = package.split(".") if package else []
    kept = parts[: len(parts) - (level - 1)]
    return ".".join([*kept, *([module] if module else [])])


def mentions(path: Path, name: str) -> set[int]:
    """Lines whose code uses a name, in annotations in quotes too."""
    lines = set()
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Name) and node.id == name:
            lines.add(node.lineno)
        for quoted in (getattr(node, "annotation", None), getattr(node, "returns", None)):
            if isinstance(quoted, ast.Constant) and isinstance(quoted.value, str) and name in quoted.value:
                lines.add(quoted.lineno)
    return lines


def part(module: str) -> str:
    """The top-level folder or module that a module belongs to."""
    return module.partition(".")[0]


def circles(edges: Iterable[tuple[str, str]]) -> list[list[str]]:
    """Sets of parts that reach one another (strongly connected, more than one member), sorted. O(parts × edges)."""
    after: dict[str, set[str]] = {}
    for a, b in edges:
        after.setdefault(a, set()).add(b)
        after.setdefault(b, set())

    def reached(start: str) -> set[str]:
        seen, waiting = set(), [start]
        while waiting:
            for following in after[waiting.pop()] - seen:
                seen.add(following)
                waiting.append(following)
        return seen

    reach = {name: reached(name) for name in after}
    found = {frozenset({name} | {b for b in reach[name] if name in reach[b]}) for name in after}
    return sorted(sorted(group) for group in found if len(group) > 1)


def functions(path: Path) -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
    """Functions and methods of a file by qualified name; not those inside functions."""

    def below(nodes: Iterable[ast.stmt], prefix: str) -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
        for node in nodes:
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                yield prefix + node.name, node
            elif isinstance(node, ast.ClassDef):
                yield from below(node.body, f"{prefix}{node.name}.")

    yield from below(tree(path).body, "")


def parameters(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """How many a caller sees: `self` and `cls` not counted, `*args` and `**kwargs` one each."""
    return len(_taken(node))


def things_taken(name: str, node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """How many values a function of a module takes: a tuple of n counts n, `Unpack` of a table each of its keys.

    `Unpack[Axes]`, the inputs of a scenario, is one thing: the table itself is the noun.
    """
    return sum(_things(name, arg.annotation) for arg in _taken(node))


def _taken(node: ast.FunctionDef | ast.AsyncFunctionDef) -> list[ast.arg]:
    taken = node.args
    plain = [*taken.posonlyargs, *taken.args]
    own = 1 if [a.arg for a in plain[:1]] in (["self"], ["cls"]) else 0
    return [*plain[own:], *taken.kwonlyargs, *(a for a in (taken.vararg, taken.kwarg) if a is not None)]


def _things(name: str, annotation: ast.expr | None) -> int:
    if isinstance(annotation, ast.BinOp):
        return max(_things(name, annotation.left), _things(name, annotation.right))
    if not isinstance(annotation, ast.Subscript):
        return 1
    outer = ast.unparse(annotation.value)
    if outer == "tuple" and isinstance(annotation.slice, ast.Tuple):
        items = annotation.slice.elts
        return 1 if ast.unparse(items[-1]) == "..." else sum(_things(name, item) for item in items)
    if outer == "Unpack" and ast.unparse(annotation.slice) != "Axes":
        return len(keys_of(name, ast.unparse(annotation.slice)))
    return 1


def keys_of(name: str, table: str) -> list[str]:
    """Keys of a `TypedDict` that a module defines or imports, those of its bases first."""
    path = modules()[name]
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.ClassDef) and node.name == table:
            bases = [key for base in node.bases for key in keys_of(name, ast.unparse(base))]
            return [*bases, *(ast.unparse(line.target) for line in node.body if isinstance(line, ast.AnnAssign))]
        if isinstance(node, ast.ImportFrom) and table in [alias.asname or alias.name for alias in node.names]:
            home = _resolved(node.module or "", node.level, package_of(name, path))
            return keys_of(home, table) if home else []
    return []


def classes(path: Path) -> list[str]:
    """Names of the classes at the top of a file."""
    return [node.name for node in tree(path).body if isinstance(node, ast.ClassDef)]


def is_command(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """True for what click runs: a function decorated as a command or a group."""
    return any(_runs(ast.unparse(decorator)) for decorator in node.decorator_list)


def _runs(decorator: str) -> bool:
    """`click.command(...)`, `app.command()`, `@command`, `group`."""
    return decorator.partition("(")[0].rpartition(".")[2] in ("command", "group")


def body_lines(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Lines of a function from `def` to its end, without decorators and docstring."""
    end = node.end_lineno or node.lineno
    doc = node.body[0] if ast.get_docstring(node, clean=False) is not None else None
    return end - node.lineno + 1 - ((doc.end_lineno or doc.lineno) - doc.lineno + 1 if doc else 0)
