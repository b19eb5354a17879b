"""From a scenario to the time of its jobs, over one of the core's evaluators of time."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, cast

from ... import _core
from ...base.ahead import LONG_S, Estimate
from ...base.arrays import ndarray
from ...base.errors import Fault, NetloomError
from ...base.processes import build, current
from ...scenario import Question
from ...scenario.background import Flow, flows
from ...workload import Workload, messages
from .. import ahead, core
from ..base import STOP
from ..channels import with_enough

if TYPE_CHECKING:
    from ...base.records import Found, Settings
    from ..base import Options

#: A switch model and its alias, and what default costs have that it does not know.
INPUT_QUEUED, BOUND = ("input-queued", "iq"), "inside_flow_cap"


def simulated(bound: Question, evaluator: str, options: Options) -> tuple[Found, list[Workload], str | None]:
    """What an evaluator of time found, the workloads of the jobs, and the routing that replaced the network's own."""
    jobs = bound.jobs
    loads: list[Workload] = []
    for number, job in enumerate(jobs):
        size = bound.size_bytes if job.size_bytes is None else job.size_bytes
        load = bound.work.of(bound.work.source_of(job), job.ranks, job.root, size, f"jobs[{number}].workload")
        loads.append(messages(load) if isinstance(load, _core.Sends) else load)
    background = flows(bound.value("background"))
    if options[STOP.name] is None:
        ahead.say(_estimate(bound, evaluator, loads, options, background))
    trace = recorded(options)
    ours = ("critical_path", "trace", "calls", "communicators", STOP.name)
    own = {name: value for name, value in options.items() if name not in ours}
    settings = own | {"trace": trace, "seed": bound.integer("seed")}
    costs = _costs(bound, options.get("switch"))
    processes, seconds = current(), _seconds(options[STOP.name], trace)
    if processes is None:

        def by(routing: str | None) -> Found:
            asked = core.several(bound, loads, routing, background, costs)
            return _core.evaluate(asked, evaluator, settings, bound.progress, seconds)

        found, routing = with_enough(bound, by)
        return found, loads, routing
    if seconds is not None:
        hint = "leave it out, or run it without mpirun"
        raise NetloomError([Fault("NL-X010", STOP.name, "processes would stop at different times", "", hint)])
    if evaluator != "packet":
        hint = "use --model packet, or run it without mpirun"
        sentence = "starts several processes, and flows are simulated in one"
        raise NetloomError([Fault("NL-X010", "mpirun", sentence, "", hint)])
    digest = _digest(bound, settings, loads)
    asked = core.several(bound, loads, None, background, costs)
    return _core.evaluate_together(asked, evaluator, settings, processes, digest, bound.progress), loads, None


def _estimate(
    bound: Question, evaluator: str, loads: list[Workload], options: Options, background: Sequence[Flow]
) -> Estimate:
    """Seconds and counts of a run; where these are many, less what folding spares."""
    whole = ahead.of_run(bound, evaluator, loads, options)
    folds = options.get("fold") and not recorded(options)
    if whole.seconds <= LONG_S or not folds or len(loads) > 1 or not isinstance(loads[0], _core.Schedule):
        return whole
    even = loads[0].next_even_size if loads[0].is_cyclic else None
    if even is not None:
        # Blocks of different sizes tell ranks apart.
        return whole._replace(sooner=f"a size that the ranks divide, such as {even} B, {whole.sooner}")
    try:
        asked = core.several(bound, loads, None, background, _costs(bound, options.get("switch")))
        return whole._replace(seconds=whole.seconds * _core.simulated_share(asked))
    except NetloomError:
        # The run says so.
        return whole


def _costs(bound: Question, switch: object) -> Settings:
    """The settings of the scenario. Input-queued switches know no bound on the rate of a message: default costs have
    none inside a node there, and one that is given is refused where ranks share a node. O(ranks).
    """
    found = bound.site.settings
    if not _is_input_queued(switch) or (_are_given(bound) and _share_nodes(bound)):
        return found
    plain = _core.machine_settings("machine", {})
    return {name: plain[name] if name.endswith(BOUND) else value for name, value in found.items()}


def without_bound(bound: Question, switch: object) -> str:
    """What is said where messages inside nodes lost the bound of the default costs; "" elsewhere. O(ranks)."""
    if not _is_input_queued(switch) or _are_given(bound) or not _share_nodes(bound):
        return ""
    plain = _core.machine_settings("machine", {})
    if all(value == plain[name] for name, value in bound.site.settings.items() if name.endswith(BOUND)):
        return ""
    costs = bound.scenario["calibration"]
    return f"Input-queued switches know no {BOUND}: messages inside nodes go without that bound of {costs}."


def _is_input_queued(switch: object) -> bool:
    return isinstance(switch, str) and bool(switch) and _core.parse_call(switch)[0] in INPUT_QUEUED


def _are_given(bound: Question) -> bool:
    """Whether the bound is not one of the default costs."""
    given = bound.scenario.machine is not None or bound.scenario.says("calibration")
    return given or any(name.endswith(BOUND) for name in cast("dict[str, object]", bound.scenario["software"]))


def _share_nodes(bound: Question) -> bool:
    nodes = bound.site.nodes
    return any(len(nodes.of_endpoints(job.places())) < job.ranks for job in bound.jobs)


def recorded(options: Options) -> bool:
    """Whether an option needs the record of the run."""
    return any(options[name] for name in ("critical_path", "trace", "calls"))


def _seconds(given: object, trace: bool) -> float | None:
    """The limit of a run; NetloomError (NL-X010) where it would be recorded."""
    if given is None:
        return None
    assert isinstance(given, (int, float))
    if trace:
        hint = "leave the trace, the critical path or the calls out"
        raise NetloomError([Fault("NL-X010", STOP.name, "a run that is stopped has no record", "", hint)])
    return float(given)


def _digest(bound: Question, settings: Mapping[str, object], loads: Sequence[Workload]) -> int:
    """Of what must be the same in all processes; the core compares every message that ranks send."""
    network = bound.site.routed
    columns = (network.tails, network.heads, network.endpoint_switch, network.class_index)
    arrays = [array.tobytes() for array in map(ndarray, columns)]
    arrays += [ndarray(job.places()).tobytes() for job in bound.jobs]
    speeds = [(one["bandwidth_bytes_per_s"], one["latency_s"], one["per"]) for one in network.classes]
    texts = (
        build(),
        sorted(settings.items()),
        bound.site.settings,
        speeds,
        [load.label for load in loads],
        bound.site.routing_of(),
    )
    made = hashlib.sha256(repr(texts).encode())
    for one in arrays:
        made.update(one)
    return int.from_bytes(made.digest()[:8], "little")
