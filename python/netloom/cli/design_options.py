"""Options of `netloom design`: what is bought, what decides, and how much work it may be."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from .options import integer, together

if TYPE_CHECKING:
    from ..design import Settings


@dataclass(frozen=True)
class Designing:
    """As typed."""

    endpoints: str | None
    workloads: tuple[str, ...]
    budget: str | None
    families: tuple[str, ...]
    catalogue: str | None
    goal: str
    size: str | None
    routing: str
    calibration: str
    failed_links: str
    failed_switches: str
    seed: str
    least_ports: str
    most_ports: str
    nvlink: bool
    workers: str | None
    all_rungs: bool

    def how(self, plugins: tuple[str, ...]) -> Settings:
        """How the question is asked."""
        from ..base.quantities import parse_bytes
        from ..base.threads import wanted
        from ..design import Settings

        size = None if self.size is None else parse_bytes(self.size, "--size")
        return Settings(
            self.goal, size, self.routing, self.calibration, self.failed_links, self.failed_switches,
            integer("--seed", self.seed, 0, (1 << 32) - 1), integer("--least-ports", self.least_ports, 0),
            integer("--most-ports", self.most_ports, 0),
            self.nvlink,
            wanted() if self.workers is None else integer("--jobs", self.workers, 1, 1024),
            not self.all_rungs, plugins,
        )  # fmt: skip

    @property
    def budget_usd(self) -> float | None:
        """In US dollars."""
        if self.budget is None:
            return None
        try:
            return float(self.budget)
        except ValueError:
            from ..base.errors import Fault, NetloomError
            from ..design.codes import BAD_SETTING

            raise NetloomError([Fault(BAD_SETTING, "--budget", "a number of US dollars", self.budget)]) from None


asking = together(
    "asking", Designing,
    click.option("--endpoints", metavar="N", help="Endpoints that the network must have."),
    click.option("--workload", "workloads", multiple=True, metavar="W[=WEIGHT]",
                 help="A collective, pattern, application, or file of a trace or steps, and its weight; repeated."),
    click.option("--budget", metavar="USD", help="Most that may be spent."),
    click.option("--family", "families", multiple=True, metavar="NAME", help="Only this one; may be repeated."),
    click.option("--catalogue", metavar="FILE.toml", help="Switches, cables and NICs with your prices."),
    click.option("--goal", default="", metavar="time|per-usd|per-watt",
                 help="What decides: time, time x price, time x power.  [default: time with a budget, else per-usd]"),
    click.option("--size", metavar="SIZE", help="Of collectives.  [default: 1 MiB]"),
    click.option("--routing", default="spray", show_default=True, metavar="POLICY",
                 help="Of all candidates: spray, one-path, adaptive, auto."),
    click.option("--calibration", default="", metavar="NAME",
                 help="Costs of software of all candidates.  [default: mpi-rdma; gpu-rdma with rail-optimised]"),
    click.option("--failed-links", default="1%", show_default=True, metavar="N|N%", help="Failing at random."),
    click.option("--failed-switches", default="1", show_default=True, metavar="N|N%", help="Failing at random."),
    click.option("--seed", default="1", show_default=True, metavar="N", help="Of what fails."),
    click.option("--least-ports", default="2", show_default=True, metavar="N", help="Of switches of the catalogue."),
    click.option("--most-ports", default="4096", show_default=True, metavar="N", help="Of switches of the catalogue."),
    click.option("--nvlink", is_flag=True, help="Nodes of eight GPUs have NVLink: rail-optimised clusters too."),
    click.option("-j", "--jobs", "workers", metavar="N", help="Processes.  [default: one per processor]"),
    click.option("--all-rungs", is_flag=True, help="Time every candidate by the last rung, on the front or not."),
)  # fmt: skip
