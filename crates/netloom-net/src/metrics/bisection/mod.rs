//! Cables that the best cut into two equal halves of switches crosses: a formula, or an interval that holds it.

mod congestion;
mod partition;
mod spectral;
#[cfg(test)]
mod tests;

use netloom_model::fault::Fault;
use netloom_model::{Network, Outcome, Progress, Stream};

use super::codes;
use congestion::congestion;
pub(super) use congestion::most_loaded;
use partition::Halves;
use spectral::fiedler;

/// The bisection of a network, or its known bounds.
#[derive(Clone, Debug, PartialEq)]
pub struct Bisection {
    /// Cables between the halves: those of the best cut found, or of the formula.
    pub cables: u64,
    /// No cut into equal halves crosses fewer.
    pub lower: u64,
    /// True if no better cut exists: by a formula of the topology, or since `cables` meets the congestion bound.
    pub exact: bool,
    /// How both numbers were found.
    pub method: String,
    /// Cables of the best cut found whose halves have equally many endpoints too; `None` if no cut that was looked at has.
    pub equal_endpoints: Option<u64>,
}

/// Link visits that the random starts may use together, so that the time stays in seconds.
const VISITS: u64 = 1 << 25;

/// Bisection in cables: halves of `ceil(n/2)` and `floor(n/2)` switches.
///
/// Where the topology's structure carries a formula, that. Otherwise `cables` is an upper bound, the best of several
/// Fiduccia-Mattheyses refinements (DAC 1982) with balanced pairs of moves, started from halves in switch order, along
/// each grid dimension and the groups, in breadth-first order, by the Fiedler vector, and at random. `lower` is the
/// larger of two bounds: the congestion bound, `⌈n/2⌉·⌊n/2⌋` over the largest link load of uniform traffic on shortest
/// paths, up to 2^30 switches times links; and the spectral bound `λ₂·⌈n/2⌉·⌊n/2⌋/n` (Fiedler 1973), with λ₂ replaced by
/// a Lanczos value less its residual. Every eigenvalue estimate of Lanczos is within its residual of *an* eigenvalue;
/// that this one is λ₂ holds unless the random start vector was orthogonal to its eigenvector. So the spectral bound
/// is numerical, not a proof, and never makes `exact` true.
///
/// With failures the bisection is of what they leave ([`Network::remaining`]).
///
/// O(passes · links) per start, at most 32 random starts, fewer on large networks; 48 vectors for Lanczos; O(switches ·
/// links) for the congestion bound.
///
/// # Errors
/// `NL-N001` where failures part switches with endpoints, `NL-N011` if `progress` was stopped.
pub fn bisection(network: &Network, seed: u64, progress: &Progress) -> Outcome<Bisection> {
    let rest = if network.failed().is_some() { Some(network.remaining()?) } else { None };
    let network = rest.as_deref().unwrap_or(network);
    if let Some(cables) = network.structure().bisection_cables {
        let method = "formula of the topology".to_string();
        return Ok(Bisection { cables, lower: cables, exact: true, method, equal_endpoints: None });
    }
    let n = network.switches();
    if n < 2 {
        let method = "fewer than two switches".to_string();
        return Ok(Bisection { cables: 0, lower: 0, exact: true, method, equal_endpoints: None });
    }
    let mut stream = Stream::new(seed, "bisection");
    let spectrum = fiedler(network, &mut stream, progress);
    let mut best: Option<(u64, &'static str)> = None;
    let mut equal_endpoints: Option<u64> = None;
    let mut orders = structured_orders(network);
    orders.push(("spectral halves", order_by(&spectrum.vector)));
    let visits = 16 * (u64::from(network.switch_links()) + u64::from(n));
    let random = (VISITS / visits).clamp(2, 32);
    progress.set_total(orders.len() as u64 + random);
    let mut try_order = |name: &'static str, order: &[u32]| {
        if !progress.stopped() {
            let mut halves = Halves::new(network, order);
            halves.refine(progress);
            if best.is_none_or(|b| halves.cut() < b.0) {
                best = Some((halves.cut(), name));
            }
            if halves_endpoints(network, halves.side()) {
                equal_endpoints = Some(equal_endpoints.map_or(halves.cut(), |least| least.min(halves.cut())));
            }
            progress.add(1);
        }
    };
    for (name, order) in &orders {
        try_order(name, order);
    }
    let mut order: Vec<u32> = (0..n).collect();
    for _ in 0..random {
        stream.shuffle(&mut order);
        try_order("random halves", &order);
    }
    let Some((cables, start)) = best.filter(|_| !progress.stopped()) else {
        return Err(interrupted(network));
    };
    let (large, small) = (f64::from(n.div_ceil(2)), f64::from(n / 2));
    let spectral = cables_from(spectrum.lower * large * small / f64::from(n));
    let embedded = congestion(network, progress).map_or(0, cables_from);
    if progress.stopped() {
        return Err(interrupted(network));
    }
    // A connected network is cut by at least one cable, however weak the bounds.
    let connected = u64::from(network.unreached().is_empty());
    let lower = spectral.max(embedded).max(connected).min(cables);
    let exact = embedded.max(connected) >= cables;
    let tries = orders.len() as u64 + random;
    let bound = if embedded.max(connected) >= lower {
        "congestion of uniform traffic on shortest paths".to_string()
    } else {
        format!("spectral, numerical: second eigenvalue {:.6}, residual {:.0e}", spectrum.value, spectrum.residual)
    };
    let method = format!("cut: best of {tries} Fiduccia-Mattheyses runs, from {start}; lower bound: {bound}");
    Ok(Bisection { cables, lower, exact, method, equal_endpoints })
}

