"""The registered classes, and the files that they come from."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, TypeVar

from ..base import files
from ..base.errors import Fault, NetloomError
from ..base.own_rows import OWN_CLASSES
from .classes import KINDS, Plugin

if TYPE_CHECKING:
    from ..base.records import Row

#: Lines of these files are not the user's.
_PACKAGE = Path(__file__).parents[1]

_registered: dict[str, dict[str, type[Plugin]]] = {kind.kind: {} for kind in KINDS}

P = TypeVar("P", bound=type[Plugin])


def register(cls: P) -> P:
    """Make a class known by its name. Usable as a decorator; registering the same class again replaces it.

    Raises
    ------
    NetloomError
        `NL-G001` without a name or base class, `NL-G002` if the core has the name.
    """
    from ..base.registries import catalogue

    if not (inspect.isclass(cls) and issubclass(cls, Plugin) and cls.kind):
        raise NetloomError([Fault("NL-G001", repr(cls), "is no subclass of a class of netloom.plugin")])
    if not cls.name or head(cls.name) != cls.name.strip():
        raise NetloomError([Fault("NL-G001", f"{cls.__name__}.name", "a name without arguments", repr(cls.name))])
    if cls.kind == "collectives" and ":" not in cls.name:
        hint = "the collective decides what the schedule must achieve"
        raise NetloomError([Fault("NL-G001", f"{cls.__name__}.name", "collective:algorithm", repr(cls.name), hint)])
    taken = {name for row in catalogue(cls.kind) for name in (row["name"], *row["aliases"])}
    if cls.name in taken or cls.name in OWN_CLASSES.get(cls.kind, {}):
        raise NetloomError([Fault("NL-G002", cls.name, "is the name of a registered one of " + cls.kind)])
    _registered[cls.kind][cls.name] = cls
    return cls


def find(kind: str, text: str) -> type[Plugin] | None:
    """The plug-in class that a call text names, or None."""
    name = head(text)
    own = _registered.get(kind, {}).get(name)
    if own is None and (shipped := OWN_CLASSES.get(kind, {}).get(name)) is not None:
        return shipped()
    return own


def names(kind: str) -> list[str]:
    """Names of the plug-ins of a kind: the shipped and the registered ones."""
    return sorted({*OWN_CLASSES.get(kind, ()), *_registered.get(kind, ())})


def known(kind: str) -> list[str]:
    """Registered names and aliases of a kind, plug-ins included."""
    from ..base.registries import catalogue

    return [name for row in catalogue(kind) for name in (row["name"], *row["aliases"])] + names(kind)


def is_known(kind: str, text: str) -> bool:
    """True if call text names something of that kind; `_` and `-` are the same in names."""
    name = head(text).replace("_", "-")
    return any(name == other.replace("_", "-") for other in known(kind))


@contextmanager
def suggesting(kind: str, text: str) -> Iterator[None]:
    """The core's refusal of an unknown name with plug-ins among the names that are suggested."""
    try:
        yield
    except NetloomError as error:
        from ..base.nearest import did_you_mean

        said, meant = f'is called "{head(text)}"', did_you_mean(head(text), names(kind))

        def hinted(fault: Fault) -> Fault:
            if fault.code != "NL-A002" or said not in fault.expected or not names(kind):
                return fault
            if meant.startswith("did you mean"):
                return replace(fault, hint=meant)
            listed = fault.hint.startswith("known:")
            return replace(fault, hint=f"{fault.hint}, {', '.join(names(kind))}") if listed else fault

        raise NetloomError([hinted(fault) for fault in error.faults]) from None


def rows(kind: str) -> list[Row]:
    """The plug-ins of a kind as catalogue rows."""
    made: list[Row] = []
    for name in names(kind):
        cls = find(kind, name)
        assert cls is not None
        summary = (inspect.getdoc(cls) or "").partition("\n")[0]
        made.append(
            {
                "name": name,
                "aliases": [],
                "summary": summary,
                "params": [],
                "signature": f"{name}({_spelled(own_signature(cls))})",
                "example": cls.example or name,
                "restrictions": "",
                "source": "shipped" if name in OWN_CLASSES.get(kind, ()) else "plug-in",
            }
        )
    return made


def _spelled(signature: inspect.Signature) -> str:
    """The parameters that a call text may have, with their defaults; those without one are given or left out."""
    taken = [p for p in signature.parameters.values() if p.kind is not inspect.Parameter.KEYWORD_ONLY]
    return ", ".join(p.name if p.default in (None, p.empty) else f"{p.name}={p.default}" for p in taken)


def fingerprint() -> str:
    """A digest of the registered classes' source, so that a changed plug-in means a changed run."""
    import hashlib

    digest = hashlib.sha256()
    for classes in _registered.values():
        for name in sorted(classes):
            try:
                source = inspect.getsource(inspect.getmodule(classes[name]) or classes[name])
            except (OSError, TypeError):
                source = classes[name].__qualname__
            digest.update(f"{name}\0{source}\0".encode())
    return digest.hexdigest() if any(_registered.values()) else ""


def load(path: str | Path) -> list[type[Plugin]]:
    """Run a Python file and register its plug-in classes.

    Raises
    ------
    NetloomError
        `NL-G006`; `NL-X001` for a folder; also what `register` raises.
    """
    import hashlib

    place = str(path)
    files.refuse_folder(path)
    if not files.is_file(path):
        raise NetloomError([Fault("NL-G006", place, "there is no such file", "", "give the path of a Python file")])
    name = "netloom_plugin_" + hashlib.sha256(str(Path(path).resolve()).encode()).hexdigest()[:12]
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise NetloomError([Fault("NL-G006", place, "is not a Python file", "", "its name must end in .py")])
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        raise NetloomError([Fault("NL-G006", place, what(error, place))]) from error
    own = _classes(module)
    if not own:
        hint = "subclass a class of netloom.plugin and give it a name"
        raise NetloomError([Fault("NL-G006", place, "defines no plug-in class", "", hint)])
    return [register(cls) for cls in own]


def _classes(module: ModuleType) -> list[type[Plugin]]:
    own = [
        c for c in vars(module).values() if inspect.isclass(c) and issubclass(c, Plugin) and c not in (*KINDS, Plugin)
    ]
    return [c for c in own if c.name]


def head(text: str) -> str:
    return text.partition("(")[0].strip()


def own_signature(cls: type[Plugin]) -> inspect.Signature:
    signature = inspect.signature(getattr(cls, cls.method))
    given = {
        "topologies": 0,
        "placements": 2,
        "orders": 2,
        "routings": 2,
        "collectives": 3,
        "patterns": 1,
        "optimisers": 1,
        "evaluators": 2,
    }
    # One that is given the scenario is also given where it may go, and its time.
    taken = given[cls.kind] + (2 if getattr(cls, "takes_scenario", False) else 0)
    return signature.replace(
        parameters=list(signature.parameters.values())[1 + taken :], return_annotation=inspect.Signature.empty
    )


def what(error: BaseException, place: str = "") -> str:
    """`ValueError: message (file.py:12)`, the line being the innermost one of the user's own file."""
    if isinstance(error, SyntaxError):
        return f"SyntaxError: {error.msg} (line {error.lineno})"
    at, trace = "", error.__traceback__
    while trace is not None:
        code = trace.tb_frame.f_code
        if not Path(code.co_filename).is_relative_to(_PACKAGE) and "importlib" not in code.co_filename:
            at = f" ({Path(code.co_filename).name}:{trace.tb_lineno})"
        trace = trace.tb_next
    message = " ".join(str(error).split())
    return f"{type(error).__name__}: {message}{at}"
