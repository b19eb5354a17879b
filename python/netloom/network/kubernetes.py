"""Nodes of Kubernetes with labels of their place, `kubectl get nodes -o json`, as a network: a tree of their levels.

Labels say which nodes are near each other and nothing of cables, as Slurm's `topology.conf` does, and are read as one.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from ..base.errors import Fault, NetloomError

if TYPE_CHECKING:
    from ..base.records import Row

NAME, ALIASES = "kubernetes-nodes", ("kubectl",)
TOO_LARGE, SYNTAX, NOTHING, TWICE, MISSING, NAMES = (
    f"NL-F0{number}" for number in ("01", "03", "04", "06", "10", "14")
)
#: Labels that levels may have, from the outermost one on: of Kubernetes, Kueue and KAI-Scheduler, NVIDIA Topograph.
LEVELS = (
    "topology.kubernetes.io/region", "topology.kubernetes.io/zone", "network.topology.nvidia.com/core",
    "network.topology.nvidia.com/spine", "network.topology.nvidia.com/leaf",
    *(f"fabric.topograph.run/tier-{tier}" for tier in range(9, -1, -1)), "cloud.provider.com/topology-block",
    "cloud.provider.com/topology-rack",
)  # fmt: skip
MAX_BYTES = 256 << 20
MAX_NODES = 1 << 20
_NAME = re.compile(r"[A-Za-z0-9]([A-Za-z0-9._-]{0,251}[A-Za-z0-9])?")


def rows() -> Iterable[Row]:
    """The format, as `netloom list` shows it."""
    return [
        {
            "name": NAME,
            "aliases": list(ALIASES),
            "summary": "Nodes with labels of block and rack, as `kubectl get nodes -o json` prints them: a tree.",
            "params": [],
            "signature": NAME,
            "example": NAME,
            "restrictions": "Read only; the file says nothing of cables and speeds. All nodes have the same labels.",
            "source": "Kubernetes documentation, well-known labels; Kueue documentation, topology-aware scheduling",
        }
    ]


def is_asked(format: str | None, data: bytes) -> bool:
    """Whether a file is such a list, by the name of its format or by how it begins."""
    if format is not None:
        return format.strip().replace("_", "-") in (NAME, *ALIASES)
    return data.lstrip()[:1] == b"{" and b'"items"' in data and b'"Node"' in data and b'"metadata"' in data


def as_slurm(data: bytes, place: str) -> bytes:
    """The levels of the nodes as lines of Slurm's `topology.conf`.

    Raises
    ------
    NetloomError
        `NL-F001` to `NL-F014`: what is no list of nodes, and labels that some nodes do not have.
    """
    nodes = dict(_nodes(data, place))
    used = [label for label in LEVELS if any(label in labels for labels in nodes.values())]
    if not used:
        hint = f"label the nodes, for example with {LEVELS[-2]} and {LEVELS[-1]}"
        raise _fault(MISSING, place, "no node has a label of its place", hint)
    for label in used:
        without = [name for name, labels in nodes.items() if label not in labels]
        if without:
            words = f"{len(without)} of {len(nodes)} nodes have no {label}, such as {without[0]}"
            hint = f"label all nodes, or list those that have it: kubectl get nodes -l {label} -o json"
            raise _fault(MISSING, place, words, hint)
    return _tree(nodes, used)


def _nodes(data: bytes, place: str) -> Iterable[tuple[str, Mapping[str, str]]]:
    """Names and labels of the nodes."""
    hint = "write it with kubectl get nodes -o json"
    if len(data) > MAX_BYTES:
        raise _fault(TOO_LARGE, place, f"has more than {MAX_BYTES >> 20} MiB", hint)
    try:
        items = json.loads(data)["items"]
    except (ValueError, RecursionError, TypeError, KeyError):
        raise _fault(SYNTAX, place, "is no list of Kubernetes in JSON", hint) from None
    if not isinstance(items, list) or not 0 < len(items) <= MAX_NODES:
        raise _fault(NOTHING, place, f"lists no nodes, or more than {MAX_NODES}", hint)
    seen: set[str] = set()
    for at, item in enumerate(items):
        meta = item.get("metadata") if isinstance(item, dict) and item.get("kind", "Node") == "Node" else None
        labels = meta.get("labels", {}) if isinstance(meta, dict) else None
        name = meta.get("name") if isinstance(meta, dict) else None
        if not isinstance(labels, dict) or not isinstance(name, str) or not _NAME.fullmatch(name):
            raise _fault(NAMES, place, f"item {at} is no node with a name and labels", hint)
        if name in seen:
            raise _fault(TWICE, place, f"node {name} stands twice", hint)
        seen.add(name)
        said = {str(key): str(value) for key, value in labels.items() if key in LEVELS and value != ""}
        wrong = next((value for value in said.values() if not _NAME.fullmatch(value)), None)
        if wrong is not None:
            raise _fault(NAMES, place, f"node {name} has the label {ascii(wrong)[:60]}, which Kubernetes refuses", hint)
        yield name, said


def _tree(nodes: Mapping[str, Mapping[str, str]], used: list[str]) -> bytes:
    """Switches of the innermost level with their nodes, and of each other level with those below."""
    paths = {name: tuple(labels[label] for label in used) for name, labels in nodes.items()}
    below: dict[tuple[str, ...], dict[str, None]] = {}
    for name, path in paths.items():
        below.setdefault(path, {})[name] = None
    kind, lines, names = "Nodes", list[str](), _named(set(below), set(nodes))
    while True:
        lines += [f"SwitchName={names[path]} {kind}={','.join(members)}" for path, members in below.items()]
        if len(below) == 1:
            return ("\n".join(lines) + "\n").encode()
        above: dict[tuple[str, ...], dict[str, None]] = {}
        for path in below:
            above.setdefault(path[:-1], {})[names[path]] = None
        kind, below = "Switches", above
        names = _named(set(below), set(names.values()) | set(nodes))


def _named(paths: set[tuple[str, ...]], taken: set[str]) -> dict[tuple[str, ...], str]:
    """The value of the innermost label where that is one unit's alone, else all values: `block.rack`."""
    for name in (lambda path: path[-1], ".".join, lambda path: "level." + ".".join(path)):
        names = {path: name(path) if path else "all" for path in paths}
        if len(set(names.values())) == len(paths) and not set(names.values()) & taken:
            break
    return names


def _fault(code: str, place: str, words: str, hint: str) -> NetloomError:
    return NetloomError([Fault(code, place, words, "", hint)])
