"""What a browser may ask: inputs of a scenario, without a file that the command line did not name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from .. import _core, calibration
from ..base.errors import Fault, NetloomError
from ..base.nearest import did_you_mean
from ..plugin import is_known
from ..scenario import Scenario
from ..scenario.axes import BY_NAME
from ..scenario.canonical import head
from ..scenario.sizes import without_unused
from ..workload.resolve import unknown
from .choices import CALLS, TEXTS
from .codes import NOT_ASKED, TOO_LARGE

#: Inputs that the page may set; the others, such as a list of jobs, only the command line.
OPEN = (*CALLS, *TEXTS, "mapping")
MOST_TEXT, MOST_RANKS = 4000, 1 << 16
#: Endpoints of a network that is answered for while somebody waits.
MOST_ENDPOINTS = 1 << 14
_FILE = "a call: files are named on the command line"


def scenario_of(table: object, given: Scenario) -> Scenario:
    """The scenario of a page.

    Parameters
    ----------
    table
        What the page sent: values by axis.
    given
        The scenario of the command line, whose files the page may name again.

    Raises
    ------
    NetloomError
        `NL-X201` for what is no such table, and for files; `NL-A007` for values of another kind.
    """
    if not isinstance(table, Mapping):
        raise NetloomError([Fault(NOT_ASKED, "page", "a table of inputs", type(table).__name__)])
    faults: list[Fault] = []
    said: dict[str, object] = {}
    for name, value in table.items():
        if name in given and value == given[name]:
            said[name] = value
        elif name not in OPEN:
            hint = did_you_mean(str(name), OPEN, "inputs")
            faults.append(Fault(NOT_ASKED, f"page.{name}"[:80], "is no input of the explorer", "", hint))
        elif name == "mapping":
            faults += _numbers(value)
            said[name] = value
        else:
            found = list(_wrong(name, value))
            faults += found
            said[name] = value
    if faults:
        raise NetloomError(faults)
    return Scenario.from_dict(without_unused(said, given.folder), given.folder, "page")


def require_small(net: _core.Network) -> None:
    """Refuses networks whose answers take longer than a page should wait.

    Raises
    ------
    NetloomError
        `NL-X202`.
    """
    if net.endpoints > MOST_ENDPOINTS:
        expected = f"at most {MOST_ENDPOINTS:,} endpoints"
        raise NetloomError([Fault(TOO_LARGE, "network", expected, f"{net.endpoints:,}", "use netloom loads")])


def _numbers(value: object) -> Iterator[Fault]:
    if not isinstance(value, list) or len(value) > MOST_RANKS or any(type(at) is not int for at in value):
        yield Fault("NL-A007", "mapping", f"a list of at most {MOST_RANKS} endpoints", type(value).__name__)


def _wrong(name: str, value: object) -> Iterator[Fault]:
    if type(value) is int:
        return
    if not isinstance(value, str) or len(value) > MOST_TEXT:
        yield Fault("NL-A007", name, f"text of at most {MOST_TEXT} characters", type(value).__name__)
        return
    if _names_a_file(name, value):
        yield Fault(NOT_ASKED, name, _FILE, value, "netloom explore FILE")
    elif name == "workload" and value and not any(is_known(kind, value) for kind in CALLS["workload"]):
        yield from unknown(value).faults


def _names_a_file(name: str, text: str) -> bool:
    """True for a text that could be read as a file; nothing is looked up on the disk to find out."""
    kind = BY_NAME[name].kind
    if kind == "network":
        # What ends like a call is never a file.
        return "(" not in text or not text.rstrip().endswith(")")
    if kind == "workload":
        return any(mark in head(text) for mark in "./\\")
    if kind == "calibration":
        return text not in calibration.names()
    if kind == "routing":
        return head(text) == "tables"
    return False
