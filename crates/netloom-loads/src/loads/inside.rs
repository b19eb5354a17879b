//! Bytes on the links inside nodes: a message between two ranks has one route there.

use std::sync::atomic::{AtomicU64, Ordering};

use netloom_model::{Fault, Hosts, Node, Outcome, Place, Progress, Sends};
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

/// Bytes between two endpoints of one machine. O(messages).
pub fn between_endpoints(machines: &Hosts, jobs: &[Job<'_>]) -> u64 {
    let of_job = |job: &Job<'_>| {
        let of_rank = |(rank, &from): (usize, &u32)| {
            let mut sum = 0;
            job.sends.for_each(rank as u32, &mut |to, _, bytes| {
                let to = job.endpoint_of_rank[to as usize];
                sum += if from != to && machines.host(from) == machines.host(to) { bytes } else { 0 };
            });
            sum
        };
        job.endpoint_of_rank.par_iter().enumerate().with_min_len(CHUNK).map(of_rank).sum::<u64>()
    };
    jobs.iter().map(of_job).sum()
}

/// Bytes on the node links of a network with so many endpoints. Jobs are what they send and where their ranks sit.
/// O(messages × levels); 8 bytes per node link.
///
/// # Errors
/// `NL-E004` if stopped.
pub fn inside(node: &Node, endpoints: u32, jobs: &[(&dyn Sends, &[Place])], progress: &Progress) -> Outcome<Inside> {
    let links = node.count(endpoints) as usize * node.links_per_node() as usize;
    let bytes: Vec<AtomicU64> = (0..links).map(|_| AtomicU64::new(0)).collect();
    let (messages, within) = (AtomicU64::new(0), AtomicU64::new(0));
    for (sends, places) in jobs {
        places.par_chunks(CHUNK).enumerate().for_each_init(Vec::new, |route, (chunk, part)| {
            for (rank, src) in part.iter().enumerate().map(|(at, place)| (chunk * CHUNK + at, *place)) {
                if progress.stopped() {
                    return;
                }
                sends.for_each(rank as u32, &mut |to, count, sent| {
                    let dst = places[to as usize];
                    if node.of(src.endpoint) == node.of(dst.endpoint) && src != dst {
                        messages.fetch_add(count, Ordering::Relaxed);
                        within.fetch_add(sent, Ordering::Relaxed);
                    }
                    route.clear();
                    node.route(src, dst, route);
                    for &link in route.iter() {
                        bytes[link as usize].fetch_add(sent, Ordering::Relaxed);
                    }
                });
            }
        });
    }
    if progress.stopped() {
        return Err(Fault::say(&codes::STOPPED, "loads", "counting bytes in nodes was stopped before the end").into());
    }
    Ok(Inside {
        bytes: bytes.into_iter().map(AtomicU64::into_inner).collect(),
        messages: messages.into_inner(),
        within_bytes: within.into_inner(),
    })
}
