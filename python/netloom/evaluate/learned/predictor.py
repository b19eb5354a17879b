"""A model of `netloom learn`, asked about mappings of one scenario."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ... import _core
from ...base.errors import Fault, NetloomError
from ...jobs import PlacedJob
from ...learning import Model, Predicted, predict, read_model, require_origin
from ...learning.codes import OUTSIDE, UNASKABLE
from ...mapping.place import places_of
from ...scenario.axes import BY_NAME
from .. import ahead, core
from ..answer import Row
from ..answers import LearnedAnswer
from ..features import OF_LOADS

if TYPE_CHECKING:
    from ...base.arrays import Endpoints, Matrix, Vector
    from ...results import Column
    from ...scenario import Question

#: Options of `loads` for features alone.
FEATURES_ALONE: dict[str, bool | int] = {"hottest": 0, "top": 0, "features": True, "arrays": False}


class Predictor:
    """What a model says of mappings of the only job of a scenario.

    Raises
    ------
    NetloomError
        `NL-Q006` for a file that is no model, `NL-Q008` for one that does not predict a time from features of link
        loads, `NL-Q007` for one of another network or workload without `extrapolate`.
    """

    def __init__(self, bound: Question, path: str, extrapolate: bool = False) -> None:
        if not path:
            hint = "give the file: netloom learn TABLE --target time_s -o FILE"
            raise NetloomError([Fault(UNASKABLE, "learned.model", "names no model", "", hint)])
        bound.require_one_job()
        self.bound, self.path, self.extrapolate = bound, path, extrapolate
        self.model = read_model(bound.workshop.calls.folder / path)
        _require_fit(self.model, path)
        self.notes = require_origin(self.model, _origin(bound, self.model), path, extrapolate)
        if unknown := [name for name in ("network", "workload") if name not in self.model.origin]:
            self.notes.append(f"the model does not say on which {' and '.join(unknown)} it was learned")
        # Not the mapping of the scenario, which this may be asked to find.
        self._load = bound.work.stream_of(self._placed(bound.place.start), bound.size_bytes)

    def features(self, slots: Endpoints) -> Vector[np.float64]:
        """The model's features of a mapping: slot of every rank. Cost: as `loads`."""
        asked = core.several(self.bound, [self._load], placed=[self._placed(slots)])
        settings = FEATURES_ALONE | {"seed": self.bound.integer("seed")}
        record = _core.evaluate(asked, "loads", settings)["record"]
        return np.array([float(record[name]) for name in self.model.features])  # type: ignore[arg-type]

    def predict(self, values: Matrix[np.float64]) -> Predicted:
        """The model's word on rows of features."""
        return predict(self.model, values, self.extrapolate)

    def answer(self, columns: Sequence[Column]) -> LearnedAnswer:
        """The prediction for the scenario's own mapping.

        Raises
        ------
        NetloomError
            `NL-Q007` for features outside of what was learned, without `extrapolate`.
        """
        ahead.say(ahead.of_loads(self.bound, [self._load]))
        values = self.features(self.bound.place.slot_of_rank)
        found = self.predict(values[None, :])
        if found.refused:
            hint = "learn on mappings that cover it, or take the wider interval of extrapolate"
            raise NetloomError([Fault(OUTSIDE, self.path, found.refused[0], "", hint)])
        numbers = [found.values[0], found.low[0], found.high[0], self.model.level, found.beyond[0]]
        row: Row = {column.name: float(number) for column, number in zip(columns, numbers, strict=True)}
        features = dict(zip(self.model.features, values.tolist(), strict=True))
        return LearnedAnswer(row, more={"features": features}, says=lambda: self.words(found))

    def words(self, found: Predicted) -> list[str]:
        """How far the prediction may be trusted, in sentences."""
        held = self.model.scores["kendall_tau_b"].held_out
        said = [*self.notes]
        if held is not None:
            said.append(f"on {self.model.rows} mappings learned, rank correlation with held-out ones {held:.2f}")
        if found.beyond.max(initial=0.0) > 0:
            said.append(f"{found.beyond.max():.2g} widths of a range beyond what was learned: the interval is wider")
        return said

    def _placed(self, slots: Endpoints) -> PlacedJob:
        bound = self.bound
        mapping, seats = places_of(slots, bound.site.cores)
        return PlacedJob(
            "job", mapping, bound.site.cores, bound.ranks, bound.value("workload"), mapping=mapping, seats=seats,
            root=bound.integer("root"),
        )  # fmt: skip


def _require_fit(model: Model, path: str) -> None:
    """Refuses a model that answers another question."""
    if not model.target.endswith("_s"):
        hint = "learn a time: netloom learn TABLE --target time_s"
        raise NetloomError([Fault(UNASKABLE, path, f"predicts {model.target}, which is no time", "", hint)])
    if other := [name for name in model.features if name not in OF_LOADS]:
        hint = f"learn with --features {','.join(OF_LOADS[:3])},..., which link loads tell"
        sentence = f"needs {other[0]}, which link loads do not tell"
        raise NetloomError([Fault(UNASKABLE, path, sentence, "", hint)])


def _origin(bound: Question, model: Model) -> dict[str, str]:
    """Where the scenario is from; in the words of the model's samples where these are the same calls."""
    own = {"network": bound.network.label, "workload": bound.messages.label, "cores": str(bound.site.cores)}
    own["routing"] = bound.site.routing_of()
    for name in ("network", "workload", "routing"):
        learned = model.origin.get(name)
        given = [one for one in (bound.value(name), own[name]) if isinstance(one, str)]
        if learned is not None and any(_same(bound, name, one, learned) for one in given):
            own[name] = learned
    return own


def _same(bound: Question, axis: str, given: str, learned: str) -> bool:
    """True of two texts of one call."""
    calls, kind = bound.workshop.calls, BY_NAME[axis].kind
    try:
        return given == learned or calls.canonical(kind, given) == calls.canonical(kind, learned)
    except NetloomError:
        return False
