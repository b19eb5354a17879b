"""The report of a study: one HTML file that works offline, with charts, tables and networks to look around in.

>>> from netloom.report import Table, Text, render_report
>>> page = render_report({"title": "A <small> study"}, [Text("Why", "Because."), Table("T", ["time_s"], [[1.5]])])
>>> "A &lt;small&gt; study" in page
True
"""

from .answer import AnswerPage, write_answer
from .codes import CODES
from .page import render_report, write_report
from .sections import (
    VERDICTS,
    Chart,
    Claim,
    Claims,
    First,
    NetworkView,
    Number,
    Pair,
    Picture,
    Runs,
    Section,
    Table,
    Text,
)

__all__ = [
    "CODES",
    "VERDICTS",
    "AnswerPage",
    "Chart",
    "Claim",
    "Claims",
    "First",
    "NetworkView",
    "Number",
    "Pair",
    "Picture",
    "Runs",
    "Section",
    "Table",
    "Text",
    "render_report",
    "write_answer",
    "write_report",
]
