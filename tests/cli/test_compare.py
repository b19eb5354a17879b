"""`netloom compare` as a user runs it, and its numbers against the commands that give them one by one."""

from __future__ import annotations

import html
import json
import re
from pathlib import Path

import pytest

import netloom
from netloom.cli.app import main
from netloom.compare import compare, write_comparison
from netloom.compare.rows import Compared
from netloom.compare.words import notes, verdict
from netloom.plot import figure
from netloom.plot.front import unbeaten

NETWORKS = ("torus(4,4)", "fat_tree(radix=4,levels=2,top=full)")
WORKLOADS = ("alltoall:bruck", "shift(k=1)")


def run(*args: str) -> int:
    with pytest.raises(SystemExit) as end:
        main(list(args))
    assert isinstance(end.value.code, int)
    return end.value.code


def test_rows_are_what_the_evaluators_say(capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        run("compare", *NETWORKS, "-c", WORKLOADS[0], "-t", WORKLOADS[1], "--size", "64KiB", "--ranks", "8", "--json")
        == 0
    )
    rows = json.loads(capsys.readouterr().out)
    assert [row["network"] for row in rows] == list(NETWORKS)
    for row in rows:
        facts = netloom.describe(row["network"])
        assert {key: facts[key] for key in ("endpoints", "switches", "diameter", "aspl")}.items() <= row.items()
        assert row["bisection"] == facts["endpoint_bisection"]
        assert row["bisection_per_endpoint"] == row["bisection"]["value"] / row["endpoints"]
        assert row["usd"] == netloom.evaluate(netloom.Scenario(network=row["network"]), "cost").record["total_usd"]
        assert [each["workload"] for each in row["workloads"]] == [WORKLOADS[1], WORKLOADS[0]]
        for each in row["workloads"]:
            # A pattern has bytes of its own.
            size = {"size_bytes": "64KiB"} if ":" in each["workload"] else {}
            # Half of the endpoints: three placements under the policy that is compared.
            way = {"routing": row["routing"], "variant": row["variant"]}
            asked = [
                netloom.Scenario(
                    network=row["network"],
                    workload=each["workload"],
                    ranks=8,
                    placement=f"random(seed={seed})",
                    **size,
                    **way,
                )
                for seed in (1, 2, 3)
            ]
            times = [netloom.evaluate(one, "time").record["time_s"] for one in asked]
            links = [netloom.evaluate(one, "loads").record["max_s"] for one in asked]
            assert each["time_s"] == pytest.approx(sum(times) / 3, rel=1e-12)
            assert each["max_link_s"] == pytest.approx(sum(links) / 3, rel=1e-12)
            assert each["least_s"] <= min(times) and each["most_s"] >= max(times)


def test_pictures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("matplotlib")
    files = [tmp_path / "radar.png", tmp_path / "pareto.svg"]
    assert run("compare", *NETWORKS, *(word for file in files for word in ("--picture", str(file)))) == 0
    assert files[0].read_bytes().startswith(b"\x89PNG") and b"<svg" in files[1].read_bytes()
    assert "endpoints" in capsys.readouterr().out


