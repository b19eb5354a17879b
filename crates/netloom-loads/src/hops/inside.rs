//! Messages that stay inside a node: no network carries them.

use netloom_model::schedule::{BlockRange, Blocks, CyclicRound, Partner, RankGrid, Transfer};
use netloom_model::{Outcome, Schedule, Workload};
use rayon::prelude::*;

/// Messages and bytes between ranks of one node, `node_of_rank` having a node for each rank. O(messages) for lists; for
/// cyclic rounds O(ranks × least of rounds and ranks on a node).
///
/// # Errors
/// Those of [`Workload::traffic`].
pub fn inside(workload: &Workload, node_of_rank: &[u32]) -> Outcome<(u64, u128)> {
    let within = |src: u32, dst: u32| node_of_rank[src as usize] == node_of_rank[dst as usize];
    Ok(match workload.schedule() {
        Some(schedule) => {
            let list = schedule.rounds.listed();
            let bytes = |t: &Transfer| sum(schedule.blocks, list.held(t));
            let listed = add(list.transfers.par_iter().filter(|t| within(t.src, t.dst)).map(|t| (1, bytes(t))));
            let cyclic = cyclic(schedule, schedule.rounds.cyclic(), node_of_rank);
            (listed.0 + cyclic.0, listed.1 + cyclic.1)
        }
        None => {
            let traffic = workload.traffic()?;
            let of_node = traffic.flows().par_iter().filter(|f| within(f.src, f.dst));
            add(of_node.map(|f| (f.messages, u128::from(f.bytes))))
        }
    })
}

fn sum(blocks: Blocks, held: &[BlockRange]) -> u128 {
    held.iter().map(|range| u128::from(blocks.bytes(*range))).sum()
}

fn add(parts: impl ParallelIterator<Item = (u64, u128)>) -> (u64, u128) {
    parts.reduce(|| (0, 0), |a, b| (a.0 + b.0, a.1 + b.1))
}

fn cyclic(schedule: &Schedule, rounds: &[CyclicRound], node_of_rank: &[u32]) -> (u64, u128) {
    let ranks = schedule.ranks.max(1);
    if schedule.channels > 1 || !schedule.order.is_plain() {
        return of_channels(schedule, rounds, node_of_rank);
    }
    let by_node = sorted(node_of_rank);
    let finder = Finder::of(schedule);
    let of_node = |mates: &[u32]| {
        let one = |src: u32, round: &CyclicRound| (1, u128::from(schedule.cyclic_bytes(round, 0, src)));
        let (mut messages, mut bytes) = (0, 0);
        let mut count = |(m, b): (u64, u128)| {
            messages += m;
            bytes += b;
        };
        if rounds.len() < mates.len() {
            let node = node_of_rank[mates[0] as usize];
            for (&src, round) in mates.iter().flat_map(|src| rounds.iter().map(move |round| (src, round))) {
                if node_of_rank[round.partner.of(src, ranks) as usize] == node {
                    count(one(src, round));
                }
            }
        } else {
            for (&src, &dst) in mates.iter().flat_map(|src| mates.iter().map(move |dst| (src, dst))) {
                finder.between(src, dst).for_each(|round| count(one(src, &rounds[round as usize])));
            }
        }
        (messages, bytes)
    };
    let nodes: Vec<&[u32]> = by_node.chunk_by(|a, b| node_of_rank[*a as usize] == node_of_rank[*b as usize]).collect();
    add(nodes.par_iter().map(|mates| of_node(mates)))
}

/// Where channels go through the ranks in orders of their own. O(channels × ranks × partners), and rounds where sizes differ.
fn of_channels(schedule: &Schedule, rounds: &[CyclicRound], node_of_rank: &[u32]) -> (u64, u128) {
    let even = schedule.blocks.are_even();
    // By partner: its rounds, and their bytes.
    let mut partners: Vec<(Partner, Vec<&CyclicRound>)> = Vec::new();
    for round in rounds {
        match partners.iter_mut().find(|(partner, _)| *partner == round.partner) {
            Some((_, own)) => own.push(round),
            None => partners.push((round.partner, vec![round])),
        }
    }
    let of_rank = |(channel, rank): (u32, u32)| {
        let position = schedule.position_of(channel, rank);
        let (mut messages, mut bytes) = (0, 0);
        for (partner, own) in &partners {
            let to = schedule.rank_at(channel, partner.of(position, schedule.ranks));
            if node_of_rank[to as usize] != node_of_rank[rank as usize] {
                continue;
            }
            messages += own.len() as u64;
            bytes += match even {
                true => own.iter().map(|round| u128::from(round.bytes)).sum::<u128>(),
                false => own.iter().map(|r| u128::from(schedule.cyclic_bytes(r, channel, position))).sum(),
            };
        }
        (messages, bytes)
    };
    let all = (0..schedule.channels).into_par_iter();
    add(all.flat_map(|channel| (0..schedule.ranks).into_par_iter().map(move |rank| (channel, rank))).map(of_rank))
}

