//! Up*/down* routing on any network, and destination-modulo routing on trees.

use std::sync::Arc;

use netloom_model::fault::Fault;
use netloom_model::{Bound, Kind, Network, Outcome, Param, Routing, Split, Step, Way};

use super::balanced::Balanced;
use super::closed::TreeForm;
use super::codes;
use super::distances::{FAR, search};
use super::minimal::LIMIT;
use super::ranks::{Lookup, Ranks};
use super::registry::RoutingRow;
use super::rule::{Rule, Ruled, require_switch};
use netloom_model::deadlock::ends;

pub const UP_DOWN: RoutingRow = RoutingRow {
    name: "up-down",
    aliases: &["updown", "up*/down*"],
    summary: "first towards the root, then away from it: the shortest such paths, in equal shares",
    params: &[
        Param::optional(
            "root",
            Kind::Int { min: 0, max: i64::MAX },
            "",
            "switch that is the top; default: the tree's own levels, else switch 0",
        ),
        Param::optional(
            "choice",
            Kind::Choice(&["all", "single", "balanced"]),
            "all",
            "all such paths, one per pair, or one per destination endpoint, spread evenly, as tables take them",
        ),
        LIMIT,
    ],
    example: "up-down(root=0)",
    restrictions: "any connected network; with a tree's own levels, switches without endpoints may lack paths",
    source: "Schroeder et al., \"Autonet\", IEEE J. Selected Areas in Communications 9 (1991)",
    build: build_up_down,
};

pub const D_MOD_K: RoutingRow = RoutingRow {
    name: "d-mod-k",
    aliases: &["dmodk"],
    summary: "up by the digits of the destination's number, then straight down: free of contention for shifts",
    params: &[Param::optional(
        "by",
        Kind::Choice(&["endpoint", "switch"]),
        "endpoint",
        "whose number: that of the destination, as forwarding tables have it, or that of its switch",
    )],
    example: "d-mod-k",
    restrictions: "trees: k-ary n-tree, thin tree, fat-tree, XGFT, star",
    source: "Zahavi, \"D-Mod-K routing providing non-blocking traffic for shift permutations on real life fat trees\" \
             (2010); the parallel cables of a pair of switches by the next digit",
    build: build_d_mod_k,
};

struct UpDown {
    ranks: Ranks,
    single: bool,
    /// True if up and down are those of the tree.
    own_levels: bool,
}

impl Rule for UpDown {
    fn way<'a>(&'a self, network: &'a Network, destination: u32) -> Box<dyn Way + 'a> {
        Box::new(UpDownWay { rule: self, network, destination, reach: self.ranks.to(network, destination) })
    }
    fn places_per_switch(&self) -> u32 {
        2
    }
    fn virtual_channels(&self) -> u8 {
        1
    }
    /// Links up first, then links down.
    fn is_ordered(&self) -> bool {
        true
    }
    fn is_deterministic(&self) -> bool {
        self.single
    }
}

/// Place `2 s` is switch `s` climbing, `2 s + 1` descending.
struct UpDownWay<'a> {
    rule: &'a UpDown,
    network: &'a Network,
    destination: u32,
    reach: Lookup<'a>,
}

impl Way for UpDownWay<'_> {
    fn starts(&self, source: u32, out: &mut Vec<u64>) {
        out.extend((self.reach.legal[source as usize] != FAR).then_some(2 * u64::from(source)));
    }

    fn steps(&self, place: u64, out: &mut Vec<Step>) {
        let at = (place / 2) as u32;
        let climbing = place.is_multiple_of(2);
        let remaining = self.remaining(place);
        if remaining == 0 {
            return;
        }
        let start = out.len();
        for link in self.network.out_links(at) {
            let head = self.network.heads()[link as usize];
            let up = self.rule.ranks.up(at, head);
            if up && climbing && self.reach.legal[head as usize] == remaining - 1 {
                out.push(Step { link, channel: 0, place: 2 * u64::from(head) });
            }
            if !up && self.reach.down[head as usize] == remaining - 1 {
                out.push(Step { link, channel: 0, place: 2 * u64::from(head) + 1 });
            }
        }
        if self.rule.single && out.len() > start + 1 {
            let chosen = out[start + self.destination as usize % (out.len() - start)];
            out.truncate(start);
            out.push(chosen);
        }
    }

    fn weights(&self, place: u64, steps: &[Step], out: &mut Vec<u64>) -> bool {
        out.resize(steps.len(), 1);
        // With another root the tree's symmetry is not that of the rule.
        self.rule.own_levels
            && TreeForm::alike(self.network, (place / 2) as u32, steps.iter().map(|s| (s.place / 2) as u32)).is_some()
    }

    fn remaining(&self, place: u64) -> u32 {
        let distances = if place.is_multiple_of(2) { &self.reach.legal } else { &self.reach.down };
        distances[place as usize / 2]
    }
}

