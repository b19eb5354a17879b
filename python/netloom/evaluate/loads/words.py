"""Loads in sentences: which links are hot, and which job, messages and ranks make them so."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from ... import _core
from ...base.errors import NetloomError
from ...base.quantities import amount_text, counted, time_text
from .names import LinkNames

if TYPE_CHECKING:
    from .of_core import HotLink, Share
    from .result import Loads

#: Numbers of links by class, as of `Loads.classes`.
Classes = Mapping[str, Mapping[str, float]]
#: Names of `Loads.classes` that are no level of the network.
NOT_LEVELS = ("all", "injection", "ejection")
#: Shares below this are left out.
LEAST_SHARE = 0.01
#: Loads that differ by less, as a share, differ by rounding only.
LEVEL = 1e-6
#: By protocol that sends flags with the data: how many bytes that makes on the wire.
ON_THE_WIRE = {"ll": "twice as many", "ll128": "1/15 more"}
#: Slowdowns up to this are not worth a sentence, and pairs of jobs that get one.
LEAST_SLOWDOWN, MOST_PAIRS = 1.05, 5


def ordinal(number: int) -> str:
    """`1st`, `2nd`, `3rd`, `11th`, `1,022nd`."""
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number:,}{ending}"


def times(ratio: float) -> str:
    """`1.47 times`, `37,022 times`."""
    return f"{ratio:.3g} times" if ratio < 999.5 else f"{ratio:,.0f} times"


def hot_classes(classes: Classes) -> list[str]:
    """The classes of switch links whose worst link takes longest, those equal up to rounding together.

    By bytes where classes do not say times. Empty where nothing crosses a link.
    """
    key = worst_key(classes)
    levels = {name: float(row.get(key) or 0.0) for name, row in classes.items() if name not in NOT_LEVELS}
    most = max(levels.values(), default=0.0)
    return [name for name, value in levels.items() if value >= most * (1 - LEVEL)] if most > 0 else []


def worst_key(classes: Classes) -> str:
    """Measure of the worst link: seconds, or bytes if seconds are unknown."""
    return "max_s" if "max_s" in classes.get("all", {}) else "max_bytes"


def one_speed(classes: Classes) -> bool:
    """True if all switch links that carry something are equally fast, so bytes rank like seconds."""
    rates = []
    for name, row in classes.items():
        if name not in ("injection", "ejection") and row.get("max_s"):
            rates += [row["max_bytes"] / row["max_s"], row["mean_bytes"] / row["mean_s"]]
    return not rates or max(rates) <= min(rates) * (1 + LEVEL)


def links_of(names: Sequence[str]) -> str:
    """`global links`, `dim0 and dim1 links`."""
    kinds = [name for name in names if name != "link"]
    return f"{' and '.join(kinds)} links" if kinds else "links"


def a_link_of(name: str) -> str:
    """`a global link`, `an up link`."""
    if name in ("", "link"):
        return "a link"
    return f"{'an' if name[0] in 'aeiou' else 'a'} {name} link"


def explain(loads: Loads) -> list[str]:
    """Sentences on the total, the hottest links, and jobs that share links."""
    names = LinkNames(loads.network)
    said = [_whole(loads)]
    said += [text] if (text := _nics(loads)) else []
    said += [_link(loads, link, names) for link in loads.hottest]
    said += _neighbours(loads)
    return [*said, *loads.remarks]


def protocol_of(label: str) -> str:
    """The protocol that a schedule's call names; "" for none. O(length)."""
    try:
        return str(_core.parse_call(label)[2].get("protocol", ""))
    except NetloomError:
        return ""


