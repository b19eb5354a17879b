"""Records that the core gives, as types: dicts whose keys are known."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NotRequired, TypedDict

if TYPE_CHECKING:
    from array import array
    from collections.abc import Mapping

    import numpy as np
    from numpy.typing import NDArray

    #: A value of a record; None: unknown.
    Datum = int | float | str | None
    #: A column: numbers of one kind, or texts.
    Column = array[int] | array[float] | list[int] | list[str]
    Tables = Mapping[str, Mapping[str, Column]]


class LinkClass(TypedDict):
    """A kind of links of a network; each direction, cable or flow has its bandwidth."""

    name: str
    bandwidth_bytes_per_s: float
    latency_s: float
    per: Literal["direction", "cable", "flow"]


class Rails(TypedDict):
    """Rails of a GPU cluster and the spines that join them; planes are 0, oversubscription None without spines."""

    rails: int
    planes: int
    pods: int
    nodes: int
    gpus_per_node: int
    leaf_ports: int
    spines: int
    cores: int
    spine_ports: int
    radix: int
    oversubscription: float | None


class Hosts(TypedDict):
    """Hosts of a network, some with several endpoints: fewest and most of one, whether the network joins these
    (NVLink), and the host of every endpoint; 2^32 - 1 for a slot that is no place for a rank.
    """

    count: int
    least_endpoints: int
    most_endpoints: int
    joined: bool
    of_endpoint: array[int]


class Hierarchy(TypedDict):
    """Levels of a machine, outermost first, with the units in each unit around them: one number, or one for each."""

    nodes: int | None
    levels: list[tuple[str, list[int]]]
    gpus: bool
    speed_bytes_per_s: float | None
    links: str
    nics: int
    cpus: list[int]
    usable: list[int]
    closed: list[int]
    notes: list[str]


class Subnet(TypedDict):
    """GUIDs, LIDs and ports of a subnet, by switch, endpoint and switch link."""

    switch_guid: NDArray[np.uint64]
    switch_lid: NDArray[np.uint32]
    switch_ports: NDArray[np.uint32]
    endpoint_guid: NDArray[np.uint64]
    endpoint_lid: NDArray[np.uint32]
    endpoint_bytes_per_s: NDArray[np.float64]
    port_of_endpoint: NDArray[np.uint32]
    port_of_link: NDArray[np.uint32]
    best: list[tuple[int, int, float]]


class ForwardingTables(TypedDict):
    """Forwarding tables: next links by column and switch, and where packets are lost (endpoint, switch, reason)."""

    column_of: NDArray[np.uint32]
    links: NDArray[np.uint32]
    lost: NDArray[np.uint32]
    reasons: list[tuple[str, str]]
    absent: list[int]


class Failed(TypedDict):
    """What of a network is out of service; `whole` is its label in full service."""

    whole: str
    switches: list[int]
    cables: list[tuple[int, int]]


class Part(TypedDict):
    """Switches of a network that cables join, and how many endpoints are on them."""

    switches: list[int]
    endpoints: int


class Metrics(TypedDict):
    """Size, degree and distances of a network; None where there is no such number."""

    switches: int
    endpoints: int
    switch_links: int
    endpoint_links: int
    degree_min: int
    degree_max: int
    degree_histogram: list[tuple[int, int]]
    diameter: int
    aspl: float | None
    hop_histogram: list[int]
    endpoint_diameter: int | None
    endpoint_aspl: float | None
    moore_bound: int
    diameter_lower_bound: int | None
    aspl_lower_bound: float | None
    diameter_gap: int | None
    aspl_gap: float | None
    links_per_level: dict[str, int]
    uniform_throughput: float | None
    by_symmetry: bool


class Bisection(TypedDict):
    """Cables that a cut into equal halves crosses: the best cut found, and a bound."""

    upper: int
    lower: int
    exact: bool
    method: str
    #: Of the cuts that were looked at, the best whose halves have equally many endpoints too.
    equal_endpoints: int | None


class Expected(TypedDict):
    """Closed forms of a topology; all counts 0 for parameters that it refuses."""

    switches: int
    endpoints: int
    switch_links: int
    degree_max: int | None
    diameter: int | None


class EndpointCut(TypedDict):
    """The core's cut between halves of the endpoints: lower, upper, exact of its cables and of their bandwidth."""

    cables: tuple[float, float, bool]
    bytes_per_s: tuple[float, float, bool]
    cut_from_switch: int
    method: str


