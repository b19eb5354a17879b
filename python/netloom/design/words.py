"""What a design says in sentences: the decision first."""

from __future__ import annotations

from ..base.quantities import percent, time_text
from ..base.winner import lead_said
from .answer import Design
from .candidate import GOALS, Candidate
from .grown import Growth
from .robust import PRICE_ERROR, Change, Robust

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
    known = sum(not one.refused for one in found.candidates)
    limit = "" if found.budget_usd is None else f" within {money(found.budget_usd)}"
    why = f"{GOALS[found.rule.goal]} of {known} candidates" if known > 1 else "the only candidate"
    return f"Build {best.name}, {_switches(best.bill.switches)} ({_facts(found, best)} for the mix): {why}{limit}."


def _switches(number: int) -> str:
    return "1 switch" if number == 1 else f"{number:,} switches"


def _runner_up(found: Design) -> list[str]:
    second, sure = found.runner_up, found.sure
    if second is None or sure is None or sure.lead is None:
        return ["It is the only candidate with a time, so nothing stands next to it."]
    lead = "as good" if sure.lead == 0 else f"{percent(sure.lead)} worse"
    return [f"The runner-up, {second.name}, is {lead} ({_facts(found, second)})."]


def _sure(found: Design) -> list[str]:
    sure = found.sure
    if sure is None:
        return []
    said = [] if sure.lead is None else [lead_said(sure.lead, sure.model_error)]
    others = [(rung, one, share) for rung, (one, share) in sure.by_rung.items() if one is not found.decision]
    for rung, one, share in others:
        said.append(f"By {rung} alone {one.name} would be best, by {percent(share)}: the rungs disagree.")
    if not others and len(sure.by_rung) > 1:
        said.append(f"All rungs agree: {', '.join(sure.by_rung)}.")
    elif len(sure.by_rung) == 1:
        said.append(f"Only one rung was affordable ({', '.join(sure.by_rung)}), so no other one checks it.")
    if sure.by_price:
        cases = "; ".join(f"{name} at {factor:g} times their price ({one.name})" for name, factor, one in sure.by_price)
        said.append(f"Price errors of {percent(PRICE_ERROR)} can change it: {cases}.")
    else:
        said.append(f"A price error of {percent(PRICE_ERROR)} in any one class of parts does not change it.")
    return said


def _robust(found: Design) -> list[str]:
    sure = found.sure
    if sure is None:
        return []
    said = []
    for words, one in (("workload of the mix alone", sure.robust_mix), ("price error", sure.robust_price)):
        if one is not None and (len(found.mix) > 1 or one.of_decision[0] > SAME) and one.worst:
            said.append(_worst(found, words, one))
    return said


def _worst(found: Design, words: str, one: Robust) -> str:
    regret, worst = one.of_decision
    if regret <= SAME:
        return f"For any {words} no other candidate is better."
    if one.chosen is found.decision:
        at = f" ({worst})"
        said = f"For any {words} it is at most {percent(regret)} worse than the best with a time{at}"
        return f"{said}: no other has a better worst case."
    return (
        f"For any {words} {one.chosen.name} has the best worst case, {percent(one.regret)} worse than the best "
        f"with a time ({one.worst}); that of the decision is {percent(regret)} ({worst})."
    )


def _changes(found: Design) -> list[str]:
    sure = found.sure
    if sure is None:
        return []
    near = sorted(sure.changes, key=lambda one: max(one.factor, 1 / one.factor))[:TOLD]
    said = [_change(one) for one in near]
    if not said:
        return ["No price and no weight within a factor of 10 changes the decision."]
    return ["What would change the decision: " + "; ".join(said) + "."]


def _change(one: Change) -> str:
    if one.kind == "price":
        return f"{one.of} at {one.factor:.3g} times their price ({one.to.name})"
    assert one.share is not None
    return f"{one.of} with {percent(one.share)} of the weight ({one.to.name})"


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
        what = f"{much} of the {many}" if "%" in much else f"{much} {one if much == '1' else many}"
        if failed.slowdown is None and failed.refused.startswith("no "):
            said.append(f"With {what} failed nothing is left to compare: {failed.refused}.")
        elif failed.slowdown is None:
            said.append(f"With {what} failed it falls apart: {failed.refused}.")
        else:
            lost = f", and {failed.lost:,} endpoints are lost" if failed.lost else ""
            said.append(f"With {what} failed at random it takes {failed.slowdown:.2f} times as long by loads{lost}.")
    if known.growth is not None:
        said.append(_growth(known.growth))
    elif known.no_growth:
        said.append(f"It cannot grow by a quarter with these switches: {known.no_growth}.")
    return said


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
