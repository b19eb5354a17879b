//! How ranks handle messages and data, independent of the network: the protocol and its costs.

use super::message::{MessageCost, MessageCosts, Near, Reach, SizeCost};
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
    Param::optional(
        "eager_copy_s_per_byte",
        PER_BYTE,
        "[]",
        "time of both processors per byte of a message below sender_returns_below_bytes, by its size: into a buffer and out of one",
    ),
    Param::optional("inside_latency", COST, "[]", "as message_latency, for a message inside a node"),
    Param::optional("socket_message_latency", COST, "[]", "as inside_latency, between ranks of one socket"),
    Param::optional("numa_message_latency", COST, "[]", "as inside_latency, between ranks of one NUMA domain"),
    Param::optional("cache_message_latency", COST, "[]", "as inside_latency, between ranks of one shared cache"),
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
        "endpoint_message_s",
        SECONDS,
        "0.0",
        "time of an endpoint per message between nodes that its ranks send or receive, one after another",
    ),
    Param::optional(
        "flow_cap",
        RATE,
        "[]",
        "largest rate of one message between nodes, by size; it takes no capacity from links",
    ),
    Param::optional(
        "rank_cap",
        RATE,
        "[]",
        "largest rate of all messages between nodes that a rank sends, by size: the next one starts its bytes later",
    ),
    Param::optional("inside_rank_cap", RATE, "[]", "as rank_cap, for messages inside a node"),
    Param::optional(
        "crossing_flow_cap",
        RATE,
        "[]",
        "as flow_cap, for a message between nodes while another goes the opposite way between the same two ranks",
    ),
    Param::optional("inside_flow_cap", RATE, "[]", "as flow_cap, for a message inside a node"),
    Param::optional("socket_flow_cap", RATE, "[]", "as inside_flow_cap, between ranks of one socket"),
    Param::optional("numa_flow_cap", RATE, "[]", "as inside_flow_cap, between ranks of one NUMA domain"),
    Param::optional("cache_flow_cap", RATE, "[]", "as inside_flow_cap, between ranks of one shared cache"),
    Param::optional(
        "combine_s_per_byte",
        PER_BYTE,
        "[]",
        "time of a reduction per byte that is combined, by the bytes of a rank's buffer",
    ),
    Param::optional(
        "operation_factor",
        Kind::Float { min: 0.0, max: 1e6 },
        "1.0",
        "time of the reduction's operation, as a multiple of the one behind combine_s_per_byte, such as a sum",
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
    Param::optional(
        "bytes_per_flop",
        Kind::Float { min: 0.0, max: 1e6 },
        "0.0",
        "bytes of memory that an operation reads and writes: ranks that compute share the memory of a node",
    ),
];

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
    /// Seconds per byte of an eager message, of its sender and of its receiver each, by its size with envelope.
    pub eager_copy: Vec<SizeRow>,
    /// Costs depend on the unit of a node that two ranks share.
    pub tells_near: bool,
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
    /// Of an endpoint, for each message between nodes that it sends or receives.
    pub endpoint_message_s: f64,
    /// Time to combine a byte that arrives with one's own, seconds, by the bytes of a rank's buffer.
    pub combine: Vec<SizeRow>,
    /// On `combine`, of the reduction's operation.
    pub operation_factor: f64,
    /// As `combine`, to copy a byte.
    pub copy: Vec<SizeRow>,
    /// To enter a collective.
    pub call_overhead_s: f64,
    /// To enter a collective that has a protocol.
    pub launch_s: f64,
    /// Speed of a rank.
    pub flops_per_s: f64,
    /// Of memory, for each operation.
    pub bytes_per_flop: f64,
    /// Of all time that grows with bytes and operations: 1, unless a part of a run stands for the whole.
    pub share: f64,
}

impl Software {
    /// From arguments bound to [`SOFTWARE`], for messages with an envelope of the wire.
    pub fn new(bound: &Bound, envelope_bytes: u64) -> Software {
        let cost = |name| SizeCost { rows: bound.rows(name), envelope_bytes };
        let message =
            |latency, cap| MessageCost { latency: cost(latency), cap: bound.rows(cap), ..MessageCost::default() };
        let costs = |latency, cap, inside_latency, inside_cap| {
            MessageCosts::new(message(latency, cap), message(inside_latency, inside_cap))
        };
        let with_gap = |gap, MessageCosts { between, inside, near }| MessageCosts {
            between: MessageCost { gap: cost(gap), ..between },
            inside,
            near,
        };
        let mut plain = costs("message_latency", "flow_cap", "inside_latency", "inside_flow_cap");
        plain.between.rank_cap = bound.rows("rank_cap");
        plain.inside.rank_cap = bound.rows("inside_rank_cap");
        let mut around = plain.inside.clone();
        for (near, latency, cap) in [
            (Near::Socket, "socket_message_latency", "socket_flow_cap"),
            (Near::Numa, "numa_message_latency", "numa_flow_cap"),
            (Near::Cache, "cache_message_latency", "cache_flow_cap"),
        ] {
            let MessageCost { latency, cap, .. } = message(latency, cap);
            // What is not said of a unit is as in the one around it.
            around.latency = if latency.rows.is_empty() { around.latency } else { latency };
            around.cap = if cap.is_empty() { around.cap } else { cap };
            plain.near[near as usize] = around.clone();
        }
        Software {
            sender_returns_below_bytes: bound.int("sender_returns_below_bytes") as u64,
            starts_early_below_bytes: bound.int("starts_early_below_bytes") as u64,
            send: cost("send_overhead"),
            nonblocking_send: cost("nonblocking_send_overhead"),
            receive: cost("receive_overhead"),
            eager_copy: bound.rows("eager_copy_s_per_byte"),
            tells_near: plain.near.iter().any(|near| *near != plain.inside),
            plain,
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
            endpoint_message_s: bound.float("endpoint_message_s"),
            combine: bound.rows("combine_s_per_byte"),
            operation_factor: bound.float("operation_factor"),
            copy: bound.rows("copy_s_per_byte"),
            call_overhead_s: bound.float("call_overhead_s"),
            launch_s: bound.float("launch_s"),
            flops_per_s: bound.float("flops_per_s"),
            bytes_per_flop: bound.float("bytes_per_flop"),
            share: 1.0,
        }
    }

