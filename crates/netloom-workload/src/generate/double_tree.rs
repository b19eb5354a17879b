//! Two binary trees in which a rank that passes on in one is a leaf in the other, so that both halves of the data use the
//! full bandwidth of every rank (Sanders, Speck & Träff, "Two-tree algorithms for full bandwidth broadcast, reduction and
//! scan", Parallel Computing 2009). NCCL builds its trees over all ranks, so each has its own root.

use crate::plan::{Builder, Plan};

/// No parent.
const NONE: u32 = u32::MAX;

/// Parent of every rank in both trees.
pub(crate) struct Pair {
    pub parents: [Vec<u32>; 2],
}

/// In-order binary tree on `0..p` below rank 0: the parent of a rank with lowest bit `b` is the multiple of `2b` that is no
/// multiple of `4b`, or below `r - b` if that does not exist. Depth `ceil(log2 p)`.
fn in_order(ranks: u32) -> Vec<u32> {
    let parent = |r: u32| {
        let bit = r & r.wrapping_neg();
        let above = u64::from(r ^ bit) | (u64::from(bit) << 1);
        if above < u64::from(ranks) { above as u32 } else { r ^ bit }
    };
    (0..ranks).map(|r| if r == 0 { NONE } else { parent(r) }).collect()
}

/// The same tree under other names.
fn renamed(tree: &[u32], name: impl Fn(u32) -> u32) -> Vec<u32> {
    let mut out = vec![NONE; tree.len()];
    for (r, &above) in tree.iter().enumerate().filter(|(_, above)| **above != NONE) {
        out[name(r as u32) as usize] = name(above);
    }
    out
}

impl Pair {
    /// Rank 0 above two trees on the others, the second mirrored if they are even in number, else shifted by one.
    pub fn below_root(ranks: u32) -> Pair {
        let (first, others) = (in_order(ranks), ranks - 1);
        let second = renamed(&first, |r| match r {
            0 => 0,
            _ if others.is_multiple_of(2) => others + 1 - r,
            _ => r % others + 1,
        });
        Pair { parents: [first, second] }
    }

    /// Both trees on all ranks, the second mirrored if they are even in number, else shifted by one.
    pub fn of_all(ranks: u32) -> Pair {
        let first = in_order(ranks);
        let second = renamed(&first, |r| if ranks.is_multiple_of(2) { ranks - 1 - r } else { (r + 1) % ranks });
        Pair { parents: [first, second] }
    }

    /// Both trees over runs of `chain` ranks: the first of a run is in the trees, the others hang below it in a chain.
    pub fn of_chains(ranks: u32, chain: u32) -> Pair {
        let heads = Pair::of_all(ranks.div_ceil(chain));
        let above = |parents: &[u32], r: u32| match (r % chain, parents[(r / chain) as usize]) {
            (0, NONE) => NONE,
            (0, run) => run * chain,
            _ => r - 1,
        };
        Pair { parents: heads.parents.map(|parents| (0..ranks).map(|r| above(&parents, r)).collect()) }
    }

    /// Steps from the root of tree `t` to `rank`. O(depth).
    pub fn depth(&self, t: usize, rank: u32) -> u32 {
        let above = |r: &u32| Some(self.parents[t][*r as usize]).filter(|up| *up != NONE);
        std::iter::successors(Some(rank), above).count() as u32 - 1
    }

    /// `(tree, rank)` of every edge, named after its lower end.
    fn edges(&self) -> Vec<(usize, u32)> {
        let below = |t: usize| (0..self.parents[t].len() as u32).filter(move |r| self.parents[t][*r as usize] != NONE);
        (0..2).flat_map(|t| below(t).map(move |r| (t, r))).collect()
    }

    /// 0 or 1 for every edge `t·p + r`, such that no rank sends or receives along two edges of one colour: every rank has at
    /// most two of each kind, so that the edges form paths and even cycles. A deepest edge has colour 1. O(p).
    fn colours(&self, depths: &[Vec<u32>; 2]) -> Vec<u8> {
        let p = self.parents[0].len();
        let mut out_edges = vec![[usize::MAX; 2]; p];
        let edges = self.edges();
        for &(t, r) in &edges {
            let pair = &mut out_edges[self.parents[t][r as usize] as usize];
            let free = usize::from(pair[0] != usize::MAX);
            pair[free] = t * p + r as usize;
        }
        let mut colour = vec![u8::MAX; 2 * p];
        let deepest = edges.iter().max_by_key(|(t, r)| depths[*t][*r as usize]);
        let mut open: Vec<(usize, u8)> = Vec::new();
        let index = |(t, r): &(usize, u32)| t * p + *r as usize;
        for (start, first) in deepest.map(|e| (index(e), 1)).into_iter().chain(edges.iter().map(|e| (index(e), 0))) {
            if colour[start] == u8::MAX {
                open.push((start, first));
            }
            while let Some((edge, c)) = open.pop() {
                if colour[edge] != u8::MAX {
                    continue;
                }
                colour[edge] = c;
                let (t, r) = (edge / p, edge % p);
                let twin = (1 - t) * p + r;
                let siblings = out_edges[self.parents[t][r] as usize];
                if self.parents[1 - t][r] != NONE {
                    open.push((twin, 1 - c));
                }
                open.extend(siblings.into_iter().filter(|e| *e != usize::MAX && *e != edge).map(|e| (e, 1 - c)));
            }
        }
        colour
    }