def remarks(sends: Sequence[_core.Sends | _core.Schedule]) -> list[str]:
    """What is not counted of protocols with flags, and which ranks are switches."""
    protocols = [name for name in ON_THE_WIRE if any(protocol_of(load.label) == name for load in sends)]
    said = [f"Bytes are those of the data: protocol {name} puts {ON_THE_WIRE[name]} on the wire." for name in protocols]
    # Such a collective is the only job.
    taking_part = (load for load in sends if isinstance(load, _core.Schedule))
    return said + [f"Ranks from {load.ranks} on are the switches that take part." for load in taking_part]


def _whole(loads: Loads) -> str:
    every = loads.classes["all"]
    if not every.get("used"):
        return "No message crosses a link between switches."
    carry = "carries" if every["used"] == 1 else "carry"
    used = f"{every['used']:,} of {every['links']:,}"
    text = f"{used} switch links {carry} something: at most {amount_text(every['max_bytes'])}"
    mean, median = every["mean_bytes"], every["median_bytes"]
    text += f", {amount_text(mean)} on average"
    hot, even = hot_classes(loads.classes), one_speed(loads.classes)
    if len(hot) < sum(name not in NOT_LEVELS for name in loads.classes):
        text += f"; the hottest are {links_of(hot)}"
    if not even:
        text += f", {time_text(every['max_s'])}"
    skew = every["max_s"] / every["mean_s"]
    if median == 0:
        return f"{text}. More than half of the links are idle."
    if skew <= 1 + LEVEL:
        return f"{text}. All {'carry the same' if even else 'take equally long'}."
    what = "carries" if even else "takes"
    spots = ": a few links are hot spots" if skew > 10 else ""
    return f"{text}. The hottest {what} {times(skew)} the average{' time' if not even else ''}{spots}."


def worst_nic(classes: Classes) -> tuple[str, float, float] | None:
    """The class of the links of endpoints whose worst link takes longest, with its seconds and bytes.

    None where no link of an endpoint takes longer than the worst link between switches.
    """
    ends = [(float(classes.get(name, {}).get("max_s") or 0.0), name) for name in ("injection", "ejection")]
    seconds, name = max(ends, key=lambda end: end[0])
    if seconds <= float(classes.get("all", {}).get("max_s") or 0.0) * (1 + LEVEL):
        return None
    return name, seconds, float(classes[name]["max_bytes"])


def limit_s(classes: Classes) -> float:
    """Seconds that the bytes of the worst link take, links of endpoints included."""
    nic = worst_nic(classes)
    return nic[1] if nic else float(classes.get("all", {}).get("max_s") or 0.0)


def nic_of(loads: Loads, kind: str) -> tuple[str, int, str]:
    """The endpoint whose link carries most of its class, others that carry as much, and most of whose bytes they are.

    Of a single job, and of several endpoints, no job is named.
    """
    link = next(link for link in loads.ends if link["class"] == kind)
    name = f"endpoint {link['endpoint']}"
    if loads.network.has_names:
        name += f" ({loads.network.endpoint_names[link['endpoint']]})"
    if link["level"]:
        return f"{name} and {counted(link['level'], 'other')}", link["level"], ""
    if len(loads.jobs) == 1:
        return name, 0, ""
    first = link["jobs"][0]
    return name, 0, f"{100 * first['bytes'] / link['bytes']:.0f} % of it from {loads.jobs[first['job']]['name']}"


def _nics(loads: Loads) -> str:
    """Where the links of endpoints limit, and not those between switches."""
    nic = worst_nic(loads.classes)
    if nic is None:
        return ""
    kind, seconds, most = nic
    name, level, share = nic_of(loads, kind)
    way = "sends" if kind == "injection" else "receives"
    parts = [f"{'each' if level else 'it'} {way} {amount_text(most)}", time_text(seconds), *([share] if share else [])]
    head = "The hottest links of all are those" if level else "The hottest link of all is that"
    return f"{head} of {name}: {', '.join(parts)}; links between switches are done sooner."


