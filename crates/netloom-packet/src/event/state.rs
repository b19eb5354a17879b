//! Links, their buffers and the packets in them, in flat arrays.

use super::saved::{Saved, Undo};
use crate::routes::taking::Legs;
use crate::wire::{Wire, as_bytes};

/// No packet.
pub const NONE: u32 = u32::MAX;
/// In place of a switch: behind the packet.
pub const BEEN: u32 = NONE - 1;

/// A packet under way: one cache line.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(align(64))]
pub struct Packet {
    /// Of the routing.
    pub place: u64,
    /// Randomness for its path that is not used yet.
    pub word: u64,
    /// When its tail is where its head is now.
    pub tail: u64,
    pub message: u32,
    pub bytes: u32,
    /// As the routing takes it, and the endpoint.
    pub destination: u32,
    pub to: u32,
    /// The buffer that it fills, `NONE` before the first one.
    pub lane: u32,
    /// The next packet in a queue.
    pub next: u32,
    /// As `destination`: where it goes first; [`NONE`] if it goes to its destination, [`BEEN`] if it has been there.
    pub via: u32,
    /// By which its message's latencies grow: one of the part's factors.
    pub factor: u16,
    /// The slowest link that it took: one of the part's speeds.
    pub slowest: u16,
    pub routing: u16,
    /// The part of the machine whose lane it fills.
    pub part: u16,
    /// Links between switches that it took.
    pub hops: u16,
    /// Links inside nodes, injection and ejection that it has left behind.
    pub stage: u8,
    pub inner: u8,
}

/// Stage of the ejection link, after the links up.
pub const EJECTION: u8 = 2;

impl Packet {
    /// `ups` links inside the node before injection, at most [`MOST_INNER`], or [`STAYS`]; `downs` after ejection, or all of
    /// them for a packet that does not leave its node.
    pub fn inner(ups: u8, downs: u8) -> u8 {
        debug_assert!(ups <= STAYS && downs < STAYS);
        ups << 4 | downs
    }

    pub fn new(inner: u8) -> Packet {
        Packet {
            place: 0,
            word: 0,
            tail: 0,
            message: NONE,
            bytes: 0,
            destination: 0,
            to: 0,
            lane: NONE,
            next: NONE,
            via: NONE,
            factor: 0,
            slowest: 0,
            routing: 0,
            part: 0,
            hops: 0,
            stage: 0,
            inner,
        }
    }

    /// The next packet in its queue.
    #[inline]
    pub fn after(&self) -> Option<u32> {
        (self.next != NONE).then_some(self.next)
    }

    #[inline]
    pub fn ups(&self) -> u8 {
        self.inner >> 4
    }

    /// Leg of its detour, and where that ends.
    #[inline]
    pub fn leg(&self) -> (usize, u32) {
        match self.via {
            NONE => (Legs::DIRECT, self.destination),
            BEEN => (Legs::BACK, self.destination),
            via => (Legs::OUT, via),
        }
    }

    /// True if the link that it crosses is its last.
    #[inline]
    pub fn is_at_last(&self) -> bool {
        let downs = self.inner & 15;
        match self.ups() {
            STAYS => self.stage + 1 == downs,
            ups => self.stage == ups + EJECTION + downs,
        }
    }

    /// True if the link that it crosses ends at a switch.
    #[inline]
    pub fn is_at_switch(&self) -> bool {
        self.ups() != STAYS && (self.stage == self.ups() || self.stage == self.ups() + 1)
    }
}

/// In place of links up: a packet that does not leave its node.
pub const STAYS: u8 = 15;
/// Links inside nodes on one way, at most.
pub const MOST_INNER: usize = 14;

const _: () = assert!(size_of::<Packet>() == 64);

/// A first-in-first-out queue of packets, linked through [`Packet::next`].
#[derive(Clone, Copy, Debug)]
pub struct List {
    first: u32,
    last: u32,
}

impl List {
    const EMPTY: List = List { first: NONE, last: NONE };

    #[inline]
    pub fn first(self) -> Option<u32> {
        (self.first != NONE).then_some(self.first)
    }

    /// [`NONE`] if it is empty.
    #[inline]
    pub fn last(self) -> u32 {
        self.last
    }

    #[inline]
    pub fn push<U: Undo>(&mut self, packet: u32, packets: &mut Saved<Packet, U>) {
        packets[packet as usize].next = NONE;
        match self.last {
            NONE => self.first = packet,
            last => packets[last as usize].next = packet,
        }
        self.last = packet;
    }

    #[inline]
    pub fn pop(&mut self, packets: &[Packet]) -> Option<u32> {
        let packet = self.first()?;
        self.first = packets[packet as usize].next;
        if self.first == NONE {
            self.last = NONE;
        }
        Some(packet)
    }
}

