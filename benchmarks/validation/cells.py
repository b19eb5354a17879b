"""Measured collectives of whole machines with what `time` says of each: the table of the study of residuals.

A cell is a row that docs/validation.md scores, one of Fugaku, or one of a machine for which a shipped one stands in.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path

from benchmarks.validation.sets import SETS, Set, pico
from netloom import _core
from netloom.base import files
from netloom.evaluate.known_error import wire_of
from netloom.library import library as known
from netloom.library import of_text
from netloom.measured import Measurement
from netloom.scenario.usual import GPUS, HOSTS
from netloom.validation import Predictor
from netloom.validation.predict import Prepared, time_s

KEPT = Path(__file__).parent / "cells.csv"
#: Costs of software that are times, whatever the bytes.
_DELAYS = ("latency", "gap", "overhead", "launch")


@dataclass(frozen=True)
class Cell:
    """A measured time, and four simulated ones.

    Parameters
    ----------
    code
        What ran it: `pico` (PICO's own code over MPI), `mpi` (a library's), `nccl`.
    predicted_s
        With the costs of the shipped machine.
    wires_s, no_delay_s
        The same where software takes no time, and where no message or call has a delay of software.
    default_s
        With the costs `mpi-rdma` or `gpu-rdma`, as of a machine that nobody has measured.
    """

    machine: str
    shipped: str
    code: str
    collective: str
    algorithm: str
    nodes: int
    ranks_per_node: int
    bytes: int
    measured_s: float
    predicted_s: float
    wires_s: float
    no_delay_s: float
    default_s: float


@dataclass(frozen=True)
class Source:
    """Measurements of a machine.

    Parameters
    ----------
    shipped
        The machine of netloom that is simulated.
    inputs
        In place of that machine's.
    """

    machine: str
    shipped: str
    read: Callable[[Path], Sequence[Measurement]]
    inputs: Mapping[str, object]


def _held(one: Set) -> Callable[[Path], list[Measurement]]:
    """The rows that docs/validation.md scores."""

    def rows(folder: Path) -> list[Measurement]:
        found = one.read(folder)
        return [row for row in found if row.nodes not in one.fitted] or found

    return rows


def _fugaku(nodes: int) -> Callable[[Path], list[Measurement]]:
    """Jobs of one shape; an alltoall of 512 ranks takes long, and is left out there as in docs/validation.md."""

    def rows(folder: Path) -> list[Measurement]:
        found = pico("fugaku")(folder)
        return [row for row in found if row.nodes == nodes and (nodes < 512 or row.collective != "alltoall")]

    return rows


def _osu(environments: Sequence[str], kind: str, ranks_per_node: int) -> Callable[[Path], list[Measurement]]:
    """Medians of osu_allreduce on all cores or all GPUs."""

    def rows(folder: Path) -> list[Measurement]:
        path, found = folder / "cloud-osu" / "osu_allreduce.csv", []
        for number, row in _lines(path):
            if row["environment"] in environments and row["kind"] == kind:
                found.append(
                    Measurement(
                        "allreduce", "default", "", int(row["nodes"]), ranks_per_node, int(row["bytes"]),
                        1e-6 * float(row["median_avg_latency_us"]), f"{path.name}:{number}", memory="host",
                    )
                )  # fmt: skip
        return found

    return rows


def _issue(folder: Path) -> list[Measurement]:
    """Rings of 1,024 H100 with protocol and channels as the row says; NCCL's go through a node before they leave it."""
    path = folder / "nccl-scattered" / "allreduce.csv"
    return [
        Measurement(
            "allreduce", "ring(protocol=ll128,channels=32,local=8)", "nccl", int(row["nodes"]),
            int(row["gpus_per_node"]), int(row["bytes"]), 1e-6 * float(row["time_us"]), f"{path.name}:{number}",
            memory="gpu",
        )
        for number, row in _lines(path)
        if row["source"] == "nccl-tests-322"
    ]  # fmt: skip


def _lines(path: Path) -> Iterator[tuple[int, dict[str, str]]]:
    with path.open(newline="", encoding="utf-8") as file:
        yield from enumerate(csv.DictReader(file), 2)


def _torus(side: int) -> dict[str, object]:
    links = 'bandwidth="6.8 GBps",latency="100 ns",endpoint_bandwidth="40.8 GBps",endpoint_latency="100 ns"'
    return {"network": f"torus({side},{side},{side},{links})"}


