//! The results of `describe`.

use netloom_model::{Network, Outcome, Progress};

use super::bounds::{lower_bounds, moore_bound};
use super::one_way;
use super::reach::{Reach, reach};

/// What [`metrics`] may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Search from one switch of each set of equivalent switches, known from the structure or proved on the graph.
    pub use_symmetry: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options { use_symmetry: true }
    }
}

/// Cables of one class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClassCables {
    pub name: String,
    pub cables: u32,
}

/// Numbers of a connected network. Hops are switch-to-switch links; ASPL is the average shortest path length in hops.
#[derive(Clone, Debug, PartialEq)]
pub struct Metrics {
    pub switches: u32,
    pub endpoints: u32,
    /// Full-duplex cables between switches, each once.
    pub switch_links: u32,
    /// Full-duplex cables between endpoints and switches, each once.
    pub endpoint_links: u32,
    /// Fewest and most switch-to-switch ports in use on a switch; parallel cables count each.
    pub degree_min: u32,
    pub degree_max: u32,
    /// (degree, switches that have it), ascending.
    pub degree_histogram: Vec<(u32, u32)>,
    pub diameter: u32,
    /// Over ordered pairs of distinct switches; `None` with fewer than two.
    pub aspl: Option<f64>,
    /// Ordered pairs of distinct switches by hops; index 0 is always 0.
    pub hop_histogram: Vec<u64>,
    /// Most hops between the switches of two endpoints, on a butterfly along its links, which go one way; `None` with fewer than two endpoints.
    pub endpoint_diameter: Option<u32>,
    /// Over ordered pairs of distinct endpoints; two on one switch are 0 hops apart.
    pub endpoint_aspl: Option<f64>,
    /// Ordered pairs of distinct endpoints by hops.
    pub endpoint_hop_histogram: Vec<u64>,
    /// Most switches that a network of this largest degree and diameter could have; saturates at 2^64-1.
    pub moore_bound: u64,
    /// Smallest diameter and ASPL that this many switches of this largest degree could have, if any could be connected.
    pub diameter_lower: Option<u32>,
    pub aspl_lower: Option<f64>,
    /// `diameter - diameter_lower` and `aspl / aspl_lower - 1`.
    pub diameter_gap: Option<u32>,
    pub aspl_gap: Option<f64>,
    pub cables_per_class: Vec<ClassCables>,
    /// Ideal accepted load of uniform traffic in a tree, as a share of the injection bandwidth; else `None`.
    pub uniform_throughput: Option<f64>,
    /// True if distances come from fewer switches, which represent all.
    pub by_symmetry: bool,
}

/// All metrics of a connected network; with failures, of what they leave ([`Network::remaining`]). Cost of the bit-parallel
/// search ([`reach()`]); no memory per pair.
///
/// # Errors
/// `NL-N001` if disconnected, `NL-N011` if `progress` was stopped.
pub fn metrics(network: &Network, options: Options, progress: &Progress) -> Outcome<Metrics> {
    let of_fly = network.structure().fly.map(|fly| one_way::endpoint_pairs(network, fly));
    let rest = if network.failed().is_some() { Some(network.remaining()?) } else { None };
    let network = rest.as_deref().unwrap_or(network);
    let Reach { switch_pairs, endpoint_pairs, by_symmetry } = reach(network, options.use_symmetry, progress)?;
    let degree_histogram = degree_histogram(network);
    let degree_min = degree_histogram.first().map_or(0, |d| d.0);
    let degree_max = degree_histogram.last().map_or(0, |d| d.0);
    let diameter = switch_pairs.len().saturating_sub(1) as u32;
    let hop_histogram = without_self(switch_pairs, u64::from(network.switches()));
    let endpoint_hop_histogram = of_fly.unwrap_or_else(|| without_self(endpoint_pairs, u64::from(network.endpoints())));
    let aspl = mean(&hop_histogram);
    let lower = lower_bounds(network.switches(), degree_max);
    Ok(Metrics {
        switches: network.switches(),
        endpoints: network.endpoints(),
        switch_links: network.cables(),
        endpoint_links: network.endpoints(),
        degree_min,
        degree_max,
        degree_histogram,
        diameter,
        aspl,
        endpoint_diameter: (network.endpoints() > 1).then(|| endpoint_hop_histogram.len() as u32 - 1),
        endpoint_aspl: mean(&endpoint_hop_histogram),
        endpoint_hop_histogram,
        hop_histogram,
        moore_bound: moore_bound(degree_max, diameter),
        diameter_lower: lower.map(|l| l.0),
        aspl_lower: lower.map(|l| l.1),
        diameter_gap: lower.map(|l| diameter.saturating_sub(l.0)),
        aspl_gap: lower.zip(aspl).map(|(l, aspl)| aspl / l.1 - 1.0),
        cables_per_class: cables_per_class(network),
        uniform_throughput: uniform_throughput(network),
        by_symmetry,
    })
}

fn without_self(mut pairs: Vec<u64>, count: u64) -> Vec<u64> {
    if let Some(first) = pairs.first_mut() {
        *first -= count;
    }
    pairs
}

/// Mean index; `None` for no pairs. The sums are exact: at most 2^62 pairs.
fn mean(pairs: &[u64]) -> Option<f64> {
    let count: u128 = pairs.iter().map(|p| u128::from(*p)).sum();
    let sum: u128 = pairs.iter().enumerate().map(|(hops, p)| hops as u128 * u128::from(*p)).sum();
    (count > 0).then(|| sum as f64 / count as f64)
}

fn degree_histogram(network: &Network) -> Vec<(u32, u32)> {
    let mut degrees: Vec<u32> = (0..network.switches()).map(|s| network.degree(s)).collect();
    degrees.sort_unstable();
    degrees.chunk_by(|a, b| a == b).map(|same| (same[0], same.len() as u32)).collect()
}

fn cables_per_class(network: &Network) -> Vec<ClassCables> {
    let mut cables = vec![0u32; network.classes().len()];
    let ends = network.tails().iter().zip(network.heads());
    // A cable whose directions differ counts as its direction to the higher switch.
    for (class, _) in network.class_of().iter().zip(ends).filter(|(_, (tail, head))| tail < head) {
        cables[*class as usize] += 1;
    }
    network
        .classes()
        .iter()
        .zip(cables)
        .map(|(class, cables)| ClassCables { name: class.name.clone(), cables })
        .collect()
}

/// Navaridas 2009 eq 6 and 7: cables below the narrowest level over endpoints, which is (k'/k)^(n-1) for a thin tree; never
/// above 1. Link speeds are taken as equal, as there.
fn uniform_throughput(network: &Network) -> Option<f64> {
    let structure = network.structure();
    structure.tree.as_ref()?;
    let levels = structure.levels.as_ref().filter(|l| l.len() == network.switches() as usize)?;
    let top = *levels.iter().max()?;
    let mut cables = vec![0u64; top as usize];
    for link in 0..network.switch_links() as usize {
        let (tail, head) = (levels[network.tails()[link] as usize], levels[network.heads()[link] as usize]);
        if tail < head {
            cables[tail as usize] += 1;
        }
    }
    let endpoints = f64::from(network.endpoints());
    (endpoints > 0.0).then(|| cables.iter().map(|c| *c as f64 / endpoints).fold(1.0, f64::min))
}
