"""Pictures of simulated runs: what is chosen, summed and refused, the same bytes twice."""

from __future__ import annotations

import copy
from pathlib import Path

import numpy as np
import pytest

from netloom.base.errors import NetloomError
from netloom.base.quantities import time_text, unit_of_time
from netloom.plot import critical, save, timeline, utilisation
from netloom.plot.critical import STRETCHES
from netloom.plot.timeline import ACTIVITIES, CELLS, INTERVALS, chosen, extremes, majority
from netloom.plot.utilisation import shares

from .toy_run import BANDWIDTH, BYTES, run

TRACE, PATH = run(8)


def faults_of(call) -> list[str]:
    with pytest.raises(NetloomError) as caught:
        call()
    return [str(fault) for fault in caught.value.faults]


@pytest.mark.parametrize(
    "draw", [lambda: timeline(TRACE), lambda: utilisation(TRACE, BANDWIDTH), lambda: critical(PATH)]
)
def test_pictures_have_the_same_bytes_twice(draw, tmp_path: Path):
    pytest.importorskip("matplotlib")
    made = [[p.read_bytes() for p in save(draw(), tmp_path / f"{t}.png", tmp_path / f"{t}.svg")] for t in "ab"]
    assert made[0] == made[1]


def test_timeline_has_every_interval_and_message_of_a_small_run():
    pytest.importorskip("matplotlib")
    (ax,) = timeline(TRACE).axes
    *bars, lines = ax.collections
    assert sum(len(c.get_paths()) for c in bars) == len(TRACE["intervals"]["rank"])
    assert len(lines.get_segments()) == len(TRACE["messages"]["src"])
    compute = TRACE["intervals"]["activity"] == "compute"
    drawn = sum(np.ptp(p.vertices[:, 0]) for p in bars[list(ACTIVITIES).index("compute")].get_paths()) * 1e-6
    took = (TRACE["intervals"]["end_s"] - TRACE["intervals"]["start_s"])[compute].sum()
    assert drawn == pytest.approx(took)
    assert ax.get_xlabel() == "time (µs)"
    assert [t.get_text() for t in ax.get_yticklabels()] == [str(r) for r in range(8)]
    assert not ax.get_title(loc="left")


def test_timeline_of_many_ranks_says_what_it_leaves_out():
    pytest.importorskip("matplotlib")
    trace, _ = run(512, rounds=30)
    (ax,) = timeline(trace).axes
    labels = ax.get_yticklabels()
    assert len(labels) == 64
    bold = {int(t.get_text()) for t in labels if t.get_weight() == "bold"}
    ends = np.zeros(512)
    np.maximum.at(ends, trace["intervals"]["rank"], trace["intervals"]["end_s"])
    assert min(ends[list(bold)]) >= np.sort(ends)[-8]
    note = ax.get_title(loc="left")
    for part in ("64 of 512 ranks", f"1/{CELLS}"):
        assert part in note
    assert len(trace["intervals"]["rank"]) > INTERVALS


@pytest.mark.parametrize("count", [1, 128, 129, 8192])
def test_chosen_ranks_hold_the_extremes(count):
    ends = np.random.default_rng(3).permutation(count).astype(float)
    picked = chosen(ends)
    assert len(picked) == (count if count <= 128 else 64)
    assert (np.diff(picked) > 0).all()
    for side in extremes(ends):
        assert set(side) <= set(picked)


