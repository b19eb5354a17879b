//! Up*/down* routing on any network.

use std::sync::Arc;

use netloom_model::fault::Fault;
use netloom_model::{Bound, Kind, Network, Outcome, Param, Routing, Split, Step, Way};

use super::balanced::Balanced;
use super::closed::TreeForm;
use super::codes;
use super::distances::{FAR, search};
use super::minimal::LIMIT;
use super::ranks::{Lookup, Ranks};
use super::row::RoutingRow;
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
    fn is_searched(&self) -> bool {
        self.ranks.is_searched()
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

/// Levels with the top at 0, if the network has them.
pub(super) fn depths(network: &Network) -> Option<Vec<u32>> {
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
