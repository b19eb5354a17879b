"""Classes of the user's own: what works, what is refused in words, and the contract."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import netloom
from netloom import contract, plugin
from netloom.base.errors import NetloomError
from netloom.mapping.place import endpoints_of


class Wheel(plugin.Topology):
    """A ring with a hub."""

    name = "wheel"
    example = "wheel(6)"

    def build(self, n: int, spokes: int = 1) -> plugin.NetworkSpec:
        ring = [(i, (i + 1) % n) for i in range(n)]
        return plugin.NetworkSpec(switches=n + 1, edges=ring + [(i, n) for i in range(0, n, spokes)])


class Backwards(plugin.Placement):
    """From the last endpoint down."""

    name = "backwards"

    def place(self, network: Any, ranks: int) -> list[int]:
        return [network.endpoints - 1 - i for i in range(ranks)]


class Downwards(plugin.Placement):
    """From the last free endpoint down, in steps."""

    name = "downwards"

    def place(self, network: Any, ranks: int, step: int = 1, *, available: Any) -> list[int]:
        return available[::-step][:ranks].tolist()


class Deafened(Downwards):
    """Asks for the free endpoints and takes others."""

    name = "deafened"

    def place(self, network: Any, ranks: int, step: int = 1, *, available: Any) -> list[int]:
        return list(range(ranks))


class Evens(plugin.Order):
    """Even slots first."""

    name = "evens-first"

    def order(self, network: Any, slots: Any) -> list[int]:
        return sorted(slots.tolist(), key=lambda slot: (slot % 2, slot))


class Line(plugin.Collective):
    """Every rank hands the message to the next."""

    name = "broadcast:line"

    def steps(self, ranks: int, root: int, size_bytes: int) -> list[list[plugin.Transfer]]:
        return [[((root + i) % ranks, (root + i + 1) % ranks, [0], False)] for i in range(ranks - 1)]


class Deaf(Line):
    """Forgets the last rank."""

    name = "broadcast:deaf"

    def steps(self, ranks: int, root: int, size_bytes: int) -> list[list[plugin.Transfer]]:
        return super().steps(ranks, root, size_bytes)[:-1]


class Neighbours(plugin.Pattern):
    """Everyone to the next."""

    name = "to-the-next"

    def flows(self, ranks: int, size: int = 8) -> list[tuple[int, int, int, int]]:
        return [(i, (i + 1) % ranks, 1, size) for i in range(ranks)] if ranks > 1 else []


class Greedy(plugin.Optimiser):
    """Tries all pairs once."""

    name = "all-pairs-once"

    def improve(self, problem: plugin.Problem) -> list[int]:
        best, value = problem.start.tolist(), problem.value(problem.start)
        for i in range(len(best)):
            for j in range(i):
                best[i], best[j] = best[j], best[i]
                new = problem.value(best)
                if new < value:
                    value = new
                else:
                    best[i], best[j] = best[j], best[i]
        return best


class Worse(plugin.Optimiser):
    """Reverses."""

    name = "worse"

    def improve(self, problem: plugin.Problem) -> list[int]:
        return problem.start[::-1].tolist()


@pytest.mark.parametrize("cls", [Wheel, Backwards, Downwards, Evens, Line, Neighbours, Greedy])
def test_good_classes_pass_the_contract(cls: type[plugin.Plugin]) -> None:
    assert contract.check(cls)["checks"] > 0


@pytest.mark.parametrize("time", ["first", "second"])
def test_each_test_starts_without_the_classes_of_others(time: str) -> None:
    assert not plugin.is_known("topologies", Wheel.name), f"the {time} time"
    plugin.register(Wheel)
    assert plugin.is_known("topologies", Wheel.name)


@pytest.mark.parametrize("cls", [Deaf, Deafened, Worse])
def test_bad_classes_do_not(cls: type[plugin.Plugin]) -> None:
    with pytest.raises(NetloomError):
        contract.check(cls)


@pytest.mark.parametrize(
    "text", ["torus(4,4)", "allreduce:ring", "tree(root=0)", "cco", "uniform(seed=1)", "two-opt(swaps=50)"]
)
def test_the_registered_pass_the_same_contract(text: str) -> None:
    assert contract.check(text)["checks"] > 0


def test_plugins_work_by_name() -> None:
    for cls in (Wheel, Backwards, Evens, Line, Neighbours):
        plugin.register(cls)
    assert netloom.describe("wheel(6)")["diameter"] == 2
    assert netloom.describe("wheel(8, spokes=2)", bisection=False)["degree_max"] == 4
    assert netloom.place("ring(8)", 3, "backwards").tolist() == [7, 6, 5]
    assert netloom.place("ring(8)", 3, "backwards", "evens-first").tolist() == [6, 5, 7]
    assert netloom.place("ring(8)", 3, "linear", "evens-first").tolist() == [0, 2, 1]
    assert netloom.hops("ring(8)", workload="broadcast:line")["total_hops"] == 7
    assert netloom.hops("ring(8)", workload="to-the-next(size=4)")["total_hops"] == 8


JOBS = """
[[job]]
name = "listed"
node_list = [7]
[[job]]
name = "first"
nodes = 2
placement = "{}"
[[job]]
name = "second"
nodes = 2
placement = "{}"
[[job]]
name = "third"
nodes = 2
"""


def test_placements_of_jobs_side_by_side() -> None:
    for cls in (Backwards, Downwards, Deafened):
        plugin.register(cls)

    def of(first: str, second: str, net: Any = "ring(8)", head: str = "") -> list[list[int]]:
        return [job.endpoints.tolist() for job in netloom.read(head + JOBS.format(first, second), "jobs", network=net)]

    def refused(first: str, second: str, *words: str, head: str = "") -> None:
        with pytest.raises(NetloomError) as caught:
            of(first, second, head=head)
        assert len(caught.value.faults) == 1 and all(word in str(caught.value) for word in words), caught.value

    assert of("downwards", "downwards") == [[7], [6, 5], [4, 3], [0, 1]]
    assert of("downwards(step=2)", "linear") == [[7], [6, 4], [0, 1], [2, 3]]
    assert of("linear", "downwards(available=[0,1,2,5])") == [[7], [0, 1], [5, 2], [3, 4]]
    # One that does not ask for the free endpoints: alone, or where they happen to be free.
    alone = "[[job]]\nnodes = 3\nplacement = 'backwards'\n"
    assert netloom.read(alone, "jobs", network="ring(8)")[0].endpoints.tolist() == [7, 6, 5]
    assert netloom.read(alone + "[[job]]\nnodes = 2", "jobs", network="ring(8)")[1].endpoints.tolist() == [0, 1]
    refused(
        "linear", "backwards", "NL-G005", 'job "second": backwards must be endpoints that are free, got 7', "available"
    )
    refused("deafened", "deafened", 'job "second": deafened must be endpoints that are free, got 0')
    refused("downwards", "downwards(step=9)", "NL-G005", 'job "second"', "2 endpoints, got 1")
    refused("downwards", "downwards(5, 6)", "NL-G003", 'job "second"')
    refused(
        "downwards",
        "downwards",
        "NL-M017",
        'job "second": 2 endpoints are wanted, 1 are free',
        head="free = [0, 1, 2]\n",
    )
    # Nor is a switch used that has failed.
    broken = netloom.network("ring(8)").without("switch:6", "fail")
    assert of("downwards", "downwards", broken) == [[7], [5, 4], [3, 2], [0, 1]]
    assert list(endpoints_of(broken, 2, "downwards")) == [7, 5]
    with pytest.raises(NetloomError, match="available"):
        endpoints_of(broken, 2, "backwards")


class Given(plugin.Collective):
    """What a test gives it."""

    name = "broadcast:given"
    given: Any = None

    def steps(self, ranks: int, root: int, size_bytes: int) -> Any:
        return self.given


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (3, "broadcast:given must be a list of steps, got 3"),
        ("steps", "broadcast:given must be a list of steps, got 'steps'"),
        ([3], "step 0 must be a list of transfers, got 3"),
        ([[3]], "step 0, transfer 0 must be (source, destination, blocks, combine), got 3"),
        ([[], [(0, 1, [0])]], "step 1, transfer 0 must be (source, destination, blocks, combine), got (0, 1, [0])"),
        ([[(0.9, 1, [0], False)]], "step 0, transfer 0 must be an integer as source, got 0.9"),
        ([[(0, 1, [0], False), (0, 1.99, [0], False)]], "transfer 1 must be an integer as destination, got 1.99"),
        ([[(0, True, [0], False)]], "must be an integer as destination, got True"),
        ([[(0, 2**70, [0], False)]], "must be an integer as destination, got 1180591620717411303424"),
        ([[(0, 1, [0.7], False)]], "must be integers as blocks, got 0.7"),
        ([[(0, 1, 0, False)]], "must be a list of integers as blocks, got 0"),
        ([[(0, 1, np.array([0.0]), False)]], "must be integers as blocks, got "),
        ([[(0, 1, [0], "False")]], "must be True or False as combine, got 'False'"),
        ([[(0, 1, [0], 0)]], "must be True or False as combine, got 0"),
    ],
)
def test_nothing_in_a_transfer_is_read_as_something_else(given: Any, words: str) -> None:
    plugin.register(Given)
    Given.given = given
    with pytest.raises(NetloomError) as caught:
        netloom.verify("broadcast:given", 2)
    assert caught.value.faults[0].code == "NL-G005" and words in str(caught.value)


def test_transfers_of_any_integers_in_any_lists() -> None:
    plugin.register(Given)
    one = np.array([1], dtype=np.int16)
    Given.given = iter([[[np.uint8(0), one[0], one - 1, np.False_]], ((0, 2, range(1), False),)])
    assert netloom.verify("broadcast:given", 3)["messages"] == 2
    Given.given = (1 // n for n in (0,))
    with pytest.raises(NetloomError, match="NL-G004 broadcast:given: ZeroDivisionError"):
        netloom.verify("broadcast:given", 3)


def named(**attributes: Any) -> type[plugin.Plugin]:
    return type("Mine", (plugin.Topology,), {"name": "mine", **attributes})


def raises(self: Any) -> None:
    raise ZeroDivisionError("on\npurpose")


@pytest.mark.parametrize(
    ("cls", "code"),
    [
        (named(name=""), "NL-G001"),
        (named(name="torus"), "NL-G002"),
        (named(name="a(b)"), "NL-G001"),
        (int, "NL-G001"),
        (named(build=raises), "NL-G004"),
        (named(build=lambda self: 3), "NL-G005"),
        (named(build=lambda self, n: 3), "NL-G003"),
        (named(build=lambda self: plugin.NetworkSpec(0, [])), "NL-G005"),
        (named(build=lambda self: plugin.NetworkSpec(10**12, [])), "NL-G005"),
        (named(build=lambda self: plugin.NetworkSpec(2, [(0, 1, 2)])), "NL-G005"),
        (named(build=lambda self: plugin.NetworkSpec(2, [(0, "x")])), "NL-G005"),
        (named(build=lambda self: plugin.NetworkSpec(2, [(0, 9)])), "NL-N"),
    ],
)
def test_what_is_refused(cls: type[plugin.Plugin], code: str) -> None:
    with pytest.raises(NetloomError) as caught:
        plugin.register(cls)
        plugin.build_network("mine")
    assert caught.value.faults[0].code.startswith(code), str(caught.value)
    assert "\n" not in caught.value.faults[0].expected