def test_cells_show_what_took_most_of_them():
    random = np.random.default_rng(5)
    rows, fine = 3, 7
    names = len(ACTIVITIES)
    # Steps at sevenths of a cell, so that counting sevenths is exact; a third of the time nothing happens.
    what = random.integers(-1, names, size=(rows, CELLS * fine // 5)).clip(-1)
    length = 5
    row, at = np.nonzero(what >= 0)
    got = majority(row, at * length / 1.0, (at + 1.0) * length, what[row, at], rows, float(CELLS * fine))
    spread = np.repeat(what, length, axis=1).reshape(rows, CELLS, fine)
    counts = np.stack([(spread == k).sum(axis=2) for k in range(names)])
    for r in range(rows):
        for c in range(CELLS):
            best = counts[:, r, c].max()
            assert (got[r, c] == -1) if best == 0 else (counts[got[r, c], r, c] == best)


def test_utilisation_keeps_every_byte_and_ends_with_the_run():
    links, share, edges = shares(TRACE, BANDWIDTH)
    end = TRACE["intervals"]["end_s"].max()
    assert edges[-1] == end
    assert share.max() <= 1 + 1e-9
    assert (share * np.diff(edges)).sum() * BANDWIDTH == pytest.approx(len(TRACE["messages"]["src"]) * BYTES)
    speed = np.full(links.max() + 1, 2 * BANDWIDTH)
    assert shares(TRACE, speed)[1] == pytest.approx(share / 2)


def test_many_bins_share_cells_without_losing_bytes():
    carried = np.random.default_rng(7).random((2, 5000))
    bins = {"link_bins": {"width_s": 0.5, "bins": 5000, "links": np.array([3, 9]), "bytes": carried.ravel()}}
    _, share, edges = shares(bins, 2.0)
    assert share.shape == (2, 1000)
    assert (share * np.diff(edges)).sum(axis=1) * 2.0 == pytest.approx(carried.sum(axis=1))


def test_shares_in_the_picture_are_those_of_the_path():
    pytest.importorskip("matplotlib")
    sheet = critical(PATH)
    spent = dict.fromkeys(STRETCHES, 0.0)
    segments = PATH["segments"]
    for kind, start, end in zip(segments["kind"], segments["start_s"], segments["end_s"], strict=True):
        spent[str(kind)] += end - start
    total = sum(spent.values())
    assert total == pytest.approx(TRACE["intervals"]["end_s"].max())
    top, low = sheet.axes
    used = [k for k in STRETCHES if spent[k]]
    assert [b.get_width() for b in top.patches] == pytest.approx([spent[k] / total * 100 for k in used])
    told = [t.get_text() for t in sheet.legends[0].get_texts()]
    assert told == [f"{k} {spent[k] / total * 100:.1f} %, {time_text(spent[k])}" for k in used]
    assert [t.get_text() for t in low.get_yticklabels()] == [str(r) for r in np.unique(segments["rank"])]


@pytest.mark.parametrize("ranks", [60, 600])
def test_path_over_many_ranks_has_a_numbered_axis(ranks):
    pytest.importorskip("matplotlib")
    at = np.arange(ranks * 10) * 1e-3
    columns = {"rank": np.arange(len(at)) % ranks, "kind": np.full(len(at), "latency"), "start_s": at}
    _, low = critical({"segments": columns | {"end_s": at + 1e-3}}).axes
    bottom, top = low.get_ylim()
    assert bottom >= ranks - 1 > 0 >= top
    assert all(c.get_rasterized() is (len(at) > 5000) for c in low.collections)


@pytest.mark.parametrize(
    ("seconds", "unit", "text"),
    [
        (2.5, "s", "2.5 s"),
        (1.0, "s", "1 s"),
        (0.25, "ms", "250 ms"),
        (3e-14, "ps", "0.03 ps"),
        (1.25e-6, "µs", "1.25 µs"),
    ],
)
def test_times_have_units_that_suit_them(seconds, unit, text):
    assert unit_of_time(seconds)[1] == unit
    assert time_text(seconds) == text


def test_times_just_below_a_unit_round_up_into_it():
    assert [time_text(t) for t in (1e-6, 4e-6 - 3e-6, 0.9999, 0.0)] == ["1 µs", "1 µs", "1 s", "0 s"]


def test_activities_may_be_numbers():
    pytest.importorskip("matplotlib")
    numbers = np.array([list(ACTIVITIES).index(a) for a in TRACE["intervals"]["activity"]], dtype=np.uint8)
    pictures = [timeline(t).axes[0] for t in (TRACE, broken("intervals", "activity", numbers))]
    drawn = [[len(c.get_paths()) for c in ax.collections] for ax in pictures]
    assert drawn[0] == drawn[1]
    (fault,) = faults_of(lambda: timeline(broken("intervals", "activity", numbers + len(ACTIVITIES))))
    assert "trace.intervals.activity, row 0" in fault


def broken(part: str, column: str, value) -> dict:
    trace = copy.deepcopy(TRACE)
    if value is None:
        del trace[part][column]
    elif callable(value):
        trace[part][column] = value(trace[part][column])
    else:
        trace[part][column] = value
    return trace


@pytest.mark.parametrize(
    ("trace", "place"),
    [
        (7, "trace.intervals"),
        ({**TRACE, "intervals": [1]}, "trace.intervals"),
        ({**TRACE, "ranks": 4}, "trace must be ranks from 0 to 3"),
        ({**TRACE, "ranks": True}, "trace.ranks"),
        ({**TRACE, "ranks": 10**30}, "trace.ranks"),
        (broken("intervals", "start_s", None), "trace.intervals.start_s"),
        (broken("intervals", "start_s", lambda v: v[:-1]), "trace.intervals must be columns of one length"),
        (broken("intervals", "end_s", lambda v: np.where(v == v[3], np.nan, v)), "trace.intervals.end_s, row 3"),
        (broken("intervals", "rank", lambda v: -v.astype(np.int64)), "trace.intervals.rank"),
        (broken("intervals", "activity", lambda v: np.full(v.shape, "sleep")), "trace.intervals.activity, row 0"),
        (broken("messages", "src", lambda v: v.astype(str)), "trace.messages.src"),
        (broken("messages", "finish_s", lambda v: v[:, None]), "trace.messages.finish_s"),
    ],
)
def test_bad_traces_are_faults(trace, place):
    pytest.importorskip("matplotlib")
    (fault,) = faults_of(lambda: timeline(trace))
    assert fault.startswith("NL-X108")
    assert place in fault


@pytest.mark.parametrize(
    ("trace", "bandwidth", "place"),
    [
        (broken("link_bins", "width_s", 0.0), 1.0, "link_bins.width_s"),
        (broken("link_bins", "bins", 10**9), 1.0, "link_bins.bytes"),
        (broken("link_bins", "bytes", lambda v: -v), 1.0, "trace.link_bins.bytes, row"),
        (TRACE, 0.0, "bandwidth_bytes_per_s of link 0"),
        (TRACE, [1.0, 2.0], "given for every link, at least 8, got 2"),
        (TRACE, "fast", "bandwidth_bytes_per_s"),
        (TRACE, np.nan, "bandwidth_bytes_per_s of link 0"),
    ],
)
def test_bad_links_are_faults(trace, bandwidth, place):
    pytest.importorskip("matplotlib")
    (fault,) = faults_of(lambda: utilisation(trace, bandwidth))
    assert fault.startswith("NL-X108")
    assert place in fault


def test_nothing_to_draw_is_said():
    pytest.importorskip("matplotlib")
    empty = {k: v[:0] for k, v in TRACE["intervals"].items()}
    bins = {**TRACE["link_bins"], "bytes": TRACE["link_bins"]["bytes"] * 0}
    path = {"segments": {k: v[:0] for k, v in PATH["segments"].items()}}
    for draw in (
        lambda: timeline({**TRACE, "intervals": empty}),
        lambda: utilisation({**TRACE, "link_bins": bins}, 1.0),
        lambda: critical(path),
    ):
        (fault,) = faults_of(draw)
        assert fault.startswith("NL-X105")
