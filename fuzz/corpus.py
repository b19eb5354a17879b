"""`python fuzz/corpus.py TARGET`: `tests/fuzz/seeds` as the first corpus, with the bytes that choose a reader."""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path

HERE = Path(__file__).parent
SEEDS = HERE.parent / "tests" / "fuzz" / "seeds"
#: Folder of seeds, and the first byte of `readers`. The second is the number of a format: all are tried.
READERS = {"network": 0, "fabric": 0, "ranks": 1, "traffic": 2, "tables": 3, "hierarchy": 4, "trace": 5}
#: The same of `calls`: the registry.
CALLS = {"call-network": 1, "call-collective": 2, "call-node": 3}
FORMATS = 24
#: Added to the number of a format: written again too.
AGAIN = 128


def main(target: str) -> None:
    """Writes each seed once under its hash."""
    folder = HERE / "corpus" / target
    folder.mkdir(parents=True, exist_ok=True)
    made = []
    for name, kind in (READERS if target == "readers" else CALLS).items():
        for path in sorted((SEEDS / name).iterdir()):
            data = path.read_bytes()
            if target == "readers":
                made += [bytes((kind, number)) + data for number in (*range(FORMATS), *range(AGAIN, AGAIN + FORMATS))]
            else:
                made += [bytes((kind,)) + line for line in data.splitlines()]
    if target == "calls":
        made += [b"\0n[1-9,12],x", b"\0a[01-03]b[4-5]"]
    for data in made:
        (folder / hashlib.sha256(data).hexdigest()[:16]).write_bytes(data)


if __name__ == "__main__":
    main(sys.argv[1])
