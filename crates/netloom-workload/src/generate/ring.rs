//! Allgathers in which the own block, or what came last, travels on: direct, ring, neighbour exchange, Sparbit.

use netloom_model::schedule::{BlockRange, Partner};

use crate::counts::log_ceil;
use crate::plan::{Builder, Plan, round, run};

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
    let p = u64::from(ranks);
    let mut builder = Builder::new(ranks, ranks);
    for t in 0..ranks / 2 {
        for r in 0..ranks {
            let rightwards = (r % 2 == 0) == (t % 2 == 0);
            let dst = (u64::from(r) + if rightwards { 1 } else { p - 1 }) % p;
            if t == 0 {
                builder.send_run(t, r, dst as u32, r, 1, false);
                continue;
            }
            // What goes to the right came from the left: pairs r-2, r-4, ... in steps 2, 4, ...; likewise to the left.
            let (pair, back) = (u64::from(r - r % 2), 2 * (u64::from(t) / 2));
            let newest = if rightwards { pair + p - back } else { pair + back };
            builder.send_run(t, r, dst as u32, (newest % p) as u32, 2, false);
        }
    }
    builder.finish(ranks / 2)
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
        let ranges = held.map(|back| BlockRange { first: ((p - back) % p) as u32, count: 1 }).collect();
        round(t, Partner::Shift(distance as u32), ranges, false)
    });
    Plan::cyclic(ranks, ranks, steps, rounds.collect())
}
