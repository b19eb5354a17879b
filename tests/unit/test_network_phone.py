"""The network view on a phone: numbers of switches do not run into each other."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import netloom
from netloom.cli.pages import view
from netloom.report import write_report

#: Draws all anew, with every number that is written and every circle remembered.
WATCH = """() => {
  const drawn = [], circles = [], kind = CanvasRenderingContext2D.prototype;
  const { fillText, arc } = kind;
  kind.fillText = function (text, x, y) {
    drawn.push([text, x, y, this.measureText(text).width, parseFloat(this.font.match(/([\\d.]+)px/)[1])]);
    return fillText.apply(this, arguments);
  };
  kind.arc = function (x, y, r) { circles.push([x, y, r]); return arc.apply(this, arguments); };
  netloom.redraws.forEach((draw) => draw());
  [kind.fillText, kind.arc] = [fillText, arc];
  return JSON.stringify([drawn, circles]);
}"""
NETWORKS = {
    "dragonfly(a=4,p=2,h=2)": True,
    "fat_tree(radix=8,levels=3)": True,
    "hypercube(5)": True,
    "torus(4,4,4)": True,
    "torus(16,16)": False,
}


@pytest.mark.parametrize("network", NETWORKS)
def test_numbers_do_not_overlap(network: str, open_page, tmp_path: Path) -> None:
    page = write_report(tmp_path / "page.html", {"title": network}, [view(netloom.network(network))])
    opened = open_page(page.as_uri(), 390)
    opened.wait_for_selector("html[data-ready]")
    numbers, circles = json.loads(opened.evaluate(WATCH))
    assert opened.said == [] and bool(numbers) == NETWORKS[network]
    for at, (text, x, y, wide, size) in enumerate(numbers):
        for other, x2, y2, wide2, size2 in numbers[:at]:
            apart = abs(x - x2) >= (wide + wide2) / 2 or abs(y - y2) >= (size + size2) / 2 * 0.75
            assert apart, (text, other)
    for at, (x, y, r) in enumerate(circles):
        assert all((x - x2) ** 2 + (y - y2) ** 2 >= (r + r2) ** 2 for x2, y2, r2 in circles[:at])
