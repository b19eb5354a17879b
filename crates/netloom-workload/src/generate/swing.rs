//! Swing: partners on alternating sides, at distances 1, -1, 3, -5, 11, ... (De Sensi, Bonato, Saam & Hoefler, "Swing:
//! short-cutting rings for higher bandwidth allreduce", NSDI 2024, arXiv 2401.09356). Bine trees and butterflies use the
//! same partners (De Sensi et al., "Bine trees", SC 2025, arXiv 2508.17311).

use netloom_model::schedule::{Partner, RankGrid, Turn};

use crate::counts::log_ceil;
use crate::generate::torus::Move;
use crate::plan::{Builder, Plan, round, run, runs};

/// `(1 - (-2)^(s+1)) / 3`: in step `s` even ranks swap with `r + distance`, odd ones with `r - distance`.
pub(crate) fn distance(s: u32) -> i64 {
    (1 - (-2i64).pow(s + 1)) / 3
}

/// One step of the allgather on a ring, as an even rank sees it.
pub(crate) struct Exchange {
    /// Distance to the partner.
    pub distance: u64,
    /// Offsets of the blocks that go there: held here and lacking there.
    pub sent: Vec<u64>,
    /// Offsets of the blocks that come from there.
    pub arrived: Vec<u64>,
}

/// The allgather on an even number of ranks, far partners first. An even rank that holds `r + H` faces one that holds
/// `r + d - H`; every block comes once. O(p).
pub(crate) fn exchanges(p: u64) -> Vec<Exchange> {
    let steps = log_ceil(p, 2);
    let (mut held, mut has) = (vec![0u64], vec![false; p as usize]);
    has[0] = true;
    let step = |s: u32| {
        let d = distance(s).rem_euclid(p as i64) as u64;
        let sent: Vec<u64> = held.iter().copied().filter(|o| !has[((d + p - o) % p) as usize]).collect();
        let arrived: Vec<u64> = sent.iter().map(|o| (d + p - o) % p).collect();
        arrived.iter().for_each(|o| has[*o as usize] = true);
        held.extend(&arrived);
        Exchange { distance: d, sent, arrived }
    };
    (0..steps).rev().map(step).collect()
}

/// [`exchanges`] between the ranks of one axis of a grid; `mirrored` takes the other side first.
pub(crate) fn moves(axis: usize, extent: u64, mirrored: bool) -> Vec<Move> {
    let side = |o: u64| if mirrored { (extent - o) % extent } else { o };
    let turned = |e: Exchange| Move {
        axis,
        to: side(e.distance),
        sent: e.sent.into_iter().map(side).collect(),
        arrived: e.arrived.into_iter().map(side).collect(),
        alternating: true,
    };
    exchanges(extent).into_iter().map(turned).collect()
}

/// Allgather on any number of ranks. If it is odd, the last rank is treated separately: the others swing, and in step `t` it swaps
/// blocks with `ceil(P / 2^(q-1-t))` of the `P` others less those that it has met, so that it never sends more than they do
/// (NSDI 2024, section on numbers that are no power of two).
pub(crate) fn allgather(ranks: u32) -> Plan {
    let even = ranks - u32::from(ranks > 1 && ranks % 2 == 1);
    let p = u64::from(even);
    let steps = log_ceil(p, 2);
    let swings = |t: u32, exchange: Exchange| {
        let mut sent: Vec<u32> = exchange.sent.iter().map(|o| *o as u32).collect();
        round(t, mirrored(exchange.distance, even), runs(0, &mut sent), false)
    };
    let rounds = (0..).zip(exchanges(p)).map(|(t, exchange)| swings(t, exchange)).collect();
    let plan = Plan::cyclic(even, even, steps, rounds);
    if even == ranks {
        return plan;
    }
    let mut builder = Builder::new(ranks, ranks);
    plan.expanded().for_each(|step, t, held| builder.send(step, t.src, t.dst, held, t.combine));
    for t in 0..steps {
        let met = |t: u32| p.div_ceil(1 << (steps - t)) as u32;
        for r in if t == 0 { 0 } else { met(t) }..met(t + 1) {
            builder.send_run(t, even, r, even, 1, false);
            builder.send_run(t, r, even, r, 1, false);
        }
    }
    builder.finish(steps)
}

/// Whole vectors swapped with every partner, near ones first, on a power of two ranks: every step doubles the contributions.
pub(crate) fn whole_vector(ids: u32) -> Plan {
    let steps = log_ceil(u64::from(ids), 2);
    let swings = |s: u32| round(s, mirrored(distance(s).rem_euclid(i64::from(ids)) as u64, ids), run(0, 1), true);
    Plan::cyclic(ids, 1, steps, (0..steps).map(swings).collect())
}

/// `r + distance` for even `r`, `r - distance` for odd, round a ring of an even number of ranks.
pub(crate) fn mirrored(distance: u64, ranks: u32) -> Partner {
    RankGrid::new(&[(ranks, Turn::Mirrored)])
        .map_or(Partner::Shift(distance as u32), |grid| Partner::Grid(distance as u32, grid))
}