def _link(loads: Loads, link: HotLink, names: LinkNames) -> str:
    start, end = names.ends(link)
    load = f"{amount_text(link['bytes'])}, {time_text(link['seconds'])}"
    kind = "link" if link["class"] == "link" else f"{link['class']} link"
    text = f"The {kind} from switch {start} to {end} carries {load}"
    shares = [share for share in link["jobs"] if share["bytes"] >= LEAST_SHARE * link["bytes"] > 0]
    parts = [_share(loads, link, share) for share in shares[:3]]
    rest = 1.0 - sum(share["bytes"] for share in shares[:3]) / link["bytes"] if shares else 0.0
    if rest >= LEAST_SHARE:
        parts.append(f"{100 * rest:.0f} % from other jobs")
    return f"{text}: {'; '.join(parts)}." if parts else f"{text}."


def _share(loads: Loads, link: HotLink, share: Share) -> str:
    """The bytes of one job on a link, and the ranks that send them; for a single job the ranks only."""
    only = len(loads.jobs) == 1
    part = f"{100 * share['bytes'] / link['bytes']:.0f} % from {loads.jobs[share['job']]['name']}"
    causes = []
    if share["pairs"]:
        first, second, _ = share["pairs"][0]
        causes.append(f"most from rank {first:,} to {second:,}")
    if share["offsets"]:
        offset, carried = share["offsets"][0]
        if offset and carried >= LEAST_SHARE * share["bytes"]:
            side = "above" if offset > 0 else "below"
            percent = f"{100 * carried / share['bytes']:.0f} %"
            causes.append(
                f"{percent}{'' if only else ' of that'} in messages to the {ordinal(abs(offset))} rank {side}"
            )
    if only and causes:
        return ", ".join(causes)
    return f"{part} ({', '.join(causes)})" if causes else part


def neighbours(loads: Loads) -> list[tuple[int, int, float]]:
    """Pairs of jobs that slow each other, the worst first: the slower one, the other, its slowdown by that job alone.

    Each pair once; those up to `LEAST_SLOWDOWN` are left out. O(jobs²).
    """
    found = []
    for a in range(len(loads.jobs)):
        for b in range(a):
            first, second = loads.jobs[a]["slowdown_by"][b], loads.jobs[b]["slowdown_by"][a]
            slower, other, ratio = (a, b, first) if first > second else (b, a, second)
            if ratio > LEAST_SLOWDOWN:
                found.append((slower, other, ratio))
    return sorted(found, key=lambda pair: (-pair[2], pair[0], pair[1]))


def _simulated(loads: Loads, slower: int, other: int) -> str:
    """What sharing links costs in time."""
    first, second = loads.jobs[slower]["name"], loads.jobs[other]["name"]
    found = loads.interference and loads.interference.slowdowns(slower, other)
    if not found:
        return "what that costs in time, a simulation of both tells"

    def longer(ratio: float) -> str:
        return f"{100 * (ratio - 1):.1f} % longer" if ratio < 2 else f"{times(ratio)} as long"

    return f"simulated, {first} takes {longer(found[0])} with {second}, {second} {longer(found[1])}"


def _neighbours(loads: Loads) -> list[str]:
    if len(loads.jobs) < 2:
        return []
    pairs = neighbours(loads)
    said = []
    for slower, other, ratio in pairs[:MOST_PAIRS]:
        first, second = loads.jobs[slower]["name"], loads.jobs[other]["name"]
        back = loads.jobs[other]["slowdown_by"][slower]
        text = f"{first} and {second} share links: the worst link of {first} takes {times(ratio)} as long"
        text += f" with {second} as alone"
        if back > LEAST_SLOWDOWN:
            text += f", that of {second} {times(back)} with {first}"
        said.append(f"{text}; {_simulated(loads, slower, other)}.")
    if len(pairs) > MOST_PAIRS:
        more = counted(len(pairs) - MOST_PAIRS, "more pair")
        said.append(f"{more} of jobs slow each other by more than 5 %.")
    return said or ["No two jobs slow each other by more than 5 % on their worst links."]
