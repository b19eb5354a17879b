"""`netloom explore`."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from .options import plugins, refused
from .output import note, progress

if TYPE_CHECKING:
    from ..scenario import Scenario

EPILOG = """\b
Examples:
  netloom explore
  netloom explore 'dragonfly(a=4,p=2,h=2,g=9)'
  netloom explore scenario.toml --folder scenarios/
  netloom explore --static explorer.html

\b
The page is served to this machine alone, at an address with a token that is new each time. It writes
scenarios into --folder and nothing else. Ctrl-C ends it.
"""
#: Where the page starts if nothing else is said.
NETWORK, WORKLOAD, SIZE = "torus(4,4)", "allreduce:ring", "1 MiB"


@click.command(epilog=EPILOG)
@click.argument("network", required=False, metavar="[CALL|FILE|SCENARIO.toml]")
@click.option("--folder", metavar="FOLDER", help="Where the page saves scenarios.  [default: the current one]")
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="Port on 127.0.0.1.  [default: a free one]")
@click.option("--no-browser", is_flag=True, help="Only print the address.")
@click.option(
    "--static", "static", metavar="FILE", help="Write a page that needs no server: small networks, fixed choices."
)
@plugins
def command(network: str | None, folder: str | None, port: int, no_browser: bool, static: str | None) -> None:
    """Change a scenario by hand in the browser: failures, placement, workload; loads, time and price follow."""
    if static is not None:
        if network is not None or folder is not None or port:
            raise refused("--static", "has networks of its own and no server", "leave the other options out")
        _write(static)
        return
    home = Path(folder or ".")
    if not home.is_dir():
        raise refused("--folder", f"{folder!r} is no folder", "make it first")
    start = _start(network)
    _serve(start, home, port, not no_browser)


def _start(network: str | None) -> Scenario:
    """The scenario of a file, or a network with a workload to begin with; refused before a browser opens."""
    from ..explore.asked import require_small
    from ..network import network as network_of
    from ..scenario import Scenario

    if network is not None and network.endswith((".toml", ".json")):
        return Scenario.read(network)
    made = Scenario(network or NETWORK, workload=WORKLOAD, size_bytes=SIZE)
    require_small(network_of(network or NETWORK))
    return made


def _serve(start: Scenario, folder: Path, port: int, browser: bool) -> None:
    from ..base import interrupt
    from ..explore import Server

    with Server(start, folder, port) as server:
        interrupt.say("explorer ended")
        click.echo(server.address)
        sys.stdout.flush()
        if browser and _has_screen():
            import webbrowser

            webbrowser.open(server.opened_once)
        else:
            note("open this address in a browser of this machine; Ctrl-C ends it")
        server.serve_forever(poll_interval=0.2)


def _has_screen() -> bool:
    """False where a browser would take over the terminal, or none could start."""
    return not sys.platform.startswith("linux") or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _write(path: str) -> None:
    from ..base import files
    from ..explore import still_page

    files.require_writable(path)
    with progress("answers of the page") as callback:
        text = still_page(callback)
    files.write(path, text.encode())
    note(f"wrote {path}")