    /// `segments` blocks down the first tree and as many down the second, one message per rank and step. An edge at depth
    /// `d` carries segment `s` in step `2(s + d - 1)` or the one after it, by colour: `2(segments - 1 + depth)` steps.
    pub fn broadcast(&self, segments: u32) -> Plan {
        let ranks = self.parents[0].len() as u32;
        let mut builder = Builder::new(ranks, 2 * segments);
        let depths = [0, 1].map(|t| (0..ranks).map(|r| self.depth(t, r)).collect::<Vec<_>>());
        let deepest = depths.iter().flatten().max().copied().unwrap_or(0);
        if deepest == 0 {
            return builder.finish(0);
        }
        let colours = self.colours(&depths);
        for (t, r) in self.edges() {
            let (from, at) = (self.parents[t][r as usize], t * ranks as usize + r as usize);
            for s in 0..segments {
                let step = 2 * (s + depths[t][r as usize] - 1) + u32::from(colours[at]);
                builder.send_run(step, from, r, t as u32 * segments + s, 1, false);
            }
        }
        builder.finish(2 * (segments - 1 + deepest))
    }
}

/// Pipelines up and down both trees at the same time: every rank passes a segment on in the step after it has it, and
/// the root turns it around.
pub(crate) struct Pipelines {
    pair: Pair,
    depths: [Vec<u32>; 2],
    deepest: u32,
}

impl Pipelines {
    /// O(ranks).
    pub fn new(ranks: u32, chain: u32) -> Pipelines {
        let pair = Pair::of_chains(ranks, chain);
        let depths = [0, 1].map(|t| {
            let heads: Vec<u32> = (0..ranks).step_by(chain as usize).map(|head| pair.depth(t, head)).collect();
            (0..ranks).map(|r| heads[(r / chain) as usize] + r % chain).collect::<Vec<_>>()
        });
        let deepest = depths.iter().flatten().max().copied().unwrap_or(0);
        Pipelines { pair, depths, deepest }
    }

    /// `segments` blocks in each tree.
    pub fn allreduce(&self, segments: u32) -> Plan {
        let ranks = self.depths[0].len() as u32;
        let mut builder = Builder::new(ranks, 2 * segments);
        for (t, r) in self.pair.edges() {
            let (above, depth) = (self.pair.parents[t][r as usize], self.depths[t][r as usize]);
            for s in 0..segments {
                let block = t as u32 * segments + s;
                builder.send_run(s + self.deepest - depth, r, above, block, 1, true);
                builder.send_run(s + self.deepest + depth - 1, above, r, block, 1, false);
            }
        }
        builder.finish(self.steps(segments))
    }

    pub fn steps(&self, segments: u32) -> u32 {
        if self.deepest == 0 { 0 } else { 2 * self.deepest + segments - 1 }
    }

    /// Largest number of bytes that a rank sends, and of messages that it sends or receives in a step. O(ranks).
    pub fn busiest(&self, segments: u32, halves: [u64; 2]) -> (u128, u32) {
        let mut below = vec![[0u32; 2]; self.depths[0].len()];
        for (t, r) in self.pair.edges() {
            below[self.pair.parents[t][r as usize] as usize][t] += 1;
        }
        let (mut bytes, mut ports) = (0, 0);
        for (r, below) in below.into_iter().enumerate() {
            // First steps of both pipelines of both trees, and messages in each step.
            let (mut sends, mut receives, mut sent) = ([(0, 0); 4], [(0, 0); 4], 0);
            for t in 0..2 {
                let (depth, children) = (self.depths[t][r], below[t]);
                let up = u32::from(self.pair.parents[t][r] != NONE);
                sent += u128::from(up + children) * u128::from(halves[t]);
                (sends[2 * t], sends[2 * t + 1]) = ((self.deepest - depth, up), (self.deepest + depth, children));
                receives[2 * t] = ((self.deepest - depth).saturating_sub(1), children);
                receives[2 * t + 1] = ((self.deepest + depth).saturating_sub(1), up);
            }
            let most = |of: [(u32, u32); 4]| {
                let in_step = |step: u32| -> u32 {
                    of.iter().filter(|(from, _)| (*from..from + segments).contains(&step)).map(|(_, n)| n).sum()
                };
                of.iter().map(|(from, _)| in_step(*from)).max().unwrap_or(0)
            };
            bytes = bytes.max(sent);
            ports = ports.max(most(sends)).max(most(receives));
        }
        (bytes, ports)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::counts::log_ceil;

    #[test]
    fn one_rank_at_most_passes_on_in_both_trees() {
        for p in 2..=1024u32 {
            for (pair, allowed) in [(Pair::below_root(p), 0), (Pair::of_all(p), 1)] {
                let passes = |t: usize| {
                    let mut inner = vec![false; p as usize];
                    pair.parents[t].iter().filter(|up| **up != NONE).for_each(|up| inner[*up as usize] = true);
                    inner
                };
                let (a, b) = (passes(0), passes(1));
                // Rank 0 is the root of both trees of the first form and no part of either.
                let first = usize::from(allowed == 0);
                let both = (first..p as usize).filter(|r| a[*r] && b[*r]).count();
                assert!(both <= allowed, "p={p}: {both}");
                for t in 0..2 {
                    let deepest = (0..p).map(|r| pair.depth(t, r)).max().unwrap();
                    assert_eq!(deepest, log_ceil(p.into(), 2), "p={p} tree {t}");
                }
            }
        }
    }
}
