"""Algorithms that libraries have, of which one ran where a log does not name it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ..validation.predict import ranks_are_gpus
from ..workload import DEFAULT

if TYPE_CHECKING:
    from ..measured import Measurement
    from ..validation import Predictor

#: Of MPICH and Open MPI, by collective.
OF_MPI: dict[str, tuple[str, ...]] = {
    "allreduce": ("recursive-doubling", "rabenseifner", "ring"),
    "allgather": ("recursive-doubling", "bruck", "ring"),
    "reduce-scatter": ("recursive-halving", "pairwise", "ring"),
    "alltoall": ("linear", "pairwise", "bruck"),
    "broadcast": ("binomial", "scatter-allgather", "scatter-ring", "double-tree"),
    "reduce": ("binomial", "rabenseifner"),
    "gather": ("binomial", "linear"),
    "scatter": ("binomial", "linear"),
    "barrier": ("dissemination", "recursive-doubling"),
    "scan": ("recursive-doubling",),
    "exscan": ("recursive-doubling",),
}
PROTOCOLS = ("ll", "ll128", "simple")


@dataclass(frozen=True)
class OnGpus:
    """An algorithm of a library of GPUs.

    Parameters
    ----------
    parameters
        With `{each}` for the GPUs of a node.
    protocols
        With which it is run.
    has_channels
        Whether it runs over a channel for each GPU of a node.
    """

    name: str
    parameters: str = ""
    protocols: tuple[str, ...] = PROTOCOLS
    has_channels: bool = True

    def calls(self, each: int, known: Sequence[str]) -> list[str]:
        """With each of its protocols that is known; without one if none is."""
        own = [self.parameters.format(each=each)] if self.parameters else []
        channels = [f"channels={each},local={each}"] if each > 1 and self.has_channels else []
        protocols = [[f"protocol={name}"] for name in self.protocols if name in known] or [[]]
        given = [",".join([*own, *channels, *protocol]) for protocol in protocols]
        return [f"{self.name}({one})" if one else self.name for one in given]


#: Of NCCL and RCCL: a tree takes small vectors in one piece and larger ones in several.
OF_GPUS: dict[str, tuple[OnGpus, ...]] = {
    "allreduce": (
        OnGpus("ring"),
        OnGpus("chained-trees", "chain={each},segments=1", ("ll",)),
        OnGpus("chained-trees", "chain={each},segments=16", ("ll128", "simple")),
    ),
    "allgather": (OnGpus("ring"),),
    "reduce-scatter": (OnGpus("ring"),),
    "broadcast": (OnGpus("chain"),),
    "reduce": (OnGpus("chain"),),
    "alltoall": (OnGpus("linear", protocols=("simple",), has_channels=False),),
}
_LIBRARIES = ("nccl", "rccl")


@dataclass(frozen=True)
class Usual:
    """What libraries run on a machine.

    Attributes
    ----------
    are_gpus
        Whether its ranks are GPUs.
    protocols
        Those of a library of GPUs whose costs are known.
    """

    are_gpus: bool
    protocols: tuple[str, ...]

    @staticmethod
    def of_machine(predictor: Predictor) -> Usual:
        """As its scenario says."""
        software = predictor.base["software"]
        known = software if isinstance(software, Mapping) else {}
        return Usual(ranks_are_gpus(predictor.base), tuple(name for name in PROTOCOLS if f"{name}_latency" in known))

    def candidates(self, row: Measurement) -> list[Measurement]:
        """The row as each algorithm that may have run: itself if it names one."""
        if row.algorithm not in (DEFAULT, ""):
            return [row]
        is_gpus = self.are_gpus and row.library.partition(" ")[0] in ("", *_LIBRARIES)
        names = OF_MPI.get(row.collective, ())
        if is_gpus and row.collective in OF_GPUS:
            of_gpus = OF_GPUS[row.collective]
            names = tuple(call for one in of_gpus for call in one.calls(row.ranks_per_node, self.protocols))
        return [replace(row, algorithm=name) for name in names] or [row]
