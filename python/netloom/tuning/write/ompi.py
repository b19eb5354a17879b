"""Open MPI: the dynamic rules file of coll/tuned, in the form that 4.0, 4.1 and 5.0 read.

Numbers in order, comments after `#`: collectives; per collective its id and the number of communicator sizes; per size
that size and the number of message sizes; per message size bytes, algorithm, fan-out, segment size. A rule holds from
its size up to the next one. Algorithm 0 leaves the choice to the fixed decision.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..decide import differs_on, table_of
from ..decision_table import Collective
from ..tables import Timing, winners
from .names import ompi

FILE = "ompi-rules.conf"
USE = "OMPI_MCA_coll_tuned_use_dynamic_rules=1 OMPI_MCA_coll_tuned_dynamic_rules_filename={path}"


def rules(timing: Timing, word: str) -> list[tuple[int, str, int, str]]:
    """`(first bytes in the file, algorithm, segment bytes, our call)` of a library's collective, ascending."""
    row = table_of("ompi")["collectives"][word]
    scale = timing.ranks if row["file_bytes"] == "size*ranks" else 1
    if timing.collective == "barrier":
        scale = 0
    known = [name for name in timing.algorithms() if ompi(word, name, timing.ranks, 1) is not None]
    found: list[tuple[int, str, int, str]] = []
    for size, call, _ in winners(timing, known):
        choice = ompi(word, call, timing.ranks, size)
        if choice is None:
            continue
        algorithm, segment = choice
        if found and found[-1][1:3] == (algorithm, segment):
            continue
        # The library requires a rule from size zero: the smallest size covers all below it.
        found.append((size * scale if found else 0, algorithm, segment, call))
    return found


def render(timings: Sequence[Timing]) -> str | None:
    """The file for all timed collectives, None if Open MPI has none of the algorithms.

    Communicators of other sizes keep the fixed decision: a rule at 0 and one just above the timed size say so.
    """
    sections = []
    table = table_of("ompi")["collectives"]
    for timing in timings:
        for word, row in table.items():
            chosen = rules(timing, word) if row["netloom"] == timing.collective else []
            if chosen:
                sections.append(_section(timing, word, row, chosen))
    if not sections:
        return None
    head = ["# Open MPI coll/tuned dynamic rules, written by netloom", f"{len(sections)} # collectives"]
    return "\n".join([*head, *(line for section in sections for line in section)]) + "\n"


def _section(timing: Timing, word: str, row: Collective, chosen: list[tuple[int, str, int, str]]) -> list[str]:
    ids = row["algorithms"]
    lines = [f"{row['file_id']} # {word}, timed on {_comment(timing.network)}", "3 # communicator sizes"]
    lines += ["0 # smaller communicators", "1", "0 0 0 0 # fixed decision"]
    lines += [f"{timing.ranks} # ranks", f"{len(chosen)} # message sizes: bytes, algorithm, fan-out, segment bytes"]
    for size, algorithm, segment, call in chosen:
        lines.append(f"{size} {ids[algorithm]['id']} 0 {segment} # {algorithm}: {_comment(call)}")
        if differs := differs_on(ids[algorithm], timing.ranks):
            lines.append(f"# timed with other pairs of ranks: {differs}")
    return [*lines, f"{timing.ranks + 1} # larger communicators", "1", "0 0 0 0 # fixed decision"]


def _comment(text: str) -> str:
    """One printable line."""
    return "".join(c if c.isprintable() else "?" for c in text)
