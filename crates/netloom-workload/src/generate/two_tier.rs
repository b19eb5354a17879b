//! Two-tier collectives (Jain 2016 §8.1.2) on `groups × nodes × cores`: data spreads over the nodes of a group first, so that
//! every cable between groups carries its share at the same time, and enters a group once.
//!
//! Group `s` speaks with group `t` from its node `t mod nodes` to node `s mod nodes` over there (§8.1.1): the ends of the
//! cable on a dragonfly with `arrangement="round-robin"`, a fair share of the work on any other network. One rank per node,
//! with the root's number among the cores, leads. All messages of a phase leave in one step.
//!
//! With `own_group` a group also treats itself as the thesis words it: its own part travels to, or in a reduction from, its
//! node `s mod nodes` like that of every other group, and a broadcast returns to the root's group. Else no rank is sent data
//! that it has.

use netloom_model::schedule::BlockRange;

use crate::plan::{Builder, Plan};

/// A two-level hierarchy and its root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TwoTier {
    pub groups: u32,
    pub nodes: u32,
    pub cores: u32,
    pub root_group: u32,
    pub root_node: u32,
    pub root_core: u32,
    pub own_group: bool,
}

fn run(first: u32, count: u32) -> BlockRange {
    BlockRange { first, count }
}

/// Phases one after the other; a phase without a message takes no step.
struct Phases {
    builder: Builder,
    step: u32,
    sent: bool,
}

impl Phases {
    fn new(ranks: u32, blocks: u32) -> Self {
        Phases { builder: Builder::new(ranks, blocks), step: 0, sent: false }
    }
    fn send(&mut self, src: u32, dst: u32, held: &[BlockRange], combine: bool) {
        if src != dst && held.iter().any(|range| range.count > 0) {
            self.builder.send(self.step, src, dst, held, combine);
            self.sent = true;
        }
    }
    fn next(&mut self) {
        self.step += u32::from(self.sent);
        self.sent = false;
    }
    fn finish(mut self) -> Plan {
        self.next();
        self.builder.finish(self.step)
    }
}

impl TwoTier {
    pub fn new(levels: &[u32], root: u32, own_group: bool) -> Option<TwoTier> {
        let &[groups, nodes, cores] = levels else { return None };
        let (root_node, root_core) = (root / cores % nodes, root % cores);
        Some(TwoTier { groups, nodes, cores, root_group: root / cores / nodes, root_node, root_core, own_group })
    }

    pub fn ranks(&self) -> u32 {
        self.groups * self.nodes * self.cores
    }
    fn leader(&self, group: u32, node: u32) -> u32 {
        (group * self.nodes + node) * self.cores + self.root_core
    }
    fn leaders(&self) -> impl Iterator<Item = (u32, u32)> + use<> {
        let (groups, nodes) = (self.groups, self.nodes);
        (0..groups).flat_map(move |s| (0..nodes).map(move |j| (s, j)))
    }
    /// Groups whose cable ends at `node` of `group`.
    pub fn attached(&self, group: u32, node: u32) -> impl Iterator<Item = u32> + use<> {
        (node..self.groups).step_by(self.nodes as usize).filter(move |t| *t != group)
    }
    /// Groups whose parts `node` of `group` shares with the nodes of its group.
    fn shared(&self, group: u32, node: u32) -> Vec<BlockRange> {
        let all = (node..self.groups).step_by(self.nodes as usize);
        all.filter(|t| self.own_group || *t != group).map(|t| self.blocks_of_group(t)).collect()
    }
    fn blocks_of_node(&self, group: u32, node: u32) -> BlockRange {
        run((group * self.nodes + node) * self.cores, self.cores)
    }
    fn blocks_of_group(&self, group: u32) -> BlockRange {
        run(group * self.nodes * self.cores, self.nodes * self.cores)
    }

    /// Steps 1 to 3 of the scatter: the leader of every node gets the blocks of its node.
    pub fn spread(&self) -> Plan {
        let mut phases = Phases::new(self.ranks(), self.ranks());
        let root = self.leader(self.root_group, self.root_node);
        for j in 0..self.nodes {
            let held: Vec<BlockRange> = self.attached(self.root_group, j).map(|t| self.blocks_of_group(t)).collect();
            phases.send(root, self.leader(self.root_group, j), &held, false);
        }
        phases.next();
        let entry = self.root_group % self.nodes;
        for t in (0..self.groups).filter(|t| *t != self.root_group) {
            let exit = self.leader(self.root_group, t % self.nodes);
            phases.send(exit, self.leader(t, entry), &[self.blocks_of_group(t)], false);
        }
        phases.next();
        for (s, j) in self.leaders() {
            let holder = if s == self.root_group { self.root_node } else { entry };
            phases.send(self.leader(s, holder), self.leader(s, j), &[self.blocks_of_node(s, j)], false);
        }
        phases.finish()
    }

