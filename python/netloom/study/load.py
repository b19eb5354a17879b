"""A study file read and checked for its shape: every fault with its line and column, all at once."""

from __future__ import annotations

import hashlib
import json
import re
import types
import typing
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from ..base import files
from ..base.errors import Fault, NetloomError
from ..base.nearest import did_you_mean
from ..base.toml import decoded, read_toml
from ..scenario.axes import BY_NAME
from . import codes
from .schema import Study

Key = str | int


@dataclass(frozen=True)
class Source:
    """Where the parts of a study stand in its file."""

    name: str
    folder: Path
    spans: dict[str, tuple[int, int]]

    def at(self, *path: Key) -> str:
        """`study.toml:12:3 experiment[0].axes.network`."""
        keys = list(path)
        while keys:
            span = self.spans.get(".".join(map(str, keys)))
            if span:
                return f"{self.name}:{span[0]}:{span[1]} {dotted(path)}"
            keys.pop()
        return f"{self.name} {dotted(path)}".rstrip()


@dataclass(frozen=True)
class Loaded:
    """A study whose shape is right."""

    study: Study
    source: Source
    digest: str


def dotted(path: Iterable[Key]) -> str:
    """`experiment[0].axes.network`."""
    return "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in path).lstrip(".")


def load(path: str | Path) -> Loaded:
    """Read a study file.

    Raises
    ------
    NetloomError
        The file cannot be read (`NL-X001`), is not TOML (`NL-S001`), or breaks the schema (`NL-S002`..`NL-S004`).
    """
    name = str(path)
    text = decoded(files.read(path), name, codes.SYNTAX)
    raw = read_toml(text, name, codes.SYNTAX)
    source = Source(name, Path(path).resolve().parent, _spans(text))
    try:
        study = Study.model_validate(raw)
    except ValidationError as error:
        raise NetloomError(_faults(error, source)) from None
    return Loaded(study, source, digest(raw))


def digest(raw: object) -> str:
    """SHA-256 of the content: comments and spacing do not count."""
    text = json.dumps(raw, sort_keys=True, separators=(",", ":"), default=str)
    return hashlib.sha256(text.encode()).hexdigest()


def _spans(text: str) -> dict[str, tuple[int, int]]:
    from .. import _core

    return _core.toml_spans(text)


def _faults(error: ValidationError, source: Source) -> list[Fault]:
    made: dict[tuple[str, str], Fault] = {}
    for item in error.errors(include_url=False):
        loc = tuple(key for key in item["loc"])
        fault = _fault(item, loc, source)
        made.setdefault((fault.place, fault.expected), fault)
    return list(made.values())


def _fault(item: ErrorDetails, loc: tuple[Key, ...], source: Source) -> Fault:
    kind, message = item["type"], str(item["msg"])
    if kind == "extra_forbidden":
        hint = _remedy(loc)
        return Fault(codes.UNKNOWN_KEY, source.at(*loc), "is not a key of this table", "", hint)
    if kind == "missing":
        return Fault(codes.MISSING_KEY, source.at(*loc), "is missing")
    if kind == "value_error":
        return Fault(codes.CLAIM if "claim" in loc else codes.BAD_VALUE, source.at(*loc), str(item["ctx"]["error"]))
    expected = re.sub(r"^(Input should be|String should|Value error,) ?", "", message).replace("valid ", "")
    expected = expected.replace("dictionary", "table").replace("Extra inputs are not permitted", "absent")
    if kind == "string_pattern_mismatch":
        expected = "letters, digits, '-', '_' and '.', starting with a letter or digit"
    if kind == "too_short":
        expected = "a list with at least one item"
    hint = ""
    if kind == "literal_error" and isinstance(item["input"], str):
        hint = did_you_mean(item["input"], re.findall(r"'([^']*)'", message))
    return Fault(codes.BAD_VALUE, source.at(*loc), expected, _shown(item["input"]), hint)


def _remedy(loc: tuple[Key, ...]) -> str:
    """Where a key belongs that its table does not have."""
    key = str(loc[-1])
    if len(loc) == 3 and loc[0] == "experiment" and key in BY_NAME:
        return "it is an axis: write it below [experiment.axes]"
    return did_you_mean(key, _fields(loc[:-1]), "keys")


def _shown(value: object) -> str:
    if isinstance(value, dict):
        return "a table"
    if isinstance(value, list):
        return "a list"
    return json.dumps(value, default=str, ensure_ascii=False)


def _fields(loc: tuple[Key, ...]) -> list[str]:
    """Keys of the table at `loc`, with the spelling of the file."""
    model: object = Study
    for key in loc:
        if isinstance(key, str) and isinstance(model, type) and issubclass(model, BaseModel):
            by_alias = {field.alias or name: field for name, field in model.model_fields.items()}
            model = _model_in(by_alias[key].annotation) if key in by_alias else model
    if not (isinstance(model, type) and issubclass(model, BaseModel)):
        return []
    return [field.alias or name for name, field in model.model_fields.items()]


def _model_in(annotation: object) -> object:
    """The table class inside `list[X]`, `X | float | None`, `Annotated[list[X], ...]`."""
    if isinstance(annotation, type) and not isinstance(annotation, types.GenericAlias):
        return annotation if issubclass(annotation, BaseModel) else None
    for inner in typing.get_args(annotation):
        found = _model_in(inner)
        if found is not None:
            return found
    return None
