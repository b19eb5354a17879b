"""What runs in a simulation: one job of the command line, or the jobs of a TOML file, brought to objects."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from typing import Any

from .options import integer

#: Keys of a `[[job]]`, and what they hold.
KEYS = {
    "collective": str,
    "traffic": str,
    "application": str,
    "trace": str,
    "ranks": int,
    "order": str,
    "mapping": str,
    "mapping_format": str,
    "size": str,
    "root": int,
    "repetitions": int,
    "start": str,
}
LOADS = ("collective", "traffic", "application", "trace")
MAX_JOBS = 10_000
MAX_BYTES = 1 << 20
BAD_JOB = "NL-X015"


@dataclass(frozen=True)
class Asked:
    """A job as it was asked for.

    Parameters
    ----------
    place
        What messages call it: empty for the options, else `jobs.toml: job 1`.
    kind, text
        One of :data:`LOADS`, and the call text or file.
    """

    place: str
    kind: str
    text: str
    ranks: int | None = None
    order: str = "draw"
    mapping: str | None = None
    mapping_format: str | None = None
    size_bytes: int = 0
    root: int = 0
    repetitions: int = 1
    start_s: float = 0.0


def of_options(loads: dict[str, str | None], **given: Any) -> Asked:
    """The job of the options.

    Raises
    ------
    NetloomError
        NL-X010 unless exactly one load is named.
    """
    from ..errors import Fault, NetloomError

    named = [(kind, text) for kind, text in loads.items() if text is not None]
    if len(named) != 1:
        hint = "for example --collective allreduce:ring, or --application 'ft(class=S)'"
        options = "--collective, --traffic, --application, --trace, --jobs"
        raise NetloomError([Fault("NL-X010", options, "exactly one is needed", "", hint)])
    return Asked("", *named[0], **given)


def of_file(path: str) -> list[Asked]:
    """The `[[job]]` tables of a TOML file.

    Raises
    ------
    NetloomError
        NL-X001, NL-X002, NL-X015: all that is wrong with the file together.
    """
    from .. import files
    from ..errors import Fault, NetloomError
    from ..nearest import did_you_mean

    data = files.read(path)
    try:
        if len(data) > MAX_BYTES:
            raise ValueError(f"more than {MAX_BYTES >> 20} MiB")
        table = tomllib.loads(data.decode())
    except (UnicodeDecodeError, ValueError, RecursionError) as error:
        sentence = f"is no TOML file: {' '.join(str(error).split())[:120]}"
        raise NetloomError([Fault(BAD_JOB, path, sentence, "", "see netloom simulate --help")]) from None
    jobs = table.get("job")
    if set(table) != {"job"} or not isinstance(jobs, list) or not 1 <= len(jobs) <= MAX_JOBS:
        keys = ", ".join(ascii(key)[:40] for key in list(table)[:8])
        expected = f"1 to {MAX_JOBS} tables [[job]] and nothing else"
        raise NetloomError([Fault(BAD_JOB, path, expected, keys or "nothing")])
    faults: list[Fault] = []
    made = []
    for number, job in enumerate(jobs, start=1):
        place = f"{path}: job {number}"
        if not isinstance(job, dict):
            faults.append(Fault(BAD_JOB, place, "a table", type(job).__name__))
            continue
        wrong = []
        for key, value in job.items():
            if key not in KEYS:
                hint = did_you_mean(key, KEYS, "keys")
                wrong.append(Fault(BAD_JOB, place, f"there is no key {ascii(key)[:40]}", "", hint))
            elif type(value) is not KEYS[key]:
                expected = "text" if KEYS[key] is str else "an integer"
                wrong.append(Fault(BAD_JOB, f"{place}.{key}", expected, ascii(value)[:60]))
        if sum(kind in job for kind in LOADS) != 1:
            wrong.append(Fault(BAD_JOB, place, f"needs exactly one of {', '.join(LOADS)}"))
        try:
            made.append(_job(place, job) if not wrong else None)
        except NetloomError as error:
            wrong += error.faults
        faults += wrong
    if faults:
        raise NetloomError(faults[:20])
    return [job for job in made if job is not None]


def _job(place: str, job: dict[str, Any]) -> Asked:
    from ..quantities import parse_bytes, parse_seconds

    whole: dict[str, Any] = {
        key: integer(f"{place}.{key}", str(job[key]), least) for key, least in _LEAST.items() if key in job
    }
    plain: dict[str, Any] = {key: job[key] for key in ("order", "mapping", "mapping_format") if key in job}
    size = parse_bytes(job.get("size", "1"), f"{place}.size")
    start = parse_seconds(job.get("start", "0 s"), f"{place}.start", least=0.0)
    kind = next(kind for kind in LOADS if kind in job)
    return Asked(place, kind, job[kind], size_bytes=size, start_s=start, **whole, **plain)


_LEAST = {"ranks": 1, "root": 0, "repetitions": 1}


def make(net: Any, asked: list[Asked], placement: str, algorithms: dict[str, str]) -> list[Any]:
    """The jobs as `netloom.Job`: the placement gives endpoints, each job without a mapping takes the next ones.

    Raises
    ------
    NetloomError
        What is wrong with a workload, a placement or a mapping; NL-X010 if trace and ranks differ.
    """
    from .. import _core, api, flow

    ready = []
    for job in asked:
        mapping = _mapping(net, job)
        ranks = len(mapping) if mapping is not None else job.ranks
        if ranks is None and job.kind != "trace":
            ranks = _default_ranks(net, asked, job)
        ready.append((job, _load(job, ranks, algorithms), mapping))
    wanted = [load.ranks for _, load, mapping in ready if mapping is None]
    slots = api.placed(net, sum(wanted), placement, "draw") if wanted else None
    made, next_slot = [], 0
    for job, load, mapping in ready:
        if mapping is None:
            assert slots is not None
            taken = slots[next_slot : next_slot + load.ranks]
            next_slot += load.ranks
            mapping = api.ordered(net, taken, job.order)
        made.append(flow.Job(load, mapping, job.start_s, job.repetitions))
    assert all(isinstance(job.workload, (_core.Schedule, _core.Traffic, _core.Programs)) for job in made)
    return made


def _default_ranks(net: Any, asked: list[Asked], job: Asked) -> int:
    """One per endpoint, for a job that has the network to itself."""
    from ..errors import Fault, NetloomError

    if len(asked) > 1:
        raise NetloomError([Fault(BAD_JOB, job.place, "needs ranks or mapping", "", "for example ranks = 16")])
    return int(net.endpoints)


def _mapping(net: Any, job: Asked) -> Any:
    from .. import _core, files

    if job.mapping is None:
        return None
    return _core.read_mapping(files.read(job.mapping), job.mapping, job.mapping_format, net)


def _load(job: Asked, ranks: int | None, algorithms: dict[str, str]) -> Any:
    from .. import api, flow, traces
    from ..errors import Fault, NetloomError

    if job.kind == "trace":
        load = traces.read_trace(job.text, algorithms)
        if ranks is not None and ranks != load.ranks:
            sentence = f"the trace has {load.ranks} ranks, not {ranks}"
            hint = "leave --ranks out, or map as many ranks as it has"
            raise NetloomError([Fault("NL-X010", job.place or "--trace, --ranks", sentence, "", hint)])
        return load
    assert ranks is not None
    if job.kind == "application":
        return flow.application(job.text, ranks, algorithms)
    return api.workload(job.text, ranks, root=job.root, size_bytes=job.size_bytes)
