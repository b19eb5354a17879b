"""What each evaluator's answer holds: names and types of its values.

From these classes `python -m netloom.reference.answers` writes `answers.pyi`, in which `answer["time_s"]` and
`answer.time_s` have their types and their meaning; a test keeps it current, and another one compares it with answers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .answer import Answer

if TYPE_CHECKING:
    import numpy as np

    from .._core import Programs, Schedule, Traffic
    from ..base.arrays import Vector
    from .loads.of_core import EndLink, HotLink, JobLoads, Numbers
    from .records import JobTime, Step
    from .time.of_core import CriticalPath, Trace


class HopsAnswer(Answer):
    """Of the evaluator `hops`."""

    messages: int
    total_hops: int
    mean_hops: float | None
    max_hops: int
    hop_bytes: int
    pairs: int
    average_dilation: float | None
    average_hops_per_byte: float | None
    average_bytes_per_link: float | None
    inter_node_messages: int
    inter_node_bytes: int
    messages_own: int
    bytes_own: int
    total_bytes: int
    steps: list[Step]
    """messages and hops of each step; schedules only"""
    start_value: float | None
    value: float | None
    bound: float | None
    evaluations: int | None
    workload: str
    """what is communicated"""
    ranks: int
    """number of ranks"""
    histogram: list[int]
    """messages by hops, from 0"""
    bytes: int
    """as total_bytes"""


class _Featured(Answer):
    """Features for learners, of messages, of bytes on links and of FIFOs."""

    dilation_ao_mean: float | None
    dilation_max: float | None
    dilation_ao_sum: float | None
    bytes_mean: float | None
    bytes_ao_mean: float | None
    bytes_to_mean: float | None
    bytes_near_mean: float | None
    bytes_max: float | None
    bytes_ao_links: float | None
    fifo_max: float | None


class _OnLinks(Answer):
    """Bytes on links between switches."""

    min_bytes: float | None
    q1_bytes: float | None
    median_bytes: float | None
    mean_bytes: float | None
    q3_bytes: float | None
    max_bytes: float | None
    used_links: int | None
    links: int | None


class LoadsAnswer(_Featured, _OnLinks):
    """Of the evaluator `loads`."""

    messages: int
    bytes_sent: int
    inter_node_bytes: int
    inside_bytes: int | None
    switch_bytes: int
    mean_hops: float
    min_used_bytes: float | None
    total_bytes: float | None
    endpoint_max_bytes: float
    max_class: str | None
    max_s: float | None
    slowdown: float | None
    flows: int
    rounds: int
    last_gain: float
    contentions: int | None
    start_value: float | None
    value: float | None
    bound: float | None
    evaluations: int | None
    classes: dict[str, Numbers]
    """numbers of each class of links; all: between switches"""
    jobs: list[JobLoads]
    """each job's messages, bytes and links, and how others slow it"""
    hottest: list[HotLink]
    """links by falling time, with the jobs and ranks that cause it"""
    ends: list[EndLink]
    """the endpoint that sends most and the one that receives most, with the jobs that cause it"""


class _Timed(Answer):
    """Of an evaluator of simulated time."""

    time_s: float
    repetition_s: float
    first_s: float
    mean_s: float
    mop_per_s: float | None
    messages: int
    total_bytes: int
    bandwidth_bytes_per_s: float | None
    compute_s: float | None
    combine_s: float | None
    copy_s: float | None
    call_s: float | None
    overhead_s: float | None
    gap_s: float | None
    rendezvous_s: float | None
    software_s: float | None
    latency_s: float | None
    bandwidth_s: float | None
    contention_s: float | None
    waiting_s: float | None
    start_value: float | None
    value: float | None
    bound: float | None
    evaluations: int | None
    bytes: int
    """as total_bytes"""
    stopped_s: float | None
    """simulated time at which the run was stopped, whose times are NaN then; None if it ended"""
    ranks_ended: int
    """how many ranks had ended"""
    work: dict[str, int]
    """counts of the work it took"""
    routing: str
    """candidate paths"""
    variant: str
    """how messages choose among them"""
    finish_s: Vector[np.float64] | list[Vector[np.float64]]
    """end of every rank in seconds, NaN if that was not simulated; of several jobs a list"""
    jobs: list[JobTime]
    """each job's times"""
    workloads: list[Schedule | Traffic | Programs]
    """what each job communicates"""
    trace: Trace
    """every message, what every rank did, bytes on links over time (option trace)"""
    critical_path: CriticalPath
    """what the run waited for, and how long (option trace)"""


