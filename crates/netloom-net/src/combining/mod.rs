//! Trees of switches for in-network collectives: which switches of a network combine what the ranks of a job send, and on
//! which links.
//!
//! Ranks hang below the nearest switch that combines: in a node with several of them the one inside it, else one of the
//! fabric. The root is as near as possible to the farthest of these switches; where several are, and where a switch has
//! several ways up, the channels take them in turn. GPUs and NICs that are switches of the network pass on. A multicast has
//! the tree of shortest paths from the switch of its root, or one path through all switches ([`CombiningShape`]).

mod kinds;
mod paths;
mod routing;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use netloom_model::combining::ROOT;
use netloom_model::{Combining, CombiningShape, CombiningTree, Fault, Network, Outcome};

use crate::codes;
use kinds::Kinds;
use paths::Paths;
pub use routing::CombiningRouting;

/// Trees on a network, one for each channel.
pub struct Combined {
    /// Ranks are numbered as in the job.
    pub trees: Vec<CombiningTree>,
    /// Of each tree, the switch of the network that each of its switches is.
    pub switches: Vec<Vec<u32>>,
    /// The links of the trees.
    pub routing: Arc<CombiningRouting>,
}

/// Trees for ranks on these endpoints of a network with switches that combine; those of a shape that begins somewhere begin
/// at the switch of rank `root`. O(channels · (switches + links)); a path through switches that are not next to each other
/// looks for the nearest one, which takes up to O(switches + links) each.
///
/// # Errors
/// `NL-N018` if no switch combines, or those that do do not join the ranks.
pub fn combined(
    network: &Network,
    combining: Combining,
    endpoints: &[u32],
    (shape, root): (CombiningShape, u32),
    channels: u32,
) -> Outcome<Combined> {
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
    let start = endpoints.get(root as usize).map_or(0, home);
    let centres = match shape {
        CombiningShape::Central => made.centres(&joined).ok_or_else(|| apart(network, combining))?,
        CombiningShape::Shortest | CombiningShape::Path => vec![start],
    };
    let (mut trees, mut switches) = (Vec::new(), Vec::new());
    for channel in 0..channels {
        let root = centres[channel as usize % centres.len()];
        let above = match shape {
            CombiningShape::Central => made.below(root, &joined, channel),
            CombiningShape::Shortest => made.spread(root, &joined, channel),
            CombiningShape::Path => made.one_after_another(root, &joined),
        };
        let above = above.ok_or_else(|| apart(network, combining))?;
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
