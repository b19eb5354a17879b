"""What a page shows: its fenced blocks, the files among them, the commands with the output below them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", *sorted(p for p in (ROOT / "docs").rglob("*.md") if "_build" not in p.parts)]

_FENCE = re.compile(r"^( *)```(\S*)[^\n]*\n(.*?)^\1```$", re.DOTALL | re.MULTILINE)
_NAME = re.compile(r"\A(?:#|//) (\S+\.[a-z]+)\n")


@dataclass(frozen=True)
class Block:
    language: str
    text: str

    @property
    def file_name(self) -> str | None:
        """A block whose first line is `# name.ext` or `// name.ext` is a file for the commands of its page."""
        match = _NAME.match(self.text)
        return match[1] if match else None


@dataclass
class Shown:
    """A command and the output lines that follow it on the page; none if the page shows none."""

    command: str
    output: list[str] = field(default_factory=list)

    @property
    def exit_code(self) -> int:
        first = self.output[0] if self.output else ""
        return 2 if first.startswith("error: ") else 1 if first.startswith(("problem: ", "not proved: ")) else 0

    def matches(self, printed: str) -> bool:
        """`...` stands for any text in a line, alone for any lines."""
        pattern = "".join(
            "(?:.*\n)*" if line.strip() == "..." else re.escape(line).replace(r"\.\.\.", ".*") + " *\n"
            for line in self.output
        )
        return not self.output or re.fullmatch(pattern, printed) is not None


def blocks(page: Path) -> list[Block]:
    found = []
    for indent, language, text in _FENCE.findall(page.read_text()):
        found.append(Block(language, re.sub(rf"(?m)^{indent}", "", text)))
    return found


def commands(block: Block) -> list[Shown]:
    """Of a console block: what follows `$ `, with its output. Of a shell block: every line."""
    found: list[Shown] = []
    open_line = False
    for line in block.text.splitlines():
        if open_line:
            found[-1].command += "\n" + line.removeprefix("> ")
        elif block.language == "console" and line.startswith("$ "):
            found.append(Shown(line[2:]))
        elif block.language != "console":
            if line.strip() and not line.startswith("#"):
                found.append(Shown(line))
        elif found:
            found[-1].output.append(line.rstrip())
        open_line = bool(found) and not found[-1].output and found[-1].command.endswith("\\")
    for shown in found:
        while shown.output and not shown.output[-1]:
            shown.output.pop()
    return found
