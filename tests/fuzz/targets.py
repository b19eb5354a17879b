"""What is fed: per kind of input its seeds, and the commands that read it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from . import traces

SEEDS = Path(__file__).with_name("seeds")
#: The fabric of the tables.
FABRIC = str(SEEDS / "fabric" / "two_leaves.ibnetdiscover")
#: Stands for the input's file in a command, or for its text.
FILE, TEXT = "{file}", "{text}"


@dataclass(frozen=True)
class Target:
    """One kind of input.

    Parameters
    ----------
    name
        Folder of its seeds.
    commands
        Each a command line with `FILE` or `TEXT` in it; empty if `read` is called with the file instead.
    folder
        Of the seeds, where it is that of other tests; what explains them is none.
    """

    name: str
    commands: tuple[tuple[str, ...], ...] = ()
    read: Callable[[Path], object] | None = None
    folder: Path | None = None

    def seeds(self) -> list[tuple[str, bytes]]:
        """Contents and endings of its files; each line of a file of texts is one."""
        found = []
        for path in sorted((self.folder or SEEDS / self.name).iterdir()):
            if path.name == "README.md":
                continue
            data = path.read_bytes()
            texts = data.splitlines() if self.takes_text else [data]
            found += [(path.suffix, text) for text in texts]
        return found

    @property
    def takes_text(self) -> bool:
        return any(TEXT in word for command in self.commands for word in command)


def _prices(path: Path) -> object:
    from netloom.cost.model import cost_model

    return cost_model(path)


def _journal(path: Path) -> object:
    from netloom.study.sealed import read_lines

    with path.open("rb") as file:
        return read_lines(file)


def _summary(path: Path) -> object:
    from netloom.study.index import summary_of

    return summary_of(path)


def _measured(path: Path) -> object:
    from netloom import NetloomError, measured
    from netloom.measured.codes import NOT_SAID

    try:
        return measured.read(path)
    except NetloomError as error:
        if error.faults[0].code != NOT_SAID:
            raise
    return measured.read(path, nodes=4, ranks_per_node=2)


TARGETS = (
    Target("study", (("run", FILE, "--check"),)),
    Target("scenario", (("evaluate", FILE),)),
    Target("jobs", (("loads", "-n", "ring(16)", "--jobs", FILE, "-t", "uniform"),)),
    Target("calibration", (("simulate", "-n", "ring(4)", "-c", "allreduce:ring", "--calibration", FILE),)),
    Target("steps", (("hops", "-n", "ring(8)", "-t", FILE),)),
    Target("prices", read=_prices),
    Target("journal", read=_journal),
    Target("summary", read=_summary),
    Target("network", (("describe", FILE, "--no-bisection"), ("convert", FILE, "-", "--to", "graphml"))),
    Target("fabric", (("describe", FILE, "--no-bisection"), ("convert", FILE, "-", "--to", "root-guids"))),
    Target("tables", (("describe", FABRIC, "--no-bisection", "--lft", FILE),)),
    Target("hierarchy", (("node", FILE), ("node", FILE, "--keep", "sockets,numa"))),
    Target("ranks", (("hops", "-n", "ring(8)", "-c", "broadcast:binomial", "--mapping", FILE),)),
    Target("traffic", (("hops", "-n", "ring(8)", "-t", FILE), ("loads", "-n", "ring(8)", "-t", FILE))),
    Target("trace", (("simulate", "-n", "ring(4)", "--trace", FILE),)),
    Target("kineto", (("simulate", "-n", "ring(4)", "--trace", FILE), ("describe", FILE))),
    Target("nccl-log", (("simulate", "-n", "ring(4)", "--trace", FILE), ("describe", FILE))),
    Target("nsys", (("simulate", "-n", "ring(4)", "--trace", FILE), ("describe", FILE))),
    Target("record", read=traces.order),
    Target("trace-smpi", read=traces.smpi),
    Target("trace-goal", read=traces.alone),
    Target("trace-goal-binary", read=traces.alone),
    Target("trace-chakra", read=traces.chakra),
    Target("trace-dumpi", read=traces.alone),
    Target("trace-dumpi-ascii", read=traces.alone),
    Target("trace-ipm", read=traces.alone),
    Target("trace-mpisee", read=traces.alone),
    Target("trace-kineto", read=traces.alone, folder=SEEDS / "kineto"),
    Target("trace-nccl-log", read=traces.alone, folder=SEEDS / "nccl-log"),
    Target("trace-nsys", read=traces.alone, folder=SEEDS / "nsys"),
    Target("trace-otf2", read=traces.otf2),
    Target("measured", read=_measured, folder=SEEDS.parents[1] / "data" / "measured"),
    Target("osu", (("calibrate", FILE, "--latency", "1 us", "--bandwidth", "100 Gbps"),)),
    Target("call-network", (("describe", TEXT, "--no-bisection"),)),
    Target("call-collective", (("verify", TEXT, "--ranks", "8"),)),
    Target("call-placement", (("hops", "-n", "ring(8)", "-c", "broadcast:binomial", "--ranks", "4", "-p", TEXT),)),
    Target("call-order", (("hops", "-n", "ring(8)", "-c", "broadcast:binomial", "--order", TEXT),)),
    Target("call-number", (("hops", "-n", "ring(8)", "-c", "broadcast:binomial", "--ranks", TEXT),)),
    Target("call-levels", (("enumerate", TEXT, "--communicator", "4"),)),
    Target("call-node", (("hops", "-n", "ring(8)", "-c", "broadcast:binomial", "--ranks", "8", "--node", TEXT),)),
    Target(
        "call-switch",
        (("simulate", "-n", "ring(4)", "-c", "broadcast:binomial", "--model", "packet", "--switch", TEXT),),
    ),
    Target("call-sizes", (("collectives", "-n", "ring(4)", "--ranks", "4", "--sizes", TEXT),)),
    Target("call-application", (("simulate", "-n", "ring(8)", "-a", TEXT),)),
)


def chosen(only: str) -> tuple[Target, ...]:
    """The targets whose names begin with one of these words, all of them by default."""
    words = tuple(only.split(","))
    return tuple(target for target in TARGETS if target.name.startswith(words))
