"""`netloom calibrate`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from .measuring import Measuring, measured_file, measuring
from .options import as_json, integer, no_progress, number, refused, require_toml, stop_after, stop_seconds, together
from .output import emit_facts, emit_json, emit_table, note

if TYPE_CHECKING:
    from ..calibration.fitting import Fit


@dataclass(frozen=True)
class MeasuredPath:
    """The path of the measurements, as typed."""

    latency: str | None
    hops: str | None
    bandwidth: str | None

    @property
    def latency_s(self) -> float:
        """Of all its links."""
        from ..base.quantities import parse_seconds

        if self.latency is None:
            raise refused(
                "--latency", "is missing", "for example --latency '100 ns'; of collectives give --machine NAME"
            )
        links = 1 if self.hops is None else integer("--hops", self.hops, 0) + 2
        return parse_seconds(self.latency, "--latency") * links

    def bandwidth_bytes_per_s(self, streams: dict[int, float]) -> float:
        """As typed, or the best of the bandwidth test: bytes/s by size."""
        from ..base.errors import Fault, NetloomError
        from ..base.quantities import parse_bytes_per_s

        if self.bandwidth is not None:
            return parse_bytes_per_s(self.bandwidth, "--bandwidth")
        if streams:
            return max(streams.values())
        hint = "for example --bandwidth '100 Gbps', or the output of osu_bw among the files"
        raise NetloomError([Fault("NL-X010", "--bandwidth", "is needed without a bandwidth test", "", hint)])


path = together(
    "path",
    MeasuredPath,
    click.option("--latency", metavar="TIME", help="Latency of the measured path; with --hops, of each of its links."),
    click.option("--hops", metavar="N", help="Switch-to-switch links of the path; it crosses two more, in and out."),
    click.option(
        "--bandwidth", metavar="RATE", help="Bandwidth of the path; by default the best of the bandwidth test."
    ),
)


@click.command(
    epilog="\b\nExamples:\n  netloom calibrate osu_latency.txt osu_bw.txt --latency '100 ns' --hops 2 "
    "--bandwidth '100 Gbps' -o mine.toml\n  netloom calibrate --run --launch 'mpirun -n 8' -o mine.toml"
)
@click.argument("measurements", nargs=-1, metavar="[FILE...]")
@path
@measuring
@click.option(
    "--envelope", default="16", show_default=True, metavar="BYTES", help="Bytes added to every message, at least 1."
)
@click.option(
    "--noise", default="0.01", show_default=True, metavar="SHARE", help="Relative scatter of the measurements."
)
@click.option(
    "--constant",
    default="latency",
    show_default=True,
    metavar="latency|overhead",
    help="What the time that does not grow with the size becomes: latency of the path, or overhead of the processors.",
)
@click.option(
    "--like", default="pure", show_default=True, metavar="NAME|FILE",
    help="Calibration for the values that a ping-pong does not show.",
)  # fmt: skip
@click.option(
    "--machine", metavar="NAME|FILE",
    help="Fit the costs of this machine's software to measured collectives instead; FILE as netloom validate takes it.",
)  # fmt: skip
@click.option("-o", "--output", metavar="FILE", help="Write the calibration or the machine, a TOML file.")
@stop_after
@no_progress
@as_json
def command(
    measurements: tuple[str, ...], path: MeasuredPath, measuring: Measuring, machine: str | None, output: str | None,
    quiet: bool, json_: bool, **given: str,
) -> None:  # fmt: skip
    """Fit costs of simulated time to measurements: a ping-pong, with --machine collectives, with --run this machine.

    FILE is the output of osu_latency, osu_bw or IMB-MPI1 PingPong; with --machine a table of measured collectives; or
    the measurements of a --run.
    """
    if output is not None:
        require_toml("-o", output, "machine" if measuring.run else "calibration")
    if _of_this_machine(measurements, measuring, path, machine, (output, quiet, json_)):
        return
    measuring.require_none()
    if machine is not None:
        from .calibrate_machine import show

        _of_ping_pong(path)
        show(measurements, machine, output, quiet, json_)
        return
    envelope, noise, constant, like = (given[name] for name in ("envelope", "noise", "constant", "like"))
    from .. import calibration
    from ..base import files
    from ..calibration import fit, measure

    base = calibration.load(like)
    measured = measure.parse((name, files.read(name)) for name in measurements)
    latency_s, rate = path.latency_s, path.bandwidth_bytes_per_s(measured.stream_bytes_per_s)
    sources = ", ".join(Path(name).name for name in measurements)
    made = fit(
        measured.one_way_s,
        latency_s,
        rate,
        name="fitted" if output is None else Path(output).stem,
        envelope_bytes=integer("--envelope", envelope, 1),
        noise=number("--noise", noise),
        constant=constant,
        base=base,
    )
    if output is not None:
        source = f"netloom calibrate, from {sources}: path of {latency_s:.6g} s and {rate:.6g} bytes/s"
        calibration.save(made.calibration.but(source=source), output)
    _show(made, rate, output, json_)


def _of_this_machine(
    paths: tuple[str, ...], measuring: Measuring, path: MeasuredPath, machine: str | None,
    out: tuple[str | None, bool, bool],
) -> bool:  # fmt: skip
    """Measures, or reads what a `--run` measured, and shows the machine; False for other files."""
    output, quiet, json_ = out
    file = measured_file(paths, measuring.run)
    if not measuring.run and file is None:
        return False
    from ..mpi.micro.rows import read
    from .calibrate_run import show

    _of_ping_pong(path, "leave it out: --run measures the path itself")
    if machine is not None:
        raise refused("--machine", "is about measured collectives", "leave it out: --run makes the machine")
    if stop_seconds() is not None:
        raise refused("--stop-after", "bounds another fit than that of --run", "give --seconds")
    if file is not None:
        measuring.require_none()
    show(measuring.found("calibrate", quiet) if file is None else read(file), output, json_)
    return True


def _of_ping_pong(path: MeasuredPath, hint: str = "leave it out, or --machine") -> None:
    """Refuses options of a ping-pong next to `--machine`."""
    context = click.get_current_context()
    typed = [name for name in ("envelope", "noise", "constant", "like") if _typed(context, name)]
    typed += [name for name, value in vars(path).items() if value is not None]
    if typed:
        raise refused(f"--{typed[0]}", "is about a ping-pong", hint)


def _typed(context: click.Context, name: str) -> bool:
    return context.get_parameter_source(name) == click.core.ParameterSource.COMMANDLINE


def _show(made: Fit, rate: float, output: str | None, json_: bool) -> None:
    worst = max(made.residuals, key=lambda size: abs(made.residuals[size]))
    rms = (sum(error * error for error in made.residuals.values()) / len(made.residuals)) ** 0.5
    facts = {
        "sizes": len(made.residuals),
        "segments": len(made.segments),
        "residual_rms": rms,
        "residual_max": abs(made.residuals[worst]),
        "residual_max_at_bytes": worst,
        "bandwidth_bytes_per_s": rate,
    }
    columns = ["above_bytes", "latency_factor", "bandwidth_factor", "fixed_us", "rate_gb_per_s", "sizes"]
    rows = [
        [
            s.above_bytes,
            made.calibration.latency_factor(s.above_bytes + 1),
            made.calibration.bandwidth_factor(s.above_bytes + 1),
            s.fixed_s * 1e6,
            1e-9 / s.s_per_byte,
            s.sizes,
        ]
        for s in made.segments
    ]
    if json_:
        table = [dict(zip(columns, row, strict=True)) for row in rows]
        residuals = [{"size_bytes": size, "residual": error} for size, error in made.residuals.items()]
        emit_json({**facts, "table": table, "residuals": residuals, "output": output})
        return
    emit_table(columns, rows)
    click.echo()
    emit_facts(facts)
    if output is not None:
        note(f"wrote {output}")
