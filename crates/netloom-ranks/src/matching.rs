//! Which send belongs to which receive: first come, first served per sender, receiver, context and tag.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::{BuildHasherDefault, Hasher};

/// Sender, receiver, context (0 for messages of the program itself, 1 + number of a collective call), tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Key {
    pub src: u32,
    pub dst: u32,
    pub context: u32,
    pub tag: u32,
}

/// Multiplies and folds; the keys are small dense numbers, not an attacker's.
#[derive(Clone, Copy, Debug, Default)]
pub struct Fold(u64);

impl Hasher for Fold {
    fn finish(&self) -> u64 {
        self.0 ^ (self.0 >> 29)
    }
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&b| self.write_u32(u32::from(b)));
    }
    fn write_u32(&mut self, value: u32) {
        self.write_u64(value.into());
    }
    fn write_u64(&mut self, value: u64) {
        self.0 = (self.0.rotate_left(23) ^ value).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
}

const NONE: u32 = u32::MAX;

/// Messages of one key that wait, all of them sends or all receives.
#[derive(Clone, Copy, Debug)]
struct Queue {
    first: u32,
    last: u32,
    sends: bool,
}

/// Posted halves of messages.
#[derive(Clone, Debug, Default)]
pub struct Matching {
    queues: HashMap<Key, Queue, BuildHasherDefault<Fold>>,
    /// The message behind a message in its queue.
    behind: Vec<u32>,
}

impl Matching {
    /// Clears everything that waits.
    pub fn clear(&mut self) {
        self.queues.clear();
        self.behind.clear();
    }

    /// The oldest waiting half of the other kind, taken out; or nothing, and `message` waits.
    pub fn meet(&mut self, key: Key, is_send: bool, message: u32) -> Option<u32> {
        if self.behind.len() <= message as usize {
            self.behind.resize(message as usize + 1, NONE);
        }
        match self.queues.entry(key) {
            Entry::Occupied(mut there) if there.get().sends != is_send => {
                let oldest = there.get().first;
                match self.behind[oldest as usize] {
                    NONE => _ = there.remove(),
                    next => there.get_mut().first = next,
                }
                return Some(oldest);
            }
            Entry::Occupied(mut there) => {
                let last = std::mem::replace(&mut there.get_mut().last, message);
                self.behind[last as usize] = message;
            }
            Entry::Vacant(place) => _ = place.insert(Queue { first: message, last: message, sends: is_send }),
        }
        self.behind[message as usize] = NONE;
        None
    }

    /// Of so many messages the context and the place in its queue of each that waits, 0 of the others.
    pub fn places(&self, messages: usize) -> Vec<u64> {
        let mut made = vec![0; messages];
        for (key, queue) in &self.queues {
            let (mut at, mut place) = (queue.first, u64::from(key.context) << 32);
            while at != NONE {
                place += 1;
                made[at as usize] = place;
                at = self.behind[at as usize];
            }
        }
        made
    }

    /// Everything that waits, as (key, is a send, message), sorted.
    pub fn waiting(&self) -> Vec<(Key, bool, u32)> {
        let mut all = Vec::new();
        for (key, queue) in &self.queues {
            let mut at = queue.first;
            while at != NONE {
                all.push((*key, queue.sends, at));
                at = self.behind[at as usize];
            }
        }
        all.sort_unstable();
        all
    }
}
