//! Traffic by rank: what each expects and sends, where all flows start together.

use std::cmp::Ordering;
use std::collections::{HashMap, VecDeque};
use std::hash::BuildHasherDefault;
use std::ops::Range;

use netloom_model::traffic::{Flow, Turns};
use netloom_model::{Op, Time, Traffic};

use crate::matching::Fold;
use crate::source::Action;
use crate::trace::Routine;

/// Traffic by rank.
pub struct Flows<'a> {
    flows: &'a [Flow],
    turns: Turns,
    /// First flow of each sender, and their number.
    first: Vec<u32>,
    /// Flows to each rank.
    expected: Vec<u32>,
}

impl<'a> Flows<'a> {
    /// Of traffic without times of its own. O(flows).
    pub fn new(traffic: &'a Traffic) -> Flows<'a> {
        let flows = traffic.flows();
        let (mut first, mut expected) = (vec![0; traffic.ranks as usize + 1], vec![0; traffic.ranks as usize]);
        for flow in flows {
            first[flow.src as usize + 1] += 1;
            expected[flow.dst as usize] += 1;
        }
        for at in 1..first.len() {
            first[at] += first[at - 1];
        }
        Flows { flows, turns: Turns::of(traffic), first, expected }
    }

    /// The next action of a rank, of which it is the call `at`. Its flows are numbered in the order in which it sends them.
    pub fn next(&self, rank: u32, at: usize) -> (Routine, Option<Action>) {
        let own = self.own(rank);
        let Some(sent) = at.checked_sub(1) else {
            return (Routine::of(Op::StartReceive { peer: 0, tag: 0, bytes: 0 }), Some(Action::Expect));
        };
        match sent.cmp(&own.len()) {
            Ordering::Less => {
                let number = (own.start + sent) as u32;
                let Flow { dst, bytes, .. } = self.flow(rank, number);
                let routine = Routine::of(Op::StartSend { peer: dst, tag: 0, bytes });
                (routine, Some(Action::Flow { flow: number, bytes }))
            }
            Ordering::Equal => (Routine::of(Op::WaitAll), Some(Action::Op(Op::WaitAll))),
            Ordering::Greater => (Routine::None, None),
        }
    }

    fn own(&self, rank: u32) -> Range<usize> {
        self.first[rank as usize] as usize..self.first[rank as usize + 1] as usize
    }

    /// The flow with this number, of a rank.
    pub fn flow(&self, rank: u32, number: u32) -> Flow {
        let own = self.own(rank);
        self.flows[self.turns.place(own.start, &self.flows[own.clone()], number as usize - own.start)]
    }

    /// Flows to a rank.
    pub fn expected(&self, rank: u32) -> u32 {
        self.expected[rank as usize]
    }
}

/// A flow that leaves an endpoint after those before it.
pub struct Streamed {
    pub rank: u32,
    pub flow: u32,
    /// When the endpoint begins with it.
    pub begun: Time,
    /// Its place in the order of what is due.
    pub number: u64,
}

/// Flows that have not begun.
#[derive(Default)]
pub struct Waiting {
    /// Until their receiver has started its receives: senders and flows, by receiver.
    pub receiver: HashMap<u32, Vec<(u32, u32)>, BuildHasherDefault<Fold>>,
    /// By endpoint, until it has sent those before them.
    pub endpoint: Vec<VecDeque<Streamed>>,
}

impl Waiting {
    pub fn clear(&mut self) {
        self.receiver.clear();
        self.endpoint.clear();
    }
}
