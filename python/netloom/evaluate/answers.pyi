"""Generated from answers.py (`python -m netloom.reference.answers`); a test keeps it current."""

from typing import Literal, overload

import numpy as np

from .._core import Programs, Schedule, Traffic
from ..base.arrays import Vector
from .answer import Answer
from .loads.of_core import EndLink, HotLink, JobLoads, Numbers
from .records import JobTime, Step
from .time.of_core import CriticalPath, Trace

class HopsAnswer(Answer):
    """Of the evaluator `hops`."""

    messages: int
    """Messages in all."""
    total_hops: int
    """Hops of all messages (hops)."""
    mean_hops: float | None
    """Hops per message (hops)."""
    max_hops: int
    """Of the longest message: dilation (Jain 2016, eq. 2.1) (hops)."""
    hop_bytes: int
    """Bytes times hops, summed over messages (eq. 2.3) (B)."""
    pairs: int
    """Ordered pairs of ranks that exchange messages."""
    average_dilation: float | None
    """Mean hops over these pairs (eq. 2.2) (hops)."""
    average_hops_per_byte: float | None
    """Hop-bytes per byte (eq. 2.4) (hops)."""
    average_bytes_per_link: float | None
    """Hop-bytes per directed switch link (eq. 2.5) (B)."""
    inter_node_messages: int
    """Messages between nodes: hosts with all their ports, on rail clusters with all their GPUs."""
    inter_node_bytes: int
    """Bytes of these (B)."""
    messages_own: int
    """Messages of a rank to itself: no network carries them, and no other number has them."""
    bytes_own: int
    """Bytes of these (B)."""
    total_bytes: int
    """Bytes of all messages (B)."""
    steps: list[Step]
    """Messages and hops of each step; schedules only."""
    start_value: float | None
    """Objective before an optimiser."""
    value: float | None
    """Objective after an optimiser."""
    bound: float | None
    """No mapping can have a smaller objective."""
    evaluations: int | None
    """Mappings that the optimiser evaluated."""
    workload: str
    """What is communicated."""
    ranks: int
    """Number of ranks."""
    histogram: list[int]
    """Messages by hops, from 0."""
    bytes: int
    """As total_bytes."""
    @overload
    def __getitem__(
        self,
        name: Literal[
            "messages",
            "total_hops",
            "max_hops",
            "hop_bytes",
            "pairs",
            "inter_node_messages",
            "inter_node_bytes",
            "messages_own",
            "bytes_own",
            "total_bytes",
            "ranks",
            "bytes",
        ],
        /,
    ) -> int: ...
    @overload
    def __getitem__(
        self,
        name: Literal[
            "mean_hops",
            "average_dilation",
            "average_hops_per_byte",
            "average_bytes_per_link",
            "start_value",
            "value",
            "bound",
        ],
        /,
    ) -> float | None: ...
    @overload
    def __getitem__(self, name: Literal["steps"], /) -> list[Step]: ...
    @overload
    def __getitem__(self, name: Literal["evaluations"], /) -> int | None: ...
    @overload
    def __getitem__(self, name: Literal["workload"], /) -> str: ...
    @overload
    def __getitem__(self, name: Literal["histogram"], /) -> list[int]: ...
    @overload
    def __getitem__(self, name: str, /) -> object: ...

