//! What parts have for each other, and what they remember of it where they may go back.

use std::collections::VecDeque;

use crate::event::state::{NEVER, Packet};
use crate::wire::{Wire, as_bytes};

/// A packet on its way to another part.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SentPacket {
    pub at: u64,
    /// In the network.
    pub link: u32,
    pub packet: Packet,
}

/// Room of a lane of another part that will come back.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Credit {
    pub lane: u32,
    pub bytes: u32,
    pub free_at: u64,
    pub factor: u16,
}

/// What one part has for another.
#[derive(Clone, Debug, Default)]
pub struct Mail {
    pub packets: Vec<SentPacket>,
    pub credits: Vec<Credit>,
    /// Of a part that ran ahead: of all packets and credits that it sent before, only the first so many are still true.
    pub kept: (u64, u64),
}

impl Mail {
    /// No event that it causes is before; credits cross links of a latency at least.
    pub fn soonest(&self, latency: u64) -> u64 {
        let packets = self.packets.iter().map(|sent| sent.at);
        packets.chain(self.credits.iter().map(|credit| credit.free_at + latency)).fold(NEVER, u64::min)
    }
}

/// Times at which letters of one sender take effect, without the oldest.
#[derive(Clone, Default)]
pub struct Received {
    pub first: u64,
    pub times: VecDeque<u64>,
}

/// What one receiver was sent and when, without the oldest.
#[derive(Clone)]
pub struct Sending<T> {
    first: u64,
    sent: VecDeque<(u64, T)>,
    /// How many of them are sent again by now, after a return.
    again: usize,
    /// So many of all are true, of those that the receiver knows.
    told: u64,
    /// Some that it knows are not.
    pub untrue: u64,
}

impl<T> Default for Sending<T> {
    fn default() -> Sending<T> {
        Sending { first: 0, sent: VecDeque::new(), again: 0, told: 0, untrue: 0 }
    }
}

impl<T: Copy + PartialEq> Sending<T> {
    pub fn post(&mut self, now: u64, letter: T) {
        if self.sent.get(self.again) != Some(&(now, letter)) {
            self.cut();
            self.sent.push_back((now, letter));
        }
        self.again += 1;
    }

    /// What is not sent again is not true, nor is what came after it.
    fn cut(&mut self) {
        self.sent.truncate(self.again);
        let all = self.first + self.sent.len() as u64;
        self.untrue += self.told.saturating_sub(all);
        self.told = self.told.min(all);
    }

    /// Nothing more will be sent before a time.
    pub fn passed(&mut self, time: u64) {
        if self.sent.get(self.again).is_some_and(|next| next.0 < time) {
            self.cut();
        }
    }

    pub fn back(&mut self, done: u64) {
        self.again = self.sent.partition_point(|sent| sent.0 < done);
    }

    pub fn forget(&mut self, done: u64) {
        let gone = self.sent.partition_point(|sent| sent.0 < done);
        self.sent.drain(..gone);
        self.first += gone as u64;
        self.again -= gone;
    }

    /// What the receiver does not know; before it, `told` are true.
    pub fn news(&mut self, letters: &mut Vec<T>) -> u64 {
        let told = self.told;
        letters.extend(self.sent.range((told - self.first) as usize..).map(|sent| sent.1));
        self.told = self.first + self.sent.len() as u64;
        self.untrue = 0;
        told
    }

    pub fn has_news(&self) -> bool {
        self.untrue > 0 || self.told < self.first + self.sent.len() as u64
    }
}

as_bytes! {
    SentPacket { at, link, packet }
    Credit { lane, bytes, free_at, factor }
    Mail { packets, credits, kept }
}
