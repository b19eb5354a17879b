"""A machine from its parts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from .machine import PARTS, Machine, Measured


def from_parts(about: Machine, inputs: Mapping[str, Measured], like: Machine) -> Machine:
    """A machine of these inputs; its library, and how wire and software behave, are assumed to be as on another.

    Parameters
    ----------
    about
        Its name and its words for people, without values.
    inputs
        `network`, `node`, ...; file names as seen from the working directory.
    like
        Whose library and settings of wire and software it gets, with their sources and as assumed, until it is
        measured; without the rates between nodes, which belong to the NICs there.
    """
    settings = {
        key: replace(known, kind="assumed", source=_as_on(like, known), date=known.date or like.date)
        for key, known in like.values.items()
        if key.partition(".")[0] in (*PARTS, "library") and not _of_nics(key)
    }
    return replace(about, values={**inputs, **settings})


def _as_on(like: Machine, known: Measured) -> str:
    return f"As on {like.name}: {known.source}" if known.source else f"As on {like.name}."


def _of_nics(key: str) -> bool:
    return key.endswith("flow_cap") and "inside" not in key