/// True if as many endpoints are on one side as on the other, or one more. O(switches).
fn halves_endpoints(network: &Network, side: &[bool]) -> bool {
    let there = (0..network.switches()).filter(|s| side[*s as usize]).map(|s| network.endpoints_of(s).len() as u64);
    let (there, all) = (there.sum::<u64>(), u64::from(network.endpoints()));
    there == all / 2 || there == all.div_ceil(2)
}

/// Halves of an order of the switches, refined by Fiduccia-Mattheyses passes: the side of each switch.
pub(super) fn refined(network: &Network, order: &[u32], progress: &Progress) -> Vec<bool> {
    let mut halves = Halves::new(network, order);
    halves.refine(progress);
    halves.side().to_vec()
}

/// The bound rounded up to whole cables, with room for its rounding error.
fn cables_from(bound: f64) -> u64 {
    (bound * (1.0 - 1e-9) - 1e-6).ceil().max(0.0) as u64
}

fn interrupted(network: &Network) -> netloom_model::Faults {
    Fault::say(&codes::INTERRUPTED, network.label(), "the search for a cut was stopped").into()
}

/// Switches by ascending value, ties by number.
fn order_by<T: PartialOrd>(values: &[T]) -> Vec<u32> {
    let mut order: Vec<u32> = (0..values.len() as u32).collect();
    order.sort_by(|a, b| {
        let by_value = values[*a as usize].partial_cmp(&values[*b as usize]);
        by_value.unwrap_or(std::cmp::Ordering::Equal).then(a.cmp(b))
    });
    order
}

/// Orders whose first half is a natural part of the network.
pub(super) fn structured_orders(network: &Network) -> Vec<(&'static str, Vec<u32>)> {
    let n = network.switches();
    let mut orders = vec![("halves in switch order", (0..n).collect())];
    if let Some(grid) = &network.structure().grid {
        let mut stride = 1;
        for &extent in grid.dims.iter().rev() {
            let coordinate: Vec<u32> = (0..n).map(|s| s / stride % extent.max(1)).collect();
            orders.push(("halves along a dimension", order_by(&coordinate)));
            stride = stride.saturating_mul(extent);
        }
    }
    if let Some(groups) = network.structure().groups.as_ref().filter(|g| g.len() == n as usize) {
        orders.push(("halves of the groups", order_by(groups)));
    }
    let mut order = breadth_first(network, 0);
    orders.push(("breadth-first halves", order.clone()));
    // From the far end the shells are those of a peripheral switch.
    if let Some(&last) = order.last() {
        order = breadth_first(network, last);
        orders.push(("breadth-first halves", order));
    }
    orders
}

/// All switches, component by component.
fn breadth_first(network: &Network, start: u32) -> Vec<u32> {
    let n = network.switches();
    let mut seen = vec![false; n as usize];
    let mut order = Vec::with_capacity(n as usize);
    for root in std::iter::once(start).chain(0..n) {
        if std::mem::replace(&mut seen[root as usize], true) {
            continue;
        }
        let mut next = order.len();
        order.push(root);
        while let Some(&at) = order.get(next) {
            next += 1;
            for &u in network.neighbours(at) {
                if !std::mem::replace(&mut seen[u as usize], true) {
                    order.push(u);
                }
            }
        }
    }
    order
}
