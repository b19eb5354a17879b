"""The result of the evaluator `loads`."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ...base.arrays import ndarray
from ...base.quantities import amount_text
from ..answer import Row
from ..answers import LoadsAnswer
from ..base import SEARCH
from ..core import count, number
from ..core import rows as core_rows
from ..features import OF_LOADS
from . import of_core, words

if TYPE_CHECKING:
    import numpy as np
    from matplotlib.figure import Figure

    from ... import _core
    from ...base.arrays import Matrix, Vector
    from ...base.records import Found
    from ..base import Options
    from .interference import Interference

#: The numbers of one class of links, in the order of Jain 2016's box plots; then the mean and the rest.
SIX = ("min_bytes", "q1_bytes", "median_bytes", "mean_bytes", "q3_bytes", "max_bytes")


class Loads(LoadsAnswer):
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
    ends
        Of the links of endpoints those that carry most, of sending and of receiving: dict of `class` (`injection` or
        `ejection`), `endpoint`, `level` (others that carry as much), `bytes`, and `jobs`: per job `job` and `bytes`,
        largest first.
    messages, bytes_sent
        Between different nodes; where no node is given, every endpoint is one.
    inter_node_bytes, inside_bytes
        `bytes_sent`, on rail clusters without those between GPUs of a node; and bytes between ranks of one node,
        None where no node is given.
    levels
        Per level of the nodes that carries anything, outermost first, a dict of `level`, `links`, `used`, `max_bytes`,
        `mean_bytes` and `max_s`, the time that the most bytes on a link take.
    rounds, last_gain, flows
        Of the iteration: rounds made, what the last one added to all bandwidth given, flows held.
    """

    def __init__(
        self,
        net: _core.Network,
        ways: list[tuple[str, str]],
        found: Found,
        options: Options,
    ) -> None:
        from . import rows

        super().__init__(
            lambda: rows.record(self), lambda: rows.tables(self, options), says=lambda: words.explain(self)
        )
        tables = found["tables"]
        self.network = net
        self.classes = of_core.classes(tables)
        self.jobs = of_core.jobs(tables, ways)
        self.hottest = of_core.hottest(tables)
        self.ends = of_core.ends(tables)
        self.messages, self.bytes_sent = count(found, "messages"), count(found, "bytes_sent")
        self.switch_bytes, self.rounds = count(found, "switch_bytes"), count(found, "rounds")
        total = self.classes["all"].get("total_bytes", 0.0)
        self.mean_hops = total / self.bytes_sent if self.bytes_sent else 0.0
        self.last_gain, self.flows = number(found, "last_gain"), count(found, "flows")
        self.inter_node_bytes = count(found, "inter_node_bytes")
        self.endpoint_max_bytes = number(found, "endpoint_max_bytes")
        #: Columns of the record that only some runs have.
        self.extra: Row = dict.fromkeys(("contentions", *(column.name for column in SEARCH)))
        self.extra |= {name: found["record"][name] for name in OF_LOADS}
        self.inside_bytes = None if found["record"]["inside_bytes"] is None else count(found, "inside_bytes")
        self.levels: list[Row] = [*core_rows(tables["levels"])] if "levels" in tables else []
        self._tables_of_links = {key: tables[key]["bytes"] for key in ("links", "job_links", "groups") if key in tables}
        #: Sentences: what is not counted, and who takes part.
        self.remarks: list[str] = []
        #: Simulations of pairs of jobs, where a scenario is at hand.
        self.interference: Interference | None = None
        self.more = {"classes": self.classes, "jobs": self.jobs, "hottest": self.hottest, "ends": self.ends}

    @property
    def link_bytes(self) -> Vector[np.float64]:
        """Per directed link: switch links, then injection, then ejection. Needs `arrays`."""
        return self._column("links")

    @property
    def group_bytes(self) -> Matrix[np.float64] | None:
        """From group to group over their links, shape (groups, groups), inside one on the diagonal; None without."""
        if "groups" not in self._tables_of_links:
            return None
        column = self._column("groups")
        groups = math.isqrt(len(column))
        square: Matrix[np.float64] = column.reshape(groups, groups)
        return square

    def job_link_bytes(self, job: int) -> Vector[np.float64]:
        """Per directed switch link, of one job. Needs `arrays`."""
        mine: Vector[np.float64] = self._column("job_links").reshape(len(self.jobs), -1)[job]
        return mine

    def _column(self, name: str) -> Vector[np.float64]:
        if name not in self._tables_of_links:
            raise ValueError("loads were computed with arrays=False")
        column: Vector[np.float64] = ndarray(self._tables_of_links[name])
        return column

    def picture(self, kind: str = "classes") -> Figure:
        """A picture: `classes` (box plots), `histogram`, `groups`, `slices`, `minimaps` (of a torus or mesh), `jobs`.

        Raises
        ------
        NetloomError
            `NL-A002` for another kind, and where there is nothing of the kind to draw.
        """
        from ...base.errors import Fault, NetloomError
        from ...base.nearest import did_you_mean
        from .pictures import PICTURES

        if kind not in PICTURES:
            hint = did_you_mean(kind, PICTURES, "pictures")
            raise NetloomError([Fault("NL-A002", "picture", f'there is no picture "{kind}"', "", hint)])
        made: Figure = PICTURES[kind](self)
        return made

    def __getstate__(self) -> dict[str, object]:
        # What simulates pairs of jobs has said it: it stands on the scenario, which stays here.
        return super().__getstate__() | {"interference": None}

    def __repr__(self) -> str:
        most = self.classes["all"].get("max_bytes", 0.0)
        return f"<Loads of {len(self.jobs)} jobs on {self.network.label}: at most {amount_text(most)} on a link>"
