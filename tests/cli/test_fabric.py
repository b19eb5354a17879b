"""An InfiniBand fabric from the output of its tools: the network, the routes as they are set, and what is wrong."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from netloom import _core, network
from netloom.network.findings import findings

Run = Callable[..., tuple[int, str, str]]
DATA = Path(__file__).parents[1] / "data" / "fabric"
FABRIC, DUMP = DATA / "two_leaves.ibnetdiscover", DATA / "two_leaves.dump"


def wrong(err: str) -> str:
    """What follows the note on hosts A to D, of which D has two ports."""
    note, _, rest = err.partition("\n")
    assert note.startswith("note: hosts have 1 to 2 ports")
    return rest


def described(run: Run, *more: str, fabric: Path = FABRIC) -> list[dict[str, str]]:
    code, out, err = run("describe", str(fabric), "--from", "ibnetdiscover", "--json", "--no-cost", *more)
    assert code == 0, err
    found: list[dict[str, str]] = json.loads(out)["findings"]
    assert all(list(one) == ["kind", "severity", "where", "what", "remedy"] for one in found)
    return found


def edited(text: str, *changes: tuple[str, str]) -> str:
    for old, new in changes:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text


@pytest.mark.parametrize("form", ["ibnetdiscover", "ports", "iblinkinfo", "lines"])
@pytest.mark.parametrize("tables", ["dump", "fts"])
def test_the_degraded_cable_is_found_in_every_form(netloom: Run, form: str, tables: str) -> None:
    found = described(netloom, "--lft", str(DATA / f"two_leaves.{tables}"), fabric=DATA / f"two_leaves.{form}")
    assert [(one["kind"], one["where"]) for one in found] == [
        ("degraded", "leaf1[7] - spine0[2]"),
        ("uplinks", "leaf0"),
    ]
    assert found[0]["what"] == "runs at 2 Gb/s, 2 of 3 cables of leaf1 to switches at 8 Gb/s"
    assert found[1]["what"] == "has 2 cables upwards, 1 of 2 switches of its level has 3"


SLOW_UPLINK = """Switch: 0x248a0703001e0a00 leaf1:
  1 1[ ] ==( 4X 25.78125 Gbps Active/ LinkUp)==> 10 1[ ] "cn001 HCA-1" ( )
  1 2[ ] ==( 4X 25.78125 Gbps Active/ LinkUp)==> 11 1[ ] "cn002 HCA-1" ( )
  1 4[ ] ==( 1X 25.78125 Gbps Active/ LinkUp)==> 3 1[ ] "spine1" (Could be 4X)
Switch: 0x248a0703001e1a00 spine1:
  3 1[ ] ==( 1X 25.78125 Gbps Active/ LinkUp)==> 1 4[ ] "leaf1" ( )
CA: cn001 HCA-1:
  0x7cfe900300000010 10 1[ ] ==( 4X 25.78125 Gbps Active/ LinkUp)==> 1 1[ ] "leaf1" ( )
CA: cn002 HCA-1:
  0x7cfe900300010010 11 1[ ] ==( 4X 25.78125 Gbps Active/ LinkUp)==> 1 2[ ] "leaf1" ( )
"""


@pytest.mark.parametrize(
    ("remark", "words"),
    [
        ("(Could be 4X)", "could run at 100 Gb/s"),
        ("( Could be 2X Could be 53.125 Gbps)", "could run at 100 Gb/s"),
        # No speed of InfiniBand: nothing is known of the port.
        ("(Could be 50.0 Gbps)", "2 of 2 endpoints of leaf1 at 100 Gb/s"),
    ],
)
def test_the_only_cable_between_switches_may_be_slow(netloom: Run, remark: str, words: str) -> None:
    """iblinkinfo says so, or the endpoints' cables are faster."""
    Path("ibl.txt").write_text(SLOW_UPLINK.replace("(Could be 4X)", remark))
    [found] = described(netloom, fabric=Path("ibl.txt"))
    assert (found["kind"], found["where"]) == ("degraded", "leaf1[4] - spine1[1]")
    assert found["what"] == f"runs at 25 Gb/s, {words}"


