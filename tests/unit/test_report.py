"""The report as text: it stands alone, keeps user text text, and comes out the same twice."""

from __future__ import annotations

import base64
import hashlib
import html.parser
import json
import re
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest

from netloom.base.errors import NetloomError
from netloom.report import CODES, Chart, Claim, Claims, NetworkView, Picture, Table, Text, render_report, write_report
from netloom.report.markup import embed, escape, paragraphs

ATTACK = "</script><img src=x onerror=alert(1)>\u2028&\"'`x`"
TABLE = {"size_bytes": [256, 1024], "algorithm": [ATTACK, "ring"], "time_s": [1.5e-6, None]}
STUDY = {
    "title": ATTACK,
    "summary": ATTACK,
    "version": "0.2.0",
    "hash": "c0ffee",
    "seeds": {"network": 1, ATTACK: 2},
    "command": "netloom run study.toml -o out/",
    ATTACK: ATTACK,
}


def ring(n: int) -> tuple[np.ndarray, np.ndarray]:
    at = np.arange(n)
    return np.concatenate([at, (at + 1) % n]), np.concatenate([(at + 1) % n, at])


def sections() -> list:
    tails, heads = ring(8)
    return [
        Text(ATTACK, f"{ATTACK}\n\n- {ATTACK}"),
        Table(ATTACK, [ATTACK, "time_s"], [[ATTACK, 1.23456789], [None, float("nan")]], units={ATTACK: ATTACK}),
        Chart(ATTACK, "line", TABLE, x="size_bytes", y="time_s", series="algorithm", x_label=ATTACK, caption=ATTACK),
        NetworkView(ATTACK, 8, tails, heads, class_of=[0] * 16, class_names=[ATTACK], facts={ATTACK: ATTACK}),
        Claims(ATTACK, [Claim(ATTACK, ATTACK, ATTACK, ATTACK, "refuted", ATTACK, ATTACK)]),
    ]


