"""`packet`: simulated time of jobs whose messages are packets through switches with buffers."""

from __future__ import annotations

from ...scenario import Bound
from .. import core
from ..answers import PacketAnswer
from ..base import SEARCH, Evaluator, Options, core_options
from ..time import AXES, JOBS, OPTIONS, PATH, TIMES, answered

#: The core's counts of its work.
WORK = ("packets", "packet_hops", "waits", "most_buffer_bytes", "events")
COLUMNS = (*TIMES, *core.columns("packet", *WORK), *PATH, *SEARCH)


def run(bound: Bound, options: Options) -> PacketAnswer:
    """Cost: packets times links."""
    return answered(PacketAnswer, bound, options, COLUMNS, WORK)


EVALUATOR = Evaluator(
    name="packet",
    summary="Simulated time of a collective, a traffic or an application: messages are packets through switches",
    axes=AXES,
    columns=COLUMNS,
    options=(*OPTIONS, *core_options("packet", without=("seed", "trace"))),
    tables={"jobs": JOBS},
    run=run,
    model="packets through output-queued switches (Jain 2016, section 5.3)",
    assumptions=(
        "A message is cut into packets, each of which takes one path; nothing is lost.",
        "Switches queue packets at their outputs; one goes on when the next buffer has room. Crossbars are ideal.",
        "NICs send packets of their messages in turn. Ranks of one endpoint exchange messages without its links.",
    ),
    maps=True,
    either=("workload", "jobs"),
)
