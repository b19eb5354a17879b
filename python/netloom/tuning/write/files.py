"""All kinds of tuning file: what each is called, how to load it, and writing it whole or not at all."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from ...base import files
from ...base.errors import Fault, NetloomError
from ...base.nearest import did_you_mean
from ...base.shell import path_word
from ..codes import NOT_KNOWN_THERE, UNKNOWN
from ..tables import Timing
from . import mpich, nccl, ompi, ucc

KINDS = {"ompi": ompi, "mpich": mpich, "nccl": nccl, "ucc": ucc}
_RENDER = {"ompi": ompi.render, "mpich": mpich.render, "nccl": nccl.render, "ucc": ucc.render}


def emit(timings: Sequence[Timing], kind: str) -> str:
    """The text of one tuning file.

    Parameters
    ----------
    timings
        Of one collective each, all on the same number of ranks or not.
    kind
        `ompi`, `mpich`, `nccl` or `ucc`. The fastest of the algorithms that the library has is chosen at every size;
        the smallest timed size covers all below it, the largest all above.

    Raises
    ------
    NetloomError
        `NL-D001` no such kind, `NL-D004` if the library has none of the timed algorithms.
    """
    if kind not in KINDS:
        raise NetloomError(
            [Fault(UNKNOWN, "emit", f'there is no tuning file "{kind}"', "", did_you_mean(kind, KINDS, "kinds"))]
        )
    text: str | None = _RENDER[kind](timings)
    if text is None:
        timed = ", ".join(timing.collective for timing in timings)
        hint = f"algorithms of {kind} are timed by themselves with --emit {kind}"
        raise NetloomError([Fault(NOT_KNOWN_THERE, kind, f"has none of the algorithms timed for {timed}", "", hint)])
    return text


def write_files(timings: Sequence[Timing], kinds: Iterable[str], folder: str | Path) -> list[tuple[Path, str]]:
    """Writes the files; `(path, how to make the library read it)` of each. No file is written before all are made.

    Raises
    ------
    NetloomError
        As `emit`; `NL-X003`.
    """
    texts = [(kind, emit(timings, kind)) for kind in kinds]
    written = []
    for kind, text in texts:
        path = Path(folder) / KINDS[kind].FILE
        files.write(path, text.encode())
        written.append((path, KINDS[kind].USE.format(path=_word(path))))
    return written


def _word(path: Path) -> str:
    """For a shell, which looks for a file to source along its PATH unless the name has a slash."""
    return path_word(path if "/" in str(path) else f"./{path}")