struct DModK {
    ranks: Ranks,
    levels: Vec<u8>,
    /// By level, the number of switches that a switch of it is below.
    parents: Vec<u64>,
    /// Product of these numbers below each level.
    below: Vec<u64>,
    by_endpoint: bool,
}

impl DModK {
    /// The digit that decides between a switch of `level` and those above it, with the remainder for parallel cables.
    fn digit(&self, number: u64, level: u8) -> (u64, u64) {
        let (digits, parents) = (number / self.below[usize::from(level)], self.parents[usize::from(level)].max(1));
        (digits % parents, digits / parents)
    }
}

impl Rule for DModK {
    fn way<'a>(&'a self, network: &'a Network, destination: u32) -> Box<dyn Way + 'a> {
        let endpoint = destination.checked_sub(network.switches()).filter(|_| self.by_endpoint);
        let switch = endpoint.map_or(destination, |endpoint| network.endpoint_switch()[endpoint as usize]);
        // Packets to a switch are routed as those to its first endpoint.
        let number = match endpoint {
            Some(endpoint) => endpoint,
            None if self.by_endpoint => network.endpoints_of(switch).first().copied().unwrap_or(switch),
            None => switch,
        };
        Box::new(DModKWay { rule: self, network, number: number.into(), reach: self.ranks.to(network, switch) })
    }
    fn places_per_switch(&self) -> u32 {
        1
    }
    fn virtual_channels(&self) -> u8 {
        1
    }
    /// Links up first, then links down.
    fn is_ordered(&self) -> bool {
        true
    }
    fn is_deterministic(&self) -> bool {
        true
    }
    fn by_endpoint(&self) -> bool {
        self.by_endpoint
    }
}

struct DModKWay<'a> {
    rule: &'a DModK,
    network: &'a Network,
    /// Of the destination: its endpoint, or its switch.
    number: u64,
    reach: Lookup<'a>,
}

impl DModKWay<'_> {
    /// The cable from `at` to `to` that `pick` chooses among the parallel ones.
    fn cable(&self, at: u32, to: u32, pick: u64) -> Option<u32> {
        let links = || self.network.out_links(at).filter(|link| self.network.heads()[*link as usize] == to);
        links().nth(pick.checked_rem(links().count() as u64)? as usize)
    }

    /// The `pick`-th switch above `at`.
    fn parent(&self, at: u32, pick: u64) -> Option<u32> {
        let level = self.rule.levels[at as usize];
        let above = |u: &u32| self.rule.levels[*u as usize] > level;
        let mut parents: Vec<u32> = self.network.neighbours(at).iter().copied().filter(above).collect();
        parents.dedup();
        let pick = pick.checked_rem(parents.len() as u64)?;
        parents.get(pick as usize).copied()
    }
}

