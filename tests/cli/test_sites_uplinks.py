"""Which switches of a fabric have fewer cables upwards than they should: compared with switches of their kind."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from .ibnetdiscover import Printed

Run = Callable[..., tuple[int, str, str]]
#: Name, hosts, rate of their links, cables to each spine.
Leaf = tuple[str, int, str, Sequence[int]]
EDR, HDR = "4xEDR", "4xHDR"
COMPUTE: list[Leaf] = [(f"compute{i}", 8, EDR, [2, 2, 2, 2]) for i in range(6)]
STORAGE: list[Leaf] = [(f"storage{i}", 4, EDR, [1, 1, 1, 1]) for i in range(3)]
SERVICE: list[Leaf] = [("service", 3, EDR, [1, 0, 1, 0])]
SPARE: list[Leaf] = [("spare", 0, EDR, [1, 1, 0, 1])]


def fabric(leaves: Sequence[Leaf], spines: int = 4) -> str:
    """What ibnetdiscover prints of leaves below spines."""
    made = Printed()
    tops = [made.node("S", 1000 + i, f"spine{i}") for i in range(spines)]
    host = 0
    for number, (name, hosts, rate, up) in enumerate(leaves):
        leaf = made.node("S", number, name)
        for _ in range(hosts):
            host += 1
            made.join(leaf, made.node("H", 2000 + host, f"{name}-n{host}"), rate)
        for top, cables in zip(tops, up, strict=True):
            for _ in range(cables):
                made.join(leaf, top, EDR)
    return made.text()


def uplinks(run: Run, leaves: Sequence[Leaf]) -> dict[str, str]:
    Path("f.ibnet").write_text(fabric(leaves))
    code, out, err = run("describe", "f.ibnet", "--json", "--no-cost", "--no-bisection")
    assert code == 0, err
    return {one["where"]: one["what"] for one in json.loads(out)["findings"] if one["kind"] == "uplinks"}


def without_one(leaves: Sequence[Leaf]) -> list[Leaf]:
    """The same with one cable of the first leaf gone."""
    (name, hosts, rate, up), *rest = leaves
    return [(name, hosts, rate, [up[0] - 1, *up[1:]]), *rest]


@pytest.mark.parametrize("others", [STORAGE, SERVICE, SPARE, STORAGE + SERVICE + SPARE])
def test_leaves_of_other_kinds_are_as_they_were_built(netloom: Run, others: list[Leaf]) -> None:
    assert uplinks(netloom, COMPUTE + others) == {}


@pytest.mark.parametrize("others", [[], STORAGE, STORAGE + SERVICE + SPARE])
def test_a_missing_cable_is_found_among_equals(netloom: Run, others: list[Leaf]) -> None:
    found = uplinks(netloom, without_one(COMPUTE) + others)
    kind = "its kind (8 hosts each)" if others else "its level"
    assert found == {"compute0": f"has 7 cables upwards, 5 of 6 switches of {kind} have 8"}


def test_the_kinds_that_are_fewer_are_looked_at_too(netloom: Run) -> None:
    found = uplinks(netloom, COMPUTE + without_one(STORAGE))
    assert found == {"storage0": "has 3 cables upwards, 2 of 3 switches of its kind (4 hosts each) have 4"}


def test_hosts_of_another_rate_make_another_kind(netloom: Run) -> None:
    fast: list[Leaf] = [(f"fast{i}", 8, HDR, [3, 3, 3, 3]) for i in range(8)]
    assert uplinks(netloom, COMPUTE + fast) == {}
    assert list(uplinks(netloom, COMPUTE + without_one(fast))) == ["fast0"]


def test_a_host_that_is_down_does_not_hide_a_missing_cable(netloom: Run) -> None:
    (name, hosts, rate, up), *rest = without_one(COMPUTE)
    found = uplinks(netloom, [(name, hosts - 1, rate, up), *rest, *STORAGE])
    assert found == {"compute0": "has 7 cables upwards, 5 of 6 switches of its kind (7 or 8 hosts each) have 8"}


def test_ports_of_one_host_count_once(netloom: Run) -> None:
    """A leaf with one host of two ports and one with two hosts of one: two kinds, whose ports are the same number."""
    text = fabric([("a", 2, EDR, [1, 1]), ("b", 2, EDR, [2, 2])], 2)
    Path("f.ibnet").write_text(text)
    code, out, err = netloom("describe", "f.ibnet", "--json", "--no-cost", "--no-bisection")
    assert code == 0, err
    assert [one["where"] for one in json.loads(out)["findings"]] == ["a"]
    Path("f.ibnet").write_text(text.replace("a-n1", "a HCA-1").replace("a-n2", "a HCA-2"))
    code, out, err = netloom("describe", "f.ibnet", "--json", "--no-cost", "--no-bisection")
    assert code == 0 and "hosts have 1 to 2 ports" in err, err
    assert json.loads(out)["findings"] == []
