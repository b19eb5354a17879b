//! Groups of ranks that talk most, onto endpoints in the order of their numbers.
//!
//! Exchanges of two ranks cannot move a group: a search that begins with scattered ranks builds some groups around what it
//! happens to find and freezes. Here groups grow from single ranks upwards (heavy-edge matching, Karypis and Kumar 1998; groups
//! of a node's size as in TreeMatch, Jeannot and Mercier 2010). Topologies number the endpoints of a node, a switch, a
//! group or pod one after another, so that groups of groups end on them. It looks neither at hops nor at links.

#[cfg(test)]
mod tests;

use netloom_model::{Kind, Outcome, Param};

use crate::prepared::Prepared;
use crate::problem::TracePoint;
use crate::row::{Optimiser, OptimiserRow, Run};
use crate::walk::Found;

pub const ROW: OptimiserRow = OptimiserRow {
    name: "gather",
    aliases: &["cluster"],
    summary: "Groups of ranks that talk most grow from pairs upwards and take the endpoints in the order of their numbers.",
    params: &[Param::optional(
        "size",
        Kind::Int { min: 1, max: 1 << 26 },
        "",
        "ranks of a group that belongs on one node; if absent the ranks of an endpoint, or the GPUs of a node",
    )],
    example: "gather(size=8)",
    restrictions: "",
    source: "heavy-edge matching of Karypis and Kumar 1998; groups of a node's size as in Jeannot and Mercier 2010",
    build: Optimiser { run, leads: false },
};

fn run(run: &Run<'_>) -> Outcome<Found> {
    let size = run.args.int_or_none("size").map(|size| size.unsigned_abs());
    Ok(better(run, size).unwrap_or_else(|| run.walk().finish()))
}

/// The groups, if they are better than the start. O(flows log flows log ranks) and one value of the objective.
pub(crate) fn better(run: &Run<'_>, size: Option<u64>) -> Option<Found> {
    if run.progress.stopped() {
        return None;
    }
    let found = run.walk_from(&slots(run.prepared, size)).finish();
    (found.value < run.objective.value()).then(|| continued(run, found))
}

/// What began at the groups, as a search that began at the start: these were its first evaluation and move.
pub(crate) fn continued(run: &Run<'_>, mut found: Found) -> Found {
    found.trace.iter_mut().for_each(|point| point.evaluations += 1);
    found.trace.insert(0, TracePoint { evaluations: 0, value: run.objective.value() });
    (found.evaluations, found.accepted) = (found.evaluations + 1, found.accepted + 1);
    found
}

/// True if endpoints have a node, a switch or a pod in common that groups of ranks can share.
pub(crate) fn applies(prepared: &Prepared<'_>) -> bool {
    let structure = prepared.problem.network.structure();
    prepared.problem.per_node() > 1 || (prepared.switches.len() as u32) < prepared.slots() || structure.groups.is_some()
}

/// Slot of every rank: the slots of the start in the order of their endpoints, ranks in the order of their groups.
pub(crate) fn slots(prepared: &Prepared<'_>, size: Option<u64>) -> Vec<u32> {
    let mut slots = prepared.slot_of_rank.clone();
    slots.sort_unstable_by_key(|slot| (prepared.endpoints[*slot as usize], *slot));
    let size = size.unwrap_or(u64::from(prepared.problem.per_node()));
    let mut of_rank = slots.clone();
    for (rank, slot) in order(prepared, size).into_iter().zip(slots) {
        of_rank[rank as usize] = slot;
    }
    of_rank
}

/// An undirected edge between two groups, the lower one first, and its weight.
type GroupEdge = (u32, u32, i64);

