//! Bytes per link: seed 004 eq. 2.6, and the loads behind it.

use netloom_model::{Fault, Mapping, Network, Outcome, Progress, Routing};
use rayon::prelude::*;

use crate::codes;
use crate::workload::Workload;

/// Sums are kept in integer parts of a byte, so that their order cannot change them.
const PARTS: f64 = 1_048_576.0;
/// Pairs of switches per unit of parallel work.
const CHUNK: usize = 2048;

/// Bytes that one workload moves over every directed link.
#[derive(Clone, Debug, PartialEq)]
pub struct LinkBytes {
    /// By link number: switch links, then injection, then ejection links; `links()` long.
    pub bytes: Vec<f64>,
    /// Largest over the switch links: seed 004 eq. 2.6. 0 without switch links.
    pub maximum: f64,
    /// Largest over injection and ejection links.
    pub endpoint_maximum: f64,
    /// Mean over the switch links; `None` without any.
    pub mean: Option<f64>,
    /// Switch links that carry something.
    pub used: u32,
}

/// Expected bytes on every link when all messages of `workload` take `routing`'s paths in the routing's shares.
///
/// `routing` must have been made for `network`. Messages between one pair of switches are routed once: O(messages +
/// pairs × paths). Loads are exact to 2^-20 byte per path and do not depend on the number of threads.
///
/// # Errors
/// `NL-E001` another number of ranks, `NL-E004` if stopped, and what the routing reports.
pub fn link_bytes<'a>(
    network: &Network,
    routing: &dyn Routing,
    mapping: &Mapping,
    workload: impl Into<Workload<'a>>,
    progress: &Progress,
) -> Outcome<LinkBytes> {
    let workload = workload.into();
    workload.require_ranks(mapping.ranks() as usize)?;
    let mut bytes = vec![0f64; network.links() as usize];
    let pairs = switch_pairs(network, mapping, &workload, &mut bytes);
    progress.set_total(pairs.len() as u64);
    let links = network.switch_links() as usize;
    let load = pairs
        .par_chunks(CHUNK)
        .try_fold(
            || vec![0u128; links],
            |mut load, part| {
                if progress.stopped() {
                    let sentence = "summing link loads was stopped before the end";
                    return Err(Fault::say(&codes::STOPPED, workload.label(), sentence).into());
                }
                add_paths(routing, part, &mut load)?;
                progress.add(part.len() as u64);
                Ok::<_, netloom_model::Faults>(load)
            },
        )
        .try_reduce(
            || vec![0u128; links],
            |mut a, b| {
                a.iter_mut().zip(b).for_each(|(a, b)| *a += b);
                Ok(a)
            },
        )?;
    for (bytes, load) in bytes.iter_mut().zip(&load) {
        *bytes = *load as f64 / PARTS;
    }
    Ok(finish(bytes, links, load.iter().filter(|l| **l > 0).count() as u32, load.iter().sum()))
}

/// Adds the endpoint links' loads to `bytes`, and sums the messages by (source switch, destination switch), sorted.
fn switch_pairs(
    network: &Network,
    mapping: &Mapping,
    workload: &Workload<'_>,
    bytes: &mut [f64],
) -> Vec<(u32, u32, u64)> {
    let switch = mapping.switches(network);
    let mut ends = vec![0u64; bytes.len()];
    let mut pairs: Vec<(u32, u32, u64)> = Vec::new();
    // Long lists are merged now and then: an alltoall of many ranks per switch has far fewer pairs than messages.
    let mut merge_at = 1usize << 22;
    workload.for_each(|m| {
        ends[network.injection_link(mapping.endpoint(m.src)) as usize] += m.bytes;
        ends[network.ejection_link(mapping.endpoint(m.dst)) as usize] += m.bytes;
        let (a, b) = (switch[m.src as usize], switch[m.dst as usize]);
        if a != b && m.bytes > 0 {
            pairs.push((a, b, m.bytes));
        }
        if pairs.len() >= merge_at {
            merge(&mut pairs);
            merge_at = merge_at.max(2 * pairs.len());
        }
    });
    merge(&mut pairs);
    for (bytes, end) in bytes.iter_mut().zip(ends) {
        *bytes = end as f64;
    }
    pairs
}

fn merge(pairs: &mut Vec<(u32, u32, u64)>) {
    pairs.par_sort_unstable();
    pairs.dedup_by(|next, kept| {
        let same = (next.0, next.1) == (kept.0, kept.1);
        if same {
            kept.2 += next.2;
        }
        same
    });
}

fn add_paths(routing: &dyn Routing, pairs: &[(u32, u32, u64)], load: &mut [u128]) -> Outcome<()> {
    let mut paths = Vec::new();
    for &(source, destination, bytes) in pairs {
        routing.paths(source, destination, &mut paths)?;
        for path in &paths {
            let parts = if path.fraction == 1.0 {
                u128::from(bytes) << 20
            } else {
                (path.fraction * bytes as f64 * PARTS).round() as u128
            };
            for &link in &path.links {
                load[link as usize] += parts;
            }
        }
    }
    Ok(())
}

fn finish(bytes: Vec<f64>, links: usize, used: u32, total: u128) -> LinkBytes {
    let largest = |part: &[f64]| part.iter().copied().fold(0.0, f64::max);
    LinkBytes {
        maximum: largest(&bytes[..links]),
        endpoint_maximum: largest(&bytes[links..]),
        mean: (links > 0).then(|| total as f64 / PARTS / links as f64),
        used,
        bytes,
    }
}
