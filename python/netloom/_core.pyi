"""The compiled core. Shapes, units and errors are in the Rust documentation and in `netloom.api`."""

import builtins
from array import array
from collections.abc import Callable, Mapping, Sequence
from typing import Literal, TypedDict, Unpack, final

import numpy as np
from numpy.typing import NDArray

from .base.records import (
    Bisection,
    CutFound,
    Deadlock,
    EndpointCut,
    EvaluatorRow,
    Expected,
    Failed,
    FlowEnds,
    LinkClass,
    Metrics,
    Path,
    Proof,
    Row,
    SearchFound,
)

_Progress = Callable[[int, int], object]
#: Endpoint of every rank: whatever holds 32-bit numbers one after the other, or a sequence.
_Endpoints = array[int] | NDArray[np.generic]
#: A value of a record; None is not known.
_Datum = int | float | str | None
#: An action of a rank: its name and its numbers.
_Action = tuple[str | float, ...]

__all__ = [
    "Job",
    "Network",
    "Programs",
    "Routing",
    "Scenario",
    "Schedule",
    "Sends",
    "Traffic",
    "canonical",
    "catalogue",
    "check_emit",
    "cut_bound",
    "detect_format",
    "emit",
    "evaluate",
    "evaluators",
    "expand_hostlist",
    "expected",
    "is_failure",
    "kinds",
    "needs_clock",
    "parse_bytes",
    "parse_bytes_per_s",
    "parse_call",
    "parse_flops_per_s",
    "parse_seconds",
    "place",
    "place_jobs",
    "read_mapping",
    "reorder",
    "search",
    "simulate_flows",
    "stream",
    "toml_spans",
    "version",
]

@final
class Network:
    @staticmethod
    def build(text: str) -> Network: ...
    @staticmethod
    def make(name: str, *args: object, **kwargs: object) -> Network: ...
    @staticmethod
    def read(data: bytes, place: str, format: str | None = None) -> Network: ...
    @staticmethod
    def from_edges(
        label: str,
        switches: int,
        edges: NDArray[np.int64],
        endpoint_switch: NDArray[np.int64],
        bandwidth_bytes_per_s: float,
        latency_s: float,
    ) -> Network: ...
    def write(self, format: str) -> bytes: ...
    def without_structure(self) -> Network: ...
    def with_slots(self, slots: int) -> Network: ...
    @property
    def label(self) -> str: ...
    @property
    def family(self) -> str: ...
    @property
    def switches(self) -> int: ...
    @property
    def endpoints(self) -> int: ...
    @property
    def default_routing(self) -> str: ...
    @property
    def seats(self) -> int: ...
    @property
    def switch_links(self) -> int: ...
    @property
    def endpoint_links(self) -> int: ...
    @property
    def tails(self) -> NDArray[np.uint32]: ...
    @property
    def heads(self) -> NDArray[np.uint32]: ...
    @property
    def offsets(self) -> NDArray[np.uint32]: ...
    @property
    def reverse(self) -> NDArray[np.uint32]: ...
    @property
    def class_index(self) -> NDArray[np.uint16]: ...
    @property
    def link_bandwidth_bytes_per_s(self) -> NDArray[np.float64]: ...
    @property
    def endpoint_switch(self) -> NDArray[np.uint32]: ...
    @property
    def classes(self) -> list[LinkClass]: ...
    @property
    def groups(self) -> NDArray[np.uint32] | None: ...
    @property
    def chassis(self) -> NDArray[np.uint32] | None: ...
    @property
    def failed(self) -> Failed | None: ...
    def without(self, failures: str | list[str], place: str | None = None) -> Network: ...
    def require_in_service(self, endpoints: NDArray[np.uint32]) -> None: ...
    @property
    def levels(self) -> NDArray[np.uint8] | None: ...
    @property
    def grid(self) -> tuple[list[int], list[bool], bool] | None: ...
    @property
    def jumps(self) -> list[int] | None: ...
    @property
    def is_ring(self) -> bool: ...
    @property
    def switch_names(self) -> list[str]: ...
    @property
    def endpoint_names(self) -> list[str]: ...
    @property
    def has_names(self) -> bool: ...
    @property
    def notes(self) -> list[str]: ...
    def metrics(self, use_symmetry: bool = True, progress: _Progress | None = None) -> Metrics: ...
    def bisection(self, seed: int = 0, progress: _Progress | None = None) -> Bisection: ...
    def endpoint_bisection(
        self,
        known: tuple[int, int, bool, str] | None = None,
        seed: int = 0,
        progress: _Progress | None = None,
    ) -> EndpointCut: ...
    def hop_matrix(self, progress: _Progress | None = None) -> NDArray[np.uint8]: ...
    def routing(self, text: str) -> Routing: ...
    def check(self) -> None: ...
    def __eq__(self, other: object, /) -> bool: ...

