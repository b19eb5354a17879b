"""`learned`: the time that a model of `netloom learn` predicts from bytes on links, without a simulation."""

from __future__ import annotations

from ...results import Column
from ...scenario import Axis, Question
from ...scenario.effect import of_wire
from ..answers import LearnedAnswer
from ..base import ROUTED, Evaluator, Option, Options, axes

COLUMNS = (
    Column("time_s", "s", "predicted by the model"),
    Column("low_s", "s", "lower end of an interval that holds a fresh sample with the probability `level`"),
    Column("high_s", "s", "upper end"),
    Column("level", "", "probability of the interval, for samples like those that the model was learned on"),
    Column("beyond", "", "how far outside of what was learned, in widths of the range of the worst feature; 0: inside"),
)
#: An input, so that a run of a study is known by what is in the file.
MODEL = Axis("model", "file", "", "file that netloom learn wrote")


def run(bound: Question, options: Options) -> LearnedAnswer:
    """Cost: that of `loads` with features, and the trees of the model."""
    from .predictor import Predictor

    predictor = Predictor(bound, bound.text("model"), bool(options["extrapolate"]))
    return predictor.answer(COLUMNS)


EVALUATOR = Evaluator(
    name="learned",
    summary="Time that a model of netloom learn predicts from bytes on links",
    axes=(*ROUTED, *axes("variant", "seed", "wire"), MODEL),
    columns=COLUMNS,
    options=(Option("extrapolate", False, "also for what is unlike that it was learned on, with a wider interval"),),
    headline="time_s",
    run=run,
    model="features of link loads, predicted by a model file",
    assumptions=(
        "The model knows mappings like those that it was learned on, on that machine and workload, and no others.",
        "Features are of expected bytes on links: packets that wait are not counted.",
    ),
    maps=True,
    either=("workload",),
    idle={"wire": of_wire},
)
