//! Trees of switches for in-network collectives: which switches of a network combine what the ranks of a job send, and on
//! which links.
//!
//! Ranks hang below the nearest switch that combines: in a node with several of them the one inside it, else one of the
//! fabric. The root is as near as possible to the farthest of these switches; where several are, and where a switch has
//! several ways up, the channels take them in turn. GPUs and NICs that are switches of the network pass on.

mod kinds;
mod routing;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use netloom_model::combining::ROOT;
use netloom_model::{Combining, CombiningTree, Fault, Network, Outcome};

use crate::codes;
use kinds::Kinds;
pub use routing::CombiningRouting;

/// Not reached.
const FAR: u32 = u32::MAX;

/// Trees on a network, one for each channel.
pub struct Combined {
    /// Ranks are numbered as in the job.
    pub trees: Vec<CombiningTree>,
    /// Of each tree, the switch of the network that each of its switches is.
    pub switches: Vec<Vec<u32>>,
    /// The links of the trees.
    pub routing: Arc<CombiningRouting>,
}

/// Trees for ranks on these endpoints of a network with switches that combine. O(channels · (switches + links)).
///
/// # Errors
/// `NL-N008` if no switch combines, or those that do do not join the ranks.
pub fn combined(network: &Network, combining: Combining, endpoints: &[u32], channels: u32) -> Outcome<Combined> {
    if network.structure().fly.is_some() {
        let sentence = "has links that go one way, and a tree of switches that combine sends both ways";
        let fault = Fault::say(&codes::NO_COMBINING, network.label(), sentence);
        return Err(fault.hint("take an algorithm without switches").into());
    }
    let kinds = Kinds::of(network, combining, endpoints);
    let mut made = Paths { network, kinds: &kinds, routing: CombiningRouting::default() };
    let mut homes = BTreeMap::new();
    for &endpoint in endpoints {
        let from = network.endpoint_switch()[endpoint as usize];
        if let std::collections::btree_map::Entry::Vacant(free) = homes.entry(from) {
            let home = made.home(from).ok_or_else(|| nothing(network, combining, endpoint))?;
            free.insert(home);
        }
    }
    let home = |endpoint: &u32| homes[&network.endpoint_switch()[*endpoint as usize]];
    let joined: BTreeSet<u32> = endpoints.iter().map(home).collect();
    let centres = made.centres(&joined).ok_or_else(|| apart(network, combining))?;
    let (mut trees, mut switches) = (Vec::new(), Vec::new());
    for channel in 0..channels {
        let root = centres[channel as usize % centres.len()];
        let above = made.below(root, &joined, channel).ok_or_else(|| apart(network, combining))?;
        let own: Vec<u32> = above.keys().copied().collect();
        let ranks = endpoints.len() as u32;
        let number = |switch: u32| ranks + own.partition_point(|other| *other < switch) as u32;
        let of_switches = above.values().map(|up| up.map_or(ROOT, number));
        let parents = endpoints.iter().map(|endpoint| number(home(endpoint))).chain(of_switches).collect();
        trees.push(CombiningTree::new(ranks, parents).ok_or_else(|| apart(network, combining))?);
        switches.push(own);
    }
    Ok(Combined { trees, switches, routing: Arc::new(made.routing) })
}

fn nothing(network: &Network, combining: Combining, endpoint: u32) -> Fault {
    let sentence = match combining {
        Combining::Absent => format!("no switch of {} combines messages", network.label()),
        _ => format!(
            "no switch that combines messages is next to endpoint {} (combining_switches is {})",
            network.endpoint_name(endpoint),
            combining.name()
        ),
    };
    let hint = "take another algorithm, or a machine whose [wire] has combining_switches = \"nodes\" (NVLink SHARP), \
                \"fabric\" (SHARP) or \"all\"";
    Fault::say(&codes::NO_COMBINING, "in-network", sentence).hint(hint)
}

fn apart(network: &Network, combining: Combining) -> Fault {
    let sentence = format!(
        "the switches of {} that combine messages (combining_switches is {}) do not join all ranks",
        network.label(),
        combining.name()
    );
    let hint = "use ranks of one node, a machine whose combining_switches are all, or another algorithm";
    Fault::say(&codes::NO_COMBINING, "in-network", sentence).hint(hint)
}

