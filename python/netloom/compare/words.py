"""What a comparison comes to, in sentences that the rows decide."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from ..base.errors import NetloomError, printable
from ..base.quantities import time_text
from ..base.winner import is_tie, leaders, within
from ..plot.front import unbeaten
from .pictures import front_of, rounded
from .policy import ELSEWHERE, OWN, POLICIES
from .rows import Asked, Compared, names, unit_of
from .ties import margin

#: Networks of the same size, within this factor.
SAME_SIZE = 1.1


def verdict(rows: Sequence[Compared]) -> list[str]:
    """Per workload which network is fastest, which is cheapest per endpoint, and which no other beats in both.

    Notes
    -----
    Numbers that agree in ten digits tie, and so do networks whose times meet over the policies of routing and the draws
    of placements and failures. Cost: linear in rows and workloads, and the square of the rows for the front.
    """
    if not rows:
        return []
    said = [_fastest(rows, at) for at in range(len(rows[0]["workloads"]))]
    return [*said, *_relative(rows), _cheapest(rows), *([_front(rows)] if len(rows) > 1 else [])]


#: What is told of networks next to a baseline, in words.
_PERFORMANCE: tuple[tuple[Literal["phi", "efficiency"], str], ...] = (
    ("phi", "the highest performance over the workloads"),
    ("efficiency", "the highest performance for the price"),
)


def _relative(rows: Sequence[Compared]) -> list[str]:
    """Who performs best over all workloads, and for the price, relative to the baseline."""
    share = max((margin(rows, at) for at in range(len(rows[0]["workloads"]))), default=0.0)
    said = []
    for key, words in _PERFORMANCE:
        known = {name: value for name, row in zip(names(rows), rows, strict=True) if (value := row.get(key))}
        if len(known) < 2:
            continue
        first = leaders({name: 1 / value for name, value in known.items()}, share)
        of = f"{key} relative to `{printable(rows[0]['baseline'])}`"
        if len(first) == 1:
            said.append(f"{listed(first)} has {words}: {known[first[0]]:.4g}, {of}.")
        else:
            ends = f"{known[first[-1]]:.4g} to {known[first[0]]:.4g}, {of}"
            said.append(f"{listed(first)} tie for {words}, {within(share)} ({ends}).")
    return said


def notes(rows: Sequence[Compared]) -> list[str]:
    """What the numbers leave open: the policy, bisections that are bounds, prices that are not known."""
    said = _policy(rows)
    for name, row in zip(names(rows), rows, strict=True):
        if not row["bisection"]["exact"]:
            said.append(f"{name}: the bisection is that of the best cut found")
        if row["usd"] is None:
            said.append(f"{name}: price {row['price']}")
    if other := [name for name, row in zip(names(rows), rows, strict=True) if _of_another_size(row, rows)]:
        said.append(
            f"no efficiency of {', '.join(other)}: another number of endpoints than "
            f"{printable(rows[0]['baseline'])}, so that the prices are not of one machine"
        )
    lines: dict[str, list[str]] = {}
    for name, row in zip(names(rows), rows, strict=True):
        for line in row.get("price_notes", ()):
            lines.setdefault(line, []).append(name)
    said += [line if len(of) == len(rows) else f"{', '.join(of)}: {line}" for line, of in lines.items()]
    return said


def _of_another_size(row: Compared, rows: Sequence[Compared]) -> bool:
    if row.get("phi") is None:
        return False
    return row["endpoints"] != next(one["endpoints"] for one in rows if one["network"] == row["baseline"])


def _policy(rows: Sequence[Compared]) -> list[str]:
    """Under which policy the times are, what they are means over, and what was left out."""
    policy = rows[0].get("policy") if rows else None
    if policy is None:
        return []
    called = names(rows)
    if policy == OWN:
        said = [
            "times are under each network's default routing: they differ in kind, so that routings are compared too"
        ]
    else:
        words = POLICIES.get(policy)
        said = [f"times are under one policy for all, {policy}" + (f": {words}" if words else "")]
    said += [f"{name}: {row.get('routing')}, {row.get('variant')}" for name, row in zip(called, rows, strict=True)]
    costs = [row.get("calibration", "") for row in rows]
    if len({one for one in costs if one}) > 1:
        each = ", ".join(f"{name} {one}" for name, one in zip(called, costs, strict=True) if one)
        said.append(f"costs of software are compared too: {each}; --calibration NAME gives all the same")
    if drawn := list(dict.fromkeys(text for row in rows for text in row.get("draws", ()))):
        said.append(f"times are means over {'; '.join(drawn)}")
    for name, row in zip(called, rows, strict=True):
        for asked in row["workloads"]:
            said += [f"{name}: {line}" for line in (*asked.get("says", ()), *asked.get("refused", ()))]
    return list(dict.fromkeys(said))


def _fastest(rows: Sequence[Compared], at: int) -> str:
    workload = printable(rows[0]["workloads"][at]["workload"])
    times = [rounded(row["workloads"][at]["time_s"]) for row in rows]
    best, least = _least(rows, times)
    if len(rows) == 1:
        return f"`{workload}` takes {time_text(least)} on {listed(best)}{_range(rows[0], at)}."
    if len(best) == len(rows):
        return f"`{workload}`: all networks tie at {time_text(least)}."
    if len(best) > 1:
        return f"`{workload}`: {listed(best)} tie as the fastest ({time_text(least)})."
    nearest = min(time for time in times if time > least)
    others, _ = _least(rows, [time if time > least else float("inf") for time in times])
    if rivals := _within(rows, at, times.index(least)):
        return _tie(rows, at, best[0], rivals, workload)
    share = margin(rows, at)
    if is_tie(least, nearest, share):
        near = sorted((time, name) for time, name in zip(times, names(rows), strict=True) if is_tie(least, time, share))
        if len(near) == len(rows):
            return f"`{workload}`: all networks tie {_from_to(near, share)}."
        return f"`{workload}`: {listed([name for _, name in near])} tie as the fastest {_from_to(near, share)}."
    return (
        f"`{workload}` is fastest on {listed(best)}: {time_text(least)}, {_less(least, nearest)} than "
        f"on {listed(others)}, the next{_apart(rows, at)}."
    )


def _from_to(near: Sequence[tuple[float, str]], share: float) -> str:
    """Times that are too near each other to tell a winner by."""
    return f"{within(share)} ({time_text(near[0][0])} to {time_text(near[-1][0])})"


def _ends(row: Compared, at: int) -> tuple[float, float] | None:
    """Least and most time over policies and draws, if they were asked for."""
    asked = row["workloads"][at]
    return (asked["least_s"], asked["most_s"]) if "least_s" in asked and "most_s" in asked else None


def over(rows: Sequence[Compared]) -> str:
    """What the spread is over: policies, and what the draws change."""
    drawn = " ".join(text for row in rows for text in row.get("draws", ()))
    policies = [one["policy"] for row in rows for asked in row["workloads"] for one in asked.get("policies", ())]
    moved = "placement" in drawn or any(policy.endswith(ELSEWHERE) for policy in policies)
    parts = ["routing policies", *(["placements"] if moved else [])]
    parts += ["failures"] if "fail=" in drawn else []
    return "over " + (parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}")


def spread_text(asked: Asked) -> str:
    """Least and most time of a cell of the table."""
    return f"{time_text(asked['least_s'], 4)} to {time_text(asked['most_s'], 4)}" if "least_s" in asked else ""


def _range(row: Compared, at: int) -> str:
    ends = _ends(row, at)
    return (
        "" if ends is None or ends[0] == ends[1] else f" ({time_text(ends[0])} to {time_text(ends[1])} {over([row])})"
    )


def _within(rows: Sequence[Compared], at: int, winner: int) -> list[int]:
    """Networks whose range of times meets the winner's: the lead may be one of routing or luck."""
    ends = [_ends(row, at) for row in rows]
    first = ends[winner]
    return [
        other for other, range_ in enumerate(ends) if other != winner and first and range_ and range_[0] <= first[1]
    ]


