"""`netloom index`."""

from __future__ import annotations

import click

from .output import note

EPILOG = """\b
Examples:
  netloom index out/tour out/rails -o out/index.html
"""


@click.command(epilog=EPILOG)
@click.argument("folders", nargs=-1, required=True, metavar="FOLDER...")
@click.option("-o", "--output", default="index.html", show_default=True, metavar="FILE", help="The page.")
def command(folders: tuple[str, ...], output: str) -> None:
    """A page that links the reports of several studies, with what each comes to."""
    from ..study.index import write_index

    note(f"wrote {write_index(folders, output)}")
