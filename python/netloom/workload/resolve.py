"""Meaning of a workload text: the only place that distinguishes collectives, patterns, applications and files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Literal

from .. import _core, plugin
from ..base import files
from ..base.arguments import Arguments
from ..base.errors import Fault, NetloomError
from ..base.nearest import did_you_mean
from ..base.own_rows import OWN_PROGRAMS
from ..base.quantities import say_letters
from ..base.registries import catalogue
from ..library import names
from ..library.codes import NO_LIBRARY
from ..plugin import is_known
from . import codes
from .matrix import is_npz
from .traces import TraceCall, read_trace, recognised, trace_call
from .traffic import is_traffic_file, read_traffic

#: What is communicated: a schedule's steps, messages without order, programs of ranks, or messages listed rank by rank.
Workload = _core.Schedule | _core.Traffic | _core.Programs | _core.Sends
Kind = Literal["collective", "pattern", "application", "traffic", "trace", "steps"]
#: Files, which tell their own number of ranks.
FILES: tuple[Kind, ...] = ("traffic", "trace", "steps")

#: For messages about a value that is none.
WORDS = (
    "collective:algorithm, a pattern's or an application's call text, a file of traffic, a trace or steps, or what "
    "these make"
)
UNKNOWN = "NL-A002"
#: In place of an algorithm: the choice of a library.
DEFAULT = "default"


def _is_steps_file(text: str) -> bool:
    """True for a file name, rather than a call, that ends in ``.toml``."""
    return text.rstrip().lower().endswith(".toml")


def kind_of(text: str, folder: Path | None = None) -> Kind:
    """The kind of workload that a text names.

    Parameters
    ----------
    folder
        Where file names start; by default the working directory.

    Raises
    ------
    NetloomError
        `NL-A001` for text that is no call, `NL-A002` for a name that nothing has, `NL-F016` for a file of no known
        kind.
    """
    if plugin.find("collectives", text) is not None:
        return "collective"
    if plugin.find("patterns", text) is not None:
        return "pattern"
    if is_known("applications", text) or own_program(text):
        return "application"
    if trace_call(text) is not None:
        return "trace"
    if ":" in text.partition("(")[0] and not _is_path(text):
        return "collective"
    if is_known("patterns", text):
        return "pattern"
    if _is_steps_file(text):
        return "steps"
    if files.is_file((folder or Path()) / text) and not text.rstrip().endswith(")"):
        return "traffic" if is_npz(text) or _core.detect_format(text, b"", "traffic") is not None else "trace"
    if is_traffic_file(text):
        return "traffic"
    if files.is_folder((folder or Path()) / text) and recognised((folder or Path()) / text) is not None:
        return "trace"
    _core.parse_call(text)
    files.refuse_folder((folder or Path()) / text)
    if left_to_library(text) is not None:
        return "collective"
    raise unknown(text)


def own_program(text: str) -> str:
    """The name of the package's own programs that a call text asks for, such as `step`; empty for another text."""
    name, opens, _ = text.partition("(")
    return name.strip() if opens and name.strip() in OWN_PROGRAMS else ""


def left_to_library(text: str) -> str | None:
    """The operation of a text that leaves its algorithm to a library: `allreduce:default`, or `allreduce` alone; None
    for other texts.
    """
    name, colon, algorithm = (part.strip() for part in text.partition(":"))
    if algorithm != DEFAULT * bool(colon) or plugin.find("collectives", text) is not None:
        return None
    name = {"bcast": "broadcast"}.get(name, name).replace("_", "-")
    return name if any(row["name"].startswith(f"{name}:") for row in catalogue("collectives")) else None


def _unchosen(text: str) -> NetloomError:
    """The fault of a collective whose library is not known."""
    if ":" not in text:
        return unknown(text)
    sentence = f'"{text[:80]}" is the choice of a library, and none is given'
    hint = f"give --library NAME ({', '.join(names())}) or a machine that has one, or name the algorithm"
    return NetloomError([Fault(NO_LIBRARY, "workload", sentence, "", hint)])


def takes_size(text: str, folder: Path | None = None) -> bool:
    """Whether a workload is made for a size: a collective is; others have bytes of their own.

    Raises
    ------
    NetloomError
        What `kind_of` raises.
    """
    return kind_of(text, folder) == "collective"


