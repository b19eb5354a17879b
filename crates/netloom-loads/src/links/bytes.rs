//! Bytes per link of one workload: Jain 2016 eq. 2.6, and the loads that it is computed from.

use netloom_model::{Network, Outcome, Progress, Routing, Seats, Workload};

use crate::loads::{Job, Model, Settings, Solution, Variant};

/// Bytes that one workload moves over every directed link.
#[derive(Clone, Debug, PartialEq)]
pub struct LinkBytes {
    /// By link number: switch links, then injection, then ejection links; `links()` long.
    pub bytes: Vec<f64>,
    /// Largest over the switch links: Jain 2016 eq. 2.6. 0 without switch links.
    pub maximum: f64,
    /// Largest over injection and ejection links.
    pub endpoint_maximum: f64,
    /// Mean over the switch links; `None` without any.
    pub mean: Option<f64>,
    /// Switch links with a load above zero.
    pub used: u32,
}

/// Expected bytes on every link when all messages of `workload` take `routing`'s paths in the routing's shares: one job of
/// the model of [`crate::loads`] under [`Variant::DIRECT`].
///
/// `routing` must have been made for `network`. Messages between one pair of switches are routed once: O(messages +
/// pairs × paths). Loads are whole multiples of [`Model::unit`] and do not depend on the number of threads.
///
/// # Errors
/// `NL-E001` a different number of ranks, `NL-E004` if stopped, `NL-E022` more than 2^62 bytes, and those of the
/// routing.
pub fn link_bytes(
    network: &Network,
    routing: &dyn Routing,
    seats: &Seats,
    workload: &Workload,
    progress: &Progress,
) -> Outcome<LinkBytes> {
    workload.require_ranks(seats.endpoints().len())?;
    let sends = workload.sends()?;
    let endpoint_of_rank = seats.endpoints();
    let job = Job { name: workload.label(), sends: &*sends, endpoint_of_rank, routing, variant: Variant::DIRECT };
    let model = Model::new(network, vec![job], Settings::default(), progress)?;
    let loads = model.distribute(&Solution::default(), progress)?;
    let load = loads.by_job.first().map_or(&[][..], |load| load);
    let (links, unit) = (network.switch_links() as usize, model.unit());
    let counts = model.counts().iter().flat_map(|c| c.injected.iter().chain(&c.ejected));
    let bytes: Vec<f64> = load.iter().map(|&l| unit.bytes(l)).chain(counts.map(|&b| b as f64)).collect();
    let largest = |part: &[f64]| part.iter().copied().fold(0.0, f64::max);
    let total: u128 = load.iter().map(|&l| u128::from(l)).sum();
    Ok(LinkBytes {
        maximum: largest(&bytes[..links]),
        endpoint_maximum: largest(&bytes[links..]),
        mean: (links > 0).then(|| unit.bytes(total) / links as f64),
        used: load.iter().filter(|l| **l > 0).count() as u32,
        bytes,
    })
}
