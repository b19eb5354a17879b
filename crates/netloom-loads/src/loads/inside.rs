//! Bytes on the links inside nodes: a message between two ranks has one route there.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};

use netloom_model::{Fault, Hosts, Node, Outcome, Place, Progress, Sends, ToAll};
use rayon::prelude::*;

use super::Job;
use crate::codes;

/// Ranks per unit of parallel work.
const CHUNK: usize = 256;

/// What node links carry.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Inside {
    /// By number of the node link.
    pub bytes: Vec<u64>,
    /// Messages that stay inside a node, and their bytes; those of a rank to itself do not count.
    pub messages: u64,
    pub within_bytes: u64,
}

/// Bytes between two endpoints of one machine. O(messages), or O(ranks) where all send to all.
pub fn between_endpoints(machines: &Hosts, jobs: &[Job<'_>]) -> u64 {
    let of_job = |job: &Job<'_>| {
        if let Some(all) = job.sends.to_all() {
            return near(&all.bytes, |rank| machines.host(job.endpoint_of_rank[rank]))
                - near(&all.bytes, |rank| job.endpoint_of_rank[rank]);
        }
        let of_rank = |(rank, &from): (usize, &u32)| {
            let mut sum = 0;
            job.sends.for_each_summed(rank as u32, &mut |to, _, bytes| {
                let to = job.endpoint_of_rank[to as usize];
                sum += if from != to && machines.host(from) == machines.host(to) { bytes } else { 0 };
            });
            sum
        };
        job.endpoint_of_rank.par_iter().enumerate().with_min_len(CHUNK).map(of_rank).sum::<u64>()
    };
    jobs.iter().map(of_job).sum()
}

/// Bytes between the ranks of each group, if every rank sends all others these bytes.
fn near(bytes: &[u64], group: impl Fn(usize) -> u32) -> u64 {
    let mut groups: BTreeMap<u32, (u64, u64)> = BTreeMap::new();
    for (rank, bytes) in bytes.iter().enumerate() {
        let (ranks, sum) = groups.entry(group(rank)).or_default();
        (*ranks, *sum) = (*ranks + 1, sum.saturating_add(*bytes));
    }
    groups.values().fold(0, |all, (ranks, sum)| sum.saturating_mul(ranks - 1).saturating_add(all))
}

/// Bytes on the node links of a network with so many endpoints. Jobs are what they send and where their ranks sit.
/// O(messages × levels), where all send to all O(ranks × ranks of a node × levels); 8 bytes per node link.
///
/// # Errors
/// `NL-E004` if stopped.
pub fn inside(node: &Node, endpoints: u32, jobs: &[(&dyn Sends, &[Place])], progress: &Progress) -> Outcome<Inside> {
    let links = node.count(endpoints) as usize * node.links_per_node() as usize;
    let fresh = || AtomicU64::new(0);
    let sums = NodeSums { bytes: (0..links).map(|_| fresh()).collect(), messages: fresh(), within: fresh() };
    for (sends, places) in jobs {
        match sends.to_all() {
            Some(all) => everyone(node, places, &all, &sums, progress),
            None => each(node, places, *sends, &sums, progress),
        }
    }
    if progress.stopped() {
        return Err(Fault::say(&codes::STOPPED, "loads", "counting bytes in nodes was stopped before the end").into());
    }
    Ok(Inside {
        bytes: sums.bytes.into_iter().map(AtomicU64::into_inner).collect(),
        messages: sums.messages.into_inner(),
        within_bytes: sums.within.into_inner(),
    })
}

/// What all threads add to.
struct NodeSums {
    bytes: Vec<AtomicU64>,
    messages: AtomicU64,
    within: AtomicU64,
}

impl NodeSums {
    fn put(&self, links: &[u32], bytes: u64) {
        for &link in links {
            self.bytes[link as usize].fetch_add(bytes, Ordering::Relaxed);
        }
    }

    fn stay(&self, messages: u64, bytes: u64) {
        self.messages.fetch_add(messages, Ordering::Relaxed);
        self.within.fetch_add(bytes, Ordering::Relaxed);
    }
}

/// Message by message.
fn each(node: &Node, places: &[Place], sends: &dyn Sends, sums: &NodeSums, progress: &Progress) {
    places.par_chunks(CHUNK).enumerate().for_each_init(Vec::new, |route, (chunk, part)| {
        for (rank, src) in part.iter().enumerate().map(|(at, place)| (chunk * CHUNK + at, *place)) {
            if progress.stopped() {
                return;
            }
            sends.for_each_summed(rank as u32, &mut |to, count, sent| {
                let dst = places[to as usize];
                if node.of(src.endpoint) == node.of(dst.endpoint) && src != dst {
                    sums.stay(count, sent);
                }
                route.clear();
                node.route(src, dst, route);
                sums.put(route, sent);
            });
        }
    });
}

/// Node by node: all messages of a rank to other nodes have one route to its NIC, and one from there to it.
fn everyone(node: &Node, places: &[Place], all: &ToAll, sums: &NodeSums, progress: &Progress) {
    let of = |rank: u32| node.of(places[rank as usize].endpoint);
    let bytes = |ranks: &[u32]| ranks.iter().fold(0u64, |sum, rank| all.bytes[*rank as usize].wrapping_add(sum));
    let mut ranks: Vec<u32> = (0..places.len() as u32).collect();
    ranks.sort_by_key(|rank| of(*rank));
    let total = bytes(&ranks);
    let nodes: Vec<&[u32]> = ranks.chunk_by(|a, b| of(*a) == of(*b)).collect();
    nodes.par_iter().enumerate().for_each_init(Vec::new, |route, (number, mates)| {
        let away = total.wrapping_sub(bytes(mates));
        let others = (places.len() - mates.len()) as u64;
        // Some rank of another node.
        let far = nodes.get(usize::from(number == 0)).map(|ranks| places[ranks[0] as usize]);
        for &rank in *mates {
            if progress.stopped() {
                return;
            }
            let (place, received) = (places[rank as usize], all.bytes[rank as usize]);
            if let Some(far) = far.filter(|_| others > 0) {
                route.clear();
                let ups = node.route(place, far, route);
                sums.put(&route[..ups], away);
                route.clear();
                let ups = node.route(far, place, route);
                sums.put(&route[ups..], received.wrapping_mul(others));
            }
            for &from in mates.iter().filter(|from| **from != rank) {
                let src = places[from as usize];
                if src != place {
                    sums.stay(all.messages, received);
                }
                route.clear();
                node.route(src, place, route);
                sums.put(route, received);
            }
        }
    });
}
