//! Destination-modulo routing on trees, whole or with parts out of service.

use std::sync::Arc;

use netloom_model::fault::Fault;
use netloom_model::{Bound, Kind, Network, Outcome, Param, Routing, Split, Step, Way};

use super::codes;
use super::distances::FAR;
use super::ports::Ports;
use super::ranks::{Lookup, Ranks};
use super::row::RoutingRow;
use super::rule::{Rule, Ruled, end_of};
use super::up_down::depths;

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
    restrictions: "trees: k-ary n-tree, thin tree, fat-tree, XGFT, star, and files whose cables join levels; ports that \
                   failed are skipped",
    source: "Zahavi, \"D-Mod-K routing providing non-blocking traffic for shift permutations on real life fat trees\" \
             (2010); the parallel cables of a pair of switches by the next digit; round failures as ftree of OpenSM: one \
             path per destination, over the ports that are left",
    build: build_d_mod_k,
};

struct DModK {
    ranks: Ranks,
    levels: Vec<u8>,
    /// By level, the most switches that a switch of it is below in full service.
    parents: Vec<u64>,
    /// Product of these numbers below each level.
    below: Vec<u64>,
    by_endpoint: bool,
    /// Place of every endpoint in the order of the switches, where that is not its number.
    position: Option<Vec<u32>>,
    /// The ports in full service, where not every switch of a level has the same ones in service.
    ports: Option<Ports>,
}

impl DModK {
    /// The digit that decides between a switch of `level` and those above it, with the remainder for parallel cables.
    fn digit(&self, number: u64, level: u8) -> (u64, u64) {
        let (digits, parents) = (number / self.below[usize::from(level)], self.parents[usize::from(level)].max(1));
        (digits % parents, digits / parents)
    }

    fn number(&self, endpoint: u32) -> u32 {
        self.position.as_ref().map_or(endpoint, |position| position[endpoint as usize])
    }
}

impl Rule for DModK {
    fn way<'a>(&'a self, network: &'a Network, destination: u32) -> Box<dyn Way + 'a> {
        let (switch, endpoint) = end_of(network, destination, self.by_endpoint);
        let number = endpoint.map_or(switch, |endpoint| self.number(endpoint));
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
    /// Number of the destination: its endpoint, or its switch.
    number: u64,
    reach: Lookup<'a>,
}

impl DModKWay<'_> {
    /// The cable from `at` to `to` that `pick` chooses among the parallel ones.
    fn cable(&self, at: u32, to: u32, pick: u64) -> Option<u32> {
        // Heads ascend.
        let neighbours = self.network.neighbours(at);
        let first = neighbours.partition_point(|u| *u < to);
        let count = neighbours[first..].iter().take_while(|u| **u == to).count() as u64;
        let pick = pick.checked_rem(count)?;
        Some(self.network.out_links(at).start + first as u32 + pick as u32)
    }

    /// The `pick`-th switch above `at`.
    fn parent(&self, at: u32, pick: u64) -> Option<u32> {
        let level = self.rule.levels[at as usize];
        let heads = self.network.neighbours(at);
        let is_new = |at: usize| at == 0 || heads[at - 1] != heads[at];
        let is_above = |at: &usize| self.rule.levels[heads[*at] as usize] > level && is_new(*at);
        let mut parents = (0..heads.len()).filter(is_above);
        let pick = pick.checked_rem(parents.clone().count() as u64)?;
        parents.nth(pick as usize).map(|at| heads[at])
    }

    /// The way down in a tree whose switches of a level are alike and all in service.
    fn straight(&self, at: u32, down: u32) -> Option<u32> {
        let rule = self.rule;
        if down == FAR {
            let (digit, rest) = rule.digit(self.number, rule.levels[at as usize]);
            return self.parent(at, digit).and_then(|to| self.cable(at, to, rest));
        }
        let below = |u: &&u32| self.reach.down[**u as usize] == down - 1 && !rule.ranks.up(at, **u);
        let to = self.network.neighbours(at).iter().find(below);
        to.and_then(|&to| self.cable(at, to, rule.digit(self.number, rule.levels[to as usize]).1))
    }

