//! What a message costs before its bytes move, by its size and by how far it goes.

use crate::param::SizeRow;

/// Seconds by size: fixed, and per byte.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SizeCost {
    /// Fixed seconds and seconds per byte, by size with envelope.
    pub rows: Vec<SizeRow>,
    /// Added to the payload.
    pub envelope_bytes: u64,
}

impl SizeCost {
    #[inline]
    pub fn seconds(&self, payload: u64) -> f64 {
        let size = payload.saturating_add(self.envelope_bytes);
        SizeRow::of(&self.rows, size).map_or(0.0, |row| row.value(0) + row.value(1) * size as f64)
    }

    /// As [`SizeCost::seconds`], but the first row holds for an empty message too.
    #[inline]
    fn at(&self, payload: u64) -> f64 {
        let size = payload.saturating_add(self.envelope_bytes);
        let row = SizeRow::of(&self.rows, size.max(1));
        row.map_or(0.0, |row| row.value(0) + row.value(1) * size as f64)
    }

    /// Leaves a share of the seconds per byte.
    pub(super) fn take_share(&mut self, share: f64) {
        self.rows.iter_mut().filter_map(|row| row.values.get_mut(1)).for_each(|per_byte| *per_byte *= share);
    }
}

/// What a message costs before its bytes move, and how fast they then may.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MessageCost {
    pub latency: SizeCost,
    /// Seconds in which a connection of a GPU library is busy with a message besides its bytes.
    pub gap: SizeCost,
    /// Largest rate, bytes per second, by size with envelope.
    pub cap: Vec<SizeRow>,
    /// As `cap`, of all messages that a rank starts: each keeps the next one waiting.
    pub rank_cap: Vec<SizeRow>,
}

impl MessageCost {
    /// Seconds before the bytes of a message move; the first row holds for an empty one too.
    #[inline]
    pub fn latency_s(&self, payload: u64) -> f64 {
        self.latency.at(payload)
    }

    /// As [`MessageCost::latency_s`], for the gap.
    pub fn gap_s(&self, payload: u64) -> f64 {
        self.gap.at(payload)
    }

    /// Infinite if nothing bounds it.
    #[inline]
    pub fn cap_bytes_per_s(&self, payload: u64) -> f64 {
        self.cap_of(&self.cap, payload).min(self.cap_of(&self.rank_cap, payload))
    }

    /// Least time from the start of a message to that of the next one of its rank.
    #[inline]
    pub fn apart_s(&self, payload: u64) -> f64 {
        payload.saturating_add(self.latency.envelope_bytes) as f64 / self.cap_of(&self.rank_cap, payload)
    }

    pub(super) fn cap_of(&self, rows: &[SizeRow], payload: u64) -> f64 {
        let size = payload.saturating_add(self.latency.envelope_bytes);
        SizeRow::of(rows, size).map_or(f64::INFINITY, |row| row.value(0))
    }

    fn bounds_rate(&self) -> bool {
        !self.cap.is_empty() || !self.rank_cap.is_empty()
    }

    fn is_free(&self) -> bool {
        self.latency.rows.is_empty() && self.gap.rows.is_empty() && !self.bounds_rate()
    }
}

/// What messages of one kind cost.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MessageCosts {
    pub between: MessageCost,
    pub inside: MessageCost,
    /// In the order of [`Near::ALL`], where ranks are nearer than in one node; as `inside` if nothing else is said.
    pub near: [MessageCost; Near::ALL.len()],
}

impl MessageCosts {
    /// Nothing is said of ranks that are nearer than in one node.
    pub(super) fn new(between: MessageCost, inside: MessageCost) -> MessageCosts {
        let near = std::array::from_fn(|_| inside.clone());
        MessageCosts { between, inside, near }
    }

    pub(super) fn take_share(&mut self, share: f64) {
        for cost in self.near.iter_mut().chain([&mut self.between, &mut self.inside]) {
            cost.latency.take_share(share);
            cost.gap.take_share(share);
        }
    }

    pub(super) fn is_free(&self) -> bool {
        self.near.iter().chain([&self.between, &self.inside]).all(MessageCost::is_free)
    }

    pub(super) fn bounds_rates(&self) -> bool {
        self.near.iter().chain([&self.between, &self.inside]).any(MessageCost::bounds_rate)
    }

    #[inline]
    pub(super) fn of(&self, reach: Reach) -> &MessageCost {
        match reach {
            Reach::Between => &self.between,
            Reach::Inside(None) => &self.inside,
            Reach::Inside(Some(near)) => &self.near[near as usize],
        }
    }
}

/// The innermost unit of a node that both ranks of a message are in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Near {
    Socket,
    Numa,
    Cache,
}

impl Near {
    /// Outermost first.
    pub const ALL: [Near; 3] = [Near::Socket, Near::Numa, Near::Cache];

    /// By the name of a [`crate::Level`].
    pub fn named(level: &str) -> Option<Near> {
        match level {
            "socket" => Some(Near::Socket),
            "numa" => Some(Near::Numa),
            "cache" => Some(Near::Cache),
            _ => None,
        }
    }
}

/// How far a message goes: to another node, or inside one, to a rank of the same unit if it is in one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    Between,
    Inside(Option<Near>),
}
