"""All kinds of tuning file: what each is called, how to load it, and writing it whole or not at all."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from ...base import files
from ...base.errors import Fault, NetloomError
from ...base.nearest import did_you_mean
from ...base.quantities import counted, size_text, time_text
from ...base.shell import path_word
from ...library.codes import UNKNOWN
from ...library.decide import table_of
from ..codes import NOT_KNOWN_THERE
from ..tables import Timing, winners
from . import mpich, nccl, ompi, ucc
from .names import aliased, of_timing

KINDS = {"ompi": ompi, "mpich": mpich, "nccl": nccl, "ucc": ucc}
_RENDER = {"ompi": ompi.render, "mpich": mpich.render, "nccl": nccl.render, "ucc": ucc.render}


def emit(timings: Sequence[Timing], kind: str) -> str:
    """The text of one tuning file.

    Parameters
    ----------
    timings
        Of one collective each, all on the same number of ranks or not.
    kind
        `ompi`, `mpich`, `nccl` or `ucc`. The fastest of the algorithms that the library has is chosen from the smallest
        to the largest size that was timed; outside, the library decides by itself.

    Raises
    ------
    NetloomError
        `NL-D001` no such kind, `NL-D004` if the library has none of the timed algorithms.
    """
    _require(kind)
    return _emit(timings, kind, [])


def _known(timing: Timing, kind: str) -> list[str]:
    """Timed calls that a library has."""
    if kind not in ("ompi", "mpich"):
        return [name for name in timing.algorithms() if aliased(kind, name) is not None]
    found: list[str] = []
    for word, row in table_of(kind)["collectives"].items():
        if row["netloom"] == timing.collective:
            found += ompi.known(timing, word) if kind == "ompi" else of_timing(kind, word, timing)
    return found


def _missing(timing: Timing, kind: str) -> list[str]:
    """Where the fastest of all is not in the library: a sentence, about the size at which most is lost."""
    own = winners(timing, _known(timing, kind))
    pairs = [
        (size, best, time, call, took)
        for (size, best, time), (_, call, took) in zip(winners(timing), own, strict=False)
    ]
    worse = [pair for pair in pairs if pair[4] > pair[2]]
    if not worse:
        return []
    size, best, time, call, took = max(worse, key=lambda pair: pair[4] / pair[2] if pair[2] > 0 else 0.0)
    return [
        f"the library lacks the fastest {timing.collective} at {len(worse)} of {counted(len(pairs), 'size')}: "
        f"of {size_text(size)}, {time_text(time)} with {best}, {time_text(took)} with {call}"
    ]


def _require(kind: str) -> None:
    if kind not in KINDS:
        hint = did_you_mean(kind, KINDS, "kinds")
        raise NetloomError([Fault(UNKNOWN, "emit", f'there is no tuning file "{kind}"', "", hint)])


def _emit(timings: Sequence[Timing], kind: str, left: list[str]) -> str:
    text: str | None = _RENDER[kind](timings, left)
    if text is None:
        hint = f"all algorithms of {kind} are timed with --emit {kind} and without --algorithms"
        raise NetloomError([Fault(NOT_KNOWN_THERE, kind, f"no file: {'; '.join(left)}", "", hint)])
    return text


def write_files(
    timings: Sequence[Timing], kinds: Iterable[str], folder: str | Path, say: Callable[[str], object] | None = None
) -> list[tuple[Path, str]]:
    """Writes the files; `(path, how to make the library read it)` of each. No file is written before all are made.

    Parameters
    ----------
    say
        Is told which libraries have no file, and which collectives are in none of a library's, with the reason.

    Raises
    ------
    NetloomError
        `NL-D001` no such kind; `NL-D004` if none of the libraries has any of the timed algorithms; `NL-X003`.
    """
    texts: list[tuple[str, str]] = []
    refused: list[Fault] = []
    told: list[str] = []
    for kind in kinds:
        left: list[str] = []
        _require(kind)
        try:
            texts.append((kind, _emit(timings, kind, left)))
            told += [f"{KINDS[kind].FILE} has nothing for {reason}" for reason in left]
            told += [f"{KINDS[kind].FILE}: {sentence}" for timing in timings for sentence in _missing(timing, kind)]
        except NetloomError as error:
            refused += error.faults
            told += [f"{KINDS[kind].FILE} is left out: {reason}" for reason in left]
    if refused and not texts:
        raise NetloomError(refused)
    if say is not None:
        for sentence in told:
            say(sentence)
    written = []
    for kind, text in texts:
        path = Path(folder) / KINDS[kind].FILE
        files.write(path, text.encode())
        written.append((path, KINDS[kind].USE.format(path=_word(path))))
    return written


def _word(path: Path) -> str:
    """For a shell, which looks for a file to source along its PATH unless the name has a slash."""
    return path_word(path if "/" in str(path) else f"./{path}")
