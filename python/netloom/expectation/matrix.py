"""A matrix of rates held against its own sound pairs, and against what a machine lets through."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from ..base.errors import Fault, NetloomError
from .answer import Expectation, Finding, LeftOut, PairHeld, ran
from .levels import Levels, levels
from .slow_pairs import Names, Slow, together

if TYPE_CHECKING:
    from ..measured import Measurements, PairMatrix
    from ..measured.reading import Options
    from .levels import Logs
    from .machine_pairs import PairRates

#: Smallest number of nodes of which one can be told to be slow.
LEAST_NODES = 3


def of_matrix(found: Measurements, options: Options, rates: PairRates | None = None) -> Expectation:
    """Every matrix of a file.

    Parameters
    ----------
    options
        Nodes and ranks per node, if they are said: a matrix of as many ranks is one of ranks.
    rates
        What the machine lets through; None without one.

    Raises
    ------
    NetloomError
        `NL-X010` for a matrix of another number of nodes than is said, `NL-V001` for one without pairs.
    """
    pairs: list[PairHeld] = []
    findings: list[Finding] = []
    notes, lost, too_slow = list(found.notes), 0.0, []
    for matrix in found.pairs:
        names = _names(matrix, options)
        logs = _between_nodes(matrix, names)
        if not any(rate is not None for row in logs for rate in row):
            sentence = "has no pair of two nodes"
            raise NetloomError([Fault("NL-V001", matrix.place, sentence, "", "give the rates between nodes")])
        model = levels(logs)
        lets = None if rates is None else rates.of(matrix, names.each)
        pairs += _held(matrix, logs, model, None if lets is None else lets.bound_bytes_per_s)
        slow = Slow(logs, model, names)
        findings += slow.findings()
        lost += slow.lost
        sound = math.exp(model.sound)
        if lets is not None and (all_slow := lets.finding(sound, _what(matrix))) is not None:
            too_slow.append(all_slow)
        if len(names.rows) < LEAST_NODES * names.each:
            notes.append(f"{matrix.place}: two nodes do not tell which of them is slow")
        below = f"{100 * math.exp(-model.limit):.0f} %"
        notes.append(f"{_what(matrix)}: sound pairs reach {sound / 1e9:.4g} GB/s; one below {below} of it is slow")
    findings = [*too_slow, *together(findings, lost)]
    name = "" if rates is None else rates.machine
    left_out = [] if findings else [LeftOut("slow-node", "no node is slower than the others by more than pairs differ")]
    places = [(gone.place, gone.reason) for gone in found.dropped]
    return Expectation(name, (), pairs, findings, left_out, places, notes)


def _names(matrix: PairMatrix, options: Options) -> Names:
    nodes, each, rows = options.get("nodes"), options.get("ranks_per_node") or 1, len(matrix.nodes)
    if nodes is not None and each > 1 and rows == nodes * each:
        return Names(matrix.nodes, each)
    if nodes is not None and rows != nodes:
        expected = f"a matrix of {nodes} nodes" + (f", or of their {nodes * each} ranks" if each > 1 else "")
        raise NetloomError([Fault("NL-X010", matrix.place, expected, f"{rows} rows", "leave --nodes out")])
    return Names(matrix.nodes)


def _between_nodes(matrix: PairMatrix, names: Names) -> Logs:
    return [
        [None if rate is None or a // names.each == b // names.each else math.log(rate) for b, rate in enumerate(row)]
        for a, row in enumerate(matrix.bytes_per_s)
    ]


def _what(matrix: PairMatrix) -> str:
    return ran(matrix.collective, matrix.ranks_per_node) or "pairs"


def _held(matrix: PairMatrix, logs: Logs, model: Levels, bound: float | None) -> list[PairHeld]:
    """A pair that was measured once is one row."""
    once = all(
        matrix.bytes_per_s[b][a] == rate for a, row in enumerate(matrix.bytes_per_s) for b, rate in enumerate(row)
    )
    like = PairHeld(matrix.collective, matrix.ranks_per_node, "", "", 0.0, math.exp(model.sound), True, bound)
    return [
        replace(
            like,
            source=matrix.nodes[a],
            target=matrix.nodes[b],
            bytes_per_s=math.exp(rate),
            healthy=not model.lost(a, b, rate),
        )
        for a, row in enumerate(logs)
        for b, rate in enumerate(row)
        if rate is not None and not (once and b < a)
    ]
