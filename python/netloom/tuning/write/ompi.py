"""Open MPI: the dynamic rules file of coll/tuned, in the form that 4.0, 4.1 and 5.0 read.

Numbers in order, comments after `#`: collectives; per collective its id and the number of communicator sizes; per size
that size and the number of message sizes; per message size bytes, algorithm, fan-out, segment size. A rule holds from
its size up to the next one. Algorithm 0 leaves the choice to the fixed decision.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...library.decide import table_of
from ...library.decision_table import Collective
from ..spans import spans
from ..tables import Timing
from ..ties import error_lines
from .names import of_timing, ompi_segmented, without

FILE = "ompi-rules.conf"
USE = "OMPI_MCA_coll_tuned_use_dynamic_rules=1 OMPI_MCA_coll_tuned_dynamic_rules_filename={path}"


#: What leaves the choice to the fixed decision.
_FIXED = "0 0 0 # fixed decision"


@dataclass(frozen=True)
class Rule:
    """A line for messages from some bytes on, as the file counts them; without an algorithm Open MPI chooses."""

    first: int
    algorithm: str = ""
    segment: int = 0
    call: str = ""
    differs: str = ""


def known(timing: Timing, word: str) -> list[str]:
    """Timed calls that the library has; its algorithms for two processes are refused on any other communicator."""
    has = of_timing("ompi", word, timing)
    cut = [call for call in timing.algorithms() if ompi_segmented(word, call, timing.ranks, 1) is not None]
    return [*(call for call, facts in has.items() if facts[0] != "two_proc"), *cut]


def rules(timing: Timing, word: str) -> list[Rule]:
    """Those of a library's collective, ascending: from the smallest size that was timed to the largest."""
    row = table_of("ompi")["collectives"][word]
    scale = timing.ranks if row["file_bytes"] == "size*ranks" else 1
    has = of_timing("ompi", word, timing)
    chosen = spans(timing, known(timing, word))
    if not chosen:
        return []
    found = [Rule(0)] if chosen[0].first else []
    for span in chosen:
        # The size of a segment is that of the rule's first timed size: a rule for each, since calls count segments.
        for first in [span.first, *(size for size in timing.sizes if span.first < size <= span.last)]:
            segmented = ompi_segmented(word, span.algorithm, timing.ranks, first)
            name, differs = has.get(span.algorithm, ("", ""))
            algorithm, segment = segmented or (name, 0)
            if found[-1:] and (found[-1].algorithm, found[-1].segment) == (algorithm, segment):
                continue
            found.append(Rule(first * scale, algorithm, segment, span.algorithm, differs))
    return found if timing.collective == "barrier" else [*found, Rule(chosen[-1].last * scale + 1)]


def render(timings: Sequence[Timing], left: list[str]) -> str | None:
    """The file for all timed collectives, None if Open MPI has none of the algorithms.

    Communicators of other sizes, and messages smaller or larger than those timed, keep the fixed decision: rules of
    algorithm 0 say so. `left` takes the collectives without a rule, with the reason.
    """
    sections = []
    table = table_of("ompi")["collectives"]
    for timing in timings:
        made = []
        for word, row in table.items():
            chosen = rules(timing, word) if row["netloom"] == timing.collective else []
            if chosen:
                made.append(_section(timing, word, row, chosen))
        if not made:
            left.append(without(timing))
        sections += made
    if not sections:
        return None
    head = ["# Open MPI coll/tuned dynamic rules, written by netloom", *error_lines(timings)]
    head.append(f"{len(sections)} # collectives")
    return "\n".join([*head, *(line for section in sections for line in section)]) + "\n"


def _section(timing: Timing, word: str, row: Collective, chosen: list[Rule]) -> list[str]:
    ids = row["algorithms"]
    lines = [f"{row['file_id']} # {word}, timed on {_comment(timing.network)}", "3 # communicator sizes"]
    lines += ["0 # smaller communicators", "1", f"0 {_FIXED}"]
    lines += [f"{timing.ranks} # ranks", f"{len(chosen)} # message sizes: bytes, algorithm, fan-out, segment bytes"]
    for rule in chosen:
        if not rule.algorithm:
            lines.append(f"{rule.first} {_FIXED}: not timed")
            continue
        number = ids[rule.algorithm]["id"]
        lines.append(f"{rule.first} {number} 0 {rule.segment} # {rule.algorithm}: {_comment(rule.call)}")
        if rule.differs:
            lines.append(f"# timed with other pairs of ranks: {rule.differs}")
    return [*lines, f"{timing.ranks + 1} # larger communicators", "1", f"0 {_FIXED}"]


def _comment(text: str) -> str:
    """One printable line."""
    return "".join(c if c.isprintable() else "?" for c in text)
