//! How ranks handle messages and data, independent of the network: the protocol and its costs.

use crate::param::{ABOVE_ZERO, Bound, Kind, Param, RowColumn, SizeRow};
use crate::schedule::Protocol;
use crate::units::Quantity;

const COST: Kind =
    Kind::Rows { columns: &[RowColumn { name: "fixed_s", min: 0.0 }, RowColumn { name: "s_per_byte", min: 0.0 }] };
const PER_BYTE: Kind = Kind::Rows { columns: &[RowColumn { name: "s_per_byte", min: 0.0 }] };
const RATE: Kind = Kind::Rows { columns: &[RowColumn { name: "bytes_per_s", min: ABOVE_ZERO }] };
const BYTES: Kind = Kind::Int { min: 0, max: i64::MAX };
const SECONDS: Kind = Kind::Quantity(Quantity::Seconds);

/// Costs of software: names, ranges and defaults are defined only here.
pub const SOFTWARE: &[Param] = &[
    Param::optional(
        "sender_returns_below_bytes",
        BYTES,
        "65536",
        "a blocking send of fewer bytes returns at once; one of more waits for the end of its transfer",
    ),
    Param::optional(
        "starts_early_below_bytes",
        BYTES,
        "0",
        "a message of fewer bytes moves as soon as it is sent, any other when the receive is posted too",
    ),
    Param::optional(
        "send_overhead",
        COST,
        "[]",
        "time of the processor for a blocking send, fixed_s + s_per_byte * size",
    ),
    Param::optional("nonblocking_send_overhead", COST, "[]", "as send_overhead, for a non-blocking send"),
    Param::optional("receive_overhead", COST, "[]", "as send_overhead, for a received message"),
    Param::optional(
        "message_latency",
        COST,
        "[]",
        "time of a message between nodes before its bytes move, fixed_s + s_per_byte * size; the processor is free",
    ),
    Param::optional("inside_latency", COST, "[]", "as message_latency, for a message inside a node"),
    Param::optional(
        "rendezvous_s",
        SECONDS,
        "0.0",
        "handshake of a message of at least sender_returns_below_bytes, before its message_latency",
    ),
    Param::optional("message_gap_s", SECONDS, "0.0", "least time between the starts of two messages of a rank"),
    Param::optional(
        "nic_message_gap_s",
        SECONDS,
        "0.0",
        "least time between the starts of two messages that leave a node by the same endpoint",
    ),
    Param::optional(
        "flow_cap",
        RATE,
        "[]",
        "largest rate of one message between nodes, by size; it takes no capacity from links",
    ),
    Param::optional(
        "crossing_flow_cap",
        RATE,
        "[]",
        "as flow_cap, for a message between nodes while another goes the opposite way between the same two ranks",
    ),
    Param::optional("inside_flow_cap", RATE, "[]", "as flow_cap, for a message inside a node"),
    Param::optional(
        "combine_s_per_byte",
        PER_BYTE,
        "[]",
        "time of a reduction per byte that is combined, by the bytes of a rank's buffer",
    ),
    Param::optional(
        "copy_s_per_byte",
        PER_BYTE,
        "[]",
        "time per byte that an algorithm copies inside a rank, by the bytes of its buffer",
    ),
    Param::optional("call_overhead_s", SECONDS, "0.0", "time of the processor to enter a collective"),
    Param::optional("launch_s", SECONDS, "0.0", "time to enter a collective of a GPU library, which has a protocol"),
    Param::optional("ll_latency", COST, "[]", "as message_latency, for a message of protocol LL between nodes"),
    Param::optional(
        "ll_gap",
        COST,
        "[]",
        "time per message of protocol LL between nodes, besides that of its bytes, in which its connection takes no other one",
    ),
    Param::optional("ll_inside_latency", COST, "[]", "as ll_latency, inside a node"),
    Param::optional("ll_flow_cap", RATE, "[]", "as flow_cap, for the bytes of protocol LL on the wire, flags included"),
    Param::optional("ll_inside_flow_cap", RATE, "[]", "as ll_flow_cap, inside a node"),
    Param::optional("ll128_latency", COST, "[]", "as message_latency, for a message of protocol LL128 between nodes"),
    Param::optional(
        "ll128_gap",
        COST,
        "[]",
        "time per message of protocol LL128 between nodes, besides that of its bytes, in which its connection takes no other one",
    ),
    Param::optional("ll128_inside_latency", COST, "[]", "as ll128_latency, inside a node"),
    Param::optional("ll128_flow_cap", RATE, "[]", "as ll_flow_cap, of protocol LL128"),
    Param::optional("ll128_inside_flow_cap", RATE, "[]", "as ll128_flow_cap, inside a node"),
    Param::optional("simple_latency", COST, "[]", "as message_latency, for a message of protocol Simple between nodes"),
    Param::optional(
        "simple_gap",
        COST,
        "[]",
        "time per message of protocol Simple between nodes, besides that of its bytes, in which its connection takes no other one",
    ),
    Param::optional("simple_inside_latency", COST, "[]", "as simple_latency, inside a node"),
    Param::optional("simple_flow_cap", RATE, "[]", "as flow_cap, of protocol Simple"),
    Param::optional("simple_inside_flow_cap", RATE, "[]", "as simple_flow_cap, inside a node"),
    Param::optional("flops_per_s", Kind::Quantity(Quantity::FlopsPerSecond), "1e11", "speed of a rank"),
];

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
}