    /// The port of full service if it is left and leads on as well as any, else one of those that do, by the digits that
    /// have not decided yet: the destinations of a port that failed spread evenly over the others. O(degree).
    fn round(&self, ports: &Ports, at: u32, down: u32) -> Option<u32> {
        let (rule, climbs) = (self.rule, down == FAR);
        let leads = |to: u32| rule.ranks.up(at, to) == climbs;
        // One hop less than from here, where only ways down count below the way's top.
        let left = |to: u32| if climbs { self.reach.legal[to as usize] } else { self.reach.down[to as usize] };
        let best = self.network.neighbours(at).iter().filter(|to| leads(**to)).map(|to| left(*to)).min()?;
        if best == FAR {
            return None;
        }
        let good = |to: u32| leads(to) && left(to) == best;
        let (digit, rest) = if climbs {
            rule.digit(self.number, rule.levels[at as usize])
        } else {
            let to = self.network.neighbours(at).iter().copied().find(|to| good(*to))?;
            (0, rule.digit(self.number, rule.levels[to as usize]).1)
        };
        // Downwards the switches that do not lead to the destination are no choice in full service either.
        let choice = |to: u32| if climbs { leads(to) } else { good(to) };
        let (wanted, cables) = ports.chosen(at, digit, rest, choice)?;
        if let Some(link) = wanted.filter(|link| good(self.network.heads()[*link as usize])) {
            return Some(link);
        }
        let others = || self.network.out_links(at).filter(|link| good(self.network.heads()[*link as usize]));
        others().nth((rest / cables).checked_rem(others().count() as u64)? as usize)
    }
}

impl Way for DModKWay<'_> {
    fn starts(&self, source: u32, out: &mut Vec<u64>) {
        out.extend(self.start(source, &mut 0));
    }

    fn start(&self, source: u32, _: &mut u64) -> Option<u64> {
        let leads = self.rule.ports.is_none() || self.reach.legal[source as usize] != FAR;
        leads.then_some(u64::from(source))
    }

    fn steps(&self, place: u64, out: &mut Vec<Step>) {
        let (at, down) = (place as u32, self.reach.down[place as usize]);
        let next = match &self.rule.ports {
            _ if down == 0 => None,
            None => self.straight(at, down),
            Some(ports) => self.round(ports, at, down),
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

/// True if `network` has levels and every cable joins two of them. O(links).
pub fn has_levels(network: &Network) -> bool {
    let levels = network.structure().levels.as_ref().filter(|l| l.len() == network.switches() as usize);
    let apart = |levels: &Vec<u8>| {
        let of = |s: &u32| levels[*s as usize];
        network.tails().iter().zip(network.heads()).all(|(a, b)| of(a) != of(b))
    };
    levels.is_some_and(apart)
}

fn build_d_mod_k(network: &Arc<Network>, bound: &Bound, label: &str) -> Outcome<Box<dyn Routing>> {
    network.require_joined()?;
    let (Some(depth), Some(levels)) =
        (depths(network), network.structure().levels.clone().filter(|_| has_levels(network)))
    else {
        let place = format!("{} on {}", bound.owner, network.label());
        let sentence = "needs a tree: levels of switches, and every cable from one to another";
        let hint =
            "use `single-minimal(tie=destination)`, which has one path per destination on any network, or `up-down`";
        return Err(Fault::say(&codes::NO_TREE, place, sentence).hint(hint).into());
    };
    let alike = network.structure().tree.is_some() && network.failed().is_none();
    let ports = Ports::of(network);
    let top = levels.iter().copied().max().unwrap_or(0);
    let mut parents = vec![1u64; usize::from(top) + 1];
    for s in 0..network.switches() {
        let level = levels[s as usize];
        let above = ports.heads(s).filter(|to| levels[*to as usize] > level).count();
        let most = &mut parents[usize::from(level)];
        *most = (*most).max(above as u64);
    }
    let mut below = vec![1u64; parents.len()];
    for level in 1..below.len() {
        below[level] = below[level - 1].saturating_mul(parents[level - 1]);
    }
    let rule = DModK {
        ranks: Ranks::new(&depth),
        levels,
        parents,
        below,
        by_endpoint: bound.text("by") == "endpoint",
        position: positions(network),
        ports: (!alike).then_some(ports),
    };
    Ok(Box::new(Ruled {
        network: network.clone(),
        label: label.into(),
        rule: Box::new(rule),
        hop_channels: None,
        split: Split::Paths,
        limit: 1,
    }))
}

/// Place of every endpoint in the order of the switches; `None` if that is its number. Shifts are free of contention
/// where the endpoints of a switch follow each other.
fn positions(network: &Network) -> Option<Vec<u32>> {
    if network.endpoint_switch().is_sorted() {
        return None;
    }
    let mut position = vec![0; network.endpoints() as usize];
    let order = (0..network.switches()).flat_map(|s| network.endpoints_of(s));
    (0..).zip(order).for_each(|(at, endpoint)| position[*endpoint as usize] = at);
    Some(position)
}