/// Ranks by node, each node's in order; without work where they are so already.
fn sorted(node_of_rank: &[u32]) -> Vec<u32> {
    let mut ranks: Vec<u32> = (0..node_of_rank.len() as u32).collect();
    if !node_of_rank.is_sorted() {
        ranks.par_sort_unstable_by_key(|&rank| (node_of_rank[rank as usize], rank));
    }
    ranks
}

/// The cyclic rounds in which the rank at one position sends to that at another.
pub(super) struct Finder {
    ranks: u32,
    /// Rounds by shift and by exclusive or, each ascending.
    shifts: Vec<(u32, u32)>,
    xors: Vec<(u32, u32)>,
    /// By offset on each grid.
    grids: Vec<(RankGrid, Vec<(u32, u32)>)>,
}

impl Finder {
    fn new(rounds: &[CyclicRound], ranks: u32) -> Finder {
        let mut made = Finder { ranks, shifts: Vec::new(), xors: Vec::new(), grids: Vec::new() };
        for (number, round) in (0..).zip(rounds) {
            match round.partner {
                Partner::Shift(k) => made.shifts.push((k % ranks, number)),
                Partner::Xor(k) => made.xors.push((k, number)),
                Partner::Grid(k, grid) => match made.grids.iter_mut().find(|there| there.0 == grid) {
                    Some((_, rounds)) => rounds.push((k, number)),
                    None => made.grids.push((grid, vec![(k, number)])),
                },
            }
        }
        made.shifts.sort_unstable();
        made.xors.sort_unstable();
        made.grids.iter_mut().for_each(|(_, rounds)| rounds.sort_unstable());
        made
    }

    pub fn of(schedule: &Schedule) -> Finder {
        Finder::new(schedule.rounds.cyclic(), schedule.ranks.max(1))
    }

    pub fn between(&self, src: u32, dst: u32) -> impl Iterator<Item = u32> + '_ {
        let shift = if dst >= src { dst - src } else { dst + (self.ranks - src) };
        let grids = self.grids.iter().flat_map(move |(grid, rounds)| at(rounds, grid.offset(src, dst)));
        at(&self.shifts, shift).chain(at(&self.xors, src ^ dst)).chain(grids)
    }
}

/// Rounds of that key.
fn at(rounds: &[(u32, u32)], key: u32) -> impl Iterator<Item = u32> {
    let first = rounds.partition_point(|round| round.0 < key);
    rounds[first..].iter().take_while(move |round| round.0 == key).map(|round| round.1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use netloom_model::Traffic;

    #[test]
    fn rounds_are_counted_as_their_list() {
        for (call, ranks, bytes) in [
            ("alltoall:pairwise", 16, 100),
            ("alltoall:pairwise", 12, 7),
            ("allgather:ring", 24, 1000),
            ("allreduce:recursive-doubling", 32, 1000),
            ("broadcast:binomial", 20, 10),
            ("reduce-scatter:ring", 12, 1001),
        ] {
            let call = netloom_model::Call::parse(call).unwrap();
            let schedule = netloom_workload::registry::build(&call, ranks, 0, bytes).unwrap();
            for node_of_rank in [
                (0..ranks as u32).collect::<Vec<_>>(),
                (0..ranks as u32).map(|r| r / 4).collect(),
                (0..ranks as u32).map(|r| r * 7 % 3).collect(),
                vec![5; ranks as usize],
            ] {
                let mut expected = (0, 0);
                schedule.for_each_message(|m| {
                    if node_of_rank[m.src as usize] == node_of_rank[m.dst as usize] {
                        expected = (expected.0 + 1, expected.1 + u128::from(m.bytes));
                    }
                });
                let workload = Workload::from(schedule.clone());
                assert_eq!(inside(&workload, &node_of_rank).unwrap(), expected, "{}", schedule.label);
                let traffic: Traffic = (*workload.traffic().unwrap()).clone();
                assert_eq!(inside(&Workload::from(traffic), &node_of_rank).unwrap(), expected);
            }
        }
    }
}
