//! Allgathers in which the own block, or what came last, travels on: direct, ring, neighbour exchange, Sparbit.

use netloom_model::schedule::{Partner, RelativeRange};

use super::swing::mirrored;
use crate::counts::log_ceil;
use crate::plan::{Plan, round, run};

/// In step `t` rank `r` sends its own block to `r + t + 1`.
pub(crate) fn direct(ranks: u32) -> Plan {
    let rounds = (1..ranks).map(|k| round(k - 1, Partner::Shift(k), run(0, 1), false)).collect();
    Plan::cyclic(ranks, ranks, ranks - 1, rounds)
}

/// In step `t` rank `r` sends block `r - t` to `r + 1`; with `leftwards` block `r + t` to `r - 1`.
pub(crate) fn ring(ranks: u32, leftwards: bool) -> Plan {
    let step = |t: u32| match leftwards {
        false => round(t, Partner::Shift(1), run((ranks - t) % ranks, 1), false),
        true => round(t, Partner::Shift(ranks - 1), run(t, 1), false),
    };
    Plan::cyclic(ranks, ranks, ranks - 1, (0..ranks - 1).map(step).collect())
}

/// Even `p`: neighbours swap their own blocks, then every rank passes the two newest blocks on, alternately to the other
/// side (Chen, Zhang & Yuan, "Performance evaluation of allgather algorithms on terascale Linux cluster with fast Ethernet",
/// 2005). Odd `p`: the ring.
pub(crate) fn neighbour_exchange(ranks: u32) -> Plan {
    if ranks % 2 == 1 {
        return ring(ranks, false);
    }
    // Even ranks: to the right in even steps; odd ones mirror them. What goes to the right came from the left, in steps 2, 4, ...
    let step = |t: u32| {
        let (distance, newest) = if t.is_multiple_of(2) { (1, ranks - t) } else { (ranks - 1, t - 1) };
        round(t, mirrored(distance.into(), ranks), if t == 0 { run(0, 1) } else { run(newest, 2) }, false)
    };
    Plan::cyclic(ranks, ranks, ranks / 2, (0..ranks / 2).map(step).collect())
}

/// Far first: with distances `2^(q-1) .. 1` rank `r` sends to `r + 2^i` its blocks `r - m·2^(i+1)` that the receiver does
/// not get twice, `(2m+1)·2^i < p` (Loch & Koslovski, "Sparbit: a new logarithmic-cost and data locality-aware MPI allgather
/// algorithm", 2021).
pub(crate) fn sparbit(ranks: u32) -> Plan {
    let p = u64::from(ranks);
    let steps = log_ceil(p, 2);
    let rounds = (0..steps).map(|t| {
        let distance = 1u64 << (steps - 1 - t);
        let held = (0..).map(|m| 2 * m * distance).take_while(|back| back + distance < p);
        let ranges = held.map(|back| RelativeRange { part: 0, first: ((p - back) % p) as u32, count: 1 }).collect();
        round(t, Partner::Shift(distance as u32), ranges, false)
    });
    Plan::cyclic(ranks, ranks, steps, rounds.collect())
}
