"""New ranks: from the levels of a machine and their order, or from a file of ranks or places."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import Path

from ...base import files
from ...base.errors import Fault, NetloomError
from ...mapping.enumeration import enumerate_orders
from .. import codes

#: First word of the file that the preloaded library reads.
MAGIC = "netloom-order 1"


def reordered(levels: str | Sequence[int], order: str | Sequence[int]) -> list[int]:
    """The new rank of each process: old ranks number a hierarchy, whose levels are counted in another order.

    Parameters
    ----------
    levels
        Sizes of the levels, outermost first.
    order
        Positions of the levels; the first one counts fastest.

    Raises
    ------
    NetloomError
        NL-A007 for levels and an order that do not fit together.

    Notes
    -----
    Algorithms 1 and 2 of Swartvagher 2023. O(ranks).
    """
    ranks: list[int] = enumerate_orders(levels, order=order)[0]["ranks"]
    return ranks


def read_new_ranks(path: str | Path) -> list[int]:
    """The new rank of each process, from a file.

    Parameters
    ----------
    path
        Whole numbers with commas or blanks between them: the i-th is the new rank of process i, as in Cray's
        `MPICH_RANK_ORDER`, where `a-b` is a run of ranks and `#` begins a remark. Or a table with the columns `rank`
        and `endpoint` and, if wanted, `slot`, as `netloom map --emit csv` writes it: processes fill the endpoints one
        after another, and the process on a place becomes the rank that is mapped there.

    Raises
    ------
    NetloomError
        NL-X001, NL-X002; NL-I010 for what is no order.
    """
    place, text = str(path), files.read(path).decode("utf-8", "replace")
    lines = [line.partition("#")[0].strip() for line in text.splitlines()]
    first = next((line for line in lines if line), "")
    if "rank" in first.replace(" ", "").lower().split(","):
        made = _of_places(place, "\n".join(line for line in lines if line))
    else:
        made = _of_numbers(place, lines)
    require_order(place, made)
    return made


def _of_numbers(place: str, lines: list[str]) -> list[int]:
    made: list[int] = []
    for number, line in enumerate(lines, 1):
        for word in line.replace(",", " ").split():
            first, dash, last = word.partition("-")
            ends = [first, last] if dash else [first]
            if not all(end.isascii() and end.isdecimal() and len(end) < 9 for end in ends):
                raise _no_order(f"{place}:{number}", "whole numbers with commas between them", word)
            low, high = int(ends[0]), int(ends[-1])
            if high - low >= _MOST:
                raise _no_order(f"{place}:{number}", f"ranks below {_MOST}", word)
            made += range(low, high + 1)
            if len(made) > _MOST:
                raise _no_order(f"{place}:{number}", f"at most {_MOST} ranks", f"{len(made)}")
    return made


#: Most ranks of a job.
_MOST = 1 << 24


def _of_places(place: str, text: str) -> list[int]:
    rows = []
    for number, row in enumerate(csv.DictReader(io.StringIO(text)), 2):
        cells = [(row.get(key) or ("0" if key == "slot" else "")).strip() for key in ("rank", "endpoint", "slot")]
        if not all(cell.isascii() and cell.isdecimal() and len(cell) < 10 for cell in cells):
            raise _no_order(f"{place}:{number}", "whole numbers as rank and endpoint", ",".join(cells))
        rank, endpoint, slot = map(int, cells)
        rows.append((endpoint, slot, rank))
    return [rank for _, _, rank in sorted(rows)]


def require_order(place: str, ranks: Sequence[int]) -> None:
    """Refuses what does not have each rank once.

    Raises
    ------
    NetloomError
        NL-I010.
    """
    if not ranks:
        raise _no_order(place, "the new rank of each process", "nothing")
    seen = bytearray(len(ranks))
    for rank in ranks:
        if rank >= len(ranks):
            raise _no_order(place, f"ranks below {len(ranks)}, as many as there are", str(rank))
        if seen[rank]:
            raise _no_order(place, "each rank once", f"{rank} twice")
        seen[rank] = 1


def written(ranks: Sequence[int]) -> bytes:
    """The file that the preloaded library reads."""
    return (f"{MAGIC} {len(ranks)}\n" + "\n".join(map(str, ranks)) + "\n").encode()


def _no_order(place: str, expected: str, got: str) -> NetloomError:
    hint = "give each new rank once: the i-th number is the new rank of process i"
    return NetloomError([Fault(codes.NO_ORDER, place, expected, got, hint)])