def instead_of_size(text: str, folder: Path | None = None) -> str:
    """What to do in place of a size that a workload does not take."""
    if kind_of(text, folder) != "pattern":
        return "leave it out"
    if "bytes=" in text.replace(" ", ""):
        return "leave it out: the call has the bytes of a message"
    name, _, rest = text.partition("(")
    own = [row for row in catalogue("patterns") if row["name"] == name.strip()]
    if not any(param["name"] == "bytes" for row in own for param in row["params"]):
        return "write its bytes into the call"
    given = rest.rpartition(")")[0].strip()
    return f'write the bytes of a message into the call: {name.strip()}({given}{given and ","}bytes="64 KiB")'


def unknown(text: str) -> NetloomError:
    """The fault that nothing has this name, with what was probably meant."""
    name = text.partition("(")[0].strip()
    collectives = [str(row["name"]) for row in catalogue("collectives")]
    own = [call for call in (*collectives, *plugin.names("collectives")) if call.partition(":")[0] == name]
    if own:
        sentence = f'"{name}" is a collective without an algorithm'
        hint = f"say which: {', '.join(own[:4])}{', ...' if len(own) > 4 else ''}; netloom list collectives has all"
        return NetloomError([Fault(UNKNOWN, "workload", sentence, "", hint)])
    known = [str(row["name"]) for kind in ("patterns", "applications") for row in catalogue(kind)] + [*OWN_PROGRAMS]
    hint = did_you_mean(name, [*known, *collectives, *plugin.names("patterns")], "workloads")
    return NetloomError([Fault(UNKNOWN, "workload", f'nothing is called "{name[:80]}"', "", hint)])


def resolve(
    source: Workload | str,
    ranks: int | None,
    *,
    root: int = 0,
    size_bytes: int = 1,
    algorithms: Mapping[str, str] | None = None,
    folder: Path | None = None,
) -> Workload:
    """The workload of a text or a file, on `ranks` ranks; objects are returned as they are.

    Parameters
    ----------
    ranks
        None: as many as a file tells; a call needs a number.
    size_bytes
        Of a collective, in the collective's own meaning.
    algorithms
        What an application or a trace uses for a collective, by collective.

    Raises
    ------
    NetloomError
        What `kind_of` raises, and what is wrong with the call or the file.
    """
    if not isinstance(source, str):
        return source
    kind, path = kind_of(source, folder), (folder or Path()) / source
    if kind == "traffic":
        return read_traffic(path, ranks=ranks)
    if kind == "trace":
        return _traced(source, folder or Path(), ranks, algorithms)
    if kind == "steps":
        from .step_reader import Reader, load

        table, spans = load(path, str(source))
        return Reader(str(source), spans, builder(path.parent, algorithms)).programs(table, ranks)
    assert ranks is not None
    say_letters(source)
    made = plugin.build_schedule(source, ranks, root, size_bytes)
    if made is not None:
        return made
    if kind == "collective" and left_to_library(source) is not None:
        raise _unchosen(source)
    build: dict[Kind, Callable[[], Workload]] = {
        "collective": lambda: _core.Schedule.build(source, ranks, root, size_bytes),
        "pattern": lambda: _core.Traffic.pattern(source, ranks),
        "application": lambda: (
            OWN_PROGRAMS[own](source, ranks, folder or Path())
            if (own := own_program(source))
            else _core.Programs.application(source, ranks, dict(algorithms or {}))
        ),
    }
    return build[kind]()


def steps(
    table: Mapping[str, object], ranks: int | None = None, *, algorithms: Mapping[str, str] | None = None
) -> _core.Programs:
    """Steps of one job on groups of its ranks, as one program.

    Parameters
    ----------
    table
        What a file of steps holds, such as `{"ranks": 8, "step": [{"workload": "allreduce:ring", "size": "1 MiB"}]}`.
        `docs/reference/steps.md` lists the keys. A `workload` may be an object too.
    ranks
        To be checked against those of the table.
    algorithms
        See `workload`.

    Raises
    ------
    NetloomError
        `NL-W001`, `NL-W002`, `NL-W003`, and what is wrong with a workload.

    Notes
    -----
    A sequence is one per rank: no rank waits for another at the end of a step, as in MPI. Flows of several messages
    become one. At most 1000 steps, 2^20 ranks and 2^24 actions of all ranks together. O(actions).
    """
    from .step_reader import Reader

    given = Arguments("steps")
    given.one_of("table", table, (Mapping,), "a mapping with the keys of a file of steps")
    if ranks is not None:
        ranks = given.integer("ranks", ranks)
    given.done()
    return Reader("steps", {}, builder(Path(), algorithms)).programs(table, ranks)


