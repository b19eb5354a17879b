"""The size of collectives: where it is used, and where it has no effect."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from ..base.errors import Fault, NetloomError
from ..base.quantities import parse_bytes
from ..workload.resolve import instead_of_size, takes_size
from .axes import BY_NAME
from .codes import NOT_USED

if TYPE_CHECKING:
    from .question import Question

NAME = "size_bytes"


def size_of(bound: Question) -> int:
    """The size of collectives in a scenario.

    Raises
    ------
    NetloomError
        `NL-H003` for one that is given and no job uses: patterns and applications have bytes of their own.
    """
    size = _bytes_of(bound.value(NAME))
    if size == BY_NAME[NAME].default or NAME not in bound.scenario:
        return size
    jobs = [job for job in bound.jobs if job.size_bytes is None] if bound.several else []
    sources = [bound.work.source_of(job) for job in jobs] if bound.several else [bound.value("workload")]
    texts = [source for source in sources if isinstance(source, str) and source]
    folder = bound.workshop.calls.folder
    if texts and not any(takes_size(text, folder) for text in texts):
        sentence = f'has no effect: "{texts[0][:60]}" does not take the size of a collective'
        raise NetloomError([Fault(NOT_USED, NAME, sentence, "", instead_of_size(texts[0], folder))])
    return size


def without_unused(said: Mapping[str, object], folder: Path | None = None) -> dict[str, object]:
    """The inputs of one of many scenarios without a size that its workload does not use.

    Raises
    ------
    NetloomError
        For a workload that nothing is called, and a size that is none.
    """
    source = said.get("workload")
    one = NAME in said and not said.get("jobs") and isinstance(source, str) and source
    unused = one and not takes_size(str(source), folder)
    if unused:
        _bytes_of(said[NAME])
    return {name: value for name, value in said.items() if name != NAME or not unused}


def _bytes_of(value: object) -> int:
    return parse_bytes(value if isinstance(value, (int, str)) else str(value), NAME)
