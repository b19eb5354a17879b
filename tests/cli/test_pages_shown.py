"""The page of every command with `--report` in a browser: on a phone and a wide screen, light, dark and on paper."""

from __future__ import annotations

import shlex
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

axe = pytest.importorskip("axe_playwright_python.sync_playwright")

Run = Callable[..., tuple[int, str, str]]
WIDTHS = (400, 800, 1400)
DRAGONFLY = "-n 'dragonfly(a=4,p=2,h=2,g=9)'"
PAGES = {
    "describe": "describe 'dragonfly(a=4,p=2,h=2,g=9)'",
    "loads": f"loads {DRAGONFLY} -t uniform",
    "ranking": f"loads {DRAGONFLY} -t spread -p rdn -p rdg -v SD -v AD",
    "simulate": "simulate -n 'torus(4,4)' -c alltoall:bruck --size 4KiB --critical-path",
    "packets": "simulate -n 'torus(4,4)' -c allreduce:rabenseifner --size 64KiB --model packet --details",
    "throughput": "throughput -n 'torus(4,4)' -t tornado -r dimension-ordered --loads 0.1,0.5,1 --warm-up 500 "
    "--cycles 2000 --links 4 --occupancy 20",
    "collectives": "collectives -n 'fat_tree(radix=8,levels=2)' -c allreduce --sizes 8:1MiB",
    "compare": "compare 'torus(8,8)' 'hypercube(6)' 'dragonfly(a=4,p=2,h=2,g=8)' -c alltoall:bruck --size 64KiB "
    "-t 'shift(k=1)'",
    "map": f"map {DRAGONFLY} --cores 8 --ranks 256 -t 'stencil(8,8,4,bytes=\"64 KiB\")' -q",
}
#: Texts of charts that stick out of their picture, by more than a pixel.
CUT = """() => [...document.querySelectorAll('.plot svg')].flatMap((svg) => {
  const frame = svg.getBoundingClientRect();
  return [...svg.querySelectorAll('text')].filter((text) => {
    const box = text.getBoundingClientRect();
    return box.left < frame.left - 1 || box.right > frame.right + 1
      || box.top < frame.top - 1 || box.bottom > frame.bottom + 1;
  }).map((text) => text.textContent);
})"""
#: Parts that are wider than what they stand in, and do not scroll.
WIDE = """() => [...document.querySelectorAll('main *')].filter((one) => one.scrollWidth > one.clientWidth + 1
  && one.clientWidth && getComputedStyle(one).display !== 'inline' && !one.closest('svg, .stage, .skip')
  && getComputedStyle(one).overflowX === 'visible').map((one) => one.outerHTML.slice(0, 120))"""


@pytest.fixture
def page(netloom: Run, open_page: Any, request: pytest.FixtureRequest) -> Any:
    code, _, err = netloom(*shlex.split(PAGES[request.param]), "--report", "page.html")
    assert code == 0, err
    opened = open_page(Path("page.html").resolve().as_uri())
    opened.wait_for_selector("html[data-ready]")
    opened.evaluate("document.querySelectorAll('details').forEach((fold) => { fold.open = true; })")
    return opened


every = pytest.mark.parametrize("page", PAGES, indirect=True)


@every
def test_nothing_is_cut_and_everybody_can_read_it(page: Any) -> None:
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        page.wait_for_timeout(400)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.evaluate(CUT) == [], width
        assert page.evaluate(WIDE) == [], width
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        found = axe.Axe().run(page)
        wrong = [rule for rule in found.response["violations"] if rule["impact"] in ("serious", "critical")]
        assert [(rule["id"], rule["nodes"][0]["html"][:160]) for rule in wrong] == []
    assert page.said == []


@pytest.mark.parametrize("page", ["map"], indirect=True)
def test_networks_are_on_paper(page: Any, tmp_path: Path) -> None:
    """Each as a picture with colours in it, two beside each other."""
    page.emulate_media(color_scheme="dark")
    count = page.locator(".stage").count()
    printed = page.pdf(path=tmp_path / "page.pdf", prefer_css_page_size=True)
    pictures = [part for part in printed.split(b"endobj") if b"/Subtype /Image" in part and b"/SMask" in part]
    assert count == 2 and len(pictures) == count
    for part in pictures:
        drawn = zlib.decompress(part.partition(b"stream\n")[2].rpartition(b"\nendstream")[0])
        assert len({drawn[at : at + 3] for at in range(0, len(drawn) - 2, 3)}) > 20
    page.emulate_media(media="print", color_scheme="dark")
    first, second = (one.bounding_box() for one in page.locator(".still").all())
    assert abs(first["y"] - second["y"]) < 2 and first["width"] > 200
