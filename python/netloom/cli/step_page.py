"""The page of `netloom step`: what the time is made of, memory, messages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..report import AnswerPage, Chart, Number
from .pages import facts

if TYPE_CHECKING:
    from ..training import Step


def page(step: Step) -> AnswerPage:
    """Of one step."""
    from ..base.quantities import amount_text, time_text
    from ..training.words import ASSUMPTIONS, LEFT_OUT

    numbers = [
        Number("step", time_text(step.step_s)),
        Number("tokens a second", f"{step.tokens_per_s:,.0f}"),
        Number("MFU", f"{100 * step.mfu:.1f} %"),
        Number("memory a GPU", amount_text(step.memory.total)),
        Number("bubble", f"{100 * step.bubble:.1f} %"),
    ]
    parts = [{"part": one.short, "share_percent": 100 * one.share} for one in step.shares if one.share > 0]
    memory = [{"what": name, "bytes": value} for name, value in step.memory.facts().items()]
    messages = [
        {"group": one.listed.call.kind, "collective": one.listed.call.collective, "of": one.listed.what,
         "bytes": one.listed.call.bytes, "times": one.listed.times, "seconds": one.timed.seconds,
         "all_s": one.total_s, "schedule": one.timed.workload}
        for one in step.messages
    ]  # fmt: skip
    chart = Chart(
        "What the step is made of", "bar", {key: [row[key] for row in parts] for key in ("part", "share_percent")},
        x="part", y="share_percent", y_label="% of the step",
    )  # fmt: skip
    tables = {
        "parts": parts,
        "memory": memory,
        "messages": messages,
        "hot links": [dict(one) for one in step.hot_links],
    }
    title = f"A training step of {step.model.name} on {step.split.gpus} GPUs of {step.machine}"
    answer = f"{time_text(step.step_s)} a step. {step.limits}"
    said = [*step.notes, *ASSUMPTIONS, *(f"Left out: {line}" for line in LEFT_OUT)]
    return AnswerPage(title, answer, numbers, [chart], {}, tables, said, (), facts())
