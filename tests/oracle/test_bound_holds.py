"""No simulated algorithm is faster than the network's cuts allow."""

from __future__ import annotations

import pytest

from netloom.tuning import time_collective

COLLECTIVES = (
    *("allgather", "allreduce", "alltoall", "broadcast", "exscan"),
    *("gather", "reduce", "reduce-scatter", "scan", "scatter"),
)


@pytest.mark.parametrize("collective", COLLECTIVES)
@pytest.mark.parametrize("text", ["torus(4,4)", "dragonfly(a=2,p=2,h=2,g=5)", "thin_tree(down=4,up=1,levels=2)"])
def test_every_time_is_at_least_the_bound(text: str, collective: str) -> None:
    timing = time_collective(text, collective, ranks=16, sizes=[64, 1 << 20])
    assert timing.table.rows and all(row["time_s"] > 0 for row in timing.table.rows)
    for row in timing.table.rows:
        assert row["time_s"] >= row["bound_s"] * (1 - 1e-9), row
    if collective in ("scan", "exscan"):
        # All of their schedules send the whole vector again in every step.
        return
    large = [row for row in timing.table.rows if row["winner"] and row["size_bytes"] == 1 << 20]
    # And the bound is no empty one: the best is within a factor of what the cuts allow.
    assert len(large) == 1 and 100 >= large[0]["bound_percent"] > 10, large
