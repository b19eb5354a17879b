"""The lists of jobs of a study, [[experiment.jobs.NAME]], as text that a run's scenario takes."""

from __future__ import annotations

from collections.abc import Mapping

from ..jobs.tables import of_toml, to_toml
from .values import PLACEHOLDER, Scalar

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
        return PLACEHOLDER.sub(lambda match: str(values[match[1]]), value)

    text = to_toml([{key: fill(value) for key, value in row.items()} for row in rows])
    of_toml(text, "jobs", _MANY_ENDPOINTS)
    return text
