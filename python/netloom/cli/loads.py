"""`netloom loads`."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any

import click

from .options import as_json, integer, number, plugins
from .output import emit_facts, emit_json, emit_table, note, progress, reader_notes, show

if TYPE_CHECKING:
    from ..link_load.result import Loads

EPILOG = """\b
Examples:
  netloom loads -n 'dragonfly(a=4,p=2,h=2,g=9)' --cores 4 -t 'unstructured-mesh(bytes="512 KiB")' -v AH
  netloom loads -n 'dragonfly(a=4,p=2,h=2,g=9)' -t spread -p rdn -p rdg -v SD -v AD -v AI
  netloom loads -n 'torus(8,8)' --job 'mesh=50%: stencil(8,4)' --job 'noise: uniform' -p 'random(seed=1)'
  netloom loads -n machine.conf --jobs squeue.txt --cores 24 -t spread --csv links.csv
  netloom loads -n 'torus(4,4,4)' -t transpose --fail link:0-1 --plot slices.png --picture slices

\b
With several placements or variants the answer is a ranking, the one whose worst link is done first before the others.
"""
PICTURES = ("classes", "histogram", "groups", "slices", "jobs")


@click.command(epilog=EPILOG)
@click.option("-n", "--network", required=True, metavar="CALL|FILE", help="Network, as call text or file.")
@click.option("--from", "format_", metavar="FORMAT", help="Format of the network file.")
@click.option("-t", "--traffic", metavar="CALL|FILE", help="A traffic pattern, or a file of traffic.")
@click.option("-c", "--collective", metavar="CALL", help="collective:algorithm.")
@click.option("-a", "--application", metavar="CALL", help="The messages of an application, all together.")
@click.option(
    "--job", "named", multiple=True, metavar="NAME[=N|=N%]: TRAFFIC",
    help="A job on N endpoints or a share of them, else an equal share of the rest; may be repeated.",
)  # fmt: skip
@click.option("--jobs", metavar="FILE", help="A list of jobs: TOML, squeue, scontrol, lines of name and nodes.")
@click.option("--first-node", metavar="N", help="Number that stands for the first endpoint in node names. [0]")
@click.option("--ranks", metavar="N", help="Number of ranks of a single job; by default all cores.")
@click.option("--cores", metavar="N", help="Ranks on an endpoint; by default 1.")
@click.option("-p", "--placement", multiple=True, metavar="CALL", help="Which endpoints; may be repeated. [linear]")
@click.option("-r", "--routing", metavar="CALL", help="Candidate paths; by default as the network suggests.")
@click.option(
    "-v", "--variant", multiple=True, metavar="NAME",
    help="How messages choose among paths: SD, SI, AD, AI, AH; may be repeated. [static-direct]",
)  # fmt: skip
@click.option("--fail", multiple=True, metavar="WHAT", help="Out of service: link:A-B, switch:A, links:2%; repeatable.")
@click.option("--size", default="1", show_default=True, metavar="SIZE", help="Bytes of a collective.")
@click.option("--seed", default="1", show_default=True, metavar="N", help="Of random detours.")
@click.option("--increments", default="50", show_default=True, metavar="N", help="Steps of bandwidth with fresh paths.")
@click.option(
    "--tolerance", default="0.001", show_default=True, metavar="X",
    help="Rounds end when one adds less than this share of all bandwidth given.",
)  # fmt: skip
@click.option("--rounds", default="100", show_default=True, metavar="N", help="Most rounds after these.")
@click.option("--hottest", default="5", show_default=True, metavar="N", help="Links whose causes are listed.")
@click.option("--csv", "csv_", metavar="FILE", help="Write the bytes on every link, and of each job.")
@click.option("--plot", metavar="FILE", help="Write a picture: .png, .svg or .pdf.")
@click.option("--picture", default="classes", show_default=True, type=click.Choice(PICTURES), help="Which picture.")
@click.option("-q", "--quiet", is_flag=True, help="No progress.")
@plugins
@as_json
def command(
    network: str, format_: str | None, traffic: str | None, collective: str | None, application: str | None,
    named: tuple[str, ...], jobs: str | None, first_node: str | None, ranks: str | None, cores: str | None,
    placement: tuple[str, ...], routing: str | None, variant: tuple[str, ...], fail: tuple[str, ...], size: str,
    seed: str, increments: str, tolerance: str, rounds: str, hottest: str, csv_: str | None, plot: str | None,
    picture: str, quiet: bool, json_: bool,
) -> None:  # fmt: skip
    """Bytes on every link for one job or many, and who puts them there."""
    from .. import api, files, link_load
    from ..quantities import parse_bytes

    # Said before the work, not after it.
    files.require_writable(csv_, plot)

    if plot is not None:
        from ..plot.figure import ending_of, require

        require()
        ending_of(plot)
    asked = _Asked(traffic, collective, application, named, jobs, first_node, ranks, cores)
    choices = list(product(placement or ("linear",), variant or ("static-direct",)))
    if len(choices) > 1 and (csv_ is not None or plot is not None):
        raise _together("--csv and --plot", "show one placement and one variant", "give one of each")
    settings: dict[str, Any] = {
        "size_bytes": parse_bytes(size, "--size"),
        "seed": integer("--seed", seed, 0, (1 << 63) - 1),
        "increments": integer("--increments", increments, 1),
        "tolerance": number("--tolerance", tolerance),
        "rounds": integer("--rounds", rounds, 0),
        "hottest": integer("--hottest", hottest, 0),
    }
    net = api.network(network, format_)
    reader_notes(net)
    if any(not what.strip() for what in fail):
        raise _together("--fail", "says nothing", "for example --fail link:0-1, or --fail switch:3")
    if fail:
        net = net.without("\n".join(fail), "--fail")
    routing = routing or link_load.default_routing(net)
    found = []
    for at, (place, way) in enumerate(choices, start=1):
        listed = asked.jobs(net, place)
        if plot is not None:
            from ..plot.loads import require_drawable

            require_drawable(picture, net, len(listed))
        title = "loads" if len(choices) == 1 else f"loads {at} of {len(choices)}"
        with progress(title, quiet or json_) as callback:
            made = link_load.loads(
                net, listed, routing=routing, variant=way, traffic=asked.traffic(net),
                arrays=csv_ is not None or plot is not None, progress=callback, **settings,
            )  # fmt: skip
        found.append((f"{place}, {way}", made))
    facts = {"network": net.label, "routing": routing} | asked.facts
    if len(found) == 1:
        # The answer first: it stands even if a file cannot be written after all.
        outputs = [path for path in (csv_, plot) if path is not None]
        _one(facts | {"placement": choices[0][0], "variant": choices[0][1]}, found[0][1], outputs, json_)
        for path in _files(found[0][1], csv_, plot, picture):
            if not json_:
                note(f"wrote {path}")
    else:
        _several(facts, choices, found, json_)


class _Asked:
    """Jobs as the command line names them."""

    def __init__(
        self, traffic: str | None, collective: str | None, application: str | None,
        named: tuple[str, ...], jobs: str | None, first_node: str | None, ranks: str | None, cores: str | None,
    ) -> None:  # fmt: skip
        given = [text for text in (traffic, collective, application) if text is not None]
        if len(given) > 1:
            raise _together("--traffic, --collective, --application", "at most one is taken")
        if not given and not named and jobs is None:
            hint = "for example -t 'uniform(seed=1)', or --job 'a: uniform' --job 'b: spread'"
            raise _together("--traffic, --collective, --application, --job, --jobs", "at least one is needed", hint)
        if (named or jobs is not None) and ranks is not None:
            raise _together("--ranks", "is of a single job", "say nodes or ranks of each job in its list")
        if named and jobs is not None:
            raise _together("--job", "does not go together with --jobs")
        if first_node is not None and jobs is None:
            raise _together("--first-node", "is of the node names in a list of jobs", "give --jobs FILE")
        if named and given:
            raise _together("--job", "says its own traffic", "leave -t, -c and -a out")
        if collective is not None and ":" not in collective:
            raise _together("--collective", f"must be collective:algorithm, not {collective}")
        self._call, self._application, self._named, self._jobs = given[0] if given else None, application, named, jobs
        self._first = 0 if first_node is None else integer("--first-node", first_node, 0)
        self._ranks = None if ranks is None else integer("--ranks", ranks, 1)
        self._cores = None if cores is None else integer("--cores", cores, 1)

    @property
    def cores(self) -> int:
        return self._cores or 1

    @property
    def facts(self) -> dict[str, Any]:
        """What the answer repeats; a list of jobs has cores of its own, if none are asked for."""
        listed = {} if self._jobs is None else {"jobs": self._jobs}
        return listed if listed and self._cores is None else listed | {"cores": self.cores}

    def jobs(self, net: Any, placement: str) -> list[Any]:
        """Jobs as `netloom.loads` takes them."""
        from .. import link_load
        from ..jobs import read_jobs

        if self._jobs is not None:
            listed = read_jobs(self._jobs, net, cores=self._cores, placement=placement, first_node=self._first)
            silent = next((job.name for job in listed if job.traffic is None), None)
            if silent is not None and self._call is None:
                sentence = f'job "{silent[:60]}" of {self._jobs} does not say what it sends'
                raise _together("--traffic", sentence, "give -t, -c or -a for the jobs that do not say")
            return listed
        if self._named:
            return read_jobs(_list(self._named, net), net, cores=self._cores, placement=placement)
        ranks = self._count(net)
        nodes = link_load.job_endpoints(net, ranks, self.cores, placement)
        return [link_load.LoadJob("job", self.traffic(net) or "", link_load.spread_ranks(nodes, self.cores, ranks))]

    def traffic(self, net: Any) -> Any:
        """Of the only job, and of those in a list that do not say."""
        from .. import _core, flow

        if self._application is None:
            return self._call
        return _core.Traffic.of_programs(flow.application(self._application, self._count(net)))

    def _count(self, net: Any) -> int:
        from .. import link_load

        return self._ranks or link_load.in_service_count(net) * self.cores


def _list(named: tuple[str, ...], net: Any) -> str:
    """`--job` as a list of jobs; those without a size share what the others leave."""
    from .. import link_load
    from ..jobs.tables import to_toml

    rows: list[dict[str, Any]] = []
    left, open_ = link_load.in_service_count(net), []
    for text in named:
        head, colon, traffic = text.partition(":")
        name, sized, size = (part.strip() for part in head.partition("="))
        if not colon or not name or not traffic.strip() or (sized and not size):
            raise _bad_job(text)
        row: dict[str, Any] = {"name": name, "traffic": traffic.strip()}
        if not sized:
            open_.append(row)
        elif size.endswith("%"):
            row["share"] = size
            left -= _share(size, text, link_load.in_service_count(net))
        else:
            row["nodes"] = integer(f"--job {name}", size, 1)
            left -= row["nodes"]
        rows.append(row)
    for at, row in enumerate(open_):
        row["nodes"] = max(left // len(open_) + (at < left % len(open_)), 1)
    return to_toml(rows)


def _share(size: str, text: str, endpoints: int) -> int:
    """Endpoints of `50%`, rounded down, as job lists count them."""
    from fractions import Fraction

    digits = size.removesuffix("%").strip()
    if len(digits) > 20 or not digits.replace(".", "", 1).isdecimal() or not digits.isascii():
        raise _bad_job(text)
    return int(Fraction(digits) / 100 * endpoints)


def _bad_job(text: str) -> Exception:
    from ..errors import Fault, NetloomError

    hint = "for example --job 'mesh: stencil(8,8)', or --job 'noise=25%: uniform'"
    return NetloomError([Fault("NL-A007", "--job", "NAME: TRAFFIC, NAME=N: TRAFFIC or NAME=N%: TRAFFIC", text, hint)])


def _together(place: str, sentence: str, hint: str = "") -> Exception:
    from ..errors import Fault, NetloomError

    return NetloomError([Fault("NL-X010", place, sentence, "", hint)])


def _files(found: Loads, csv_: str | None, plot: str | None, picture: str) -> list[str]:
    written = []
    if csv_ is not None:
        from .. import files
        from ..link_load.columns import csv_bytes

        files.write(csv_, csv_bytes(found))
        written.append(csv_)
    if plot is not None:
        from ..plot import save
        from ..plot.loads import PICTURES as DRAWN

        save(DRAWN[picture](found), plot)
        written.append(plot)
    return written


def _one(facts: dict[str, Any], found: Loads, outputs: list[str], json_: bool) -> None:
    if len(found.jobs) == 1:
        # Its own where a list says so.
        facts |= {"routing": found.jobs[0]["routing"]}
    if json_:
        emit_json(facts | found.to_dict() | {"says": found.explain(), "files": outputs})
        return
    facts |= {"messages": found.messages, "bytes": found.bytes_sent, "hops per byte, mean": found.mean_hops}
    if found.rounds:
        facts["rounds"] = found.rounds
    emit_facts(facts)
    click.echo()
    _classes(found)
    if len(found.jobs) > 1:
        click.echo()
        _jobs(found, facts["routing"])
    click.echo()
    for sentence in found.explain():
        click.echo(show(sentence))


def _classes(found: Loads) -> None:
    from ..link_load.result import SIX
    from ..quantities import amount_text

    heads = ["links of", "links", "used", *(key.removesuffix("_bytes") for key in SIX)]
    rows: list[list[Any]] = []
    for name, row in found.classes.items():
        if row:
            rows.append([name, row["links"], row["used"], *(amount_text(row[key]) for key in SIX)])
    emit_table(heads, rows)


def _jobs(found: Loads, routing: str) -> None:
    from ..quantities import amount_text

    rows: list[list[Any]] = []
    # Only where a job has its own: that of the others stands above all tables.
    routings = {job["routing"] for job in found.jobs} != {routing}
    for job in found.jobs:
        by = job["slowdown_by"]
        worst = max(range(len(by)), key=by.__getitem__)
        who = found.jobs[worst]["name"] if by[worst] > 1.0 else None
        most = amount_text(job["links"].get("max_bytes", 0.0))
        way = [job["variant"], job["routing"]] if routings else [job["variant"]]
        rows.append([job["name"], *way, amount_text(job["bytes_sent"]), most, job["slowdown"], who])
    ways = ["variant", "routing"] if routings else ["variant"]
    emit_table(["job", *ways, "sends", "own max", "slowdown", "most by"], rows)


def _several(facts: dict[str, Any], choices: list[tuple[str, str]], found: list[Any], json_: bool) -> None:
    from ..link_load import rank
    from ..link_load.words import one_speed
    from ..quantities import amount_text, time_text

    places = {str(number): choice for number, choice in enumerate(choices)}
    rows = rank((str(number), made) for number, (_, made) in enumerate(found))
    ranking = []
    for row in rows:
        place, way = places[row.pop("name")]
        ranking.append({"placement": place, "variant": way} | row)
    best = found[int(choices.index((ranking[0]["placement"], ranking[0]["variant"])))][1]
    if json_:
        results = [
            {"placement": place, "variant": way} | made.to_dict()
            for (place, way), (_, made) in zip(choices, found, strict=True)
        ]
        emit_json(facts | {"ranking": ranking, "results": results})
        return
    emit_facts(facts | {"messages": best.messages, "bytes": best.bytes_sent})
    click.echo()
    # Bytes say it all where links are equally fast.
    timed = not all(one_speed(made.classes) for _, made in found)
    heads = ["", "placement", "variant", "max", *(["time"] if timed else []), "ratio", "why"]
    cells = [
        [row["position"], row["placement"], row["variant"], amount_text(row["max_bytes"])]
        + ([time_text(row["max_s"])] if timed else [])
        + [row["ratio"], row["reason"]]
        for row in ranking
    ]
    emit_table(heads, cells)
    click.echo(f"\nThe first, {ranking[0]['placement']} with {ranking[0]['variant']}:")
    for sentence in best.explain():
        click.echo(show(sentence))