/// The buffer of one virtual channel of a link, at the link's tail: one cache line. A packet fills it from the moment it may
/// enter until all of it has entered the next one and the sender knows.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub struct Lane {
    /// Packets that wait for the link.
    pub queue: List,
    /// Packets that wait for room.
    pub waiting: List,
    pub held_bytes: u32,
    /// Room that comes back, in order of time: the first, when and how much, then a list of [`Returns`].
    back_bytes: u32,
    back_at: u64,
    first: u32,
    last: u32,
    /// Of its link.
    pub link: u32,
    /// Among the part's latencies.
    pub latency: u16,
    /// False for links inside nodes, whose buffers have no end.
    pub bounded: bool,
    /// Somebody wants room.
    pub wanted: bool,
    /// When an event will look for it; [`NEVER`] without one.
    pub wakes_at: u64,
    /// Of the packets that wait.
    pub wanted_bytes: u64,
}

const _: () = assert!(size_of::<Lane>() == 64);

pub const NEVER: u64 = u64::MAX;

impl Lane {
    pub fn new(link: u32, latency: u16, bounded: bool) -> Lane {
        Lane {
            queue: List::EMPTY,
            waiting: List::EMPTY,
            held_bytes: 0,
            back_bytes: 0,
            back_at: NEVER,
            first: NONE,
            last: NONE,
            link,
            latency,
            bounded,
            wanted: false,
            wakes_at: NEVER,
            wanted_bytes: 0,
        }
    }

    /// Without packets.
    pub fn empty(&self) -> Lane {
        Lane::new(self.link, self.latency, self.bounded)
    }

    /// The first and the last of the list of what comes back, or [`NONE`].
    #[inline]
    pub fn first_return(&self) -> u32 {
        self.first
    }

    #[inline]
    pub fn last_return(&self) -> u32 {
        self.last
    }

    /// When more room comes back, or [`NEVER`].
    #[inline]
    pub fn back_at(&self) -> u64 {
        self.back_at
    }
}

/// Bytes whose room comes back at a time.
#[derive(Clone, Copy, Debug)]
pub struct Return {
    at: u64,
    bytes: u32,
    next: u32,
}

impl Return {
    #[inline]
    pub fn at(&self) -> u64 {
        self.at
    }
}

/// What comes back to all lanes after the first of each: lists in one array. An event is needed only where somebody waits for
/// room.
pub struct Returns<U: Undo> {
    pub all: Saved<Return, U>,
    /// The first of those that are not in use, which are a list too.
    pub unused: u32,
}

impl<U: Undo> Returns<U> {
    pub fn new() -> Returns<U> {
        Returns { all: Saved::default(), unused: NONE }
    }

    pub fn clear(&mut self) {
        self.all.clear();
        self.unused = NONE;
    }

    #[inline]
    pub fn add(&mut self, lane: &mut Lane, at: u64, bytes: u32) {
        if lane.back_at == NEVER {
            (lane.back_at, lane.back_bytes) = (at, bytes);
        } else if at < lane.back_at {
            let (later, more) = (lane.back_at, lane.back_bytes);
            (lane.back_at, lane.back_bytes) = (at, bytes);
            self.list(lane, later, more);
        } else {
            self.list(lane, at, bytes);
        }
    }

    fn list(&mut self, lane: &mut Lane, at: u64, bytes: u32) {
        let made = Return { at, bytes, next: NONE };
        let number = match self.unused {
            NONE => {
                self.all.push(made);
                self.all.len() as u32 - 1
            }
            number => {
                self.unused = std::mem::replace(&mut self.all[number as usize], made).next;
                number
            }
        };
        if lane.first == NONE {
            (lane.first, lane.last) = (number, number);
        } else if self.all[lane.last as usize].at <= at {
            self.all[lane.last as usize].next = number;
            lane.last = number;
        } else if self.all[lane.first as usize].at > at {
            self.all[number as usize].next = lane.first;
            lane.first = number;
        } else {
            let mut before = lane.first;
            while self.all[self.all[before as usize].next as usize].at <= at {
                before = self.all[before as usize].next;
            }
            self.all[number as usize].next = self.all[before as usize].next;
            self.all[before as usize].next = number;
        }
    }

    /// Gives a lane the first that has come back by `now`: when, and how many bytes.
    #[inline]
    pub fn settle(&mut self, lane: &mut Lane, now: u64) -> Option<(u64, u32)> {
        let (at, bytes) = (lane.back_at, lane.back_bytes);
        if at > now || at == NEVER {
            return None;
        }
        // In a part that ran ahead, room may come back of packets that were never there; it is undone.
        lane.held_bytes = lane.held_bytes.wrapping_sub(bytes);
        match self.all.get(lane.first as usize).copied() {
            None => lane.back_at = NEVER,
            Some(Return { at, bytes, next }) => {
                (lane.back_at, lane.back_bytes) = (at, bytes);
                self.all[lane.first as usize].next = self.unused;
                self.unused = lane.first;
                lane.first = next;
            }
        }
        Some((at, bytes))
    }
}

as_bytes! {
    Packet {
        place, word, tail, message, bytes, destination, to, lane, next, via, factor, slowest, routing, part, hops, stage, inner
    }
}
