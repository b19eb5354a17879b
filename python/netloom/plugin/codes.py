"""Faults of plug-ins; `docs/reference/errors.md` is generated from these rows."""

from __future__ import annotations

#: ``(code, title, cause, action)``
CODES: list[tuple[str, str, str, str]] = [
    (
        "NL-G001",
        "Plug-in class is incomplete",
        "It has no name, or is not a subclass of a class of `netloom.plugin`.",
        "Subclass Topology, Placement, Order, Collective, Pattern or Optimiser and give it a `name`.",
    ),
    (
        "NL-G002",
        "Plug-in name is taken",
        "Something registered already has this name or alias.",
        "Choose another `name`.",
    ),
    (
        "NL-G003",
        "Arguments do not fit the plug-in",
        "The call gives a parameter that the class's method does not take, or lacks one that it needs.",
        "Call it with the parameters of the method's signature.",
    ),
    (
        "NL-G004",
        "Plug-in failed",
        "The class's own code raised an exception.",
        "Correct the class; the message names the line.",
    ),
    (
        "NL-G005",
        "Plug-in returned something invalid",
        "What it returned breaks a promise, for example a placement that uses an endpoint twice.",
        "Run `netloom.contract.check` on the class.",
    ),
    (
        "NL-G006",
        "Plug-in file cannot be loaded",
        "The file does not exist, is not Python, or defines no plug-in class.",
        "Check the path; the message names the line of a syntax error.",
    ),
    (
        "NL-G007",
        "Plug-in of a study is not allowed to run",
        "A study names code; nobody has said that it may run, or it lies outside the study's folder.",
        "Read the file, then give --allow-plugins or --plugin; NETLOOM_TRUSTED lists folders whose studies may.",
    ),
    (
        "NL-G008",
        "Package is missing",
        "What was asked for stands on a package that is not installed.",
        "Install it; the message names the command.",
    ),
]
