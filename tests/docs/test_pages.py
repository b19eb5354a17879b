"""Every command, script and study that README and docs show works as shown, and prints what is shown."""

from __future__ import annotations

import doctest
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from .pages import PAGES, ROOT, Block, blocks, commands

#: Shown but not run here, each with what does run it, or why nothing can.
ELSEWHERE = {
    r"make (demo|papers)": "minutes of full-size studies; test_studies.py checks their plans",
    r"make (test|lint|all|docs|setup|help)\b": "runs this test, or builds what this test needs",
    r"make peers": "needs SimGrid; .ci/run runs it",
    r"make (bench|quality)|python -m benchmarks": "measures; no test, since a slow machine fails nothing",
    r"(sudo )?apt-get |curl |git clone |cd ": "prepares the machine",
    r"pip install|podman ": "installs what this test uses; make wheels tries it in a clean environment",
    r"make wheels": "compiles for minutes; packaging/wheels tries what it makes",
    r"(scontrol|squeue|mpirun|srun|sbatch|aprun)": "a launcher's or scheduler's own command, needs a cluster",
    r"netloom (record|reorder) ": "runs an MPI program; tests/peers/test_recorder.py and test_reorder.py do it",
    r"netloom (map .*sent/matrix.csv|gained sent again)": "takes what such a run leaves; test_close_the_loop.py",
    r"netloom (calibrate|validate) --run": "measures this machine for a minute; tests/peers/test_measuring.py does it",
    r"export (MPICH|SLURM)": "a launcher's own setting, needs a cluster",
    r"netloom explore(?! --static)": "serves a page until Ctrl-C; tests/unit/test_explore.py does it",
    r"netloom learn tests/papers/": "reads samples of this repository; tests/papers/jain_2016/test_learning.py does it",
    r"cargo run -p netloom-workload --example reference": "its output is compared in the crate's own tests",
}

#: What a command says on a machine that is busy; see `netloom.cli.output.progress`.
SLOW = re.compile(r"(?m)^[^\n:]+: \d+ s so far.*\n")

SHELL = ("console", "sh", "bash", "")
DATA = ("text", "toml", "json", "ini", "xml", "csv", "rust", "{toctree}", "{eval-rst}")


def is_elsewhere(command: str) -> bool:
    # MPICH is installed by make peers.
    if "mpirun.mpich" in command and shutil.which("mpirun.mpich") is None:
        return True
    return any(re.match(pattern, command) for pattern in ELSEWHERE)


def shown_pages() -> list[Path]:
    return [
        page for page in PAGES if any(block.language in (*SHELL, "python") or is_study(block) for block in blocks(page))
    ]


def is_study(block: Block) -> bool:
    return block.language == "toml" and "[[experiment]]" in block.text and "title" in block.text.partition("[[")[0]


@pytest.mark.parametrize("page", shown_pages(), ids=lambda page: str(page.relative_to(ROOT).with_suffix("")))
def test_page(page: Path, workplace: Path) -> None:
    found = blocks(page)
    studies = 0
    for block in found:
        name = block.file_name
        if is_study(block) and name is None:
            name = "study.toml" if not studies else f"study{studies}.toml"
            studies += 1
        if name is not None:
            (workplace / name).write_text(block.text)
            if is_study(block):
                run(f"netloom run {name} -o checked/{name} --no-figures -q", workplace)
    if not (workplace / "study.toml").exists():
        (workplace / "study.toml").write_text((ROOT / "examples" / "tour.toml").read_text())
    for block in found:
        if block.language == "python" and block.file_name is None:
            script(block.text, workplace)
        if block.language in SHELL:
            for shown in commands(block):
                if not is_elsewhere(shown.command):
                    printed = run(shown.command, workplace, shown.exit_code)
                    wanted = "\n".join(shown.output)
                    assert shown.matches(printed), f"$ {shown.command}\n{printed}\n--- the page shows\n{wanted}"


def run(command: str, folder: Path, exit_code: int = 0) -> str:
    environment = {**os.environ, "PATH": f"{folder / '.programs'}:{os.environ['PATH']}", "NO_COLOR": "1"}
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=900,
    )
    assert done.returncode == exit_code, f"$ {command}\n{done.stdout}\nexit code {done.returncode}"
    assert "Traceback" not in done.stdout
    return SLOW.sub("", done.stdout)


def script(text: str, folder: Path) -> None:
    """A session with `>>>` must print what it shows; a script must end well."""
    if ">>>" not in text:
        done = subprocess.run([sys.executable, "-c", text], cwd=folder, capture_output=True, text=True, timeout=900)
        assert done.returncode == 0, done.stderr
        return
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    test = doctest.DocTestParser().get_doctest(text, {}, "session", None, 0)
    complaints: list[str] = []
    before = Path.cwd()
    os.chdir(folder)
    try:
        doctest.DocTestRunner(optionflags=flags).run(test, out=complaints.append)
    finally:
        os.chdir(before)
    assert not complaints, "".join(complaints)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT).with_suffix("")))
def test_no_command_hides_from_the_test(page: Path) -> None:
    for block in blocks(page):
        assert block.language in (*SHELL, "python", *DATA), f"```{block.language}: run it, or name it as data"
        if block.language in DATA:
            hidden = [line for line in block.text.splitlines() if re.match(r"\$ |netloom \w+ |python -m ", line)]
            assert not hidden, f"shown in a block that is not run: {hidden}"


def test_the_picture_is_the_tours(workplace: Path) -> None:
    run("netloom run examples/tour.toml -o out -q", workplace)
    made = workplace / "out" / "figures" / "mapping-1-total-hops.png"
    assert made.read_bytes() == (ROOT / "docs" / "images" / "tour-hops.png").read_bytes(), f"copy {made.name} anew"


def test_the_matching_can_fail() -> None:
    shown = commands(Block("console", "$ a \\\n  b\none ... three\n...\nlast\n$ c\n"))
    assert [s.command for s in shown] == ["a \\\n  b", "c"]
    assert shown[0].matches("one two three\nx\ny\nlast\n") and not shown[0].matches("one two\nlast\n")
    assert not shown[0].matches("one two three\nx\n") and shown[1].matches("anything\n")
