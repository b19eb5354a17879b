"""What a command says of work that `--stop-after` ended."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .output import note

if TYPE_CHECKING:
    from ..base.stopping import Clock


def say_stopped(clock: Clock, known: str) -> None:
    """A note of what is known of what was asked for; none where all of it is."""
    if clock.stopped:
        note(f"note: stopped after {clock.seconds:g} s: {known}")


def stopped_s(clock: Clock) -> dict[str, object]:
    """For JSON: the seconds after which the work was ended; nothing where it was not."""
    return {"stopped_s": clock.seconds} if clock.stopped else {}