def _tie(rows: Sequence[Compared], at: int, best: str, rivals: Sequence[int], workload: str) -> str:
    called = names(rows)
    winner = called.index(best)
    told = [f"`{called[one]}` ({_mean(rows[one], at)})" for one in (winner, *rivals)]
    under = {name: all(_ahead(rows[winner], rows[one], at, name) for one in rivals) for name in _common(rows, at)}
    ahead = [name for name, is_so in under.items() if is_so]
    if under and len(ahead) == len(under):
        policies = f"`{best}` is ahead under each policy alone"
    elif ahead:
        others = [name for name in under if name not in ahead]
        policies = (
            f"`{best}` is ahead under {'; '.join(ahead)}, and not, or not in every draw, under {'; '.join(others)}"
        )
    else:
        policies = f"`{best}` is ahead in every draw under no policy"
    joined = f"{', '.join(told[:-1])} and {told[-1]}"
    return f"`{workload}`: {joined} tie within the spread {over(rows)}; {policies}."


def _mean(row: Compared, at: int) -> str:
    least, most = _ends(row, at) or (0.0, 0.0)
    return f"{time_text(row['workloads'][at]['time_s'])}, {time_text(least)} to {time_text(most)}"


def _common(rows: Sequence[Compared], at: int) -> list[str]:
    """Policies that all networks have, in the order of the first one."""
    each = [[one["policy"] for one in row["workloads"][at].get("policies", ())] for row in rows]
    return [name for name in each[0] if all(name in other for other in each)]


