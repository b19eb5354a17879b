"""What `netloom step` prints: a step, a sweep, orders of ranks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import click

from .output import emit_facts, emit_json, emit_table, note, say
from .stopped import say_stopped, stopped_s

if TYPE_CHECKING:
    from ..base.stopping import Clock
    from ..training import Planner, Split, Step
    from ..training.beside import Shared
    from ..training.placing import Placed
    from ..training.sweep import Rated
    from .emission import RankFiles

#: Of a search that was ended.
KNOWN = "the best of those that were simulated by then"
#: Rows of a table of splits.
SHOWN = 20
Progress = Callable[..., object]


def show_steps(
    steps: Sequence[Step], sound_s: Sequence[float | None], json_: bool, files: Sequence[str] | None = None
) -> None:
    """One step and the trace that was written of it, or one on each of several machines."""
    from ..training import facts

    if json_:
        made = [
            facts(step) | ({} if sound is None else {"sound_step_s": sound})
            for step, sound in zip(steps, sound_s, strict=True)
        ]
        made[0] |= {} if files is None else {"files": list(files)}
        emit_json(made[0] if len(made) == 1 else {"machines": made})
        return
    if len(steps) > 1:
        _show_machines(steps)
        return
    _show(steps[0], sound_s[0])


def _show(step: Step, sound_s: float | None) -> None:
    from ..base.quantities import amount_text, size_text, time_text

    emit_facts(
        {
            "step": time_text(step.step_s),
            **({} if sound_s is None else {"if nothing had failed": time_text(sound_s)}),
            "tokens a second": f"{step.tokens_per_s:,.0f}",
            "MFU": f"{100 * step.mfu:.1f} %",
            "limits": step.limits,
            "model": f"{step.model.name}, {step.model.parameters() / 1e9:.4g} billion parameters",
            "split": _split_text(step.split),
            "batch": f"{step.split.global_batch} sequences of {step.split.sequence}, "
            f"{step.split.micro_batches} micro-batches",
            "GPU": f"{step.gpu.name}, {100 * step.efficiency:.3g} % of its peak in matrix products",
            "memory a GPU": f"{amount_text(step.memory.total)} of {amount_text(step.gpu.memory_bytes)}, "
            f"recompute {step.split.recompute}",
            "bubble": f"{100 * step.bubble:.1f} %",
            "exposed": ", ".join(f"{kind} {time_text(took)}" for kind, took in step.exposed_s.items() if took)
            or "nothing",
        }
    )
    if step.messages:
        click.echo()
        emit_table(
            ["group", "call", "of", "bytes", "times", "one takes", "all"],
            [
                [one.listed.call.kind, one.listed.call.collective, one.listed.what, size_text(one.listed.call.bytes),
                 one.listed.times, time_text(one.timed.seconds), time_text(one.total_s)]
                for one in step.messages
            ],
        )  # fmt: skip
    for link in step.hot_links:
        words = f"link from switch {link['from_switch']} to {link['to_switch']} ({link['class']})"
        say(f"hot: {words} is busy for {time_text(float(str(link['seconds'])))} of each {link['call']}")
    for line in step.notes:
        note(f"note: {line}")


def show_shared(split: Split, shared: Shared, json_: bool) -> None:
    """The step and another job, alone and at the same time."""
    from ..base.quantities import time_text

    jobs = (f"step on {split.gpus} GPUs", f"{shared.workload[:60]} on {shared.gpus} GPUs")
    rows = list(zip(jobs, shared.alone_s, shared.together_s, shared.slowdown, strict=True))
    both, one = shared.leaves
    if json_:
        names = ("job", "alone_s", "together_s", "slowdown")
        made = [dict(zip(names, row, strict=True)) for row in rows]
        emit_json({"jobs": made, "shared_leaves": both, "other_leaves": one})
        return
    emit_table(
        ["job", "alone", "at the same time", "slowdown"],
        [[name, time_text(alone), time_text(now), f"{slower:.3g}"] for name, alone, now, slower in rows],
    )
    say(f"nodes of both jobs are on {both} leaves, of one of them on {one} more")


def _split_text(split: Split) -> str:
    return (
        f"{split.gpus} GPUs: tp {split.tp}, cp {split.cp}, ep {split.ep}, dp {split.dp}, pp {split.pp}, "
        f"ZeRO {split.zero}, {split.schedule}" + (f" of {split.interleave}" if split.interleave > 1 else "")
    )


def _show_machines(steps: Sequence[Step]) -> None:
    from ..base.quantities import time_text

    first = steps[0].step_s
    emit_table(
        ["machine", "GPU", "step", "to the first", "tokens a second", "MFU", "exposed"],
        [
            [one.machine, one.gpu.name, time_text(one.step_s), f"{one.step_s / first:.3g}", f"{one.tokens_per_s:,.0f}",
             f"{100 * one.mfu:.1f} %", time_text(sum(one.exposed_s.values()))]
            for one in steps
        ],
    )  # fmt: skip
    for line in dict.fromkeys(line for one in steps for line in one.notes):
        note(f"note: {line}")


def show_sweep(
    planner: Planner, split: Split, fixed: Sequence[str], best: int, progress: Progress, json_: bool, clock: Clock
) -> None:
    """All splits, the best first."""
    from ..base.quantities import time_text
    from ..training import facts
    from ..training.sweep import sweep

    found = sweep(planner, split, fixed, best, progress)
    if json_:
        rows = [_row(one) for one in found.rated]
        emit_json({"best": facts(found.best), "splits": rows, "refused": found.refused} | stopped_s(clock))
        return
    say_stopped(clock, KNOWN)
    emit_table(
        ["tp", "pp", "cp", "ep", "dp", "micro-batch", "recompute", "estimated", "simulated", "MFU"],
        [
            [row.split.tp, row.split.pp, row.split.cp, row.split.ep, row.split.dp, row.split.micro_batch,
             row.split.recompute, time_text(row.estimate_s), time_text(row.step.step_s) if row.step else None,
             f"{100 * row.step.mfu:.1f} %" if row.step else None]
            for row in found.rated[:SHOWN]
        ],
    )  # fmt: skip
    if len(found.rated) > SHOWN:
        note(f"{len(found.rated) - SHOWN} more splits: --json has all")
    say(f"limits of the best: {found.best.limits}")
    for reason, count in found.refused.items():
        note(f"refused: {count} splits: {reason}")
    for line in found.best.notes:
        note(f"note: {line}")


def _row(one: Rated) -> dict[str, object]:
    made: dict[str, object] = {
        name: getattr(one.split, name) for name in ("tp", "pp", "cp", "ep", "dp", "micro_batch", "recompute")
    }
    return made | {
        "estimate_s": one.estimate_s,
        "step_s": one.step.step_s if one.step else None,
        "mfu": one.step.mfu if one.step else None,
    }


def show_places(
    planner: Planner,
    split: Split,
    best: int,
    progress: Progress,
    rank_files: RankFiles,
    formats: list[str],
    json_: bool,
    clock: Clock,
) -> None:
    """Orders of the ranks, the best first, and its rank file."""
    from ..base.quantities import time_text
    from ..training.placing import place

    found = place(planner, split, best, progress)
    written, commands = _written(planner, split, found, rank_files, formats)
    if json_:
        rows = [{"order": "-".join(one.order), "program": one.program, "step_s": one.step_s} for one in found]
        emit_json({"orders": rows, "files": written, "commands": commands} | stopped_s(clock))
        return
    say_stopped(clock, KNOWN)
    if not (formats and rank_files.output is None):
        emit_table(
            ["order, fastest first", "whose", "step"],
            [["-".join(one.order), one.program or "netloom", time_text(one.step_s, 4)] for one in found],
        )
    for line in (*(f"wrote {path}" for path in written), *(f"run: {line}" for line in commands)):
        note(line)


def _written(
    planner: Planner, split: Split, found: Sequence[Placed], rank_files: RankFiles, formats: list[str]
) -> tuple[list[str], list[str]]:
    """Rank files of the best order that their formats can hold, and the command lines that use them."""
    from array import array

    from ..base.errors import NetloomError
    from ..training.groups import places
    from .emission import launches

    if not formats:
        return [], []
    bound = planner.cluster.question(split.gpus)
    formats = rank_files.prepared(formats, bound, "none")
    slots, refused_by = bound.place.start, None
    for one in found:
        moved = array("I", [slots[place] for place in places(split, one.order)])
        try:
            written = rank_files.write(formats, bound, moved)
        except NetloomError as error:
            refused_by = error
            continue
        if one is not found[0]:
            note(f"note: {', '.join(formats)} cannot hold {'-'.join(found[0].order)}: wrote {'-'.join(one.order)}")
        return written, launches(formats, written, bound, moved)
    assert refused_by is not None
    raise refused_by