def test_what_link_info_does_not_call_slow_is_not(netloom: Run) -> None:
    """It says what a cable could carry: without that, the ports can do no more, as between two generations."""
    Path("ibl.txt").write_text(SLOW_UPLINK.replace("(Could be 4X)", "( )"))
    assert described(netloom, fabric=Path("ibl.txt")) == []
    assert netloom("convert", "ibl.txt", "full.txt", "--from", "ibnetdiscover", "--to", "ibnetdiscover")[0] == 0
    [found] = described(netloom, fabric=Path("full.txt"))
    assert found["what"] == "runs at 25 Gb/s, 2 of 2 endpoints of leaf1 at 100 Gb/s"


def test_uplinks_that_are_all_slower_are_as_built(netloom: Run) -> None:
    second = '  1 5[ ] ==( 1X 25.78125 Gbps Active/ LinkUp)==> 3 2[ ] "spine1" ( )\n'
    other = '  3 2[ ] ==( 1X 25.78125 Gbps Active/ LinkUp)==> 1 5[ ] "leaf1" ( )\n'
    text = SLOW_UPLINK.replace("(Could be 4X)", "( )").replace(
        "Switch: 0x248a0703001e1a00", second + "Switch: 0x248a0703001e1a00"
    )
    Path("ibl.txt").write_text(text.replace("CA: cn001", other + "CA: cn001"))
    assert described(netloom, fabric=Path("ibl.txt")) == []


def test_endpoint_links_of_another_rate_are_listed(netloom: Run) -> None:
    lines = [
        "SW 1 1 0x248a0703001e0a00 4x EDR - CA 10 1 0x7cfe900300000010 ( 'leaf1' - 'cn001 HCA-1' )",
        "SW 1 3 0x248a0703001e0a00 4x EDR - SW 2 1 0x248a0703001e1a00 ( 'leaf1' - 'leaf2' )",
        "SW 2 1 0x248a0703001e1a00 4x EDR - SW 1 3 0x248a0703001e0a00 ( 'leaf2' - 'leaf1' )",
        "SW 2 2 0x248a0703001e1a00 4x SDR - CA 11 1 0x7cfe900300010010 ( 'leaf2' - 'cn002 HCA-1' )",
        "CA 10 1 0x7cfe900300000010 4x EDR - SW 1 1 0x248a0703001e0a00 ( 'cn001 HCA-1' - 'leaf1' )",
        "CA 11 1 0x7cfe900300010010 4x SDR - SW 2 2 0x248a0703001e1a00 ( 'cn002 HCA-1' - 'leaf2' )",
    ]
    Path("ibp.txt").write_text("\n".join(lines) + "\n")
    [found] = described(netloom, fabric=Path("ibp.txt"))
    assert (found["kind"], found["where"]) == ("rate", "leaf2[2] - cn002")
    assert found["what"] == "runs at 8 Gb/s, 1 of 2 endpoints at 100 Gb/s, and all are read as these"


def test_balanced_tables_have_no_finding(netloom: Run) -> None:
    """The remedy of an uneven use, and an entry for every LID at every switch."""
    assert netloom("convert", "xgft(m=[4,4],w=[1,2],parallel=[1,2])", "fabric.txt", "--to", "ibnetdiscover")[0] == 0
    # Upwards at four leaves, and downwards from one spine to each.
    for routing, uneven in (("single-minimal", 8), ("single-minimal(tie=balanced)", 0)):
        code, _, err = netloom("convert", "fabric.txt", "set.dump", "-r", routing, "--to", "opensm-lfts")
        assert code == 0, err
        found = described(netloom, "--lft", "set.dump", fabric=Path("fabric.txt"))
        assert [one["kind"] for one in found] == ["balance"] * uneven
        assert all(one["remedy"].endswith("'single-minimal(tie=balanced)' --to opensm-lfts") for one in found)
        assert Path("set.dump").read_text().count("\n22 lids dumped") == 6


