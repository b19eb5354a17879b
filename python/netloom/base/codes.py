"""Faults of the command line and of the environment; `docs/reference/errors.md` is generated from these rows."""

from __future__ import annotations

#: ``(code, title, cause, action)``
CODES: list[tuple[str, str, str, str]] = [
    (
        "NL-A011",
        "Command line cannot be read",
        "An option or a command is not known, or lacks its value.",
        "Use the options that `netloom COMMAND --help` lists.",
    ),
    (
        "NL-A012",
        "Text with half a character",
        "An argument is not UTF-8, or a JSON text has a lone surrogate such as \\ud800.",
        "Write the text in UTF-8.",
    ),
    (
        "NL-X010",
        "Options that do not go together",
        "An option needs another that is missing, or two exclude each other.",
        "Follow the hint, or read the command's --help.",
    ),
    (
        "NL-X012",
        "Package not installed",
        "An optional Python package that the command needs is missing.",
        "pip install 'netloom[all]'.",
    ),
    (
        "NL-X013",
        "Internal error",
        "netloom itself failed; the input may be good.",
        "Report the command; NETLOOM_DEBUG=1 shows where it happened.",
    ),
    (
        "NL-X014",
        "Format not told by the file name",
        "The extension belongs to no network format.",
        "Give --to with a format's name; netloom list formats.",
    ),
    (
        "NL-X015",
        "Program not there",
        "A program that describes the running machine is not installed, or fails.",
        "Install hwloc, or give a file.",
    ),
    (
        "NL-X016",
        "Work takes long",
        "An estimate of the work is beyond what a command begins without being asked twice.",
        "Ask for less, or give --long.",
    ),
    (
        "NL-X018",
        "Processes of two MPI libraries",
        "mpirun belongs to one MPI library and mpi4py is linked with another: each process is alone.",
        "Use the mpirun of the library that mpi4py found, or set MPI4PY_MPIABI to mpich or openmpi.",
    ),
]
