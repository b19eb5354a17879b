"""`netloom verify --ranks A:B`: every number of ranks is proved, or named with the reason."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., tuple[int, str, str]]
#: Sends to all but the last of 5 or 7 ranks.
LAME = """
from netloom import plugin

class Lame(plugin.Collective):
    "Right on most numbers of ranks."
    name = "broadcast:lame"
    def steps(self, ranks, root, size_bytes):
        last = ranks - 1 - (ranks in (5, 7))
        return [[((root + i) % ranks, (root + i + 1) % ranks, [0], False)] for i in range(last)]
"""


def test_all_are_proved(netloom: Run) -> None:
    code, out, _ = netloom("verify", "allreduce:rabenseifner", "--ranks", "2:33")
    assert code == 0 and out == "proved  32 of 32 numbers of ranks, 2 to 33\n"


def test_one_line_for_each_that_fails(netloom: Run) -> None:
    Path("lame.py").write_text(LAME)
    code, out, err = netloom("verify", "broadcast:lame", "--ranks", "2:9", "--plugin", "lame.py")
    lines = [line for line in err.splitlines() if line.startswith("not proved")]
    assert code == 1 and [line.partition(":")[0] for line in lines] == [
        "not proved on 5 ranks",
        "not proved on 7 ranks",
    ]
    assert out == "proved      6 of 8 numbers of ranks, 2 to 9\nnot proved  5, 7\n"
    code, out, _ = netloom(
        "verify", "broadcast:lame", "--ranks", "4:5", "--root", "all", "--plugin", "lame.py", "--json"
    )
    found = json.loads(out)
    assert code == 1 and not found["proved"] and [case["proved"] for case in found["cases"]] == [True, False]
    assert [len(case["roots"]) for case in found["cases"]] == [4, 0] and len(found["cases"][1]["refuted"]) == 5


def test_numbers_without_such_a_schedule_are_named(netloom: Run) -> None:
    code, out, _ = netloom("verify", "broadcast:two-tier(2,2,2)", "--ranks", "6:10")
    assert code == 0 and out == "proved       1 of 1 numbers of ranks, 6 to 10\nnot defined  6, 7, 9, 10: needs 8\n"
    code, out, _ = netloom("verify", "broadcast:binomial", "--ranks", "2:6", "--root", "4")
    assert code == 0 and out == "proved       2 of 2 numbers of ranks, 2 to 6\nnot defined  2 to 4: no such root\n"
    code, _, err = netloom("verify", "broadcast:two-tier(2,2,2)", "--ranks", "3:5")
    assert code == 2 and "is defined on none of them" in err


@pytest.mark.parametrize("wrong", ["9:2", "2:", ":5", "2:3:4", "0:4", "2:99999"])
def test_a_range_has_two_ends(netloom: Run, wrong: str) -> None:
    code, _, err = netloom("verify", "allreduce:ring", "--ranks", wrong)
    assert code == 2 and "NL-A007 --ranks" in err


def test_what_would_take_long_is_refused_before_anything_is_proved(netloom: Run) -> None:
    code, out, err = netloom("verify", "allreduce:ring", "--ranks", "2:9000")
    assert code == 2 and out == "" and "NL-X016 --ranks" in err and "up to " in err and "not proved" not in err