_NAMES = {
    "lumi-g": "LUMI-G",
    "marenostrum5-acc": "MareNostrum 5 ACC",
    "leonardo": "Leonardo",
    "dgx-h100": "Ten nodes of H100",
}
#: Machines that netloom does not ship: the one that is simulated is like them.
STAND_INS = ("Azure HB", "Lassen", "1,024 H100")
#: Nodes of 96 cores, as those of the cloud.
_HB = {"node": 'node(sockets=2,cores=48,socket_bandwidth="64 GBps",socket_memory="204.8 GBps")'}
SOURCES = (
    *(Source(_NAMES[one.machine], one.machine, _held(one), {}) for one in SETS),
    *(Source("Fugaku", "fugaku", _fugaku(side**3), _torus(side)) for side in (4, 8)),
    Source(STAND_INS[0], "generic-hdr", _osu(("aks", "cyclecloud"), "cpu", 96), _HB),
    Source(STAND_INS[1], "summit", _osu(("lassen",), "gpu", 4), {}),
    Source(STAND_INS[2], "cloud-h100-roce", _issue, {}),
)


def made(folder: Path, said: Callable[[str], object]) -> list[Cell]:
    """All cells. Cost: four simulations a row, some minutes."""
    return [cell for one in SOURCES for cell in _of(one, folder, said)]


def _of(one: Source, folder: Path, said: Callable[[str], object]) -> Iterator[Cell]:
    rows = one.read(folder)
    said(f"{one.machine}: {len(rows)} rows")
    own = Predictor(one.shipped, one.inputs)
    usual = {name: Predictor(one.shipped, {**one.inputs, "calibration": name}) for name in (HOSTS, GPUS)}
    for row in rows:
        # One after the other: a schedule of thousands of ranks takes much memory.
        found = _prepared(own, row)
        if found is None:
            said(f"left out: {own.dropped[-1]}")
            continue
        default = _prepared(usual[GPUS if _code(row) == "nccl" else HOSTS], row)
        assert default is not None
        yield Cell(
            one.machine, one.shipped, _code(row), row.collective, row.algorithm.partition("(")[0], row.nodes,
            row.ranks_per_node, row.bytes, row.time_s, time_s(found), time_s(found, _wires(found)),
            time_s(found, _no_delay(found)), time_s(default),
        )  # fmt: skip


def _prepared(predictor: Predictor, row: Measurement) -> Prepared | None:
    predictor.prepared.clear()
    predictor.prepare([row])
    return predictor.prepared[0] if predictor.prepared else None


def _code(row: Measurement) -> str:
    if row.library.startswith("pico"):
        return "pico"
    name = of_text(row.library)
    return "nccl" if name and known(name).gpu else "mpi"


def _wires(one: Prepared) -> dict[str, object]:
    return {**_core.machine_settings("machine", {}), **wire_of(one.settings)}


def _no_delay(one: Prepared) -> dict[str, object]:
    of_software = {row["name"] for row in _core.machine_params() if row["part"] == "software"}
    zeros: dict[str, object] = {
        name: [] if isinstance(value, list) else 0.0
        for name, value in one.settings.items()
        if name in of_software and any(word in name for word in _DELAYS)
    }
    return {**one.settings, **zeros}


def write(cells: Sequence[Cell], path: Path = KEPT) -> None:
    """As CSV; times to five digits."""
    lines = [",".join(one.name for one in fields(Cell))]
    for cell in cells:
        lines.append(",".join(_text(value) for value in asdict(cell).values()))
    files.write(str(path), ("\n".join(lines) + "\n").encode())


def _text(value: object) -> str:
    text = f"{value:.5g}" if isinstance(value, float) else str(value)
    return f'"{text}"' if "," in text else text


def read(path: Path = KEPT) -> list[Cell]:
    """The kept table."""
    return [_cell(row) for _, row in _lines(path)]


def _cell(row: Mapping[str, str]) -> Cell:
    blank = Cell("", "", "", "", "", 0, 0, 0, 0.0, 0.0, 0.0, 0.0, 0.0)
    return replace(blank, **{name: type(value)(row[name]) for name, value in asdict(blank).items()})