def test_the_routes_as_set_are_a_routing_of_every_rung(netloom: Run) -> None:
    """hostA to hostC crosses leaf0[7] and spine0[2], a slow cable: 1 MiB at 0.25 GB/s, four links of 100 ns."""
    question = ("-n", str(FABRIC), "-t", 'shift(k=2,bytes="1 MiB")', "-r", f'tables("{DUMP}")', "--json")
    slowest = 2**20 / 0.25e9
    code, out, err = netloom("loads", *question)
    assert code == 0, err
    assert json.loads(out)["classes"]["1x SDR"]["max_s"] == pytest.approx(slowest, rel=1e-12)
    code, out, err = netloom("simulate", *question, "--calibration", "pure")
    assert code == 0, err
    assert json.loads(out)["time_s"] == pytest.approx(slowest + 4e-7, rel=1e-9)


def test_a_loop_is_a_finding_and_refused_by_evaluators(netloom: Run) -> None:
    """spine0 sends packets for hostC (LID 7) back to leaf0."""
    text = DUMP.read_text()
    start = text.index("of switch Lid 4 ")
    Path("loop.dump").write_text(text[:start] + text[start:].replace("0x0007 002", "0x0007 001", 1))
    found = described(netloom, "--lft", "loop.dump")
    assert found[0] == {
        "kind": "loop",
        "severity": "error",
        "where": "leaf0 > spine0 > leaf0",
        "what": "packets to hostC go in this circle: 2 pairs of endpoints cannot communicate",
        "remedy": "let the subnet manager route again, or load corrected tables with opensm -R file -U",
    }
    code, out, err = netloom("loads", "-n", str(FABRIC), "-t", "shift(k=1)", "-r", 'tables("loop.dump")')
    assert (code, out) == (2, "") and wrong(err).startswith("error: NL-R010 loop.dump"), err
    assert "circle of 2 hops" in err


def test_a_missing_entry_is_a_finding(netloom: Run) -> None:
    text = DUMP.read_text()
    start = text.index("of switch Lid 6 ")
    Path("hole.dump").write_text(text[:start] + text[start:].replace("0x0008 002", "0x0008 255", 1))
    found = described(netloom, "--lft", "hole.dump")
    assert (found[0]["kind"], found[0]["where"]) == ("unroutable", "spine1")
    assert found[0]["what"] == "has no entry for hostD:0: 2 pairs of endpoints cannot communicate"


@pytest.mark.parametrize(
    ("old", "new", "code", "words"),
    [
        ("Lid 1 guid 0x0000000000200000", "Lid 1 guid 0x0000000000300000", "NL-F007", "no switch of this GUID"),
        ("of switch Lid 3 ", "of switch Lid 5 ", "NL-F007", "this switch has LID 3"),
    ],
)
def test_tables_of_another_fabric(netloom: Run, old: str, new: str, code: str, words: str) -> None:
    Path("other.dump").write_text(edited(DUMP.read_text(), (old, new)))
    left, out, err = netloom("describe", str(FABRIC), "--lft", "other.dump", "--json")
    assert (left, out) == (2, "") and wrong(err).startswith(f"error: {code} other.dump:") and words in err, err


