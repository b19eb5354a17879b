//! Cables that the best cut into two equal halves of endpoints crosses: a closed form, or an interval that holds it.

mod halving;
#[cfg(test)]
mod tests;
mod tree;

use netloom_model::{Network, Outcome, Progress};

use super::bisection::{Bisection, bisection};
use halving::{Halving, halving};

/// A number, or the interval that is known of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// No cut is smaller.
    pub lower: f64,
    /// A cut of this size exists.
    pub upper: f64,
    /// True if both are the same, and provably so.
    pub exact: bool,
}

impl Interval {
    fn times(self, factor: f64, more: f64) -> Interval {
        Interval { lower: self.lower * factor + more, upper: self.upper * factor + more, ..self }
    }
}

/// The bisection between halves of the endpoints.
#[derive(Clone, Debug, PartialEq)]
pub struct EndpointBisection {
    /// Cables between the halves; those of endpoints that are cut from their switch count as well.
    pub cables: Interval,
    /// Bandwidth of these cables in one direction. Where speeds differ its best cut may be another one.
    pub bytes_per_s: Interval,
    /// Endpoints that are cut from their switch, since whole switches make no equal halves.
    pub moved: u64,
    /// How the numbers were found.
    pub method: String,
}

/// Bisection between `⌊E/2⌋` and `⌈E/2⌉` endpoints.
///
/// Every switch goes to one of two sides and its endpoints go with it. Where no choice of sides gives equal halves,
/// as few endpoints as any choice needs are cut from their switch, and each costs its cable. Among the choices that
/// need no more than that, the smallest cut counts.
///
/// - Trees of one cable speed: the closed form of `tree::halves`, where its two bounds meet.
/// - The same number p of endpoints on every switch: equal halves of endpoints are equal halves of switches, so the
///   result is [`bisection`], and `⌊p/2⌋` more if the number of switches is odd.
/// - Few switches: all choices of sides.
/// - Otherwise an interval: a cut found by exchanges, and the congestion of uniform traffic between the endpoints.
///
/// `switches` is the bisection of the switches if the caller has it already. With failures, of what they leave
/// ([`Network::remaining`]).
///
/// # Errors
/// `NL-N001` where failures part switches with endpoints, `NL-N011` if `progress` was stopped.
pub fn endpoint_bisection(
    network: &Network,
    switches: Option<Bisection>,
    seed: u64,
    progress: &Progress,
) -> Outcome<EndpointBisection> {
    let rest = if network.failed().is_some() { Some(network.remaining()?) } else { None };
    let network = rest.as_deref().unwrap_or(network);
    let weights: Vec<u64> = (0..network.switches()).map(|s| network.endpoints_of(s).len() as u64).collect();
    let moved = halving::moved(&weights).moved;
    // Of a cable whose directions differ, the slower one.
    let speed = |link: u32| network.class(link).bandwidth_bytes_per_s;
    let speeds: Vec<f64> =
        (0..network.switch_links()).map(|l| speed(l).min(speed(network.reverse()[l as usize]))).collect();
    let one_speed = speeds.windows(2).all(|w| w[0] == w[1]);
    let per_endpoint = network.endpoint_class().bandwidth_bytes_per_s;
    let count = vec![1.0; speeds.len()];
    let (between, method) = match known(network, &weights, moved) {
        Some(found) => found,
        None if weights.windows(2).all(|w| w[0] == w[1]) => {
            let cut = match &switches {
                Some(cut) => cut.clone(),
                None => bisection(network, seed, progress)?,
            };
            let between = Interval { lower: cut.lower as f64, upper: cut.cables as f64, exact: cut.exact };
            (between, format!("halves of the switches: {}", cut.method))
        }
        None => {
            let (found, method) = said(halving(network, &weights, &count, progress)?);
            // A cut into halves of the switches counts if it halves the endpoints too.
            let other = switches.as_ref().and_then(|cut| cut.equal_endpoints).filter(|_| moved == 0);
            let upper = other.map_or(found.upper, |cables| found.upper.min(cables as f64));
            (Interval { upper, exact: found.exact || found.lower >= upper, ..found }, method)
        }
    };
    let bytes = if one_speed {
        between.times(speeds.first().copied().unwrap_or(0.0), 0.0)
    } else {
        said(halving(network, &weights, &speeds, progress)?).0
    };
    Ok(EndpointBisection {
        cables: between.times(1.0, moved as f64),
        bytes_per_s: bytes.times(1.0, moved as f64 * per_endpoint),
        moved,
        method,
    })
}

fn said(found: Halving) -> (Interval, String) {
    (found.between, found.method)
}

/// Switch cables of an intact tree in closed form, if its bounds meet; what needs no search at all.
fn known(network: &Network, weights: &[u64], moved: u64) -> Option<(Interval, String)> {
    let exactly = |cables: f64| Interval { lower: cables, upper: cables, exact: true };
    if network.endpoints() < 2 || network.switches() < 2 {
        return Some((exactly(0.0), "no cable between switches is cut".into()));
    }
    let shape = network.structure().tree.as_ref().filter(|_| network.failed().is_none())?;
    let halves = tree::halves(shape, moved)?;
    let as_built = halves.endpoints == weights.iter().sum::<u64>() && halves.cables == u64::from(network.cables());
    (as_built && halves.lower == halves.upper)
        .then(|| (exactly(halves.upper as f64), "closed form of the tree: half of its thinnest level".into()))
}