class LoadsAnswer(Answer):
    """Of the evaluator `loads`."""

    dilation_ao_mean: float | None
    """With features: mean over messages between nodes that travel further than their mean; 0 without any (hops)."""
    dilation_max: float | None
    """With features: of the longest message (hops)."""
    dilation_ao_sum: float | None
    """With features: sum over the messages that travel further than the mean (hops)."""
    bytes_mean: float | None
    """With features: per link between switches (B)."""
    bytes_ao_mean: float | None
    """With features: mean over the links with more than the mean (B)."""
    bytes_to_mean: float | None
    """With features: mean over the 5 % of links with most (B)."""
    bytes_near_mean: float | None
    """With features: mean over the links within 5 % of the most: the other top outliers (B)."""
    bytes_max: float | None
    """With features: of the link with most (B)."""
    bytes_ao_links: float | None
    """With features: links with more than the mean."""
    fifo_max: float | None
    """With features: messages in the fullest injection FIFO; on a grid a node has one for each direction."""
    min_bytes: float | None
    """On the least loaded link (B)."""
    q1_bytes: float | None
    """First quartile over links (B)."""
    median_bytes: float | None
    """Median over links (B)."""
    mean_bytes: float | None
    """Mean over links (B)."""
    q3_bytes: float | None
    """Third quartile over links (B)."""
    max_bytes: float | None
    """On the most loaded link (B)."""
    used_links: int | None
    """Links that carry something."""
    links: int | None
    """Directed links."""
    messages: int
    """Between different nodes; where no node is given, every endpoint is one."""
    bytes_sent: int
    """Of these messages (B)."""
    inter_node_bytes: int
    """As bytes_sent; on rail clusters without those between GPUs of a node (B)."""
    inside_bytes: int | None
    """Between ranks of one node; empty where no node is given (B)."""
    switch_bytes: int
    """Of messages that leave their switch (B)."""
    mean_hops: float
    """Switch links that a byte crosses."""
    min_used_bytes: float | None
    """On the least loaded link that carries something (B)."""
    total_bytes: float | None
    """Sum over links (B)."""
    endpoint_max_bytes: float
    """On the most loaded injection or ejection link (B)."""
    max_class: str | None
    """Class of the link that takes longest."""
    max_s: float | None
    """Bytes over bandwidth of the link that takes longest (s)."""
    slowdown: float | None
    """Of the job that others slow down most: its worst link with all jobs over that alone."""
    flows: int
    """Between two switches, held by adaptive jobs."""
    rounds: int
    """Of the iteration."""
    last_gain: float
    """What the last round added, as a share of all bandwidth given."""
    contentions: int | None
    """Messages of one step that share a link with another (option contentions)."""
    start_value: float | None
    """Objective before an optimiser."""
    value: float | None
    """Objective after an optimiser."""
    bound: float | None
    """No mapping can have a smaller objective."""
    evaluations: int | None
    """Mappings that the optimiser evaluated."""
    classes: dict[str, Numbers]
    """Numbers of each class of links; all: between switches."""
    jobs: list[JobLoads]
    """Each job's messages, bytes and links, and how others slow it."""
    hottest: list[HotLink]
    """Links by falling time, with the jobs and ranks that cause it."""
    ends: list[EndLink]
    """The endpoint that sends most and the one that receives most, with the jobs that cause it."""
    @overload
    def __getitem__(
        self,
        name: Literal[
            "dilation_ao_mean",
            "dilation_max",
            "dilation_ao_sum",
            "bytes_mean",
            "bytes_ao_mean",
            "bytes_to_mean",
            "bytes_near_mean",
            "bytes_max",
            "bytes_ao_links",
            "fifo_max",
            "min_bytes",
            "q1_bytes",
            "median_bytes",
            "mean_bytes",
            "q3_bytes",
            "max_bytes",
            "min_used_bytes",
            "total_bytes",
            "max_s",
            "slowdown",
            "start_value",
            "value",
            "bound",
        ],
        /,
    ) -> float | None: ...
    @overload
    def __getitem__(
        self, name: Literal["used_links", "links", "inside_bytes", "contentions", "evaluations"], /
    ) -> int | None: ...
    @overload
    def __getitem__(
        self, name: Literal["messages", "bytes_sent", "inter_node_bytes", "switch_bytes", "flows", "rounds"], /
    ) -> int: ...
    @overload
    def __getitem__(self, name: Literal["mean_hops", "endpoint_max_bytes", "last_gain"], /) -> float: ...
    @overload
    def __getitem__(self, name: Literal["max_class"], /) -> str | None: ...
    @overload
    def __getitem__(self, name: Literal["classes"], /) -> dict[str, Numbers]: ...
    @overload
    def __getitem__(self, name: Literal["jobs"], /) -> list[JobLoads]: ...
    @overload
    def __getitem__(self, name: Literal["hottest"], /) -> list[HotLink]: ...
    @overload
    def __getitem__(self, name: Literal["ends"], /) -> list[EndLink]: ...
    @overload
    def __getitem__(self, name: str, /) -> object: ...