/// Paths over the switches that combine or pass on.
struct Paths<'a> {
    network: &'a Network,
    kinds: &'a Kinds,
    routing: CombiningRouting,
}

impl Paths<'_> {
    /// The nearest switch that combines, whose links there are kept.
    fn home(&mut self, from: u32) -> Option<u32> {
        let (mut queue, mut before) = (VecDeque::from([from]), BTreeMap::from([(from, None)]));
        while let Some(at) = queue.pop_front() {
            if self.kinds.combines(at) {
                let mut links: Vec<u32> = Vec::new();
                let mut end = at;
                while let Some(link) = before[&end] {
                    links.push(link);
                    end = self.network.tails()[link as usize];
                }
                links.reverse();
                self.keep(from, at, links);
                return Some(at);
            }
            for link in self.network.out_links(at) {
                let next = self.network.heads()[link as usize];
                if self.kinds.is_open(next) && !before.contains_key(&next) && self.kinds.passes(at) {
                    before.insert(next, Some(link));
                    queue.push_back(next);
                }
            }
        }
        None
    }

    /// Hops from a switch over those that combine or pass on.
    fn hops(&self, from: u32) -> Vec<u32> {
        let mut hops = vec![FAR; self.network.switches() as usize];
        hops[from as usize] = 0;
        let mut queue = VecDeque::from([from]);
        while let Some(at) = queue.pop_front() {
            for &next in self.network.neighbours(at) {
                if hops[next as usize] == FAR && self.kinds.is_open(next) {
                    hops[next as usize] = hops[at as usize] + 1;
                    queue.push_back(next);
                }
            }
        }
        hops
    }

    /// The switches that may be roots, ascending: those whose distance to the ends of a longest path is least. `None` if some
    /// of `joined` cannot be reached.
    fn centres(&self, joined: &BTreeSet<u32>) -> Option<Vec<u32>> {
        let farthest = |hops: &[u32]| joined.iter().copied().max_by_key(|s| (hops[*s as usize], std::cmp::Reverse(*s)));
        let first = *joined.first()?;
        let one = farthest(&self.hops(first))?;
        let from_one = self.hops(one);
        let other = farthest(&from_one)?;
        if from_one[other as usize] == FAR {
            return None;
        }
        let from_other = self.hops(other);
        let reach = |s: &u32| from_one[*s as usize].max(from_other[*s as usize]);
        let all = || (0..self.network.switches()).filter(|s| self.kinds.combines(*s));
        let least = all().map(|s| reach(&s)).min()?;
        Some(all().filter(|s| reach(s) == least).collect())
    }

    /// The tree below a root: of every switch that combines in it, the next one above. Its links are kept.
    fn below(&mut self, root: u32, joined: &BTreeSet<u32>, channel: u32) -> Option<BTreeMap<u32, Option<u32>>> {
        let hops = self.hops(root);
        let mut above = BTreeMap::from([(root, None)]);
        for &switch in joined {
            let mut at = switch;
            while !above.contains_key(&at) {
                let (mut links, mut end) = (Vec::new(), at);
                loop {
                    let link = self.up(end, &hops, channel)?;
                    links.push(link);
                    end = self.network.heads()[link as usize];
                    if self.kinds.combines(end) {
                        break;
                    }
                }
                self.keep(at, end, links);
                above.insert(at, Some(end));
                at = end;
            }
        }
        Some(above)
    }

    /// The link towards the root that a channel takes: switches in turn, then parallel links in turn.
    fn up(&self, at: u32, hops: &[u32], channel: u32) -> Option<u32> {
        let nearer: Vec<u32> = self
            .network
            .out_links(at)
            .filter(|link| {
                let next = self.network.heads()[*link as usize];
                hops[at as usize] != FAR && hops[next as usize] < hops[at as usize] && self.kinds.is_open(next)
            })
            .collect();
        nearer.get(channel as usize % nearer.len().max(1)).copied()
    }

    /// Keeps a path and the way back.
    fn keep(&mut self, from: u32, to: u32, links: Vec<u32>) {
        if from == to {
            return;
        }
        let back = links.iter().rev().map(|link| self.network.reverse()[*link as usize]).collect();
        self.routing.keep(from, to, links);
        self.routing.keep(to, from, back);
    }
}
