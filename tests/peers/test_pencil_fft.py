"""`examples/pencil_fft.py` under two MPIs: right to rounding, and its messages are those of the application `fft3d`."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from netloom.workload import application, messages

from .conftest import ASKED
from .mpi_libraries import BOTH, Library, matrix, missing

pytestmark = [pytest.mark.skipif(not ASKED, reason="run by `make peers`"), pytest.mark.timeout(200)]
PROGRAM = Path(__file__).parents[2] / "examples" / "pencil_fft.py"
CASES = [
    (4, (12, 10, 9), (4, 3), 20, False),
    (5, (12, 10, 9), (4, 3), 20, True),
    (12, (12, 12, 12), (4, 3), None, True),
    (6, (7, 9, 8), (6, 1), None, True),
    (9, (16, 15, 14), (3, 5), 3, True),
]


@pytest.mark.parametrize("library", BOTH, ids=lambda one: one.name)
@pytest.mark.parametrize(("ranks", "n", "parts", "cutoff", "back"), CASES)
def test_messages_are_those_of_the_application(
    library: Library,
    ranks: int,
    n: tuple[int, int, int],
    parts: tuple[int, int],
    cutoff: int | None,
    back: bool,
    tmp_path: Path,
) -> None:
    if reason := missing(library):
        pytest.skip(reason)
    given = [*map(str, n), "--parts", *map(str, parts), *(["--cutoff", str(cutoff)] if cutoff else [])]
    program = library.mpirun(ranks, sys.executable, str(PROGRAM), *given, *(["--back"] if back else []))
    code, out, err = library.netloom("record", "-o", "sent", "--", *program, cwd=tmp_path)
    assert code == 0, err
    assert out.count("differs by") == ranks
    call = f"fft3d(n={list(n)},decomposition={list(parts)},direction={'both' if back else 'forward'}"
    made = application(call + (f",cutoff={cutoff})" if cutoff else ")"), ranks)
    table = messages(made).table()
    columns = [table[name].tolist() for name in ("src", "dst", "messages", "bytes")]
    wanted = {(src, dst): (count, size) for src, dst, count, size in zip(*columns, strict=True)}
    found = matrix(tmp_path / "sent")
    assert {pair: sent for pair, sent in found.items() if pair[0] != pair[1]} == wanted
    text = b"".join(data for _, data in made.write("smpi-trace")).decode()
    own: dict[int, list[int]] = {}
    for line in text.splitlines():
        words = line.split()
        if words[1:2] == ["isend"] and words[2] == words[0]:
            own.setdefault(int(words[0]), []).append(int(words[4]))
    assert {pair[0]: sent for pair, sent in found.items() if pair[0] == pair[1]} == {
        rank: (len(sizes), sum(sizes)) for rank, sizes in own.items()
    }
