//! What is written for Slurm's other topology plugins.

use netloom_model::{Faults, Network, Outcome};

use super::plugins::{ALL, OF_SIZE};
use super::write::{Plan, cannot};
use crate::codes;
use crate::hostlist::fold_hostlist;
use netloom_model::Fault;

/// Most nodes of a ring.
const RING: u32 = 16;

/// A block for the endpoints of each switch that has some; larger sizes where the units of a level or the groups hold a power of
/// two of these, the last of them perhaps fewer. A file of blocks has its sizes again. O(levels · (switches + links)).
pub fn blocks(network: &Network, names: &[String], hosts: &[String]) -> Outcome<Plan> {
    let leaves: Vec<u32> = (0..network.switches()).filter(|&s| !network.endpoints_of(s).is_empty()).collect();
    let Some(least) = leaves.iter().map(|&s| network.endpoints_of(s).len() as u64).min() else {
        return Err(cannot(network, "the network has no endpoint"));
    };
    let (mut base, mut runs) = (None, vec![1]);
    let mut units: Vec<u32> = leaves.clone();
    let around = |units: &[u32]| units.iter().map(|unit| above(network, *unit)).collect::<Option<Vec<u32>>>();
    while let Some(above) = around(&units) {
        let name = if network.structure().groups.is_some() { String::new() } else { network.switch_name(above[0]) };
        if let Some(size) = name.strip_prefix(ALL) {
            base = base.or(size.parse().ok());
            break;
        }
        let Some(run) = run(&above).filter(|run| runs.last() < Some(run)) else { break };
        runs.push(run);
        let size = name.strip_prefix(OF_SIZE).and_then(|rest| rest.split_once('-')?.0.parse().ok());
        base = base.or(size.filter(|size: &u64| size.is_multiple_of(run)).map(|size| size / run));
        if run >= leaves.len() as u64 || network.structure().levels.is_none() || network.structure().groups.is_some() {
            break;
        }
        units = above;
    }
    let base = base.filter(|base| (1..=least).contains(base)).unwrap_or(least);
    let list = |&s: &u32| {
        let nodes: Vec<String> = network.endpoints_of(s).iter().map(|&e| hosts[e as usize].clone()).collect();
        (names[s as usize].clone(), fold_hostlist(&nodes))
    };
    Ok(Plan::Block(runs.iter().map(|run| run * base).collect(), leaves.iter().map(list).collect()))
}

/// The unit around a switch: the network's own group, or the lowest switch that it is linked upwards to; without either, one
/// for all. None at the top.
fn above(network: &Network, switch: u32) -> Option<u32> {
    match (&network.structure().groups, &network.structure().levels) {
        (Some(groups), _) => Some(groups[switch as usize]),
        (None, Some(levels)) => {
            let higher = |t: &&u32| levels[**t as usize] > levels[switch as usize];
            network.neighbours(switch).iter().filter(higher).min().copied()
        }
        (None, None) => Some(0),
    }
}

/// How many leaves that follow each other are in one unit: a power of two, the same in all units but perhaps the last.
fn run(units: &[u32]) -> Option<u64> {
    let runs: Vec<u64> = units.chunk_by(|a, b| a == b).map(|run| run.len() as u64).collect();
    let (last, others) = runs.split_last()?;
    let each = others.first().copied().unwrap_or(*last);
    let even = others.iter().all(|run| *run == each) && *last <= each;
    (even && each > 1 && each.is_power_of_two()).then_some(each)
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

/// What names the shape of a ring or torus that no tree holds; none for other networks.
pub fn instead(network: &Network, hosts: &[String]) -> Option<Faults> {
    let hint = match (ring(network, hosts), torus(network, hosts)) {
        (Ok(_), _) => "the plugin ring holds it: write slurm(shape=ring) or slurm-yaml(shape=ring)",
        (_, Ok(_)) => "the plugin torus3d holds it: write slurm-yaml(shape=torus3d)",
        _ => return None,
    };
    let sentence = "the network's cables form no tree, so it is no Slurm tree";
    Some(Fault::say(&codes::CANNOT_EXPRESS, network.label(), sentence).hint(hint).into())
}

/// Boxes whose extents divide those of a torus, so that they fill it; the smallest first.
pub fn boxes(extents: [u32; 3]) -> Vec<[u32; 3]> {
    let [xs, ys, zs] =
        extents.map(|extent| (1..=extent).filter(|part| extent.is_multiple_of(*part)).collect::<Vec<_>>());
    let mut all: Vec<[u32; 3]> =
        zs.iter().flat_map(|z| ys.iter().flat_map(|y| xs.iter().map(|x| [*x, *y, *z])).collect::<Vec<_>>()).collect();
    all.sort_by_key(|[x, y, z]| u64::from(*x) * u64::from(*y) * u64::from(*z));
    all
}
