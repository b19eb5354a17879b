"""`netloom merge`."""

from __future__ import annotations

from pathlib import Path

import click

from .options import as_json, machines, no_progress, plugins
from .output import emit_json, note
from .run import summary
from .warned import warned

EPILOG = """\b
Examples:
  netloom run study.toml -o out --shards 200 --emit slurm-array
  sbatch out/shards/array.sbatch
  netloom merge out

Parts that are missing, unfinished or damaged are named with the command that runs them again.
"""


@click.command(epilog=EPILOG)
@click.argument("folder")
@click.option("--no-figures", is_flag=True, help="Write no PNG and SVG files; the report keeps its charts.")
@click.option("--allow-plugins", is_flag=True, help="Run the plug-ins that the study names: code from its folder.")
@no_progress
@machines
@plugins
@as_json
def command(folder: str, no_figures: bool, allow_plugins: bool, quiet: bool, json_: bool) -> int:
    """Make the tables and the report of a study that ran in parts."""
    from ..study.shards import merge, study_of

    if allow_plugins:
        from ..plugin import trust

        trust(Path(study_of(folder)).parent)
    with warned():
        finished = merge(folder, figures=not no_figures, say=None if quiet else note)
    if json_:
        emit_json(finished.as_dict())
    else:
        summary(finished)
    for problem in finished.problems:
        note(f"problem: {problem}")
    return 1 if finished.problems else 0
