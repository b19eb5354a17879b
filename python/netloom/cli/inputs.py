"""Scenario inputs as command options, generated from the table of axes."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import product
from typing import TYPE_CHECKING, Any

import click
import click.shell_completion

from ..scenario.axes import BY_NAME, TABLES, Axis
from ..scenario.refusals import refuse_next_to_jobs
from .offered import completed
from .options import background, jobs_of, machines, parameter, refused, require_taken
from .output import note, progress, reader_notes

if TYPE_CHECKING:
    from .. import _core
    from ..evaluate import Answer
    from ..results.rows import Cell
    from ..scenario import Question, Scenario
    from ..scenario.effect import Reason

#: Other spellings of the axis `workload`: any of them takes any workload.
WORKLOADS = {
    "collective": (("-c", "--collective"), "CALL", "Workload: collective:algorithm; see netloom list collectives."),
    "traffic": (
        ("-t", "--traffic"),
        "CALL|FILE",
        "Workload: a pattern (netloom list patterns), or a file of traffic or steps.",
    ),
    "application": (("-a", "--application"), "CALL", "Workload: an application; see netloom list applications."),
    "trace": (
        ("--trace",),
        "FILE",
        "Workload: a recorded trace, as of SMPI or GOAL (netloom list formats); --from may name its format.",
    ),
}
#: Beginnings of the codes of what is wrong with a file: formats, lists of jobs, files.
OF_FILES = ("NL-F", "NL-J", "NL-X")


def inputs(
    *names: str, many: Sequence[str] = (), argument: bool = False, tables: Sequence[str] = ()
) -> Callable[[Callable[..., object]], Callable[..., object]]:
    """The options of these axes; the command gets them as its first argument, `Asked`.

    Parameters
    ----------
    many
        Axes whose option may be repeated; the answers are compared.
    argument
        True: the network is a positional argument, not an option.
    tables
        Those of whose settings `--set` takes; both where there is a calibration.
    """

    if "network" in names:
        names = ("machine", *names)
    # What says how many ranks there are.
    names = tuple(one for name in names for one in ((name, "nodes", "ranks_per_node") if name == "ranks" else (name,)))

    def decorate(function: Callable[..., object]) -> Callable[..., object]:
        @functools.wraps(function)
        def run(**given: object) -> object:
            own = {key: given.pop(key) for key in (*names, *extra) if key in given}
            flags = {name: flag(BY_NAME[name]) for name in names if not (argument and name == "network")}
            flags |= {"topology": flags["network"]} if "network" in flags else {}
            flags |= {name: f"--set {name}" for name in (TABLES if "calibration" in names else tables)}
            with spelled(flags, [*own.values(), *given.values()]):
                return function(Asked(own, flags, many), **given)

        extra = [*(WORKLOADS if "workload" in names else ()), *(("job",) if "jobs" in names else ()), "set_"]
        click.option(
            "--set", "set_", metavar="INPUT.PARAMETER=VALUE", multiple=True,
            help="One parameter of an input, such as node.nics=2 or wire.duplex=half; may be repeated.",
        )(run)  # fmt: skip
        for option in reversed([option for name in names for option in _options(name, name in many, argument)]):
            option(run)
        if "machine" in names:
            machines(run)
        return run

    return decorate


def _options(
    name: str, many: bool, argument: bool
) -> Iterator[Callable[[Callable[..., object]], Callable[..., object]]]:
    axis = BY_NAME[name]
    if name == "network" and argument:
        yield click.argument("network", metavar=axis.metavar, required=False, shell_complete=completed("network"))
    elif name == "workload":
        for key, (flags, metavar, words) in WORKLOADS.items():
            yield click.option(*flags, key, metavar=metavar, help=words, shell_complete=completed("workload"))
    else:
        words = axis.help[:1].upper() + axis.help[1:] + ("; may be repeated" if many or axis.many else "")
        words += f"  [default: {axis.default}]" if axis.default not in (None, "") else ""
        flags = axis.flags or (f"--{name.replace('_', '-')}",)
        yield click.option(
            *flags, name, metavar=axis.metavar, multiple=many or axis.many, help=words,
            shell_complete=completed(axis.kind),
        )  # fmt: skip
    if name == "jobs":
        words = "A job on N endpoints or N % of them, by default an equal share of the rest; "
        words += "TIMES over and from START on where given; added to those of --jobs; may be repeated."
        yield click.option("--job", multiple=True, metavar="NAME[=N|=N%][*TIMES][@START]: WORKLOAD", help=words)


def flag(axis: Axis) -> str:
    """The option of an axis, as shown in messages."""
    return axis.flags[-1] if axis.flags else axis.name


@contextmanager
def spelled(flags: Mapping[str, str], given: Iterable[object] = ()) -> Iterator[None]:
    """Faults at an axis name the option that the user typed; those of a file that is called like an axis, the file.

    Parameters
    ----------
    given
        Texts that the user typed, some of which name files.
    """
    from ..base.errors import Fault, NetloomError

    def shown(fault: Fault) -> str:
        if fault.code.startswith(OF_FILES) and _names(given, fault.place):
            return fault.place
        return flags.get(fault.place.removeprefix("scenario."), fault.place)

    try:
        yield
    except NetloomError as error:
        places = list(map(shown, error.faults))
        raise NetloomError(
            Fault(f.code, place, f.expected, f.got, f.hint) for f, place in zip(error.faults, places, strict=True)
        ) from error.__cause__


def _names(given: Iterable[object], path: str) -> bool:
    """Whether one of the texts is this path, or a call that has it in quotes."""
    texts = [text for value in given for text in (value if isinstance(value, tuple) else (value,))]
    return any(text == path or f'"{path}"' in str(text) for text in texts)


class Asked:
    """The question of a command: one scenario per choice, from the options given.

    Parameters
    ----------
    given
        Option values by axis and, for the workload, by spelling.
    flags
        By axis, its name in faults; the workload's is added here.
    """

    def __init__(self, given: Mapping[str, Any], flags: dict[str, str], many: Sequence[str] = ()) -> None:
        from pathlib import Path

        from ..scenario import Calls, Scenario, Workshop

        self._flags, self._said = flags, set[str]()
        said = {name: value for name, value in given.items() if value not in (None, ())}
        parameters = dict(map(parameter, said.pop("set_", ())))
        require_taken(parameters, {*flags, *given})
        if "network" in flags and not {"network", "machine"} & set(said):
            raise refused(flags["network"], "is missing", "for example -n 'torus(8,8)', or --machine NAME")
        workloads = {name: said.pop(name) for name in WORKLOADS if name in said}
        self._named = said.pop("job", ())
        _refuse(said, workloads, self._named, "collective" in given, "jobs" in flags)
        for name, text in workloads.items():
            said["workload"], flags["workload"] = _existing(name, text, said), f"--{name}"
            flags[name] = flags["workload"]
        for name, between in (("fail", "\n"), ("algorithms", "; ")):
            if name in said:
                said[name] = between.join(said[name])
        if "background" in said:
            said["background"] = [background(text) for text in said["background"]]
        #: Whether the user gave one workload, or a list of jobs.
        self.several = bool(self._named) or "jobs" in said
        self.workshop = Workshop(Calls(Path()))
        repeated = {name: said.pop(name) for name in many if name in said}
        self._choices = [
            Scenario(**{**said, **dict(zip(repeated, row, strict=True)), **parameters})
            for row in product(*repeated.values())
        ]

    @property
    def said(self) -> dict[str, object]:
        """The inputs of the first choice as they were given."""
        return dict(self._choices[0])

    @functools.cached_property
    def network(self) -> _core.Network:
        """The network without its failed parts, after every option was checked."""
        from ..scenario import Question
        from ..scenario.canonical import check

        for scenario in self._choices:
            check(BY_NAME, scenario, self.workshop.calls)
        whole = Question(self._choices[0], self.workshop, _silent)
        reader_notes(whole.site.whole, whole.site.node)
        if isinstance(listed := self._choices[0].get("jobs"), str):
            from ..jobs.unused import notes

            for text in notes(listed):
                note(f"note: {text}")
        return whole.network

    @functools.cached_property
    def choices(self) -> list[Scenario]:
        """One scenario per choice; the network is built once."""
        # The file is read, and its part and failures are applied to the network.
        more: dict[str, Any] = {"network": self.network, "format": "", "part": "", "fail": "none"}
        return [scenario.but(**more, **self._listed(scenario.but(**more))) for scenario in self._choices]

    def _listed(self, scenario: Scenario) -> dict[str, Any]:
        """The jobs of `--job`, alone or added to those of `--jobs` on the endpoints left free."""
        from ..scenario import Question

        if not self._named:
            return {}
        there = Question(scenario, self.workshop, _silent).jobs if "jobs" in scenario else []
        used = {int(endpoint) for job in there for endpoint in job.places()}
        return {"jobs": [*there, *jobs_of(self._named, self.network, len(used))]}

    @property
    def scenario(self) -> Scenario:
        """The only choice."""
        return self.choices[0]

    @property
    def count(self) -> int:
        """Number of choices."""
        return len(self._choices)

    def bound(self, name: str, choice: int = 0) -> Question:
        """A choice as the evaluator sees it."""
        from ..evaluate import bound_of, evaluator

        return bound_of(evaluator(name), self.choices[choice], self.workshop, _silent)

    def answer(self, name: str, quiet: bool, title: str = "", choice: int = 0, **options: Cell) -> Answer:
        """The evaluator's answer to one choice, with a progress bar."""
        from ..evaluate import answer, evaluator, settings

        row = evaluator(name)
        with progress(title or name, quiet) as callback:
            made = answer(row, self.choices[choice], self.workshop, settings(row, options), callback)
        self.say_without_effect(made.without_effect)
        return made

    def note_without_effect(self, bound: Question, own: Mapping[str, Reason] | None = None) -> None:
        """Notes of options without effect, for a command that no single evaluator answers."""
        from ..scenario.effect import without_effect

        self.say_without_effect(without_effect(bound, self._flags, own))

    def say_without_effect(self, found: Mapping[str, str]) -> None:
        """A note for each of these inputs, once for all choices."""
        for name, why in found.items():
            if name not in self._said:
                self._said.add(name)
                note(f"note: {self._flags.get(name, '--' + name.replace('_', '-'))} has no effect: {why}")


