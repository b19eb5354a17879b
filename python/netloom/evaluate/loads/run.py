"""From a scenario to the loads on its links."""

from __future__ import annotations

from ... import _core
from ...mapping.place import require_few
from ...results.rows import Cell
from ...scenario import Question
from ...scenario.background import flows
from .. import ahead, core
from ..base import Options
from .interference import Interference
from .result import Loads
from .words import remarks

#: Options that the core takes as its settings.
SETTINGS = ("increments", "tolerance", "rounds", "hottest", "top", "features", "arrays")
#: What jobs may say that has no meaning without time.
NO_TIME = {"start_s": 0.0}


def loads(bound: Question, options: Options) -> Loads:
    """Expected bytes on every link when all messages of all jobs, of all their repetitions, are under way together.

    Notes
    -----
    Messages of a job between two switches are merged; only adaptive jobs keep these flows, 40 bytes each. Cost:
    O(messages + flows * paths * hops), times rounds for adaptive jobs. The same on any number of threads.
    """
    bound.listed_jobs.refuse_keys("loads", NO_TIME)
    jobs = bound.jobs
    with bound.alone():
        for job in jobs:
            require_few(f'job "{job.name[:60]}"', job.ranks)
        settings = {key: options[key] for key in SETTINGS} | {"seed": bound.integer("seed")}
        background = flows(bound.value("background"))
        sends = [bound.work.stream_of(job, bound.size_bytes) for job in jobs]
        ahead.say(ahead.of_loads(bound, sends))
        asked = core.several(bound, sends, background=background)
        found = _core.evaluate(asked, "loads", settings, bound.progress)
    ways = [(bound.site.routing_of(job.routing), bound.site.variant_of(job)) for job in jobs]
    if background:
        # The core makes them one more job.
        ways.append((ways[0][0], "static-direct"))
    made = Loads(asked.network, ways, found, options)
    made.remarks = remarks(sends)
    made.interference = Interference(bound, [int(job["messages"]) for job in made.jobs])
    if not bound.several and bound.place.search is not None:
        made.extra |= bound.place.search.numbers()
    if options["contentions"] and not bound.several and isinstance(bound.messages, _core.Schedule):
        made.extra["contentions"] = contentions(bound)
    return made


def contentions(bound: Question) -> Cell:
    """Messages of one step that share a link with another, each on one path."""
    asked = core.alone(bound, bound.messages, bound.site.routing_of(default=bound.site.one_path))
    return _core.evaluate(asked, "contentions", {}, bound.progress)["record"]["contentions"]
