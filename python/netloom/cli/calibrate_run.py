"""`netloom calibrate --run`: a machine from measurements of the machine it runs on."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from .output import emit_facts, emit_json, emit_table, note

if TYPE_CHECKING:
    from ..mpi.micro.fit import Fitted
    from ..mpi.micro.rows import Found


def show(found: Found, output: str | None, json_: bool) -> None:
    """Fits, prints, and writes the machine."""
    from ..base import files
    from ..machine.writing import dumps
    from ..mpi.micro.fit import fitted

    made = fitted(found, "fitted" if output is None else Path(output).stem)
    if output is not None:
        files.write(output, dumps(made.machine, Path(output).parent).encode())
    if json_:
        emit_json(_plain(found, made, output))
        return
    _show(found, made)
    if output is not None:
        note(f"wrote {output}")


def _plain(found: Found, made: Fitted, output: str | None) -> dict[str, object]:
    about = vars(found.about) | {"ended": found.ended or "early", "measurements": len(found.rows)}
    residuals = [
        {"level": level, "size_bytes": size, "residual": error}
        for level, sizes in made.residuals.items()
        for size, error in sizes.items()
    ]
    machine = {name: known.value for name, known in made.machine.values.items()}
    return {"job": about, "facts": made.facts, "residuals": residuals, "machine": machine, "notes": made.notes,
            "output": output}  # fmt: skip


def _show(found: Found, made: Fitted) -> None:
    from ..base.quantities import size_text

    about = found.about
    emit_facts(
        {
            "library": about.mpi,
            "processes": f"{about.ranks} on {about.nodes} hosts, {about.cores} cores each",
            "load": f"{about.load:.1f}, as it began",
        }
        | {name: f"{value:.4g}" for name, value in made.facts.items()}
    )
    click.echo()
    emit_table(
        ["level", "size", "measured us", "fitted us", "residual", "scatter"],
        [
            [row.level, size_text(row.bytes), f"{1e6 * row.time_s:.3f}", f"{1e6 * row.time_s * (1 + error):.3f}",
             f"{100 * error:+.1f} %", f"{100 * row.scatter:.0f} %"]
            for row in found.of("pingpong", pairs=1)
            for error in [made.residuals[row.level][row.bytes]]
        ],
    )  # fmt: skip
    for text in made.notes:
        note(f"note: {text}")
