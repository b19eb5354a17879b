"""What a design says in sentences: the decision first."""

from __future__ import annotations

from math import inf

from ..base.quantities import percent, time_text
from ..base.winner import lead_said
from .answer import Design
from .around import Failed
from .candidate import GOALS, Candidate
from .crossing import Change
from .grown import Growth
from .mix import share_said
from .robust import COMPARED, Robust, Sureness
from .rule import PRICE_ERROR

#: A regret below this share is none.
SAME = 5e-4
#: Crossings that are told.
TOLD = 6


def money(usd: float) -> str:
    """``12.3 million USD``, ``61,200 USD``."""
    return f"{usd / 1e6:.3g} million USD" if usd >= 1e6 else f"{usd:,.0f} USD"


def power(watts: float) -> str:
    """``12.3 kW``."""
    return f"{watts / 1000:.3g} kW" if watts >= 1000 else f"{watts:.3g} W"


def sentences(found: Design) -> list[str]:
    """The decision, the runner-up, how sure, what would change it, what it does not know."""
    best = found.decision
    if best is None:
        return []
    said = [_decision(found, best), *_runner_up(found), *_sure(found), *_robust(found), *_changes(found)]
    return [*said, *_around(found, best), *_priced(found, best)]


def _facts(found: Design, one: Candidate) -> str:
    return f"{time_text(found.time_s(one))}, {money(one.usd)}, {power(one.watts)}"


def _decision(found: Design, best: Candidate) -> str:
    """The decision, and among how many: those without a time count where it is known that they are no better."""
    unknown, timed = len(found.unknown), len(found.ranked)
    known = sum(not one.refused for one in found.candidates) - unknown
    limit = "" if found.budget_usd is None else f" within {money(found.budget_usd)}"
    if unknown:
        time = "one with a time" if timed == 1 else f"{timed:,} with a time"
        why = f"{GOALS[found.rule.goal]} of the {time}, of {len(found.candidates):,} candidates"
        rest = f" Of {unknown:,} others it is not known yet: each may be better."
    else:
        why = f"{GOALS[found.rule.goal]} of {known:,} candidates" if known > 1 else "the only candidate"
        rest = ""
    facts = _facts(found, best)
    return f"Build {best.name}, {_switches(best.bill.switches)} ({facts} for the mix): {why}{limit}.{rest}"


def _switches(number: int) -> str:
    return "1 switch" if number == 1 else f"{number:,} switches"


def _runner_up(found: Design) -> list[str]:
    second, sure = found.runner_up, found.sure
    if second is None or sure is None:
        return ["It is the only candidate with a time, so nothing stands next to it."]
    if sure.lead is None:
        return [f"The runner-up is {second.name} ({_facts(found, second)})."]
    lead = "as good" if sure.lead == 0 else f"{percent(sure.lead)} worse"
    return [f"The runner-up, {second.name}, is {lead} ({_facts(found, second)})."]


def _sure(found: Design) -> list[str]:
    sure = found.sure
    if sure is None:
        return []
    said = [] if sure.lead is None else [lead_said(sure.lead, sure.model_error)]
    return [*said, *_rungs(sure), *_prices(found, sure)]


def _rungs(sure: Sureness) -> list[str]:
    """Whether other rungs agree, each of the workloads that it saw."""
    whole = {rung: one for rung, one in sure.by_rung.items() if one.whole}
    said = [
        f"By {rung} alone {one.best.name} would be best, by {percent(one.better)}: the rungs disagree."
        for rung, one in whole.items()
        if not one.agrees
    ]
    if whole and not said:
        every = [rung for rung in COMPARED if rung in whole or rung in sure.decided_by]
        said.append(f"All rungs agree: {', '.join(every)}.")
    for rung, one in sure.by_rung.items():
        if not one.whole:
            part = f"{', '.join(one.workloads)} alone, {share_said(one.share)} of the time of the mix"
            other = f"{one.best.name} would be best of that, by {percent(one.better)}, not {one.expected.name}"
            said.append(f"By {rung} is checked {part}: {'it agrees' if one.agrees else other}.")
    if not said:
        names = ", ".join(sure.decided_by)
        said.append(f"Only one rung was affordable ({names}), so no other one checks it.")
    return said