def test_a_picture_says_its_kind(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("compare", *NETWORKS, "--picture", "pie.png") == 2
    assert "radar or pareto" in capsys.readouterr().err


def test_the_price_of_a_file_is_unknown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "topology.conf"
    file.write_text("SwitchName=leaf0 Nodes=n[0-3]\nSwitchName=leaf1 Nodes=n[4-7]\nSwitchName=top Switches=leaf[0-1]\n")
    assert run("describe", str(file), "--json") == 0
    facts = json.loads(capsys.readouterr().out)
    assert facts["cost"] is None and "no lengths" in facts["price"]
    assert facts["endpoint_bisection"]["value"] == 1 and facts["endpoint_bisection"]["exact"]
    assert run("compare", str(file), "star(2,p=4)") == 0
    said = capsys.readouterr()
    assert "price unknown" in said.err and said.out.splitlines()[-2].split()[-1] == "-"


def test_unbeaten_points_of_a_front() -> None:
    assert unbeaten([1, 2, 2], [3, 1, 2]) == [0, 1]
    assert unbeaten([1, 1], [1, 1]) == [0, 1]


def test_a_radar_needs_three_spokes() -> None:
    pytest.importorskip("matplotlib")
    with pytest.raises(netloom.NetloomError) as caught:
        figure("radar", {"measure": ["x", "y"], "value": [1.0, 1.0]}, x="measure", y="value")
    assert [fault.code for fault in caught.value.faults] == ["NL-X105"]


def page_numbers(page: str) -> list[float]:
    """Every number of the tables, exactly."""
    cells = re.findall(r'<td class="n"(?: data-v="([^"]*)")?>([^<]*)</td>', page)
    return [float(exact or shown.replace(",", "")) for exact, shown in cells if shown != "–"]


def test_a_folder_holds_page_tables_rows_and_pictures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("matplotlib")
    asked = ("compare", *NETWORKS, "-c", WORKLOADS[0], "-t", WORKLOADS[1], "--ranks", "8", "--json")
    folders = [tmp_path / "first", tmp_path / "deep" / "second"]
    for folder in folders:
        assert run(*asked, "-o", str(folder)) == 0
    said = capsys.readouterr()
    assert f"wrote {folders[0] / 'report.html'}" in said.err
    files = sorted(path.relative_to(folders[0]) for path in folders[0].rglob("*") if path.is_file())
    names = {str(path) for path in files if path.suffix != ".parquet"}
    assert names == {
        *("report.html", "compare.csv", "compare.provenance.json", "workloads.csv", "workloads.provenance.json"),
        *("policies.csv", "policies.provenance.json"),
        *("compare.json", "figures/radar.png", "figures/radar.svg", "figures/pareto.png", "figures/pareto.svg"),
    }
    for path in files:
        assert (folders[0] / path).read_bytes() == (folders[1] / path).read_bytes(), path
    assert said.out == 2 * (folders[0] / "compare.json").read_text()
    rows = json.loads((folders[0] / "compare.json").read_text())
    page = (folders[0] / "report.html").read_text()
    sizes = [row[key] for row in rows for key in ("endpoints", "switches", "radix", "diameter", "aspl")]
    prices = [
        value
        for row in rows
        for value in (row["bisection"]["value"], row["bisection_per_endpoint"], row["usd"], row["usd_per_endpoint"])
    ]
    asked_of = [each for row in rows for each in row["workloads"]]
    rates = ("bytes", "rate_bytes_per_s", "rate_per_usd")
    times = [each[key] for each in asked_of for key in ("max_link_s", "time_s", *rates, "least_s", "most_s")]
    ways = [
        one[key] for each in asked_of for one in each["policies"] for key in ("runs", "time_s", "least_s", "most_s")
    ]
    assert page_numbers(page) == [*sizes, *prices, *times, *ways]
    assert page.count('class="chart"') == 3
    again = re.search(r"Run it again: <code>([^<]*)</code>", page)
    assert again is not None
    assert html.unescape(again[1]) == (
        "netloom compare 'torus(4,4)' 'fat_tree(radix=4,levels=2,top=full)' -t 'shift(k=1)' -c alltoall:bruck --ranks 8"
    )


def test_without_workloads_and_pictures_the_page_says_so(tmp_path: Path) -> None:
    written = write_comparison(compare(NETWORKS), tmp_path, figures=False)
    assert {"compare.csv", "compare.json", "report.html"} <= {path.name for path in written}
    assert not (tmp_path / "workloads.csv").exists() and not (tmp_path / "figures").exists()
    page = (tmp_path / "report.html").read_text()
    assert page.count('class="chart"') == 2 and "average distance" in page


@pytest.mark.parametrize("place", ["file", "file/below"])
def test_a_folder_that_cannot_be_written_is_refused_at_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], place: str
) -> None:
    (tmp_path / "file").write_text("kept")
    assert run("compare", *NETWORKS, "-o", str(tmp_path / place)) == 2
    said = capsys.readouterr()
    assert said.out == "" and said.err.count("NL-X003") == 1 and "Traceback" not in said.err
    assert (tmp_path / "file").read_text() == "kept"


