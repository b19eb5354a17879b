"""NICs in prices, and what stands in place of prices and power that no source gives."""

from __future__ import annotations

import json

import pytest

import netloom
from netloom.base.errors import NetloomError
from netloom.cli.app import main
from netloom.compare import compare
from netloom.compare.sizes import priced
from netloom.network.size import size

MODEL = """
title = "An offer"
source = "a vendor"
date = "2026"
gbps = 400
[layout]
cabinet_width_m = 0.6
cabinet_depth_m = 2.0
switches_per_cabinet = 8
intra_cabinet_m = 1.0
inter_cabinet_overhead_m = 2.0
[switch]
usd_per_port = 100.0
w_per_port = 10.0
[[cable]]
name = "any"
usd = 50.0
"""
NIC = "[nic]\nusd = 1000\nw = 20\n"


@pytest.fixture
def offer(tmp_path):
    def written(more=""):
        path = tmp_path / "offer.toml"
        path.write_text(MODEL + more)
        return str(path)

    return written


def cost(model, network='ring(4,bandwidth="400 Gbps")', **options):
    return netloom.evaluate({"network": network, "model": model}, "cost", **options)


def test_nics_are_part_of_the_price_where_the_model_has_them(offer):
    without, with_nics = cost(offer()), cost(offer(NIC))
    assert (without["nic_cost_usd"], without["nic_power_w"]) == (None, None)
    assert (with_nics["nic_cost_usd"], with_nics["nic_power_w"]) == (4000.0, 80.0)
    # Four switches of two cables and an endpoint each, four cables.
    assert without["total_usd"] == 4 * 3 * 100 + 4 * 50
    assert with_nics["total_usd"] == without["total_usd"] + 4000
    assert without.explain() == ["Not priced: NICs, and the cables to endpoints."]
    assert with_nics.explain() == ["Not priced: the cables to endpoints."]
    assert cost(offer(NIC), endpoint_cables=True).explain() == []


def test_power_of_other_speeds_is_named_where_the_model_has_power(offer):
    model = offer()
    fast = 'ring(4,bandwidth="800 Gbps")'
    said, silent = (str(cost(one, fast).explain()) for one in (model, "jain-2016"))
    assert "prices of 2026 for parts of 400 Gb/s stand for 800 Gb/s; a switch port costs the same at any " in said
    assert "at any speed, and its power, and" in said
    assert "its power" not in silent


@pytest.mark.parametrize("wrong", ["[nic]\nusd = -1\n", "[nic]\nprice = 1\n", "nic = 3\n"])
def test_wrong_nics_are_refused(offer, wrong, tmp_path):
    path = tmp_path / "wrong.toml"
    path.write_text(wrong + MODEL if wrong.startswith("nic =") else MODEL + wrong)
    with pytest.raises(NetloomError) as caught:
        cost(str(path))
    assert "nic" in caught.value.faults[0].place + caught.value.faults[0].got


def test_sizes_have_the_numbers_of_compare():
    rows, notes = priced(size("fat_tree", 64, radix=16, most=2))
    for row in rows:
        (same,) = compare([row["network"]])
        assert row["usd_per_endpoint"] == same["usd_per_endpoint"]
        assert row["bisection_per_endpoint"] == same["bisection_per_endpoint"]
    assert any(line.startswith("Extrapolated") for line in notes)


def test_what_is_too_large_to_be_built_has_no_price():
    ((small, large), _) = priced(
        [
            next(row for row in size("torus", count, most=40) if row["network"].endswith("p=1)"))
            for count in (64, 100_000)
        ]
    )
    assert small["usd_per_endpoint"] > 0
    assert "usd_per_endpoint" not in large


def test_the_command_prints_them(capsys):
    with pytest.raises(SystemExit) as ended:
        main(["size", "torus", "--endpoints", "16", "--most", "1", "--json"])
    assert ended.value.code == 0
    (row,) = json.loads(capsys.readouterr().out)
    assert row["usd_per_endpoint"] > 0
    assert 0 < row["bisection_per_endpoint"] <= 1
    with pytest.raises(SystemExit):
        main(["size", "torus", "--endpoints", "16", "--most", "1"])
    shown = capsys.readouterr()
    assert "diameter  bisection  USD\n" in shown.out
    assert "note: Not priced: NICs" in shown.err
    assert "bisection (cables; 0.5 is full) and USD are per endpoint" in shown.err