@final
class Routing:
    @property
    def label(self) -> str: ...
    @property
    def virtual_channels(self) -> int: ...
    @property
    def is_deterministic(self) -> bool: ...
    def paths(self, source: int, destination: int) -> list[Path]: ...
    def deadlock(self, progress: _Progress | None = None) -> Deadlock: ...

@final
class Schedule:
    @staticmethod
    def build(text: str, ranks: int, root: int = 0, size_bytes: int = 0) -> Schedule: ...
    @staticmethod
    def from_transfers(
        collective: str,
        ranks: int,
        root: int,
        size_bytes: int,
        steps: Sequence[Sequence[tuple[int, int, Sequence[int], bool]]],
        name: str | None = None,
    ) -> Schedule: ...
    @property
    def collective(self) -> str: ...
    @property
    def label(self) -> str: ...
    @property
    def ranks(self) -> int: ...
    @property
    def root(self) -> int: ...
    @property
    def size_bytes(self) -> int: ...
    @property
    def steps(self) -> int: ...
    @property
    def messages(self) -> int: ...
    @property
    def is_cyclic(self) -> bool: ...
    def verify(self, progress: _Progress | None = None) -> Proof: ...
    def table(self) -> dict[str, NDArray[np.uint32] | NDArray[np.uint64]]: ...

@final
class Traffic:
    @staticmethod
    def pattern(text: str, ranks: int | None = None) -> Traffic: ...
    @staticmethod
    def of_schedule(schedule: Schedule) -> Traffic: ...
    @staticmethod
    def of_programs(programs: Programs) -> Traffic: ...
    @staticmethod
    def from_flows(
        label: str,
        ranks: int,
        src: NDArray[np.int64],
        dst: NDArray[np.int64],
        messages: NDArray[np.int64],
        size_bytes: NDArray[np.int64],
    ) -> Traffic: ...
    @staticmethod
    def read(data: builtins.bytes, place: str, format: str | None = None, ranks: int | None = None) -> Traffic: ...
    def write(self, format: str) -> builtins.bytes: ...
    @property
    def label(self) -> str: ...
    @property
    def ranks(self) -> int: ...
    @property
    def messages(self) -> int: ...
    @property
    def bytes(self) -> int: ...
    def table(self) -> dict[str, NDArray[np.uint32] | NDArray[np.uint64]]: ...

@final
class Sends:
    @staticmethod
    def of_schedule(schedule: Schedule) -> Sends: ...
    @staticmethod
    def of_traffic(traffic: Traffic) -> Sends: ...
    @property
    def label(self) -> str: ...
    @property
    def ranks(self) -> int: ...
    def from_rank(self, rank: int) -> NDArray[np.uint64]: ...

@final
class Programs:
    @staticmethod
    def application(text: str, ranks: int, algorithms: Mapping[str, str] = ...) -> Programs: ...
    @staticmethod
    def read(
        data: bytes,
        place: str,
        others: Sequence[tuple[str, bytes]],
        algorithms: Mapping[str, str] = ...,
        format: str | None = None,
    ) -> Programs: ...
    @staticmethod
    def trace_index(data: bytes, place: str) -> list[str] | None: ...
    @staticmethod
    def of_messages(workload: Schedule | Traffic) -> Programs: ...
    @staticmethod
    def from_actions(label: str, bodies: Sequence[Sequence[_Action]]) -> Programs: ...
    def repeated(self, times: int) -> Programs: ...
    def write(self, format: str) -> list[tuple[str, bytes]]: ...
    @property
    def label(self) -> str: ...
    @property
    def ranks(self) -> int: ...
    @property
    def actions(self) -> int: ...
    @property
    def counted_operations(self) -> float: ...

