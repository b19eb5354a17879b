"""The contract of every registered class, as checks that users can run on their own."""

from __future__ import annotations

import inspect

from .. import plugin
from ..base.errors import Fault, NetloomError
from ..base.registries import KINDS, catalogue
from .cases import CONTRACTS

#: Faults of the subject's own code, and what a row may say that it does not take (numbers of ranks).
_BROKEN = {"NL-G003", "NL-G004", "NL-G005"}
_RESTRICTED = {"NL-C004", "NL-P001"}


def check(subject: str | type[plugin.Plugin], kind: str | None = None) -> dict[str, int]:
    """Run the contract of a plug-in class, or of a registered name.

    Parameters
    ----------
    subject
        A subclass of a class of `netloom.plugin` (it gets registered), or the call text of anything registered, such as
        `"torus(4,4)"` or `"allreduce:ring"`.
    kind
        Registry of a name that several have, such as `"ring"`: by default the first of
        `netloom.base.registries.KINDS`.

    Returns
    -------
    dict
        How many `checks` passed, and how many inputs were `refused` with a fault, which is allowed.

    Raises
    ------
    NetloomError
        With every promise that is broken.
    """
    if inspect.isclass(subject):
        plugin.register(subject)
        kind, text = subject.kind, subject.example or subject.name
    else:
        text = str(subject)
        kind = _kind(text, kind)
    outcome = {"checks": 0, "refused": 0}
    faults: list[Fault] = []
    for case in CONTRACTS[kind](text):
        try:
            problem = case()
        except NetloomError as error:
            codes = {fault.code for fault in error.faults}
            if codes & _BROKEN or (case.strict and not codes <= _RESTRICTED):
                faults += error.faults
            else:
                outcome["refused"] += 1
            continue
        if problem:
            faults.append(Fault("NL-G005", case.place, problem))
        else:
            outcome["checks"] += 1
    if not outcome["checks"] and not faults:
        faults.append(Fault("NL-G005", text, "refuses every input of the contract"))
    if faults:
        raise NetloomError(dict.fromkeys(faults))
    return outcome


def _kind(text: str, wanted: str | None) -> str:
    head = text.partition("(")[0].strip()
    for kind in KINDS:
        if kind in CONTRACTS and wanted in (None, kind):
            rows = [*catalogue(kind), *plugin.rows(kind)]
            if any(head == row["name"] or head in row["aliases"] for row in rows):
                return kind
    fault = Fault(
        "NL-A002", "contract.check", f'nothing that has a contract is called "{head}"', "", "see netloom list"
    )
    raise NetloomError([fault])
