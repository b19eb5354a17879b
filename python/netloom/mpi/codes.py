"""Faults around a running MPI; `docs/reference/errors.md` is generated from these rows."""

from __future__ import annotations

NO_MPI, TWO_MPIS, NOT_BUILT, UNSAFE = "NL-I001", "NL-I002", "NL-I003", "NL-I004"
DAMAGED, OTHER_VERSION, MIXED, NOTHING, NOT_STARTED = "NL-I005", "NL-I006", "NL-I007", "NL-I008", "NL-I009"
NO_ORDER = "NL-I010"

#: ``(code, title, cause, action)``
CODES: list[tuple[str, str, str, str]] = [
    (
        NO_MPI,
        "No MPI found",
        "No compiler of an MPI library is next to the launcher or on the path.",
        "Load the module of your MPI, or name its compiler with --mpicc.",
    ),
    (
        TWO_MPIS,
        "Two MPI libraries",
        "The launcher belongs to one MPI library and the compiler to another.",
        "Name the compiler of the launcher's library with --mpicc.",
    ),
    (
        NOT_BUILT,
        "Library in C cannot be built",
        "The compiler of the MPI library failed on netloom's C sources.",
        "The message shows the compiler's first complaint; try the compiler on a program of your own.",
    ),
    (
        UNSAFE,
        "Cache folder is not safe",
        "The folder of built libraries, which programs load, belongs to somebody else, or others may write to it.",
        "Remove the folder, or set XDG_CACHE_HOME to one of your own.",
    ),
    (
        DAMAGED,
        "Record is damaged",
        "A file of a record is cut off, or is no record.",
        "Record again; a disk that was full leaves such files.",
    ),
    (
        OTHER_VERSION,
        "Record of another version",
        "The record was written by another version of netloom.",
        "Read it with that version, or record again.",
    ),
    (
        MIXED,
        "Record of several runs",
        "The files of the ranks are not of one run: their numbers of ranks differ.",
        "Give every run a folder of its own.",
    ),
    (
        NOTHING,
        "Nothing was recorded",
        "No process called MPI_Init of a library that can be intercepted, or none could write its file.",
        "Link the program dynamically; run it on the MPI that the recorder was built for.",
    ),
    (
        NOT_STARTED,
        "Program cannot be started",
        "The command after -- is not there or may not be run.",
        "Check the name; the launcher comes first, such as mpirun -n 4 ./app.",
    ),
    (
        NO_ORDER,
        "No order of the ranks",
        "A file names a rank twice or not at all, or the order is for another number of ranks.",
        "Give each new rank once: the i-th number is the new rank of process i.",
    ),
]
