"""`netloom man`."""

from __future__ import annotations

from collections.abc import Iterator

import click

from .. import __version__

EPILOG = """\b
Examples:
  netloom man > netloom.1
  man ./netloom.1
"""
_NAME = "netloom \\- predict and improve communication on HPC and AI networks"


@click.command(epilog=EPILOG)
def command() -> None:
    """Print the manual page, made from the commands and their tables of options."""
    root = click.get_current_context().find_root().command
    assert isinstance(root, click.Group)
    click.echo("\n".join(page(root)))


def page(cli: click.Group) -> Iterator[str]:
    """The manual page in roff: all commands with their options, as `--help` tells them."""
    context = click.Context(cli, info_name="netloom")
    yield f'.TH NETLOOM 1 "" "netloom {_plain(__version__)}" "User Commands"'
    yield from (".SH NAME", _NAME, ".SH SYNOPSIS", ".B netloom", ".I COMMAND", "[\\fIOPTION\\fR...]")
    yield from (".SH DESCRIPTION", _plain(" ".join((cli.help or "").split())), ".SH COMMANDS")
    for name in cli.list_commands(context):
        made = cli.get_command(context, name)
        assert made is not None
        yield from _command(made, click.Context(made, info_name=name, parent=context))
    yield from (
        ".SH EXIT STATUS",
        ".TP",
        ".B 0",
        "Done.",
        ".TP",
        ".B 1",
        "A problem was found: a refuted proof or claim.",
    )
    yield from (".TP", ".B 2", "Bad input, one line for each fault.", ".TP", ".B 130", "Interrupted.")
    yield from (".SH ENVIRONMENT", ".TP", ".B NETLOOM_MEMORY", "As \\-\\-memory.", ".TP", ".B NO_COLOR", "No colours.")
    yield from (".SH SEE ALSO", "\\fBnetloom explain\\fR \\fICODE\\fR for what an error code means.")


def _command(made: click.Command, context: click.Context) -> Iterator[str]:
    yield f".SS {_plain(context.command_path)} {_plain(' '.join(made.collect_usage_pieces(context)))}"
    yield _plain(" ".join((made.help or "").split()))
    for parameter in made.get_params(context):
        record = parameter.get_help_record(context)
        if record is not None:
            yield from (".TP", f"\\fB{_plain(record[0])}\\fR", _plain(" ".join(record[1].split())))
    if made.epilog:
        yield from (".PP", ".nf", *(_plain(line) for line in made.epilog.replace("\b", "").strip().splitlines()), ".fi")


def _plain(text: str) -> str:
    """Text that roff takes as text."""
    made = text.replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{made}" if made.startswith((".", "'")) else made
