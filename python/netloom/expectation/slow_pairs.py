"""What is slow in a matrix of rates: nodes, ranks, one direction of a node, groups of nodes apart, single pairs."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from statistics import median
from typing import TYPE_CHECKING

from .answer import Finding

if TYPE_CHECKING:
    from .levels import Levels, Logs

#: Single pairs that are named.
MOST_PAIRS = 8
_REMEDIES = {
    "slow-node": "Look at the node's NICs, their PCIe slots and cables, its clocks and other processes.",
    "slow-rank": "Look at the NIC, the PCIe slot and the GPU or core of this rank.",
    "slow-sender": "The node receives well: look at errors and credits of its port towards the switch.",
    "slow-receiver": "The node sends well: look at errors of the switch's port to it, and for copies in its memory.",
    "congested-spine": "Look for cables that are down and for traffic of other jobs between the groups.",
    "slow-pair": "Both are quick with others: look at the cables and switches between them, and measure again.",
}


@dataclass(frozen=True)
class Names:
    """Names of the rows of a matrix, which are the nodes or ranks of nodes.

    Attributes
    ----------
    rows
        By row.
    each
        Rows of a node, one after another.
    """

    rows: tuple[str, ...]
    each: int = 1

    def node(self, row: int) -> str:
        """The node of a row."""
        return self.rows[row] if self.each == 1 else f"node {row // self.each}"

    def row(self, row: int) -> str:
        """The row itself."""
        return self.rows[row] if self.each == 1 else f"rank {self.rows[row]} of node {row // self.each}"


class Slow:
    """Explanations of one matrix.

    Parameters
    ----------
    logs
        Logarithms of the rates; None where nothing was measured.
    model
        Of them.
    """

    def __init__(self, logs: Logs, model: Levels, names: Names) -> None:
        self._logs, self._model, self._names = logs, model, names
        #: Sum of what pairs are below sound ones, as logarithms; of those that are slow.
        self.lost = sum(model.lost(*pair) for pair in self._pairs())
        #: Nodes that are quick among themselves, the most first.
        self._groups = sorted(self._connected(), key=len, reverse=True)

    def findings(self) -> list[Finding]:
        """Explanations, with the part of `lost` that each explains. O(n^2) for each."""
        model = self._model
        groups = [group for group in self._groups if len(group) > 1][1:]
        apart = {at for group in groups for at in group}
        made = [self._apart(group) for group in groups]
        both = [at for at in range(len(self._logs)) if model.senders[at] < 0.0 and model.receivers[at] < 0.0]
        made += self._nodes([at for at in both if at not in apart])
        for at in range(len(self._logs)):
            for what, effect, other, verb in (
                ("slow-sender", model.senders[at], model.receivers[at], "sends"),
                ("slow-receiver", model.receivers[at], model.senders[at], "receives"),
            ):
                if effect < 0.0 <= other:
                    words = f"it {verb} at {_share(effect)} of the rate of the others"
                    lost = self._of([(a, b) for a, b, _ in self._pairs() if at == (a if verb == "sends" else b)])
                    made.append(self._finding(what, self._names.row(at), words, lost, [at]))
        made += self._single()
        return [one for one in made if one.explains > 0.0]

    def _connected(self) -> list[list[int]]:
        left, found = list(range(len(self._logs))), []
        while left:
            group = [left.pop(0)]
            for at in group:
                near = [other for other in left if self._is_sound(at, other) and self._is_sound(other, at)]
                group += near
                left = [other for other in left if other not in near]
            found.append(sorted(group))
        return found

    def _is_sound(self, a: int, b: int) -> bool:
        rate = self._logs[a][b]
        return rate is not None and rate > self._model.sound - self._model.limit

    def _apart(self, group: Sequence[int]) -> Finding:
        across = [(a, b) for a, b, _ in self._pairs() if (a in group) != (b in group)]
        level = median(rate for a, b in across if (rate := self._logs[a][b]) is not None)
        words = (
            f"they reach the others at {_share(level - self._model.sound)} of the rate that they have among themselves"
        )
        return self._finding("congested-spine", ", ".join(map(self._names.row, group)), words, self._of(across), group)

    def _nodes(self, slow: Sequence[int]) -> list[Finding]:
        """A node whose rows are slow, nearly all of them; else the single rows."""
        made, each = [], self._names.each
        for node in sorted({at // each for at in slow}):
            rows = [at for at in slow if at // each == node]
            is_whole = len(rows) > each * 3 // 4
            for of in [rows] if is_whole else [[at] for at in rows]:
                level = sum(self._model.senders[at] + self._model.receivers[at] for at in of) / (2 * len(of))
                name = self._names.node(of[0]) if is_whole else self._names.row(of[0])
                words = f"its pairs reach {_share(level)} of the rate of the others"
                lost = self._of([(a, b) for a, b, _ in self._pairs() if a in of or b in of])
                made.append(self._finding("slow-node" if is_whole else "slow-rank", name, words, lost, of))
        return made

    def _single(self) -> list[Finding]:
        """Pairs of nodes that are both quick with others."""
        group_of = {at: number for number, group in enumerate(self._groups) for at in group if len(group) > 1}
        found: dict[tuple[int, int], float] = {}
        for a, b, rate in self._pairs():
            is_across = a in group_of and b in group_of and group_of[a] != group_of[b]
            if not is_across and rate < self._model.between(a, b) - self._model.limit:
                key = (min(a, b), max(a, b))
                found[key] = min(found.get(key, 0.0), rate - self._model.sound)
        worst = sorted(found, key=lambda pair: found[pair])[:MOST_PAIRS]
        return [
            self._finding(
                "slow-pair",
                f"{self._names.row(a)} and {self._names.row(b)}",
                f"they reach {_share(found[a, b])} of the rate of the others",
                self._of([(a, b), (b, a)]),
                [a, b],
            )
            for a, b in worst
        ]

    def _pairs(self) -> Iterator[tuple[int, int, float]]:
        for a, row in enumerate(self._logs):
            for b, rate in enumerate(row):
                if rate is not None:
                    yield a, b, rate

    def _of(self, pairs: Sequence[tuple[int, int]]) -> float:
        """What these pairs lose."""
        return sum(self._model.lost(a, b, rate) for a, b in pairs if (rate := self._logs[a][b]) is not None)

    def _finding(self, what: str, place: str, words: str, explains: float, rows: Sequence[int]) -> Finding:
        nodes = tuple(dict.fromkeys(map(self._names.node, rows)))
        return Finding(what, place, words, explains, _REMEDIES[what], nodes=nodes)


def together(findings: Sequence[Finding], lost: float) -> list[Finding]:
    """Findings of all matrices of a file, those of the same nodes as one, the best first.

    Parameters
    ----------
    lost
        Of all matrices together.
    """
    same: dict[tuple[str, str], list[Finding]] = {}
    for one in findings:
        same.setdefault((one.what, one.place), []).append(one)
    made = []
    for own in same.values():
        worst = max(own, key=lambda one: one.explains)
        says = worst.says if len(own) == 1 else f"{worst.says}; so in {len(own)} matrices"
        made.append(replace(worst, says=says, explains=sum(one.explains for one in own) / lost))
    return sorted(made, key=lambda one: -one.explains)


def _share(effect: float) -> str:
    return f"{100 * math.exp(effect):.0f} %"
