//! PAT, parallel aggregated trees (Jeaugey, "PAT: a new algorithm for all-gather and reduce-scatter operations at scale",
//! arXiv 2506.20252): a binomial tree per block, far partners first, with a limit on the blocks that a message aggregates.

use netloom_model::schedule::{Partner, RelativeRange};

use crate::counts::{log_ceil, log_floor};
use crate::plan::{Plan, round};

/// `log2` of the trees that run side by side when a message carries `aggregate` blocks at most. With half of the blocks or
/// more no step is longer than in the unlimited tree.
pub(crate) fn side_by_side(ranks: u32, aggregate: u32) -> u32 {
    log_floor(u64::from(aggregate), 2).min(log_ceil(u64::from(ranks), 2).saturating_sub(1))
}

/// The first `a` steps halve the distance `2^(q-1)`, ..: the block of `r` is then at `r + j·M`, `M = 2^(q-a)`. From there on
/// `2^a` trees over `M` consecutive ranks run in step, one edge at a time, depth first, so that a rank keeps at most
/// `log2 M` blocks of each tree that it must still pass on. `a + min(M, p) - 1` steps; `a = q - 1` is Sparbit's schedule.
pub(crate) fn allgather(ranks: u32, aggregate: u32) -> Plan {
    let p = u64::from(ranks);
    let (q, a) = (log_ceil(p, 2), side_by_side(ranks, aggregate));
    let trees = 1u64 << (q - a);
    let mut rounds = Vec::new();
    // Every rank passes on, over `distance`, the blocks `at` positions behind it, one of each tree.
    let mut step = |at: u64, distance: u64, apart: u64| {
        let held = (0..).map(|j| j * apart + at).take_while(|back| back + distance < p);
        let ranges = held.map(|back| RelativeRange { part: 0, first: ((p - back) % p) as u32, count: 1 }).collect();
        rounds.push(round(rounds.len() as u32, Partner::Shift(distance as u32), ranges, false));
    };
    for distance in (q - a..q).rev().map(|i| 1 << i) {
        step(0, distance, 2 * distance);
    }
    depth_first(0, trees, p, &mut |at, distance| step(at, distance, trees));
    let steps = rounds.len() as u32;
    Plan::cyclic(ranks, ranks, steps, rounds)
}

/// Edges of the binomial tree on `at .. at + span`, far children first; ranks from `end` on do not exist.
fn depth_first(at: u64, span: u64, end: u64, visit: &mut impl FnMut(u64, u64)) {
    let mut half = span / 2;
    while half > 0 {
        if at + half < end {
            visit(at, half);
            depth_first(at + half, half, end, visit);
        }
        half /= 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use netloom_model::schedule::Rounds;

    /// Blocks that a rank has received and must still send, at most.
    fn buffer(ranks: u32, aggregate: u32) -> usize {
        let Rounds::Cyclic(rounds) = allgather(ranks, aggregate).rounds else { unreachable!() };
        let last = |back: u32| rounds.iter().rposition(|r| r.ranges.iter().any(|b| (ranks - b.first) % ranks == back));
        let mut waiting: Vec<Option<usize>> = Vec::new();
        let mut most = 0;
        for (now, r) in rounds.iter().enumerate() {
            let Partner::Shift(distance) = r.partner else { unreachable!() };
            waiting.extend(r.ranges.iter().map(|b| last((ranks - b.first) % ranks + distance)));
            waiting.retain(|until| until.is_some_and(|until| until > now));
            most = most.max(waiting.len());
        }
        most
    }

    #[test]
    fn buffers_are_bounded_by_the_aggregation() {
        for p in [16u32, 33, 64, 100, 256] {
            for aggregate in [1u32, 2, 4, 8, 16] {
                let (q, a) = (log_ceil(p.into(), 2), side_by_side(p, aggregate));
                let bound = (q - a) << a;
                assert!(buffer(p, aggregate) as u32 <= bound, "p={p} {aggregate}: {} > {bound}", buffer(p, aggregate));
            }
        }
        // One block at a time on 256 ranks: seven blocks wait; unlimited: half of the blocks less the own one.
        assert_eq!((buffer(256, 1), buffer(256, 1 << 20)), (7, 127));
    }
}
