//! How ranks handle messages and data, independent of the network: the protocol and its costs.

use crate::param::{Bound, Kind, Param, RowColumn, SizeRow};
use crate::units::Quantity;

const OVERHEAD: Kind =
    Kind::Rows { columns: &[RowColumn { name: "fixed_s", min: 0.0 }, RowColumn { name: "s_per_byte", min: 0.0 }] };
const BYTES: Kind = Kind::Int { min: 0, max: i64::MAX };

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
        OVERHEAD,
        "[]",
        "time of the processor for a blocking send, fixed_s + s_per_byte * size",
    ),
    Param::optional("nonblocking_send_overhead", OVERHEAD, "[]", "as send_overhead, for a non-blocking send"),
    Param::optional("receive_overhead", OVERHEAD, "[]", "as send_overhead, for a received message"),
    Param::optional(
        "combine_s_per_byte",
        Kind::Float { min: 0.0, max: f64::INFINITY },
        "0.0",
        "time of a reduction per byte that is combined, seconds",
    ),
    Param::optional("flops_per_s", Kind::Quantity(Quantity::FlopsPerSecond), "1e11", "speed of a rank"),
];

/// Time that a rank spends per message, by payload.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Overhead {
    /// Fixed seconds and seconds per byte, by size with envelope.
    pub rows: Vec<SizeRow>,
    /// Added to the payload.
    pub envelope_bytes: u64,
}

impl Overhead {
    pub fn seconds(&self, payload: u64) -> f64 {
        let size = payload.saturating_add(self.envelope_bytes);
        SizeRow::of(&self.rows, size).map_or(0.0, |row| row.value(0) + row.value(1) * size as f64)
    }
}

/// How ranks behave.
#[derive(Clone, Debug, PartialEq)]
pub struct Software {
    /// A blocking send of fewer bytes returns at once (eager), one of more when its transfer ends (rendezvous).
    pub sender_returns_below_bytes: u64,
    /// An eager message of fewer bytes moves when it is sent, any other when its receive is posted too.
    pub starts_early_below_bytes: u64,
    pub send: Overhead,
    pub nonblocking_send: Overhead,
    pub receive: Overhead,
    /// Time to combine a byte that arrives with one's own, seconds.
    pub combine_s_per_byte: f64,
    /// Speed of a rank.
    pub flops_per_s: f64,
}

impl Software {
    /// From arguments bound to [`SOFTWARE`], for messages with an envelope of the wire.
    pub fn new(bound: &Bound, envelope_bytes: u64) -> Software {
        let overhead = |name| Overhead { rows: bound.rows(name), envelope_bytes };
        Software {
            sender_returns_below_bytes: bound.int("sender_returns_below_bytes") as u64,
            starts_early_below_bytes: bound.int("starts_early_below_bytes") as u64,
            send: overhead("send_overhead"),
            nonblocking_send: overhead("nonblocking_send_overhead"),
            receive: overhead("receive_overhead"),
            combine_s_per_byte: bound.float("combine_s_per_byte"),
            flops_per_s: bound.float("flops_per_s"),
        }
    }
}

impl Default for Software {
    /// The defaults of [`SOFTWARE`]: no costs; eager below 64 KiB, where a message still waits for its receive.
    fn default() -> Self {
        Software::new(&Bound::defaults("software", SOFTWARE), 0)
    }
}
