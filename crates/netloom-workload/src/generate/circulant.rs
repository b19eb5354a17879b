//! Circulant graphs whose skips halve: `skip[q] = p`, `skip[k] = ceil(skip[k+1] / 2)`. On any number of ranks they carry an
//! allgather in `q = ceil(log2 p)` steps, and a broadcast of `n` blocks in `n - 1 + q` steps, which no one-ported algorithm
//! beats (Träff, "Optimal broadcast schedules in logarithmic time", arXiv 2407.18004; "Optimal, non-pipelined reduce-scatter
//! and allreduce algorithms", arXiv 2410.14234).

use netloom_model::schedule::{Partner, RelativeRange};

use crate::plan::{Builder, Plan, round, run};

/// `skip[0] = 1 .. skip[q] = p`; only `[1]` for one rank.
pub(crate) fn skips(ranks: u32) -> Vec<u32> {
    let mut skips = vec![ranks];
    while skips.last().is_some_and(|s| *s > 1) {
        skips.extend(skips.last().map(|s| s.div_ceil(2)));
    }
    skips.reverse();
    skips
}

/// In step `k` rank `r` sends to `r - skip[k]` its first `skip[k+1] - skip[k]` blocks `r, r+1, ..`; it then holds `skip[k+1]`
/// of them.
pub(crate) fn allgather(ranks: u32) -> Plan {
    let skips = skips(ranks);
    let rounds = skips
        .windows(2)
        .enumerate()
        .map(|(k, pair)| round(k as u32, Partner::Shift(ranks - pair[0]), run(0, pair[1] - pair[0]), false));
    Plan::cyclic(ranks, ranks, skips.len() as u32 - 1, rounds.collect())
}

/// When which block of rank 0 arrives where: one message per rank and step. Phases of `q` steps repeat: what [`received`]
/// proves for one phase holds for all, `q` blocks later. The first phase is cut so that the last one is whole.
struct BlockArrivals {
    skips: Vec<u32>,
    steps: u32,
    blocks: u32,
    /// Steps of the first phase that are cut off.
    cut: u32,
    /// [`received`] of every rank, `q` numbers each; none for rank 0.
    schedules: Vec<i8>,
}

impl BlockArrivals {
    /// O(p log² p).
    fn new(ranks: u32, blocks: u32) -> BlockArrivals {
        let skips = skips(ranks);
        let q = skips.len() as u32 - 1;
        let (steps, cut) = if q == 0 { (0, 0) } else { (blocks - 1 + q, (q - (blocks - 1) % q) % q) };
        // Within -24 .. 24, since there are at most 2^24 ranks.
        let schedules = (1..ranks).flat_map(|r| received(r, &skips)).map(|block| block as i8).collect();
        BlockArrivals { skips, steps, blocks, cut, schedules }
    }

    fn q(&self) -> u32 {
        self.skips.len() as u32 - 1
    }

    /// Distance of every rank from its source in `step`.
    fn skip(&self, step: u32) -> u32 {
        self.skips[((step + self.cut) % self.q()) as usize]
    }

    /// The block that reaches `rank` in `step`.
    fn block(&self, step: u32, rank: u32) -> Option<u32> {
        let (q, at) = (self.q(), step + self.cut);
        let number = (rank as usize).checked_sub(1)? * q as usize + (at % q) as usize;
        let block = i64::from(self.schedules[number]) + i64::from(at / q * q) - i64::from(self.cut);
        // A phase brings exactly one block that is new to every rank; in the last phase that is the last one.
        (block >= 0).then_some((block as u32).min(self.blocks - 1))
    }
}

/// `blocks` blocks from rank 0 to every rank: in every step all receive from `r - skip`.
pub(crate) fn broadcast(ranks: u32, blocks: u32) -> Plan {
    let arrivals = BlockArrivals::new(ranks, blocks);
    let mut builder = Builder::new(ranks, blocks);
    for step in 0..arrivals.steps {
        for dst in 0..ranks {
            if let Some(block) = arrivals.block(step, dst) {
                builder.send_run(step, behind(dst, arrivals.skip(step), ranks), dst, block, 1, false);
            }
        }
    }
    builder.finish(arrivals.steps)
}

/// Every rank broadcasts `blocks` blocks at once: block `b·p + j`, which is `b` of rank `j`, travels as `b` of rank 0 does,
/// `j` ranks further. O(p · steps).
pub(crate) fn all_broadcast(ranks: u32, blocks: u32) -> Plan {
    let arrivals = BlockArrivals::new(ranks, blocks);
    // Rank 0 sends.
    let sent = |step: u32| {
        let skip = arrivals.skip(step);
        let of = |j: u32| arrivals.block(step, behind(skip, j, ranks)).map(|b| (b, j));
        let mut held: Vec<(u32, u32)> = (0..ranks).filter_map(of).collect();
        held.sort_unstable();
        let one = |(part, first)| RelativeRange { part, first, count: 1 };
        round(step, Partner::Shift(skip), held.into_iter().map(one).collect(), false)
    };
    Plan::cyclic(ranks, ranks * blocks, arrivals.steps, (0..arrivals.steps).map(sent).collect())
}

