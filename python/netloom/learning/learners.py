"""The learners: those of scikit-learn with the settings that stand here, and two baselines."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from ..base.errors import Fault, NetloomError
from ..base.nearest import did_you_mean
from .codes import BAD_SETTING

if TYPE_CHECKING:
    import numpy as np

    from ..base.arrays import Matrix, Vector

LOSSES = ("squared", "absolute", "huber", "quantile")
#: Names of losses in scikit-learn.
_LOSS = {"squared": "squared_error", "absolute": "absolute_error", "huber": "huber", "quantile": "quantile"}


class Fitted(Protocol):
    """What scikit-learn's estimators have in common."""

    def fit(self, values: Matrix[np.float64], observed: Vector[np.float64]) -> object: ...
    def predict(self, values: Matrix[np.float64]) -> Vector[np.float64]: ...


@dataclass(frozen=True)
class Method:
    """A learner with its settings.

    Attributes
    ----------
    learner
        A name of `LEARNERS`.
    loss
        Of gradient boosting: one of `LOSSES`.
    quantile
        Of the loss `quantile`.
    seed
        Of all that is drawn.
    trees
        How many of a forest or of boosting; None: the learner's default.
    """

    learner: str = "extra-trees"
    loss: str = "huber"
    quantile: float = 0.5
    seed: int = 1
    trees: int | None = None

    def __post_init__(self) -> None:
        if self.learner not in LEARNERS:
            hint = did_you_mean(self.learner, LEARNERS, "learners")
            raise NetloomError([Fault(BAD_SETTING, "--learner", "a learner", self.learner, hint)])
        if self.loss not in LOSSES:
            raise NetloomError([Fault(BAD_SETTING, "--loss", "one of " + ", ".join(LOSSES), self.loss)])
        if not 0 < self.quantile < 1:
            raise NetloomError([Fault(BAD_SETTING, "--quantile", "between 0 and 1", str(self.quantile))])

    def made(self) -> Fitted:
        """An estimator that has seen nothing yet."""
        return LEARNERS[self.learner].make(self)

    def facts(self) -> dict[str, object]:
        """What an answer says of it."""
        row = LEARNERS[self.learner]
        return {"learner": self.learner, "seed": self.seed, **row.settings(self)}


@dataclass(frozen=True)
class Learner:
    """A row: what is fitted, and its settings by the names of scikit-learn."""

    summary: str
    make: Callable[[Method], Fitted]
    settings: Callable[[Method], Mapping[str, object]]


def _extra_trees(method: Method) -> Fitted:
    from sklearn.ensemble import ExtraTreesRegressor

    found: Fitted = ExtraTreesRegressor(**_forest(method), random_state=method.seed)
    return found


def _forest(method: Method) -> dict[str, object]:
    return {"n_estimators": method.trees or 100}


def _boosting(method: Method) -> Fitted:
    from sklearn.ensemble import GradientBoostingRegressor

    found: Fitted = GradientBoostingRegressor(**_boosted(method), random_state=method.seed)
    return found


def _boosted(method: Method) -> dict[str, object]:
    made: dict[str, object] = {
        "n_estimators": method.trees or 100, "max_depth": 3, "learning_rate": 0.1, "loss": _LOSS[method.loss],
    }  # fmt: skip
    return made | ({"alpha": method.quantile} if method.loss == "quantile" else {"alpha": 0.9})


def _histogram(method: Method) -> Fitted:
    from sklearn.ensemble import HistGradientBoostingRegressor

    found: Fitted = HistGradientBoostingRegressor(**_binned(method), random_state=method.seed)
    return found


def _binned(method: Method) -> dict[str, object]:
    # Of its losses the nearest to Huber's is the absolute one.
    loss = "absolute_error" if method.loss == "huber" else _LOSS[method.loss]
    made: dict[str, object] = {"max_iter": method.trees or 100, "loss": loss, "early_stopping": False}
    return made | ({"quantile": method.quantile} if method.loss == "quantile" else {})


def _linear(_: Method) -> Fitted:
    from sklearn.linear_model import LinearRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import MinMaxScaler

    found: Fitted = make_pipeline(MinMaxScaler(), LinearRegression())
    return found


def _isotonic(_: Method) -> Fitted:
    from sklearn.isotonic import IsotonicRegression

    found: Fitted = IsotonicRegression(out_of_bounds="clip")
    return found


#: By name. No hyperparameter is printed in the thesis; these are the defaults of scikit-learn 1.9.
LEARNERS: dict[str, Learner] = {
    "extra-trees": Learner("Extremely randomised trees (Geurts et al. 2006)", _extra_trees, _forest),
    "gradient-boosting": Learner("Gradient-boosted trees (Friedman 2001), by --loss", _boosting, _boosted),
    "hist-gradient-boosting": Learner("The same on binned features, for many rows", _histogram, _binned),
    "linear": Learner("Baseline: least squares", _linear, lambda _: {}),
    "isotonic": Learner(
        "Baseline of one feature: the rising step function nearest to the samples", _isotonic, lambda _: {}
    ),
}


def one_thread(place: str = "netloom learn") -> AbstractContextManager[object]:
    """Loops of linear algebra and of OpenMP have one thread, so that no sum depends on how many there are.

    Raises
    ------
    NetloomError
        `NL-X012` without scikit-learn, which brings what sets it.
    """
    try:
        import sklearn  # noqa: F401
        from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]
    except ImportError:
        hint = "pip install 'netloom[learn]'"
        raise NetloomError([Fault("NL-X012", place, "needs the package scikit-learn", "", hint)]) from None
    limits: AbstractContextManager[object] = threadpool_limits(1)
    return limits
