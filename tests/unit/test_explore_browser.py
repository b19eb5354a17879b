"""The explorer in a real browser: what a person clicks, drags and types is what the commands compute."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from netloom import Scenario
from netloom.explore import Server, still_page


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path


@pytest.fixture
def page(open_page, folder: Path) -> Iterator:
    with Server(Scenario("ring(8)", workload="tornado"), folder) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        opened = open_page(server.address, 1400)
        settled(opened)
        yield opened
        opened.close()
        server.shutdown()
        thread.join()


def settled(page) -> None:
    """Wait until the page waits for nothing."""
    page.wait_for_selector("#n-time b")
    page.wait_for_selector("body:not([aria-busy])", timeout=60_000)


def choose(page, field: str, value: str) -> None:
    page.select_option(f"#{field}", value)
    settled(page)


def write(page, field: str, value: str) -> None:
    page.fill(f"#{field}", value)
    page.press(f"#{field}", "Tab")
    settled(page)


def number(page, name: str) -> str:
    return page.inner_text(f"#n-{name} b")


def drag(page, rank: int, endpoint: int) -> None:
    """A rank with the pointer onto an endpoint."""
    start = page.locator(f'circle[data-ranks="{rank}"]').bounding_box()
    end = page.locator(f'circle[data-endpoint="{endpoint}"]').bounding_box()
    page.mouse.move(start["x"] + start["width"] / 2, start["y"] + start["height"] / 2)
    page.mouse.down()
    page.mouse.move(end["x"], end["y"], steps=4)
    page.mouse.move(end["x"] + end["width"] / 2, end["y"] + end["height"] / 2)
    page.mouse.up()
    settled(page)


def netloom(folder: Path, *args: str) -> dict:
    done = subprocess.run(
        [sys.executable, "-m", "netloom", *args, "--json"], cwd=folder, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def shown_time(seconds: float) -> str:
    from netloom.base.quantities import time_text

    return time_text(seconds)


def test_a_person_clicks_through_it(page, folder: Path) -> None:
    choose(page, "name-network", "torus")
    write(page, "in-network", "torus(4,4)")
    write(page, "in-size_bytes", "1 MiB")
    choose(page, "name-workload", "allreduce:ring")
    first = number(page, "time")
    asked = ["-n", "torus(4,4)", "-c", "allreduce:ring", "--size", "1 MiB"]
    assert first == shown_time(netloom(folder, "simulate", *asked)["time_s"])

    page.locator('[data-cable="0"] .hit').dispatch_event("click")
    assert page.inner_text("#detail").startswith("Cable 0 – 1")
    page.click("#fail-cable")
    settled(page)
    failed = number(page, "time")
    loads = netloom(folder, "loads", *asked, "--fail", "link:0-1")
    assert failed == shown_time(netloom(folder, "simulate", *asked, "--fail", "link:0-1")["time_s"]) != first
    assert number(page, "worst") == shown_time(loads["classes"]["all"]["max_s"])
    assert page.locator(".cable.out").count() == 1
    assert page.inner_text("#n-time .changed").startswith("+")

    choose(page, "name-workload", "allreduce:recursive-doubling")
    asked[3] = "allreduce:recursive-doubling"
    changed = number(page, "time")
    assert changed == shown_time(netloom(folder, "simulate", *asked, "--fail", "link:0-1")["time_s"]) != failed

    drag(page, 3, 12)
    assert page.locator('circle[data-endpoint="12"]').get_attribute("data-ranks") == "3"
    assert page.locator('circle[data-endpoint="3"]').get_attribute("data-ranks") == "12"
    moved = number(page, "time")

    page.fill("#save-name", "mine.toml")
    page.click("#save")
    page.wait_for_selector("#saved pre")
    assert "Saved mine.toml, mine.ranks.csv" in page.inner_text("#saved")
    for name, key in (("time", "time_s"), ("loads", "max_s")):
        record = netloom(folder, "evaluate", "mine.toml", "-e", name)["record"]
        assert number(page, "time" if name == "time" else "worst") == shown_time(record[key])
    by_file = netloom(folder, "simulate", *asked, "--fail", "link:0-1", "--mapping", "mine.ranks.csv")
    assert moved == shown_time(by_file["time_s"])
    assert page.locator("#steps tbody tr").count() == 8
    assert page.said == []
    assert all(url.startswith(page.url) for url in page.asked)


def test_steps_can_be_taken_back(page) -> None:
    first = number(page, "time")
    page.click("#fail-hottest")
    settled(page)
    assert number(page, "time") != first
    page.click("#undo")
    settled(page)
    assert number(page, "time") == first and page.locator("#chips li").count() == 0
    page.click("#redo")
    settled(page)
    assert page.locator("#chips li").count() == 1
    page.click("#chips button")
    settled(page)
    assert number(page, "time") == first


def test_ranks_move_by_keyboard_and_by_numbers(page) -> None:
    page.focus("#network")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    assert "Moving rank 0" in page.inner_text("#detail")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    settled(page)
    assert page.locator('circle[data-endpoint="0"]').get_attribute("data-ranks") != "0"
    assert page.inner_text("#toml").count("mapping") == 1 or "mapping" in page.text_content("#toml")
    page.click("#move-back")
    settled(page)
    assert page.locator('circle[data-endpoint="0"]').get_attribute("data-ranks") == "0"
    page.fill("#move-rank", "2")
    page.fill("#move-to", "7")
    page.click("#move-go")
    settled(page)
    assert page.locator('circle[data-endpoint="7"]').get_attribute("data-ranks") == "2"
    page.fill("#move-to", "99")
    page.click("#move-go")
    assert "0..7, got 99" in page.inner_text("#faults")


def test_faults_stand_at_their_field_and_are_taken_back(page) -> None:
    write(page, "in-size_bytes", "a lot")
    assert "NL-A008" in page.inner_text("#faults")
    assert page.get_attribute("#in-size_bytes", "aria-invalid") == "true"
    page.click("#take-back")
    settled(page)
    assert page.input_value("#in-size_bytes") == "1" and page.inner_text("#faults") == ""
    # The page cannot be made to run what a name holds.
    write(page, "fail-what", "<img src=x onerror=alert(1)>")
    page.click("#fail-add")
    settled(page)
    assert page.locator("img").count() == 0 and "NL-N014" in page.inner_text("#faults")


def test_a_routing_that_does_not_lead_round_can_be_replaced(page) -> None:
    write(page, "in-network", "torus(16,16)")
    page.click("#fail-hottest")
    page.wait_for_selector("#reroute")
    page.click("#reroute")
    settled(page)
    assert page.inner_text("#faults") == "" and page.locator(".cable.out").count() == 1


def test_parameters_have_fields(page) -> None:
    choose(page, "name-network", "torus")
    page.click("summary:has-text('Parameters') >> nth=0")
    write(page, "in-network-dims", "3,5")
    write(page, "in-network-bandwidth", "200 Gbps")
    assert page.input_value("#in-network") == 'torus(3,5,bandwidth="200 Gbps")'
    assert page.inner_text("#bar strong").startswith("torus(3,5")


def test_every_name_of_the_form_gives_an_answer_or_a_fault(page) -> None:
    page.set_default_timeout(60_000)
    for value in page.eval_on_selector_all("#name-network option", "all => all.map(one => one.value)"):
        if value:
            choose(page, "name-network", value)
            said = page.inner_text("#faults")
            assert "no links to count" in said if value == "simple" else said == "", value


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_words_can_be_read(page, scheme: str) -> None:
    """Contrast of texts against their ground, as WCAG 2 counts it: 4.5 or more."""
    page.emulate_media(color_scheme=scheme)
    page.click("#fail-hottest")
    settled(page)
    assert page.evaluate(CONTRAST) == []


def test_every_field_has_a_name(page) -> None:
    assert page.evaluate(UNNAMED) == []


def test_it_fits_a_phone(page) -> None:
    page.set_viewport_size({"width": 390, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_the_static_page_answers_without_a_server(open_page, tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(still_page())
    opened = open_page((tmp_path / "page.html").as_uri())
    settled(opened)
    first = number(opened, "time")
    assert first == shown_time(
        netloom(tmp_path, "simulate", "-n", "torus(4,4)", "-c", "allreduce:ring", "--size", "1 MiB")["time_s"]
    )
    for field in ("network", "fail", "workload", "size_bytes", "placement"):
        for value in opened.eval_on_selector_all(f"#in-{field} option", "all => all.map(one => one.value)"):
            choose(opened, f"in-{field}", value)
    assert number(opened, "time") != first
    assert opened.said == [] and opened.asked == [(tmp_path / "page.html").as_uri()]


UNNAMED = """() => [...document.querySelectorAll("input,select,button")]
  .filter((one) => !one.labels?.[0]?.textContent.trim() && !one.textContent.trim()).map((one) => one.id)"""
CONTRAST = """() => {
  const rgb = (text) => text.match(/[\\d.]+/g).map(Number);
  const linear = (v) => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
  const light = (colour) => [0.2126, 0.7152, 0.0722].reduce((sum, part, i) => sum + part * linear(colour[i] / 255), 0);
  const ground = (one) => {
    for (; one; one = one.parentElement) {
      const colour = rgb(getComputedStyle(one).backgroundColor);
      if (colour.length < 4 || colour[3] > 0) return colour;
    }
    return [255, 255, 255];
  };
  const poor = [];
  for (const one of document.querySelectorAll("body *")) {
    const says = [...one.childNodes].some((n) => n.nodeType === 3 && n.data.trim());
    if (!says || !one.checkVisibility() || one.closest("svg") || one.disabled) continue;
    const [a, b] = [light(rgb(getComputedStyle(one).color)), light(ground(one))].sort((x, y) => y - x);
    const ratio = (a + 0.05) / (b + 0.05);
    if (ratio < 4.5) poor.push(`${one.tagName} ${one.textContent.trim().slice(0, 30)} ${ratio.toFixed(2)}`);
  }
  return poor;
}"""
