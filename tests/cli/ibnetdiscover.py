"""What ibnetdiscover prints, written node by node and cable by cable."""

from __future__ import annotations


class Printed:
    """A fabric of InfiniBand. Ports of a node are numbered in the order of its cables."""

    def __init__(self) -> None:
        self._ports: dict[str, list[str]] = {}
        self._names: dict[str, str] = {}

    def node(self, kind: str, number: int, name: str) -> str:
        """The GUID of a new switch (`S`) or host adapter (`H`)."""
        key = f"{kind}-{0x300000 + 16 * number:016x}"
        self._names[key], self._ports[key] = name, []
        return key

    def join(self, a: str, b: str, rate: str = "4xEDR") -> None:
        na, nb = len(self._ports[a]) + 1, len(self._ports[b]) + 1
        for own, at, other, to in ((a, na, b, nb), (b, nb, a, na)):
            guid = f"({int(own[2:], 16) + at:x})" if own[0] == "H" else ""
            lids = "lid 0 lmc 0 " if own[0] == "H" else ""
            self._ports[own].append(f'[{at}]{guid} "{other}"[{to}] # {lids}"{self._names[other]}" lid 0 {rate}')

    def text(self) -> str:
        text = "vendid=0x0\n"
        for key, own in self._ports.items():
            kind, tail = ("Switch", " base port 0 lid 0 lmc 0") if key[0] == "S" else ("Ca", "")
            text += f'\n{kind} {max(len(own), 40)} "{key}" # "{self._names[key]}"{tail}\n' + "\n".join(own) + "\n"
        return text
