//! Shares of memory: what ranks that compute at the same time leave each other.

use netloom_model::{Place, Software};

use crate::rank::Rank;
use crate::transport::Transport;

/// Seconds that a byte of memory takes each rank; empty where computations take none. Switches do not compute.
pub fn shares_of_memory<T: Transport>(transport: &T, software: &Software, ranks: &[Rank]) -> Vec<f64> {
    if software.bytes_per_flop == 0.0 {
        return Vec::new();
    }
    let computing = ranks.iter().filter(|rank| !rank.is_switch);
    let places: Vec<Place> =
        computing.map(|Rank { endpoint, seat, .. }| Place { endpoint: *endpoint, seat: *seat }).collect();
    let mut shares = transport.memory_s_per_byte(&places).into_iter();
    ranks.iter().map(|rank| if rank.is_switch { 0.0 } else { shares.next().unwrap_or(0.0) }).collect()
}