/// What a message costs before its bytes move, and how fast they then may.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MessageCost {
    pub latency: SizeCost,
    /// Seconds in which a connection of a GPU library is busy with a message besides its bytes.
    pub gap: SizeCost,
    /// Largest rate, bytes per second, by size with envelope.
    pub cap: Vec<SizeRow>,
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
        self.cap_of(&self.cap, payload)
    }

    fn cap_of(&self, rows: &[SizeRow], payload: u64) -> f64 {
        let size = payload.saturating_add(self.latency.envelope_bytes);
        SizeRow::of(rows, size).map_or(f64::INFINITY, |row| row.value(0))
    }

    fn is_free(&self) -> bool {
        self.latency.rows.is_empty() && self.gap.rows.is_empty() && self.cap.is_empty()
    }
}

/// What messages of one kind cost.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MessageCosts {
    pub between: MessageCost,
    pub inside: MessageCost,
}

impl MessageCosts {
    fn is_free(&self) -> bool {
        self.between.is_free() && self.inside.is_free()
    }
}

/// How ranks behave.
#[derive(Clone, Debug, PartialEq)]
pub struct Software {
    /// A blocking send of fewer bytes returns at once (eager), one of more when its transfer ends (rendezvous).
    pub sender_returns_below_bytes: u64,
    /// An eager message of fewer bytes moves when it is sent, any other when its receive is posted too.
    pub starts_early_below_bytes: u64,
    pub send: SizeCost,
    pub nonblocking_send: SizeCost,
    pub receive: SizeCost,
    /// Of MPI's messages, between nodes and inside one.
    pub plain: MessageCosts,
    /// Of messages with a protocol, in the order of [`Protocol::ALL`].
    pub protocols: [MessageCosts; Protocol::ALL.len()],
    /// Largest rate of a message between nodes that meets one of the same ranks on its way back.
    pub crossing_cap: Vec<SizeRow>,
    /// Of a message that is not eager.
    pub rendezvous_s: f64,
    /// Between the starts of two messages of a rank.
    pub message_gap_s: f64,
    /// Between the starts of two messages that leave a node by the same endpoint.
    pub nic_message_gap_s: f64,
    /// Time to combine a byte that arrives with one's own, seconds, by the bytes of a rank's buffer.
    pub combine: Vec<SizeRow>,
    /// As `combine`, to copy a byte.
    pub copy: Vec<SizeRow>,
    /// To enter a collective.
    pub call_overhead_s: f64,
    /// To enter a collective that has a protocol.
    pub launch_s: f64,
    /// Speed of a rank.
    pub flops_per_s: f64,
}