def _prices(found: Design, sure: Sureness) -> list[str]:
    error = percent(PRICE_ERROR)
    unknown = f" of {_counted(sure.unknown)} without a time it is not known" if sure.unknown else ""
    if sure.by_price:
        cases = "; ".join(
            f"{name} at {factor:g} times their price ({_then(found, one)})" for name, factor, one in sure.by_price
        )
        return [f"Price errors of {error} can change it: {cases}{';' if unknown else ''}{unknown}."]
    if unknown:
        return [f"With a price error of {error} in any one class of parts no other with a time is better;{unknown}."]
    return [f"A price error of {error} in any one class of parts does not change it."]


def _counted(number: int) -> str:
    return "one candidate" if number == 1 else f"{number:,} candidates"


def _then(found: Design, one: Candidate | None) -> str:
    """Who is best then."""
    if one is None:
        return "nothing with a time is within the budget then"
    over = found.budget_usd is not None and one.usd > found.rule.limit_usd
    return f"{one.name}, now over the budget" if over else one.name


def _robust(found: Design) -> list[str]:
    sure = found.sure
    if sure is None:
        return []
    said = []
    # What was left out for its price, time and power together may be better in one workload alone.
    all_timed = all(one.timed or one.refused for one in found.candidates)
    for words, one, every in (
        ("workload of the mix alone", sure.robust_mix, all_timed),
        ("price error", sure.robust_price, not sure.unknown),
    ):
        if one is not None and (len(found.mix) > 1 or one.of_decision[0] > SAME) and one.worst:
            said.append(_worst(found, f"For any {words}", one, every))
    return said


def _worst(found: Design, begin: str, one: Robust, every: bool) -> str:
    regret, worst = one.of_decision
    if regret <= SAME:
        return f"{begin} no other candidate{'' if every else ' with a time'} is better."
    if regret == inf:
        own, here = f"costs more than the budget ({worst})", ""
    else:
        own, here = f"is at most {percent(regret)} worse than the best with a time ({worst})", f"{percent(regret)} "
    if one.chosen is found.decision:
        return f"{begin} it {own}: no other has a better worst case."
    other = f"{begin} {one.chosen.name} has the best worst case, {percent(one.regret)} worse than the best with a time"
    rest = f"that of the decision is {here}({worst})" if here else f"the decision {own}"
    return f"{other} ({one.worst}); {rest}."


def _changes(found: Design) -> list[str]:
    """Where it changes, and where candidates without a time may change it sooner."""
    sure = found.sure
    if sure is None:
        return []
    near = sorted(sure.changes, key=lambda one: max(one.factor, 1 / one.factor))
    known, bounds = ([one for one in near if one.bound is kind][:TOLD] for kind in (False, True))
    said = []
    if known:
        said.append("What would change the decision: " + "; ".join(_change(found, one) for one in known) + ".")
    if bounds:
        words = "; ".join(_change(found, one) for one in bounds)
        said.append(f"Candidates without a time may change it {'sooner' if known else 'too'}, not before: {words}.")
    if said:
        return said
    timed = " of those with a time" if sure.unknown else ""
    other = f" to another one{timed}" if timed else ""
    return [f"No price and no weight within a factor of 10 changes the decision{other}."]


def _change(found: Design, one: Change) -> str:
    over = "the decision is over the budget, then " if one.over and one.to is not None else ""
    to = f"({over}{_then(found, one.to)})"
    if one.kind == "price":
        # Next to 1 three digits would be those of the other side.
        factor = f"{one.factor:.4g}" if 0.9 < one.factor < 1.1 else f"{one.factor:.3g}"
        return f"{one.of} at {factor} times their price {to}"
    assert one.share is not None
    return f"{one.of} with {share_said(one.share)} of the weight {to}"


