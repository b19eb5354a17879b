"""What `netloom.loads` gives."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..quantities import amount_text
from . import words

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from .. import _core

#: The numbers of one class of links, in the order of Jain 2016's box plots; then the mean and the rest.
SIX = ("min_bytes", "q1_bytes", "median_bytes", "mean_bytes", "q3_bytes", "max_bytes")


class Loads:
    """Bytes on links, per class, per job, and the causes of the hottest links.

    Attributes
    ----------
    classes
        Per class of links (`all` switch links, the topology's own classes, `injection`, `ejection`) a dict of `links`,
        `used`, `total_bytes` and the six numbers `SIX`.
    jobs
        Per job a dict of `name`, `variant`, `routing`, `messages`, `bytes_sent`, `switch_messages`, `switch_bytes` (of
        messages that leave their switch), `links` (as of `classes`); with several jobs also `slowdown` (time on the
        job's worst link with all jobs over that alone), `slowdown_by` and `met_bytes` (per other job: the slowdown with
        it alone; its mean bytes on a link that a byte of this job crosses).
    hottest
        Links by falling time (bytes over bandwidth): dict of `link`, `from_switch`, `to_switch`, `class`, `bytes`,
        `seconds`, and `jobs`: per job `job`, `bytes`, `flows`, `offsets` (rank distance, bytes) and `pairs` (ranks,
        bytes).
    messages, bytes_sent
        Between different endpoints.
    rounds, last_gain, flows
        Of the iteration: rounds made, what the last one added to all bandwidth given, flows held.
    """

    def __init__(
        self, net: _core.Network, names: list[str], ways: list[tuple[str, str]], found: dict[str, Any]
    ) -> None:
        self.network = net
        self.classes: dict[str, dict[str, Any]] = found["classes"]
        self.jobs: list[dict[str, Any]] = [
            {"name": name, "routing": routing, "variant": variant, **row}
            for name, (routing, variant), row in zip(names, ways, found["jobs"], strict=True)
        ]
        self.hottest: list[dict[str, Any]] = found["hottest"]
        self.messages: int = found["messages"]
        self.bytes_sent: int = found["bytes_sent"]
        self.switch_bytes: int = found["switch_bytes"]
        self.rounds: int = found["rounds"]
        self.last_gain: float = found["last_gain"]
        self.flows: int = found["flows"]
        self._columns = {key: found.get(key) for key in ("link_bytes", "group_bytes")}
        self._by_job = [row.pop("link_bytes", None) for row in self.jobs]

    @property
    def link_bytes(self) -> NDArray[np.float64]:
        """Per directed link: switch links, then injection, then ejection. Needs `arrays`."""
        column: NDArray[np.float64] = self._column("link_bytes")
        return column

    @property
    def group_bytes(self) -> NDArray[np.float64] | None:
        """From group to group over their links, shape (groups, groups), inside one on the diagonal; None without."""
        found: NDArray[np.float64] | None = self._columns["group_bytes"]
        return found

    def job_link_bytes(self, job: int) -> NDArray[np.float64]:
        """Per directed switch link, of one job. Needs `arrays`."""
        if self._by_job[job] is None:
            raise ValueError("loads were computed with arrays=False")
        column: NDArray[np.float64] = self._by_job[job]
        return column

    def _column(self, name: str) -> Any:
        if self._columns[name] is None:
            raise ValueError("loads were computed with arrays=False")
        return self._columns[name]

    @property
    def mean_hops(self) -> float:
        """Switch links that a byte crosses, over all bytes between different endpoints."""
        return float(self.classes["all"].get("total_bytes", 0.0)) / self.bytes_sent if self.bytes_sent else 0.0

    def explain(self) -> list[str]:
        """What loads the network most and who is behind it, one sentence each."""
        return words.explain(self)

    def to_dict(self) -> dict[str, Any]:
        """Everything but the columns, as JSON takes it."""
        keys = ("messages", "bytes_sent", "switch_bytes", "rounds", "last_gain", "flows", "classes", "jobs", "hottest")
        return {"mean_hops": self.mean_hops} | {key: getattr(self, key) for key in keys}

    def __repr__(self) -> str:
        most = self.classes["all"].get("max_bytes", 0.0)
        return f"<Loads of {len(self.jobs)} jobs on {self.network.label}: at most {amount_text(most)} on a link>"