class TimeAnswer(Answer):
    """Of the evaluator `time`."""

    time_s: float
    """End of the last rank, all repetitions (s)."""
    repetition_s: float
    """Time_s / repetitions (s)."""
    first_s: float
    """End of the first rank (s)."""
    mean_s: float
    """End of a rank, mean (s)."""
    mop_per_s: float | None
    """Counted operations per time (applications) (Mop/s)."""
    messages: int
    """Messages that arrived."""
    total_bytes: int
    """Sum over all messages (B)."""
    bandwidth_bytes_per_s: float | None
    """Of a collective: ranks times its size, over the time of a call; the mean over communicators (B/s)."""
    compute_s: float | None
    """Compute on the critical path (option critical_path) (s)."""
    combine_s: float | None
    """Combining what arrived on the critical path (option critical_path) (s)."""
    copy_s: float | None
    """Copies in memory on the critical path (option critical_path) (s)."""
    call_s: float | None
    """Entering collectives on the critical path (option critical_path) (s)."""
    overhead_s: float | None
    """Time of processors for messages on the critical path (option critical_path) (s)."""
    gap_s: float | None
    """Waiting until the rank or its NIC may start a message on the critical path (option critical_path) (s)."""
    rendezvous_s: float | None
    """Handshakes on the critical path (option critical_path) (s)."""
    software_s: float | None
    """Latency of software on the critical path (option critical_path) (s)."""
    latency_s: float | None
    """Latency of routes on the critical path (option critical_path) (s)."""
    bandwidth_s: float | None
    """Transfers as long as they take alone on the critical path (option critical_path) (s)."""
    contention_s: float | None
    """Contention on the critical path (option critical_path) (s)."""
    waiting_s: float | None
    """Waiting on the critical path (option critical_path) (s)."""
    start_value: float | None
    """Objective before an optimiser."""
    value: float | None
    """Objective after an optimiser."""
    bound: float | None
    """No mapping can have a smaller objective."""
    evaluations: int | None
    """Mappings that the optimiser evaluated."""
    bytes: int
    """As total_bytes."""
    stopped_s: float | None
    """Simulated time at which the run was stopped, whose times are NaN then; None if it ended."""
    ranks_ended: int
    """How many ranks had ended."""
    work: dict[str, int]
    """Counts of the work it took."""
    routing: str
    """Candidate paths."""
    variant: str
    """How messages choose among them."""
    finish_s: Vector[np.float64] | list[Vector[np.float64]]
    """End of every rank in seconds, NaN if that was not simulated; of several jobs a list."""
    jobs: list[JobTime]
    """Each job's times."""
    workloads: list[Schedule | Traffic | Programs]
    """What each job communicates."""
    trace: Trace
    """Every message, what every rank did, bytes on links over time (option trace)."""
    critical_path: CriticalPath
    """What the run waited for, and how long (option trace)."""
    solves: int
    """Instants at which rates changed."""
    fillings: int
    """Links filled again."""
    entries: int
    """Flows on links looked at meanwhile."""
    changes: int
    """Rates that changed."""
    folded_ranks: int | None
    """Classes of ranks that behave alike, one rank of each was simulated; empty: all were."""
    periods_skipped: int
    """Periods of what repeats (rounds, steps, iterations) that were not simulated again."""
    @overload
    def __getitem__(self, name: Literal["time_s", "repetition_s", "first_s", "mean_s"], /) -> float: ...
    @overload
    def __getitem__(
        self,
        name: Literal[
            "mop_per_s",
            "bandwidth_bytes_per_s",
            "compute_s",
            "combine_s",
            "copy_s",
            "call_s",
            "overhead_s",
            "gap_s",
            "rendezvous_s",
            "software_s",
            "latency_s",
            "bandwidth_s",
            "contention_s",
            "waiting_s",
            "start_value",
            "value",
            "bound",
            "stopped_s",
        ],
        /,
    ) -> float | None: ...
    @overload
    def __getitem__(
        self,
        name: Literal[
            "messages",
            "total_bytes",
            "bytes",
            "ranks_ended",
            "solves",
            "fillings",
            "entries",
            "changes",
            "periods_skipped",
        ],
        /,
    ) -> int: ...
    @overload
    def __getitem__(self, name: Literal["evaluations", "folded_ranks"], /) -> int | None: ...
    @overload
    def __getitem__(self, name: Literal["work"], /) -> dict[str, int]: ...
    @overload
    def __getitem__(self, name: Literal["routing", "variant"], /) -> str: ...
    @overload
    def __getitem__(self, name: Literal["finish_s"], /) -> Vector[np.float64] | list[Vector[np.float64]]: ...
    @overload
    def __getitem__(self, name: Literal["jobs"], /) -> list[JobTime]: ...
    @overload
    def __getitem__(self, name: Literal["workloads"], /) -> list[Schedule | Traffic | Programs]: ...
    @overload
    def __getitem__(self, name: Literal["trace"], /) -> Trace: ...
    @overload
    def __getitem__(self, name: Literal["critical_path"], /) -> CriticalPath: ...
    @overload
    def __getitem__(self, name: str, /) -> object: ...

