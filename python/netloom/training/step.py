"""The training step of a model on a machine: its time, memory, messages, and what limits it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from ..base.errors import Fault, NetloomError
from ..base.quantities import amount_text
from . import codes
from .accelerator import Accelerator, of_machine
from .cluster import Cluster
from .compute import Roofline, Work, embedding, head, model_flops
from .compute import layer as work_of
from .groups import Layout
from .limits import Share, shares
from .memory import Memory, memory
from .model import Model
from .model import model as named
from .split import AUTO, RECOMPUTE, Split, check
from .timeline import Timeline
from .timing import Expected, Simulated, Timed
from .traffic import COUNTED, Listed, listed
from .words import ASSUMPTIONS, LEFT_OUT, of_split

if TYPE_CHECKING:
    from ..machine import Machine

#: Groups under which an answer counts messages.
KINDS = ("tp", "pp", "cp", "ep", "dp")
#: Links of the hottest messages that are named.
HOTTEST = 3


@dataclass(frozen=True)
class Message:
    """Calls of a kind, of a rank of the stage that moves most bytes, and how they were timed."""

    listed: Listed
    timed: Timed

    @property
    def total_s(self) -> float:
        """Of all calls, hidden or not."""
        return self.timed.seconds * self.listed.times


@dataclass(frozen=True)
class Step:
    """A training step.

    Attributes
    ----------
    step_s
        From the first forward pass to the end of the update.
    mfu
        Floating-point operations that the model needs over those of all GPUs at their peak of `bf16`.
    exposed_s
        By group: what the step would gain if its messages took no time. Groups that hide each other do not add up.
    bubble
        Idle time of the busiest stage of the pipeline, as a share of the time in which it works.
    """

    model: Model
    split: Split
    machine: str
    gpu: Accelerator
    efficiency: float
    step_s: float
    flops: float
    exposed_s: Mapping[str, float]
    bubble: float
    memory: Memory
    optimizer_s: float
    messages: Sequence[Message] = ()
    shares: Sequence[Share] = ()
    hot_links: Sequence[Mapping[str, object]] = ()
    notes: Sequence[str] = field(default=())

    @property
    def tokens_per_s(self) -> float:
        """Of all GPUs."""
        return self.split.global_batch * self.split.sequence / self.step_s

    @property
    def mfu(self) -> float:
        """Share of the peak."""
        return self.flops / (self.step_s * self.split.gpus * self.gpu.peak("bf16"))

    @property
    def limits(self) -> str:
        """What limits the step, in a sentence."""
        first, *others = sorted(self.shares, key=lambda one: -one.share)
        said = f"{first.words} {100 * first.share:.0f} % of the step"
        rest = [f"{one.short} {100 * one.share:.0f} %" for one in others[:2] if one.share >= 0.01]
        return said + (f"; {', '.join(rest)}" if rest else "") + f". {first.remedy}"


@dataclass(frozen=True)
class Site:
    """Where a step runs.

    Attributes
    ----------
    machine
        A name, the path of a file, or a machine.
    gpu
        Name of its GPU; by default the one that the machine names.
    efficiency
        Share of the peak that matrix products reach; by default the one that was fitted to steps on that GPU.
    inputs
        Of the scenario, in place of the machine's: `fail`, `routing`, `network.nodes`.
    """

    machine: str | Path | Machine
    gpu: str | None = None
    efficiency: float | None = None
    inputs: Mapping[str, object] = field(default_factory=dict)


class Planner:
    """Steps of a model on a site: what is the same for all splits is made once."""

    def __init__(self, model: str | Model, site: Site, gpus: int) -> None:
        self.model = named(model) if isinstance(model, str) else model
        self.cluster = Cluster(site.machine, gpus, site.inputs)
        self.gpu = of_machine(self.cluster.machine, site.gpu)
        self._efficiency = site.efficiency
        self._timed: dict[object, Timed] = {}

    def roofline(self, precision: str) -> Roofline:
        """Of the GPU at a precision."""
        share = self.gpu.reached(precision) if self._efficiency is None else self._efficiency
        self.gpu.peak(precision)
        return Roofline(self.gpu, precision, share)

    def settled(self, split: Split) -> Split:
        """The split with `auto` replaced by the least recomputation with which it fits."""
        if split.recompute != AUTO:
            return split
        choices = [replace(split, recompute=name) for name in RECOMPUTE]
        check(self.model, choices[0])
        return next((one for one in choices if memory(self.model, one).total <= self.gpu.memory_bytes), choices[-1])

    def fits(self, split: Split) -> Memory:
        """The bytes of a GPU.

        Raises
        ------
        NetloomError
            `NL-Y002` to `NL-Y005`.
        """
        check(self.model, split)
        needed = memory(self.model, split)
        if needed.total > self.gpu.memory_bytes:
            words = f"a {self.gpu.name} has {amount_text(self.gpu.memory_bytes)} and the step needs "
            words += f"{amount_text(needed.total)}: " + ", ".join(
                f"{name} {amount_text(value)}" for name, value in needed.facts().items() if name != "total"
            )
            raise NetloomError([Fault(codes.DOES_NOT_FIT, "--gpus", words, "", _remedy(self.model, split, self.gpu))])
        return needed

    def estimate(self, split: Split) -> tuple[Split, float]:
        """The split with its recomputation, and seconds by closed forms and the library's model of its collectives."""
        split = self.settled(split)
        self.fits(split)
        clock = Expected(self.cluster, Layout.of(split))
        return split, Timeline(self.model, split, self.roofline(split.precision), clock).estimate_s()

    def simulated(self, split: Split) -> Step:
        """The step with its messages simulated on the machine."""
        split = self.settled(split)
        needed = self.fits(split)
        return self._made(split, needed, self.clock(split))

    def clock(self, split: Split, order: tuple[str, ...] = ()) -> Simulated:
        """Times of its calls, of which those of other splits are known."""
        return Simulated(self.cluster, Layout.of(split, order), self._timed)

    def step_s(self, split: Split, order: tuple[str, ...]) -> float:
        """Seconds of the step if its ranks stand in another order."""
        line = Timeline(self.model, split, self.roofline(split.precision), self.clock(split, order))
        return line.ran().step_s

    def _made(self, split: Split, needed: Memory, clock: Simulated) -> Step:
        roof = self.roofline(split.precision)
        line = Timeline(self.model, split, roof, clock)
        ran = line.ran()
        flops = model_flops(self.model, split)
        exposed = {kind: max(0.0, ran.step_s - line.ran((kind,)).step_s) for kind in KINDS}
        calls = [Message(one, clock.timed(one.call)) for one in listed(self.model, split)]
        alone = line.ran(KINDS)
        return Step(
            self.model, split, self.cluster.machine.name, self.gpu, roof.efficiency, ran.step_s, flops, exposed,
            alone.pipeline.bubble, needed, ran.optimizer_s, calls, shares(self.model, split, roof, ran, alone, exposed),
            _hot(clock, calls), [*self.cluster.notes, *of_split(self.model, split, calls)],
        )  # fmt: skip


