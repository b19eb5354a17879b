//! Messages on their way through a part, and their numbers.

use super::state::STAYS;
use crate::wire::{Wire, as_bytes};
use std::collections::VecDeque;
use std::num::NonZeroU64;

/// A message under way, where it starts and where it ends: two copies, if these are different parts of the machine. One cache line.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(64))]
pub struct Message {
    pub from: u32,
    pub to: u32,
    /// Its number where it ends.
    pub peer: u32,
    /// Of the ranks; [`NONE`](super::state::NONE) for a flow that nobody waits for.
    pub id: u32,
    /// Bytes that are not in packets yet; [`ENDLESS`] for a flow without an end.
    pub unsent: u64,
    /// Packets that have not begun to cross their last link.
    pub left: u64,
    pub bytes: u64,
    /// When the tail of its last packet is there.
    pub latest: u64,
    /// One more than the place where its packets start, if all do at the same and the first one has.
    pub start: Option<NonZeroU64>,
    /// Among the part's [`Terms`](super::terms::Terms).
    pub terms: u32,
    /// The slowest link that a packet took.
    pub slowest: u16,
    /// Links inside its node before injection, or [`STAYS`].
    pub ups: u8,
    /// True until its last packet is made.
    pub open: bool,
}

const _: () = assert!(size_of::<Message>() == 64);

impl Message {
    /// False for a message between seats of one node.
    #[inline]
    pub fn leaves(&self) -> bool {
        self.ups != STAYS
    }
}

/// Times of a message of which more is asked than when it is there.
#[derive(Clone, Copy, Debug, Default)]
pub struct Moments {
    /// When its packets could begin to leave.
    pub began: u64,
    /// When the bytes of the first packet on its last link began to move there; [`NEVER`](super::state::NEVER) until one did.
    pub flow_ps: u64,
}

/// A message as it comes from the ranks.
#[derive(Clone, Debug, Default)]
pub struct NewMessage {
    pub message: Message,
    /// Node links: those up to the NIC, then those down from one.
    pub inner: Box<[u32]>,
    /// Where they are asked for.
    pub times: Option<Moments>,
}

/// Of the links of a message that stays in its node, those that each of its packets crosses twice: memory that both of its seats share.
pub fn twice(inner: &[u32]) -> impl Iterator<Item = u32> + '_ {
    inner.iter().enumerate().filter(|(at, link)| inner[..*at].contains(link)).map(|(_, link)| *link)
}

/// A message all of whose packets are on their last link: when the last of them is there, and times for the record.
#[derive(Clone, Copy, Debug)]
pub struct Arrival {
    pub at: u64,
    /// When that was known.
    pub said: u64,
    pub id: u32,
    pub flow_ps: u64,
    pub alone_ps: f64,
    /// Links between switches that its last packet took.
    pub hops: u16,
}

pub const ENDLESS: u64 = u64::MAX;

/// Numbers of messages in a part. One that is over gives its number to another, but not at the same time.
#[derive(Clone, Debug, Default)]
pub struct Numbers {
    next: u32,
    unused: Vec<u32>,
    /// Those of messages that were over at the last time at which any was.
    latest: Vec<u32>,
    latest_at: u64,
}

impl Numbers {
    pub fn take(&mut self, at: u64) -> u32 {
        // The latest is most likely in the cache.
        let found = if self.latest_at < at { self.latest.pop() } else { None };
        found.or_else(|| self.unused.pop()).unwrap_or_else(|| {
            self.next += 1;
            self.next - 1
        })
    }

    /// `at` is not before that of an earlier call.
    pub fn give(&mut self, at: u64, number: u32) {
        if at > self.latest_at {
            self.unused.append(&mut self.latest);
            self.latest_at = at;
        }
        self.latest.push(number);
    }
}

/// Messages that start at a link and share it packet by packet, by the policy of the NIC.
#[derive(Clone, Debug, Default)]
pub struct SourceQueue {
    queue: VecDeque<u32>,
    /// In turn, the last message sent the last packet, and has more.
    last_sent: bool,
}

impl SourceQueue {
    pub fn clear(&mut self) {
        self.queue.clear();
        self.last_sent = false;
    }

    pub fn len(&self) -> usize {
        self.queue.len()
    }

    pub fn is_empty(&self) -> bool {
        self.queue.is_empty()
    }

    /// Who sends next.
    #[inline]
    pub fn front(&self) -> Option<&u32> {
        self.queue.front()
    }

    /// At the end of the queue. Of messages in turn the one that `sends` a packet now takes its place behind it when that packet
    /// is over: a message that comes meanwhile has its turn first.
    pub fn push(&mut self, message: u32, sends: bool) {
        let len = self.queue.len();
        let place = if sends && self.last_sent { len - 1 } else { len };
        self.queue.insert(place, message);
        self.last_sent &= place < len;
    }

    /// Before the first of which `later` holds; these are the last ones.
    pub fn push_before(&mut self, message: u32, later: impl Fn(u32) -> bool) {
        let place = self.queue.partition_point(|other| !later(*other));
        self.queue.insert(place, message);
    }

    /// The first message has sent its last packet.
    pub fn end_first(&mut self) {
        self.queue.pop_front();
        self.last_sent = false;
    }

    /// The first message has sent a packet, and others have their turn.
    pub fn turn(&mut self) {
        self.queue.rotate_left(1);
        self.last_sent = true;
    }
}

as_bytes! {
    Arrival { at, said, id, flow_ps, alone_ps, hops }
}
