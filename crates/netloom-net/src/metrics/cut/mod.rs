//! What no algorithm of a collective can beat on a network: data that must cross a cut, over the cut's bandwidth.

mod best;
mod candidates;
mod exact;
mod flow;
mod machine;
mod question;
#[cfg(test)]
mod tests;
mod volume;

use netloom_model::fault::{Fault, codes as model_codes};
use netloom_model::{Collective, Mapping, Network, Outcome, Per, Progress};

use super::codes;
use best::Best;
use machine::Machine;
pub use question::CutQuestion;

/// A lower bound on the time of a collective, and the cut that it comes from.
#[derive(Clone, Debug, PartialEq)]
pub struct CutBound {
    /// No algorithm ends earlier; latency, overheads and computation are not counted.
    pub time_s: f64,
    /// Bytes that must cross the cut (all its parts together).
    pub bytes: f64,
    /// Bandwidth of the cut one way (of a partition: into all parts together).
    pub bandwidth_bytes_per_s: f64,
    /// Ranks on one side of the cut, ascending; empty for a partition, for the whole network, and if nothing crosses.
    pub side: Vec<u32>,
    /// Parts that the cut separates: 2, more for a partition, 0 if the bound is not a cut.
    pub parts: u32,
    /// True if no cut requires more time.
    pub exact: bool,
    /// Which cuts were tried, and which decided.
    pub method: String,
}

/// Least time of a collective on a network with full-duplex links.
///
/// For a set S of switches and endpoints, what must leave S cannot leave faster than the bandwidth B(S) of the links
/// that do. With p ranks, k of them in S, and m bytes as [`Collective::size_meaning`] says:
///
/// | collective | bytes over the cut | exact |
/// |---|---|---|
/// | allgather, reduce-scatter | m · max(k, p-k) | parametric greatest flow over all cuts |
/// | gather, scatter | m · ranks on the side without the root | the same, one flow |
/// | broadcast, reduce | m | greatest flow from the root to every rank |
/// | scan, exscan | m | the same from rank 0; others may ask for more |
/// | alltoall | m · k (p-k) | all sets of up to 16 switches; otherwise prefixes of structured orders |
/// | allreduce | m; over a partition into j parts 2 m (j-1) into all parts together | no |
///
/// The allreduce row: of j parts the first to hold the result has heard from the j-1 others, and each of those must
/// hear once more. The alltoall is also bounded by its volume: bytes times shortest distances over the bandwidth of all
/// switch links. `exact` is about cuts only. Links are the same in both directions, so that reduce is broadcast
/// backwards and so on; of a cable whose directions differ the faster one counts. Half-duplex links only take longer;
/// where flows share nothing ([`Per::Flow`]) there is no bound: 0.
///
/// O(ranks · flow) for the flows, of which at most 2^26 arcs times targets are spent; then `exact` is false.
///
/// Source: the allgather bound of Zhao et al., "ForestColl: Throughput-Optimal Collective Communications on
/// Heterogeneous Network Fabrics" (2024); Patarasuk and Yuan, "Bandwidth optimal all-reduce algorithms for clusters of
/// workstations" (2009) for the partition into single ranks.
///
/// # Errors
/// `NL-N001` if disconnected, `NL-N011` if `progress` was stopped, `NL-A007` for a root that is no rank.
pub fn cut_bound(
    network: &Network,
    mapping: &Mapping,
    question: &CutQuestion,
    progress: &Progress,
) -> Outcome<CutBound> {
    network.require_connected()?;
    let ranks = mapping.ranks();
    if question.root >= ranks.max(1) {
        let expected = format!("a rank in 0..{ranks} (exclusive)");
        return Err(Fault::new(&model_codes::BAD_VALUE, "root", expected, question.root).into());
    }
    if ranks < 2 || question.collective == Collective::Barrier || question.size_bytes == 0 {
        return Ok(answer(&Machine::new(network, mapping.endpoints(), false), question, &Best::none(), true, None));
    }
    if network.classes_per(Per::Flow).next().is_some() {
        let none = Best { name: "no cut bounds links whose flows share nothing", ..Best::none() };
        return Ok(answer(&Machine::new(network, mapping.endpoints(), false), question, &none, false, None));
    }
    let machine = Machine::new(network, mapping.endpoints(), question.endpoint_links);
    let mut best = Best::none();
    candidates::offer(&machine, question, &mut best, progress);
    let exhausted = exact::improve(&machine, question, &mut best, progress);
    let volume = (question.collective == Collective::Alltoall).then(|| volume::alltoall(&machine, progress)).flatten();
    if progress.stopped() {
        return Err(Fault::say(&codes::INTERRUPTED, network.label(), "the search for a cut was stopped").into());
    }
    Ok(answer(&machine, question, &best, exhausted && machine.whole, volume))
}

fn answer(
    machine: &Machine<'_>,
    question: &CutQuestion,
    best: &Best,
    exact: bool,
    volume: Option<volume::Volume>,
) -> CutBound {
    let size = question.size_bytes as f64;
    let bytes = size * best.demand as f64;
    let bandwidth = if best.demand == 0 { 0.0 } else { best.capacity as f64 * machine.unit };
    let time_s = if best.demand == 0 { 0.0 } else { bytes / bandwidth };
    let searched = if exact { "all cuts" } else { "some cuts" };
    if let Some(volume) = volume.filter(|v| size * v.message_hops / v.bandwidth_bytes_per_s > time_s) {
        return CutBound {
            time_s: size * volume.message_hops / volume.bandwidth_bytes_per_s,
            bytes: size * volume.message_hops,
            bandwidth_bytes_per_s: volume.bandwidth_bytes_per_s,
            side: Vec::new(),
            parts: 0,
            exact,
            method: format!("bytes times hops over all switch links; {searched} ask for less"),
        };
    }
    let holds = |rank: &u32| best.inside.get(machine.home[*rank as usize] as usize).copied().unwrap_or(false);
    let side = if best.parts == 2 { (0..machine.ranks).filter(holds).collect() } else { Vec::new() };
    let method = format!("{}; of {searched}", best.name);
    CutBound { time_s, bytes, bandwidth_bytes_per_s: bandwidth, side, parts: best.parts, exact, method }
}
