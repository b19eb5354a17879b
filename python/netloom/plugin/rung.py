"""A rung: a model of one fidelity, as commands that compare models and mappings know it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ..evaluate.answer import Answer
    from ..evaluate.candidates import Candidate
    from ..evaluate.methods import Watch
    from ..scenario import Question, Scenario

#: Numbers of a mapping by name; None for what is not known.
Worth = dict[str, int | float | None]


@dataclass(frozen=True)
class Rung:
    """An evaluator as one of the models of the same question.

    Parameters
    ----------
    name
        Of its evaluator.
    fidelity
        Rungs of more fidelity decide over those of less: hops 0, loads 1, learned 1.5, time 2, packet 3.
    summary
        One line for lists.
    words
        What messages are to it, or what it looks at: `flows`, `packets`.
    decides
        The number of a mapping, of those that `worth` gives, by which `netloom map` compares; "" if it compares none.
    number
        What that number is in tables, and longer in sentences.
    model
        Its name in `netloom simulate --model`; "" if it gives no simulated time.
    compared
        Its row in `netloom compare-models`; "" if it has none.
    worth
        Numbers of a mapping from an answer; `decides` is its column `time_s` if None.
    worth_options
        Of the evaluator, for `worth`.
    link_bytes
        Bytes of every link from an answer to `compared_options`; None if it does not know them.
    seconds
        Time that the answer gives to the whole scenario; its `time_s` if None.
    compared_without
        Inputs that it does not take, without which it is compared all the same.
    affordable
        Whether these mappings can be rated in the time that is left; they can if None.
    needs
        Option of the evaluator without which it cannot be asked; "" if there is none.
    """

    name: str
    fidelity: float
    summary: str
    words: str
    decides: str = ""
    number: tuple[str, str] = ("", "")
    model: str = ""
    compared: str = ""
    worth: Callable[[Answer], Worth] | None = None
    worth_options: Mapping[str, bool | int | str] | None = None
    link_bytes: Callable[[Answer], NDArray[np.float64]] | None = None
    compared_options: Mapping[str, bool | int | str] | None = None
    seconds: Callable[[Answer, Scenario], float] | None = None
    compared_without: Sequence[str] = ()
    affordable: Callable[[Question, list[Candidate], Watch], bool] | None = None
    needs: str = ""

    @property
    def simulated(self) -> bool:
        """Its number is simulated time."""
        return bool(self.model)

    @property
    def decided_by(self) -> str:
        """What a search that it decided went by, and its number in words."""
        return self.number[0]
