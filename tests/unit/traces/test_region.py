"""The region of interest of a trace: which messages remain, what that takes, and what is refused."""

from __future__ import annotations

import random
from collections import Counter
from functools import partial
from pathlib import Path

import pytest

import netloom
from netloom.base.errors import NetloomError
from netloom.workload import workload
from netloom.workload.traces import read_record, trace_call

from .record_files import Rank, write
from .test_kineto import collective, profile, put

#: What a region leaves out is a note of the trace.
pytestmark = pytest.mark.filterwarnings("ignore:.*(region of interest|outside)", "ignore:.*(sizes|profile)")
BYTE = 6
simulate = partial(netloom.simulate, calibration="pure")
PLAIN = 'star(4,bandwidth="8 Gbps",latency="0 s")'
Lines = list[list[str]]


def text_of(lines: Lines) -> str:
    """Ranks next to each other as one file of SMPI."""
    return "".join(f"{rank} {line}\n" for rank, own in enumerate(lines) for line in own)


def drawn(seed: int, ranks: int = 4) -> Lines:
    """Rounds of messages that are begun in one and waited for in a later one, with barriers here and there."""
    draw = random.Random(seed)
    lines: Lines = [[] for _ in range(ranks)]
    waits: list[list[str]] = [[] for _ in range(ranks)]
    for number in range(40):
        kind = draw.choice(["blocking", "open", "open", "barrier", "close", "compute"])
        source, target = draw.sample(range(ranks), 2)
        tag, size = draw.randrange(2), draw.choice([0, 8, 1000, 70_000])
        if kind == "blocking":
            # Not received at once: another rank may do something else in between.
            lines[source].append(f"isend {target} {tag} {size} {BYTE}")
            lines[target].append(f"recv {source} {tag} {size} {BYTE}")
        elif kind == "open":
            lines[source].append(f"isend {target} {10 + number} {size} {BYTE}")
            lines[target].append(f"irecv {source} {10 + number} {size} {BYTE}")
            waits[target].append(f"wait {source} {target} {10 + number}")
        elif kind == "close":
            for own, open_ in zip(lines, waits, strict=True):
                own += open_ if draw.random() < 0.5 else []
                open_ *= 0 if own[-len(open_) :] == open_ and open_ else 1
        elif kind == "compute":
            lines[source].append("compute 1e6")
        else:
            for own in lines:
                own.append("barrier")
    return lines


def remaining(lines: Lines, edges: list[tuple[int, int]]) -> Counter[tuple[int, int, int]]:
    """Source, destination and bytes of messages with both ends between the edges of their ranks: all pairs tried."""
    sends: list[tuple[tuple[str, str, str], int, bool]] = []
    receives: list[tuple[tuple[str, str, str], int, bool]] = []
    for rank, own in enumerate(lines):
        begin, end = edges[rank]
        for at, line in enumerate(own):
            word, *rest = line.split()
            if word in ("send", "isend"):
                sends.append(((str(rank), rest[0], rest[1]), int(rest[2]), begin <= at < end))
            elif word in ("recv", "irecv"):
                ended = at
                if word == "irecv":
                    wanted = f"wait {rest[0]} {rank} {rest[1]}"
                    ended = next((n for n in range(at, len(own)) if own[n] == wanted), len(own))
                receives.append(((rest[0], str(rank), rest[1]), int(rest[2]), at < end and ended >= begin))
    left: Counter[tuple[int, int, int]] = Counter()
    for key, size, is_in in sends:
        for other, one in enumerate(receives):
            if one[0] == key:
                if is_in and one[2]:
                    left[int(key[0]), int(key[1]), size] += 1
                del receives[other]
                break
    return left


def found(path: Path, region: str) -> Counter[tuple[int, int, int]]:
    """The messages of a trace that are not those of its collectives."""
    call = trace_call(f'trace("{path}",{region})')
    assert call is not None
    programs = read_record(path, scale=call.scale).told()
    made: Counter[tuple[int, int, int]] = Counter()
    columns, _ = netloom._core.listed_actions(programs)
    names, offsets = columns["kinds"], columns["offsets"].tolist()
    for rank in range(programs.ranks):
        for at in range(offsets[rank], offsets[rank + 1]):
            if names[columns["kind"][at]] in ("send", "start_send"):
                made[rank, int(columns["peer"][at]), int(columns["bytes"][at])] += 1
    return made


