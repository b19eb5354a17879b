"""nccl-tests: the file of its option -J."""

from __future__ import annotations

import json
from dataclasses import replace

from . import codes, nccl
from .log import Log
from .reader import Reader
from .rows import Measurement
from .taken import Taken


def is_format(log: Log) -> bool:
    first = next((line for line in log.lines if line.strip()), "")
    return first.lstrip().startswith("{") and any('"out_of_place"' in line for line in log.lines)


def read(taken: Taken) -> None:
    """Out-of-place times as in the printed tables; places count the results, from 1."""
    try:
        found: object = json.loads("\n".join(taken.log.lines))
    except json.JSONDecodeError as error:
        is_cut = error.pos >= sum(len(line) + 1 for line in taken.log.lines) - 1 or error.msg.startswith("Unterminated")
        said = "ends within its JSON" if is_cut else f"is no JSON: {error.msg}"
        taken.refuse(codes.CUT_OFF if is_cut else codes.BAD_ROW, taken.log.place(error.lineno), said)
        return
    except (ValueError, RecursionError):
        taken.refuse(codes.BAD_ROW, taken.log.name, "is no JSON of nccl-tests: too deep, or with a number too long")
        return
    record = _record(found)
    test = nccl.Test()
    named = nccl.TEST.search(json.dumps(record.get("args"))) or nccl.TEST.search(json.dumps(record.get("config")))
    test.collective = named[1] if named else ""
    models = {str(_record(one).get("device_info", "")) for one in _list(record.get("devices"))}
    for one in _list(record.get("devices")):
        device = _record(one)
        host = str(device.get("hostname", ""))
        test.groups.add(str(device.get("group", 0)))
        test.hosts[host] = test.hosts.get(host, 0) + 1
    nccl.one_model(taken, models)
    version = record.get("nccl_version")
    library = taken.given.library or (f"nccl {version}" if isinstance(version, str) else "nccl")
    like = nccl.like(taken, test, library, taken.log.name)
    if like is not None:
        _take(taken, like, _list(record.get("results")))


def _take(taken: Taken, like: Measurement, results: list[object]) -> None:
    half = "out_of_place"
    if results and all(not _record(_record(one).get(half)) for one in results):
        half = "in_place"
    taken.note(f"of times out of place and in place those {half.replace('_', ' ')} were taken")
    for k, one in enumerate(results, 1):
        result, place = _record(one), f"{taken.log.name}, results {k}"
        times = _record(result.get(half))
        if not times:
            taken.drop(place, "it has no time out of place; in place is another measurement")
        elif "time" not in times:
            taken.drop(place, "it has the time of the processor, not of the collective")
        elif _number(times.get("nwrong")) > 0:
            taken.drop(place, f"verification failed: {_number(times.get('nwrong')):g} wrong")
        else:
            size, time_us = _number(result.get("size")), _number(times["time"])
            if size != int(size) or not (0 <= size <= 1 << 53 and 1e-9 < time_us < 1e16):
                got = f"{result.get('size')!r} and {times['time']!r}"
                taken.refuse(codes.BAD_ROW, place, "a size in whole bytes and a time > 0", got)
                continue
            row = nccl.Row(int(size), time_us / 1e6, _number(times.get("alg_bw")), _number(times.get("bus_bw")))
            nccl.take_row(taken, replace(like, place=place), row)


def _record(value: object) -> dict[str, object]:
    return value if isinstance(value, dict) else {}


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def _number(value: object) -> float:
    """A finite number; -1 for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return -1.0
    return float(value) if -1e300 < value < 1e300 else -1.0


READER = Reader("JSON of nccl-tests", is_format, read)
