"""A model as a file: trees in the format of skops, which runs no code when read, and what they were learned on.

A ZIP archive of two members: `about.json`, and `trees.skops`, whose SHA-256 stands in it.
"""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ..base import files
from ..base.errors import Fault, NetloomError
from .codes import FOREIGN
from .scores import Score
from .sound import trees_are_sound

if TYPE_CHECKING:
    from .learners import Fitted

FORMAT, VERSION = "netloom-model", 1
ABOUT, TREES = "about.json", "trees.skops"
MAX_ABOUT, MAX_TREES = 1 << 20, 256 << 20
#: Of what the trees unfold to.
MAX_UNFOLDED = 1 << 30
#: The time that members have: equal models are equal bytes.
EPOCH = (1980, 1, 1, 0, 0, 0)
#: Types that a file may name: the estimators of `learners.LEARNERS` and what they are made of.
TRUSTED = frozenset(
    {
        "sklearn.ensemble._forest.ExtraTreesRegressor",
        "sklearn.ensemble._gb.GradientBoostingRegressor",
        "sklearn.ensemble._hist_gradient_boosting.gradient_boosting.HistGradientBoostingRegressor",
        "sklearn.ensemble._hist_gradient_boosting.predictor.TreePredictor",
        "sklearn.ensemble._hist_gradient_boosting.binning._BinMapper",
        "sklearn.tree._classes.ExtraTreeRegressor",
        "sklearn.tree._classes.DecisionTreeRegressor",
        "sklearn.dummy.DummyRegressor",
        "sklearn.tree._tree.Tree",
        "sklearn._loss.loss.HuberLoss",
        "sklearn._loss.loss.AbsoluteError",
        "sklearn._loss.loss.HalfSquaredError",
        "sklearn._loss.loss.PinballLoss",
        "sklearn._loss._loss.CyHuberLoss",
        "sklearn._loss._loss.CyAbsoluteError",
        "sklearn._loss._loss.CyHalfSquaredError",
        "sklearn._loss._loss.CyPinballLoss",
        "sklearn._loss.link.IdentityLink",
        "sklearn._loss.link.Interval",
        "sklearn.linear_model._base.LinearRegression",
        "sklearn.pipeline.Pipeline",
        "sklearn.preprocessing._data.MinMaxScaler",
        "sklearn.isotonic.IsotonicRegression",
        "scipy.interpolate._interpolate.interp1d",
        "numpy.dtype",
    }
)


Finite = Annotated[float, Field(allow_inf_nan=False)]


class Strict(BaseModel):
    """A part of a file that has no other keys."""

    model_config = ConfigDict(extra="forbid")


class Interval(Strict):
    """Half-width of intervals, and the share of samples that they hold."""

    error: Annotated[Finite, Field(ge=0)]
    level: Annotated[Finite, Field(gt=0, lt=1)]
    relative: bool


class About(Strict):
    """The member `about.json`."""

    format: Literal["netloom-model"]
    version: Literal[1]
    sha256: str
    features: Annotated[list[str], Field(min_length=1, max_length=1000)]
    target: str
    ranges: dict[str, tuple[Finite, Finite]]
    origin: dict[str, str]
    method: dict[str, str | float | int | None]
    scores: dict[str, Score]
    interval: Interval
    rows: int


@dataclass(frozen=True)
class Model:
    """What was learned, and where it holds.

    Attributes
    ----------
    features, target
        Columns that it reads, in this order, and the one that it predicts.
    ranges
        Least and greatest value of each feature in the training rows.
    origin
        Where the samples were from: machine, network, workload.
    method
        Learner and settings.
    scores
        As in the answer of `learn`.
    error, level, relative
        Conformal half-width of intervals and the share of samples that they hold; `relative`: of the prediction.
    """

    fitted: Fitted
    features: tuple[str, ...]
    target: str
    ranges: tuple[tuple[float, float], ...]
    origin: Mapping[str, str]
    method: Mapping[str, object]
    scores: Mapping[str, Score]
    error: float
    level: float
    relative: bool
    rows: int

    def facts(self) -> dict[str, object]:
        """What the file says in addition to the trees."""
        return {
            "features": list(self.features),
            "target": self.target,
            "ranges": {name: list(one) for name, one in zip(self.features, self.ranges, strict=True)},
            "origin": dict(self.origin),
            "method": dict(self.method),
            "scores": {name: one._asdict() for name, one in self.scores.items()},
            "interval": {"error": self.error, "level": self.level, "relative": self.relative},
            "rows": self.rows,
        }


def _require() -> ModuleType:
    try:
        import skops.io as skops
    except ImportError:
        hint = "pip install 'netloom[learn]'"
        raise NetloomError([Fault("NL-X012", "netloom learn", "needs the package skops", "", hint)]) from None
    found: ModuleType = skops
    return found


