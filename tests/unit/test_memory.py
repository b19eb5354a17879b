"""What is too large for the memory is refused before any is taken, with the number."""

from __future__ import annotations

import os
import re
import resource
import subprocess
import sys
from pathlib import Path

import pytest

import netloom
from netloom.base import memory

CLUSTER = (
    '<platform version="4.1"><cluster id="c" prefix="{prefix}" suffix="" radical="{radical}" speed="1Gf" bw="1Gbps" '
    'lat="1us" {more}/></platform>'
)
#: Small inputs that would take gigabytes, and what is said of them.
FILES = {
    "prefix.xml": (CLUSTER.format(prefix="a" * 4000, radical="0-999999", more=""), "NL-X011"),
    "hosts.xml": (CLUSTER.format(prefix="n", radical="0-7999999", more=""), "NL-X011"),
    "full.xml": (CLUSTER.format(prefix="n", radical="0-8388607", more=""), "NL-F015"),
    "torus.xml": (
        CLUSTER.format(prefix="n", radical="0-3", more='topology="TORUS" topo_parameters="2000,2000,20"'),
        "NL-F009",
    ),
    "topology.conf": ("SwitchName=s Nodes=n[0-7999999]\n", "NL-X011"),
    "full.conf": ("SwitchName=s Nodes=n[0-99999999]\n", "NL-F015"),
}
CALLS = [
    ["describe", "ring(67108864)"],
    ["describe", "torus(260,260,260)"],
    ["hops", "-n", "complete(11000)", "-t", "nearest-ring"],
    ["convert", "torus(60,60,60)", "x.graphml"],
    ["convert", "torus(60,60,60)", "x.json"],
    ["loads", "-n", "hypercube(22)", "-t", "nearest-ring"],
]


def run(folder: Path, words: list[str], room: int | None = None) -> tuple[int, str, int]:
    """Exit code, messages and the most memory of a process, which may have a limited address space."""

    def bound() -> None:
        if room is not None:
            resource.setrlimit(resource.RLIMIT_AS, (room, room))

    code = (
        "import sys\nfrom netloom.cli.app import main\ntry:\n    main(sys.argv[1:])\n"
        "finally:\n    status = open('/proc/self/status').read()\n"
        "    print('peak', status.partition('VmHWM:')[2].split()[0], file=sys.stderr)"
    )
    environment = dict(os.environ, RAYON_NUM_THREADS="2", OPENBLAS_NUM_THREADS="1")
    done = subprocess.run(
        [sys.executable, "-c", code, *words], cwd=folder, env=environment, capture_output=True, text=True,
        preexec_fn=bound,
    )  # fmt: skip
    words_said, _, peak = done.stderr.rpartition("peak ")
    return done.returncode, words_said, int(peak) * 1024


@pytest.mark.parametrize("name", FILES)
def test_a_small_file_cannot_take_gigabytes(tmp_path: Path, name: str) -> None:
    text, code = FILES[name]
    (tmp_path / name).write_text(text)
    left, said, peak = run(tmp_path, ["describe", name, "--memory", "1 GiB"])
    assert left == 2 and said.startswith(f"error: {code} {name}") and said.count("error:") == 1
    assert peak < 256 << 20
    if code == "NL-X011":
        assert re.search(r"needs [0-9.]+ GB of memory; 1\.1 GB may be taken", said)


@pytest.mark.parametrize("words", CALLS, ids=lambda words: " ".join(words[:3]))
def test_what_needs_more_than_may_be_taken_is_refused(tmp_path: Path, words: list[str]) -> None:
    left, said, peak = run(tmp_path, [*words, "--memory", "100 MiB"])
    assert left == 2 and said.startswith("error: NL-X011 ") and "104.9 MB may be taken" in said, said
    assert peak < 256 << 20
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("words", [CALLS[0], CALLS[1]], ids=lambda words: words[1])
def test_without_a_word_the_limit_is_what_the_process_has(tmp_path: Path, words: list[str]) -> None:
    left, said, _ = run(tmp_path, words, room=2 << 30)
    assert left == 2 and said.startswith("error: NL-X011 ") and "may be taken" in said, said


def test_the_limit_of_the_environment_and_of_a_script(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("NETLOOM_MEMORY", "1 MiB")
    left, said, _ = run(tmp_path, ["describe", "torus(100,100)"])
    assert left == 2 and "1.0 MB may be taken" in said
    assert run(tmp_path, ["describe", "torus(100,100)", "--no-bisection", "--memory", "1 GiB"])[0] == 0
    try:
        memory.limit_memory("1 MiB")
        with pytest.raises(netloom.NetloomError, match="NL-X011 torus"):
            netloom.network("torus(100,100)")
        with pytest.raises(netloom.NetloomError, match="NL-A008 memory"):
            memory.limit_memory("1 parsec")
    finally:
        memory.limit_memory(None)
    assert netloom.network("torus(100,100)").switches == 10000


def test_free_memory_is_that_of_the_machine_or_less() -> None:
    total = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    assert 0 < memory.free() <= total