def builder(folder: Path, algorithms: Mapping[str, str] | None) -> Callable[[str, int, int, int], Workload]:
    """Makes the workloads of steps, with these ranks, root and size; -1 if not given."""

    def build(source: str, ranks: int, root: int, size_bytes: int) -> Workload:
        kind = kind_of(source, folder)
        if kind == "steps":
            raise NetloomError([Fault(codes.BAD_KEY, "workload", "a workload that is no file of steps", source[:60])])
        sized = takes_size(source, folder) and not source.startswith("barrier:")
        if sized and size_bytes < 0:
            raise NetloomError([Fault(codes.BAD_KEY, "size", "is missing", "", 'say size = "1 MiB"')])
        if not sized and size_bytes > 0:
            hint = instead_of_size(source, folder)
            raise NetloomError([Fault(codes.BAD_KEY, "size", "is of collectives only", "", hint)])
        return resolve(source, ranks, root=root, size_bytes=max(size_bytes, 0), algorithms=algorithms, folder=folder)

    return build


def stream(
    source: Workload | str,
    ranks: int | None,
    *,
    root: int = 0,
    size_bytes: int = 1,
    folder: Path | None = None,
) -> _core.Sends | _core.Schedule:
    """The same as messages listed rank by rank: patterns are never listed. See `resolve`."""
    if isinstance(source, str) and plugin.find("patterns", source) is None and kind_of(source, folder) == "pattern":
        say_letters(source)
        return _core.stream(source, ranks)
    made = resolve(source, ranks, root=root, size_bytes=size_bytes, folder=folder)
    if isinstance(made, _core.Sends):
        return made
    if isinstance(made, _core.Schedule):
        # What switches do is known where the ranks are.
        return made if made.switches else _core.Sends.of_schedule(made)
    return _core.Sends.of_traffic(messages(made))


def messages(made: Workload) -> _core.Traffic:
    """All messages of a workload, their order forgotten; of a schedule too.

    Raises
    ------
    NetloomError
        `NL-A009` beyond 2^27 different ones.
    """
    if isinstance(made, _core.Traffic):
        return made
    if isinstance(made, _core.Schedule):
        return _core.Traffic.of_schedule(made)
    if isinstance(made, _core.Programs):
        return _core.Traffic.of_programs(made)
    raise NetloomError([Fault("NL-A007", "workload", "a workload that is listed", made.label, "give its call text")])


def by_collective(calls: str | Mapping[str, str] | Iterable[str]) -> dict[str, str]:
    """Calls such as `"alltoall:bruck; smpi:allreduce:rdb"` by their collective; `"smpi"` by itself."""
    if isinstance(calls, Mapping):
        return dict(calls)
    listed = calls.split(";") if isinstance(calls, str) else calls
    words = {call.strip(): call.partition("(")[0].strip().split(":") for call in listed if call.strip()}
    return {parts[-2] if len(parts) > 1 else parts[0]: call for call, parts in words.items()}


def file_named(text: str) -> tuple[str, str]:
    """The file that a workload text names, and what else the text says of it."""
    call = trace_call(text)
    return (text, "") if call is None else (call.path, f"{call.format} {call.scale}")


def _traced(
    source: str, folder: Path, ranks: int | None, algorithms: Mapping[str, str] | None
) -> _core.Programs | _core.Traffic:
    call = trace_call(source)
    path = folder / (source if call is None else call.path)
    made = read_trace(path, algorithms) if call is None else _called(call, path, algorithms)
    if ranks is not None and ranks != made.ranks:
        sentence = f"the trace has {made.ranks} ranks, not {ranks}"
        hint = "leave the number of ranks out, or map as many ranks as it has"
        raise NetloomError([Fault("NL-X010", str(path), sentence, "", hint)])
    return made


def _called(call: TraceCall, path: Path, algorithms: Mapping[str, str] | None) -> _core.Programs | _core.Traffic:
    return read_trace(path, algorithms, format=call.format, scale=call.scale)


def _is_path(text: str) -> bool:
    """A colon may occur in a path too."""
    return "/" in text.partition("(")[0] or "\\" in text.partition("(")[0]