def test_a_figure_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    (tmp_path / "figures").write_text("a file")
    with pytest.raises(netloom.NetloomError, match="NL-X003"):
        write_comparison(made(), tmp_path)


def made(
    times: tuple[float, ...] = (3e-6, 2e-6, 4e-6), prices: tuple[float | None, ...] = (10.0, 20.0, 30.0)
) -> list[Compared]:
    """Networks `a`, `b`, ...: by hand, so that the winners are known."""
    return [
        {
            "network": "abc"[at],
            "endpoints": 4,
            "switches": 2,
            "radix": 3,
            "diameter": 1,
            "aspl": 1.0,
            "bisection": {
                "value": 2,
                "exact": True,
                "bytes_per_s": {"value": 2.0, "exact": True},
                "cut_from_switch": 0,
                "method": "by hand",
            },
            "bisection_per_endpoint": 0.5,
            "usd": None if price is None else 4 * price,
            "usd_per_endpoint": price,
            "price": "unknown: by hand" if price is None else "by hand",
            "workloads": [{"workload": "w", "max_link_s": time / 2, "time_s": time}],
        }
        for at, (time, price) in enumerate(zip(times, prices, strict=True))
    ]


def test_the_winners_of_a_case_made_by_hand() -> None:
    assert verdict(made()) == [
        "`w` is fastest on `b`: 2 µs, 33 % less than on `a`, the next.",
        "`a` is the cheapest per endpoint (10.00 USD).",
        "On the Pareto front (price per endpoint against time of w) are `a` and `b`; "
        "each other network is beaten by one of them.",
    ]


def test_ties_are_said() -> None:
    # The second time differs in the last digit: a sum in another order.
    assert verdict(made((2e-6, 2.0000000000000004e-6, 3e-6), (20.0, 10.0, 10.0))) == [
        "`w`: `a` and `b` tie as the fastest (2 µs).",
        "`b` and `c` tie as the cheapest per endpoint (10.00 USD).",
        "`b` alone is on the Pareto front (price per endpoint against time of w): no other is better in either.",
    ]
    same = verdict(made((2e-6, 2e-6, 2e-6), (1.0, 1.0, 1.0)))
    assert same[0] == "`w`: all networks tie at 2 µs."
    assert same[1] == "All networks tie at 1.00 USD per endpoint."
    assert same[2].startswith("All networks are on the Pareto front")


def test_unknown_prices_are_said() -> None:
    some, none = made(prices=(None, 20.0, 30.0)), made(prices=(None, None, None))
    assert verdict(some)[1] == "`b` is the cheapest per endpoint among those whose price is known (20.00 USD)."
    assert verdict(some)[2].startswith("`b` alone is on the Pareto front (endpoints per cable of the bisection against")
    assert verdict(none)[1] == "The price of no network is known."
    assert notes(some) == ["a: price unknown: by hand"]


def test_one_network_has_no_rival() -> None:
    assert verdict(made()[:1])[:2] == ["`w` takes 3 µs on `a`.", "`a` costs 10.00 USD per endpoint."]


def test_hostile_names_stay_text(tmp_path: Path) -> None:
    attack = '</script><img src=x onerror=alert(1)>`\n\n- $x$ & \u202e"'
    rows = made()
    for row in rows[:2]:
        row["network"] = attack
    for row in rows:
        row["workloads"][0]["workload"] = attack
    write_comparison(rows, tmp_path, command=attack, inputs={attack: attack})
    page = (tmp_path / "report.html").read_text()
    assert "<img src=x" not in page and "\u202e" not in page and "alert(1)" in page
    assert page.count("</script>") == page.count("<script")
    assert "(2)" in page, "two networks of one name are told apart"
    assert json.loads((tmp_path / "compare.json").read_text())[0]["network"] == attack


