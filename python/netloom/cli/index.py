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
@click.option("-o", "--output", default="index.html", show_default=True, metavar="FILE", help="File of the page.")
def command(folders: tuple[str, ...], output: str) -> None:
    """Make a page that links the reports of several studies, with the answers of each."""
    from ..study.index import write_index

    note(f"wrote {write_index(folders, output)}")
