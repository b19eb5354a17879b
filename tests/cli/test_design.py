"""`netloom design` as a user runs it: JSON, scenarios, the page, what there is in time, one line for what is wrong."""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from netloom.base.stopping import _under_way

from .design_cases import FILES, LAYOUT, SMALL, cable, parts, switch

Run = Callable[..., tuple[int, str, str]]

ASKED = ("--endpoints", "32", "--workload", "alltoall:pairwise", "--catalogue", "parts.toml")
#: More than small dragonflies reach.
FAR = (*ASKED, "--most-ports", "8", "--endpoints", "9999")
TWO = (*ASKED, "--workload", "shift(k=5,bytes=9000)=2")


@pytest.fixture
def asked(netloom: Run, tmp_path: Path) -> Callable[..., tuple[int, str, str]]:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    return lambda *words: netloom("design", *words, "-q")


def test_json_has_what_scripts_read(asked: Run) -> None:
    code, out, err = asked(*TWO, "--json")
    found = json.loads(out)
    assert (code, err) == (0, "")
    assert found["candidates"] and {"network", "time_s", "usd", "watts", "on_front"} <= set(found["candidates"][0])
    for one in found["candidates"]:
        assert one["usd"] == pytest.approx(sum(one["usd_of"].values())) and one["watts"] > 0
    front = [one for one in found["candidates"] if one["on_front"]]
    assert found["decision"] in {one["network"] for one in front}
    # Nothing that has a time beats a point of the front.
    points = [tuple(one[key] for key in ("time_s", "usd", "watts")) for one in found["candidates"] if not one["bound"]]
    for one in front:
        own = tuple(one[key] for key in ("time_s", "usd", "watts"))
        assert not any(all(a <= b for a, b in zip(point, own, strict=True)) and point != own for point in points)
        assert one["growth"] or one["no_growth"]
        assert set(one["failed_links"]) == {"slowdown", "endpoints_lost", "refused"}
    assert [one["weight"] for one in found["workloads"]] == pytest.approx([1 / 3, 2 / 3])
    assert found["sure"]["by_rung"] and found["sentences"] and found["ended"] is None
    assert found["left_out"] and all(one["reason"] for one in found["left_out"])


def test_every_scenario_of_the_front_runs(asked: Run, netloom: Run, tmp_path: Path) -> None:
    code, out, err = asked(*TWO, "--json", "-o", "made")
    found = json.loads(out)
    front = sorted((one for one in found["candidates"] if one["on_front"]), key=lambda one: (one["usd"], one["watts"]))
    files = sorted((tmp_path / "made").iterdir())
    assert code == 0 and len(files) == 2 * len(front) and f"wrote {len(files)} scenarios into made" in err
    for one, pair in zip(front, zip(files[::2], files[1::2], strict=True), strict=True):
        times = []
        for file in pair:
            code, out, err = netloom("evaluate", f"made/{file.name}", "-e", "time", "--json")
            assert code == 0, err
            times.append(json.loads(out)["record"]["time_s"])
        assert sorted(times) == pytest.approx(sorted(one["times_s"].values()), rel=1e-12)


def test_a_folder_holds_the_scenarios_of_one_answer(asked: Run, tmp_path: Path) -> None:
    """What an earlier answer left is removed; what is not its own stays."""
    assert asked(*TWO, "-o", "made")[0] == 0
    made = tmp_path / "made"
    before = {path.name for path in made.iterdir()}
    own = made / "01-mine-of-old.toml"
    own.write_text('# mine\nnetwork = "torus(4,4)"\n')
    (made / "notes.txt").write_text("kept")
    code, _, err = asked(*ASKED, "--family", "torus", "-o", "made")
    after = {path.name for path in made.iterdir()} - {own.name, "notes.txt"}
    gone = len(before - after)
    assert code == 0 and after and all("torus" in name for name in after) and gone > 0
    assert f"wrote {len(after)} scenarios into made, removed {gone} of an earlier answer" in err
    assert own.read_text().startswith("# mine") and (made / "notes.txt").read_text() == "kept"
    # The same question again leaves the same files.
    code, _, err = asked(*ASKED, "--family", "torus", "-o", "made")
    assert code == 0 and "removed" not in err and after <= {path.name for path in made.iterdir()}


def test_links_in_a_folder_are_left_alone(asked: Run, tmp_path: Path) -> None:
    assert asked(*ASKED, "--family", "torus", "-o", "made")[0] == 0
    made = tmp_path / "made"
    first = sorted(made.iterdir())[0]
    (tmp_path / "far.toml").write_text(first.read_text())
    (made / "99-far.toml").symlink_to(tmp_path / "far.toml")
    assert asked(*ASKED, "--family", "fat-tree", "-o", "made")[0] == 0
    assert (made / "99-far.toml").is_symlink() and (tmp_path / "far.toml").exists() and not first.exists()