class Reader(html.parser.HTMLParser):
    """Elements, their attributes, and the text of scripts."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: list[str] = []
        self.text: list[str] = []
        self.in_script = False
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        self.in_script = tag == "script"
        if self.in_script:
            self.scripts.append("")

    def handle_endtag(self, tag):
        self.in_script = False

    def handle_data(self, data):
        if self.in_script:
            self.scripts[-1] += data
        else:
            self.text.append(data)


@pytest.fixture(scope="module")
def page() -> str:
    return render_report(STUDY, sections())


def test_nothing_of_the_users_becomes_markup(page):
    reader = Reader(page)
    tags = [tag for tag, _ in reader.tags]
    assert "img" not in tags
    assert len(reader.scripts) == 10  # Data, and the nine scripts of a page.
    assert not [name for _, attrs in reader.tags for name in attrs if name.startswith("on")]
    assert any(escape(ATTACK)[:20] in line for line in page.splitlines())
    assert sum(ATTACK.split("\u2028")[0] in text for text in reader.text) >= 10


def test_data_is_json_that_cannot_close_its_script(page):
    raw = Reader(page).scripts[0]
    assert not set("<>&\u2028\u2029") & set(raw)
    data = json.loads(raw)
    assert data["charts"]["s3"]["xLabel"] == ATTACK
    assert data["networks"]["s4"]["label"] == ATTACK


def test_embed_round_trips_what_is_awkward():
    value = {"a": [ATTACK, "\udc80", "\u2029", 0.1, None]}
    assert json.loads(embed(value)) == value
    with pytest.raises(ValueError, match="JSON"):
        embed([float("nan")])


def test_page_loads_nothing(page):
    reader = Reader(page)
    for tag, attrs in reader.tags:
        assert "src" not in attrs, tag
        assert tag not in ("link", "iframe", "object", "embed", "form", "base"), tag
        if "href" in attrs:
            assert attrs["href"].startswith("#"), attrs["href"]
    ours = page.replace(files("netloom.report").joinpath("assets/echarts.min.js").read_text("utf-8"), "")
    assert not re.search(r"https?:|//[a-z]+\.|@import|url\(", ours)
    assert "fetch(" not in ours
    policy = next(a["content"] for t, a in reader.tags if a.get("http-equiv") == "Content-Security-Policy")
    assert policy.startswith("default-src 'none'")
    for script in reader.scripts[1:]:
        digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
        assert f"'sha256-{digest}'" in policy


def test_charting_library_is_the_one_that_the_readme_names():
    assets = files("netloom.report").joinpath("assets")
    digest = hashlib.sha256(assets.joinpath("echarts.min.js").read_bytes()).hexdigest()
    assert digest in assets.joinpath("README.md").read_text("utf-8")
    assert "Apache License" in assets.joinpath("echarts-LICENSE.txt").read_text("utf-8")


def test_same_bytes_twice_and_no_leftovers(tmp_path: Path):
    first = write_report(tmp_path / "a.html", STUDY, sections()).read_bytes()
    second = write_report(tmp_path / "b.html", STUDY, sections()).read_bytes()
    assert first == second
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a.html", "b.html"]
    assert len(first) < 1_300_000


def test_head_says_how_to_run_again(page):
    for words in ("0.2.0", "c0ffee", "network: 1", "netloom run study.toml -o out/"):
        assert words in page


def test_cells_have_units_and_keep_all_digits():
    page = render_report({"title": "t"}, [Table("T", ["time_s", "on"], [[1 / 3, True], [np.int64(7), None]])])
    assert f'<th scope="row" class="n" data-v="{1 / 3!r}">333 ms</th><td>yes</td>' in page
    assert '<th scope="row" class="n" data-v="7">7 s</th><td class="n" data-v="">–</td>' in page


def test_long_tables_say_what_is_missing():
    page = render_report({"title": "t"}, [Table("T", ["n"], [[i] for i in range(30)], limit=10)])
    assert page.count("<tr>") == 11
    assert "20 more rows" in page


def test_chart_data_are_computed_before():
    table = {"x": ["a", "a", "b"], "y": [1, 3, 5], "s": ["p", "p", "p"]}
    made = json.loads(Reader(render_report({"title": "t"}, [Chart("c", "bar", table, x="x", y="y")])).scripts[0])
    (panel,) = made["charts"]["s1"]["panels"]
    assert panel["series"] == [{"name": "", "x": [0, 1], "y": [2, 5], "low": [1, 5], "high": [3, 5]}]


def numbers(text: str, dtype: str) -> list[int]:
    return np.frombuffer(base64.b64decode(text), dtype=f"<{dtype}").tolist()


def view(switches: int, **options) -> dict:
    tails, heads = ring(switches)
    page = render_report({"title": "t"}, [NetworkView("n", switches, tails, heads, **options)])
    return json.loads(Reader(page).scripts[0])["networks"]["s1"]


def test_small_networks_are_graphs():
    net = view(4, groups=[0, 0, 1, 1], class_of=[0, 1, 0, 1, 0, 1, 0, 1], class_names=["even", "odd"])
    assert (net["view"], net["layout"], net["cables"]) == ("graph", "groups", 4)
    assert numbers(net["low"], "u2") == [0, 0, 1, 2]
    assert numbers(net["high"], "u2") == [1, 3, 2, 3]
    assert numbers(net["classOf"], "u2") == [0, 1, 1, 0]
    assert numbers(net["degree"], "u4") == [2, 2, 2, 2]


def test_larger_networks_are_matrices():
    assert view(301)["view"] == "matrix"
    assert "low" in view(301)
    huge = view(20_000)
    assert "low" not in huge
    cells = np.array(numbers(huge["cells"], "u2")).reshape(256, 256)
    assert (cells == cells.T).all()
    assert np.triu(cells).sum() == 20_000


def codes_of(call) -> list[str]:
    with pytest.raises(NetloomError) as caught:
        call()
    return [fault.code for fault in caught.value.faults]


def test_faults_of_all_sections_come_together():
    bad = [
        Table("T", ["a"], [[1, 2]]),
        Chart("C", "line", {"a": [1]}, x="b", y="a"),
        NetworkView("N", 2, [0], [5]),
        Claims("F", [Claim("1", "s", "e", "g", "maybe")]),
        Chart("P", "line", {"a": [1]}, x="a", y="a", files=["../../etc/passwd"]),
    ]
    with pytest.raises(NetloomError) as caught:
        render_report({"title": "t"}, bad)
    assert [f.code for f in caught.value.faults] == ["NL-X111", "NL-X103", "NL-X107", "NL-X111", "NL-X111"]
    assert "section 2 (C)" in str(caught.value)


@pytest.mark.parametrize("name", ["/x.png", "a/../../x", "javascript:alert(1)", "http://x/y", "a\\b", ""])
def test_pictures_stay_in_the_folder(name):
    chart = Chart("P", "line", {"a": [1]}, x="a", y="a", files=[name])
    assert codes_of(lambda: render_report({"title": "t"}, [chart])) == ["NL-X111"]


PNG = b"\x89PNG\r\n\x1a\nand what follows"


def test_pictures_stand_in_the_page():
    section = Picture(ATTACK, PNG, ATTACK, files=["figures/a.svg"])
    ((_, attrs),) = [t for t in Reader(render_report({"title": "t"}, [section])).tags if t[0] == "img"]
    assert attrs["alt"] == ATTACK.replace("\u2028", "\\u2028")
    head, _, data = (attrs["src"] or "").partition(",")
    assert (head, base64.b64decode(data)) == ("data:image/png;base64", PNG)


@pytest.mark.parametrize("png", [b"<svg/>", PNG.decode("latin-1"), PNG + bytes(4 * 2**20), None])
def test_what_is_no_picture_is_refused(png):
    assert codes_of(lambda: render_report({"title": "t"}, [Picture("P", png)])) == ["NL-X111"]


@pytest.mark.parametrize("study", [None, {}, {"title": " "}, 3])
def test_a_report_needs_a_title(study):
    assert codes_of(lambda: render_report(study, [])) == ["NL-X112"]


def test_unwritable_place_is_a_fault(tmp_path: Path):
    (tmp_path / "file").touch()
    assert codes_of(lambda: write_report(tmp_path / "file" / "r.html", STUDY, [])) == ["NL-X003"]


def test_paragraphs_lists_and_code():
    assert paragraphs("One\ntwo `x<y`.\n\n- a\n- b") == (
        "<p>One two <code>x&lt;y</code>.</p>\n<ul><li>a</li><li>b</li></ul>"
    )


def test_code_table_is_complete():
    rows = [row[0] for row in CODES]
    assert len(set(rows)) == len(rows)
    assert all(all(row) for row in CODES)
