//! Bruck's algorithms: one phase per base-k digit of a distance, any number of ranks (Bruck, Ho, Kipnis, Upfal &
//! Weathersby, "Efficient algorithms for all-to-all communications in multiport message-passing systems", IEEE TPDS 1997).

use netloom_model::schedule::{Partner, RelativeRange};

use crate::counts::{log_ceil, power};
use crate::plan::{Plan, round, run};

/// Every `(i, j·k^i)` with `j` in `1..k` and `j·k^i < p`: phase and distance.
fn distances(ranks: u32, k: u32) -> impl Iterator<Item = (u32, u64)> {
    let (p, k) = (u64::from(ranks), u64::from(k));
    (0..log_ceil(p, k))
        .flat_map(move |i| (1..k).map(move |j| (i, j * power(k, i))).take_while(move |(_, distance)| *distance < p))
}

/// In phase `i` rank `r` sends to `r - j·k^i` its `min(k^i, p - j·k^i)` blocks `r, r+1, ..`.
pub(crate) fn allgather(ranks: u32, k: u32) -> Plan {
    let p = u64::from(ranks);
    let rounds = distances(ranks, k).map(|(i, distance)| {
        let count = power(u64::from(k), i).min(p - distance) as u32;
        round(i, Partner::Shift((p - distance) as u32), run(0, count), false)
    });
    Plan::cyclic(ranks, ranks, log_ceil(p, u64::from(k)), rounds.collect())
}

/// A block that has to travel `o` ranks upwards (or downwards) moves `j·k^i` in phase `i`, where `j` is digit `i` of `o`.
/// Cui 2024 §2.3.2 states `r → r + 2^i`, its figure 2.15 `r → r - 2^i` (errata E0-15).
pub(crate) fn alltoall(ranks: u32, k: u32, downwards: bool) -> Plan {
    let p = u64::from(ranks);
    let turned = |v: u64| if downwards { (p - v) % p } else { v };
    let rounds = distances(ranks, k).map(|(i, distance)| {
        let (unit, cycle) = (power(k.into(), i), power(k.into(), i + 1));
        let block = |o: u64| {
            let (moved, left) = (o % unit, o - o % unit);
            // The holder is `moved` beyond the source and `left` before the destination.
            RelativeRange { part: turned((p - moved) % p) as u32, first: turned(left) as u32, count: 1 }
        };
        let travelling = (0..).map(|m| m * cycle + distance).take_while(|base| *base < p);
        let ranges = travelling.flat_map(|base| base..(base + unit).min(p)).map(block).collect();
        round(i, Partner::Shift(turned(distance) as u32), ranges, false)
    });
    Plan::cyclic_of_pairs(ranks, log_ceil(p, u64::from(k)), rounds.collect())
}

/// In phase `i` rank `r` sends `r + j·k^i` the tokens of the `k^i` ranks that it has heard from: itself and those
/// before it.
pub(crate) fn dissemination(ranks: u32, k: u32) -> Plan {
    let p = u64::from(ranks);
    let rounds = distances(ranks, k).map(|(i, distance)| {
        let heard = power(u64::from(k), i).min(p);
        round(i, Partner::Shift(distance as u32), run(((p + 1 - heard) % p) as u32, heard as u32), false)
    });
    Plan::cyclic(ranks, ranks, log_ceil(p, u64::from(k)), rounds.collect())
}
