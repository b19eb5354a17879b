"""Job lists printed by Slurm: tables and JSON of ``squeue``, records of ``scontrol show job``.

Jobs that have nodes are taken; those that end or are suspended send nothing. Others are left out. Field names:
squeue(1), scontrol(1) and the JSON of ``data_parser`` plug-ins, whose numbers are plain or
``{"set", "infinite", "number"}``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping

from .allocation import allocated
from .asked import COMMAND, MAX_JOBS, MAX_TEXT, MOST, Asked, none_runs, refuse
from .codes import BAD_VALUE, UNREADABLE

#: States in which a job has nodes: it sends, or soon will, or only holds them.
SENDS, HOLDS = "sends", "holds"
_KINDS = {
    SENDS: "R RUNNING CF CONFIGURING RS RESIZING SI SIGNALING",
    HOLDS: "CG COMPLETING S SUSPENDED ST STOPPED SO STAGE_OUT",
}
_KIND = {state: kind for kind, states in _KINDS.items() for state in states.split()}
#: Job state codes of squeue(1), short and long.
_CODES = """
BF BOOT_FAIL CA CANCELLED CD COMPLETED CF CONFIGURING CG COMPLETING DL DEADLINE F FAILED NF NODE_FAIL OOM OUT_OF_MEMORY
PD PENDING PR PREEMPTED R RUNNING RD RESV_DEL_HOLD RF REQUEUE_FED RH REQUEUE_HOLD RQ REQUEUED RS RESIZING RV REVOKED
S SUSPENDED SE SPECIAL_EXIT SI SIGNALING SO STAGE_OUT ST STOPPED TO TIMEOUT
"""
_STATES = frozenset(_CODES.split())
#: Least letters of a state in a narrow column: ``squeue -l`` leaves eight.
_CUT = 4
#: The first line of ``squeue -l``, and of each round of ``squeue -i``.
_DATE = re.compile(r"\s*[A-Z][a-z]{2} [A-Z][a-z]{2} [ 0-9]?[0-9] [0-9:]{8} [0-9]{4}\s*")
_NOWHERE = ("", "(null)", "None", "N/A")


def of_squeue(text: str, place: str) -> list[Asked]:
    """A table with its header: columns JOBID and NODELIST, and if given NAME, STATE or ST, and counts; see `fields`."""
    header: list[str] = []
    made: list[Asked] = []
    for number, line in enumerate(text.splitlines(), start=1):
        here = f"{place}:{number}"
        words = _fields(line, header)
        if not words or line.startswith(("CLUSTER:", "#")) or _DATE.fullmatch(line):
            continue
        if "JOBID" in words:
            header = words
            if not {"NODELIST", "NODELIST(REASON)"} & set(header):
                raise refuse(UNREADABLE, here, "there is no column NODELIST", "", COMMAND)
            continue
        if not header:
            raise refuse(UNREADABLE, here, "there is no header with JOBID before it", "", COMMAND)
        row = dict(zip(header, words, strict=False))
        kind = _kind(row.get("STATE", row.get("ST", "RUNNING")))
        # A name with blanks shifts the columns after it: refuse rather than lose the job.
        if len(words) > len(header) or kind is None:
            expected = f"{len(header)} fields as in the header, and a job's state as STATE or ST"
            raise refuse(UNREADABLE, here, expected, line.strip()[:60], f"a name may hold blanks: {COMMAND}")
        if not kind:
            continue
        # So does a blank column: the nodes may be in the column before.
        if len(words) != len(header):
            hint = f"a blank column moves those behind it: {COMMAND}"
            raise refuse(UNREADABLE, here, f"{len(header)} fields as in the header", str(len(words)), hint)
        nodes = row.get("NODELIST", row.get("NODELIST(REASON)", ""))
        if nodes in _NOWHERE or nodes.startswith("("):
            continue
        made.append(
            _job(
                here,
                row["JOBID"],
                row.get("NAME", ""),
                nodes,
                {key: row.get(key) for key in ("NODES", "CPUS", "TASKS", "CPUS_PER_TASK", "NTASKS_PER_NODE")},
                kind,
            )
        )
        _bounded(made, place)
    return _some(made, place)


def _kind(state: str) -> str | None:
    """What a job in this state does with nodes, "" if it has none. The state may be cut to the width of its column.

    None if it is no state, or may be several.
    """
    if state in _STATES:
        return _KIND.get(state, "")
    known = {_KIND.get(full, "") for full in _STATES if len(state) >= _CUT and full.startswith(state)}
    return known.pop() if len(known) == 1 else None


def _kind_of(states: Iterable[object]) -> str:
    """The same of a base state with flags such as COMPLETING: what only holds nodes counts before what sends."""
    kinds = {_KIND.get(state, "") for state in states if isinstance(state, str)}
    return next((kind for kind in (HOLDS, SENDS) if kind in kinds), "")


def _fields(line: str, header: list[str]) -> list[str]:
    if "|" in line:
        return [word.strip() for word in line.split("|")]
    # A reason in the last column may hold blanks.
    last = len(header) - 1 if header and header[-1] == "NODELIST(REASON)" else -1
    return line.split(maxsplit=last)


def of_json(text: str, place: str) -> list[Asked]:
    """What ``squeue --json`` and ``scontrol show job --json`` print."""
    try:
        table = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise refuse(UNREADABLE, place, f"is no JSON: {str(error)[:120]}") from None
    jobs = table.get("jobs") if isinstance(table, dict) else None
    if not isinstance(jobs, list):
        raise refuse(UNREADABLE, place, "there is no list named jobs", "", "squeue --json")
    made: list[Asked] = []
    for number, job in enumerate(jobs, start=1):
        here = f"{place}: job {number}"
        if not isinstance(job, dict):
            raise refuse(UNREADABLE, here, "an object", type(job).__name__)
        states = job.get("job_state", "RUNNING")
        nodes = job.get("nodes") or ""
        kind = _kind_of(states if isinstance(states, list) else [states])
        if not kind or nodes in _NOWHERE:
            continue
        if not isinstance(nodes, str):
            raise refuse(BAD_VALUE, f"{here}.nodes", "a host list", ascii(nodes)[:60])
        keys = ("node_count", "cpus", "tasks", "cpus_per_task", "tasks_per_node")
        numbers = {key: _number(job.get(key)) for key in keys}
        name = job.get("name")
        made.append(_job(here, str(job.get("job_id", "")), name if isinstance(name, str) else "", nodes, numbers, kind))
        made[-1].details, made[-1].cpus_on = allocated(job.get("job_resources"), f"{here}.job_resources")
        _bounded(made, place)
    return _some(made, place)


def _number(value: object) -> object:
    if isinstance(value, dict):
        return value.get("number") if value.get("set") is True and value.get("infinite") is not True else None
    return value


# From the beginning of a word only: one long word without "=" is looked at once.
_KEY = re.compile(r"(?<!\S)(\S[^\s=]*+)=(\S*)")
#: First fields of the record lines that are read.
_WANTED = ("JobState", "NodeList", "NumNodes", "NumCPUs", "NumTasks", "CPUs/Task", "Socks/Node")


def of_scontrol(text: str, place: str) -> list[Asked]:
    """Records that start with ``JobId=``; with ``-d`` also the numbers of the cores on each node."""
    made: list[Asked] = []
    for number, lines in _records(text):
        here = f"{place}:{number}"
        first = lines[0]
        before, _, name = first.partition(" JobName=")
        fields = {**dict(_KEY.findall(before)), "JobName": name}
        details = []
        for line in lines[1:]:
            pairs = _KEY.findall(line)
            # The value of a command or a comment may look like a key: only lines that start with a wanted one count.
            key = pairs[0][0] if pairs else ""
            if key in _WANTED:
                fields = {**dict(pairs), **fields}
            elif key == "Nodes":
                row = dict(pairs)
                details.append((row.get("Nodes", ""), row.get("CPU_IDs", "")))
        nodes = fields.get("NodeList", "")
        kind = _kind_of(re.split("[+,]", fields.get("JobState", "RUNNING")))
        if not kind or nodes in _NOWHERE:
            continue
        numbers = {key: fields.get(key) for key in ("NumNodes", "NumCPUs", "NumTasks", "CPUs/Task")}
        per_node = fields.get("NtasksPerN:B:S:C", "").partition(":")[0]
        numbers["NtasksPerN"] = per_node if re.fullmatch("[0-9]{1,9}", per_node) else None
        job = _job(here, fields.get("JobId", ""), fields["JobName"], nodes, numbers, kind)
        job.details = details
        made.append(job)
        _bounded(made, place)
    return _some(made, place)


_STARTS = (
    *("UserId=", "Priority=", "JobState=", "Requeue=", "Partition=", "ReqNodeList=", "NodeList=", "BatchHost="),
    *("NumNodes=", "TRES=", "ReqTRES=", "AllocTRES=", "Socks/Node=", "JOB_GRES=", "Nodes=", "MinCPUsNode="),
    *("Features=", "OverSubscribe=", "Command=", "WorkDir=", "Comment=", "StdErr="),
)
#: Starts of record lines, for `scontrol -o`, which puts a record on one line.
_ONE_LINE = re.compile(" (?=(?:" + "|".join(map(re.escape, _STARTS)) + "))")


def _records(text: str) -> Iterator[tuple[int, list[str]]]:
    """Number of the first line, and the lines of each record as scontrol wrote them: wrapped ones are joined."""
    record: list[str] = []
    start = 1
    for number, raw in enumerate(text.splitlines(), start=1):
        line = raw.strip()
        if line.startswith("JobId="):
            if record:
                yield start, record
            # A name may look like a field: on one line or several, fields start with UserId.
            first, one_line, rest = line.partition(" UserId=")
            record, start = [first, *_ONE_LINE.split(rest if one_line else "")], number
        elif record and line:
            key, equals, _ = line.partition("=")
            if equals and not re.search(r"[\s,\[\]]", key):
                record.append(line)
            else:
                # A terminal or a mail has cut the line inside a value.
                record[-1] += line
    if record:
        yield start, record


def _job(place: str, number: str, name: str, nodes: str, numbers: Mapping[str, object], kind: str) -> Asked:
    """Numbers in the order: nodes, cores, ranks, cores per rank, most ranks on a node."""
    counts = [_count(place, key, value) for key, value in numbers.items()]
    wanted, cpus, ranks, per_rank, per_node = counts
    title = f"{number} {name.strip()}".strip()[:MAX_TEXT]
    if not title:
        raise refuse(UNREADABLE, place, "the job has no number")
    # Without the number of tasks, tasks per node is only an upper limit.
    each = per_node if ranks is not None else None
    return Asked(
        title, place, nodes, wanted or 0, cores=each, ranks=ranks, cpus=cpus, cpus_per_rank=per_rank or 1, spread=True,
        sends=kind == SENDS,
    )  # fmt: skip


def _count(place: str, key: str, value: object) -> int | None:
    if value is None or value in ("", "N/A", "*"):
        return None
    text = str(value)
    if type(value) not in (int, str) or not re.fullmatch("[0-9]{1,10}", text) or not 0 <= int(text) <= MOST:
        raise refuse(BAD_VALUE, f"{place}: {key}", f"an integer in 0..{MOST}", ascii(value)[:60])
    # Slurm writes 0 for what was not requested.
    return int(text) or None


def _bounded(made: list[Asked], place: str) -> None:
    if len(made) > MAX_JOBS:
        raise refuse(UNREADABLE, place, f"has more than {MAX_JOBS} jobs with nodes")


def _some(made: list[Asked], place: str) -> list[Asked]:
    if not made:
        raise none_runs(place)
    return made
