"""Claims on the page: refuted and open ones first, the others folded."""

from __future__ import annotations

from collections.abc import Sequence

from ..base.errors import Fault, NetloomError
from . import codes
from .markup import escape
from .sections import VERDICTS, Claim, Claims

#: What a reader must see comes first.
ORDER = ("refuted", "open", "not tested", "confirmed")
#: Folded while there is something that was not confirmed, or when there are more of them.
FEW = 8
#: Longer texts are folded.
LONG = 160


def claims(section: Claims) -> str:
    """One group of rows for each verdict.

    Raises
    ------
    NetloomError
        NL-X111 for an unknown verdict.
    """
    faults = [
        Fault(codes.BAD_SECTION, f"claim {claim.id}", "one of " + ", ".join(VERDICTS), repr(claim.verdict))
        for claim in section.claims
        if claim.verdict not in VERDICTS
    ]
    if faults:
        raise NetloomError(faults)
    found = [(word, [claim for claim in section.claims if claim.verdict == word]) for word in ORDER]
    found = [(word, members) for word, members in found if members]
    total = "".join(f"<li>{chip(word, f'{len(members)} {word}')}</li>" for word, members in found)
    return f'<ul class="chips">{total}</ul>\n' + "\n".join(_group(word, members, len(found)) for word, members in found)


def chip(verdict: str, text: str = "") -> str:
    """A verdict with its sign: colour is not the only difference."""
    kind = list(VERDICTS).index(verdict)
    return f'<span class="verdict v{kind}"><span aria-hidden="true">{VERDICTS[verdict]}</span> {text or verdict}</span>'


def _group(verdict: str, members: Sequence[Claim], groups: int) -> str:
    opened = " open" if verdict in ORDER[:2] or (groups == 1 and len(members) <= FEW) else ""
    heads = "".join(f'<th scope="col">{head}</th>' for head in ("Claim", "Expected", "Got"))
    rows = "\n".join(map(_row, members))
    return (
        f'<details class="fold claims"{opened}><summary>{chip(verdict, f"{len(members)} {verdict}")}</summary>'
        f'<div class="scroll" tabindex="0" role="region" aria-label="claims {verdict}"><table><thead><tr>{heads}</tr>'
        f"</thead><tbody>\n{rows}\n</tbody></table></div></details>"
    )


def _row(claim: Claim) -> str:
    about = ", ".join(filter(None, (claim.place, claim.id)))
    said = f'<span class="place">{escape(about)}</span>' if about else ""
    note = f'<span class="place">{folded(claim.note)}</span>' if claim.note else ""
    return (
        f'<tr><th scope="row">{folded(claim.statement)}{said}</th>'
        f'<td data-label="Expected">{folded(claim.expected)}</td><td data-label="Got">{folded(claim.got)}{note}</td>'
        "</tr>"
    )


def folded(text: str) -> str:
    """A long text as its beginning, which opens to the whole."""
    if len(text) <= LONG:
        return escape(text)
    start = text[:LONG].rsplit(" ", 1)[0]
    return f'<details class="more"><summary>{escape(start)} …</summary>{escape(text[len(start) :].strip())}</details>'