impl Software {
    /// From arguments bound to [`SOFTWARE`], for messages with an envelope of the wire.
    pub fn new(bound: &Bound, envelope_bytes: u64) -> Software {
        let cost = |name| SizeCost { rows: bound.rows(name), envelope_bytes };
        let message =
            |latency, cap| MessageCost { latency: cost(latency), gap: SizeCost::default(), cap: bound.rows(cap) };
        let costs = |latency, cap, inside_latency, inside_cap| MessageCosts {
            between: message(latency, cap),
            inside: message(inside_latency, inside_cap),
        };
        let with_gap = |gap, MessageCosts { between, inside }| MessageCosts {
            between: MessageCost { gap: cost(gap), ..between },
            inside,
        };
        Software {
            sender_returns_below_bytes: bound.int("sender_returns_below_bytes") as u64,
            starts_early_below_bytes: bound.int("starts_early_below_bytes") as u64,
            send: cost("send_overhead"),
            nonblocking_send: cost("nonblocking_send_overhead"),
            receive: cost("receive_overhead"),
            plain: costs("message_latency", "flow_cap", "inside_latency", "inside_flow_cap"),
            protocols: [
                with_gap("ll_gap", costs("ll_latency", "ll_flow_cap", "ll_inside_latency", "ll_inside_flow_cap")),
                with_gap(
                    "ll128_gap",
                    costs("ll128_latency", "ll128_flow_cap", "ll128_inside_latency", "ll128_inside_flow_cap"),
                ),
                with_gap(
                    "simple_gap",
                    costs("simple_latency", "simple_flow_cap", "simple_inside_latency", "simple_inside_flow_cap"),
                ),
            ],
            crossing_cap: bound.rows("crossing_flow_cap"),
            rendezvous_s: bound.float("rendezvous_s"),
            message_gap_s: bound.float("message_gap_s"),
            nic_message_gap_s: bound.float("nic_message_gap_s"),
            combine: bound.rows("combine_s_per_byte"),
            copy: bound.rows("copy_s_per_byte"),
            call_overhead_s: bound.float("call_overhead_s"),
            launch_s: bound.float("launch_s"),
            flops_per_s: bound.float("flops_per_s"),
        }
    }

    /// What a message costs, inside a node or between two.
    #[inline]
    pub fn message(&self, protocol: Option<Protocol>, inside: bool) -> &MessageCost {
        let costs = protocol.map_or(&self.plain, |protocol| &self.protocols[protocol as usize]);
        if inside { &costs.inside } else { &costs.between }
    }

    /// Time to enter a collective, seconds.
    pub fn entry_s(&self, protocol: Option<Protocol>) -> f64 {
        if protocol.is_some() { self.launch_s } else { self.call_overhead_s }
    }

    /// The largest rate of a message between nodes that meets another of the same two ranks, bytes per second.
    pub fn crossing_cap_bytes_per_s(&self, payload: u64) -> f64 {
        let between = &self.plain.between;
        between.cap_of(&self.crossing_cap, payload).min(between.cap_bytes_per_s(payload))
    }

    /// The handshake of a message, seconds.
    #[inline]
    pub fn handshake_s(&self, payload: u64) -> f64 {
        if payload < self.sender_returns_below_bytes { 0.0 } else { self.rendezvous_s }
    }

    /// True if a message starts on the wire when both sides are ready, at any rate.
    pub fn starts_at_once(&self) -> bool {
        let no_wait = self.rendezvous_s == 0.0 && self.message_gap_s == 0.0 && self.nic_message_gap_s == 0.0;
        let free = self.plain.is_free() && self.protocols.iter().all(MessageCosts::is_free);
        no_wait && self.crossing_cap.is_empty() && free
    }

    /// True if a message cannot always move as fast as its links.
    pub fn bounds_rates(&self) -> bool {
        let mut costs = self.protocols.iter().chain([&self.plain]);
        let bounded = costs.any(|costs| !costs.between.cap.is_empty() || !costs.inside.cap.is_empty());
        bounded || !self.crossing_cap.is_empty()
    }

    /// Seconds to combine bytes where a rank's buffer has `buffer_bytes`.
    pub fn combining_s(&self, bytes: u64, buffer_bytes: u64) -> f64 {
        by_buffer(&self.combine, buffer_bytes) * bytes as f64
    }

    /// As [`Software::combining_s`], to copy.
    pub fn copying_s(&self, bytes: u64, buffer_bytes: u64) -> f64 {
        by_buffer(&self.copy, buffer_bytes) * bytes as f64
    }
}

fn by_buffer(rows: &[SizeRow], buffer_bytes: u64) -> f64 {
    SizeRow::of(rows, buffer_bytes.max(1)).map_or(0.0, |row| row.value(0))
}

impl Default for Software {
    /// The defaults of [`SOFTWARE`]: no costs; eager below 64 KiB, where a message still waits for its receive.
    fn default() -> Self {
        Software::new(&Bound::defaults("software", SOFTWARE), 0)
    }
}
