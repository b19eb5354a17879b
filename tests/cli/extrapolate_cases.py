"""Options of `netloom extrapolate`, and the recordings that it reads."""

from __future__ import annotations

from .option_case import Case


def shifted(ranks: int) -> str:
    """A trace of SMPI: a shift around a ring whose size is a P-th of 5,760 bytes."""
    size = 5760 // ranks
    sends = [f"{rank} send {(rank + 1) % ranks} 0 {size} 6\n" for rank in range(ranks)]
    return "".join(sends + [f"{rank} recv {(rank - 1) % ranks} 0 {size} 6\n" for rank in range(ranks)])


#: The recordings of `EXTRAPOLATE`.
RECORDED = {f"{ranks}.trace": shifted(ranks) for ranks in (9, 16)}
EXTRAPOLATE = "9.trace 16.trace --ranks 25 -o out.goal"
EXTRAPOLATED = {
    ("extrapolate", "--ranks"): Case(EXTRAPOLATE, "--ranks 36", "files"),
    ("extrapolate", "--output"): Case(EXTRAPOLATE, "-o other.goal", "files"),
    ("extrapolate", "--to"): Case(EXTRAPOLATE, "--to smpi", "files"),
    ("extrapolate", "--from"): Case(EXTRAPOLATE, "--from smpi", "runs"),
    ("extrapolate", "--grid"): Case("9.trace 16.trace --ranks 24 -o out.goal", "--grid 25", "refuses"),
    ("extrapolate", "--sizes"): Case("16.trace --ranks 25 -o out.goal", "--sizes constant", "mends"),
    ("extrapolate", "--within"): Case(EXTRAPOLATE, "--within 0.5", "files"),
}