class PacketAnswer(Answer):
    """Of the evaluator `packet`."""

    time_s: float
    """End of the last rank, all repetitions (s)."""
    repetition_s: float
    """Time_s / repetitions (s)."""
    first_s: float
    """End of the first rank (s)."""
    mean_s: float
    """End of a rank, mean (s)."""
    mop_per_s: float | None
    """Counted operations per time (applications) (Mop/s)."""
    messages: int
    """Messages that arrived."""
    total_bytes: int
    """Sum over all messages (B)."""
    bandwidth_bytes_per_s: float | None
    """Of a collective: ranks times its size, over the time of a call; the mean over communicators (B/s)."""
    compute_s: float | None
    """Compute on the critical path (option critical_path) (s)."""
    combine_s: float | None
    """Combining what arrived on the critical path (option critical_path) (s)."""
    copy_s: float | None
    """Copies in memory on the critical path (option critical_path) (s)."""
    call_s: float | None
    """Entering collectives on the critical path (option critical_path) (s)."""
    overhead_s: float | None
    """Time of processors for messages on the critical path (option critical_path) (s)."""
    gap_s: float | None
    """Waiting until the rank or its NIC may start a message on the critical path (option critical_path) (s)."""
    rendezvous_s: float | None
    """Handshakes on the critical path (option critical_path) (s)."""
    software_s: float | None
    """Latency of software on the critical path (option critical_path) (s)."""
    latency_s: float | None
    """Latency of routes on the critical path (option critical_path) (s)."""
    bandwidth_s: float | None
    """Transfers as long as they take alone on the critical path (option critical_path) (s)."""
    contention_s: float | None
    """Contention on the critical path (option critical_path) (s)."""
    waiting_s: float | None
    """Waiting on the critical path (option critical_path) (s)."""
    start_value: float | None
    """Objective before an optimiser."""
    value: float | None
    """Objective after an optimiser."""
    bound: float | None
    """No mapping can have a smaller objective."""
    evaluations: int | None
    """Mappings that the optimiser evaluated."""
    bytes: int
    """As total_bytes."""
    stopped_s: float | None
    """Simulated time at which the run was stopped, whose times are NaN then; None if it ended."""
    ranks_ended: int
    """How many ranks had ended."""
    work: dict[str, int]
    """Counts of the work it took."""
    routing: str
    """Candidate paths."""
    variant: str
    """How messages choose among them."""
    finish_s: Vector[np.float64] | list[Vector[np.float64]]
    """End of every rank in seconds, NaN if that was not simulated; of several jobs a list."""
    jobs: list[JobTime]
    """Each job's times."""
    workloads: list[Schedule | Traffic | Programs]
    """What each job communicates."""
    trace: Trace
    """Every message, what every rank did, bytes on links over time (option trace)."""
    critical_path: CriticalPath
    """What the run waited for, and how long (option trace)."""
    dilation_ao_mean: float | None
    """With features: mean over messages between nodes that travel further than their mean; 0 without any (hops)."""
    dilation_max: float | None
    """With features: of the longest message (hops)."""
    dilation_ao_sum: float | None
    """With features: sum over the messages that travel further than the mean (hops)."""
    bytes_mean: float | None
    """With features: per link between switches (B)."""
    bytes_ao_mean: float | None
    """With features: mean over the links with more than the mean (B)."""
    bytes_to_mean: float | None
    """With features: mean over the 5 % of links with most (B)."""
    bytes_near_mean: float | None
    """With features: mean over the links within 5 % of the most: the other top outliers (B)."""
    bytes_max: float | None
    """With features: of the link with most (B)."""
    bytes_ao_links: float | None
    """With features: links with more than the mean."""
    fifo_max: float | None
    """With features: messages in the fullest injection FIFO; on a grid a node has one for each direction."""
    min_bytes: float | None
    """On the least loaded link (B)."""
    q1_bytes: float | None
    """First quartile over links (B)."""
    median_bytes: float | None
    """Median over links (B)."""
    mean_bytes: float | None
    """Mean over links (B)."""
    q3_bytes: float | None
    """Third quartile over links (B)."""
    max_bytes: float | None
    """On the most loaded link (B)."""
    used_links: int | None
    """Links that carry something."""
    links: int | None
    """Directed links."""
    fast_over: str | None
    """With fast: of what a part was simulated: bytes, repetitions, ranks, ranks and one of these; unknown: none."""
    fast_share: float | None
    """With fast: packets simulated, all runs together, over packets of the whole run; 1 where nothing was left out."""
    fast_error_s: float | None
    """With fast: how far time_s may be from that of the whole run (s)."""
    fast_error: float | None
    """With fast: the same over time_s."""
    fast_packets: int | None
    """With fast: packets of a message, mean weighted by bytes."""
    fast_ranks: int | None
    """With fast: ranks that were simulated."""
    packets: int
    """Packets sent; with fast those that were simulated, as the next four."""
    packet_hops: int
    """Links that packets crossed, of all kinds."""
    waits: int
    """Times that a packet found no room in the next buffer."""
    most_buffer_bytes: int
    """Most bytes in the buffer of one virtual channel (B)."""
    events: int
    """Events simulated."""
    watched_s: float | None
    """With details: how long links and queues were watched, from 0 to a little after the last arrival (s)."""
    stalls_per_packet_s: float | None
    """With details: that a packet waited for turns and for room (s)."""
    queue_mean: float | None
    """With details: messages (packets) that wait at an endpoint to be sent, over endpoints and time."""
    queue_max: int | None
    """With details: most at any endpoint at once."""
    stalls_mean: float | None
    """With features: packets off a link that could not go on at once, per link between switches."""
    stalls_ao_mean: float | None
    """With features: mean over the links with more of these than the mean."""
    stalls_to_mean: float | None
    """With features: mean over the 5 % of links with most of these."""
    stalls_near_mean: float | None
    """With features: mean over the links within 5 % of the most of these."""
    stalls_max: float | None
    """With features: of the link with most of these."""
    stalls_ao_links: float | None
    """With features: links with more of these than the mean."""
    stallsp_mean: float | None
    """With features: stalls of a link over the packets that came over it, mean over links."""
    stallsp_ao_mean: float | None
    """With features: mean over the links where this is above the mean."""
    stallsp_to_mean: float | None
    """With features: mean over the 5 % of links with most of this."""
    stallsp_near_mean: float | None
    """With features: mean over the links within 5 % of the most of this."""
    stallsp_max: float | None
    """With features: most of any link."""
    stallsp_ao_links: float | None
    """With features: links where this is above the mean."""
    @overload
    def __getitem__(self, name: Literal["time_s", "repetition_s", "first_s", "mean_s"], /) -> float: ...
    @overload
    def __getitem__(
        self,
        name: Literal[
            "mop_per_s",
            "bandwidth_bytes_per_s",
            "compute_s",
            "combine_s",
            "copy_s",
            "call_s",
            "overhead_s",
            "gap_s",
            "rendezvous_s",
            "software_s",
            "latency_s",
            "bandwidth_s",
            "contention_s",
            "waiting_s",
            "start_value",
            "value",
            "bound",
            "stopped_s",
            "dilation_ao_mean",
            "dilation_max",
            "dilation_ao_sum",
            "bytes_mean",
            "bytes_ao_mean",
            "bytes_to_mean",
            "bytes_near_mean",
            "bytes_max",
            "bytes_ao_links",
            "fifo_max",
            "min_bytes",
            "q1_bytes",
            "median_bytes",
            "mean_bytes",
            "q3_bytes",
            "max_bytes",
            "fast_share",
            "fast_error_s",
            "fast_error",
            "watched_s",
            "stalls_per_packet_s",
            "queue_mean",
            "stalls_mean",
            "stalls_ao_mean",
            "stalls_to_mean",
            "stalls_near_mean",
            "stalls_max",
            "stalls_ao_links",
            "stallsp_mean",
            "stallsp_ao_mean",
            "stallsp_to_mean",
            "stallsp_near_mean",
            "stallsp_max",
            "stallsp_ao_links",
        ],
        /,
    ) -> float | None: ...
    @overload
    def __getitem__(
        self,
        name: Literal[
            "messages",
            "total_bytes",
            "bytes",
            "ranks_ended",
            "packets",
            "packet_hops",
            "waits",
            "most_buffer_bytes",
            "events",
        ],
        /,
    ) -> int: ...
    @overload
    def __getitem__(
        self, name: Literal["evaluations", "used_links", "links", "fast_packets", "fast_ranks", "queue_max"], /
    ) -> int | None: ...
    @overload
    def __getitem__(self, name: Literal["work"], /) -> dict[str, int]: ...
    @overload
    def __getitem__(self, name: Literal["routing", "variant"], /) -> str: ...
    @overload
    def __getitem__(self, name: Literal["finish_s"], /) -> Vector[np.float64] | list[Vector[np.float64]]: ...
    @overload
    def __getitem__(self, name: Literal["jobs"], /) -> list[JobTime]: ...
    @overload
    def __getitem__(self, name: Literal["workloads"], /) -> list[Schedule | Traffic | Programs]: ...
    @overload
    def __getitem__(self, name: Literal["trace"], /) -> Trace: ...
    @overload
    def __getitem__(self, name: Literal["critical_path"], /) -> CriticalPath: ...
    @overload
    def __getitem__(self, name: Literal["fast_over"], /) -> str | None: ...
    @overload
    def __getitem__(self, name: str, /) -> object: ...

