"""Conditions in decision trees: `comm_size<64`, `avg_msg_size<=8192`, `count<pow2`, `is_commutative=no`, `any`.

The words are those of MPICH's selection files, so that its own tree is read as it is; Open MPI's and SMPI's tables are
written in the same words. A tree is a leaf (the algorithm's name) or a mapping from condition to tree; the first match
wins.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

Tree: TypeAlias = "str | Mapping[str, Tree]"


def is_power_of_two(ranks: int) -> bool:
    """True for 1, 2, 4, ..."""
    return ranks > 0 and ranks & (ranks - 1) == 0


_COMPARE = re.compile(r"(comm_size|avg_msg_size|total_msg_size|count)(<=|>=|<)([0-9]+|pow2|comm_size)")
#: What a call of a predefined operation on MPI_COMM_WORLD, not in place, with one rank per node, answers.
_FIXED = {
    "is_sendbuf_inplace=no": True,
    "is_sendbuf_inplace=yes": False,
    "is_op_built_in=yes": True,
    "is_op_built_in=no": False,
    "is_block_regular=yes": True,
    "is_block_regular=no": False,
    "is_node_consecutive=yes": False,
    "is_node_consecutive=no": True,
    "is_multi_threaded=no": True,
    "is_multi_threaded=yes": False,
    "comm_type=intra": True,
    "comm_type=inter": False,
    "comm_hierarchy=parent": False,
    "comm_size=node_comm_size": False,
}


@dataclass(frozen=True)
class Case:
    """One call of a collective.

    Parameters
    ----------
    ranks
        Processes of the communicator.
    size_bytes
        Count times type, as the MPI call takes them.
    element_bytes
        Bytes of one element; `size_bytes` is a multiple.
    commutative
        Whether the reduction operation is.
    """

    ranks: int
    size_bytes: int
    element_bytes: int = 1
    commutative: bool = True

    @property
    def count(self) -> int:
        """Elements of the call."""
        return self.size_bytes // self.element_bytes

    @property
    def pow2(self) -> int:
        """Largest power of two that is not above the number of ranks."""
        return 1 << (self.ranks.bit_length() - 1)


def holds(condition: str, case: Case) -> bool:
    """Whether a condition is met.

    Raises
    ------
    ValueError
        If the condition has no meaning here; the data files of the package are checked by a test.
    """
    if condition == "any" or condition.endswith("=any"):
        return True
    if condition in _FIXED:
        return _FIXED[condition]
    if condition in ("is_commutative=yes", "is_commutative=no"):
        return case.commutative == condition.endswith("yes")
    if condition in ("comm_size=pow2", "comm_size!=pow2"):
        return (case.ranks == case.pow2) == (condition == "comm_size=pow2")
    if condition in ("comm_size=even", "comm_size=odd"):
        return (case.ranks % 2 == 0) == (condition == "comm_size=even")
    if condition == "segment=whole":
        return True
    match = _COMPARE.fullmatch(condition)
    if match is None:
        raise ValueError(f"no meaning of the condition {condition!r}")
    word, sign, limit = match.groups()
    value = {
        "comm_size": case.ranks,
        "avg_msg_size": case.size_bytes,
        "total_msg_size": case.size_bytes * case.ranks,
        "count": case.count,
    }[word]
    bound = {"pow2": case.pow2, "comm_size": case.ranks}.get(limit) or int(limit)
    return value < bound if sign == "<" else value <= bound if sign == "<=" else value >= bound


_OPPOSITES = {"<=": ">", ">=": "<", "!=": "=", "<": ">=", "=yes": "=no", "=no": "=yes", "=": "!="}


def negated(condition: str) -> str:
    """The negation of a condition."""
    for sign, opposite in _OPPOSITES.items():
        if sign in condition:
            return condition.replace(sign, opposite, 1)
    return f"not {condition}"


def _says_nothing(condition: str) -> bool:
    return condition == "any" or condition.endswith("=any") or condition in _FIXED


def walk(tree: Tree, case: Case) -> tuple[list[str], str] | None:
    """The conditions on the path to a leaf, and the leaf; None if no branch matches.

    A branch holds because the ones before it do not: of those, the last about each quantity is told.
    """
    taken: list[str] = []
    while not isinstance(tree, str):
        missed: dict[str, str] = {}
        for condition, below in tree.items():
            if condition.startswith("algorithm="):
                return taken, condition.removeprefix("algorithm=")
            if holds(condition, case):
                taken += [negated(other) for other in missed.values()]
                taken += [] if _says_nothing(condition) else [condition]
                tree = below
                break
            if not _says_nothing(condition):
                missed[re.split("[<=>!]", condition)[0]] = condition
        else:
            return None
    return taken, tree
