//! What packets did to carry the messages of ranks.

use super::seen::Seen;
use crate::wire::{Wire, as_bytes};

/// Work of the engine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PacketWork {
    pub packets: u64,
    /// Links that packets crossed, of all kinds.
    pub packet_hops: u64,
    pub events: u64,
    /// Times that a packet found no room in the buffer it asked for.
    pub waits: u64,
    /// Most bytes in the buffer of one virtual channel.
    pub most_bytes: u32,
}

impl PacketWork {
    /// Adds that of another part.
    pub fn add(&mut self, other: PacketWork) {
        self.packets += other.packets;
        self.packet_hops += other.packet_hops;
        self.events += other.events;
        self.waits += other.waits;
        self.most_bytes = self.most_bytes.max(other.most_bytes);
    }
}

/// The work of an engine, and what packets left on links.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Carried {
    pub work: PacketWork,
    /// Bytes that began to cross each directed link of the network.
    pub link_bytes: Vec<u64>,
    /// If it was asked for.
    pub seen: Option<Box<Seen>>,
}

as_bytes! {
    PacketWork { packets, packet_hops, events, waits, most_bytes }
}
