"""Inputs of a scenario that were given and change nothing: each is named in the answer, with the reason."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import TYPE_CHECKING

from .. import _core
from ..network.spread import all_paths
from ..workload import kind_of
from .axes import BY_NAME, TABLES
from .canonical import head, variant_text
from .parameters import input_of
from .refusals import differs

if TYPE_CHECKING:
    from .question import Question

#: Why a given input changes nothing; "" if it may change something.
Reason = Callable[["Question"], str]

#: Variants that send messages by random intermediate switches.
_DETOURS = ("static-indirect", "adaptive-indirect", "adaptive-hybrid", "adaptive-global")
#: Those that only choose among the paths of the routing, so that one path leaves them nothing to do.
_AMONG_PATHS = ("hashed", "sprayed", "adaptive-direct")
#: Such a one in flows; packets have an escape as well.
_OF_FLOWS = ("adaptive-escape",)
#: Takes the shares of the routing, as flows do anyway.
_OF_PACKETS = ("sprayed",)


def without_effect(bound: Question, axes: Collection[str], own: Mapping[str, Reason] | None = None) -> dict[str, str]:
    """Given inputs without effect and why, in the order of the axes.

    Parameters
    ----------
    bound
        Inputs that equal their default count as not given.
    axes
        Those that the evaluator takes.
    own
        Reasons of the evaluator, in place of the general ones.

    Notes
    -----
    Cost: O(jobs), and the routing once more for variants that only choose among its paths.
    """
    reasons = {**_REASONS, **(own or {})}
    found = {}
    for name in BY_NAME:
        if name in axes and name in reasons and _given(bound, name) and (why := reasons[name](bound)):
            found[name] = why
    return found


def idle_variant(net: _core.Network, routing: str, variant: str, packets: bool = False) -> str:
    """Why a variant changes nothing on a network with a routing; "" if it may. `packets`: none are flows."""
    name = head(variant)
    if name not in (_AMONG_PATHS if packets else (*_AMONG_PATHS, *_OF_FLOWS)):
        return ""
    if net.routing(routing).is_deterministic:
        other = "group-minimal" if net.family.startswith("dragonfly") else all_paths(net)
        several = f"; {other} has several" if other != routing else ""
        return f"{name} chooses among the paths of {routing}, which has one{several}"
    if name in _OF_PACKETS and not packets:
        return f"{name} is for packets; flows take all paths of {routing} at once"
    return ""


def _given(bound: Question, name: str) -> bool:
    if name == "variant" and bound.several and any(job.variant for job in bound.jobs):
        return True
    if name in TABLES:
        return any(input_of(given) == name for given in bound.scenario)
    if name not in bound.scenario:
        return False
    return differs(bound.scenario[name], BY_NAME[name].default)


def _sources(bound: Question) -> list[object]:
    """What each job communicates, as given."""
    return [bound.work.source_of(job) for job in bound.jobs] if bound.several else [bound.value("workload")]


def _kinds(bound: Question) -> Iterator[str]:
    """What the workload of each job is: `collective`, `pattern`, `application`, a kind of file, or `programs`."""
    for source in _sources(bound):
        if isinstance(source, str):
            yield kind_of(source, bound.workshop.calls.folder)
        else:
            yield "programs" if isinstance(source, _core.Programs) else "object"


def _format(bound: Question) -> str:
    return "" if isinstance(bound.value("network"), str) else "the network is an object, not a file"


def _mapping_format(bound: Question) -> str:
    said = bound.value("mapping")
    return "" if isinstance(said, str) and said else "there is no rank file"


def _first_node(bound: Question) -> str:
    return "" if bound.several else "there is no list of jobs"


def _root(bound: Question) -> str:
    return "" if "collective" in set(_kinds(bound)) else "no workload is a collective with a root"


def _algorithms(bound: Question) -> str:
    # A file of steps names the algorithms of its collectives itself.
    return "" if {"application", "trace"} & set(_kinds(bound)) else "no workload is an application or a trace"


def _speed(bound: Question) -> str:
    computing = {"application", "trace", "steps", "programs"} & set(_kinds(bound))
    return "" if computing else "no workload computes"


def _variants(bound: Question) -> set[str]:
    return {head(variant_text(bound.site.variant_of(job))) for job in bound.jobs}


def _seed(bound: Question) -> str:
    drawn = _variants(bound) & set(_DETOURS)
    return "" if drawn else "no variant draws detours: " + ", ".join(sorted(_variants(bound)))


def _idle_variants(bound: Question, packets: bool) -> str:
    found = (
        idle_variant(
            bound.site.routed, bound.site.routing_of(job.routing), variant_text(bound.site.variant_of(job)), packets
        )
        for job in bound.jobs
    )
    return "; ".join(dict.fromkeys(why for why in found if why))


def _in_network(bound: Question) -> str:
    """Of routing and variant, where switches take part in the only job's collective."""
    if bound.several or not bound.value("workload") or "collective" not in set(_kinds(bound)):
        return ""
    load = bound.workload
    taking_part = isinstance(load, _core.Schedule) and load.switches > 0
    return "messages of an in-network collective follow the trees of its switches" if taking_part else ""


def of_wire(bound: Question) -> str:
    """Why settings of the wire change nothing where no time passes."""
    return "" if _in_network(bound) else "times do not count here, and combining_switches is of in-network collectives"


def of_flows(bound: Question) -> str:
    """Why the variants of the jobs change nothing in loads and flows."""
    return _in_network(bound) or _idle_variants(bound, packets=False)


def of_packets(bound: Question) -> str:
    """Why the variants of the jobs change nothing in packets."""
    return _in_network(bound) or _idle_variants(bound, packets=True)


def _layout_seed(bound: Question) -> str:
    return "" if head(bound.text("cabinets")) == "random" else "the order of cabinets is not random"


def _library(bound: Question) -> str:
    texts = [source for source in _sources(bound) if isinstance(source, str)]
    usual = str(bound.scenario.without("library")["library"])
    return "" if any(bound.chosen.matters(text, usual) for text in texts) else "every algorithm is named"


_REASONS: dict[str, Reason] = {
    "format": _format,
    "mapping_format": _mapping_format,
    "first_node": _first_node,
    "root": _root,
    "library": _library,
    "algorithms": _algorithms,
    "flops_per_s": _speed,
    "seed": _seed,
    "routing": _in_network,
    "variant": of_flows,
    "layout_seed": _layout_seed,
}
