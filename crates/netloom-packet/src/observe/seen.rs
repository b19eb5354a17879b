//! What was seen of packets that carried the messages of ranks: on links, in queues, by job.

use std::collections::BTreeMap;

use super::occupancy::Stood;
use super::times::Times;
use super::watch::LinkUse;
use crate::wire::{Wire, as_bytes};

/// What an execution keeps beyond its times.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Kept {
    /// Messages, ranks and links over time.
    pub trace: bool,
    /// Links, queues and latencies.
    pub details: bool,
    /// With details: bins of time in which what stands in buffers is counted.
    pub bins: u16,
}

/// A directed link with its buffers and, where messages start, its queue.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LinkSeen {
    /// Units are bytes, times picoseconds.
    pub used: LinkUse,
    /// Bytes in the buffers before it, or behind it: mean and most; nothing where there are none.
    pub held: Option<(f64, f64)>,
    /// Messages that start here and are not all sent: mean and most; with input-queued switches packets.
    pub queue: Option<(f64, u32)>,
    /// Chunks of 32 bytes that crossed it, and packets that came over it and could not go on at once; not counted by
    /// input-queued switches.
    pub counters: Option<(u64, u64)>,
}

/// Packets and messages of a job.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct JobSeen {
    /// From the start of its message to the arrival of a packet.
    pub packets: Times,
    /// The same of messages.
    pub messages: Times,
    /// By the number of links between switches: packets, and the sum of their times.
    pub by_hops: Vec<(u64, u128)>,
    /// Per endpoint that sends, the bytes of its messages and the time that each of them took, added up.
    pub sources: BTreeMap<u32, (u64, u64)>,
}

impl JobSeen {
    #[inline]
    pub fn packet(&mut self, hops: u16, took: u64) {
        self.packets.add(took);
        let hops = usize::from(hops);
        if hops >= self.by_hops.len() {
            self.by_hops.resize(hops + 1, (0, 0));
        }
        self.by_hops[hops].0 += 1;
        self.by_hops[hops].1 += u128::from(took);
    }

    pub fn message(&mut self, from: u32, bytes: u64, took: u64) {
        self.messages.add(took);
        let source = self.sources.entry(from).or_default();
        (source.0, source.1) = (source.0 + bytes, source.1.saturating_add(took));
    }

    pub fn merge(&mut self, other: &JobSeen) {
        self.packets.merge(&other.packets);
        self.messages.merge(&other.messages);
        self.by_hops.resize(self.by_hops.len().max(other.by_hops.len()), (0, 0));
        for (own, more) in self.by_hops.iter_mut().zip(&other.by_hops) {
            (own.0, own.1) = (own.0 + more.0, own.1 + more.1);
        }
        for (from, (bytes, took)) in &other.sources {
            let source = self.sources.entry(*from).or_default();
            (source.0, source.1) = (source.0 + bytes, source.1.saturating_add(*took));
        }
    }

    /// Bytes per second of each source while its messages were under way: least, most, and Jain's index.
    pub fn rates(&self) -> Option<(f64, f64, f64)> {
        let moved = self.sources.values().filter(|(bytes, took)| *bytes > 0 && *took > 0);
        let rates: Vec<f64> = moved.map(|(bytes, took)| *bytes as f64 / (*took as f64 * 1e-12)).collect();
        let (sum, squares) = rates.iter().fold((0.0, 0.0), |(sum, squares), rate| (sum + rate, squares + rate * rate));
        let least = rates.iter().copied().fold(f64::INFINITY, f64::min);
        let most = rates.iter().copied().fold(0.0, f64::max);
        (squares > 0.0).then(|| (least, most, sum * sum / (rates.len() as f64 * squares)))
    }
}

/// From the start to a little after the last arrival.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Seen {
    /// Until when links and queues were watched, picoseconds.
    pub until: u64,
    /// By number: those of the network, then those inside nodes.
    pub links: Vec<LinkSeen>,
    pub jobs: Vec<JobSeen>,
    /// What stood in buffers over time, times in picoseconds, amounts in bytes.
    pub stood: Vec<Stood>,
}

as_bytes! {
    LinkSeen { used, held, queue, counters }
    JobSeen { packets, messages, by_hops, sources }
}