def version() -> str: ...
def stream(text: str, ranks: int | None = None) -> Sends: ...
def catalogue(kind: str) -> list[Row]: ...
def kinds() -> list[str]: ...
def canonical(kind: str, text: str) -> str: ...
def expected(text: str) -> Expected: ...
def parse_call(text: str) -> tuple[str, list[object], dict[str, object]]: ...
def is_failure(line: str) -> bool: ...
def parse_seconds(text: str, place: str) -> float: ...
def parse_bytes_per_s(text: str, place: str) -> float: ...
def parse_flops_per_s(text: str, place: str) -> float: ...
def parse_bytes(text: str, place: str) -> int: ...
def toml_spans(text: str) -> dict[str, tuple[int, int]]: ...
def place(network: Network, ranks: int, placement: str, order: str) -> array[int]: ...
def place_jobs(
    network: Network,
    wanted: Sequence[tuple[str, int | Sequence[int] | NDArray[np.generic], str | None]],
    available: Sequence[int] | NDArray[np.generic] | None = None,
) -> list[NDArray[np.uint32]]: ...
def reorder(network: Network, slots: _Endpoints, order: str) -> array[int]: ...

@final
class Job:
    """A workload on its places; several ranks may be on one endpoint."""

    def __new__(
        cls,
        name: str,
        workload: Schedule | Traffic | Programs | Sends,
        endpoints: _Endpoints,
        seats: _Endpoints | None = None,
        **options: Unpack[_JobOptions],
    ) -> Job: ...
    @property
    def name(self) -> str: ...
    @property
    def ranks(self) -> int: ...

class _JobOptions(TypedDict, total=False):
    cores: int | None
    routing: str | None
    variant: str | None
    start: float | str | None
    repetitions: int | None

#: A column: numbers of one kind, or texts.
_Column = array[int] | array[float] | list[int] | list[str]
_Columns = Mapping[str, _Column]
_Tables = Mapping[str, _Columns]

class _Found(TypedDict):
    evaluator: str
    model: str
    version: str
    assumptions: list[str]
    record: dict[str, _Datum]
    tables: _Tables

@final
class Scenario:
    """The inputs of one question."""

    def __new__(
        cls,
        network: Network,
        jobs: Sequence[Job],
        background: Sequence[tuple[int, int, float, float, float]] | None = None,
        machine: Mapping[str, object] | None = None,
    ) -> Scenario: ...

def evaluate(
    scenario: Scenario,
    evaluator: str,
    options: Mapping[str, object] | None = None,
    progress: _Progress | None = None,
) -> _Found: ...
def evaluators() -> list[EvaluatorRow]: ...
def search(
    scenario: Scenario,
    optimiser: str,
    objective: str,
    free: bool,
    seconds: float | None = None,
    progress: _Progress | None = None,
) -> SearchFound: ...
def cut_bound(
    network: Network,
    mapping: _Endpoints,
    collective: str,
    size_bytes: int,
    root: int,
    endpoint_links: bool,
    progress: _Progress | None = None,
) -> CutFound: ...
def simulate_flows(
    bandwidth: NDArray[np.float64],
    latency: NDArray[np.float64],
    routes: tuple[NDArray[np.uint64], NDArray[np.uint32]],
    size: NDArray[np.float64],
    start: NDArray[np.float64],
    sharing: str,
    weight_s_bytes: float,
    tcp_window_bytes: float,
    cross_traffic: float,
    fat: NDArray[np.bool_],
    reverse: tuple[NDArray[np.uint64], NDArray[np.uint32]],
    cap: NDArray[np.float64],
    weight: NDArray[np.float64],
    progress: _Progress | None = None,
) -> FlowEnds: ...
def needs_clock(objective: str) -> bool: ...
def emit(format: str, network: Network, mapping: _Endpoints) -> bytes: ...
def expand_hostlist(text: str, place: str, limit: int) -> list[str]: ...
def check_emit(format: str, network: Network, ranks: int) -> None: ...
def detect_format(
    name: str, head: bytes, holds: Literal["network", "mapping", "traffic", "programs"]
) -> str | None: ...
def read_mapping(data: bytes, place: str, format: str | None, network: Network) -> array[int]: ...
