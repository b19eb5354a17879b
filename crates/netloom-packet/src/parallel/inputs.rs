//! What comes to a part from outside, in order of the time at which it takes effect.

use std::collections::BTreeMap;

use super::mail::{Credit, Received, SentPacket};
use crate::event::message::NewMessage;
use crate::event::state::NEVER;

/// In place of a part: ranks.
pub const RANKS: u16 = u16::MAX;

/// Time, sender, list, and place in the list: an order that is that of the sender where times are equal.
pub type Key = (u64, u16, u8, u64);
pub const PACKETS: u8 = 0;
pub const CREDITS: u8 = 1;
pub const MESSAGES: u8 = 2;

/// What comes from outside.
#[derive(Clone, Debug)]
pub enum FromOutside {
    Packet(SentPacket),
    Credit(Credit),
    Message(u32, Box<NewMessage>),
    Start(u32),
}

/// Packets and room from other parts, and messages of ranks, apart from the state that they change.
pub struct Inputs {
    /// Events before it may have happened, and inputs before it are in the state.
    pub done: u64,
    pub all: BTreeMap<Key, FromOutside>,
    /// Of the first input that is not in the state.
    pub next: u64,
    /// The first time before `done` at which inputs have changed.
    pub late: u64,
    /// By sender: times of its packets and credits.
    pub received: Vec<[Received; 2]>,
    /// Inputs from ranks, ever.
    pub from_ranks: u64,
}

impl Inputs {
    /// Nothing yet, of this number of parts.
    pub fn new(parts: usize) -> Inputs {
        Inputs {
            done: 0,
            all: BTreeMap::new(),
            next: NEVER,
            late: NEVER,
            received: vec![Default::default(); parts],
            from_ranks: 0,
        }
    }

    /// What comes from outside changes at a time.
    pub fn changes(&mut self, at: u64) {
        if at < self.done {
            self.late = self.late.min(at);
        } else {
            self.next = self.next.min(at);
        }
    }

    pub fn first_input(&self, from: u64) -> u64 {
        self.all.range((from, 0, 0, 0)..).next().map_or(NEVER, |(key, _)| key.0)
    }

    pub fn put(&mut self, key: Key, input: FromOutside) {
        self.all.insert(key, input);
        self.changes(key.0);
    }

    pub fn receive(&mut self, from: u16, list: u8, at: u64, input: FromOutside) {
        let received = &mut self.received[usize::from(from)][usize::from(list)];
        let number = received.first + received.times.len() as u64;
        received.times.push_back(at);
        self.put((at, from, list, number), input);
    }

    /// Only the first so many packets or credits of a sender are true.
    pub fn keep(&mut self, from: u16, list: u8, kept: u64) {
        let received = &mut self.received[usize::from(from)][usize::from(list)];
        let mut soonest = NEVER;
        while received.first + received.times.len() as u64 > kept
            && let Some(at) = received.times.pop_back()
        {
            self.all.remove(&(at, from, list, received.first + received.times.len() as u64));
            soonest = soonest.min(at);
        }
        if soonest < self.done {
            self.late = self.late.min(soonest);
        }
        if soonest <= self.next {
            self.next = self.first_input(self.done);
        }
    }
}