    /// The same with a share of all time that grows with bytes, operations and sleep; what a message or a call costs at
    /// any size stays whole. For a run of which a part stands for the whole.
    #[must_use]
    pub fn of_share(mut self, share: f64) -> Software {
        self.protocols.iter_mut().chain([&mut self.plain]).for_each(|costs| costs.take_share(share));
        for cost in [&mut self.send, &mut self.nonblocking_send, &mut self.receive] {
            cost.take_share(share);
        }
        Software { share, ..self }
    }

    /// What a message costs.
    #[inline]
    pub fn message(&self, protocol: Option<Protocol>, reach: Reach) -> &MessageCost {
        protocol.map_or(&self.plain, |protocol| &self.protocols[protocol as usize]).of(reach)
    }

    /// Seconds of each processor to copy a message into a buffer or out of one; none for a message that is not eager.
    #[inline]
    pub fn eager_copy_s(&self, payload: u64) -> f64 {
        if self.eager_copy.is_empty() || payload >= self.sender_returns_below_bytes {
            return 0.0;
        }
        let size = payload.saturating_add(self.send.envelope_bytes);
        SizeRow::of(&self.eager_copy, size).map_or(0.0, |row| self.share * row.value(0) * size as f64)
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

    /// Seconds of a computation by a rank to which a byte of memory takes so long: the operations, or their bytes.
    pub fn computing_s(&self, flops: f64, memory_s_per_byte: f64) -> f64 {
        self.share * (flops / self.flops_per_s).max(flops * self.bytes_per_flop * memory_s_per_byte)
    }

    /// Seconds of a time that depends on no speed.
    pub fn sleeping_s(&self, seconds: f64) -> f64 {
        self.share * seconds
    }

    /// The handshake of a message, seconds.
    #[inline]
    pub fn handshake_s(&self, payload: u64) -> f64 {
        if payload < self.sender_returns_below_bytes { 0.0 } else { self.rendezvous_s }
    }

    /// True if a message without a protocol may keep the next one of its rank waiting.
    #[inline]
    pub fn sends_in_turn(&self) -> bool {
        let capped = |cost: &MessageCost| !cost.rank_cap.is_empty();
        self.message_gap_s > 0.0 || capped(&self.plain.between) || capped(&self.plain.inside)
    }

    /// True if the sender of a message returns at once.
    #[inline]
    pub fn is_eager(&self, payload: u64) -> bool {
        payload < self.sender_returns_below_bytes
    }

    /// True if a message may keep another one of its endpoint waiting.
    #[inline]
    pub fn endpoints_take_turns(&self) -> bool {
        self.nic_message_gap_s > 0.0 || self.endpoint_message_s > 0.0
    }

    /// Least time from the start of such a message to that of the next one, seconds.
    pub fn apart_s(&self, payload: u64, reach: Reach) -> f64 {
        self.message_gap_s.max(self.share * self.plain.of(reach).apart_s(payload))
    }

    /// True if a message starts on the wire when both sides are ready, at any rate.
    pub fn starts_at_once(&self) -> bool {
        let no_wait = self.rendezvous_s == 0.0 && self.message_gap_s == 0.0 && !self.endpoints_take_turns();
        let free = self.plain.is_free() && self.protocols.iter().all(MessageCosts::is_free);
        no_wait && self.crossing_cap.is_empty() && free
    }

    /// True if a message cannot always move as fast as its links.
    pub fn bounds_rates(&self) -> bool {
        let bounded = self.protocols.iter().chain([&self.plain]).any(MessageCosts::bounds_rates);
        bounded || !self.crossing_cap.is_empty()
    }

    /// Seconds to combine bytes where a rank's buffer has `buffer_bytes`.
    pub fn combining_s(&self, bytes: u64, buffer_bytes: u64) -> f64 {
        self.share * by_buffer(&self.combine, buffer_bytes) * self.operation_factor * bytes as f64
    }

    /// As [`Software::combining_s`], to copy.
    pub fn copying_s(&self, bytes: u64, buffer_bytes: u64) -> f64 {
        self.share * by_buffer(&self.copy, buffer_bytes) * bytes as f64
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