class ThroughputAnswer(Answer):
    """Of the evaluator `throughput`."""

    saturation: float | None
    """Greatest load that is accepted (98 % of it), to 0.01 or a twentieth of itself."""
    zero_load_latency: float | None
    """Mean latency of packets that meet no other (cycles)."""
    zero_load_exact: int
    """1: over all pairs and paths by their shares; 0: of a sample of 4,096 packets."""
    switch_kind: str
    """Of the switch model: output-queued, input-queued or booksim."""
    latency_unit: str
    """Of all latencies."""
    cycle_s: float | None
    """One phit or flit on an endpoint's link, if it has 16 bytes (s)."""
    channel_classes: int
    """Classes of virtual channels that the routing needs; 1: any channel may be used."""
    deadlock_free: int
    """1 if it was proved, unknown on networks too large for the proof."""
    packet_hops: int
    """Links that packets took, in all runs."""
    ideal: float | None
    """Load at which the busiest link is full, with the paths in the routing's shares; adaptive packets may pass it."""
    not_measured: int
    """Loads without a point, for lack of time."""
    accepted: float | None
    """Arrived in the measurement."""
    latency_mean: float | None
    """From birth, source queue included, to the arrival of the last unit (cycles)."""
    latency_p99: float | None
    """99 % of the packets take no longer (cycles)."""
    routing: str
    """Candidate paths."""
    variant: str
    """How packets choose among them."""
    @overload
    def __getitem__(
        self,
        name: Literal[
            "saturation",
            "zero_load_latency",
            "cycle_s",
            "ideal",
            "accepted",
            "latency_mean",
            "latency_p99",
        ],
        /,
    ) -> float | None: ...
    @overload
    def __getitem__(
        self, name: Literal["zero_load_exact", "channel_classes", "deadlock_free", "packet_hops", "not_measured"], /
    ) -> int: ...
    @overload
    def __getitem__(self, name: Literal["switch_kind", "latency_unit", "routing", "variant"], /) -> str: ...
    @overload
    def __getitem__(self, name: str, /) -> object: ...

