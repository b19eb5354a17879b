"""The command line in the test's own process."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from netloom.cli.app import main


@pytest.fixture
def netloom(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> Callable[..., tuple[int, str, str]]:
    """`netloom ...` in an empty folder: exit code, stdout, stderr."""
    monkeypatch.chdir(tmp_path)

    def run(*args: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as left:
            main(args)
        printed = capfd.readouterr()
        return int(left.value.code or 0), printed.out, printed.err

    return run