@pytest.mark.parametrize("seed", range(60))
def test_messages_with_both_ends_inside_remain(tmp_path: Path, seed: int) -> None:
    lines = drawn(seed)
    (path := tmp_path / "all.trace").write_text(text_of(lines))
    barriers = lines[0].count("barrier")
    if barriers < 2:
        pytest.skip("one barrier cuts nothing out")
    first, last = sorted(random.Random(seed).sample(range(1, barriers + 1), 2))
    at = [[n for n, line in enumerate(own) if line == "barrier"] for own in lines]
    whole = [(0, len(own)) for own in lines]
    assert found(path, "bytes=1") == remaining(lines, whole)
    inner = [(own[first - 1], own[last - 1]) for own in at]
    region = f'begin="barrier:{first}",end="barrier:{last}"'
    assert found(path, region) == remaining(lines, inner)
    assert found(path, f'end="barrier:{first}"') == remaining(lines, [(0, own[first - 1]) for own in at])
    assert found(path, f'begin="barrier:{last}"') == remaining(lines, [(own[last - 1], 1 << 30) for own in at])
    # It runs to its end: nobody waits for what is cut off.
    assert simulate(PLAIN, workload=f'trace("{path}",{region})').time_s >= 0


def shifts(rounds: int, ranks: int = 4) -> Lines:
    """All ranks alike: rounds of shifts, each after a barrier."""
    lines: Lines = [[] for _ in range(ranks)]
    for number in range(rounds):
        for rank, own in enumerate(lines):
            to, of = (rank + number) % ranks, (rank - number) % ranks
            own += [
                "barrier",
                f"irecv {of} 0 {1000 * number} {BYTE}",
                f"isend {to} 0 {1000 * number} {BYTE}",
                "waitall 2",
            ]
            own.append("compute 1e6")
    return lines


@pytest.mark.parametrize("cut", [2, 3, 5])
def test_parts_at_a_barrier_take_the_time_of_the_whole(tmp_path: Path, cut: int) -> None:
    """Ranks that do alike come to a barrier at the same time: nothing of one part goes on in the other."""
    (path := tmp_path / "all.trace").write_text(text_of(shifts(6)))
    whole = simulate(PLAIN, workload=str(path)).time_s
    first = simulate(PLAIN, workload=f'trace("{path}",end="barrier:{cut}")').time_s
    second = simulate(PLAIN, workload=f'trace("{path}",begin="barrier:{cut}")').time_s
    assert first > 0 and second > 0 and first + second == pytest.approx(whole, rel=1e-12)


def test_all_of_it_is_the_trace_itself(tmp_path: Path) -> None:
    (path := tmp_path / "all.trace").write_text(text_of(shifts(4)))
    assert workload(f'trace("{path}",begin="barrier:1")') == workload(str(path))


def test_what_is_left_out_is_told(tmp_path: Path) -> None:
    """A message over each edge; the calls that are counted are those inside."""
    lines = [
        ["isend 1 0 10 6", "barrier", "isend 1 1 20 6", "isend 1 2 30 6", "barrier", "waitall 3"],
        ["barrier", "recv 0 0 10 6", "recv 0 1 20 6", "barrier", "recv 0 2 30 6"],
    ]
    (path := tmp_path / "all.trace").write_text(text_of(lines))
    call = trace_call(f'trace("{path}",begin="barrier:1",end="barrier:2")')
    assert call is not None
    record = read_record(path, scale=call.scale)
    assert {name: one.calls for name, one in record.survey["calls"].items()} == {"barrier": 2, "isend": 2, "recv": 2}
    told = "\n".join(record.survey["notes"])
    assert "from barrier:1 to barrier:2: 5 events outside it are left out" in told
    assert "1 messages were sent outside the region" in told and "1 messages are sent in the region" in told
    assert found(path, 'begin="barrier:1",end="barrier:2"') == {(0, 1, 20): 1}


def test_graphs_of_tasks(tmp_path: Path) -> None:
    """What tasks before the region were waited for counts as done; rank 1 has computed before it begins."""
    text = (
        "num_ranks 2\nrank 0 {\na: calc 5000\nb: send 1000b to 1 tag 0\nc: calc 3000\nd: send 2000b to 1 tag 0\n"
        "e: recv 8b from 1 tag 0\nb requires a\nc requires b\nd requires c\ne requires d\n}\n"
        "rank 1 {\na: recv 1000b from 0 tag 0\nb: calc 1000\nc: recv 2000b from 0 tag 0\nd: send 8b to 0 tag 0\n"
        "b requires a\nc requires b\nd requires c\n}\n"
    )
    (path := tmp_path / "two.goal").write_text(text)
    told = f'trace("{path}",end="send:1")'
    assert simulate(PLAIN, workload=told).time_s == pytest.approx(5e-6)
    assert found(path, 'begin="recv:1"') == {(1, 0, 8): 1}
    with pytest.raises(NetloomError, match="rank 0: has 1 recv, and the region of interest begins at number 2"):
        found(path, 'begin="recv:2"')