class TimeAnswer(_Timed):
    """Of the evaluator `time`."""

    solves: int
    fillings: int
    """links filled again"""
    entries: int
    """flows on links looked at meanwhile"""
    changes: int
    """rates that changed"""
    folded_ranks: int | None
    periods_skipped: int


class PacketAnswer(_Timed, _Featured, _OnLinks):
    """Of the evaluator `packet`."""

    fast_over: str | None
    fast_share: float | None
    fast_error_s: float | None
    fast_error: float | None
    fast_packets: int | None
    fast_ranks: int | None
    packets: int
    packet_hops: int
    waits: int
    most_buffer_bytes: int
    events: int
    watched_s: float | None
    stalls_per_packet_s: float | None
    queue_mean: float | None
    queue_max: int | None
    stalls_mean: float | None
    stalls_ao_mean: float | None
    stalls_to_mean: float | None
    stalls_near_mean: float | None
    stalls_max: float | None
    stalls_ao_links: float | None
    stallsp_mean: float | None
    stallsp_ao_mean: float | None
    stallsp_to_mean: float | None
    stallsp_near_mean: float | None
    stallsp_max: float | None
    stallsp_ao_links: float | None


class ThroughputAnswer(Answer):
    """Of the evaluator `throughput`."""

    saturation: float | None
    zero_load_latency: float | None
    zero_load_exact: int
    switch_kind: str
    latency_unit: str
    cycle_s: float | None
    channel_classes: int
    deadlock_free: int
    packet_hops: int
    ideal: float | None
    not_measured: int
    accepted: float | None
    latency_mean: float | None
    latency_p99: float | None
    routing: str
    """candidate paths"""
    variant: str
    """how packets choose among them"""


class MetricsAnswer(Answer):
    """Of the evaluator `metrics`."""

    switches: int
    endpoints: int
    switch_links: int
    endpoint_links: int
    degree_min: int
    degree_max: int
    diameter: int
    aspl: float | None
    bisection_lower: int | None
    bisection_upper: int | None
    degree_histogram: list[tuple[int, int]]
    """pairs of a degree and how many switches have it"""
    hop_histogram: list[int]
    """ordered pairs of distinct endpoints by hops, from 0"""
    endpoint_diameter: int | None
    """largest distance between two endpoints in hops"""
    endpoint_aspl: float | None
    """mean distance over ordered pairs of distinct endpoints in hops"""
    moore_bound: int
    """most switches that a network of this largest degree and diameter could have"""
    diameter_lower_bound: int | None
    """no graph of this size and degree has a smaller diameter"""
    aspl_lower_bound: float | None
    """no graph of this size and degree has a smaller aspl"""
    diameter_gap: int | None
    """diameter above its bound"""
    aspl_gap: float | None
    """aspl above its bound, as a share"""
    links_per_level: dict[str, int]
    """cables by class of links"""
    uniform_throughput: float | None
    """ideal accepted load of uniform traffic in a tree, as a share of the injection bandwidth"""
    by_symmetry: bool
    """whether distances come from fewer switches, which represent all"""


class CostAnswer(Answer):
    """Of the evaluator `cost`."""

    switches: int
    cables: int
    cable_length_total_m: float
    cable_length_mean_m: float
    cable_length_max_m: float
    cable_cost_usd: float
    switch_cost_usd: float
    total_usd: float
    model: str
    """the cost model"""
    endpoint_cable_cost_usd: float
    """price of the cables to the endpoints"""
    switch_power_w: float | None
    """power of the switches in watts"""
    nic_cost_usd: float | None
    """price of a NIC for each endpoint; None where the model has none"""
    nic_power_w: float | None
    """their power in watts"""
    by_class: dict[str, dict[str, float | int | None]]
    """cables, lengths and prices of each class of links"""
    by_medium: dict[str, dict[str, float | int | None]]
    """likewise of each kind of cable"""
    notes: tuple[str, ...]
    """what the cost model says of itself"""
    outside: tuple[str, ...]
    """what the prices do not cover"""
    unit: str
    """what the prices are in: USD, or what the cost model counts"""


class VerifyAnswer(Answer):
    """Of the evaluator `verify`."""

    proved: bool
    fault: str | None
    steps: int | None
    messages: int | None
    max_bytes_sent: int | None
    total_bytes: int | None
    max_ports: int | None


class LearnedAnswer(Answer):
    """Of the evaluator `learned`."""

    time_s: float
    low_s: float
    high_s: float
    level: float
    beyond: float
    features: dict[str, float]
    """the features that the model took, by name"""
