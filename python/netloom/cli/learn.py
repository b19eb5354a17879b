"""`netloom learn`."""

from __future__ import annotations

import click

from .learn_options import Columns, Fitting, columns, fitting
from .options import as_json, no_progress, refused, stop_after, within
from .output import note, progress
from .pages import report, wanted, write

EPILOG = """\b
Examples:
  netloom learn samples.csv --target time_s
  netloom learn samples.csv --target time_s --search 3 --learner gradient-boosting --report learned.html
  netloom learn samples.csv --target time_s --features bytes_max,dilation_max -o halo.model
  netloom learn predict halo.model others.csv
"""


@click.command(epilog=EPILOG)
@click.argument("files", nargs=-1, required=True, metavar="TABLE | predict MODEL TABLE")
@columns
@fitting
@click.option("-o", "--output", metavar="FILE", help="Write the model.")
@click.option("--extrapolate", is_flag=True, help="With predict: also rows unlike those learned.")
@stop_after
@no_progress
@report
@as_json
def command(
    files: tuple[str, ...], columns: Columns, fitting: Fitting, output: str | None, extrapolate: bool, quiet: bool,
    json_: bool,
) -> None:  # fmt: skip
    """Learn a column of a table from others: what decides it, and how far the model may be trusted.

    TABLE is CSV or Parquet, with one row for each sample, such as a mapping with its features and its time. Scores
    stand for the rows that trained, those that tested, and those that were held out of every choice. With predict a
    model is applied to other rows; those that are unlike what it was learned on are refused.
    """
    if files[0] == "predict":
        _predict(files, columns, fitting, output, extrapolate, json_)
        return
    if len(files) > 1:
        raise refused("TABLE", "is one file", "give one, or: netloom learn predict MODEL TABLE")
    if extrapolate:
        raise refused("--extrapolate", "is of predict", "leave it out")
    if columns.target is None:
        raise refused("--target", "is missing", "name the column that is predicted, such as --target time_s")
    from ..base.files import require_writable
    from ..learning import learn, write_model
    from .learn_shown import page, show

    require_writable(output)
    asked, samples = fitting.asked(), columns.samples(files[0])
    with within("fewer features, or a smaller --search"), progress("subsets", quiet or json_) as said:
        found = learn(samples, asked, bool(columns.names()), said)
    if output is not None:
        write_model(found.model, output)
    write(lambda: page(found, asked))
    show(found, asked, output, json_)
    if output is not None and not json_:
        note(f"wrote {output}")


def _predict(
    files: tuple[str, ...], columns: Columns, fitting: Fitting, output: str | None, extrapolate: bool, json_: bool
) -> None:
    """A model's word on the rows of a table."""
    if len(files) != len(("predict", "model", "table")):
        raise refused("predict", "takes a model and a table", "netloom learn predict MODEL TABLE")
    learns = {"features": columns.features, "output": output, "mixed": columns.mixed or None, "report": wanted()}
    if option := fitting.given() or next((name for name, value in learns.items() if value is not None), None):
        raise refused(f"--{option.replace('_', '-')}", "is of learning: a model knows its own", "leave it out")
    from ..learning import predict, read_model, require_origin
    from .learn_shown import show_predicted

    model = read_model(files[1])
    samples = columns.samples(files[2], list(model.features))
    notes = require_origin(model, samples.origin, files[2], extrapolate)
    show_predicted(model, samples, predict(model, samples.values, extrapolate), notes, json_)
