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

    found = get_completion_class(shell)
    assert found is not None
    # Bash is asked for its version on the way; the script is the same for all that know completion.
    made = found(click.get_current_context().find_root().command, {}, "netloom", "_NETLOOM_COMPLETE")
    click.echo(made.source_template % made.source_vars())