def test_words_begin_with_the_decision(asked: Run) -> None:
    code, out, err = asked(*TWO)
    lines = out.splitlines()
    assert code == 0 and lines[0].startswith("Build ") and lines[1].startswith("The runner-up, ")
    assert "What would change the decision: " in out and "front, the cheapest first" in lines
    assert "note: Not priced: NICs" in err


def test_the_shipped_catalogue_can_be_given_again(asked: Run, tmp_path: Path) -> None:
    code, out, _ = asked("--show-catalogue")
    (tmp_path / "mine.toml").write_text(out)
    words = ("--endpoints", "40", "--workload", "alltoall:pairwise", "--json")
    assert code == 0 and asked(*words, "--catalogue", "mine.toml")[1] == asked(*words)[1]


def test_the_page_has_the_decision_first(asked: Run, tmp_path: Path, open_page: Callable[..., Any]) -> None:
    assert asked(*TWO, "--report", "p.html", "-o", "made")[0] == 0
    page = open_page((tmp_path / "p.html").as_uri(), 1280)
    words = page.inner_text("main")
    places = [
        words.index(title) for title in ("Which network for 32 endpoints", "Build ", "Time and price", "In words")
    ]
    assert places == sorted(places)
    for title in (
        "Prices on the front",
        "Front",
        "Left out",
        "Prices",
        "The runner-up",
        "What would change the decision",
    ):
        assert title in words, title
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    # A point is one click from what repeats it.
    page.locator("summary:has-text('values')").first.click()
    page.get_by_role("button", name="run", exact=True).first.click()
    told = page.inner_text("main")
    assert "This is the run:" in told and "netloom evaluate" in told and "shift(k=5,bytes=9000)" in told


def test_names_are_escaped_on_the_page(asked: Run, tmp_path: Path) -> None:
    (tmp_path / "parts.toml").write_text(SMALL.replace('"8 x 100"', '"<script>alert(1)</script>"'))
    assert asked(*ASKED, "--report", "p.html")[0] == 0
    assert "<script>alert(1)" not in (tmp_path / "p.html").read_text()


def test_what_is_known_in_time_is_shown(asked: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    pool: Any = import_module("netloom.design.pool")
    done, before = list[int](), pool.measure

    def measure(job: Any) -> Any:
        done.append(1)
        if len(done) > 100:
            _under_way[-1].stop()
        return before(job)

    monkeypatch.setattr(pool, "measure", measure)
    code, out, err = asked(*TWO, "--json", "--stop-after", "600", "-j", "1")
    found = json.loads(out)
    assert code == 0 and found["ended"] == "time" and found["stopped_s"] == 600.0 and found["decision"]
    assert "note: stopped after 600 s: " in err and any("no time for all" in note for note in found["notes"])


def test_nothing_is_known_yet(asked: Run) -> None:
    code, out, err = asked(*TWO, "--stop-after", "1e-6")
    assert (code, out) == (
        2,
        "",
    ) and "NL-E004 --stop-after: nothing is known after 1e-06 s: no candidate has a time yet, no run was made" in err


def test_it_says_how_far_it_came(asked: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    from netloom.design import pool

    before, done = pool.measure, []

    def measure(job: pool.Job) -> pool.Done:
        done.append(job)
        if len(done) > 3:
            _under_way[-1].stop()
        return before(job)

    monkeypatch.setattr(pool, "measure", measure)
    code, out, err = asked(*TWO, "--stop-after", "600", "-j", "1")
    assert (code, out) == (2, "") and "600 s: no candidate has a time yet, 3 of " in err and " runs were made" in err


def test_a_folder_that_is_a_file_is_refused_before_the_work(asked: Run, tmp_path: Path) -> None:
    there = tmp_path / "there"
    there.write_text("kept")
    code, out, err = asked(*TWO, "-o", str(there))
    assert (code, out) == (2, "") and f"NL-X003 {there}/scenario.toml: cannot be written: Not a directory" in err
    assert there.read_text() == "kept"


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (ASKED[2:], "NL-X010 --endpoints: is missing"),
        (("--endpoints", "1", *ASKED[2:]), "NL-A007 --endpoints must be an integer in 2..131072, got 1"),
        (("--endpoints", "200000", *ASKED[2:]), "NL-A007 --endpoints must be an integer in 2..131072, got 200000"),
        (("--endpoints", "many", *ASKED[2:]), "NL-A007 --endpoints must be an integer in 2..131072, got many"),
        ((*ASKED[:2], *ASKED[4:]), "NL-Z002 --workload: is missing"),
        ((*ASKED, "--budget", "0"), "NL-Z001 --budget must be a number of US dollars above 0, got 0"),
        ((*ASKED, "--budget", "cheap"), "NL-Z001 --budget must be a number of US dollars, got cheap"),
        ((*ASKED, "--budget", "nan"), "NL-Z001 --budget must be a number of US dollars above 0, got nan"),
        ((*ASKED, "--budget", "99"), "NL-Z006 --budget must be at least "),
        (
            (*ASKED, "--least-ports", "16", "--most-ports", "8"),
            "NL-Z001 --most-ports must be at least --least-ports, 16",
        ),
        ((*ASKED, "--least-ports", "17"), "NL-Z001 --least-ports, --most-ports must be a range with a switch"),
        ((*ASKED, "--family", "fattree"), 'NL-Z003 --family: no family is called "fattree"'),
        ((*ASKED, "--family", "polarfly"), 'NL-Z003 --family: no family is called "polarfly"'),
        ((*FAR, "--family", "dragonfly"), "NL-Z005 --endpoints 9999: no candidate"),
        ((*ASKED, "--family", "torus", "--nvlink"), "NL-Z001 --nvlink: has no effect on these families"),
        ((*ASKED, "--workload", "shift(k=1)=-2"), "NL-Z002 --workload shift(k=1) must be of a weight >= 0"),
        ((*ASKED, "--workload", "shift(k=1)=x"), "NL-Z002 --workload shift(k=1)=x must be of a weight that"),
        ((*ASKED, "--workload", "alltoall:pairwise=2"), "NL-Z002 --workload alltoall:pairwise: stands there"),
        ((*ASKED[:2], "--workload", "shift(k=1)=0"), "NL-Z002 --workload: weights of 0 for all workloads"),
        ((*ASKED[:2], "--workload", "alltoal:pairwise"), "NL-"),
        ((*ASKED[:2], "--workload", "shift(k=1)", "--size", "1KiB"), "NL-H003 --size: has no effect"),
        ((*ASKED, "--goal", "best"), 'NL-Z001 --goal must be one of time, per-usd, per-watt, got "best"'),
        ((*ASKED, "--routing", "hashed"), "NL-Z001 --routing must be one of "),
        ((*ASKED, "--failed-links", "-1"), "NL-Z001 --failed-links must be a number from 0 on"),
        ((*ASKED[:4], "--catalogue", "no-prices.toml"), "NL-Z004 no-prices.toml: switch[0]: has no price"),
        ((*ASKED[:4], "--catalogue", "none.toml"), "NL-X001 none.toml"),
    ],
)
def test_what_is_wrong_is_one_line(asked: Run, words: tuple[str, ...], line: str) -> None:
    code, out, err = asked(*words)
    assert (code, out) == (2, "") and err.startswith(f"error: {line}"), err
    assert len(err.splitlines()) <= 2


