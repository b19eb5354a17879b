"""What tests of several folders use."""

from __future__ import annotations

import os
import shutil
import signal
import stat
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from netloom.plugin.registry import _registered

#: Where nothing is ever written by a test that runs as root.
SYSTEM = ("/bin", "/boot", "/dev", "/etc", "/lib", "/proc", "/root", "/sbin", "/sys", "/usr", "/var/lib")
_OWN = tuple(str(Path(path).resolve()) for path in (tempfile.gettempdir(), Path(__file__).parent.parent, sys.prefix))
_HOME = tuple(str(Path.home() / name) for name in (".cache", ".config"))
_HARMLESS = ("/dev/null", "/dev/zero", "/dev/tty", "/dev/shm/", *_HOME)


def refuse_system_paths(event: str, given: tuple[object, ...]) -> None:
    """Root may write anywhere: a test that would is stopped before it does."""
    if event != "open" or os.geteuid() != 0 or not isinstance(given[2], int):
        return
    if given[2] & (os.O_WRONLY | os.O_RDWR) and isinstance(given[0], str | bytes):
        path = os.path.realpath(os.fsdecode(given[0]))
        if path.startswith(SYSTEM) and not path.startswith((*_OWN, *_HARMLESS)):
            raise PermissionError(f"a test as root writes {path}")


sys.addaudithook(refuse_system_paths)

# A shell that starts the tests in the background has them ignore Ctrl-C, and so the commands that they stop by it.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture
def full(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A device without room: the machine's own may be replaced by root, so root makes one."""
    if os.geteuid() != 0:
        if not Path("/dev/full").is_char_device():
            pytest.skip("needs /dev/full")
        return Path("/dev/full")
    made = tmp_path_factory.mktemp("device") / "full"
    try:
        os.mknod(made, stat.S_IFCHR | 0o666, os.makedev(1, 7))
        made.open("wb").close()
    except OSError as error:
        pytest.skip(f"no device can be made here: {error}")
    return made


def unregistered() -> Iterator[None]:
    """What is registered meanwhile is not afterwards: tests run in any order in one process."""
    before = {kind: dict(classes) for kind, classes in _registered.items()}
    yield
    for kind, classes in before.items():
        _registered[kind] = classes


#: After each test, and after each file, whose fixtures register too.
forget = pytest.fixture(autouse=True, name="forget")(unregistered)
forget_of_file = pytest.fixture(autouse=True, scope="module", name="forget_of_file")(unregistered)


@pytest.fixture
def workplace(tmp_path: Path) -> Path:
    """An empty folder with the examples beside it, `netloom` and `python` on the path."""
    programs = tmp_path / ".programs"
    programs.mkdir()
    for name, arguments in (("netloom", "-m netloom "), ("python", ""), ("python3", "")):
        program = programs / name
        program.write_text(f'#!/bin/sh\nexec "{sys.executable}" {arguments}"$@"\n')
        program.chmod(0o755)
    (tmp_path / "examples").symlink_to(Path(__file__).parents[1] / "examples")
    return tmp_path


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """A Chromium that asks the network for nothing by itself; a skip where there is none."""
    sync_api = pytest.importorskip("playwright.sync_api")
    program = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if program is None:
        pytest.skip("no Chromium on this machine")
    quiet = [f"--disable-{what}" for what in ("gpu", "quic", "background-networking", "component-update", "sync")]
    with sync_api.sync_playwright() as play:
        try:
            started = play.chromium.launch(
                executable_path=program, args=["--headless", "--no-sandbox", "--no-first-run", *quiet]
            )
        except sync_api.Error as error:
            pytest.skip(f"Chromium does not start here: {str(error).splitlines()[0]}")
        yield started
        started.close()


@pytest.fixture
def open_page(browser: Any) -> Iterator[Callable[..., Any]]:
    """Opens an address in a window of a width and a colour scheme.

    The page has what its scripts said, faults included, in `said`, and the addresses that it asked for in `asked`.
    """
    pages = []

    def opened(address: str, width: int = 1200, scheme: str = "light") -> Any:
        page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
        pages.append(page)
        page.set_default_timeout(120_000)  # A machine that does other work too.
        page.said, page.asked = [], []
        page.on("console", lambda message: page.said.append(message.text))
        page.on("pageerror", lambda error: page.said.append(str(error)))
        page.on("request", lambda request: page.asked.append(request.url))
        page.goto(address)
        return page

    yield opened
    for page in pages:
        page.close()
