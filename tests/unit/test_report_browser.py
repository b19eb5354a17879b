"""The report in a real browser: it draws, answers to the reader, asks for nothing and runs no script but its own."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from netloom.report import Chart, NetworkView, Table, Text, write_report

ATTACK = "</script><img src=x onerror=\"document.title='broken into'\">"
TABLE = {
    "size_bytes": [256, 4096, 65536] * 2,
    "algorithm": ["ring"] * 3 + [ATTACK] * 3,
    "time_s": [1e-6, 2e-6, 5e-5, 3e-6, 1e-6, 1e-3],
}


def sections() -> list:
    ring = np.arange(12)
    tails, heads = np.concatenate([ring, (ring + 1) % 12]), np.concatenate([(ring + 1) % 12, ring])
    by = {"x": "size_bytes", "y": "time_s", "series": "algorithm"}
    return [
        Text(ATTACK, ATTACK),
        *[Chart(f"{ATTACK} {kind}", kind, TABLE, **by, log="xy") for kind in ("line", "bar", "box", "scatter")],
        Chart("map", "heat", TABLE, x="size_bytes", y="algorithm", value="time_s", y_label=ATTACK, value_label=ATTACK),
        Table.of("runs", TABLE, name="runs"),
        NetworkView(ATTACK, 12, tails, heads, groups=ring // 6, class_of=[0] * 24, class_names=[ATTACK]),
    ]


@pytest.fixture
def page(open_page, tmp_path: Path):
    report = write_report(tmp_path / "report.html", {"title": ATTACK, "version": "0", "seeds": {ATTACK: 1}}, sections())
    opened = open_page(report.as_uri())
    opened.wait_for_selector("html[data-ready]")
    return opened


def test_everything_is_drawn_and_nothing_is_asked_for(page):
    assert page.asked == [page.url]
    assert page.said == []
    assert page.title() == ATTACK
    assert page.locator("img").count() == 0
    plots = page.locator(".plot svg")
    assert plots.count() == 5
    for i in range(5):
        assert plots.nth(i).locator("path").count() > 10
    assert page.locator(".stage canvas").count() == 2


def test_tooltip_shows_text_not_markup(page):
    for chart in page.locator(".chart").all():
        chart.scroll_into_view_if_needed()
        box = chart.locator(".plot").bounding_box()
        for share in (0.3, 0.5, 0.7, 0.93):
            page.mouse.move(box["x"] + box["width"] * share, box["y"] + box["height"] * 0.5)
    first = page.locator(".chart .plot").first
    first.scroll_into_view_if_needed()
    box = first.bounding_box()
    page.mouse.move(box["x"] + box["width"] * 0.5, box["y"] + box["height"] * 0.5)
    page.wait_for_selector(".tip")
    said = page.locator(".tip").first.inner_text()
    assert "4 KiB" in said
    assert "ring: 2 µs" in said
    assert ATTACK in said
    assert page.title() == ATTACK
    assert page.locator("img").count() == 0


def test_legend_hides_a_series(page):
    chart = page.locator(".chart").first
    before = chart.locator(".plot svg path").count()
    chart.locator(".legend button").first.click()
    assert chart.locator(".legend button").first.get_attribute("aria-pressed") == "false"
    assert chart.locator(".plot svg path").count() < before


def test_tables_sort_filter_and_leave_as_csv(page):
    box = page.locator(".table[data-name=runs]")
    column = box.locator("th button").nth(2)
    column.click()
    first = box.locator("tbody tr").first.locator("td").nth(1)
    assert first.inner_text() == "1 µs"
    column.click()
    assert first.inner_text() == "1 ms"
    box.locator("input").fill("ring 256")
    assert box.locator("tbody tr:visible").count() == 1
    with page.expect_download() as waiting:
        box.get_by_text("CSV").click()
    lines = Path(waiting.value.path()).read_text().splitlines()
    assert waiting.value.suggested_filename == "runs.csv"
    assert lines[0] == "size_bytes,algorithm,time_s"
    assert len(lines) == 7


def test_network_answers_to_the_pointer(page):
    stage = page.locator(".stage")
    stage.scroll_into_view_if_needed()
    box = stage.bounding_box()
    found = ""
    for i in range(400):
        page.mouse.move(
            box["x"] + box["width"] * (0.25 + 0.5 * (i % 20) / 20), box["y"] + box["height"] * (i // 20) / 20
        )
        found = page.locator(".bubble").inner_text()
        if found:
            break
    assert found.startswith("switch ")
    assert "2 cables to 2 switches" in found
    page.get_by_role("button", name="matrix").click()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    assert "cable" in page.locator(".bubble").inner_text()
    assert page.said == []


def test_dark_scheme_is_drawn_anew(page):
    page.emulate_media(color_scheme="dark")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(20, 23, 27)"
    assert page.said == []
