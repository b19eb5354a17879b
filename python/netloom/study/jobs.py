"""The lists of jobs of a study, [[experiment.jobs.NAME]], as text that a run's scenario takes."""

from __future__ import annotations

from collections.abc import Mapping

from ..base.errors import Fault, NetloomError
from ..jobs.codes import BAD_VALUE
from ..jobs.tables import of_toml, to_toml
from .values import Scalar, filled

#: Enough to check the keys of a list before its network is there.
_MANY_ENDPOINTS = 1 << 31


def job_list(rows: list[dict[str, object]], values: Mapping[str, Scalar]) -> str:
    """A list of the study as the text that `netloom.read` takes, its placeholders filled.

    Raises
    ------
    NetloomError
        NL-J001, NL-J002: all that is wrong with its keys.
    """

    def fill(value: object) -> object:
        if not isinstance(value, str):
            return value
        return _filled(value, values)

    text = to_toml([{key: fill(value) for key, value in row.items()} for row in rows])
    of_toml(text, "jobs", _MANY_ENDPOINTS)
    return text


def _filled(text: str, values: Mapping[str, Scalar]) -> str:
    try:
        return filled(text, lambda name: str(values[name]))
    except ValueError as error:
        raise NetloomError([Fault(BAD_VALUE, "jobs", str(error))]) from None
