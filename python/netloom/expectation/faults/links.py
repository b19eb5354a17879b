"""Faults of NICs and cables, as other rates of links."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..sound import Way, rate_text

if TYPE_CHECKING:
    from ..sound import Sound

#: Links that endpoints share with the network, and links of switches, by the names that topologies give their rates.
ENDPOINT, SWITCH = ("nic_bandwidth", "endpoint_bandwidth"), ("spine_bandwidth", "bandwidth")
IS_FILE = "the network is a file, whose rates are in it"


def half_rate(sound: Sound) -> list[Way] | str:
    """Links of all NICs at a half, a quarter and an eighth of their rate; those of switches stay."""
    own = next((name for name in ENDPOINT if name in sound.arguments), "")
    rate, switches = sound.rate(*ENDPOINT, "bandwidth"), sound.rate(*SWITCH, "nic_bandwidth")
    if not own or rate is None or switches is None:
        return IS_FILE
    kept = {f"network.{_switch_name(sound)}": rate_text(switches)}
    return [
        Way(f"links of NICs give 1/{by} of their rate", kept | {f"network.{own}": rate_text(rate / by)})
        for by in (2, 4, 8)
    ]


def congested_spine(sound: Sound) -> list[Way] | str:
    """Links between switches at a half, a quarter and an eighth of their rate; those of NICs stay."""
    own = next((name for name in ENDPOINT if name in sound.arguments), "")
    rate, nics = sound.rate(*SWITCH, "nic_bandwidth"), sound.rate(*ENDPOINT, "bandwidth")
    if not own or rate is None or nics is None:
        return [Way("half of the cables between switches are lost", {"fail": "links:50%,seed=1"})]
    kept = {f"network.{own}": rate_text(nics)}
    far = sound.rate("global_bandwidth")
    return [
        Way(
            f"links between switches give 1/{by} of their rate",
            kept
            | {f"network.{_switch_name(sound)}": rate_text(rate / by)}
            | ({} if far is None else {"network.global_bandwidth": rate_text(far / by)}),
        )
        for by in (2, 4, 8)
    ]


def nic_gone(sound: Sound) -> list[Way] | str:
    """Some of the NICs of each node; also the first of the first node where GPUs have their own."""
    nics = sound.node.get("nics", 1)
    if "rails" in sound.arguments:
        return _rail_gone(sound)
    if not isinstance(nics, int) or nics < 2:
        return "a node has one NIC"
    return [Way(f"{left} of {nics} NICs of a node are left", {"node.nics": left}) for left in range(nics - 1, 0, -1)]


def _rail_gone(sound: Sound) -> list[Way] | str:
    net = sound.network
    of_rails = [at for at, one in enumerate(net.classes) if one["name"] == "rail"]
    first = next((at for at, kind in enumerate(net.class_index) if int(kind) in of_rails), None)
    if first is None:
        return "its nodes have no NICs of their own"
    cable = f"link:{int(net.tails[first])}-{int(net.heads[first])}"
    gpus = int(str(sound.arguments["gpus"]))
    rails = int(str(sound.arguments["rails"] or gpus))
    return [
        Way("a NIC of one node is gone", {"fail": cable}),
        *(
            Way(f"{left} of {rails} NICs of every node are left", {"network.rails": left})
            for left in range(rails - 1, 0, -1)
            if gpus % left == 0
        ),
    ]


def _switch_name(sound: Sound) -> str:
    return next(name for name in SWITCH if name in sound.arguments)