def test_times_of_a_record(tmp_path: Path) -> None:
    """The time between two calls is cut where the region begins: 2 ms of work from 0.5 ms on are 1.5 ms."""
    made = [Rank(rank, 2) for rank in range(2)]
    made[0].call("Init")
    made[0].call("Send", peer=1, tag=7, sent=1_000_000, gap=2_000_000, took=1_000_000)
    made[0].call("Send", peer=1, tag=7, sent=500_000, gap=2_000_000, took=500_000)
    made[1].call("Init")
    made[1].call("Recv", peer=0, tag=7, wanted=1_000_000, took=3_000_000)
    made[1].call("Recv", peer=0, tag=7, wanted=500_000, took=2_500_000)
    folder = write(tmp_path / "r", made)
    took = partial(simulate, PLAIN)
    whole = took(workload=str(folder)).time_s
    assert took(workload=f'trace("{folder}",begin=0)').time_s == whole == pytest.approx(5.5e-3, rel=1e-3)
    assert took(workload=f'trace("{folder}",end=0.0035)').time_s == pytest.approx(3.5e-3, rel=1e-3)
    part = took(workload=f'trace("{folder}",begin=0.0005,end=0.0035)').time_s
    assert part == pytest.approx(3e-3, rel=1e-3)
    with pytest.raises(NetloomError, match=r"NL-F009.*a begin within the record"):
        took(workload=f'trace("{folder}",begin=5)')


def test_steps_of_a_profiler(tmp_path: Path) -> None:
    """Two steps of 1 ms of computation and an allreduce, named on the host."""
    profiles = []
    for rank in range(2):
        events = []
        for step in range(2):
            begin = step * 3000.0
            events.append(
                {"ph": "X", "cat": "user_annotation", "name": f"ProfilerStep#{step}", "ts": begin - 5, "dur": 2900}
            )
            events.append(
                {
                    "ph": "X",
                    "cat": "kernel",
                    "name": "gemm",
                    "ts": begin,
                    "dur": 1000.0,
                    "args": {"stream": 7, "device": 0},
                }
            )
            events.append(collective("allreduce", begin + 1000, 1000.0))
        profiles.append(profile(rank, events))
    folder = put(tmp_path / "p", *profiles)
    calls = partial(_calls, folder)
    assert calls("bytes=1")["allreduce"] == 4
    assert calls('begin="ProfilerStep:2"')["allreduce"] == 2
    assert calls('begin="ProfilerStep#1"')["allreduce"] == 2
    assert calls('begin="ProfilerStep#0",end="ProfilerStep#1"')["allreduce"] == 2
    with pytest.raises(NetloomError, match=r"NL-F010.*rank 0: has 0 ProfilerStep#7, and the region"):
        calls('begin="ProfilerStep#7"')


def _calls(path: Path, region: str) -> dict[str, int]:
    call = trace_call(f'trace("{path}",{region})')
    assert call is not None
    return {name: one.calls for name, one in read_record(path, scale=call.scale).survey["calls"].items()}


@pytest.mark.parametrize(
    ("region", "words"),
    [
        ('begin="barrier:9"', "rank 0: has 4 barrier, and the region of interest begins at number 9"),
        ('begin="isend:3",end="irecv:1"', "ends before it begins"),
        ("begin=1.0", "has no times, which begin=1 needs"),
    ],
)
def test_no_such_region(tmp_path: Path, region: str, words: str) -> None:
    (path := tmp_path / "all.trace").write_text(text_of(shifts(4)))
    with pytest.raises(NetloomError) as fault:
        workload(f'trace("{path}",{region})')
    assert len(fault.value.faults) == 1 and words in str(fault.value)


@pytest.mark.parametrize(
    ("region", "words"),
    [
        ("begin=3,end=2", "an end after the begin"),
        ('begin="a:3",end="a:3"', "an end after the begin"),
        ("begin=-1", "seconds from the first event on"),
        ("begin=true", "seconds from the first event on"),
        ('end=""', "seconds from the first event on"),
    ],
)
def test_no_region(region: str, words: str) -> None:
    with pytest.raises(NetloomError, match=words):
        trace_call(f'trace("x",{region})')


def test_sums_have_none(tmp_path: Path) -> None:
    (path := tmp_path / "job.xml").write_text('<?xml version="1.0"?>\n<ipm_job_profile></ipm_job_profile>\n')
    call = trace_call(f'ipm("{path}",begin=1)')
    assert call is not None
    with pytest.raises(NetloomError, match=r"NL-F013.*holds sums"):
        read_record(path, format="ipm", scale=call.scale)