class MetricsAnswer(Answer):
    """Of the evaluator `metrics`."""

    switches: int
    """Number of switches."""
    endpoints: int
    """Number of endpoints."""
    switch_links: int
    """Full-duplex cables between switches."""
    endpoint_links: int
    """Full-duplex cables between endpoints and switches."""
    degree_min: int
    """Fewest switch-to-switch ports of a switch."""
    degree_max: int
    """Most switch-to-switch ports of a switch."""
    diameter: int
    """Largest distance between two switches (hops)."""
    aspl: float | None
    """Mean distance over ordered pairs of distinct switches (hops)."""
    bisection_lower: int | None
    """No halving of the switches cuts fewer cables (option bisection) (cables)."""
    bisection_upper: int | None
    """A halving that cuts this many was found (option bisection) (cables)."""
    degree_histogram: list[tuple[int, int]]
    """Pairs of a degree and how many switches have it."""
    hop_histogram: list[int]
    """Ordered pairs of distinct endpoints by hops, from 0."""
    endpoint_diameter: int | None
    """Largest distance between two endpoints in hops."""
    endpoint_aspl: float | None
    """Mean distance over ordered pairs of distinct endpoints in hops."""
    moore_bound: int
    """Most switches that a network of this largest degree and diameter could have."""
    diameter_lower_bound: int | None
    """No graph of this size and degree has a smaller diameter."""
    aspl_lower_bound: float | None
    """No graph of this size and degree has a smaller aspl."""
    diameter_gap: int | None
    """Diameter above its bound."""
    aspl_gap: float | None
    """Aspl above its bound, as a share."""
    links_per_level: dict[str, int]
    """Cables by class of links."""
    uniform_throughput: float | None
    """Ideal accepted load of uniform traffic in a tree, as a share of the injection bandwidth."""
    by_symmetry: bool
    """Whether distances come from fewer switches, which represent all."""
    @overload
    def __getitem__(
        self,
        name: Literal[
            "switches",
            "endpoints",
            "switch_links",
            "endpoint_links",
            "degree_min",
            "degree_max",
            "diameter",
            "moore_bound",
        ],
        /,
    ) -> int: ...
    @overload
    def __getitem__(
        self, name: Literal["aspl", "endpoint_aspl", "aspl_lower_bound", "aspl_gap", "uniform_throughput"], /
    ) -> float | None: ...
    @overload
    def __getitem__(
        self,
        name: Literal[
            "bisection_lower",
            "bisection_upper",
            "endpoint_diameter",
            "diameter_lower_bound",
            "diameter_gap",
        ],
        /,
    ) -> int | None: ...
    @overload
    def __getitem__(self, name: Literal["degree_histogram"], /) -> list[tuple[int, int]]: ...
    @overload
    def __getitem__(self, name: Literal["hop_histogram"], /) -> list[int]: ...
    @overload
    def __getitem__(self, name: Literal["links_per_level"], /) -> dict[str, int]: ...
    @overload
    def __getitem__(self, name: Literal["by_symmetry"], /) -> bool: ...
    @overload
    def __getitem__(self, name: str, /) -> object: ...