@pytest.mark.parametrize(
    ("change", "code", "words"),
    [
        (lambda text: text[: len(text) // 2], "NL-F0", ":"),
        (lambda text: text[: text.index("Ca\t1")], "NL-F011", "the file is cut off"),
        (lambda text: text.replace('Ca\t1 "H-0000000000100002"', 'Ca\t1 "H-0000000000100004"'), "NL-F006", "the GUID"),
        (lambda text: text + text, "NL-F006", "the GUID"),
    ],
)
def test_a_bad_fabric_is_one_line(netloom: Run, change: Callable[[str], str], code: str, words: str) -> None:
    Path("fabric.txt").write_text(change(FABRIC.read_text()))
    left, out, err = netloom("describe", "fabric.txt", "--from", "ibnetdiscover", "--json")
    assert (left, out) == (2, "") and err.startswith(f"error: {code}") and words in err, err
    assert err.count("error:") == 1


def test_a_file_of_nesting_is_refused_before_it_is_read(netloom: Run) -> None:
    Path("deep.txt").write_text("Switch\t8 " + "[" * (1 << 20))
    left, _, err = netloom("describe", "deep.txt", "--from", "ibnetdiscover")
    assert left == 2 and len(err) < 1000, err[:200]


def tree(run: Run, *changes: tuple[str, str], call: str = "fat_tree(radix=8,levels=3)") -> list[dict[str, str]]:
    assert run("convert", call, "tree.ibnet")[0] == 0
    Path("tree.ibnet").write_text(edited(Path("tree.ibnet").read_text(), *changes))
    return described(run, "--expect", call, fabric=Path("tree.ibnet"))


@pytest.mark.parametrize("call", ["fat_tree(radix=8,levels=3)", "fat_tree(radix=8,levels=2)", "k_ary_n_tree(4,3)"])
def test_a_tree_is_cabled_as_itself(netloom: Run, call: str) -> None:
    assert tree(netloom, call=call) == []


def test_two_cables_that_are_swapped_between_pods(netloom: Run) -> None:
    """The uplinks of two leaves of different pods to their first upper switches change places."""
    call = "fat_tree(radix=8,levels=3)"
    plan = network(call)
    level, heads, offsets = plan.levels, plan.heads, plan.offsets
    leaves = [s for s in range(plan.switches) if level[s] == 0]
    near = {s: {int(h) for h in heads[offsets[s] : offsets[s + 1]]} for s in range(plan.switches)}
    a = leaves[0]
    b = next(s for s in leaves if not near[s] & near[a])
    x, y = min(near[a]), min(near[b])
    edges = [[int(plan.tails[i]), int(h)] for i, h in enumerate(heads) if plan.tails[i] < h]
    for edge in edges:
        if edge == [a, x]:
            edge[1] = y
        elif edge == [b, y]:
            edge[1] = x
    wrong = _core.Network.from_edges(
        "wrong", plan.switches, np.array(edges), np.asarray(plan.endpoint_switch, dtype=np.int64), 12.5e9, 1e-7
    )
    Path("wrong.ibnet").write_bytes(wrong.write("ibnetdiscover"))
    found = described(netloom, "--expect", call, fabric=Path("wrong.ibnet"))
    read = network("wrong.ibnet", "ibnetdiscover")
    assert {one["kind"] for one in found} == {"miscabled"}
    ends = {tuple(end.split("[")[0] for end in one["where"].split(" - ")) for one in found}
    assert ends == {(str(a), str(y)), (str(b), str(x))}, found
    assert findings(read) == []


def test_a_plan_without_levels_is_refused(netloom: Run) -> None:
    left, out, err = netloom("describe", str(FABRIC), "--expect", "torus(4,4)")
    assert (left, out) == (2, "") and wrong(err).startswith("error: NL-A007 --expect"), err


def test_a_torus_has_a_circle_of_waiting_packets(netloom: Run) -> None:
    assert netloom("convert", "torus(5,5)", "torus.ibnet")[0] == 0
    assert netloom("convert", "torus.ibnet", "torus.lfts", "--from", "ibnetdiscover", "-r", "single-minimal")[0] == 0
    found = described(netloom, "--lft", "torus.lfts", fabric=Path("torus.ibnet"))
    assert next(one["kind"] for one in found) == "deadlock", found


def test_routes_on_one_cable_are_unbalanced(netloom: Run) -> None:
    """All routes between leaves over one cable to one spine, and over one down to each of four leaves."""
    assert netloom("convert", "fat_tree(radix=8,levels=2)", "tree.ibnet")[0] == 0
    for routing, expected in (("d-mod-k", []), ("single-minimal", ["balance"] * 8)):
        code, _, err = netloom(
            "convert", "fat_tree(radix=8,levels=2)", "tree.lfts", "-r", routing, "--to", "opensm-lfts"
        )
        assert code == 0, err
        found = described(netloom, "--lft", "tree.lfts", fabric=Path("tree.ibnet"))
        assert [one["kind"] for one in found] == expected


def test_tables_that_are_too_long_may_go_without_remarks(netloom: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """The remedy makes tables shorter that say the same."""
    size = len(DUMP.read_bytes()) - 1
    Path("long.dump").write_text(DUMP.read_text() + "# more\n" * 2000)
    with monkeypatch.context() as limited:
        limited.setattr("netloom.base.files.MAX_BYTES", max(size, len(FABRIC.read_bytes())))
        for asked in (
            ("describe", str(FABRIC), "--lft", "long.dump"),
            ("loads", "-n", str(FABRIC), "-t", "shift(k=1)", "-r", 'tables("long.dump")'),
        ):
            left, _, err = netloom(*asked)
            assert left == 2 and "NL-X002" in err and "sed 's/ [#:] .*//'" in err, err
    for name in ("two_leaves.dump", "two_leaves.fts"):
        whole = (DATA / name).read_text()
        Path("short.dump").write_text(re.sub(r" [#:] .*", "", whole))
        assert 2 * Path("short.dump").stat().st_size < len(whole)
        found = described(netloom, "--lft", "short.dump")
        assert found == described(netloom, "--lft", str(DATA / name))


def test_guids_for_opensm(netloom: Run) -> None:
    for to, first, count in (("root-guids", "0x0000000000200002", 2), ("node-order", "0x0000000000100001", 5)):
        code, _, err = netloom("convert", str(FABRIC), "out.txt", "--from", "ibnetdiscover", "--to", to)
        assert code == 0, err
        lines = Path("out.txt").read_text().splitlines()
        assert (lines[0], len(lines)) == (first, count)
    left, _, err = netloom("convert", "torus(4,4)", "none.txt", "--to", "root-guids")
    assert left == 2 and err.startswith("error: NL-F018 "), err
    assert not Path("none.txt").exists()
    left, _, err = netloom("describe", "out.txt", "--from", "root-guids")
    assert left == 2 and err.startswith("error: NL-F017 "), err


def test_the_advice_to_give_a_node_is_for_those_who_did_not(netloom: Run) -> None:
    """One switch, two hosts with two ports each."""
    ports = [(host, port, 2 * host + port) for host in (0, 1) for port in (1, 2)]
    lines = ['Switch\t4 "S-00000000000000a0"\t\t# "leaf" enhanced port 0 lid 1 lmc 0']
    for host, port, at in ports:
        lines.append(f'[{at}]\t"H-{16 + host:016x}"[{port}]({32 + at:x})\t\t# "cn{host} HCA-1" lid {at + 1} 4xEDR')
    for host in (0, 1):
        lines += ["", f'Ca\t2 "H-{16 + host:016x}"\t\t# "cn{host} HCA-1"']
        for owner, port, at in ports:
            if owner == host:
                lines.append(
                    f'[{port}]({32 + at:x})\t"S-00000000000000a0"[{at}]\t\t# lid {at + 1} lmc 0 "leaf" lid 1 4xEDR'
                )
    Path("fabric.txt").write_text("\n".join(lines) + "\n")
    job = ("hops", "-n", "fabric.txt", "-t", "shift(k=1)", "--node")
    note = "note: every host has 2 ports, each an endpoint: what the ports of a host send each other stays inside it"
    for node in ("node(cores=2)", "node(cores=2,nics=2)"):
        code, _, err = netloom(*job, node)
        assert code == 0 and note not in err, err
    code, _, err = netloom(*job[:-1])
    assert code == 0 and note in err, err