    /// The leader of every node gives its cores their own blocks.
    pub fn blocks_to_cores(&self) -> Plan {
        let mut phases = Phases::new(self.ranks(), self.ranks());
        for (s, j) in self.leaders() {
            for block in self.cores_of(s, j) {
                phases.send(self.leader(s, j), block, &[run(block, 1)], false);
            }
        }
        phases.finish()
    }

    /// The scatter without its steps: the root sends every rank its block, in the order of the ranks.
    pub fn direct(&self) -> Plan {
        let mut phases = Phases::new(self.ranks(), self.ranks());
        let root = self.leader(self.root_group, self.root_node);
        for rank in 0..self.ranks() {
            phases.send(root, rank, &[run(rank, 1)], false);
        }
        phases.finish()
    }

    /// The scatter's steps with all data in each message (base broadcast): to the nodes of the root's group, over their
    /// cables to all groups, there to all nodes, to the cores.
    pub fn broadcast_whole(&self) -> Plan {
        let mut phases = Phases::new(self.ranks(), 1);
        let (home, entry) = (self.root_group, self.root_group % self.nodes);
        for j in 0..self.nodes {
            phases.send(self.leader(home, self.root_node), self.leader(home, j), &[run(0, 1)], false);
        }
        phases.next();
        for t in (0..self.groups).filter(|t| *t != home) {
            phases.send(self.leader(home, t % self.nodes), self.leader(t, entry), &[run(0, 1)], false);
        }
        phases.next();
        for (t, j) in self.leaders().filter(|(t, _)| *t != home) {
            phases.send(self.leader(t, entry), self.leader(t, j), &[run(0, 1)], false);
        }
        phases.finish().then(self.all_to_cores(1, false))
    }

    fn cores_of(&self, group: u32, node: u32) -> std::ops::Range<u32> {
        let blocks = self.blocks_of_node(group, node);
        blocks.first..blocks.first + blocks.count
    }

    /// The leader of every node gives its cores all `blocks`; with `but_own`, which needs a block per rank, all but their own.
    pub fn all_to_cores(&self, blocks: u32, but_own: bool) -> Plan {
        let mut phases = Phases::new(self.ranks(), blocks);
        for (s, j) in self.leaders() {
            for core in self.cores_of(s, j) {
                let held = match but_own {
                    true => vec![run(0, core), run(core + 1, blocks - core - 1)],
                    false => vec![run(0, blocks)],
                };
                phases.send(self.leader(s, j), core, &held, false);
            }
        }
        phases.finish()
    }

    /// Allgather among the leaders, each with the blocks of its node: nodes of a group, then groups, then nodes again.
    pub fn exchange(&self) -> Plan {
        let mut phases = Phases::new(self.ranks(), self.ranks());
        for (s, j) in self.leaders() {
            for k in 0..self.nodes {
                phases.send(self.leader(s, j), self.leader(s, k), &[self.blocks_of_node(s, j)], false);
            }
        }
        phases.next();
        for s in 0..self.groups {
            for t in (0..self.groups).filter(|t| *t != s) {
                let (exit, entry) = (self.leader(s, t % self.nodes), self.leader(t, s % self.nodes));
                phases.send(exit, entry, &[self.blocks_of_group(s)], false);
            }
        }
        phases.next();
        for (t, j) in self.leaders() {
            let held = self.shared(t, j);
            for k in 0..self.nodes {
                phases.send(self.leader(t, j), self.leader(t, k), &held, false);
            }
        }
        phases.finish()
    }