/// `(rank - skip) mod ranks`.
fn behind(rank: u32, skip: u32, ranks: u32) -> u32 {
    if rank >= skip { rank - skip } else { rank + (ranks - skip) }
}

/// Index of the smallest skip in the greedy sum of skips that reaches `rank` from rank 0: the first block that `rank`
/// receives, in step of that number. `q` for rank 0.
pub(crate) fn baseblock(rank: u32, skips: &[u32]) -> usize {
    let (mut left, mut last) = (rank, skips.len() - 1);
    for (k, &skip) in skips.iter().enumerate().rev() {
        if left > 0 && skip <= left {
            left -= skip;
            last = k;
        }
    }
    last
}

/// What `rank` receives in the `q` steps of a phase: `v >= 0` is a block that the root sends in this phase, `v < 0` one of
/// the phase before. The block of step `k` came along a greedy sum of skips to an intermediate rank between
/// `rank - skip[k+1]` (exclusive) and `rank - skip[k]`, found by depth-first search; every skip ends one such sum at most. O(log² p).
pub(crate) fn received(rank: u32, skips: &[u32]) -> Vec<i64> {
    let q = skips.len() - 1;
    let base = baseblock(rank, skips);
    let target = u64::from(rank) + u64::from(skips[q]);
    let mut search = Search { skips, target, bound: u64::MAX, free: vec![true; q + 1], found: Vec::with_capacity(q) };
    search.free[base] = false;
    search.below(0, q + 1);
    // Skip q goes once round: that block comes from the root afresh.
    let block = |e: usize| if e == q { base as i64 } else { e as i64 - q as i64 };
    search.found.into_iter().map(block).collect()
}

/// The search of [`received`]; ranks are counted from 0 to `target`, one turn further than the rank itself.
struct Search<'a> {
    skips: &'a [u32],
    target: u64,
    /// Intermediates come nearer to 0 as `k` grows; without this bound the search accepts wrong ones, first at p = 33.
    bound: u64,
    free: Vec<bool>,
    found: Vec<usize>,
}

impl Search<'_> {
    /// Largest intermediate of step `k`.
    fn limit(&self, k: usize) -> u64 {
        self.target - u64::from(self.skips[k])
    }

    /// Continues from intermediate `at` along the free skips below number `end`, largest first.
    fn below(&mut self, at: u64, end: usize) {
        let q = self.skips.len() - 1;
        for e in (0..end).rev() {
            let next = at + u64::from(self.skips[e]);
            if self.found.len() == q {
                return;
            }
            if !self.free[e] || next > self.limit(self.found.len()) || next >= self.bound {
                continue;
            }
            if next <= self.limit(self.found.len() + 1) {
                self.below(next, e);
            }
            let k = self.found.len();
            if k == q || at > self.limit(k + 1) {
                return;
            }
            self.bound = next;
            self.free[e] = false;
            self.found.push(e);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The paper's conditions: a received block was sent, a sent block was received before, all blocks come once a
    /// phase.
    #[test]
    fn the_conditions_of_a_schedule_hold() {
        for p in 2..=1025u32 {
            let skips = skips(p);
            let q = skips.len() - 1;
            let schedules: Vec<Vec<i64>> = (0..p).map(|r| received(r, &skips)).collect();
            for r in 0..p {
                let (own, base) = (&schedules[r as usize], baseblock(r, &skips) as i64);
                let mut expected: Vec<i64> = (-(q as i64)..0).collect();
                if r > 0 {
                    expected[base as usize] = base;
                }
                let mut sorted = own.clone();
                sorted.sort_unstable();
                expected.sort_unstable();
                assert_eq!(sorted, expected, "p={p} r={r}");
                for k in 0..q {
                    let sent = schedules[((r + skips[k]) % p) as usize][k];
                    let held =
                        if r == 0 { sent == k as i64 } else { sent == base - q as i64 || own[..k].contains(&sent) };
                    assert!(held, "p={p} r={r} k={k}: {sent}");
                }
            }
        }
    }

    #[test]
    fn skips_halve() {
        assert_eq!(skips(1), [1]);
        assert_eq!(skips(17), [1, 2, 3, 5, 9, 17]);
        assert_eq!(skips(64), [1, 2, 4, 8, 16, 32, 64]);
    }
}
