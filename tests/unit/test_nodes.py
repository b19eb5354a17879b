"""N nodes, K ranks on each: which endpoints and seats they get."""

from __future__ import annotations

from pathlib import Path

import pytest

from netloom import NetloomError, Scenario
from netloom.evaluate import bound_of, evaluator
from netloom.scenario import Calls, Workshop

LEVELS = "node(sockets=2,cores=8)"


def places(**inputs: object) -> tuple[list[int], list[int] | None]:
    """Endpoints, and seats where the endpoints have several."""
    scenario = Scenario(workload="allreduce:ring", **inputs)
    bound = bound_of(evaluator("time"), scenario, Workshop(Calls(Path())), lambda done, total: None)
    assert bound.ranks == len(bound.mapping)
    seats = bound.place.seats
    return [int(one) for one in bound.mapping], None if seats is None else [int(one) for one in seats]


@pytest.mark.parametrize(
    ("inputs", "endpoints", "seats"),
    [
        ({"network": "torus(4,4)", "nodes": 3}, [0, 1, 2], None),
        ({"network": "torus(4,4)", "nodes": 2, "ranks_per_node": 2}, [0, 0, 1, 1], None),
        ({"network": "torus(2,2)", "ranks_per_node": 2}, [0, 0, 1, 1, 2, 2, 3, 3], None),
        # GPUs are places of their own, the first ones of each node.
        ({"network": "rail_cluster(nodes=4,gpus=4)", "nodes": 2}, list(range(8)), None),
        ({"network": "rail_cluster(nodes=4,gpus=4)", "nodes": 2, "ranks_per_node": 2}, [0, 1, 4, 5], None),
        ({"network": "rail_cluster(nodes=4,gpus=2)", "nodes": 1, "ranks_per_node": 4}, [0, 0, 1, 1], None),
        # Seats of a node are spread over its sockets, and over its NICs.
        ({"network": "torus(4,4)", "node": LEVELS, "nodes": 2, "ranks_per_node": 1}, [0, 1], [0, 0]),
        (
            {"network": "torus(4,4)", "node": LEVELS, "nodes": 2, "ranks_per_node": 4},
            [0, 0, 0, 0, 1, 1, 1, 1],
            [0, 4, 8, 12, 0, 4, 8, 12],
        ),
        (
            {"network": "torus(4,4)", "node": LEVELS.replace(")", ",nics=2)"), "nodes": 2, "ranks_per_node": 2},
            [0, 1, 2, 3],
            [0, 0, 0, 0],
        ),
        # The placement chooses nodes; one that has failed gets no ranks.
        ({"network": "torus(4,4)", "nodes": 2, "placement": "linear(first=14)"}, [14, 15], None),
        (
            {"network": "rail_cluster(nodes=3,gpus=2)", "nodes": 2, "fail": "switch:4"},
            [2, 3, 4, 5],
            None,
        ),
    ],
)
def test_where_ranks_are(inputs: dict[str, object], endpoints: list[int], seats: list[int] | None) -> None:
    assert places(**inputs) == (endpoints, seats)


@pytest.mark.parametrize(
    ("inputs", "code", "says"),
    [
        ({"network": "torus(4,4)", "nodes": 17}, "NL-J004", "at most 16 nodes"),
        ({"network": "rail_cluster(nodes=4,gpus=4)", "nodes": 5}, "NL-J004", "at most 4 nodes"),
        ({"network": "torus(4,4)", "node": LEVELS, "nodes": 1, "ranks_per_node": 17}, "NL-J004", "at most 16 ranks"),
        ({"network": "torus(4,4)", "cores": 2, "ranks_per_node": 3}, "NL-J004", "at most 2 ranks"),
        ({"network": "torus(4,4)", "nodes": 2, "ranks": 2}, "NL-H003", "leave ranks or nodes out"),
        ({"network": "torus(4,4)", "ranks_per_node": 1, "mapping": [0, 1]}, "NL-H003", "leave mapping"),
        ({"network": "torus(4,4)", "nodes": 0}, "NL-A007", ">= 1"),
    ],
)
def test_what_does_not_fit_is_refused(inputs: dict[str, object], code: str, says: str) -> None:
    with pytest.raises(NetloomError) as error:
        places(**inputs)
    assert error.value.faults[0].code == code
    assert says in str(error.value)
