"""Traffic from files: lists of messages and communication matrices."""

from __future__ import annotations

import warnings
from pathlib import Path

from .. import _core, plugin
from ..base import files
from ..base.arguments import Arguments
from ..base.errors import Fault, NetloomError
from .matrix import is_npz, read_npz


def read_traffic(path: str | Path, *, format: str | None = None, ranks: int | None = None) -> _core.Traffic:
    """Who sends how many bytes to whom, from a file.

    Parameters
    ----------
    path
        A table with the header `src,dst,bytes` and, if wanted, `messages` and `time` (when each flow starts), or a
        square of numbers (`.csv`); a Matrix Market matrix (`.mtx`); a NumPy array (`.npy`), several of them or a sparse
        matrix of SciPy (`.npz`). Rows send, columns receive; numbers are whole bytes.
    format
        Registered name of the format; by default told from the beginning and the ending of the file.
    ranks
        Number of ranks of the job, 1 to 2^24; by default as many as the file names.

    Raises
    ------
    NetloomError
        `NL-X001`, `NL-X002` a file that cannot be read; `NL-F...` what is wrong in it and where.

    Notes
    -----
    What a rank sends to itself is dropped, entries for one pair are summed. In a matrix each entry above zero is one
    message. Nothing in a file is executed: arrays of Python objects are refused. What the file says and the traffic
    does not hold is in `Traffic.notes`, and warned of. O(file).
    """
    given = Arguments("read")
    given.one_of("path", path, (str, Path), "the path of a file")
    if format is not None:
        given.text("format", format)
    if ranks is not None:
        ranks = given.integer("ranks", ranks)
    given.done()
    data, place = files.read(path), str(path)
    named = format is not None and format.strip() == "npz"
    if named or (format is None and is_npz(place)):
        made = read_npz(data, place, ranks)
    else:
        made = _core.Traffic.read(data, place, format, ranks)
    for note in made.notes:
        warnings.warn(f"{place}: {note}", stacklevel=2)
    return made


def write_traffic(traffic: _core.Traffic, path: str | Path, *, format: str | None = None) -> None:
    """Write traffic as a file: whole or not at all.

    Parameters
    ----------
    path
        Its ending tells the format unless `format` does.
    format
        `traffic-csv` keeps everything; `matrix-market` and `npy` keep bytes, as one message per pair.

    Raises
    ------
    NetloomError
        `NL-F016` an ending that tells no format, `NL-F018` messages of no bytes in a matrix, `NL-X003` a file that
        cannot be written.
    """
    given = Arguments("write")
    given.one_of("traffic", traffic, (_core.Traffic,), "a Traffic")
    given.one_of("path", path, (str, Path), "the path of a file")
    if format is not None:
        given.text("format", format)
    given.done()
    # An ending that tells nothing is refused by the reader of formats, which names those that there are.
    known = format or _core.detect_format(str(path), b"", "traffic") or Path(path).suffix.removeprefix(".") or "none"
    files.write(path, traffic.write(known))


def is_traffic_file(text: str) -> bool:
    """True for a file name, rather than a call, whose ending is that of a format of traffic.

    Raises
    ------
    NetloomError
        `NL-F016` for a file name with another ending.
    """
    if "." not in text or text.rstrip().endswith(")"):
        return False
    if is_npz(text) or _core.detect_format(text, b"", "traffic") is not None:
        return True
    # A dot may also occur in a call whose parenthesis is open, or in the name of a plug-in.
    if "(" not in text and all(plugin.find(kind, text) is None for kind in ("patterns", "collectives")):
        hint = "files of traffic end with .csv, .mtx, .npy or .npz; netloom.read takes others with format="
        raise NetloomError([Fault("NL-F016", text, "its ending tells no format of traffic", "", hint)])
    return False