def _hot(clock: Simulated, calls: Sequence[Message]) -> list[dict[str, object]]:
    """The busiest links of the calls between nodes that take longest in all."""
    far = [one for one in calls if clock.leaves_nodes(one.listed.call)]
    worst = max(far, key=lambda one: one.total_s, default=None)
    return [] if worst is None else clock.hottest(worst.listed.call, HOTTEST)


def _remedy(model: Model, split: Split, gpu: Accelerator) -> str:
    """A change with which it fits, of those that keep the GPUs."""
    for change in (
        {"zero": 1}, {"recompute": "selective"}, {"micro_batch": 1}, {"recompute": "full"}, {"zero": 3},
        {"recompute": "full", "zero": 3},
    ):  # fmt: skip
        other = replace(split, **change)
        if other != split and memory(model, other).total <= gpu.memory_bytes:
            return "it fits with " + " ".join(f"--{name.replace('_', '-')} {value}" for name, value in change.items())
    return "take more --tp or --pp, or more GPUs; --sweep lists the splits that fit"


def operations(model: Model, split: Split) -> list[tuple[str, int, Work]]:
    """Where an operation runs, how often on a rank of each layer, and its work: what a trace of the step has."""
    m = split.micro_batches
    kinds = [("layer", work_of(model, split, False))] if model.mixed_layers < model.layers else []
    kinds += [("layer with experts", work_of(model, split, True))] if model.mixed_layers else []
    kinds += [("first stage", embedding(model, split)), ("last stage", head(model, split))]
    return [(where, m, work) for where, works in kinds for work in works]


def step(model: str | Model, site: Site, split: Split) -> Step:
    """The training step of a model, split over the GPUs of a machine.

    Raises
    ------
    NetloomError
        `NL-Y001` to `NL-Y006`, and those of the machine.

    Notes
    -----
    Computation by a roofline, the pipeline exactly, messages by flows: `docs/concepts/training-step.md`.

    Examples
    --------
    >>> from netloom.training import Site, Split, step
    >>> made = step("llama3-8b", Site("dgx-h100"), Split(64, tp=2, dp=32, global_batch=128, sequence=8192))
    >>> 0.2 < made.mfu < 0.7
    True
    """
    return Planner(model, site, split.gpus).simulated(split)


def facts(made: Step) -> dict[str, object]:
    """As the JSON object of `netloom step`."""
    return {
        "model": made.model.name,
        "machine": made.machine,
        "gpu": made.gpu.name,
        "parameters": made.model.parameters(),
        "active_parameters": made.model.active_parameters(),
        "split": made.split.facts(),
        "step_s": made.step_s,
        "tokens_per_s": made.tokens_per_s,
        "mfu": made.mfu,
        "exposed_s": dict(made.exposed_s),
        "memory_bytes_per_gpu": made.memory.total,
        "memory": made.memory.facts(),
        "bubble": made.bubble,
        "flops": made.flops,
        "efficiency": made.efficiency,
        "optimizer_s": made.optimizer_s,
        "limits": made.limits,
        "shares": [{"what": one.short, "share": one.share} for one in made.shares],
        "operations": [
            {"where": where, "name": work.name, "times": times, "flops": work.flops, "bytes": work.bytes}
            for where, times, work in operations(made.model, made.split)
        ],
        "messages": [
            {
                "group": COUNTED.get(one.listed.call.kind, one.listed.call.kind),
                "collective": one.listed.call.collective,
                "what": one.listed.what,
                "bytes": one.listed.call.bytes,
                "times": one.listed.times,
                "seconds": one.timed.seconds,
                "schedule": one.timed.workload,
            }
            for one in made.messages
        ],
        "hot_links": list(made.hot_links),
        "notes": list(made.notes),
        "assumptions": list(ASSUMPTIONS),
        "left_out": list(LEFT_OUT),
    }