/// All ranks, those of a group one after another, on every level of groups.
fn order(prepared: &Prepared<'_>, size: u64) -> Vec<u32> {
    let guest = &prepared.guest;
    let row = |u: u32| guest.row(u).map(move |at| (u, guest.neighbours[at], guest.weights[at]));
    let mut edges: Vec<GroupEdge> = (0..prepared.ranks()).flat_map(row).filter(|e| e.0 < e.1).collect();
    let mut groups: Vec<Vec<u32>> = (0..prepared.ranks()).map(|rank| vec![rank]).collect();
    let mut factors = prime_factors(size).into_iter();
    while groups.len() > 1 {
        let parts = joined(groups.len() as u32, &mut edges, factors.next().unwrap_or(2));
        let mut group_of = vec![0; groups.len()];
        for (group, members) in parts.iter().enumerate() {
            members.iter().for_each(|member| group_of[*member as usize] = group as u32);
        }
        groups =
            parts.iter().map(|members| members.iter().flat_map(|m| groups[*m as usize].clone()).collect()).collect();
        edges = merged(&edges, &group_of);
    }
    groups.concat()
}

/// The edges between groups, sorted by these.
fn merged(edges: &[GroupEdge], group_of: &[u32]) -> Vec<GroupEdge> {
    let of = |&(u, v, weight): &GroupEdge| {
        let (a, b) = (group_of[u as usize], group_of[v as usize]);
        (a.min(b), a.max(b), weight)
    };
    let mut all: Vec<GroupEdge> = edges.iter().map(of).filter(|e| e.0 != e.1).collect();
    all.sort_unstable_by_key(|e| u64::from(e.0) << 32 | u64::from(e.1));
    all.dedup_by(|next, kept| {
        let same = (next.0, next.1) == (kept.0, kept.1);
        if same {
            kept.2 += next.2;
        }
        same
    });
    all
}

/// Sets of `size` groups: the heaviest edge between free ones begins a set, and what it talks to most joins it. Those left over
/// form sets in the order of their numbers. The edges come sorted by groups and leave by weight.
fn joined(groups: u32, edges: &mut [GroupEdge], size: usize) -> Vec<Vec<u32>> {
    let mut neighbours = vec![Vec::new(); groups as usize];
    for &(u, v, weight) in edges.iter() {
        neighbours[u as usize].push((v, weight));
        neighbours[v as usize].push((u, weight));
    }
    // Stable: equal ones stay in the order of their groups.
    edges.sort_by_key(|edge| std::cmp::Reverse(edge.2));
    let mut free = vec![true; groups as usize];
    let mut sets: Vec<Vec<u32>> = Vec::new();
    for &(u, v, _) in edges.iter() {
        if free[u as usize] && free[v as usize] {
            let mut set = vec![u, v];
            (free[u as usize], free[v as usize]) = (false, false);
            while set.len() < size
                && let Some(next) = closest(&set, &neighbours, &free)
            {
                free[next as usize] = false;
                set.push(next);
            }
            sets.push(set);
        }
    }
    let (mut whole, short): (Vec<_>, Vec<_>) = sets.into_iter().partition(|set| set.len() == size);
    let alone = (0..groups).filter(|group| free[*group as usize]);
    let rest: Vec<u32> = short.into_iter().flatten().chain(alone).collect();
    whole.sort_unstable();
    whole.extend(rest.chunks(size).map(<[u32]>::to_vec));
    whole
}

/// The free group that a set talks to most, the lowest of equals.
fn closest(set: &[u32], neighbours: &[Vec<(u32, i64)>], free: &[bool]) -> Option<u32> {
    let mut sums = std::collections::BTreeMap::new();
    for &(other, weight) in set.iter().flat_map(|member| &neighbours[*member as usize]) {
        if free[other as usize] {
            *sums.entry(other).or_insert(0) += weight;
        }
    }
    sums.into_iter().min_by_key(|&(other, weight)| (-weight, other)).map(|(other, _)| other)
}

/// The largest first, so that what remains to be joined is pairs.
fn prime_factors(mut number: u64) -> Vec<usize> {
    let mut factors = Vec::new();
    let mut prime = 2;
    while prime * prime <= number {
        while number.is_multiple_of(prime) {
            factors.push(prime as usize);
            number /= prime;
        }
        prime += 1;
    }
    factors.extend((number > 1).then_some(number as usize));
    factors.reverse();
    factors
}
