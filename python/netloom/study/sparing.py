"""The plan of `netloom run --fast`: its later runs depend on what earlier ones come to."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace

from ..evaluate import Evaluator, evaluator
from . import only_packets
from .between import AGREE, LEAST, Series, most_left, time_of
from .only_packets import FLOWS, PACKETS
from .plan import Pair, Part, Plan
from .runs import Run, asked_of
from .sealed import Record
from .sizes import series
from .spared import BY_FLOWS, Spared, percent

#: What columns about a part of a run mean in a row of flows.
MEANT = {
    "fast_over": "; flows: the row is of flows, which agree with packets at a smaller and at a larger size",
    "fast_error": "; in a row of flows the larger of their differences from packets at these two sizes, over the time",
    "fast_error_s": "; in a row of flows fast_error times time_s",
}


class FastPlan(Plan):
    """A plan whose experiments by packets leave sizes between two others to flows, where these agree."""

    fast = True
    #: Why nothing of an experiment can be left to flows, by its index.
    idle: dict[int, str]
    #: All series, and those that a run is of: by its key, for runs by packets, and for all.
    series: list[Series]
    _series_of: dict[str, Series]
    _waiting: dict[str, list[Series]]

    @classmethod
    def of(cls, plan: Plan, plugins: str) -> FastPlan:
        """A checked plan and its series; `plugins` is the digest of the user's own classes. O(runs)."""
        made = cls(plan.loaded, plan.version, plan.calls, plan.parts)
        made.idle = {part.index: why for part in plan.parts if (why := made._nothing(part))}
        made.series = made._found(plugins)
        made._series_of = {run.key: one for one in made.series for _, run in one.packets}
        made._waiting = {}
        for one in made.series:
            # Runs that differ in a switch alone have the same flows.
            for _, run in (*one.packets, *one.flows):
                made._waiting.setdefault(run.key, []).append(one)
        for part in plan.parts:
            if part.index in made.idle:
                continue
            if any(run.key in made._series_of for run in part.runs):
                part.evaluation = _with_meaning(part.evaluation)
            else:
                made.idle[part.index] = f"no {LEAST} of its runs differ in the message size alone"
        return made

    def _nothing(self, part: Part) -> str:
        if part.evaluation.name != PACKETS:
            return f"it asks {part.evaluation.name}, not {PACKETS}"
        why = only_packets.by_reading(part.spec.name, self.loaded.study)
        own = [only_packets.by_options(run.options) for run in part.runs]
        return why or (own[0] if all(own) else "")

    def _found(self, plugins: str) -> list[Series]:
        flows = evaluator(FLOWS)
        parts = {part.index: replace(part, evaluation=flows, runs=[]) for part in self.parts}

        def by_flows(part: Part, run: Run) -> Pair:
            options = {option.name: run.options.get(option.name, option.default) for option in flows.options}
            return parts[part.index], asked_of(run, FLOWS, options, [self.version, plugins])

        whole = {
            run.key for part, run in self.runs() if part.index in self.idle or only_packets.by_options(run.options)
        }
        free = {run.key: (part, run) for part, run in self.runs() if run.key not in whole}
        return [Series(one, [by_flows(*pair) for pair in one]) for one in series(free.values(), LEAST)]

    def askable(self) -> Iterator[Pair]:
        yield from self.runs()
        for one in self.series:
            yield from one.flows

    def together(self) -> Iterator[list[Pair]]:
        seen: set[str] = set()
        for part, run in self.runs():
            if run.key not in seen:
                one = self._series_of.get(run.key)
                unit = [(part, run)] if one is None else one.packets
                seen.update(run.key for _, run in unit)
                yield unit

    def first(self, done: Mapping[str, Record], only: Collection[str] | None = None) -> Iterator[Pair]:
        yield from (pair for pair in super().first(done, only) if pair[1].key not in self._series_of)
        for one in self.series:
            if only is None or one.packets[0][1].key in only:
                one.begin(done)
                yield from one.look(done).asked.values()

    def after(self, key: str, done: Mapping[str, Record]) -> Iterable[Pair]:
        return [pair for one in self._waiting.get(key, ()) for pair in one.look(done).asked.values()]

    def lacking(self, done: Mapping[str, Record], only: Collection[str]) -> int:
        asked = {key for key in only if key not in self._series_of}
        for one in self._own(only):
            one.begin(done)
            asked |= one.look(done).asked.keys()
        return sum(key not in done for key in asked)

    def answered(self, done: Mapping[str, Record]) -> Mapping[str, Record]:
        left: dict[str, tuple[str, float]] = {}
        for one in self.series:
            for i, error in one.look(done).left.items():
                left[one.packets[i][1].key] = one.flows[i][1].key, error
        return _Answered(done, left)

    def spared(self, part: Part, done: Mapping[str, Record]) -> Spared:
        if why := self.idle.get(part.index):
            return _nothing(part, why)
        own = self._own(run.key for run in part.runs)
        left = {one.packets[i][1].key: error for one in own for i, error in one.look(done).left.items()}
        errors = [left[run.key] for run in part.runs if run.key in left]
        refused = next((why for one in own if (why := one.refusal(done))), "")
        if errors:
            more = f"; flows have no answer to others: {refused}" if refused else ""
            words = (
                f"--fast: flows answer {len(errors)} of {len(part.runs)} runs of experiment {part.spec.name}, each "
                f"between two sizes at which they agree with packets within {percent(AGREE)}; largest stated error "
                f"{percent(max(errors))}"
            )
            return Spared(len(errors), max(errors), words + more)
        if refused:
            return _nothing(part, f"flows have no answer: {refused}")
        why = f"flows and packets differ by more than {percent(AGREE)}, or packets had answered before"
        return _nothing(part, why)

    def ahead(self, part: Part) -> str:
        if why := self.idle.get(part.index):
            return _nothing(part, why).says
        most = sum(most_left(len(one.packets)) for one in self._own(run.key for run in part.runs))
        return f"--fast: flows may answer up to {most} of {len(part.runs)} runs of experiment {part.spec.name}"

    def _own(self, keys: Iterable[str]) -> list[Series]:
        """The series of some runs by packets."""
        return list({id(one): one for key in keys if (one := self._series_of.get(key))}.values())