def _around(found: Design, best: Candidate) -> list[str]:
    known = found.around.get(best.name)
    if known is None:
        return []
    said = []
    for failed, much, one, many in (
        (known.links, found.settings.failed_links, "link", "links"),
        (known.switches, found.settings.failed_switches, "switch", "switches"),
    ):
        if failed is None:
            continue
        said.append(_failed(_failing(failed, much, one, many), failed))
    if known.growth is not None:
        said.append(_growth(known.growth))
    elif known.no_growth:
        said.append(f"It cannot grow by a quarter with these switches: {known.no_growth}.")
    return said


def _failing(failed: Failed, much: str, one: str, many: str) -> str:
    """``1 switch``, ``1% of the links (1 of 72 cables)``."""
    if "%" not in much:
        return f"{much} {one if much == '1' else many}"
    of = "" if not failed.of else f" ({failed.failed:,} of {failed.of:,} {'cables' if one == 'link' else many})"
    return f"{much} of the {many}{of}"


def _failed(what: str, failed: Failed) -> str:
    """What a failure costs, each draw for itself where none is the worst in both time and endpoints."""
    if failed.slowdown is None and failed.refused.startswith("no "):
        return f"With {what} failed nothing is left to compare: {failed.refused}."
    draws = len(failed.draws)
    if failed.slowdown is None:
        apart = sum(one.slowdown is None for one in failed.draws)
        some = "" if apart == draws else f" in {apart} of {draws} draws"
        return f"With {what} failed it falls apart{some}: {failed.refused}."
    begin = f"With {what} failed at random it takes"
    lost = f"{failed.lost:,} endpoint{' is' if failed.lost == 1 else 's are'} lost"
    if failed.together:
        return f"{begin} {failed.slowdown:.2f} times as long by loads{f', and {lost}' if failed.lost else ''}."
    most = max((one for one in failed.draws if one.lost == failed.lost), key=lambda one: one.slowdown or 0.0)
    worst = max(one.lost for one in failed.draws if one.slowdown == failed.slowdown)
    none = "no endpoint" if not worst else f"{worst:,} of the endpoints"
    return (
        f"{begin} up to {failed.slowdown:.2f} times as long by loads, with {none} lost; in another draw {lost}, and it "
        f"takes {most.slowdown or 0.0:.2f} times as long."
    )


def _growth(one: Growth) -> str:
    """What is bought, plugged elsewhere and left over."""
    said = [f"A quarter more endpoints costs {money(one.usd)}: {_parts(one.switches, one.cables)}"]
    if one.moved:
        said.append(f"{_cables(one.moved)} {_are(one.moved)} plugged elsewhere")
    if one.unused_switches or one.unused_cables:
        left = f"{_parts(one.unused_switches, one.unused_cables)} ({money(one.unused_usd)})"
        said.append(f"{left} {_are(one.unused_switches + one.unused_cables)} left over")
    if not one.moved and not one.unused_cables:
        said.append("no old cable moves")
    if one.spliced:
        said.append("new switches are put into old cables, each into as many as half of its ports")
    if one.fewer:
        pairs = "one pair of old switches has" if one.fewer == 1 else f"{one.fewer:,} pairs of old switches have"
        before, after = one.fewest
        least = "" if one.fewer == 1 else " at worst"
        said.append(f"{pairs} fewer cables between them than before ({after} for {before}{least})")
    before, after = one.between
    if after < before:
        said.append(f"there are {after:,} cables between switches, before {before:,}")
    return "; ".join(said) + "."


def _are(number: int) -> str:
    return "is" if number == 1 else "are"


def _parts(switches: int, cables: int) -> str:
    """``2 switches and 40 cables``."""
    some = [_switches(switches)] if switches else []
    return " and ".join([*some, _cables(cables)] if cables or not some else some)


def _cables(number: int) -> str:
    return "1 cable" if number == 1 else f"{number:,} cables"


def _priced(found: Design, best: Candidate) -> list[str]:
    switch = best.sized.switch
    if switch.estimate or any(one.estimate for one in found.catalogue.cables_of(switch.gbps)):
        return [f"Its prices are estimates ({switch.date}), no quotes: put yours into a catalogue."]
    return []