class Path(TypedDict):
    """A candidate path of a routing."""

    switches: list[int]
    links: list[int]
    channels: list[int]
    fraction: float


class Deadlock(TypedDict):
    """The size of the channel dependency graph, or the cycle in it as (link, virtual channel) pairs."""

    free: bool
    channels: NotRequired[int]
    dependencies: NotRequired[int]
    cycle: NotRequired[list[tuple[int, int]]]


class OrderRow(TypedDict):
    """One order of the levels of a hierarchy."""

    order: list[int]
    ring_cost: int
    pairs_percent: list[float]
    same_as: list[int] | None
    slurm_distribution: str | None
    open_mpi_options: str | None
    map_cpu: NotRequired[list[int]]
    same_cores_as: NotRequired[list[int] | None]
    chosen_levels: NotRequired[list[int] | None]
    ranks: NotRequired[list[int]]


class ChosenCores(TypedDict):
    """Some cores of nodes, and the ranks on them."""

    mapping: list[int]
    seats: list[int]
    levels: list[int] | None
    srun: str | None


class Proof(TypedDict):
    """The numbers of a schedule that was executed on symbolic data."""

    steps: int
    messages: int
    max_bytes_sent: int
    total_bytes: int
    max_ports: int


class RankPart(TypedDict):
    """What one rank sends and receives: a column for each property of its transfers, and of their ranges of blocks."""

    step: NDArray[np.uint32]
    number: NDArray[np.uint32]
    src: NDArray[np.uint32]
    dst: NDArray[np.uint32]
    combine: NDArray[np.bool_]
    offsets: NDArray[np.uint32]
    first: NDArray[np.uint32]
    count: NDArray[np.uint32]


class Arrivals(TypedDict):
    """Blocks that a rank combines with its own: of which transfer, from which rank on, and on which side."""

    number: NDArray[np.uint32]
    block: NDArray[np.uint32]
    lowest: NDArray[np.uint32]
    below: NDArray[np.bool_]


class Param(TypedDict):
    """`type`, `range`, `follows` and how a call takes it are those of the core's rows alone."""

    name: str
    kind: str
    type: NotRequired[str]
    default: int | float | str | None
    range: NotRequired[tuple[float, float] | None]
    variadic: NotRequired[bool]
    keyword_only: NotRequired[bool]
    follows: NotRequired[str | None]
    help: str


class Setting(Param):
    """A setting of a machine: of its `part`, wire or software."""

    part: str


#: Settings of a machine by name: words, numbers, and rows of a threshold in bytes and numbers.
Settings = dict[str, str | int | float | list[list[float]]]


class Row(TypedDict):
    """A row of a registry. Rows of `errors` have `code`, `title`, `cause` and `action` alone, the others lack these."""

    name: str
    aliases: list[str]
    summary: str
    params: list[Param]
    signature: str
    example: str
    restrictions: str
    source: str
    code: NotRequired[str]
    title: NotRequired[str]
    cause: NotRequired[str]
    action: NotRequired[str]


class EvaluatorRow(TypedDict):
    """One of the core's evaluators; fields are (name, unit, help)."""

    name: str
    model: str
    version: str
    assumptions: list[str]
    fields: list[tuple[str, str, str]]
    tables: dict[str, tuple[str, list[tuple[str, str, str]]]]


class SearchFound(TypedDict):
    """What an optimiser found; `trace` is of (evaluations, best value)."""

    mapping: array[int]
    seats: array[int]
    value: int
    start_value: int
    bound: int
    evaluations: int
    accepted: int
    trace: list[tuple[int, float]]
    method: str
    decided_by: str


class CutFound(TypedDict):
    """The least time that a network allows a collective."""

    time_s: float
    bytes: float
    bandwidth_bytes_per_s: float
    cut: array[int]
    parts: int
    exact: bool
    method: str


class FlowEnds(TypedDict):
    """When every flow ends, and the work that it took."""

    finish_s: NDArray[np.float64]
    solves: int
    fillings: int
    entries: int
    changes: int


class JobOptions(TypedDict, total=False):
    """What a job of the core takes by name."""

    cores: int | None
    routing: str | None
    variant: str | None
    start: float | str | None
    repetitions: int | None


class Found(TypedDict):
    """What an evaluator of the core found."""

    evaluator: str
    model: str
    version: str
    assumptions: list[str]
    record: dict[str, Datum]
    tables: Tables
