//! Cuts that the structure suggests: round one vertex, one switch with its endpoints, one group; prefixes of orders; and
//! partitions for the allreduce.

use netloom_model::{Collective, Progress};

use super::best::Best;
use super::machine::Machine;
use super::question::{CutQuestion, demand};
use crate::metrics::bisection::structured_orders;

/// Offers them all. O(links · orders).
pub fn offer(machine: &Machine<'_>, question: &CutQuestion, best: &mut Best, progress: &Progress) {
    singles(machine, question, best);
    for (_, order) in structured_orders(machine.network) {
        if progress.stopped() {
            return;
        }
        prefixes(machine, question, &order, best);
    }
    if let Some(groups) = groups(machine) {
        parts(machine, question, &groups, "round one group", "partition into groups", best);
    }
    if question.collective == Collective::Allreduce {
        ranks_apart(machine, best);
    }
}

/// Group of every switch, where the generator knows them.
fn groups(machine: &Machine<'_>) -> Option<Vec<u32>> {
    let groups = machine.network.structure().groups.as_ref()?;
    (groups.len() == machine.switches as usize).then(|| groups.clone())
}

/// Round one vertex with ranks, and round one switch with its endpoints.
fn singles(machine: &Machine<'_>, question: &CutQuestion, best: &mut Best) {
    let ranks = u64::from(machine.ranks);
    let root = machine.home[question.root as usize];
    for vertex in machine.home.iter().copied() {
        let weight = u64::from(machine.weight[vertex as usize]);
        let asked = demand(question, weight, ranks, vertex == root);
        best.offer(asked, machine.around[vertex as usize], 2, "round one endpoint", || only(machine, vertex));
    }
    let switches: Vec<u32> = (0..machine.switches).collect();
    parts(machine, question, &switches, "round one switch", "partition into switches", best);
}

fn only(machine: &Machine<'_>, vertex: u32) -> Vec<bool> {
    (0..machine.vertices).map(|v| v == vertex).collect()
}

/// Vertices whose switch satisfies `wanted`.
fn on_switches(machine: &Machine<'_>, wanted: impl Fn(u32) -> bool) -> Vec<bool> {
    (0..machine.vertices).map(|v| wanted(machine.switch_of(v))).collect()
}

/// Each part of the switches (with their endpoints) against the rest, and all parts against each other.
fn parts(
    machine: &Machine<'_>,
    question: &CutQuestion,
    part_of: &[u32],
    name: &'static str,
    all: &'static str,
    best: &mut Best,
) {
    let count = part_of.iter().max().map_or(0, |last| *last as usize + 1);
    // Groups are numbered densely; otherwise the partition is unknown.
    if count > machine.switches as usize {
        return;
    }
    let (mut capacity, mut inside) = (vec![0u64; count], vec![0u64; count]);
    for edge in &machine.edges {
        let (a, b) = (machine.switch_of(edge.a) as usize, machine.switch_of(edge.b) as usize);
        if part_of[a] != part_of[b] {
            capacity[part_of[a] as usize] += edge.there;
            capacity[part_of[b] as usize] += edge.there;
        }
    }
    for (switch, &here) in machine.below.iter().enumerate() {
        inside[part_of[switch] as usize] += u64::from(here);
    }
    let ranks = u64::from(machine.ranks);
    let root = part_of[machine.switch_of(machine.home[question.root as usize]) as usize];
    for part in 0..count {
        let asked = demand(question, inside[part], ranks, part == root as usize);
        best.offer(asked, capacity[part], 2, name, || {
            on_switches(machine, |switch| part_of[switch as usize] == part as u32)
        });
    }
    if question.collective == Collective::Allreduce {
        let held: Vec<usize> = (0..count).filter(|part| inside[*part] > 0).collect();
        let into: u64 = held.iter().map(|part| capacity[*part]).sum();
        let shares = held.len() as u64;
        best.offer(2 * shares.saturating_sub(1), into, shares as u32, all, Vec::new);
    }
}

/// Every vertex with ranks apart: the classic bound of the ring, 2 m (p-1) over p links.
fn ranks_apart(machine: &Machine<'_>, best: &mut Best) {
    let held: Vec<usize> = (0..machine.vertices as usize).filter(|v| machine.weight[*v] > 0).collect();
    let into = held.iter().map(|v| machine.around[*v]).sum();
    let shares = held.len() as u64;
    best.offer(2 * shares.saturating_sub(1), into, shares as u32, "partition into endpoints", Vec::new);
}

/// The first switches of an order, with their endpoints, against the others; every length.
fn prefixes(machine: &Machine<'_>, question: &CutQuestion, order: &[u32], best: &mut Best) {
    let mut place = vec![0u32; order.len()];
    for (at, &switch) in order.iter().enumerate() {
        place[switch as usize] = at as u32;
    }
    // The contribution of an edge to the cut begins at its nearer end and stops at its farther one.
    let mut change = vec![0i128; order.len() + 1];
    for edge in &machine.edges {
        let (a, b) = (machine.switch_of(edge.a), machine.switch_of(edge.b));
        let (first, last) = (place[a as usize].min(place[b as usize]), place[a as usize].max(place[b as usize]));
        change[first as usize] += i128::from(edge.there);
        change[last as usize] -= i128::from(edge.there);
    }
    let ranks = u64::from(machine.ranks);
    let root = place[machine.switch_of(machine.home[question.root as usize]) as usize];
    let (mut capacity, mut inside) = (0i128, 0u64);
    for (at, &switch) in order.iter().enumerate() {
        capacity += change[at];
        inside += u64::from(machine.below[switch as usize]);
        let asked = demand(question, inside, ranks, root as usize <= at);
        best.offer(asked, capacity as u64, 2, "between two parts of the switches", || {
            on_switches(machine, |s| place[s as usize] as usize <= at)
        });
    }
}
