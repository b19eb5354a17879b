"""The jobs of one run: a list of the study or of a file, or one job from the axes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .. import _core, api, link_load, matrices
from ..arrays import ndarray
from ..errors import Fault, NetloomError
from ..jobs import JobSpec, read_jobs
from . import codes
from .calls import is_known
from .values import PLACEHOLDER, Scalar

if TYPE_CHECKING:
    from .scenario import Scenario
    from .workshop import Workshop

#: Runs of more ranks than this are computed one at a time.
MANY_RANKS = 1 << 18
#: Enough to check the keys of a list before its network is there.
_MANY_ENDPOINTS = 1 << 31


@dataclass
class Given:
    """One job of a run before its endpoints are listed rank by rank."""

    spec: JobSpec
    traffic: link_load.Traffic
    size_bytes: int

    @property
    def ranks(self) -> int:
        return self.spec.ranks

    def load(self) -> link_load.LoadJob:
        """As `netloom.loads` takes it."""
        spec = self.spec
        places = spec.endpoint_of_rank()
        return link_load.LoadJob(spec.name, self.traffic, places, spec.routing, spec.variant, self.size_bytes)


def job_list(rows: list[dict[str, Any]], values: Mapping[str, Scalar]) -> str:
    """A list of the study as the text that `netloom.read_jobs` takes, its placeholders filled.

    Raises
    ------
    NetloomError
        NL-J001, NL-J002: all that is wrong with its keys.
    """
    from ..jobs.tables import of_toml, to_toml

    def fill(value: Any) -> Any:
        if not isinstance(value, str):
            return value
        return PLACEHOLDER.sub(lambda match: str(values[match[1]]), value)

    text = to_toml([{key: fill(value) for key, value in row.items()} for row in rows])
    of_toml(text, "jobs", _MANY_ENDPOINTS)
    return text


def listed(scenario: Scenario, net: _core.Network, workshop: Workshop) -> list[Given]:
    """All jobs of a run on the endpoints that they get."""
    text, cores = scenario.text("jobs"), scenario.cores
    if text:
        source = text if "\n" in text else scenario.calls.folder / text
        specs = read_jobs(source, net, cores=cores, placement=scenario.text("placement"))
    else:
        specs = [_only(scenario, net, cores)]
    made = []
    for spec in specs:
        call = spec.traffic or scenario.text("workload")
        if not call:
            hint = "give the job a traffic, or the study an axis workload"
            raise NetloomError([Fault(codes.AXIS, f'job "{spec.name[:60]}"', "does not say what it sends", "", hint)])
        made.append(Given(spec, _traffic(call, spec.ranks, scenario, workshop), scenario.size_bytes))
    return made


def _only(scenario: Scenario, net: _core.Network, cores: int) -> JobSpec:
    """The job of a run without a list."""
    text = scenario.text("ranks")
    ranks = link_load.in_service_count(net) * cores if text == "all" else int(text)
    places = ndarray(link_load.job_endpoints(net, ranks, cores, scenario.text("placement")))
    return JobSpec("job", places, cores, ranks)


def _traffic(call: str, ranks: int, scenario: Scenario, workshop: Workshop) -> link_load.Traffic:
    if call and matrices.is_traffic_file(call):
        return api.workload(str(scenario.calls.folder / call), ranks)
    if is_known("applications", call):
        return _core.Traffic.of_programs(workshop.programs(call, ranks, ""))
    return call