impl Way for DModKWay<'_> {
    fn starts(&self, source: u32, out: &mut Vec<u64>) {
        out.extend((self.reach.legal[source as usize] != FAR).then_some(u64::from(source)));
    }

    fn steps(&self, place: u64, out: &mut Vec<Step>) {
        let (at, rule) = (place as u32, self.rule);
        let next = match self.reach.down[place as usize] {
            0 => None,
            FAR => {
                let (digit, rest) = rule.digit(self.number, rule.levels[at as usize]);
                self.parent(at, digit).and_then(|to| self.cable(at, to, rest))
            }
            down => {
                let below = |u: &&u32| self.reach.down[**u as usize] == down - 1 && !rule.ranks.up(at, **u);
                let to = self.network.neighbours(at).iter().find(below);
                to.and_then(|&to| self.cable(at, to, rule.digit(self.number, rule.levels[to as usize]).1))
            }
        };
        out.extend(next.map(|link| Step { link, channel: 0, place: self.network.heads()[link as usize].into() }));
    }

    fn remaining(&self, place: u64) -> u32 {
        // Only compared: every step up is to a higher level, every step down nearer to the destination.
        match self.reach.down[place as usize] {
            FAR => FAR - u32::from(self.rule.levels[place as usize]),
            down => down,
        }
    }
}

/// Levels with the top at 0, if the network has them.
fn depths(network: &Network) -> Option<Vec<u32>> {
    let levels = network.structure().levels.as_ref().filter(|l| l.len() == network.switches() as usize)?;
    let top = levels.iter().copied().max().unwrap_or(0);
    Some(levels.iter().map(|l| u32::from(top - l)).collect())
}

fn build_up_down(network: &Arc<Network>, bound: &Bound, label: &str) -> Outcome<Box<dyn Routing>> {
    network.require_joined()?;
    let n = network.switches();
    let depth = match bound.int_or_none("root") {
        Some(root) if root >= i64::from(n) => {
            let expected = format!("a switch in 0..{n} (exclusive)");
            return Err(Fault::new(&codes::NO_SWITCH, format!("{}.root", bound.owner), expected, root).into());
        }
        Some(root) => {
            require_switch(network, &bound.owner, root as u32)?;
            search(network, root as u32)
        }
        None => match depths(network) {
            Some(depths) => depths,
            None => match ends(network).first() {
                Some(&first) => search(network, first),
                None => vec![0; n as usize],
            },
        },
    };
    let (ranks, own_levels) = (Ranks::new(&depth), bound.int_or_none("root").is_none());
    let rule: Box<dyn Rule> = match bound.text("choice") {
        "balanced" => Box::new(Balanced::new(network, ranks)?),
        choice => Box::new(UpDown { ranks, single: choice == "single", own_levels }),
    };
    Ok(Box::new(Ruled {
        network: network.clone(),
        label: label.into(),
        rule,
        hop_channels: None,
        split: Split::Paths,
        limit: bound.size("limit") as usize,
    }))
}

fn build_d_mod_k(network: &Arc<Network>, bound: &Bound, label: &str) -> Outcome<Box<dyn Routing>> {
    network.require_joined()?;
    let structure = network.structure();
    let (Some(_), Some(depth), Some(levels)) = (&structure.tree, depths(network), structure.levels.clone()) else {
        let place = format!("{} on {}", bound.owner, network.label());
        let sentence = match network.failed() {
            Some(_) => "needs a whole tree, and parts of this network are out of service",
            None => "needs a regular tree whose shape is known, as `xgft` or `k_ary_n_tree` make it",
        };
        return Err(Fault::say(&codes::NO_TREE, place, sentence).hint("use `up-down` or `minimal`").into());
    };
    let top = levels.iter().copied().max().unwrap_or(0);
    let mut parents = vec![1u64; usize::from(top) + 1];
    for s in 0..network.switches() {
        let level = levels[s as usize];
        let mut above: Vec<u32> =
            network.neighbours(s).iter().copied().filter(|u| levels[*u as usize] > level).collect();
        above.dedup();
        let most = &mut parents[usize::from(level)];
        *most = (*most).max(above.len() as u64);
    }
    let mut below = vec![1u64; parents.len()];
    for level in 1..below.len() {
        below[level] = below[level - 1].saturating_mul(parents[level - 1]);
    }
    let by_endpoint = bound.text("by") == "endpoint";
    Ok(Box::new(Ruled {
        network: network.clone(),
        label: label.into(),
        rule: Box::new(DModK { ranks: Ranks::new(&depth), levels, parents, below, by_endpoint }),
        hop_channels: None,
        split: Split::Paths,
        limit: 1,
    }))
}