def test_work_of_different_amounts_is_said(tmp_path: Path) -> None:
    rows = made()
    rows[0]["endpoints"] = 8
    write_comparison(rows, tmp_path, figures=False)
    assert "different amounts of work" in (tmp_path / "report.html").read_text()
    write_comparison(rows, tmp_path, figures=False, inputs={"ranks": 4})
    assert "different amounts of work" not in (tmp_path / "report.html").read_text()


def test_no_rows_are_refused(tmp_path: Path) -> None:
    with pytest.raises(netloom.NetloomError, match="NL-A007"):
        write_comparison([], tmp_path)


def test_many_workloads_leave_out_the_bars_only(tmp_path: Path) -> None:
    rows = made()
    for row in rows:
        row["workloads"] = [{"workload": f"w{at}", "max_link_s": 1e-6, "time_s": 2e-6} for at in range(50)]
    write_comparison(rows, tmp_path, figures=False)
    page = (tmp_path / "report.html").read_text()
    assert "w49" in page and page.count('class="chart"') == 2


def test_the_command_names_its_plugins(tmp_path: Path, forget: None) -> None:
    own = tmp_path / "own.py"
    own.write_text(
        'from netloom import plugin\n\nclass Last(plugin.Placement):\n    "The last endpoints."\n    name = "last"\n'
        "    def place(self, network, ranks, *, available):\n        return available[-ranks:]\n"
    )
    assert run("compare", *NETWORKS, "--plugin", str(own), "-o", str(tmp_path)) == 0
    assert f"--plugin {own}" in html.unescape((tmp_path / "report.html").read_text())


JOB = {"nodes": 4, "ranks_per_node": 2, "workload": "allreduce:ring", "size_bytes": "1 MiB"}


def test_machines_are_compared_with_their_own_nodes_and_costs(capsys: pytest.CaptureFixture[str]) -> None:
    line = "--nodes 4 --ranks-per-node 2 -c allreduce:ring --size 1MiB --routing auto --no-spread"
    assert run("compare", "--machine", "generic-hdr", "--machine", "lumi-g", *line.split(), "--json") == 0
    rows = json.loads(capsys.readouterr().out)
    assert [row["network"] for row in rows] == ["generic-hdr", "lumi-g"]
    for row in rows:
        alone = netloom.evaluate(netloom.Scenario(machine=row["network"], **JOB), "time")
        assert row["workloads"][0]["time_s"] == alone["time_s"]


def test_networks_next_to_a_machine_stand_in_its_place(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    line = "compare torus(8,8) --machine generic-hdr -c allreduce:ring --size 1MiB --nodes 4 --ranks-per-node 2"
    page = tmp_path / "page.html"
    assert run(*line.split(), "--routing", "auto", "--no-spread", "--report", str(page)) == 0
    printed = capsys.readouterr()
    assert "different numbers of ranks" not in printed.err
    assert "--machine generic-hdr -c allreduce:ring" in html.unescape(page.read_text())
    rows = compare(["torus(8,8)"], ["allreduce:ring"], machines=["generic-hdr"], spread=False, routing="auto",
                   size_bytes="1 MiB", nodes=4, ranks_per_node=2)  # fmt: skip
    assert [row["network"] for row in rows] == ["generic-hdr", "torus(8,8)"]
    there = netloom.evaluate(netloom.Scenario("torus(8,8)", machine="generic-hdr", **JOB), "time")
    assert rows[1]["workloads"][0]["time_s"] == there["time_s"]
    assert run("compare", "torus(8,8)", "--machine", "generic-hdr", "--machine", "lumi-g") == 2
    assert "one machine next to networks, got 2" in capsys.readouterr().err
    assert run("compare") == 2
    assert "--machine NAME" in capsys.readouterr().err