class _Answered(Mapping[str, Record]):
    """Records by the keys of a plan: that of flows where a run by packets is left to them, with its error."""

    def __init__(self, done: Mapping[str, Record], left: Mapping[str, tuple[str, float]]) -> None:
        self._done, self._left, packets = done, left, evaluator(PACKETS)
        self._columns, self._tables = [column.name for column in packets.columns], packets.tables

    def __getitem__(self, key: str) -> Record:
        if key not in self._left:
            return self._done[key]
        flows, error = self._left[key]
        record = self._done[flows]
        row = {name: record["row"].get(name) for name in self._columns}
        time_s = time_of(record)
        row |= {"fast_over": BY_FLOWS, "fast_error": error}
        row["fast_error_s"] = None if time_s is None else error * time_s
        tables = {name: rows for name, rows in record["tables"].items() if name in self._tables}
        return record | {"key": key, "row": row, "tables": tables}

    def __iter__(self) -> Iterator[str]:
        yield from self._done.keys() | self._left.keys()

    def __len__(self) -> int:
        return len(self._done.keys() | self._left.keys())


def _nothing(part: Part, why: str) -> Spared:
    return Spared(0, 0.0, f"--fast: nothing to skip in experiment {part.spec.name}: {why}")


def _with_meaning(evaluation: Evaluator) -> Evaluator:
    columns = [replace(column, help=column.help + MEANT.get(column.name, "")) for column in evaluation.columns]
    return replace(evaluation, columns=tuple(columns))
