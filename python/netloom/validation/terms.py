"""The terms of software that are fitted to measured collectives, and the settings that they make."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..base.records import Settings

#: Bytes from which a buffer is in no cache, and sizes of messages between which latency may differ.
CACHES, LARGE, HUGE = 1 << 24, 1 << 16, 1 << 20
SMALL = 128
#: Bytes of a message from which a GPU library moves it in pieces: from there on its latency does not grow.
PIECE = 1 << 17
PROTOCOLS = ("ll", "ll128", "simple")


@dataclass(frozen=True)
class Term:
    """A number that is fitted, above 0.

    Parameters
    ----------
    usual
        What it is on machines of the last ten years; the search starts there, and stays there where data say nothing.
    """

    name: str
    unit: str
    usual: float
    least: float
    most: float
    meaning: str


@dataclass(frozen=True)
class Terms:
    """What is fitted together.

    Parameters
    ----------
    made
        Settings that the terms make, each with its terms.
    settings
        From the values of the terms by name, and settings to take the others from.
    """

    all: tuple[Term, ...]
    made: Mapping[str, tuple[str, ...]]
    settings: Callable[[Mapping[str, float], Settings], dict[str, object]]


_OF_MPI = (
    Term("latency_s", "s", 2e-6, 1e-7, 1e-4, f"a message of at most {SMALL} bytes"),
    Term("eager_latency_s", "s", 2.5e-6, 1e-7, 1e-4, "a larger one that is eager"),
    Term("eager_s_per_byte", "s/B", 2e-10, 1e-12, 1e-8, "and each of its bytes"),
    Term("rendezvous_latency_s", "s", 5e-6, 1e-7, 1e-3, "one that is not eager, up to 64 KiB"),
    Term("large_latency_s", "s", 8e-6, 1e-7, 1e-3, "one above 64 KiB"),
    Term("huge_latency_s", "s", 1e-5, 1e-7, 1e-3, "one above 1 MiB"),
    Term("flow_cap", "B/s", 1.5e10, 1e8, 1e12, "largest rate of a message"),
    Term("crossing_flow_cap", "B/s", 1e10, 1e8, 1e12, "the same while another goes the opposite way between the ranks"),
    Term("combine_s_per_byte", "s/B", 1.5e-10, 1e-12, 1e-8, "combining, of a buffer in caches"),
    Term("combine_far_s_per_byte", "s/B", 2.5e-10, 1e-12, 1e-8, "combining, of a buffer above 16 MiB"),
    Term("copy_s_per_byte", "s/B", 5e-11, 1e-13, 1e-8, "copying, of a buffer in caches"),
    Term("copy_far_s_per_byte", "s/B", 1e-10, 1e-13, 1e-8, "copying, of a buffer above 16 MiB"),
    Term("call_overhead_s", "s", 2e-6, 1e-8, 1e-3, "entering a collective"),
)


_MADE_FOR_MPI = {
    "message_latency": (
        "latency_s",
        "eager_latency_s",
        "eager_s_per_byte",
        "rendezvous_latency_s",
        "large_latency_s",
        "huge_latency_s",
    ),
    "flow_cap": ("flow_cap",),
    "crossing_flow_cap": ("crossing_flow_cap",),
    "combine_s_per_byte": ("combine_s_per_byte", "combine_far_s_per_byte"),
    "copy_s_per_byte": ("copy_s_per_byte", "copy_far_s_per_byte"),
    "call_overhead_s": ("call_overhead_s",),
}


def _for_mpi(values: Mapping[str, float], base: Settings) -> dict[str, object]:
    """Costs of MPI, else those of `base`."""
    eager = int(str(base["sender_returns_below_bytes"]))
    latency = [[0, values["latency_s"], 0.0]]
    if eager > SMALL:
        latency.append([SMALL, values["eager_latency_s"], values["eager_s_per_byte"]])
    # A message of exactly the limit is not eager.
    latency += [
        [above, values[name], 0.0]
        for above, name in (
            (max(eager - 1, 0), "rendezvous_latency_s"),
            (LARGE, "large_latency_s"),
            (HUGE, "huge_latency_s"),
        )
        if above > latency[-1][0]
    ]
    return {
        **base,
        "message_latency": latency,
        "flow_cap": values["flow_cap"],
        "crossing_flow_cap": values["crossing_flow_cap"],
        "combine_s_per_byte": [[0, values["combine_s_per_byte"]], [CACHES, values["combine_far_s_per_byte"]]],
        "copy_s_per_byte": [[0, values["copy_s_per_byte"]], [CACHES, values["copy_far_s_per_byte"]]],
        "call_overhead_s": values["call_overhead_s"],
    }


MPI = Terms(_OF_MPI, _MADE_FOR_MPI, _for_mpi)

#: By protocol: latency between nodes, inside one, of each byte up to a piece, the gap, and the largest rate.
_USUAL = {
    "ll": (2.9e-6, 6.6e-7, 5.2e-11, 1e-8, 1e10),
    "ll128": (3.9e-6, 2.4e-6, 1.6e-11, 1e-6, 5e10),
    "simple": (1.5e-5, 3.5e-6, 4e-11, 4e-6, 5e10),
}


def _of_protocol(name: str) -> tuple[Term, ...]:
    latency, inside, each, gap, cap = _USUAL[name]
    return (
        Term(f"{name}_latency_s", "s", latency, 1e-7, 1e-3, f"a message of protocol {name} between nodes"),
        Term(f"{name}_inside_latency_s", "s", inside, 1e-8, 1e-4, "inside a node"),
        Term(f"{name}_s_per_byte", "s/B", each, 1e-13, 1e-9, "and each of its bytes, up to 128 KiB"),
        Term(f"{name}_gap_s", "s", gap, 1e-9, 1e-4, "between two messages of a connection between nodes"),
        Term(f"{name}_flow_cap", "B/s", cap, 1e8, 1e12, "largest rate of a message between nodes, flags included"),
    )


_OF_GPUS = (
    Term("launch_s", "s", 4.3e-6, 1e-7, 1e-3, "entering a collective"),
    *(term for name in PROTOCOLS for term in _of_protocol(name)),
)
_MADE_FOR_GPUS = {"launch_s": ("launch_s",)} | {
    f"{name}_{setting}": tuple(f"{name}_{term}" for term in terms)
    for name in PROTOCOLS
    for setting, terms in (
        ("latency", ("latency_s", "s_per_byte")),
        ("inside_latency", ("inside_latency_s", "s_per_byte")),
        ("gap", ("gap_s",)),
        ("flow_cap", ("flow_cap",)),
    )
}


def _for_gpus(values: Mapping[str, float], base: Settings) -> dict[str, object]:
    """Costs of a library of GPUs, else those of `base`."""
    made: dict[str, object] = {**base, "launch_s": values["launch_s"]}
    for name in PROTOCOLS:
        each = values[f"{name}_s_per_byte"]
        for place in ("latency", "inside_latency"):
            fixed = values[f"{name}_{place}_s"]
            made[f"{name}_{place}"] = [[0, fixed, each], [PIECE, fixed + each * PIECE, 0.0]]
        made[f"{name}_gap"] = [[0, values[f"{name}_gap_s"], 0.0]]
        made[f"{name}_flow_cap"] = values[f"{name}_flow_cap"]
    return made


GPUS = Terms(_OF_GPUS, _MADE_FOR_GPUS, _for_gpus)
