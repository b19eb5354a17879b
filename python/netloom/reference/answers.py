"""The answers of the evaluators as a stub file, so that `answer["` and `answer.` complete in an editor and type-check.

`python -m netloom.reference.answers` renews `evaluate/answers.pyi` from the classes of `evaluate/answers.py`, and from
the meaning and unit of the evaluators' columns; a test keeps it current.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from ..base import files
from ..evaluate import ALL
from ..evaluate.answer import Answer

SOURCE = Path(__file__).parents[1] / "evaluate" / "answers.py"
HOME = SOURCE.with_suffix(".pyi")

_HEAD = '"""Generated from answers.py (`python -m netloom.reference.answers`); a test keeps it current."""\n\n'
#: Names that every answer has; a value of that name is had by subscript.
_TAKEN = frozenset(dir(Answer)) | {"evaluator", "model", "version", "assumptions", "more"}


def render() -> str:
    """The stub file: one class per evaluator, with its values as attributes and by subscript."""
    tree = ast.parse(SOURCE.read_text())
    columns = {row.name: {column.name: (column.help, column.unit) for column in row.columns} for row in ALL}
    imports = [
        ast.unparse(node)
        for block in tree.body
        if isinstance(block, ast.If)
        for node in block.body
        if isinstance(node, (ast.Import, ast.ImportFrom))
    ]
    classes = answers(tree)
    ours = sorted(["from .answer import Answer", *(line for line in imports if line.startswith("from ."))])
    others = [line for line in imports if line not in ours]
    head = ["from typing import Literal, overload", "", *others, "", *ours, ""]
    lines = [line for node in classes for line in _class(node, columns[evaluator_of(node.name)])]
    return _HEAD + "\n".join([*head, *lines])


def answers(tree: ast.Module) -> list[ast.ClassDef]:
    """The classes of the evaluators' answers, each with what it declares and what it inherits."""
    known = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
    for node in known.values():
        bases = [known[base.id] for base in node.bases if isinstance(base, ast.Name) and base.id in known]
        node.body[1:1] = [line for base in bases for line in base.body[1:]]
    return [node for name, node in known.items() if name.endswith("Answer")]


def evaluator_of(name: str) -> str:
    """`HopsAnswer` is that of `hops`."""
    return name.removesuffix("Answer").lower()


def values(node: ast.ClassDef) -> Iterator[tuple[str, str, str]]:
    """Name, type and meaning of every value that a class declares; no meaning where a column has it."""
    for at, line in enumerate(node.body):
        if isinstance(line, ast.AnnAssign) and isinstance(line.target, ast.Name):
            after = node.body[at + 1] if at + 1 < len(node.body) else None
            text = after.value.value if isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant) else ""
            yield line.target.id, ast.unparse(line.annotation), str(text)


def _class(node: ast.ClassDef, columns: dict[str, tuple[str, str]]) -> Iterator[str]:
    yield f"class {node.name}(Answer):"
    yield f'    """{ast.get_docstring(node)}"""'
    yield ""
    kinds: dict[str, list[str]] = {}
    for name, kind, said in values(node):
        text, unit = (said, "") if said else columns[name]
        kinds.setdefault(kind, []).append(name)
        if name not in _TAKEN:
            yield f"    {name}: {kind}"
            yield f'    """{text[:1].upper()}{text[1:]}{f" ({unit})" if unit else ""}."""'
    for kind, names in kinds.items():
        yield "    @overload"
        yield from _getitem(names, kind)
    yield "    @overload"
    yield "    def __getitem__(self, name: str, /) -> object: ..."
    yield ""


def _getitem(names: list[str], kind: str) -> Iterator[str]:
    """One overload, broken as the formatter of the code would."""
    words = [f'"{name}"' for name in names]
    given = f"name: Literal[{', '.join(words)}]"
    for line in (f"    def __getitem__(self, {given}, /) -> {kind}: ...", f"        self, {given}, /"):
        if len(line) <= 120:
            yield from [line] if line.startswith("    def") else ["    def __getitem__(", line, f"    ) -> {kind}: ..."]
            return
    yield from ["    def __getitem__(", "        self,", "        name: Literal["]
    yield from [f"            {word}," for word in words]
    yield from ["        ],", "        /,", f"    ) -> {kind}: ..."]


if __name__ == "__main__":
    files.write(HOME, render().encode())
