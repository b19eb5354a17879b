//! Passes over all vertices that change sides one at a time, the best first, worse ones too, and go back to the best cut
//! seen (Fiduccia and Mattheyses 1982). Gains are of any size, so that heaps stand in for their array of buckets.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;

use super::graph::{Graph, Sides};

/// Most passes; most end sooner, when one gains nothing.
const PASSES: u32 = 8;
/// Moves of a pass after the best cut: so many, and a share of the vertices.
const PATIENCE: (usize, usize) = (24, 8);

/// What the size of the near side should be.
#[derive(Clone, Copy, Debug)]
pub struct Aim {
    pub near: u64,
    /// A cut this far from it is as good as one that meets it.
    pub slack: u64,
}

impl Aim {
    /// Less is better: how far the size is off beyond what is allowed, then the cost, then how far at all.
    pub fn rate(self, sides: &Sides) -> (u64, i64, u64) {
        let off = sides.near_size.abs_diff(self.near);
        (off.saturating_sub(self.slack), sides.cost, off)
    }
}

/// Gains of the vertices that may still move. Each has an entry of at least its gain: one whose gain fell gets a new place
/// when its entry comes up, and often it never does.
struct Queue {
    gains: Vec<i64>,
    moved: Vec<bool>,
    /// By side: near, far.
    heaps: [BinaryHeap<(i64, Reverse<u32>)>; 2],
}

impl Queue {
    fn new(graph: &Graph, sides: &Sides) -> Queue {
        let gains: Vec<i64> = (0..graph.vertices()).map(|v| sides.gain(graph, v)).collect();
        let side = |far: bool| {
            let own = gains.iter().enumerate().filter(move |(v, _)| sides.far[*v] == far);
            own.map(|(v, gain)| (*gain, Reverse(v as u32))).collect::<Vec<_>>().into()
        };
        let heaps = [side(false), side(true)];
        Queue { moved: vec![false; gains.len()], gains, heaps }
    }

    /// The best vertex of a side.
    fn best(&mut self, far: bool) -> Option<(i64, u32)> {
        let heap = &mut self.heaps[usize::from(far)];
        while let Some(mut top) = heap.peek_mut() {
            let (gain, Reverse(v)) = *top;
            if self.moved[v as usize] {
                PeekMut::pop(top);
            } else if self.gains[v as usize] == gain {
                return Some((gain, v));
            } else {
                top.0 = self.gains[v as usize];
            }
        }
        None
    }

    fn turn(&mut self, graph: &Graph, sides: &mut Sides, v: u32) {
        let gain = self.gains[v as usize];
        sides.turn(graph, v, gain);
        (self.moved[v as usize], self.gains[v as usize]) = (true, -gain);
        let far = sides.far[v as usize];
        for (u, weight) in graph.row(v).filter(|(u, _)| !self.moved[*u as usize]) {
            // An edge to a vertex on the new side is no longer cut.
            let own = sides.far[u as usize];
            if own == far {
                self.gains[u as usize] -= 2 * weight;
            } else {
                self.gains[u as usize] += 2 * weight;
                self.heaps[usize::from(own)].push((self.gains[u as usize], Reverse(u)));
            }
        }
    }
}

/// Improves a cut until a pass gains nothing. A pass is O(edges log edges).
pub fn refine(graph: &Graph, sides: &mut Sides, aim: Aim) {
    let largest = graph.sizes.iter().max().map_or(1, |s| u64::from(*s));
    // Room to move, more than a result may keep.
    let room = aim.slack.max(largest).max(graph.size() / 32);
    for _ in 0..PASSES {
        if !pass(graph, sides, aim, room) {
            return;
        }
    }
}

/// True if the cut is better than before.
fn pass(graph: &Graph, sides: &mut Sides, aim: Aim, room: u64) -> bool {
    let before = aim.rate(sides);
    let mut queue = Queue::new(graph, sides);
    let (mut best, mut kept, mut made) = (before, 0, Vec::new());
    let patience = PATIENCE.0 + graph.vertices() as usize / PATIENCE.1;
    while made.len() - kept < patience
        && let Some(v) = next(graph, sides, aim, room, &mut queue)
    {
        queue.turn(graph, sides, v);
        made.push(v);
        let rate = aim.rate(sides);
        if rate < best {
            (best, kept) = (rate, made.len());
        }
    }
    for &v in made[kept..].iter().rev() {
        let gain = sides.gain(graph, v);
        sides.turn(graph, v, gain);
    }
    best < before
}

/// The best vertex whose move keeps the sizes within the room, or brings them nearer to it.
fn next(graph: &Graph, sides: &Sides, aim: Aim, room: u64, queue: &mut Queue) -> Option<u32> {
    let off = sides.near_size.abs_diff(aim.near);
    let fits = |v: u32, far: bool| {
        let size = u64::from(graph.sizes[v as usize]);
        let after = if far { sides.near_size + size } else { sides.near_size - size };
        let after = after.abs_diff(aim.near);
        after <= room || after < off
    };
    let of = |far: bool, queue: &mut Queue| queue.best(far).filter(|(_, v)| fits(*v, far));
    let (near, far) = (of(false, queue), of(true, queue));
    match (near, far) {
        // Of equal gains, the one that mends the sizes.
        (Some(a), Some(b)) if a.0 == b.0 => Some(if sides.near_size > aim.near { a.1 } else { b.1 }),
        (Some(a), Some(b)) => Some(if a.0 > b.0 { a.1 } else { b.1 }),
        (one, other) => one.or(other).map(|(_, v)| v),
    }
}

/// A near side that grows around a vertex, the one that costs least next, until it has its size.
pub fn grown(graph: &Graph, from: u32, aim: Aim) -> Sides {
    let mut sides = Sides::new(graph, vec![true; graph.vertices() as usize]);
    let mut queue = Queue::new(graph, &sides);
    let mut next = Some(from);
    while sides.near_size < aim.near
        && let Some(v) = next
    {
        queue.turn(graph, &mut sides, v);
        next = queue.best(true).map(|(_, v)| v);
    }
    sides
}
