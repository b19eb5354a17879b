"""The axes of a scenario: one table from which options, study axes, keyword arguments, defaults and docs come."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypedDict

from ..base.errors import Fault, NetloomError
from ..base.nearest import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import ArrayLike

    from .. import _core
    from ..jobs import Job, PlacedJob
    from ..machine import Machine
    from ..machine.calibration import Calibration


@dataclass(frozen=True)
class Axis:
    """One input of a scenario.

    Parameters
    ----------
    kind
        What its text is: `network`, `node`, `placement`, `order`, `workload`, `collective`, `routing`, `variant` (call
        texts), `library`, `ranks`, `bytes`, `seconds`, `speed`, `int` (from 0), `count` (from 1), `duplex`,
        `calibration`, `failures`, `machine`, `jobs`, `file`, `text`, or `table` (no text: a list or a mapping);
        `parameter` and `setting` are parts of another input.
    default
        Used if a scenario does not set it; None: required.
    flags
        The command-line option; empty: the axis has no option of its own.
    many
        True: the option may be repeated.
    """

    name: str
    kind: str
    default: str | int | None
    help: str
    flags: tuple[str, ...] = ()
    metavar: str = "CALL"
    many: bool = False

    def but(self, default: str | int | None, help: str = "") -> Axis:
        """The same axis where an evaluator has another default."""
        return replace(self, default=default, help=help or self.help)


#: In the order in which help and docs list them.
AXES: tuple[Axis, ...] = (
    Axis(
        "machine",
        "machine",
        "",
        "a machine by name or TOML file, which gives the defaults of network, node, routing and costs",
        ("--machine",),
        "NAME|FILE",
    ),
    Axis(
        "network", "network", None, "a topology such as torus(8,8), or a network file", ("-n", "--network"), "CALL|FILE"
    ),
    Axis("format", "text", "", "format of the network file; by default recognised", ("--from",), "FORMAT"),
    Axis(
        "part",
        "text",
        "",
        "of a network whose parts no cable joins, such as planes: the number of one, or a switch or host in it",
        ("--part",),
        "N|NAME",
    ),
    Axis(
        "fail",
        "failures",
        "none",
        'what has failed, such as "switch:3; link:0-1; links:2%,seed=1"',
        ("--fail",),
        "WHAT",
        many=True,
    ),
    Axis(
        "ranks",
        "ranks",
        "all",
        'number of ranks; "all": `cores` on every endpoint in service, or on every host that the placement names',
        ("--ranks",),
        "N",
    ),
    Axis(
        "nodes",
        "ranks",
        "all",
        "nodes of the job, which the placement chooses; the endpoints of a host are one node",
        ("--nodes",),
        "N",
    ),
    Axis(
        "ranks_per_node",
        "ranks",
        "all",
        "ranks on each node, spread over its seats; on GPUs of a node, the first ones",
        ("--ranks-per-node",),
        "K",
    ),
    Axis(
        "cores",
        "count",
        1,
        "ranks on an endpoint; endpoints are filled one after another",
        ("--cores",),
        "N",
    ),
    Axis(
        "node",
        "node",
        "",
        "what is behind an endpoint: levels with bandwidth and latency, and NICs; its seats are the default of cores",
        ("--node",),
    ),
    Axis(
        "placement",
        "placement",
        "linear",
        "which endpoints the job gets; see netloom list placements",
        ("-p", "--placement"),
    ),
    Axis(
        "order", "order", "draw", "which rank runs on which of them; see netloom list orders, optimisers", ("--order",)
    ),
    Axis("mapping", "file", "", "rank file, instead of placement and order", ("--mapping",), "FILE"),
    Axis(
        "mapping_format", "text", "auto", "format of the rank file; auto: recognised", ("--mapping-format",), "FORMAT"
    ),
    Axis("seats", "table", "", "with mapping: seat of every rank on its endpoint; by default in order of rank"),
    Axis(
        "workload",
        "workload",
        "",
        "collective:algorithm, a traffic pattern, an application, or a file of traffic, a trace or steps (.toml)",
    ),
    Axis("collective", "collective", "", "collective:algorithm"),
    Axis(
        "library",
        "library",
        "",
        'communication library: chooses the algorithm of "allreduce:default", or of "allreduce" alone, and on GPUs how '
        "a named one runs; by default the machine's, or nccl where the calibration is gpu-rdma by default",
        ("--library",),
        "NAME",
    ),
    Axis(
        "jobs",
        "jobs",
        "",
        "several jobs: a file, or in studies the name of a list [[experiment.jobs.NAME]]",
        ("--jobs",),
        "FILE",
    ),
    Axis(
        "first_node",
        "int",
        0,
        "number of the first endpoint in the node names of a list of jobs",
        ("--first-node",),
        "N",
    ),
    Axis(
        "size_bytes",
        "bytes",
        1,
        'size of a collective, such as "1 KiB": bytes of what MPI calls its count; refused where no workload is one',
        ("--size",),
        "SIZE",
    ),
    Axis("root", "int", 0, "root rank of a rooted collective", ("--root",), "RANK"),
    Axis("repetitions", "count", 1, "how often the workload runs, without a barrier between", ("--repetitions",), "N"),
    Axis(
        "routing",
        "routing",
        "auto",
        "candidate paths of a message; auto: the default of the network; see netloom list routings",
        ("-r", "--routing"),
    ),
    Axis(
        "variant",
        "variant",
        "static-direct",
        "how messages choose among the paths; see netloom list variants",
        ("-v", "--variant"),
        "CALL",
    ),
    Axis("seed", "int", 1, "seed of random detours", ("--seed",), "N"),
    Axis(
        "background",
        "table",
        "",
        "flow that no job waits for, endless without size; in files a table: src, dst, bytes, start_s, cap_bytes_per_s",
        ("--background",),
        "SRC:DST[:SIZE]",
        many=True,
    ),
    Axis(
        "calibration",
        "calibration",
        "",
        "costs of software and protocols, a shipped name or a TOML file; pure: none. By default the machine's (else "
        "pure); without a machine mpi-rdma, or gpu-rdma where nodes have GPUs",
        ("--calibration",),
        "NAME|FILE",
    ),
    Axis("wire", "table", "", "settings of the wire in place of those of the calibration, by name"),
    Axis("software", "table", "", "settings of software in place of those of the calibration, by name"),
    Axis(
        "duplex",
        "duplex",
        "full",
        '"full", or "half": both directions of a cable share its bandwidth',
        ("--duplex",),
        "full|half",
    ),
    Axis(
        "switch_latency",
        "seconds",
        "0",
        'time per switch that a message passes, such as "100 ns"',
        ("--switch-latency",),
        "TIME",
    ),
    Axis("flops_per_s", "speed", "100 Gflops", "computing speed of a rank", ("--speed",), "SPEED"),
    Axis(
        "algorithms",
        "algorithms",
        "",
        'collective algorithms of an application or trace, such as "alltoall:bruck; allreduce:ring"; else as MPICH',
        ("--algorithm",),
        many=True,
    ),
    Axis("search", "table", "", "of an optimiser as order: start, objective, free, workload, size_bytes"),
    Axis("cabinets", "text", "row-major", "how switches fill the cabinets: an order of netloom.cost"),
    Axis("model", "cost_model", "", "cost model: a shipped name or a TOML file; empty for the default"),
    Axis("layout_seed", "int", 0, "seed of a random order of cabinets"),
)

#: Inputs that are calls, each with the registries in which their names are.
CALLS = {
    "network": ("topologies",),
    "node": ("nodes",),
    "placement": ("placements",),
    "order": ("orders", "optimisers"),
    "workload": ("collectives", "patterns", "applications"),
    "collective": ("collectives",),
    "routing": ("routings",),
    "variant": ("variants",),
}
#: Inputs that are tables of settings.
TABLES = ("wire", "software")
#: Inputs whose parts are inputs too: `node.nics`, `wire.duplex`.
PARTED = (*CALLS, *TABLES)

#: Size of a schedule that is proved: with one byte most ranks would send nothing.
PROOF_SIZE = "1 KiB"
BY_NAME: dict[str, Axis] = {axis.name: axis for axis in AXES}


class Axes(TypedDict, total=False):
    """Keyword arguments of everything that takes a scenario; a test keeps them equal to the table `AXES`."""

    machine: str | Machine
    network: _core.Network | str
    format: str
    part: str | int
    fail: str | Sequence[str]
    ranks: int | str
    nodes: int | str
    ranks_per_node: int | str
    cores: int
    node: str
    placement: str
    order: str
    mapping: ArrayLike | str
    mapping_format: str
    seats: ArrayLike
    workload: _core.Schedule | _core.Traffic | _core.Programs | _core.Sends | str
    collective: str
    library: str
    jobs: str | Sequence[Job | PlacedJob | Mapping[str, object]]
    first_node: int
    size_bytes: int | str
    root: int
    repetitions: int
    routing: str
    variant: str
    seed: int
    background: Sequence[Mapping[str, float]]
    calibration: str | Calibration
    wire: Mapping[str, object]
    software: Mapping[str, object]
    duplex: str
    switch_latency: float | str
    flops_per_s: float | str
    algorithms: str | Mapping[str, str]
    search: Mapping[str, object]
    cabinets: str
    model: str
    layout_seed: int


def require_axes(given: Mapping[str, object], owner: str, names: Sequence[str] | None = None) -> None:
    """Refuse names that are no axis nor a part of one, or none of `names`.

    Raises
    ------
    NetloomError
        `NL-A003`, with the nearest name.
    """
    known = [axis.name for axis in AXES] if names is None else list(names)
    faults = []
    for name in given:
        start, dot, _ = name.partition(".")
        if name not in known and not (dot and start in known and start in PARTED):
            elsewhere = name in BY_NAME
            sentence = f"is no input of {owner}" if elsewhere else "is no input of a scenario"
            hint = f"{owner} takes " + ", ".join(known) if elsewhere else did_you_mean(name, known, "inputs")
            faults.append(Fault("NL-A003", f"{owner}.{name}", sentence, "", hint))
    if faults:
        raise NetloomError(faults)
