//! What is written for Slurm's other topology plugins.

use netloom_model::{Faults, Network, Outcome};

use super::write::{Plan, cannot};
use crate::codes;
use crate::hostlist::fold_hostlist;
use netloom_model::Fault;

/// Most nodes of a ring.
const RING: u32 = 16;

/// A block for the endpoints of each switch that has some; larger sizes where all units of a level or all groups are a
/// power of two of these. O(switches + endpoints).
pub fn blocks(network: &Network, names: &[String], hosts: &[String]) -> Outcome<Plan> {
    let leaves: Vec<u32> = (0..network.switches()).filter(|&s| !network.endpoints_of(s).is_empty()).collect();
    let Some(least) = leaves.iter().map(|&s| network.endpoints_of(s).len() as u64).min() else {
        return Err(cannot(network, "the network has no endpoint"));
    };
    let mut sizes = vec![least];
    // Leaves that follow each other in a unit: the blocks of a larger one must.
    let unit = unit_of(network);
    let mut runs: Vec<u64> = Vec::new();
    let mut last = None;
    for &leaf in &leaves {
        match (runs.last_mut(), last == Some(unit[leaf as usize])) {
            (Some(run), true) => *run += 1,
            _ => runs.push(1),
        }
        last = Some(unit[leaf as usize]);
    }
    if let Some(&each) = runs.first().filter(|each| **each > 1 && each.is_power_of_two())
        && runs.iter().all(|run| *run == each)
    {
        sizes.push(least * each);
    }
    let list = |&s: &u32| {
        let nodes: Vec<String> = network.endpoints_of(s).iter().map(|&e| hosts[e as usize].clone()).collect();
        (names[s as usize].clone(), fold_hostlist(&nodes))
    };
    Ok(Plan::Block(sizes, leaves.iter().map(list).collect()))
}

/// Group of every switch: the network's own, or the lowest switch to which a leaf is linked upwards.
fn unit_of(network: &Network) -> Vec<u32> {
    match (&network.structure().groups, &network.structure().levels) {
        (Some(groups), _) => groups.clone(),
        (None, Some(levels)) => (0..network.switches())
            .map(|s| {
                let above = network.neighbours(s).iter().filter(|&&t| levels[t as usize] > levels[s as usize]);
                above.copied().min().unwrap_or(u32::MAX)
            })
            .collect(),
        (None, None) => vec![0; network.switches() as usize],
    }
}

/// A ring of switches with one endpoint each.
pub fn ring(network: &Network, hosts: &[String]) -> Outcome<Plan> {
    let n = network.switches();
    let one_each = network.endpoints() == n && (0..n).all(|s| network.endpoints_of(s).len() == 1);
    let cannot =
        || cannot(network, &format!("the network is no ring of at most {RING} switches with an endpoint each"));
    let two = |s| network.neighbours(s).len() == if n > 2 { 2 } else { 1 };
    if !(2..=RING).contains(&n) || !one_each || !(0..n).all(two) {
        return Err(cannot());
    }
    let mut order = vec![0u32];
    let mut before = u32::MAX;
    while order.len() < n as usize {
        let at = order[order.len() - 1];
        let Some(&next) = network.neighbours(at).iter().find(|&&t| t != before && !order.contains(&t)) else { break };
        before = at;
        order.push(next);
    }
    if order.len() < n as usize {
        return Err(cannot());
    }
    let nodes: Vec<String> =
        order.iter().flat_map(|&s| network.endpoints_of(s)).map(|&e| hosts[e as usize].clone()).collect();
    Ok(Plan::Ring(fold_hostlist(&nodes)))
}

/// A torus of three extents with one endpoint on each switch.
pub fn torus(network: &Network, hosts: &[String]) -> Outcome<Plan> {
    let grid = network.structure().grid.as_ref().filter(|grid| !grid.complete);
    let one_each = network.endpoint_switch().iter().enumerate().all(|(e, s)| e == *s as usize);
    let Some(&[z, y, x]) =
        grid.map(|grid| &grid.dims[..]).filter(|_| one_each && network.endpoints() == network.switches())
    else {
        return Err(cannot(network, "the network is no torus of three extents with an endpoint on each switch"));
    };
    if grid.is_some_and(|grid| grid.wrap.iter().zip(&grid.dims).any(|(wrap, extent)| !wrap && *extent > 2)) {
        return Err(cannot(network, "an extent of the network is not closed to a ring"));
    }
    Ok(Plan::Torus([x, y, z], fold_hostlist(hosts)))
}

/// A torus has no words in `topology.conf`.
pub fn not_in_conf(network: &Network) -> Faults {
    Fault::say(&codes::CANNOT_EXPRESS, network.label(), "a torus stands in topology.yaml only")
        .hint("write slurm-yaml")
        .into()
}