LINE = cable("optical", 1.0)
GOOD = parts(switch(8, 1.0), LINE)
NIC = '[[nic]]\ngbps = 40\nusd = 1\nwatts = 1\ndate = "d"\nsource = "s"\n'
PER, DRAWN = "switches_per_cabinet = 4", 'order = "random"\nswitches_per_cabinet = 4'


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("title = [", "NL-Z004 parts.toml"),
        (parts(switch(8, 1.0)), "has no [[cable]]"),
        (parts(LINE), "has no [[switch]]"),
        (parts(switch(8, 1.0, gbps=200.0), LINE), '"8 x 200": no cable of 200 Gb/s of any length has a price'),
        (parts(switch(8, 1.0), cable("copper", 1.0, max_m=3.0)), "no cable of 100 Gb/s of any length has a price"),
        (parts(switch(8, -1.0), LINE), "switch[0].usd must be a finite number >= 0, got -1.0"),
        (GOOD + "radix = 9\n", 'cable[0]: "radix" is no key of it'),
        (parts(switch(8, 1.0).replace('source = "a test"\n', ""), LINE), "switch[0]: the text source is missing"),
        (
            parts(switch(8, 1.0).replace("ports = 8", "ports = 1"), LINE),
            "switch[0].ports must be an integer in 2..4096, got 1",
        ),
        (parts(switch(8, 1.0).replace("ports = 8", "ports = 8.5"), LINE), "switch[0].ports must be an integer"),
        (parts(switch(8, 1.0), switch(8, 2.0), LINE), 'switch: "8 x 100" stands there twice'),
        (GOOD.replace("endpoint_m = 1.0\n", ""), "layout: the key endpoint_m is missing"),
        (GOOD.replace(LAYOUT, ""), "the table [layout] is missing"),
        (GOOD.replace(PER, DRAWN), "layout.order must be"),
        (GOOD + NIC, "no NIC of 100 Gb/s has a price"),
    ],
)
def test_a_catalogue_that_cannot_be_used(asked: Run, tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "parts.toml").write_text(text)
    code, out, err = asked(*ASKED)
    assert (code, out) == (2, "") and err.startswith("error: NL-Z004 parts.toml") and said in err, err
