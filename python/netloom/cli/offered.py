"""What a shell offers while an option is typed."""

from __future__ import annotations

from collections.abc import Callable

import click

#: By kind of axis, the registries whose names its text begins with.
REGISTRIES = {
    "network": ("topologies",),
    "machine": ("machines",),
    "library": ("libraries",),
    "calibration": ("calibrations",),
    "node": ("nodes",),
    "placement": ("placements",),
    "order": ("orders", "optimisers"),
    "routing": ("routings",),
    "variant": ("variants",),
    "workload": ("collectives", "patterns", "applications"),
    "collective": ("collectives",),
}


def completed(kind: str) -> Callable[..., list[click.shell_completion.CompletionItem]]:
    """What a shell offers for an axis of that kind."""

    def offered(ctx: click.Context, param: click.Parameter, prefix: str) -> list[click.shell_completion.CompletionItem]:
        return names_of(kind, prefix)

    return offered


def names_of(kind: str, prefix: str) -> list[click.shell_completion.CompletionItem]:
    """Names of an axis of that kind that begin so, with what they are."""
    # Only a shell that completes needs these: commands start without the core.
    from click.shell_completion import CompletionItem

    from ..base.registries import catalogue

    rows = [row for registry in REGISTRIES.get(kind, ()) for row in catalogue(registry)]
    return [CompletionItem(row["name"], help=row["summary"]) for row in rows if row["name"].startswith(prefix)]