class CostAnswer(Answer):
    """Of the evaluator `cost`."""

    switches: int
    """Number of switches."""
    cables: int
    """Full-duplex cables between switches."""
    cable_length_total_m: float
    """Sum over all switch cables (m)."""
    cable_length_mean_m: float
    """Per switch cable (m)."""
    cable_length_max_m: float
    """Of the longest (m)."""
    cable_cost_usd: float
    """Price of the switch cables (USD)."""
    switch_cost_usd: float
    """Price of the switches (USD)."""
    total_usd: float
    """Price of switches and cables (USD)."""
    endpoint_cable_cost_usd: float
    """Price of the cables to the endpoints."""
    switch_power_w: float | None
    """Power of the switches in watts."""
    nic_cost_usd: float | None
    """Price of a NIC for each endpoint; None where the model has none."""
    nic_power_w: float | None
    """Their power in watts."""
    by_class: dict[str, dict[str, float | int | None]]
    """Cables, lengths and prices of each class of links."""
    by_medium: dict[str, dict[str, float | int | None]]
    """Likewise of each kind of cable."""
    notes: tuple[str, ...]
    """What the cost model says of itself."""
    outside: tuple[str, ...]
    """What the prices do not cover."""
    unit: str
    """What the prices are in: USD, or what the cost model counts."""
    @overload
    def __getitem__(self, name: Literal["switches", "cables"], /) -> int: ...
    @overload
    def __getitem__(
        self,
        name: Literal[
            "cable_length_total_m",
            "cable_length_mean_m",
            "cable_length_max_m",
            "cable_cost_usd",
            "switch_cost_usd",
            "total_usd",
            "endpoint_cable_cost_usd",
        ],
        /,
    ) -> float: ...
    @overload
    def __getitem__(self, name: Literal["model", "unit"], /) -> str: ...
    @overload
    def __getitem__(self, name: Literal["switch_power_w", "nic_cost_usd", "nic_power_w"], /) -> float | None: ...
    @overload
    def __getitem__(self, name: Literal["by_class", "by_medium"], /) -> dict[str, dict[str, float | int | None]]: ...
    @overload
    def __getitem__(self, name: Literal["notes", "outside"], /) -> tuple[str, ...]: ...
    @overload
    def __getitem__(self, name: str, /) -> object: ...