    /// Reduce-scatter among the leaders: the exchange backwards. With `own_group`, what a node has given away must not count
    /// again: the first part that arrives over a cable replaces it, further ones are added in a step of their own.
    pub fn combine_among(&self) -> Plan {
        if !self.own_group {
            return self.exchange().reversed(true);
        }
        let mut phases = Phases::new(self.ranks(), self.ranks());
        for (s, j) in self.leaders() {
            let given = self.shared(s, j);
            for k in 0..self.nodes {
                phases.send(self.leader(s, k), self.leader(s, j), &given, true);
            }
        }
        for first in [true, false] {
            phases.next();
            for (s, j) in self.leaders() {
                let arriving = self.attached(s, j).enumerate().filter(|(i, _)| (*i == 0) == first);
                for (_, t) in arriving {
                    let collected = self.leader(t, s % self.nodes);
                    let replaced = first && j != s % self.nodes;
                    phases.send(collected, self.leader(s, j), &[self.blocks_of_group(s)], !replaced);
                }
            }
        }
        phases.next();
        for (s, j) in self.leaders() {
            for k in 0..self.nodes {
                phases.send(self.leader(s, k), self.leader(s, j), &[self.blocks_of_node(s, j)], true);
            }
        }
        phases.finish()
    }

    /// Every core combines one part of its node's vectors (the clique's owners of §8.1.2).
    pub fn combine_at_owners(&self) -> Plan {
        let mut phases = Phases::new(self.ranks(), self.ranks());
        for (s, j) in self.leaders() {
            for a in self.cores_of(s, j) {
                for b in self.cores_of(s, j) {
                    phases.send(a, b, &[self.owned(b)], true);
                }
            }
        }
        phases.finish()
    }

    /// The owners hand their parts to the leader of their node.
    pub fn owners_to_leaders(&self) -> Plan {
        let mut phases = Phases::new(self.ranks(), self.ranks());
        for (s, j) in self.leaders() {
            for owner in self.cores_of(s, j) {
                phases.send(owner, self.leader(s, j), &[self.owned(owner)], false);
            }
        }
        phases.finish()
    }

    fn owned(&self, owner: u32) -> BlockRange {
        let part = self.groups * self.nodes;
        run(owner % self.cores * part, part)
    }

    pub fn combine_in_nodes(&self) -> Plan {
        self.combine_at_owners().then(self.owners_to_leaders())
    }

    /// Nodes of the root's group that have a cable to another group: each takes one chunk of a broadcast. Without other
    /// groups, all nodes.
    pub fn chunks(&self) -> Vec<u32> {
        (0..self.nodes).filter(|j| self.groups == 1 || self.relay(*j).is_some()).collect()
    }

    /// The other group that chunk `node` enters first.
    pub fn relay(&self, node: u32) -> Option<u32> {
        self.attached(self.root_group, node).next()
    }

    /// The six steps of the broadcast. Chunk `j` goes to node `j` of the root's group, to its relay group, there to all
    /// nodes, from these to all other groups, where it arrives at node `j`, and there to all nodes; at last to the cores.
    /// With `own_group` the root's group is one of the other groups.
    pub fn broadcast(&self) -> Plan {
        let chunks = self.chunks();
        let count = chunks.len() as u32;
        let one = |c: usize| [run(c as u32, 1)];
        let mut phases = Phases::new(self.ranks(), count);
        let (home, entry, own_group) = (self.root_group, self.root_group % self.nodes, self.own_group);
        let root = self.leader(home, self.root_node);
        for (c, &j) in chunks.iter().enumerate() {
            phases.send(root, self.leader(home, j), &one(c), false);
        }
        phases.next();
        for (c, &j) in chunks.iter().enumerate() {
            if let Some(t) = self.relay(j) {
                phases.send(self.leader(home, j), self.leader(t, entry), &one(c), false);
            }
        }
        phases.next();
        for (c, &j) in chunks.iter().enumerate() {
            for k in 0..self.nodes {
                if k != self.root_node && !self.own_group {
                    phases.send(self.leader(home, j), self.leader(home, k), &one(c), false);
                }
                if let Some(t) = self.relay(j) {
                    phases.send(self.leader(t, entry), self.leader(t, k), &one(c), false);
                }
            }
        }
        phases.next();
        let further = |relay: u32| (0..self.groups).filter(move |t| *t != relay && (own_group || *t != home));
        for (c, &j) in chunks.iter().enumerate() {
            let Some(relay) = self.relay(j) else { continue };
            for t in further(relay) {
                phases.send(self.leader(relay, t % self.nodes), self.leader(t, j), &one(c), false);
            }
        }
        phases.next();
        for (c, &j) in chunks.iter().enumerate() {
            for t in self.relay(j).into_iter().flat_map(further) {
                for k in 0..self.nodes {
                    phases.send(self.leader(t, j), self.leader(t, k), &one(c), false);
                }
            }
        }
        phases.finish().then(self.all_to_cores(count, false))
    }
}
