//! Distances on a butterfly, whose links go one way: between two terminals all routes are equally long.

use netloom_model::distance::UNREACHED;
use netloom_model::network::Fly;
use netloom_model::{Faults, HopMatrix, Network, Outcome};

use super::matrix::require_room;

/// True if no link or switch of the one route from a terminal to another has failed.
fn is_joined(network: &Network, fly: Fly, from: u32, to: u32) -> bool {
    let Some(failed) = network.failed() else { return true };
    let gone = |switch: u32| failed.switches.binary_search(&switch).is_ok();
    let mut at = from;
    while at != to {
        match fly.after(at, to) {
            Some(next) if !gone(next) && network.neighbours(at).binary_search(&next).is_ok() => at = next,
            _ => return false,
        }
    }
    !gone(from)
}

/// Between any two terminals as many links; no other switch is an end of a message. O(switches²), with failures times the
/// stages.
///
/// # Errors
/// `NL-A009` as [`super::hop_matrix`].
pub fn hop_matrix(network: &Network, fly: Fly) -> Outcome<HopMatrix> {
    require_room(network)?;
    let n = network.switches();
    let (ends, far) = (fly.first_terminal(), u8::try_from(fly.hops()).unwrap_or(UNREACHED));
    let apart = |a: u32, b: u32| match a == b {
        true => 0,
        false if a >= ends && b >= ends && is_joined(network, fly, a, b) => far,
        false => UNREACHED,
    };
    let hops = (0..n).flat_map(|a| (0..n).map(move |b| apart(a, b))).collect();
    HopMatrix::from_rows(n, hops).ok_or_else(Faults::none)
}

/// Ordered pairs of endpoints by hops. O(1), with failures O(endpoints² · stages).
pub fn endpoint_pairs(network: &Network, fly: Fly) -> Vec<u64> {
    let ends = fly.first_terminal()..network.switches();
    let all = ends.len() as u64;
    let joined = match network.failed() {
        None => all * all.saturating_sub(1),
        Some(_) => {
            let others = |a: u32| ends.clone().filter(move |b| a != *b && is_joined(network, fly, a, *b));
            ends.clone().map(|a| others(a).count() as u64).sum()
        }
    };
    let mut pairs = vec![0; fly.hops() as usize + 1];
    pairs[fly.hops() as usize] = joined;
    pairs
}
