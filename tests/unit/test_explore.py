"""The explorer's server: answers to its own page, and to nobody else."""

from __future__ import annotations

import http.client
import json
import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from netloom import NetloomError, Scenario, evaluate
from netloom.explore import Server, still_page
from netloom.explore.asked import scenario_of
from netloom.explore.choices import CALLS, fields, spelled
from netloom.explore.drawing import MOST_SWITCHES, carried, drawing, pairs
from netloom.explore.server import MOST_BYTES
from netloom.explore.still import MOST_BYTES as MOST_PAGE
from netloom.explore.view import Explorer
from netloom.network import network

START = Scenario("torus(4,4)", workload="allreduce:ring", size_bytes="1 MiB")
ASKED = {"network": "torus(4,4)", "workload": "alltoall:pairwise", "size_bytes": "64 KiB", "fail": "link:0-1"}


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    (tmp_path / "saved").mkdir()
    with Server(START, tmp_path / "saved") as made:
        thread = threading.Thread(target=made.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        yield made
        made.shutdown()
        thread.join()


def asks(
    server: Server, method: str, path: str, body: bytes | None = None, **headers: str
) -> tuple[int, dict[str, str], bytes]:
    """Status, headers and body of the answer to a request; `headers` replace the usual ones."""
    connection = http.client.HTTPConnection("127.0.0.1", server.server_address[1], timeout=60)
    said = {"Host": server.hosts[0], "Content-Type": "application/json"} | {
        name.replace("_", "-"): value for name, value in headers.items()
    }
    if body is not None:
        said.setdefault("Content-Length", str(len(body)))
    connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
    for name, value in said.items():
        connection.putheader(name, value)
    connection.endheaders(body)
    answer = connection.getresponse()
    found = answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read()
    connection.close()
    return found


def question(server: Server, what: str, **table: object) -> tuple[int, dict]:
    status, _, body = asks(server, "POST", f"/{server.token}/{what}", json.dumps(table).encode())
    return status, json.loads(body)


def test_the_page_is_served_to_who_knows_the_address(server: Server) -> None:
    status, headers, body = asks(server, "GET", f"/{server.token}/")
    assert status == 200
    assert b"netloom explorer" in body and server.token.encode() not in body
    assert headers["referrer-policy"] == "no-referrer" and headers["cache-control"] == "no-store"
    assert headers["x-frame-options"] == "DENY" and "access-control-allow-origin" not in headers


@pytest.mark.parametrize("path", ["/", "/x/", "/x/state", "/favicon.ico", "/{token}x/", "/../{token}/"])
def test_a_wrong_token_is_forbidden(server: Server, path: str) -> None:
    assert asks(server, "GET", path.format(token=server.token))[0] == 403
    assert asks(server, "POST", path.format(token=server.token), b"{}")[0] == 403


def test_tokens_are_new_each_time(server: Server, tmp_path: Path) -> None:
    with Server(START, tmp_path) as other:
        assert other.token != server.token and len(other.token) >= 32


def test_another_name_of_the_machine_is_forbidden(server: Server) -> None:
    port = server.server_address[1]
    for host in ("evil.example", f"evil.example:{port}", "127.0.0.1", f"127.0.0.1:{port + 1}", f"0.0.0.0:{port}", ""):
        assert asks(server, "GET", f"/{server.token}/", Host=host)[0] == 403
    assert asks(server, "GET", f"/{server.token}/", Host=f"localhost:{port}")[0] == 200


def test_it_listens_on_this_machine_only(server: Server) -> None:
    assert server.server_address[0] == "127.0.0.1"


def test_a_request_of_another_page_is_forbidden(server: Server) -> None:
    path = f"/{server.token}/state"
    assert asks(server, "POST", path, b"{}", Origin="http://evil.example")[0] == 403
    assert asks(server, "POST", path, b"{}", Origin="null")[0] == 403
    assert asks(server, "POST", path, b"{}", Content_Type="text/plain")[0] == 415
    assert asks(server, "POST", path, b"{}", Origin=f"http://{server.hosts[0]}")[0] == 422


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "PROPFIND", "HEAD", "CONNECT"])
def test_other_methods_are_refused(server: Server, method: str) -> None:
    status, headers, body = asks(server, method, f"/{server.token}/")
    assert status == 405 and headers["allow"] == "GET, POST"
    assert b"<" not in body


