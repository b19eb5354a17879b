//! Hops: how far every message travels, and the metrics of Jain 2016 §2.4 that follow from it.
//!
//! Holds when messages take shortest paths. It ignores bandwidth, waiting and the choice of links; a message between
//! two endpoints of one switch, or of one node, travels 0 hops.

mod cyclic;
mod inside;
mod listed;
mod tally;

use netloom_model::{Fault, HopRows, Outcome, Progress, Rounds, Workload};

use crate::codes;
pub use inside::inside;
use tally::Tally;

/// One step of a schedule.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StepHops {
    pub messages: u64,
    pub hops: u64,
    /// Longest message of the step.
    pub max: u32,
    /// Bytes times hops, summed.
    pub hop_bytes: u128,
}

/// Hop counts of one workload on one mapping.
#[derive(Clone, Debug, PartialEq)]
pub struct Hops {
    pub messages: u64,
    pub total_hops: u64,
    /// `total_hops / messages`; `None` without messages.
    pub mean_hops: Option<f64>,
    /// Longest message: dilation of Jain 2016 eq. 2.1.
    pub max_hops: u32,
    /// One entry per step of a schedule; empty for a traffic, which has no steps.
    pub steps: Vec<StepHops>,
    /// Messages that travel 0, 1, 2, ... hops.
    pub histogram: Vec<u64>,
    pub bytes: u128,
    /// Bytes times hops, summed over messages: Jain 2016 eq. 2.3.
    pub hop_bytes: u128,
    /// Ordered pairs of ranks that exchange messages: the edges of the guest graph.
    pub pairs: u64,
    /// Mean hops over those pairs: Jain 2016 eq. 2.2; `None` without pairs.
    pub average_dilation: Option<f64>,
    /// `hop_bytes / bytes`: Jain 2016 eq. 2.4; `None` without bytes.
    pub average_hops_per_byte: Option<f64>,
    /// `hop_bytes / directed switch links`: Jain 2016 eq. 2.5; `None` without links.
    pub average_bytes_per_link: Option<f64>,
}

/// Counts the hops of all messages of `workload` when rank `r` runs on switch `switch_of_rank[r]`. Messages inside a node
/// travel none: `node_of_rank` is needed where nodes have endpoints on several switches.
///
/// `switch_links` is the number of directed switch-to-switch links, for the bytes per link. O(messages) with no list of
/// them for cyclic rounds; parallel, with results that do not depend on the number of threads.
///
/// # Errors
/// `NL-E001` a different number of ranks, `NL-E002` a switch beyond the distances, `NL-E003` ranks without a path between
/// them, `NL-E004` if stopped through `progress`, `NL-A009` for a stream or programs of more than 2^27 flows.
pub fn hops<D: HopRows>(
    distance: &D,
    switch_links: u32,
    switch_of_rank: &[u32],
    node_of_rank: Option<&[u32]>,
    workload: &Workload,
    progress: &Progress,
) -> Outcome<Hops> {
    check(distance, switch_of_rank, workload)?;
    let place = Place { distance, switch_of_rank, node_of_rank };
    let (tally, pairs) = match workload.schedule() {
        Some(schedule) => {
            progress.set_total(schedule.messages());
            let (rounds, transfers) = (schedule.rounds.cyclic(), schedule.rounds.listed().transfers);
            let listed = || listed::schedule(&place, schedule, progress);
            let cyclic = || match node_of_rank {
                Some(_) => cyclic::listed(&place, schedule, rounds, progress),
                None => cyclic::tally(&place, schedule, rounds, progress),
            };
            match &schedule.rounds {
                Rounds::Cyclic(_) => cyclic(),
                Rounds::Explicit { .. } => (listed(), listed::pairs(&place, transfers.iter())),
                Rounds::Both { .. } => {
                    let again = inside::Finder::of(schedule);
                    let first = transfers.iter().filter(|t| again.between(t.src, t.dst).next().is_none());
                    let (pairs, (tally, more)) = (listed::pairs(&place, first), cyclic());
                    let pairs = Pairs { count: pairs.count + more.count, hops: pairs.hops + more.hops };
                    (listed().join(tally), pairs)
                }
            }
        }
        None => {
            let traffic = workload.traffic()?;
            progress.set_total(traffic.messages());
            listed::traffic(&place, &traffic, progress)
        }
    };
    if progress.stopped() {
        return Err(Fault::say(&codes::STOPPED, workload.label(), "counting hops was stopped before the end").into());
    }
    if tally.unreached() > 0 {
        let sentence = format!("{} messages have no path", tally.unreached());
        return Err(Fault::say(&codes::NO_PATH, workload.label(), sentence)
            .hint("map all ranks onto one connected part of the network")
            .into());
    }
    Ok(finish(tally, pairs, switch_links))
}

/// Switches of ranks and the distances between them; nodes, where these have several switches.
pub(crate) struct Place<'a, D> {
    pub distance: &'a D,
    pub switch_of_rank: &'a [u32],
    pub node_of_rank: Option<&'a [u32]>,
}

impl<D: HopRows> Place<'_, D> {
    #[inline]
    pub fn between(&self, src: u32, dst: u32) -> u8 {
        match self.node_of_rank {
            Some(node) if node[src as usize] == node[dst as usize] => 0,
            _ => self.distance.between(self.switch_of_rank[src as usize], self.switch_of_rank[dst as usize]),
        }
    }
}

/// Ordered pairs of the guest graph and their hops.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Pairs {
    pub count: u64,
    pub hops: u64,
}

fn check<D: HopRows>(distance: &D, switch_of_rank: &[u32], workload: &Workload) -> Outcome<()> {
    workload.require_ranks(switch_of_rank.len())?;
    match switch_of_rank.iter().position(|&s| s >= distance.switches()) {
        None => Ok(()),
        Some(rank) => {
            let expected = format!("a switch in 0..{} (exclusive)", distance.switches());
            let place = format!("switch of rank {rank}");
            Err(Fault::new(&codes::NO_SUCH_SWITCH, place, expected, switch_of_rank[rank]).into())
        }
    }
}

fn finish(tally: Tally, pairs: Pairs, switch_links: u32) -> Hops {
    let ratio = |a: u128, b: u128| (b > 0).then(|| a as f64 / b as f64);
    let mut histogram = tally.histogram.to_vec();
    while histogram.last() == Some(&0) {
        histogram.pop();
    }
    Hops {
        messages: tally.messages,
        total_hops: tally.hops,
        mean_hops: ratio(u128::from(tally.hops), u128::from(tally.messages)),
        max_hops: histogram.len().saturating_sub(1) as u32,
        steps: tally.steps,
        histogram,
        bytes: tally.bytes,
        hop_bytes: tally.hop_bytes,
        pairs: pairs.count,
        average_dilation: ratio(u128::from(pairs.hops), u128::from(pairs.count)),
        average_hops_per_byte: ratio(tally.hop_bytes, tally.bytes),
        average_bytes_per_link: ratio(tally.hop_bytes, u128::from(switch_links)),
    }
}