def _ahead(one: Compared, other: Compared, at: int, policy: str) -> bool:
    """Whether the slowest draw of one is faster than the fastest of the other under a policy."""
    mine, theirs = (
        next(each for each in row["workloads"][at]["policies"] if each["policy"] == policy) for row in (one, other)
    )
    return mine["most_s"] < theirs["least_s"]


def _apart(rows: Sequence[Compared], at: int) -> str:
    ends = [_ends(row, at) for row in rows]
    return f", and ahead of all others over the whole spread {over(rows)}" if all(ends) else ""


def _cheapest(rows: Sequence[Compared]) -> str:
    unit = unit_of(rows)
    known = [row["usd_per_endpoint"] for row in rows]
    prices = [float("inf") if price is None else rounded(price) for price in known]
    if None not in known:
        of = ""
    elif all(price is None for price in known):
        return "The price of no network is known."
    else:
        of = " among those whose price is known"
    best, least = _least(rows, prices)
    if len(rows) == 1:
        return f"{listed(best)} costs {least:,.2f} {unit} per endpoint."
    if len(best) == len(rows):
        return f"All networks tie at {least:,.2f} {unit} per endpoint."
    if len(best) > 1:
        return f"{listed(best)} tie as the cheapest per endpoint{of} ({least:,.2f} {unit}).{_unlike(rows)}"
    return f"{listed(best)} is the cheapest per endpoint{of} ({least:,.2f} {unit}).{_unlike(rows)}"


def _unlike(rows: Sequence[Compared]) -> str:
    """A caution where the networks are of different sizes, whose prices per endpoint are not those of one machine."""
    sizes = [row["endpoints"] for row in rows]
    if max(sizes) <= SAME_SIZE * min(sizes):
        return ""
    return (
        f" They have {min(sizes):,} to {max(sizes):,} endpoints: a larger network costs more per endpoint where it has "
        "more levels or longer cables, so compare networks of one size (`netloom size`) before you choose by price."
    )


def _front(rows: Sequence[Compared]) -> str:
    try:
        (x_label, x), (y_label, y) = front_of(rows)
    except NetloomError:
        return "There is no Pareto front: neither a price nor a bisection is known of all networks."
    called = names(rows)
    best = [called[i] for i in sorted(unbeaten(x, y))]
    what = f"({x_label.rpartition(' (')[0] or x_label} against {y_label.rpartition(' (')[0] or y_label})"
    if len(best) == len(rows):
        return f"All networks are on the Pareto front {what}: none is beaten in both."
    if len(best) == 1:
        return f"{listed(best)} alone is on the Pareto front {what}: no other is better in either."
    return f"On the Pareto front {what} are {listed(best)}; each other network is beaten by one of them."


def _least(rows: Sequence[Compared], values: Sequence[float]) -> tuple[list[str], float]:
    """Who has the least value, and the value."""
    least = min(values)
    return [name for name, value in zip(names(rows), values, strict=True) if value == least], least


def _less(value: float, other: float) -> str:
    percent = 100 * (1 - value / other)
    return "less than 0.1 % less" if percent < 0.1 else f"{percent:.{0 if percent >= 10 else 1}f} % less"


def listed(words: Sequence[str]) -> str:
    """`` `a`, `b` and `c` ``, each as code."""
    quoted = [f"`{word}`" for word in words]
    return quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} and {quoted[-1]}"
