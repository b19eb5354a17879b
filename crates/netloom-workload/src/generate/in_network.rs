//! Collectives in which switches combine and multiply: messages go up a tree of switches and down again, segment by
//! segment. A node passes a segment on in the step after it has it.

use netloom_model::CombiningTree;
use netloom_model::schedule::BlockRange;

use crate::plan::{Builder, Plan};

/// A tree with what the generators ask of it: nodes are ranks, then switches.
struct Leaves<'a> {
    tree: &'a CombiningTree,
    height: u32,
    nodes: u32,
    /// Ranks below each node, as runs.
    below: Vec<Vec<BlockRange>>,
}

impl<'a> Leaves<'a> {
    /// O(ranks · height).
    fn new(tree: &'a CombiningTree) -> Leaves<'a> {
        let nodes = tree.ranks() + tree.switches();
        let mut below = vec![Vec::<BlockRange>::new(); nodes as usize];
        for rank in 0..tree.ranks() {
            let mut at = Some(rank);
            while let Some(node) = at {
                match below[node as usize].last_mut() {
                    Some(last) if last.first + last.count == rank => last.count += 1,
                    _ => below[node as usize].push(BlockRange { first: rank, count: 1 }),
                }
                at = tree.parent(node);
            }
        }
        Leaves { tree, height: tree.height(), nodes, below }
    }

    /// Every node but the root, with the one above.
    fn edges(&self) -> impl Iterator<Item = (u32, u32)> {
        (0..self.nodes).filter_map(|node| Some((node, self.tree.parent(node)?)))
    }

    /// Blocks of the ranks below a node, of segment `s`.
    fn own(&self, node: u32, s: u32) -> Vec<BlockRange> {
        let first = s * self.tree.ranks();
        self.below[node as usize].iter().map(|run| BlockRange { first: first + run.first, count: run.count }).collect()
    }

    /// Blocks of all other ranks.
    fn others(&self, node: u32, s: u32) -> Vec<BlockRange> {
        let (first, ranks) = (s * self.tree.ranks(), self.tree.ranks());
        let mut at = 0;
        let mut found = Vec::new();
        for run in &self.below[node as usize] {
            found.push(BlockRange { first: first + at, count: run.first - at });
            at = run.first + run.count;
        }
        found.push(BlockRange { first: first + at, count: ranks - at });
        found.retain(|run| run.count > 0);
        found
    }
}

/// Segments go up, are combined on their way, and come down from the root: `segments - 1 + 2 · height` steps.
pub(crate) fn allreduce(tree: &CombiningTree, segments: u32) -> Plan {
    let leaves = Leaves::new(tree);
    let mut builder = Builder::new(leaves.nodes, segments);
    let height = leaves.height;
    for (node, above) in leaves.edges() {
        for s in 0..segments {
            builder.send_run(s + height - tree.depth(node), node, above, s, 1, true);
            builder.send_run(s + height + tree.depth(above), above, node, s, 1, false);
        }
    }
    builder.finish(segments - 1 + 2 * height)
}

/// The combined block of each rank goes down to it, and from it to all, itself included: `segments - 1 + 4 · height` steps.
pub(crate) fn allreduce_by_owners(tree: &CombiningTree, segments: u32) -> Plan {
    let (leaves, ranks) = (Leaves::new(tree), tree.ranks());
    let mut builder = Builder::new(leaves.nodes, ranks * segments);
    let height = leaves.height;
    for (node, above) in leaves.edges() {
        let (up, down) = (height - tree.depth(node), tree.depth(above));
        for s in 0..segments {
            let own = leaves.own(node, s);
            builder.send_run(s + up, node, above, s * ranks, ranks, true);
            builder.send(s + height + down, above, node, &own, false);
            builder.send(s + 2 * height + up, node, above, &own, false);
            builder.send_run(s + 3 * height + down, above, node, s * ranks, ranks, false);
        }
    }
    builder.finish(segments - 1 + 4 * height)
}

/// From rank `root` along all links of the tree: `segments - 1 + ` the most links to a rank.
pub(crate) fn broadcast(tree: &CombiningTree, root: u32, segments: u32) -> Plan {
    let leaves = Leaves::new(tree);
    let mut builder = Builder::new(leaves.nodes, segments);
    // Links from the root rank to each node, and the node before it on the way.
    let mut hops = vec![None; leaves.nodes as usize];
    let (mut at, mut up) = (root, 0);
    hops[root as usize] = Some(0);
    while let Some(above) = tree.parent(at) {
        up += 1;
        hops[above as usize] = Some(up);
        at = above;
    }
    let far = |node: u32| {
        let (mut at, mut links) = (node, 0);
        while hops[at as usize].is_none() {
            let Some(above) = tree.parent(at) else { break };
            (at, links) = (above, links + 1);
        }
        hops[at as usize].unwrap_or(0) + links
    };
    let mut most = 0;
    for (node, above) in leaves.edges() {
        let (here, there) = (far(node), far(above));
        let (from, to) = if here < there { (node, above) } else { (above, node) };
        // Nothing is beyond a switch above which no other rank is.
        if here < there && leaves.others(node, 0).is_empty() {
            continue;
        }
        most = most.max(here.max(there));
        for s in 0..segments {
            builder.send_run(s + here.min(there), from, to, s, 1, false);
        }
    }
    builder.finish(if most == 0 { 0 } else { segments - 1 + most })
}

/// The blocks of the ranks below a node go up, those of all others come down: `segments - 1 + 2 · height` steps.
pub(crate) fn allgather(tree: &CombiningTree, segments: u32) -> Plan {
    let leaves = Leaves::new(tree);
    let mut builder = Builder::new(leaves.nodes, tree.ranks() * segments);
    let height = leaves.height;
    for (node, above) in leaves.edges() {
        if leaves.others(node, 0).is_empty() {
            continue;
        }
        for s in 0..segments {
            builder.send(s + height - tree.depth(node), node, above, &leaves.own(node, s), false);
            builder.send(s + height + tree.depth(above), above, node, &leaves.others(node, s), false);
        }
    }
    builder.finish(if tree.ranks() == 1 { 0 } else { segments - 1 + 2 * height })
}
