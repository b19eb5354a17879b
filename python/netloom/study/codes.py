"""Faults of studies; `docs/reference/errors.md` is generated from these rows."""

from __future__ import annotations

SYNTAX = "NL-S001"
UNKNOWN_KEY = "NL-S002"
MISSING_KEY = "NL-S003"
BAD_VALUE = "NL-S004"
EVALUATION = "NL-S005"
AXIS = "NL-S006"
PLACEHOLDER = "NL-S007"
COLUMN = "NL-S008"
NOTHING = "NL-S009"
TOO_MANY = "NL-S010"
OTHER_STUDY = "NL-S011"
IN_USE = "NL-S012"
JOURNAL = "NL-S013"
CLAIM = "NL-S014"
TWICE = "NL-S015"
CALL = "NL-S016"
BACKEND = "NL-S017"
NO_SCHEDULER = "NL-S018"
NO_CLUSTER = "NL-S019"
WORKER = "NL-S020"
LOST = "NL-S021"
SHARD = "NL-S022"
DAMAGED = "NL-S023"
WALLTIME = "NL-S024"
NO_SUMMARY = "NL-S030"
MEASURED = "NL-S031"

#: ``(code, title, cause, action)``
CODES: list[tuple[str, str, str, str]] = [
    (
        SYNTAX,
        "Study is not TOML",
        "The file breaks the grammar of TOML 1.0.",
        "Correct the line that the message names.",
    ),
    (
        UNKNOWN_KEY,
        "Unknown key in a study",
        "No key of this table has this name.",
        "Use the key that the hint proposes.",
    ),
    (MISSING_KEY, "Missing key in a study", "A key without a default was left out.", "Add it."),
    (
        BAD_VALUE,
        "Value of the wrong type in a study",
        "The key takes another type or range.",
        "Give a value of the kind that the message names.",
    ),
    (
        EVALUATION,
        "Unknown evaluation or option",
        "`evaluate` names no evaluation, or `options` holds a key that it does not take.",
        "Use a name from docs/reference/study.md.",
    ),
    (
        AXIS,
        "Axis that does not fit",
        "The evaluation lacks an axis that it needs, does not take one that is given, or two values look alike.",
        "Name the axes of the evaluation; an axis of your own must be used by a {placeholder}.",
    ),
    (
        PLACEHOLDER,
        "Placeholder that cannot be filled",
        "{name} names no axis, or axes name each other in a circle.",
        "Add the axis, or correct the name.",
    ),
    (
        COLUMN,
        "Unknown column",
        "A chart, table, claim or comparison asks for a column that the experiment does not have.",
        "Use one of the columns that the hint lists.",
    ),
    (
        NOTHING,
        "Condition that matches nothing",
        "A `where`, `only`, `exclude` or `baseline` names a value that the axis does not take.",
        "Use a label as it stands in the table; the hint lists them.",
    ),
    (TOO_MANY, "Too many runs", "The axes multiply to more than a million runs.", "Shorten an axis, or zip two."),
    (
        OTHER_STUDY,
        "Output folder belongs to something else",
        "It holds the results of another study, or of an edited one.",
        "Choose another folder with -o; --force takes it over and keeps the runs that are still the same.",
    ),
    (
        IN_USE,
        "Output folder is in use",
        "Another process is running a study there.",
        "Wait for it, or choose another folder.",
    ),
    (JOURNAL, "Journal cannot be read", "runs.jsonl does not begin as a journal does.", "Remove it, or use --force."),
    (
        CLAIM,
        "Claim that says nothing, or too much",
        "A claim is one of: `expected` with a tolerance, `is` with `to`, or `along` with `rising`.",
        "Keep one of the three forms.",
    ),
    (TWICE, "Name used twice", "Two experiments, or two parts of one, have the same name.", "Rename one of them."),
    (
        CALL,
        "Unknown placement, order or workload",
        "The name is neither registered nor that of a plug-in.",
        "Use the name that the hint proposes, or list the names with `netloom list`.",
    ),
    (
        BACKEND,
        "Unknown place to run",
        "--on names no backend, or an argument that it does not take.",
        "Use threads, processes, dask, tls://HOST:PORT or slurm(partition=...,walltime=...).",
    ),
    (
        NO_SCHEDULER,
        "No scheduler, or one without workers",
        "Nothing answers at the address, the scheduler has no workers, or none could be started here.",
        "Start `dask scheduler` and `dask worker`, allow more processes (`ulimit -u`), or choose another backend.",
    ),
    (
        NO_CLUSTER,
        "Package for clusters is missing",
        "dask, distributed and cryptography, and dask-jobqueue for Slurm, are installed on request only.",
        "pip install 'netloom[cluster]'",
    ),
    (
        WORKER,
        "Worker with another netloom",
        "Its version or its core differs from the planner's, so that its numbers could too.",
        "Install the same netloom on all workers.",
    ),
    (
        LOST,
        "Run lost with its worker",
        "The worker died each time it was tried: killed, out of memory, or out of time.",
        "Give workers more memory or time, or make the run smaller; the same command tries it again.",
    ),
    (
        SHARD,
        "Shard that is missing or cannot be used",
        "A part of a study was not run to its end, is of another study, or its journal is damaged.",
        "Run the command that the message names, then merge again.",
    ),
    (
        DAMAGED,
        "Damaged line in a journal",
        "A line of runs.jsonl does not fit its hash: the file was edited, or the disk lost a bit.",
        "Nothing: the run is computed again. Where it happens twice, look at the disk.",
    ),
    (
        WALLTIME,
        "Walltime shorter than the longest run",
        "Workers would end before the run does, by what runs of its kind took before.",
        "Give slurm(...) a longer walltime, or make the run smaller.",
    ),
    (
        NO_SUMMARY,
        "Folder without a finished study",
        "It has no summary.json, or one that netloom did not write.",
        "Run the study into this folder first: netloom run STUDY.toml -o FOLDER.",
    ),
    (
        MEASURED,
        "Measured file cannot be used",
        "The file that an experiment names as measured is no table of bench-orders, or the evaluation has no "
        "communicators.",
        "Write it with netloom bench-orders, and ask time or packet.",
    ),
]