def _refuse(
    said: Mapping[str, object], workloads: Mapping[str, str], named: Sequence[str], one: bool, several: bool
) -> None:
    """Refuses conflicting options before anything is read."""
    options = [f"--{name}" for name in WORKLOADS] + ["--job", "--jobs"] * several
    given = [f"--{name}" for name in workloads] + ["--job"] * bool(named)
    listed = bool(named) or "jobs" in said
    if one and (len(given) > 1 or not (given or "jobs" in said)):
        hint = "for example --collective allreduce:ring, or --traffic 'uniform(seed=1)'"
        raise refused(", ".join(options), "exactly one is needed", hint)
    if listed:
        refuse_next_to_jobs(said)
    if "first_node" in said and "jobs" not in said:
        raise refused("--first-node", "applies to the node names in a job list", "give --jobs FILE")
    if empty := [name for name, text in said.items() if isinstance(text, str) and not text.strip()]:
        raise refused(flag(BY_NAME[empty[0]]), "is empty", "give a value, or leave the option out")
    if empty := [f"--{name}" for name, text in workloads.items() if not text.strip()]:
        raise refused(empty[0], "is empty", "give a value, or leave the option out")
    fail = said.get("fail")
    if isinstance(fail, tuple) and any(not text.strip() for text in fail):
        raise refused("--fail", "is empty", "for example --fail link:0-1, or --fail switch:3")


def _existing(name: str, text: str, said: dict[str, object]) -> str:
    """The text; a trace must be an existing file, whose format `--from` may name instead of that of the network."""
    if name != "trace":
        return text
    from ..base import files
    from ..workload.traces import format_of, in_format, recognised, trace_call

    call = trace_call(text)
    path = text if call is None else call.path
    if not files.is_file(path) and recognised(path) is None:
        files.read(path)
    format = format_of(str(said.get("format", "")))
    if format is None:
        return text
    del said["format"]
    if call is None:
        return in_format(text, format)
    if call.format not in (None, format):
        raise refused("--from", f"is {format}, and --trace says {call.format}", "leave one of them out")
    return f"{format}({text.partition('(')[2]}"


def _silent(done: int, total: int) -> None:
    return None
