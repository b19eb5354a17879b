"""Names from outside in pictures: dollars are no formulas, control characters no controls, missing letters no noise."""

from __future__ import annotations

import warnings
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import netloom
from netloom.evaluate.loads.pictures import PICTURES
from netloom.evaluate.loads.pictures_style import matrix
from netloom.plot import Drawing, draw_network, figure, save

HOSTILE = ["run$A_$B_2", "a\x01b\x1b[31m", "\u202egnp.x", "量子", "$\\frac{$"]


def drawn(sheet: Any, folder: Path) -> list[str]:
    """What all texts say after the files are written, without a warning."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        save(sheet, folder / "x.svg", folder / "x.png")
    ElementTree.parse(folder / "x.svg")
    import matplotlib.text

    return [text.get_text() for text in sheet.findobj(matplotlib.text.Text)]


@pytest.mark.parametrize("name", HOSTILE, ids=ascii)
@pytest.mark.parametrize("kind", ["line", "bar", "box", "heat"])
def test_figures_of_tables(kind: str, name: str, tmp_path: Path) -> None:
    rows = {"job": [name, "b", name, "b"], "other": ["b", "b", name, name], "v$_$": [1.0, 2.0, 3.0, 400.0]}
    series = {"value": "v$_$", "y": "other"} if kind == "heat" else {"series": "other", "facet": "job", "y": "v$_$"}
    sheet = figure(kind, rows, x="job", title=name, log="y", **series)
    said = drawn(sheet, tmp_path)
    shown = name.replace("\x01", "\\x01").replace("\x1b", "\\x1b").replace("\u202e", "\\u202e")
    assert said.count(shown) >= 2 and all(text.replace("\n", "").isprintable() for text in said)


def test_the_command_offers_every_picture_of_loads() -> None:
    from netloom.cli.loads import PICTURES as offered

    assert set(offered) == set(PICTURES)


@pytest.mark.parametrize("picture", [name for name in PICTURES if name != "groups"])
def test_pictures_of_loads(picture: str, tmp_path: Path) -> None:
    jobs = [netloom.Job("uniform", name=name, mapping=range(3 * i, 3 * i + 3)) for i, name in enumerate(HOSTILE)]
    found = netloom.loads(netloom.torus(4, 4), jobs, arrays=True)
    assert all(text.replace("\n", "").isprintable() for text in drawn(PICTURES[picture](found), tmp_path))


def test_drawings_of_networks(tmp_path: Path) -> None:
    tails = np.arange(5)
    for view in ("graph", "matrix"):
        sheet = draw_network(
            Drawing("x$T_$y\x07", 5, tails, (tails + 1) % 5, view=view, class_of=tails, class_names=HOSTILE)
        )
        assert "x$T_$y\\x07" in drawn(sheet, tmp_path)


def test_powers_are_letters(tmp_path: Path) -> None:
    said = drawn(figure("line", {"x": [1, 2, 3], "y": [2e-4, 1.0, 3e5]}, x="x", y="y", log="y"), tmp_path)
    assert {"10⁻²", "10⁴"} <= set(said) and not any("$" in text for text in said)
    said = drawn(figure("line", {"x": [1, 2], "y": [2100.0, 3900.0]}, x="x", y="y", log="y"), tmp_path)
    assert "3×10³" in said
    cells = np.array([[1.0, 2000.0], [30.0, 4.0]])
    said = drawn(matrix(cells, ("to", "from", "meets"), names=["$a$", "b"], log=True), tmp_path)
    assert {"10²", "$a$"} <= set(said)