def write_model(model: Model, path: str | Path) -> None:
    """Writes the file; it appears whole or not at all. Equal models give equal bytes.

    Raises
    ------
    NetloomError
        `NL-X003`, `NL-X012` without skops.
    """
    trees = _same_bytes(_require().dumps(model.fitted))
    about = {"format": FORMAT, "version": VERSION, "sha256": hashlib.sha256(trees).hexdigest(), **model.facts()}
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        text = json.dumps(about, indent=1, sort_keys=True, allow_nan=False).encode()
        archive.writestr(zipfile.ZipInfo(ABOUT, EPOCH), text)
        archive.writestr(zipfile.ZipInfo(TREES, EPOCH), trees)
    files.write(path, [out.getvalue()])


def _same_bytes(data: bytes) -> bytes:
    """An archive of skops without the time of its making, and with identifiers of objects in order of their coming."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as read, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as written:
        names = {name: name for name in read.namelist()}
        schema = json.loads(read.read("schema.json"))
        ids: dict[int, int] = {}
        _renumber(schema, ids, names)
        for name in read.namelist():
            content = json.dumps(schema).encode() if name == "schema.json" else read.read(name)
            written.writestr(zipfile.ZipInfo(names[name], EPOCH), content)
    return out.getvalue()


def _renumber(node: object, ids: dict[int, int], names: dict[str, str]) -> None:
    """Objects are named by their addresses, which differ from run to run."""
    if isinstance(node, dict):
        if isinstance(node.get("__id__"), int):
            number = ids.setdefault(node["__id__"], len(ids) + 1)
            file = node.get("file")
            if isinstance(file, str) and file in names:
                names[file] = f"{number}{Path(file).suffix}"
                node["file"] = names[file]
            node["__id__"] = number
        for one in node.values():
            _renumber(one, ids, names)
    elif isinstance(node, list):
        for one in node:
            _renumber(one, ids, names)


def read_model(path: str | Path) -> Model:
    """A file that `write_model` wrote.

    Raises
    ------
    NetloomError
        `NL-X001`, `NL-X002`, `NL-Q006` for anything else, `NL-X012` without skops.
    """
    place, data = str(path), files.read(path)
    text, trees = _members(data, place)
    about = _about(text, place)
    if hashlib.sha256(trees).hexdigest() != about.sha256:
        raise _foreign(place, "was changed: its trees are not those that it was written with")
    skops = _require()
    try:
        with zipfile.ZipFile(io.BytesIO(trees)) as archive:
            if sum(one.file_size for one in archive.infolist()) > MAX_UNFOLDED:
                raise _foreign(place, "is larger than any model")
        types = skops.get_untrusted_types(data=trees)
        if unknown := sorted(set(types) - TRUSTED):
            raise _foreign(place, f"names a type that no learner has: {unknown[0][:100]}")
        fitted: Fitted = skops.loads(trees, trusted=types)
        sound = trees_are_sound(fitted, len(about.features))
    except NetloomError:
        raise
    except Exception as error:  # whatever a file that was made to harm may raise
        raise _foreign(place, f"has trees that cannot be read: {type(error).__name__}") from None
    if not sound:
        raise _foreign(place, "has trees whose nodes lead out of them")
    return Model(
        fitted, tuple(about.features), about.target, tuple(about.ranges[name] for name in about.features), about.origin,
        about.method, about.scores, about.interval.error, about.interval.level, about.interval.relative, about.rows,
    )  # fmt: skip


def _members(data: bytes, place: str) -> tuple[bytes, bytes]:
    """The two members, each of a bounded size."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            sizes = {one.filename: one.file_size for one in archive.infolist()}
            if sorted(sizes) != [ABOUT, TREES] or len(archive.infolist()) != 2:
                raise _foreign(place, "is no model: it has other members")
            if sizes[ABOUT] > MAX_ABOUT or sizes[TREES] > MAX_TREES:
                raise _foreign(place, "is larger than any model")
            return archive.read(ABOUT), archive.read(TREES)
    except NetloomError:
        raise
    except (zipfile.BadZipFile, ValueError, NotImplementedError, RuntimeError, EOFError, OSError):
        raise _foreign(place, "is no model that netloom learn wrote") from None


def _about(text: bytes, place: str) -> About:
    """What the file says in addition to the trees, checked."""
    try:
        about = About.model_validate_json(text)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"])) or "its text"
        said = (
            f"version {str(first['input'])[:20]}, and {VERSION} is read here"
            if where == "version"
            else "no value of a model"
        )
        raise _foreign(place, f"{where[:60]}: {said}") from None
    if set(about.ranges) != set(about.features):
        raise _foreign(place, "ranges: no value of a model")
    return about


def _foreign(place: str, sentence: str) -> NetloomError:
    return NetloomError(
        [Fault(FOREIGN, place, sentence, "", "make it again with netloom learn TABLE --target COLUMN -o FILE")]
    )
