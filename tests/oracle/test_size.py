"""What `size` says of a network against the network itself."""

from __future__ import annotations

import json

import numpy as np
import pytest

import netloom
from netloom.base.errors import NetloomError
from netloom.cli.app import main
from netloom.network.candidates import FAMILIES
from netloom.network.size import size


@pytest.mark.parametrize("family", FAMILIES)
def test_rows_are_true(family: str) -> None:
    rows = size(family, 64, most=4)
    assert rows, family
    for row in rows:
        network = netloom.network(row["network"])
        assert (network.endpoints, network.switches) == (row["endpoints"], row["switches"])
        assert len(network.tails) == 2 * row["switch_links"]
        cables = np.bincount(network.tails, minlength=network.switches)
        ports = cables + np.bincount(network.endpoint_switch, minlength=network.switches)
        assert int(ports.max()) == row["radix"], row["network"]
        if row["diameter"] is not None:
            assert network.metrics()["diameter"] == row["diameter"]


def test_every_family_is_there() -> None:
    # What is not bought: links that go one way, and a network without switches and cables.
    models = {"butterfly", "simple"}
    assert set(FAMILIES) | models == {row["name"] for row in netloom.catalogue("topologies")}
    for family in models:
        with pytest.raises(NetloomError):
            size(family, 64)


def test_the_balanced_dragonfly_is_found_and_the_nearest_comes_first() -> None:
    assert size("dragonfly", 1056)[0]["endpoints"] == 1056
    away = [abs(row["endpoints"] - 4096) for row in size("dragonfly", 4096, radix=48)]
    assert away == sorted(away) and away[0] < 64


def test_the_radix_bounds_every_row() -> None:
    rows = size("fat_tree", 1024, radix=16)
    assert rows[0]["network"] == 'fat_tree(radix=16,levels=3,top="full")'
    assert all(row["radix"] <= 16 for row in rows)


def test_as_a_command(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main(["size", "dragonfly", "--endpoints", "72", "--most", "3", "--json"])
    assert end.value.code == 0
    rows = json.loads(capsys.readouterr().out)
    assert len(rows) == 3 and rows[0]["endpoints"] == 72


@pytest.mark.parametrize(("family", "endpoints"), [("dragonfli", 64), ("torus", 0), ("torus", -4), ("torus", 1 << 60)])
def test_bad_input_is_refused(family: str, endpoints: int) -> None:
    with pytest.raises(NetloomError):
        size(family, endpoints)
