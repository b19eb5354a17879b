"""The form of the files in ``decisions/``: a library's own choices, from its source."""

from __future__ import annotations

from typing import NotRequired, TypedDict

from .conditions import Tree


class Algorithm(TypedDict):
    """One algorithm of a library."""

    #: How the library's files name it.
    id: NotRequired[int | str]
    #: Our call that does the same, calls run one after the other (`@` asks for another decision), or None.
    netloom: str | list[str] | None
    #: Our call on a power of two of ranks, where it is another.
    pow2: NotRequired[str]
    #: How its pairs of ranks differ from those of our call.
    differs: NotRequired[str]
    #: Conditions without which the library refuses it.
    needs: NotRequired[list[str]]


class Fallback(TypedDict):
    """The fallback of an algorithm if all conditions hold; None is an abort."""

    algorithm: str
    when: list[str]
    then: str | None
    because: str


class Collective(TypedDict):
    """The choice for one collective."""

    netloom: str
    algorithms: dict[str, Algorithm]
    fallbacks: list[Fallback]
    tree: NotRequired[Tree]
    #: The collective's number and the meaning of bytes in the library's rule file.
    file_id: NotRequired[int]
    file_bytes: NotRequired[str]


class DecisionTable(TypedDict):
    """One library of one version."""

    library: str
    title: str
    version: str
    also: dict[str, str]
    source: str
    read: str
    note: str
    collectives: dict[str, Collective]
    #: Another library, whose rules hold but for those given here.
    like: NotRequired[str]
    #: MPICH's own tree, by `collective=name`.
    selection: NotRequired[dict[str, dict[str, Tree]]]
