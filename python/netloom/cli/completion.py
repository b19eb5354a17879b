"""`netloom completion`."""

from __future__ import annotations

import click

SHELLS = ("bash", "zsh", "fish")
EPILOG = """\b
Examples:
  netloom completion bash > ~/.local/share/bash-completion/completions/netloom
  netloom completion zsh > ~/.zfunc/_netloom
  netloom completion fish > ~/.config/fish/completions/netloom.fish
"""


@click.command(epilog=EPILOG)
@click.argument("shell", type=click.Choice(SHELLS), metavar="|".join(SHELLS))
def command(shell: str) -> None:
    """Print the completion script of a shell: commands, options, and names of what they take."""
    from click.shell_completion import get_completion_class

    from .app import cli

    found = get_completion_class(shell)
    assert found is not None
    # Bash is asked for its version on the way; the script is the same for all that know completion.
    made = found(cli, {}, "netloom", "_NETLOOM_COMPLETE")
    click.echo(made.source_template % made.source_vars())


def names_of(kind: str, prefix: str) -> list[click.shell_completion.CompletionItem]:
    """Names of an axis of that kind that begin so, with what they are."""
    from click.shell_completion import CompletionItem

    from ..base.registries import catalogue

    rows = [row for registry in REGISTRIES.get(kind, ()) for row in catalogue(registry)]
    return [CompletionItem(row["name"], help=row["summary"]) for row in rows if row["name"].startswith(prefix)]


#: By kind of axis, the registries whose names its text begins with.
REGISTRIES = {
    "network": ("topologies",),
    "machine": ("machines",),
    "calibration": ("calibrations",),
    "node": ("nodes",),
    "placement": ("placements",),
    "order": ("orders", "optimisers"),
    "routing": ("routings",),
    "variant": ("variants",),
    "workload": ("collectives", "patterns", "applications"),
    "collective": ("collectives",),
}
