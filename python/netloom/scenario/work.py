"""What jobs communicate: workloads of texts, files and objects, and the size of collectives."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from .. import _core
from ..base.arguments import Arguments
from ..base.errors import Fault, NetloomError
from ..workload import FILES, WORDS, Workload, by_collective, kind_of, messages, stream
from .codes import NO_WORKLOAD
from .refusals import named, nothing_sent

if TYPE_CHECKING:
    from ..jobs import PlacedJob
    from .chosen import Chosen
    from .inputs import Inputs

_OBJECTS = (str, _core.Schedule, _core.Traffic, _core.Programs, _core.Sends)


class Work:
    """Workloads as objects, each created on demand.

    Parameters
    ----------
    several
        True if the scenario lists jobs.
    chosen
        Gives the algorithm of collectives that are left to a library.
    """

    def __init__(self, inputs: Inputs, several: bool, chosen: Chosen) -> None:
        self._inputs, self._several, self._chosen = inputs, several, chosen

    @cached_property
    def _algorithms(self) -> str:
        given = self._inputs.value("algorithms")
        return "; ".join(sorted(by_collective(given).values())) if given else ""

    def tells_ranks(self, source: str) -> bool:
        """True for a file, which tells its own number of ranks."""
        return kind_of(source, self._inputs.workshop.calls.folder) in FILES

    def of_file(self, source: str) -> Workload:
        """The workload of a file."""
        return self._inputs.workshop.workload(source, None, 0, 0, self._algorithms)

    def of(self, source: object, ranks: int, root: int, size_bytes: int, place: str) -> Workload:
        """The workload of a text, a file or an object."""
        arguments = Arguments("scenario")
        arguments.one_of(place, source, _OBJECTS, WORDS)
        arguments.done()
        if isinstance(source, Workload):
            return source
        if not source:
            raise nothing_sent(place)
        text = self._chosen.call(str(source), ranks, size_bytes)
        return self._inputs.workshop.workload(text, ranks, root, size_bytes, self._algorithms)

    def source_of(self, job: PlacedJob) -> Workload | str:
        """The job's own workload, or that of the scenario."""
        source: Workload | str = job.workload if job.workload is not None else self._inputs.value("workload")
        arguments = Arguments("scenario")
        arguments.one_of(f'job "{job.name[:60]}".workload', source, _OBJECTS, WORDS)
        arguments.done()
        if isinstance(source, str) and not source:
            if not self._several:
                raise nothing_sent("workload")
            hint = "give the job a workload, or the scenario one for all jobs"
            raise NetloomError([Fault(NO_WORKLOAD, f'job "{job.name[:60]}"', "does not say what it sends", "", hint)])
        return source

    def stream_of(self, job: PlacedJob, size_bytes: int) -> _core.Sends | _core.Schedule:
        """What a job sends, rank by rank and without a list; `size_bytes` where the job says none."""
        source = self.source_of(job)
        size = size_bytes if job.size_bytes is None else job.size_bytes
        try:
            folder = self._inputs.workshop.calls.folder
            if isinstance(source, str):
                source = self._chosen.call(source, job.ranks, size)
            if isinstance(source, str) and kind_of(source, folder) == "application":
                source = messages(self._inputs.workshop.workload(source, job.ranks, 0, 0, self._algorithms))
            return stream(source, job.ranks, root=job.root, size_bytes=size, folder=folder)
        except NetloomError as error:
            raise named(error, f'job "{job.name[:60]}".workload') if self._several else error from None
