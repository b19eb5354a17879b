"""Entry point: lazy sub-commands, faults as one line each, exit codes 0 (done), 1 (a problem found), 2 (bad input)."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from importlib import import_module

import click

from .. import __version__

#: Sub-command, its module, and its line in `netloom --help`.
COMMANDS = {
    "describe": "Size, distances, bisection and price of a network.",
    "size": "Which sizes of a topology exist near a number of endpoints.",
    "node": "Describe a node from hwloc, Slurm, NCCL, counts or the running host.",
    "machine": "Write the file of a machine from a fabric file, hwloc and measurements.",
    "compare": "Compare networks: distances, bisection, price, time of workloads.",
    "compare-models": "Compare the models of one scenario: link loads, flows, packets.",
    "hops": "Hops of a collective, a traffic pattern or an application.",
    "loads": "Bytes on every link for one or more jobs, and who causes them.",
    "simulate": "Simulated time of a collective, an application, a trace or several jobs.",
    "extrapolate": "Write the trace of a larger run from traces of small ones.",
    "explain-trace": "Why a recorded run is slow, and what would help, each change simulated.",
    "step": "Time, memory and messages of a model's training step; splits, placement.",
    "throughput": "Accepted load and latency at each offered load, packet by packet.",
    "evaluate": "Answer a question about a scenario in a file.",
    "whatif": "Which parameter of a scenario decides, and where more gives nothing.",
    "design": "Which network to build for a number of endpoints, a mix and a budget.",
    "explore": "Change a scenario by hand in the browser; see loads, time and price.",
    "collectives": "Time every algorithm of a collective; write tuning tables.",
    "enumerate": "List the orders of the levels of a machine, with core lists.",
    "map": "Improve the mapping of ranks; write rank files for launchers.",
    "run": "Run a study of many scenarios: tables, report, pictures, rank files.",
    "merge": "Make the tables and report of a study that ran in parts.",
    "index": "Make a page that links the reports of several studies.",
    "verify": "Prove that a collective is correct, or show which rank lacks what.",
    "run-schedule": "Run schedules on a real MPI: check them, time them next to the library.",
    "bench-orders": "Measure what a study predicts of orders of ranks, on a real MPI.",
    "convert": "Read a network, write it in another format.",
    "validate": "Hold predictions of a machine against measured collectives.",
    "expect": "Say whether a benchmark's log is healthy, and which fault explains it if not.",
    "record": "Run an MPI program and record what it sends.",
    "reorder": "Run an MPI program with a reordered MPI_COMM_WORLD.",
    "verify-mapping": "In a job: where each rank runs, and whether that is what was asked.",
    "gained": "Before, predicted and after: what another order of the ranks gained.",
    "learn": "Learn what decides a column of a table, such as the time of mappings.",
    "calibrate": "Fit costs of simulated time to measurements, or measure this machine.",
    "list": "List topologies, collectives, placements, ..., or show one of them.",
    "completion": "Print the completion script of bash, zsh or fish.",
    "man": "Print the manual page.",
    "explain": "Explain an error code, or which algorithm an MPI library chooses.",
}

#: Commands that several processes of `mpirun` do together.
TOGETHER = (["simulate"], ["run-schedule"], ["bench-orders"])

DONE, PROBLEM, BAD_INPUT, INTERRUPTED = 0, 1, 2, 130


class ReaderGone(Exception):
    """Nobody reads stdout any more. Not an `OSError`: click exits with 1 on a broken pipe."""


@contextmanager
def _telling_who_left() -> Iterator[None]:
    try:
        yield
    except BrokenPipeError:
        raise ReaderGone from None


def _memory() -> click.Option:
    """`--memory`, which every command has."""

    def given(ctx: click.Context, param: click.Parameter, size: str | None) -> None:
        if not ctx.resilient_parsing:
            from ..base import memory

            memory.limit_memory(size or os.environ.get("NETLOOM_MEMORY") or None)

    words = "Most memory that one network, file or search may take, such as 4GiB.  [default: what is free]"
    return click.Option(["--memory"], metavar="SIZE", expose_value=False, is_eager=True, callback=given, help=words)


class Lazy(click.Group):
    """A group whose commands live in one module each."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        # A page says how to make it again.
        ctx.meta["netloom.args"] = tuple(args)
        # Prints --help and --version.
        with _telling_who_left():
            return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> object:
        with _telling_who_left():
            return super().invoke(ctx)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f".{cmd_name.replace('-', '_')}", __package__).command
        if all(parameter.name != "memory" for parameter in command.params):
            command.params.append(_memory())
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0] if args else ""
        if name not in COMMANDS and not name.startswith("-"):
            from ..base.nearest import did_you_mean

            raise click.UsageError(f'there is no command "{name}"; {did_you_mean(name, COMMANDS, "commands")}', ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        # The summaries are known without importing the commands.
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


EPILOG = """\b
Examples:
  netloom describe 'torus(8,8,8)'
  netloom hops --network 'circulant(1024,pow2)' --ranks 512 --placement ring \\
      --collective allreduce:recursive-doubling
  netloom map --network 'random_shortcut(1024,degree=19,seed=1)' --ranks 512 \\
      --collective broadcast:binomial --optimise auto --emit rankfile -o maps/
  netloom run study.toml -o out/
"""


@click.group(
    cls=Lazy, epilog=EPILOG, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100}
)
@click.version_option(__version__, message="netloom %(version)s")
def cli() -> None:
    """Predict and improve communication on HPC and AI networks.

    Which network? Where do my ranks go? Which collective algorithm? Why is it slow?
    """


