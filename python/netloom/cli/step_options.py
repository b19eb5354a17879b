"""Options of `netloom step`: how the model is split, where it runs, what is searched."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from .options import integer, number, parameter, refused, together

if TYPE_CHECKING:
    from ..training import Model, Site, Split

#: Degrees and the micro-batch: those that are given stay as they are in a sweep.
DEGREES = ("tp", "pp", "cp", "ep", "dp", "micro_batch")
MOST = 1 << 20


@dataclass(frozen=True)
class Degrees:
    """Into how many parts each axis is cut, and the batch; as typed, None where nothing was said."""

    gpus: str
    tp: str | None
    pp: str | None
    cp: str | None
    ep: str | None
    dp: str | None
    micro_batch: str | None
    global_batch: str | None
    sequence: str | None
    interleave: str | None

    def fixed(self) -> list[str]:
        """The degrees that were given."""
        return [name for name in DEGREES if getattr(self, name) is not None]

    def whole(self, name: str, default: int) -> int:
        """One of them."""
        text = getattr(self, name)
        return default if text is None else integer(f"--{name.replace('_', '-')}", text, 1, MOST)


degrees = together(
    "degrees", Degrees,
    click.option("--gpus", required=True, metavar="N", help="GPUs of the job: tp x cp x dp x pp."),
    click.option("--tp", metavar="N", help="Tensor parallelism: ranks that share each matrix.  [default: 1]"),
    click.option("--pp", metavar="N", help="Pipeline parallelism: stages.  [default: 1]"),
    click.option("--cp", metavar="N", help="Context parallelism: parts of a sequence.  [default: 1]"),
    click.option("--ep", metavar="N", help="Expert parallelism: dp ranks that share the experts.  [default: 1]"),
    click.option("--dp", metavar="N", help="Data parallelism: replicas.  [default: what is left of --gpus]"),
    click.option("--micro-batch", metavar="N", help="Sequences of a micro-batch on one rank.  [default: 1]"),
    click.option(
        "--global-batch", metavar="N",
        help="Sequences of a step.  [default: one micro-batch a rank, with stages four for each stage]",
    ),
    click.option("--sequence", metavar="N", help="Tokens of a sequence.  [default: the model's]"),
    click.option("--interleave", metavar="N", help="Parts of a stage's layers.  [default: 1, or 2 if interleaved]"),
)  # fmt: skip


@dataclass(frozen=True)
class Method:
    """What a step does besides; as typed."""

    zero: str
    schedule: str
    recompute: str
    precision: str
    attention: str
    no_sequence_parallel: bool
    gradient_bytes: str
    axes: str
    uneven: bool
    overlap: tuple[str, ...]

    def split(self, model: Model, given: Degrees, sweeps: bool) -> Split:
        """The split that the options say."""
        from ..training import Split
        from ..training.call import batch

        gpus, sequence = given.whole("gpus", 1), given.whole("sequence", model.sequence)
        tp, pp, cp, ep = (given.whole(name, 1) for name in ("tp", "pp", "cp", "ep"))
        dp, size = given.whole("dp", max(1, gpus // (tp * pp * cp))), given.whole("micro_batch", 1)
        usual = gpus if sweeps else batch(dp, size, pp)
        return Split(
            gpus, tp, pp, cp, ep, dp, size, given.whole("global_batch", usual), sequence,
            integer("--zero", self.zero, 0, 3), self.schedule,
            given.whole("interleave", 2 if self.schedule == "interleaved" else 1), self.recompute, self.precision,
            self.attention, not self.no_sequence_parallel, integer("--gradient-bytes", self.gradient_bytes, 1, 8),
            tuple(self.axes.split("-")), self.uneven, dict(map(_share, self.overlap)),
        )  # fmt: skip


def _share(text: str) -> tuple[str, float]:
    name, equals, value = text.partition("=")
    if not equals:
        raise refused("--overlap", f'"{text[:80]}" is no GROUP=SHARE', "write for example tp=0.5")
    return name.strip(), number("--overlap", value) if value.strip() != "0" else 0.0


method = together(
    "method", Method,
    click.option(
        "--zero", default="1", show_default=True, metavar="0-3",
        help="What data-parallel ranks share out: 1 the optimizer, 2 gradients too, 3 parameters too (FSDP).",
    ),
    click.option(
        "--schedule", default="1f1b", show_default=True, metavar="NAME", help="1f1b, interleaved or zero-bubble."
    ),
    click.option(
        "--recompute", default="auto", show_default=True, metavar="NAME",
        help="What the backward pass computes again: none, selective, full; auto: the least with which it fits.",
    ),
    click.option(
        "--precision", default="bf16", show_default=True, metavar="NAME", help="Of matrix products: bf16, fp8, fp4."
    ),
    click.option(
        "--attention", default="flash", show_default=True, metavar="NAME",
        help="flash: scores are not stored, and the masked half is left out; stored: all are computed and stored.",
    ),
    click.option("--no-sequence-parallel", is_flag=True, help="Tensor parallelism without that of sequences."),
    click.option(
        "--gradient-bytes", default="4", show_default=True, metavar="N", help="Of a gradient when it is summed."
    ),
    click.option(
        "--axes", default="tp-cp-ep-dp-pp", show_default=True, metavar="AXES",
        help="Order of the ranks' axes, the fastest first.",
    ),
    click.option("--uneven", is_flag=True, help="Stages may differ by a layer."),
    click.option(
        "--overlap", multiple=True, metavar="GROUP=SHARE", help="Share of tp, cp or ep messages that is hidden."
    ),
)  # fmt: skip


@dataclass(frozen=True)
class Place:
    """The machine and what of it is changed; as typed."""

    machine: tuple[str, ...]
    gpu: str | None
    efficiency: str | None
    fail: tuple[str, ...]
    routing: str | None
    set_: tuple[str, ...]

    def site(self, machine: str, sound: bool = False) -> Site:
        """The site on one of the machines; `sound`: nothing of it has failed."""
        from ..base.errors import Fault, NetloomError
        from ..training import Site

        inputs: dict[str, object] = dict(map(parameter, self.set_))
        if self.fail and not sound:
            inputs["fail"] = "\n".join(self.fail)
        if self.routing is not None:
            inputs["routing"] = self.routing
        share = None if self.efficiency is None else number("--efficiency", self.efficiency)
        if share is not None and share > 1:
            raise NetloomError([Fault("NL-A007", "--efficiency", "a share in 0..1", self.efficiency or "")])
        return Site(machine, self.gpu, share, inputs)


place = together(
    "place", Place,
    click.option(
        "--machine", required=True, multiple=True, metavar="NAME|FILE",
        help="A machine of GPUs; may be repeated, to compare them.",
    ),
    click.option("--gpu", metavar="NAME", help="Its GPU, such as h100.  [default: the machine's]"),
    click.option("--efficiency", metavar="SHARE", help="Of the peak that matrix products reach.  [default: the GPU's]"),
    click.option("--fail", multiple=True, metavar="WHAT", help='What has failed, such as "switch:3; links:2%,seed=1".'),
    click.option("-r", "--routing", metavar="CALL", help="Candidate paths of a message.  [default: auto]"),
    click.option(
        "--set", "set_", multiple=True, metavar="INPUT.PARAMETER=VALUE",
        help="One parameter of the machine's inputs, such as network.nodes=2048; may be repeated.",
    ),
)  # fmt: skip


@dataclass(frozen=True)
class Asks:
    """What is asked for besides the time of the step: a search, a trace, another job."""

    sweep: bool
    places: bool
    best: str
    write_trace: str | None
    to: str | None
    other: str | None
    turns: bool

    @property
    def searches(self) -> bool:
        """Whether splits or orders are searched."""
        return self.sweep or self.places

    def count(self) -> int:
        """Splits or orders that are simulated."""
        return integer("--best", self.best, 1, 1000)


asks = together(
    "asks", Asks,
    click.option("--sweep", is_flag=True, help="Try all splits that divide; those given stay. The best are simulated."),
    click.option("--place", "places", is_flag=True, help="Try other orders of the ranks on the machine."),
    click.option("--best", default="8", show_default=True, metavar="N", help="Splits or orders that are simulated."),
    click.option("--write-trace", metavar="FILE", help="Write what all ranks do as a trace, such as step.goal."),
    click.option(
        "--to", metavar="FORMAT",
        help="With --write-trace: goal, goal-binary, chakra or smpi; by default that of the file's name.",
    ),
    click.option("--with", "other", metavar="N: WORKLOAD", help="Another job on the next N GPUs, at the same time."),
    click.option("--turns", is_flag=True, help="With --with: both on the same leaves, dealt node by node."),
)  # fmt: skip
