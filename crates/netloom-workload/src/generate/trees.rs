//! Trees over `v = (rank - root) mod p`, so that the root is always 0 and every subtree is a run of consecutive `v`.

use crate::counts::{log_ceil, power};
use crate::plan::{Builder, Plan};

/// `from` sends to `to`, whose subtree is `to .. to + span`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Edge {
    pub step: u32,
    pub from: u32,
    pub to: u32,
    pub span: u32,
}

/// A tree with the number of steps that one message takes down it.
pub(crate) struct Tree {
    pub ranks: u32,
    pub steps: u32,
    pub edges: Vec<Edge>,
}

/// In the step of digit `i = q-1 .. 0` every `v` that is a multiple of `k^(i+1)` sends to `v + j·k^i`, `j = 1 .. k-1`, all
/// at once. `k = 2` is the binomial tree of Cui 2024 §2.3.2 (distance halves: 0→4, then 0→2, 4→6, ...).
pub(crate) fn knomial(ranks: u32, k: u32) -> Tree {
    let (p, k) = (u64::from(ranks), u64::from(k));
    let steps = log_ceil(p, k);
    let mut edges = Vec::with_capacity(ranks.saturating_sub(1) as usize);
    for i in (0..steps).rev() {
        let unit = power(k, i);
        let mut v = 0;
        while v < p {
            for to in (1..k).map(|j| v + j * unit).take_while(|to| *to < p) {
                let span = unit.min(p - to) as u32;
                edges.push(Edge { step: steps - 1 - i, from: v as u32, to: to as u32, span });
            }
            v = v.saturating_add(power(k, i + 1));
        }
    }
    Tree { ranks, steps, edges }
}

/// The root sends to 1, 2, ..., p-1, one after the other.
pub(crate) fn linear(ranks: u32) -> Tree {
    let edges = (1..ranks).map(|to| Edge { step: to - 1, from: 0, to, span: 1 }).collect();
    Tree { ranks, steps: ranks - 1, edges }
}

impl Tree {
    /// The whole message down the tree.
    pub fn broadcast(&self) -> Plan {
        let mut builder = Builder::new(self.ranks, 1);
        for e in &self.edges {
            builder.send_run(e.step, e.from, e.to, 0, 1, false);
        }
        builder.finish(self.steps)
    }

    /// Block `v` to rank `v`: an edge carries the blocks of the subtree below it.
    pub fn scatter(&self) -> Plan {
        let mut builder = Builder::new(self.ranks, self.ranks);
        for e in &self.edges {
            builder.send_run(e.step, e.from, e.to, e.to, e.span, false);
        }
        builder.finish(self.steps)
    }
}

/// `segments` blocks down the k-ary tree `v → k·v+1 .. k·v+k` (k = 1: the chain), one message per rank and step: a rank
/// that may first send in step `t` sends segment `s` to its child `j` in step `t + s·K + j`, where `K` is the number of
/// children of the root.
pub(crate) fn pipeline(ranks: u32, k: u32, segments: u32) -> Plan {
    let mut builder = Builder::new(ranks, segments);
    let period = k.min(ranks - 1);
    let mut start = vec![0u32; ranks as usize];
    for v in 1..ranks {
        let (parent, child) = ((v - 1) / k, (v - 1) % k);
        start[v as usize] = start[parent as usize] + child + 1;
        for s in 0..segments {
            builder.send_run(start[v as usize] - 1 + s * period, parent, v, s, 1, false);
        }
    }
    let deepest = start.iter().max().copied().unwrap_or(0);
    builder.finish(if ranks > 1 { deepest + (segments - 1) * period } else { 0 })
}