def main(args: Sequence[str] | None = None) -> None:
    """Run the command line and exit."""
    # Python represents a closed stream by None.
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_WRONLY), "w"))
    code = _guarded(list(sys.argv[1:] if args is None else args))
    code = _flush(code)
    sys.exit(code)


def _guarded(args: list[str]) -> int:
    from ..base.errors import NetloomError, no_text
    from ..base.files import inputs_kept
    from .warned import warned

    try:
        for arg in args:
            arg.encode()
        with inputs_kept(), _processes(args), warned():
            result = cli.main(args, prog_name="netloom", standalone_mode=False)
        return result if isinstance(result, int) else DONE
    except NetloomError as error:
        for line in error.lines():
            _say(f"error: {line}")
        return BAD_INPUT
    except click.exceptions.NoArgsIsHelpError as error:
        _say(error.format_message())
        return BAD_INPUT
    except click.UsageError as error:
        path = error.ctx.command_path if error.ctx else "netloom"
        _say(f"error: NL-A011 {path}: {_one_line(error.format_message())}\n  hint: {path} --help")
        return BAD_INPUT
    except click.ClickException as error:
        _say(f"error: NL-A011 netloom: {_one_line(error.format_message())}")
        return BAD_INPUT
    except (KeyboardInterrupt, click.Abort):
        _say("interrupted")
        return INTERRUPTED
    except ReaderGone:
        _silence()
        return DONE
    except OSError as error:
        if error.filename is not None:
            # Of a file that no fault of its own says more about.
            _say(f"error: NL-X001 {_one_line(os.fsdecode(error.filename))}: cannot be used: {error.strerror}")
            return BAD_INPUT
        # Only stdout remains.
        _silence()
        _say(f"error: NL-X003 stdout: cannot be written: {error.strerror or error}")
        return BAD_INPUT
    except MemoryError:
        _say("error: NL-X011 netloom: not enough memory\n  hint: choose smaller sizes, or fewer jobs (-j)")
        return BAD_INPUT
    except ImportError as error:
        if "_core" in str(error):
            _say("error: NL-X012 netloom: the compiled core is missing\n  hint: build it: make setup, or pip install .")
            return BAD_INPUT
        _say(f"error: NL-X012 netloom: {error.name or error} is not installed\n  hint: pip install 'netloom[all]'")
        return BAD_INPUT
    except UnicodeEncodeError as error:
        _say(f"error: {no_text(error)}")
        return BAD_INPUT
    except Exception as error:
        return _internal(error)
    except BaseException as error:
        # The core's panics are no `Exception`.
        if type(error).__name__ != "PanicException":
            raise
        return _internal(error)


def _processes(args: list[str]) -> AbstractContextManager[None]:
    """Under `mpirun` the processes of some commands work together."""
    if args[:1] not in TOGETHER:
        return nullcontext()
    from ..base import processes

    return processes.together()


def _one_line(text: str) -> str:
    from ..base.errors import printable

    words = printable(" ".join(text.split()))
    return f"{words[:300]}..." if len(words) > 300 else words


def _internal(error: BaseException) -> int:
    if os.environ.get("NETLOOM_DEBUG"):
        raise error
    _say(
        f"error: NL-X013 netloom: internal error: {type(error).__name__}: {_one_line(str(error))}\n"
        "  hint: this is a bug; please report the command, and set NETLOOM_DEBUG=1 to see where it happened"
    )
    return BAD_INPUT


def _say(text: str) -> None:
    try:
        sys.stderr.write(text + "\n")
        sys.stderr.flush()
    except (OSError, ValueError):
        pass


def _flush(code: int) -> int:
    """Output that cannot be written is an error, unless the reader closed the pipe."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        _silence()
    except OSError as error:
        _silence()
        _say(f"error: NL-X003 stdout: cannot be written: {error.strerror or error}")
        return BAD_INPUT
    return code


def _silence() -> None:
    """Write nothing more to a closed pipe, not even at exit."""
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    os.close(null)
