"""A file as `calibrate --run` and `validate --run` leave it, and a launcher that leaves it without any MPI."""

from __future__ import annotations

from netloom.mpi.micro.rows import About, Row, head, line

_ABOUT = About("calibrate", "Open MPI v4.1.4", 2, 1, 2, 2, 0.25, "node(cores=2)", "0", "2026-11-28")
_PINGPONG = [
    Row("pingpong", 6e-7 + size * 1e-10, size, "cache", 1, 0.05, 99) for size in (0, 8, 64, 512, 4096, 1 << 20)
]
_OTHERS = [
    Row("eager", 0.0, 1024, "cache"),
    Row("send", 1e-7, 8, "cache"),
    Row("receive", 2e-7, 8, "cache"),
    Row("call", 3e-7, 4),
    Row("collective", 3e-6, 4096, "", 1, 0.9, 99, "allreduce"),
    Row("collective", 2e-6, 4096, "", 1, 0.05, 99, "exchange"),
]
#: Its text; without the last line it was broken off.
TEXT = "\n".join([head(_ABOUT), *map(line, [*_PINGPONG, *_OTHERS]), '{"end": "all"}']) + "\n"
#: Takes what `netloom.mpi.micro` takes, and says something of its own.
LAUNCHER = 'echo "hello from a node"\ncp kept.jsonl "$4"\n'
#: Tells a fault as the measuring processes do.
REFUSING = (
    """echo '[node] netloom-fault: ["NL-I072", "--launch", "9 processes are more", "", "start fewer"]'; exit 2\n"""
)
#: Dies like a launcher.
DYING = "echo ------; echo 'There are not enough slots available.' >&2; exit 3\n"
FILES = {"kept.jsonl": TEXT, "start.sh": LAUNCHER, "refusing.sh": REFUSING, "dying.sh": DYING}