def test_a_huge_body_is_refused(server: Server) -> None:
    path = f"/{server.token}/state"
    assert asks(server, "POST", path, b"x" * (MOST_BYTES + 1))[0] == 413
    assert asks(server, "POST", path, b"", Content_Length="9" * 30)[0] == 413
    for length in ("-1", "1e3", "", "٣"):
        assert asks(server, "POST", path, b"", Content_Length=length.encode().decode("latin-1"))[0] == 411
    assert asks(server, "POST", path, b"0\r\n\r\n", Transfer_Encoding="chunked")[0] == 411


def test_a_body_that_is_no_table_is_refused(server: Server) -> None:
    for body in (b"", b"{", b"[]", b"3", b"\xff", b"[" * 5000, b'{"a": ' * 50 + b"1" + b"}" * 50, b"1" * 10_000):
        assert asks(server, "POST", f"/{server.token}/state", body)[0] == 400
    assert asks(server, "POST", f"/{server.token}/other", b"{}")[0] == 404
    assert asks(server, "GET", f"/{server.token}/state")[0] == 404


def test_the_address_for_a_command_line_works_once(server: Server) -> None:
    path = server.opened_once.partition(server.hosts[0])[2]
    assert server.token not in path
    status, headers, _ = asks(server, "GET", path)
    assert status == 302 and headers["location"] == f"/{server.token}/"
    assert asks(server, "GET", path)[0] == 403
    assert asks(server, "GET", "/")[0] == 403


def test_the_page_gets_what_evaluate_gives(server: Server) -> None:
    status, state = question(server, "state", turn=1, scenario=ASKED)
    assert status == 200
    loads = evaluate(ASKED, "loads")
    assert state["loads"]["record"] == loads.record
    assert state["loads"]["says"] == evaluate(ASKED, "loads", hottest=10).explain()
    assert state["network"]["out_cables"] == 1
    status, timed = question(server, "time", turn=1, scenario=ASKED)
    assert status == 200
    assert timed["record"]["time_s"] == evaluate(ASKED, "time")["time_s"]
    assert sum(timed["shares_s"].values()) == pytest.approx(timed["record"]["time_s"])


def test_every_fault_comes_with_its_place(server: Server) -> None:
    status, found = question(
        server, "state", turn=1, scenario={"network": "torus(4,0)", "workload": "nothing", "ranks": "x"}
    )
    assert status == 422
    assert [fault["place"] for fault in found["faults"]] == ["workload"]
    status, found = question(server, "state", turn=2, scenario={"network": "torus(4,0)", "size_bytes": "many"})
    assert status == 422 and len(found["faults"]) == 2


def test_an_older_question_is_given_up(server: Server) -> None:
    assert question(server, "state", turn=5, scenario=ASKED)[0] == 200
    status, found = question(server, "state", turn=4, scenario=ASKED)
    assert status == 409 and found == {"superseded": True}
    for turn in (None, -1, "5", 1.5, True, 1 << 60):
        assert question(server, "state", turn=turn, scenario=ASKED)[0] == 422


def test_work_under_way_stops_for_a_newer_question(server: Server) -> None:
    long = ASKED | {"network": "torus(16,16)", "workload": "alltoall:linear", "fail": "none"}
    answers: list[int] = []
    thread = threading.Thread(target=lambda: answers.append(question(server, "time", turn=1, scenario=long)[0]))
    thread.start()
    while not server._newest:
        pass
    status, _ = question(server, "state", turn=2, scenario=ASKED)
    thread.join()
    assert (status, answers) == (200, [409])


def test_an_answer_that_takes_too_long_is_given_up() -> None:
    explorer = Explorer(START, patience_s=0.0)
    with pytest.raises(NetloomError, match="NL-X203"):
        long = ASKED | {"network": "torus(16,16)", "workload": "alltoall:linear", "fail": "none"}
        explorer.time(scenario_of(long, START), lambda: None)


def test_a_large_network_is_refused() -> None:
    with pytest.raises(NetloomError, match="NL-X202"):
        Explorer(START).state(Scenario("torus(200,200)", workload="tornado"), lambda: None)


@pytest.mark.parametrize(
    "table",
    [
        {"network": "/etc/passwd"},
        {"network": "machine.conf"},
        {"network": "torus"},
        {"workload": "/etc/passwd"},
        {"workload": "traffic.csv"},
        {"workload": "a:b.toml"},
        {"workload": "..\\x:y"},
        {"calibration": "x.toml"},
        {"routing": 'tables("/etc/passwd")'},
        {"routing": " tables (file=x)"},
        {"jobs": "jobs.toml"},
        {"format": "slurm"},
        {"model": "x.toml"},
        {"search": {"free": True}},
        {"mapping": "ranks.csv"},
        {"mapping": [0.5]},
        {"mapping": [True]},
        {"placement": ["linear"]},
        {"fail": "x" * 5000},
        {"plugins": "x.py"},
        [],
        None,
    ],
    ids=str,
)
def test_a_page_names_no_file_and_nothing_unknown(table: object) -> None:
    with pytest.raises(NetloomError) as refused:
        scenario_of(table, START)
    assert refused.value.faults[0].code in ("NL-X201", "NL-A007", "NL-A002")


