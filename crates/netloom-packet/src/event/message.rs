//! Messages on their way through a part, and their numbers.

use crate::wire::{Wire, as_bytes};
use std::collections::VecDeque;
use std::num::NonZeroU64;

/// A message under way, where it starts and where it ends: two copies, if these are different parts of the machine. What its
/// packets need when they are made is in one cache line, what they need on their last link in another.
#[derive(Clone, Debug, Default)]
#[repr(C, align(64))]
pub struct Message {
    pub from: u32,
    pub to: u32,
    pub job: u32,
    /// Its number where it ends.
    pub peer: u32,
    /// Bytes that are not in packets yet; [`ENDLESS`] for a flow without an end.
    pub unsent: u64,
    /// Node links: those up to the NIC, then those down from one.
    pub inner: Box<[u32]>,
    /// One more than the place where its packets start, if all do at the same and the first one has.
    pub start: Option<NonZeroU64>,
    /// Number of its routing.
    pub routing: u16,
    /// Of its latencies: one of the part's factors.
    pub factor: u16,
    pub ups: u8,
    /// True until its last packet is made.
    pub open: bool,
    /// False for a message between seats of one node.
    pub leaves: bool,
    /// One of its packets is on its last link.
    pub flows: bool,
    /// Packets that have not begun to cross their last link.
    pub left: u64,
    pub bytes: u64,
    /// When its packets could begin to leave.
    pub began: u64,
    /// If it `flows`, when the bytes of the first packet there began to move.
    pub flow_ps: u64,
    /// When the tail of its last packet is there.
    pub latest: u64,
    /// Of the ranks; [`NONE`] for a flow that nobody waits for.
    pub id: u32,
    /// The slowest link that a packet took.
    pub slowest: u16,
    /// Least picoseconds per byte between its packets; 0 if nothing bounds its rate.
    pub pace_ps: f32,
}

const _: () = assert!(size_of::<Message>() == 128);

impl Message {
    /// Links that each of its packets crosses twice: memory that both of its seats share.
    pub fn twice(&self) -> impl Iterator<Item = u32> + '_ {
        let inner = if self.leaves { &[] } else { &self.inner[..] };
        inner.iter().enumerate().filter(|(at, link)| inner[..*at].contains(link)).map(|(_, link)| *link)
    }

    /// A copy but for its links.
    pub fn without_links(&self) -> Message {
        let Message {
            id, from, to, job, routing, unsent, open, leaves, factor, ups, left, bytes, began, pace_ps, ..
        } = *self;
        Message {
            id,
            from,
            to,
            job,
            routing,
            unsent,
            open,
            leaves,
            factor,
            ups,
            left,
            bytes,
            began,
            pace_ps,
            ..Message::default()
        }
    }
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
    unused: VecDeque<(u64, u32)>,
}

impl Numbers {
    pub fn take(&mut self, at: u64) -> u32 {
        let over = |entry: &&(u64, u32)| entry.0 < at;
        // The latest is most likely in the cache.
        let found = match (self.unused.back().filter(over), self.unused.front().filter(over)) {
            (Some(_), _) => self.unused.pop_back(),
            (None, Some(_)) => self.unused.pop_front(),
            (None, None) => None,
        };
        if let Some((_, number)) = found {
            return number;
        }
        self.next += 1;
        self.next - 1
    }

    pub fn give(&mut self, at: u64, number: u32) {
        self.unused.push_back((at, number));
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
