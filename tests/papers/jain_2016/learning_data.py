"""Packs what the study `learning` wrote into `learning.parquet`, a row for each sample, and reads it for other modules.

    python -m tests.papers.jain_2016.learning_data FOLDER

FOLDER is the one of a `netloom run examples/learning.toml -o FOLDER`, or holds one such folder for each experiment.
Sets that it does not have stay as they are in the file; those that neither has are named. Equal tables give the same
bytes.
"""

from __future__ import annotations

import argparse
import csv
import sys
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from netloom.learning import NINETEEN, Raw, Samples, read_table, samples

from ..findings import ROOT
from .learning_sets import CODES, LARGE, PARTITIONS, SMALL, Code

FILE = Path(__file__).parent / "learning.parquet"
#: Means of links within 5 % of the most: the other definition of top outliers (E4-05).
NEAR = {name: column.replace("_to_", "_near_") for name, column in NINETEEN.items() if "_to_" in column}
KERNELS, APPLICATIONS = ("2D Halo", "3D Halo", "Sub A2A"), ("MILC", "pF3D")


@dataclass(frozen=True)
class Set:
    """One of the sixteen of table 4.4."""

    code: Code
    nodes: int
    size: str

    @property
    def name(self) -> str:
        """That of its experiment."""
        return f"{self.label} {self.nodes}".replace(" ", "-").lower()

    @property
    def label(self) -> str:
        """That of its workload."""
        return f"{self.code.name} {self.size}".strip()

    @property
    def shown(self) -> str:
        """As charts and findings name it."""
        return f"{self.label}, {self.nodes:,} nodes"


SETS = tuple(
    Set(code, nodes, size)
    for nodes in PARTITIONS
    for code in CODES
    for size in ((SMALL, LARGE) if code.sized else ("",))
)


def pack(folder: Path) -> list[str]:
    """Write the file; what is missing."""
    loaded = tomllib.loads((ROOT / "examples" / "learning.toml").read_text(encoding="utf-8"))
    axes = {one["name"]: one["axes"] for one in loaded["experiment"]}
    orders = {one["name"]: [row["order"] for row in one["zip"]["mapping"]] for one in loaded["experiment"]}
    packed = _packed()
    rows: list[dict[str, object]] = []
    missing = []
    for one in SETS:
        made = list(_rows(folder, one)) or packed.get(one.name, [])
        if [row["order"] for row in made] != orders[one.name]:
            number = len(orders[one.name])
            missing.append(
                f"{one.name}: {len(made)} samples" + (" of other mappings" if len(made) == number else f" of {number}")
            )
            continue
        said = axes[one.name]
        head = {"set": one.name, "nodes": one.nodes, "code": one.code.name, "size": one.size}
        head |= {"network": said["network"]["value"], "workload": said["workload"]["value"]}
        rows += [head | row for row in made]
    if rows:
        columns = {name: [row[name] for row in rows] for name in rows[0]}
        pq.write_table(pa.table(columns), FILE, compression="zstd", compression_level=19, write_statistics=False)
    return missing


def _packed() -> dict[str, list[dict[str, object]]]:
    """What the file has of each set, without what the study says of it."""
    if not FILE.is_file():
        return {}
    found: dict[str, list[dict[str, object]]] = {}
    for row in pq.read_table(FILE).to_pylist():
        name = row.pop("set")
        for said in ("nodes", "code", "size", "network", "workload"):
            del row[said]
        found.setdefault(name, []).append(row)
    return found


def _rows(folder: Path, one: Set) -> Iterable[dict[str, object]]:
    """Samples of a set in the order of their mappings."""
    name = f"tables/{one.name}.csv"
    found = [path for path in (folder / name, folder / one.name / name) if path.is_file()]
    if not found:
        return []
    with found[0].open(newline="", encoding="utf-8") as stream:
        read = sorted(csv.DictReader(stream), key=lambda row: int(row["at"]))
    numbers = ("time_s", *NINETEEN.values(), *NEAR.values())
    return [
        {"at": int(row["at"]), "order": row["order"]} | {name: float(row[name]) for name in numbers} for row in read
    ]


@cache
def table() -> Raw:
    """All samples."""
    return read_table(FILE)


def there() -> list[Set]:
    """The sets that the file has."""
    known = set(map(str, table().columns["set"]))
    return [one for one in SETS if one.name in known]


def lacking() -> list[str]:
    """Names of the sets that it has not."""
    return [one.shown for one in SETS if one not in there()]


def of(one: Set) -> Samples:
    """The samples of one set, with all nineteen features."""
    return _of(one.name)


@cache
def _of(name: str) -> Samples:
    return samples(table().where({"set": name}), "time_s", list(NINETEEN.values()))


def times(one: Set) -> np.ndarray:
    """Seconds of all mappings of a set."""
    observed = of(one).observed
    assert observed is not None
    return observed


def features(one: Set, columns: list[str]) -> np.ndarray:
    """Some columns of a set, near means too."""
    return samples(table().where({"set": one.name}), "time_s", columns).values


def chosen(
    codes: Sequence[str] = KERNELS, nodes: int | None = None, size: str | None = None, among: Sequence[Set] = ()
) -> list[Set]:
    """The sets of some codes, of one number of nodes, of one size of message, of those that are there or of others."""
    return [
        one
        for one in among or there()
        if one.code.name in codes and nodes in (None, one.nodes) and size in (None, one.size)
    ]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.papers.jain_2016.learning_data", description=__doc__)
    parser.add_argument("folder", type=Path)
    for line in pack(parser.parse_args().folder):
        print(f"missing: {line}", file=sys.stderr)
    print(f"{FILE.name}: {len(there())} of {len(SETS)} sets, {table().rows} samples")
