//! Bytes that leave their node, however near the other one is.

use super::row::{Goal, KEEP, Needs, ObjectiveRow, SLACK};
use super::score::Objective;
use crate::bound;
use crate::guest::{Guest, Weigh};
use crate::places::Places;
use crate::prepared::Prepared;

pub const INTER_NODE: ObjectiveRow = ObjectiveRow {
    name: "inter-node",
    aliases: &["inter-node-bytes"],
    summary: "Bytes that leave their node; where no node is given, every endpoint is one.",
    params: &[KEEP, SLACK],
    example: "inter-node",
    restrictions: "several ranks on a node: else all bytes leave",
    source: "what Scotch (Pellegrini 1996) and TreeMatch (Jeannot 2014) make small between nodes",
    build: Goal {
        needs: Needs::NOTHING,
        weigh: |_| Weigh::Bytes,
        make: |prepared, _, places, _| Ok(Box::new(InterNode::new(prepared, prepared.weighed(Weigh::Bytes)?, places))),
        bound: bound::inter_node,
        moves: None,
        every: false,
    },
};

/// Bytes are in units of the guest; `value` is not.
struct InterNode<'p> {
    prepared: &'p Prepared<'p>,
    guest: &'p Guest,
    /// Node of every rank and filler.
    node_of: Vec<u32>,
    sum: i64,
}

impl<'p> InterNode<'p> {
    pub fn new(prepared: &'p Prepared<'p>, guest: &'p Guest, places: &Places) -> InterNode<'p> {
        let node_of = nodes(prepared, places);
        let sum = recount(prepared, guest, &node_of);
        InterNode { prepared, guest, node_of, sum }
    }

    /// O(degree of `a` + degree of `b`), no allocation. The edge between the two stays as long as it is.
    #[inline]
    fn delta(&self, a: u32, b: u32) -> i64 {
        let (from, to) = (self.node_of[a as usize], self.node_of[b as usize]);
        if from == to { 0 } else { self.moved(a, b, from, to) + self.moved(b, a, to, from) }
    }

    /// What the edges of `rank` change by if it goes from one node to another, without that to `other`.
    #[inline]
    fn moved(&self, rank: u32, other: u32, from: u32, to: u32) -> i64 {
        let guest = self.guest;
        let row = guest.row(rank);
        let mut sum = 0;
        for (&partner, &weight) in guest.neighbours[row.clone()].iter().zip(&guest.weights[row]) {
            let node = self.node_of[partner as usize];
            let change = i64::from(node == from) - i64::from(node == to);
            sum += if partner == other { 0 } else { weight * change };
        }
        sum
    }
}

fn nodes(prepared: &Prepared<'_>, places: &Places) -> Vec<u32> {
    (0..places.slots()).map(|rank| prepared.node_of_slot[places.slot(rank) as usize]).collect()
}

fn recount(prepared: &Prepared<'_>, guest: &Guest, node_of: &[u32]) -> i64 {
    let of = |rank: u32| -> i64 {
        let row = guest.row(rank);
        let edges = guest.neighbours[row.clone()].iter().zip(&guest.weights[row]);
        edges.filter(|(v, _)| node_of[**v as usize] != node_of[rank as usize]).map(|(_, w)| w).sum()
    };
    (0..prepared.ranks()).map(of).sum::<i64>() / 2
}

impl Objective for InterNode<'_> {
    fn value(&self) -> u64 {
        self.sum as u64 * self.guest.unit
    }
    fn energy(&self, places: &Places) -> f64 {
        recount(self.prepared, self.guest, &nodes(self.prepared, places)) as f64
    }
    fn swap_delta(&mut self, _: &Places, a: u32, b: u32) -> f64 {
        self.delta(a, b) as f64
    }
    fn swap(&mut self, _: &Places, a: u32, b: u32) {
        self.sum += self.delta(a, b);
        self.node_of.swap(a as usize, b as usize);
    }
    fn unit(&self) -> f64 {
        self.guest.unit as f64
    }
    /// Blocks of ranks that are good but wrong melt later than single ranks do.
    fn heat(&self) -> f64 {
        2.0
    }
    fn boxed<'s>(&self) -> Box<dyn Objective + 's>
    where
        Self: 's,
    {
        Box::new(InterNode { node_of: self.node_of.clone(), ..*self })
    }
}
