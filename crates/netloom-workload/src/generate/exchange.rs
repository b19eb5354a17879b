//! Exchanges between ranks whose numbers differ in one digit: recursive doubling and halving, recursive exchange.

use netloom_model::schedule::Partner;

use super::fold::Fold;
use crate::counts::{log_floor, power};
use crate::plan::{Builder, Plan, round, run};

/// Allgather by recursive doubling: in step `i` the groups of `2^i` swap what they have. Ranks that are no power of two
/// fold in pairs, even to odd.
pub(crate) fn doubling(ranks: u32) -> Plan {
    if ranks.is_power_of_two() {
        let steps = ranks.trailing_zeros();
        let rounds = (0..steps).map(|i| round(i, Partner::Xor(1 << i), run(0, 1 << i), false)).collect();
        return Plan::cyclic(ranks, ranks, steps, rounds);
    }
    let fold = Fold::sets(ranks, 2, false);
    let starts = fold.starts();
    let (ids, steps) = (fold.active.len() as u32, log_floor(u64::from(ranks), 2));
    let mut builder = Builder::new(ranks, ranks);
    for i in 0..steps {
        for id in 0..ids {
            let base = (id >> i) << i;
            let (first, end) = (starts[base as usize], starts[(base + (1 << i)) as usize]);
            let (src, dst) = (fold.active[id as usize], fold.active[(id ^ (1 << i)) as usize]);
            builder.send_run(i, src, dst, first, end - first, false);
        }
    }
    fold.allgather(builder.finish(steps))
}

/// Reduce-scatter by recursive halving on a power of two: [`doubling`] backwards, distance `p/2` first.
pub(crate) fn halving(ranks: u32) -> Plan {
    doubling(ranks).reversed(true)
}

/// One block, all of it to the `k - 1` ids that differ in digit `i`, for `i = 0, 1, ..`; `ids` is a power of `k`.
pub(crate) fn whole_vector(ids: u32, k: u32) -> Plan {
    let steps = log_floor(u64::from(ids), u64::from(k));
    if k == 2 {
        let rounds = (0..steps).map(|i| round(i, Partner::Xor(1 << i), run(0, 1), true)).collect();
        return Plan::cyclic(ids, 1, steps, rounds);
    }
    let mut builder = Builder::new(ids, 1);
    for i in 0..steps {
        let unit = power(u64::from(k), i) as u32;
        for id in 0..ids {
            let digit = id / unit % k;
            for other in (1..k).map(|j| (digit + j) % k) {
                builder.send_run(i, id, id - digit * unit + other * unit, 0, 1, true);
            }
        }
    }
    builder.finish(steps)
}