def test_a_file_of_the_command_line_may_be_named_again(tmp_path: Path) -> None:
    (tmp_path / "machine.edges").write_text("0 1\n1 2\n2 0\n")
    given = Scenario(str(tmp_path / "machine.edges"), format="graph-golf", workload="tornado")
    assert scenario_of(given.to_dict(), given) == given
    state = Explorer(given).state(given, lambda: None)
    assert state["network"]["switches"] == 3  # type: ignore[index]


def test_a_scenario_is_saved_and_evaluated(server: Server) -> None:
    moved = [1, 0, *range(2, 16)]
    status, found = question(server, "save", scenario=ASKED | {"mapping": moved}, name="mine.toml")
    assert status == 200, found
    assert found["files"] == ["mine.toml", "mine.ranks.csv"]
    saved = Scenario.read(server.folder / "mine.toml")
    for name in ("loads", "time"):
        assert evaluate(saved, name).record == evaluate(ASKED | {"mapping": moved}, name).record
    assert [line.split()[-1] for line in found["commands"]] == ["loads", "time"]


def test_a_study_takes_the_lines_of_a_saved_scenario(server: Server) -> None:
    assert question(server, "save", scenario=ASKED | {"mapping": [1, 0, *range(2, 16)]}, name="mine.toml")[0] == 200
    text = (server.folder / "mine.toml").read_text()
    study = f'title = "t"\n[[experiment]]\nname = "a"\nevaluate = "time"\n[experiment.axes]\n{text}'
    (server.folder / "study.toml").write_text(study)
    command = [sys.executable, "-m", "netloom", "run", "study.toml", "-o", "out", "--no-figures", "-q"]
    done = subprocess.run(command, cwd=server.folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    row = (server.folder / "out" / "tables" / "a.csv").read_text()
    assert repr(evaluate(ASKED | {"mapping": [1, 0, *range(2, 16)]}, "time")["time_s"]) in row


def test_only_plain_names_are_saved(server: Server, tmp_path: Path) -> None:
    outside = tmp_path / "outside.toml"
    outside.write_text("kept")
    (server.folder / "link.toml").symlink_to(outside)
    (server.folder / "folder.toml").mkdir()
    names = [
        "../outside.toml",
        "/x.toml",
        "a/b.toml",
        "..\\x.toml",
        ".hidden.toml",
        "x.py",
        "x",
        "",
        "x.toml\n",
        "x\0.toml",
    ]
    for name in [*names, "link.toml", "folder.toml", "a" * 300 + ".toml", None, 3, ["x.toml"]]:
        status, found = question(server, "save", scenario=ASKED, name=name, replace=True)
        assert status == 422 and found["faults"][0]["code"] == "NL-X205", name
    assert outside.read_text() == "kept"
    assert sorted(path.name for path in server.folder.iterdir()) == ["folder.toml", "link.toml"]


def test_a_file_that_is_there_is_replaced_only_if_asked(server: Server) -> None:
    assert question(server, "save", scenario=ASKED, name="a.toml")[0] == 200
    (server.folder / "a.toml").write_text("mine")
    assert question(server, "save", scenario=ASKED, name="a.toml")[0] == 422
    assert question(server, "save", scenario=ASKED, name="a.toml", replace="yes")[0] == 422
    assert (server.folder / "a.toml").read_text() == "mine"
    assert question(server, "save", scenario=ASKED, name="a.toml", replace=True)[0] == 200


def test_file_names_are_relative_to_where_a_scenario_is_saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("machine.edges").write_text("0 1\n1 2\n2 0\n")
    Path("saved").mkdir()
    given = Scenario("machine.edges", workload="tornado")
    with Server(given, Path("saved")) as server:
        server.saved({"scenario": given.to_dict(), "name": "a.toml"})
    assert evaluate("saved/a.toml", "loads").record == evaluate(given, "loads").record


def test_cables_carry_what_their_links_carry() -> None:
    net = network("hyperx(4,3,parallel=[1,2])")
    found = evaluate(
        {"network": "hyperx(4,3,parallel=[1,2])", "workload": "uniform(messages=500)"}, "loads", arrays=True
    )
    rows = carried(net, found)  # type: ignore[arg-type]
    low, high, count = pairs(net)
    for row, a, b, cables in zip(rows, low, high, count, strict=True):
        assert row is not None and row[4] == cables
        for column, ends in ((2, (a, b)), (3, (b, a))):
            links = [at for at in range(len(net.tails)) if (net.tails[at], net.heads[at]) == ends]
            assert row[column] == max(found.link_bytes[at] for at in links)
    assert max(max(row[:2]) for row in rows if row) == found.record["max_s"]


@pytest.mark.parametrize(
    "call",
    [
        "torus(3,3)",
        "k_ary_n_tree(4,2)",
        "dragonfly(a=4,p=2,h=2,g=9)",
        "rail_cluster(nodes=8,gpus=4)",
        "ring(2)",
        "star(5)",
    ],
)
def test_everything_has_a_place_of_its_own(call: str) -> None:
    net = network(call)
    made = drawing(net)
    assert made is not None
    places = [tuple(place[:2]) for key in ("switches", "endpoints") for place in made[key]]  # type: ignore[index]
    assert len(set(places)) == len(places) == net.switches + net.endpoints
    assert len(made["cables"]) == len(made["classes"]) == len(pairs(net)[0])  # type: ignore[arg-type]


def test_what_cannot_be_read_is_not_drawn() -> None:
    assert drawing(network(f"ring({MOST_SWITCHES + 1})")) is None


def test_calls_are_taken_apart_as_they_are_written() -> None:
    assert spelled("network", "torus(4, 4, p=2)") == {"name": "torus", "given": {"dims": "4,4", "p": "2"}}
    assert spelled("network", "hyperx(4,3,parallel=[1,2])") == {
        "name": "hyperx",
        "given": {"dims": "4,3", "parallel": "[1,2]"},
    }
    assert spelled("workload", "no(") is None and spelled("routing", "auto") is None
    offered = fields()["calls"]
    for axis in CALLS:
        assert all(spelled(axis, row["example"]) for row in offered[axis])  # type: ignore[index]


def test_the_static_page_is_small_and_the_same_each_time() -> None:
    page = still_page()
    assert len(page.encode()) < MOST_PAGE
    assert page == still_page()
    data = json.loads(re.search(r'id="explore-data">(.*?)</script>', page, re.S)[1])  # type: ignore[index]
    answers = data["still"]["answers"]
    assert len(answers) == 4 * 4 * 6 * 2 * 2
    first = answers["0.0.0.1.0"]
    scenario = {"network": "torus(4,4)", "workload": "allreduce:ring", "size_bytes": "1 MiB"}
    assert first["timed"]["record"]["time_s"] == evaluate(scenario, "time")["time_s"]
    assert first["state"]["loads"]["record"]["max_s"] == evaluate(scenario, "loads")["max_s"]


def command(tmp_path: Path, *args: str) -> subprocess.Popen[str]:
    environment = {name: value for name, value in os.environ.items() if "DISPLAY" not in name}
    return subprocess.Popen(
        [sys.executable, "-m", "netloom", "explore", *args],
        cwd=tmp_path, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def test_ctrl_c_ends_it_with_one_line(tmp_path: Path) -> None:
    process = command(tmp_path, "ring(4)")
    assert process.stdout is not None and process.stderr is not None
    address = process.stdout.readline()
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+/[\w-]{32}/\n", address)
    assert "Ctrl-C" in process.stderr.readline()
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=20)
    assert (process.returncode, out, err) == (130, "", "explorer ended\n")


def test_a_port_in_use_is_one_line(tmp_path: Path) -> None:
    with Server(START, tmp_path) as server:
        out, err = (process := command(tmp_path, "--port", str(server.server_address[1]))).communicate(timeout=20)
    assert process.returncode == 2 and out == ""
    assert err.startswith("error: NL-X204 port") and len(err.splitlines()) == 2 and "in use" in err


def test_bad_input_is_told_before_a_page_is_served(tmp_path: Path) -> None:
    for args, code in (
        (["torus(0)"], "NL-"),
        (["--folder", "none"], "NL-X010"),
        (["no.toml"], "NL-X001"),
        (["torus(300,300)"], "NL-X202"),
    ):
        out, err = (process := command(tmp_path, *args)).communicate(timeout=20)
        assert process.returncode == 2 and out == "" and code in err