class VerifyAnswer(Answer):
    """Of the evaluator `verify`."""

    proved: bool
    """True if every rank ends with exactly what MPI promises."""
    fault: str | None
    """Which rank lacks what, where it does not."""
    steps: int | None
    """Communication steps."""
    messages: int | None
    """Number of messages."""
    max_bytes_sent: int | None
    """By the rank that sends most (B)."""
    total_bytes: int | None
    """Sum over all messages (B)."""
    max_ports: int | None
    """Most messages that a rank sends, or receives, in one step."""
    @overload
    def __getitem__(self, name: Literal["proved"], /) -> bool: ...
    @overload
    def __getitem__(self, name: Literal["fault"], /) -> str | None: ...
    @overload
    def __getitem__(
        self, name: Literal["steps", "messages", "max_bytes_sent", "total_bytes", "max_ports"], /
    ) -> int | None: ...
    @overload
    def __getitem__(self, name: str, /) -> object: ...

class LearnedAnswer(Answer):
    """Of the evaluator `learned`."""

    time_s: float
    """Predicted by the model (s)."""
    low_s: float
    """Lower end of an interval that holds a fresh sample with the probability `level` (s)."""
    high_s: float
    """Upper end (s)."""
    level: float
    """Probability of the interval, for samples like those that the model was learned on."""
    beyond: float
    """How far outside of what was learned, in widths of the range of the worst feature; 0: inside."""
    features: dict[str, float]
    """The features that the model took, by name."""
    @overload
    def __getitem__(self, name: Literal["time_s", "low_s", "high_s", "level", "beyond"], /) -> float: ...
    @overload
    def __getitem__(self, name: Literal["features"], /) -> dict[str, float]: ...
    @overload
    def __getitem__(self, name: str, /) -> object: ...
