"""Sizes that nothing can hold are refused before memory is taken: each registry in a process that may have 2 GiB."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from netloom import _core

#: Every integer parameter of every row alone, then all of them together.
SCRIPT = """
import resource, sys, time
sys.path.insert(0, sys.argv[2])
import netloom
from netloom import _core
from rows import arguments, call_text, use_once
resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
kind = sys.argv[1]
for row in netloom.catalogue(kind):
    good = arguments(row)
    numbers = [p["name"] for p in row["params"] if p["type"] in ("int", "ints", "counts", "quantity")]
    sets = [{name: huge} for name in numbers for huge in (10**5, 2**31 - 1, 2**32, 2**62)]
    sets += [dict.fromkeys(numbers, huge) for huge in (10**4, 2**16, 2**31 - 1, 2**62)] if len(numbers) > 1 else []
    for changed in sets:
        text = call_text(row["name"], {**good, **changed})
        start = time.monotonic()
        try:
            use_once(kind, text)
        except netloom.NetloomError as error:
            assert "panicked" not in str(error), text
        if time.monotonic() - start > 20:
            sys.exit(f"{text} takes {time.monotonic() - start:.0f} s")
"""


@pytest.mark.parametrize("kind", [kind for kind in _core.kinds() if kind not in ("errors", "evaluators")])
def test_huge(kind: str) -> None:
    command = [sys.executable, "-c", SCRIPT, kind, str(Path(__file__).parent)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=250)
    assert done.returncode == 0, done.stderr[-2000:]
