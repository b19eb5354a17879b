"""The files of all ranks of a run as one trace."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from ....base.errors import Fault, NetloomError
from ..row import Recorded, Source, TraceFormat
from ..streams import RankKernels, recorded_streams
from .profile import Profile, read_profile
from .splitter import unpacked_head

_ENDINGS = (".json", ".json.gz")
#: Bytes of a file that tell its format.
HEAD_BYTES = 1 << 16
#: Most files of a folder.
MOST_FILES = 1 << 14
#: Ranks that are named.
NAMED = 8


def _is_one(head: bytes) -> bool:
    text = unpacked_head(head)
    is_json = text.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{")
    return is_json and (b'"deviceProperties"' in text or b'"distributedInfo"' in text) and b'"schemaVersion"' in text


def _begins(source: Source) -> bool:
    if source.path.is_dir():
        return any(_is_one(_head(path)) for path in _listed(source.path)[:NAMED])
    return _is_one(source.head)


def _listed(folder: Path) -> list[Path]:
    return sorted(one for one in folder.iterdir() if one.name.endswith(_ENDINGS) and one.is_file())


def _head(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(HEAD_BYTES)


def _read(source: Source) -> Recorded:
    """Each rank once; all of them.

    Raises
    ------
    NetloomError
        NL-F010 for a rank without a file, NL-F006 for one with two, NL-F004 where nothing communicates; what is
        wrong in a file.
    """
    profiles = _profiles(source)
    world = max([one.world for one in profiles.values()] + [max(profiles) + 1])
    if missing := sorted(set(range(world)) - set(profiles)):
        shown = ", ".join(map(str, missing[:NAMED])) + (
            f" and {len(missing) - NAMED} more" if len(missing) > NAMED else ""
        )
        sentence = f"is of {world} ranks, and the files of these are missing: {shown}"
        hint = "put the profiles of all ranks of the run into one folder"
        raise NetloomError([Fault("NL-F010", source.place, sentence, "", hint)])
    notes = _notes(profiles)
    if not any(one.kernels or one.host for one in profiles.values()):
        sentence = "has no call of a communication library with its size"
        hint = "profile with ProfilerActivity.CUDA, PyTorch 2.3 or later: older ones leave the sizes out"
        raise NetloomError([Fault("NL-F004", source.place, sentence, "", hint)])
    by_host = not any(one.kernels for one in profiles.values())
    first_ns = min(one.origin_ns for one in profiles.values())
    ranks = [
        RankKernels(one.rank, str(one.path), one.host if by_host else one.kernels, one.compute, list(one.marks))
        for one in profiles.values()
    ]
    for one, of in zip(ranks, profiles.values(), strict=True):
        one.shift((of.origin_ns - first_ns) * 1e-9)
    return recorded_streams(source, ranks, world, notes)


def _profiles(source: Source) -> dict[int, Profile]:
    """By rank: of the file alone if it is of the only rank, else of all files next to it."""
    own = None if source.path.is_dir() else read_profile(source.path, source.is_border)
    if own is not None and own.world == 1 and own.rank == 0:
        return {0: own}
    folder = source.path if own is None else source.path.parent
    made: dict[int, Profile] = {}
    for path in _listed(folder)[:MOST_FILES]:
        is_own = own is not None and path.samefile(source.path)
        if not is_own and not _is_one(_head(path)):
            continue
        one = own if is_own and own is not None else read_profile(path, source.is_border)
        if one.rank in made:
            sentence = f"two files are of rank {one.rank}: {made[one.rank].path.name} and {path.name}"
            hint = "keep one window of each rank in a folder"
            raise NetloomError([Fault("NL-F006", str(folder), sentence, "", hint)])
        made[one.rank] = one
    if own is not None:
        made.setdefault(own.rank, own)
    return made


def _notes(profiles: dict[int, Profile]) -> list[str]:
    unread: Counter[str] = Counter()
    for one in profiles.values():
        unread.update(one.unread)
    notes = [
        f"{number} kernels {name[:60]} count as computation: no event has their sizes"
        for name, number in sorted(unread.items())
    ]
    if repaired := sum(one.repaired for one in profiles.values()):
        notes.append(f"{repaired} descriptions of process groups without a value are read as empty")
    if any(one.host for one in profiles.values()):
        notes.append("no kernel of the library is in the profiles: the calls are those of the host, at its times")
    return notes + sorted({sentence for one in profiles.values() for sentence in one.assumed})


KINETO = TraceFormat(
    name="kineto",
    aliases=("torch-profiler",),
    summary="profiles of PyTorch (`export_chrome_trace`), a file a rank: calls of NCCL, streams, computation between",
    restrictions="the folder of all ranks, or one of its files; sizes as PyTorch 2.3 and later record them",
    source="pytorch/kineto, libkineto/src/output_json.cpp",
    begins=_begins,
    read=_read,
)
