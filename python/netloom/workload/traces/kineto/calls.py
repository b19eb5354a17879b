"""Arguments of a call of `torch.distributed` as a call of the library below."""

from __future__ import annotations

import re

from ....base.errors import Fault, NetloomError
from ..streams import Call

#: Bytes of an element, by the name of its type in PyTorch.
TYPES = {
    "Byte": 1, "Char": 1, "Bool": 1, "Short": 2, "Half": 2, "BFloat16": 2, "Int": 4, "Float": 4, "Long": 8, "Double": 8,
    "UInt16": 2, "UInt32": 4, "UInt64": 8, "ComplexHalf": 4, "ComplexFloat": 8, "ComplexDouble": 16,
}  # fmt: skip
#: Collectives by the beginning of their names, longer ones first, and which side is their size.
_KINDS = (
    ("allgather", "allgather", "In"),
    ("all_gather", "allgather", "In"),
    ("_allgather_base", "allgather", "In"),
    ("reduce_scatter", "reduce-scatter", "Out"),
    ("_reduce_scatter_base", "reduce-scatter", "Out"),
    ("all_reduce", "allreduce", "In"),
    ("allreduce", "allreduce", "In"),
    ("all_to_all", "alltoall", "In"),
    ("alltoall", "alltoall", "In"),
    ("broadcast", "broadcast", "In"),
    ("_broadcast", "broadcast", "In"),
    ("barrier", "barrier", "In"),
    ("reduce", "reduce", "In"),
    ("_reduce_oop", "reduce", "In"),
    ("gather", "gather", "In"),
    ("scatter", "scatter", "Out"),
    ("send", "send", "In"),
    ("recv", "recv", "Out"),
)
#: A rank, and a number of elements. Python converts neither thousands of digits nor all that it calls a digit.
_RANK = re.compile(r"[0-9]{1,9}")
_SPLITS = re.compile(r"-?[0-9]+")
_LONGEST_SPLIT = 19


def numbers_of(listed: object) -> tuple[int, ...]:
    """A list of ranks, or the text of one; nothing of one that is shortened, or none."""
    if isinstance(listed, str):
        parts = [part.strip() for part in listed.strip().strip("[]").split(",") if part.strip()]
        listed = [int(part) if _RANK.fullmatch(part) else None for part in parts]
    if not isinstance(listed, list) or not all(isinstance(one, int) and 0 <= one < 1 << 20 for one in listed):
        return ()
    return tuple(listed)


class CallReader:
    """Calls of one rank.

    Parameters
    ----------
    groups
        Members of communicators by name.
    assumed
        Sentences of what is assumed are added here.
    """

    def __init__(
        self, rank: int, world: int, groups: dict[str, tuple[int, ...]], place: str, assumed: set[str]
    ) -> None:
        self.rank, self.world, self.groups, self.place, self.assumed = rank, world, groups, place, assumed

    def call(self, args: dict[str, object]) -> Call | None:
        """None of a name that is none of the library's calls.

        Raises
        ------
        NetloomError
            NL-F010 for one that does not say its members, NL-F009 for values out of range.
        """
        name = str(args.get("Collective name"))
        found = next(((kind, side) for begin, kind, side in _KINDS if name.lower().startswith(begin)), None)
        if found is None:
            return None
        kind, side = found
        group = self._group(args)
        if kind in ("send", "recv"):
            return self._message(kind, side, group, args)
        order = args.get("Seq")
        order = order if isinstance(order, int) and order >= 0 else -1
        size = self._bytes(args, side)
        if kind == "barrier" and size:
            # The library has none: it reduces one element.
            kind = "allreduce"
        if kind == "alltoall":
            return self._alltoall(group, args, size, order)
        return Call(kind, group, size, self._root(kind, group[1], args), order)

    def _group(self, args: dict[str, object]) -> tuple[str, tuple[int, ...]]:
        name = str(args.get("Process Group Name", args.get("Process Group ID", "")))
        members = numbers_of(args.get("Process Group Ranks")) or self.groups.get(name, ())
        size = args.get("Group size")
        if isinstance(size, int) and len(members) != size:
            first, stride = args.get("Global rank start"), args.get("Global rank stride")
            if isinstance(first, int) and isinstance(stride, int) and 0 < size <= 1 << 20:
                members = tuple(range(first, first + size * max(stride, 1), max(stride, 1)))[:size]
            elif size == self.world:
                members = tuple(range(size))
        if self.rank not in members:
            sentence = f'does not say which ranks are members of the process group "{name[:40]}"'
            hint = "give files with distributedInfo.pg_config or Process Group Ranks, as of PyTorch 2.3 and later"
            raise NetloomError([Fault("NL-F010", self.place, sentence, "", hint)])
        if self.world and max(members) >= self.world:
            expected = f"ranks below {self.world} in a process group"
            raise NetloomError([Fault("NL-F009", self.place, expected, str(max(members)), "profile again")])
        return name, members

    def _bytes(self, args: dict[str, object], side: str) -> int:
        number = args.get(f"{side} msg nelems", 0)
        kind = str(args.get("dtype", ""))
        width = 1 if kind.startswith(("Float8", "Float4")) else TYPES.get(kind)
        if not isinstance(number, int) or not 0 <= number < 1 << 50 or (number and width is None):
            got = f"{number!r} of {kind[:30]!r}"
            raise NetloomError(
                [Fault("NL-F009", self.place, "a number of elements of a known type", got, "profile again")]
            )
        return number * (width or 0)

    def _root(self, kind: str, members: tuple[int, ...], args: dict[str, object]) -> int:
        if kind not in ("broadcast", "reduce", "gather", "scatter"):
            return 0
        root = args.get("Root rank", args.get("Root"))
        if isinstance(root, int) and 0 <= root < len(members):
            return root
        self.assumed.add(
            f"the root of each {kind} is taken to be the first of its communicator: the profile does not say it"
        )
        return 0

    def _alltoall(self, group: tuple[str, tuple[int, ...]], args: dict[str, object], size: int, order: int) -> Call:
        members = len(group[1])
        text = args.get("In split size")
        found = _SPLITS.findall(text) if isinstance(text, str) else []
        splits = [int(one) for one in found] if all(len(one) <= _LONGEST_SPLIT for one in found) else []
        if isinstance(text, list) and all(isinstance(one, int) for one in text):
            splits = text
        total = sum(splits)
        if splits and (len(splits) != members or min(splits) < 0 or (total == 0 and size)):
            self.assumed.add("sizes of an alltoall that the profile shortens are taken to be equal")
            splits = []
        # The rows of a tensor are alike.
        counts = tuple(size * one // total for one in splits) if total else ()
        return Call("alltoall", group, size // members, 0, order, counts)

    def _message(self, kind: str, side: str, group: tuple[str, tuple[int, ...]], args: dict[str, object]) -> Call:
        text = args.get("Dst Rank" if kind == "send" else "Src Rank")
        if isinstance(text, str):
            text = int(text) if _RANK.fullmatch(text) else None
        peer = text if isinstance(text, int) else -1
        if peer not in group[1]:
            sentence = f"has a {kind} that does not say its other end"
            hint = "record with PyTorch 2.4 or later, whose profiles do (Src Rank, Dst Rank)"
            raise NetloomError([Fault("NL-F010", self.place, sentence, "", hint)])
        return Call(kind, group, self._bytes(args, side) or self._bytes(args, "In"), peer)
