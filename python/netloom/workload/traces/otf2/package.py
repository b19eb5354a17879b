"""Words of the package `otf2`: texts such as `Paradigm.MPI`."""

from __future__ import annotations


def word(value: object) -> str:
    """The name of one of its constants."""
    return str(value).rpartition(".")[2]
