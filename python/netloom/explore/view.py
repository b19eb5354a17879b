"""The answer to one state of the page in JSON form: the network as drawn, places of ranks, loads, time, price."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from ..base.arrays import ndarray
from ..base.errors import Fault, NetloomError
from ..cost.of_network import price
from ..evaluate import answer, bound_of, evaluator, settings
from ..evaluate.loads.result import Loads
from ..evaluate.time import SHARES
from ..scenario import Calls, Question, Scenario, Workshop
from ..scenario.axes import BY_NAME
from ..scenario.canonical import check
from .asked import MOST_RANKS, require_small
from .choices import CALLS, spelled
from .codes import TOO_LONG
from .commands import commands
from .drawing import carried, drawing

if TYPE_CHECKING:
    from .. import _core
    from ..evaluate import Answer

#: Links whose causes the page lists; seconds that it waits; ranks up to which it says what the time goes into.
HOTTEST, PATIENCE_S, PATH_RANKS = 10, 20.0, 256
#: Results of searches that are kept.
MOST_SEARCHED = 32
Alive = Callable[[], None]


class Explorer:
    """Answers for one page: networks and workloads are made once.

    Parameters
    ----------
    given
        The scenario of the command line.
    patience_s
        Seconds after which an answer is given up.
    """

    def __init__(self, given: Scenario, patience_s: float = PATIENCE_S) -> None:
        self.given, self.patience_s = given, patience_s
        self.workshop = Workshop(Calls(given.folder))
        self._searched: dict[str, Scenario] = {}

    def state(self, scenario: Scenario, alive: Alive) -> dict[str, object]:
        """All but the time: what is drawn, where the ranks are, loads on links, the price.

        Parameters
        ----------
        alive
            Called now and then; raises if nobody waits for the answer any more.

        Raises
        ------
        NetloomError
            What is wrong with the scenario; `NL-X202`, `NL-X203`.
        """
        bound = self._bound(scenario, "loads", alive)
        found = self._answer(bound, "loads", alive, hottest=HOTTEST, arrays=True)
        assert isinstance(found, Loads)
        whole = bound.site.whole
        usd, words = price(whole)
        drawn = drawing(whole)
        return {
            "scenario": scenario.to_dict(),
            "toml": scenario.to_toml(),
            "calls": {name: spelled(name, str(scenario[name])) for name in CALLS if scenario[name]},
            "network": _network(bound) | {"drawing": drawn},
            "places": None if bound.several or bound.ranks > MOST_RANKS else ndarray(bound.mapping).tolist(),
            "cores": bound.site.cores,
            "routing": bound.site.routing_of(),
            "price": {"usd": None if usd is None else usd["total_usd"], "words": words},
            "loads": _loads(found) | {"cables": None if drawn is None else carried(whole, found)},
            "commands": commands(scenario),
        }

    def time(self, scenario: Scenario, alive: Alive) -> dict[str, object]:
        """Simulated time, and for few ranks what it goes into.

        Raises
        ------
        NetloomError
            As of `state`.
        """
        bound = self._bound(scenario, "time", alive)
        path = sum(job.ranks for job in bound.jobs) <= PATH_RANKS
        found = self._answer(bound, "time", alive, critical_path=path)
        shares = {key.removesuffix("_s"): found.record[key] for key in found.record if path and key in _SHARES}
        record = {key: found.record[key] for key in ("time_s", "first_s", "mean_s", "messages", "total_bytes")}
        return {"record": record, "shares_s": shares, "says": found.explain(), "limits": list(found.assumptions)}

    def bound(self, scenario: Scenario) -> Question:
        """A scenario as the evaluator of time sees it, to save it."""
        return self._bound(scenario, "time", lambda: None)

    def _bound(self, scenario: Scenario, name: str, alive: Alive) -> Question:
        """The scenario as the evaluator sees it, checked; inputs that the evaluator has no use for are left out."""
        row = evaluator(name)
        known = {axis.name for axis in row.axes}
        check(BY_NAME, scenario, self.workshop.calls)
        # A search takes longer than the answers that use its mapping.
        key = scenario.to_json()
        asked = self._searched.get(key, scenario)
        used = {axis: asked[axis] for axis in asked if axis in known}
        bound = bound_of(row, Scenario.from_dict(used, scenario.folder), self.workshop, self._patient(alive))
        require_small(bound.site.whole)
        if asked is scenario and not bound.several and bound.place.search is not None:
            while len(self._searched) >= MOST_SEARCHED:
                self._searched.pop(next(iter(self._searched)))
            made = scenario.but(mapping=ndarray(bound.mapping))
            self._searched[key] = made if bound.place.seats is None else made.but(seats=bound.place.seats)
            return self._bound(scenario, name, alive)
        return bound

    def _answer(self, bound: Question, name: str, alive: Alive, **options: bool | int) -> Answer:
        row = evaluator(name)
        return answer(row, bound.scenario, self.workshop, settings(row, options), self._patient(alive))

    def _patient(self, alive: Alive) -> Callable[[int, int], None]:
        end = time.monotonic() + self.patience_s

        def progress(done: int, total: int) -> None:
            alive()
            if time.monotonic() > end:
                words = f"an answer within {self.patience_s:g} s"
                hint = "run the command that the page shows, or choose fewer ranks"
                raise NetloomError([Fault(TOO_LONG, "explorer", words, "", hint)])

        return progress


_SHARES = tuple(f"{share}_s" for share in SHARES)


def _network(bound: Question) -> dict[str, object]:
    whole, net = bound.site.whole, bound.network
    out_switches = [] if net.failed is None else [int(at) for at in net.failed["switches"]]
    out_cables = 0 if net.failed is None else len(net.failed["cables"])
    names = whole.has_names
    return {
        "label": whole.label,
        "switches": whole.switches,
        "endpoints": whole.endpoints,
        "cables": whole.switch_links,
        "out_switches": out_switches,
        "out_cables": out_cables,
        "switch_names": list(whole.switch_names) if names else None,
        "endpoint_names": list(whole.endpoint_names) if names else None,
        "out_endpoints": _out(whole, out_switches),
    }


def _out(whole: _core.Network, switches: list[int]) -> list[int]:
    """Endpoints on switches that are out of service."""
    gone = np.isin(np.asarray(whole.endpoint_switch), np.asarray(switches, dtype=np.int64))
    found: list[int] = np.flatnonzero(gone).tolist()
    return found


def _loads(found: Loads) -> dict[str, object]:
    classes = [{"class": name, **row} for name, row in found.classes.items() if row]
    return {
        "record": found.record,
        "classes": classes,
        "hottest": found.hottest,
        "jobs": [job["name"] for job in found.jobs],
        "says": found.explain(),
        "limits": list(found.assumptions),
    }
