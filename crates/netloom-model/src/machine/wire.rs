//! What a message costs on its route, beyond the latency and bandwidth of its links.

use std::str::FromStr;

use super::sharing::Sharing;
use crate::param::{ABOVE_ZERO, Bound, Kind, Param, RowColumn, SizeRow};
use crate::units::Quantity;

/// Whether the two directions of a cable share its bandwidth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Duplex {
    /// Each direction has the whole bandwidth (SimGrid's SPLITDUPLEX).
    Full,
    /// Both share it (SimGrid's SHARED, the default of its `<link>`).
    Half,
}

impl Duplex {
    /// Names for the user.
    pub const NAMES: &'static [&'static str] = &["full", "half"];

    fn named(name: &str) -> Duplex {
        if name == "half" { Duplex::Half } else { Duplex::Full }
    }
}

/// Switches that combine messages and multiply them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Combining {
    #[default]
    Absent,
    /// Those inside nodes: NVLink SHARP of an NVSwitch.
    Nodes,
    /// Those between nodes: SHARP of InfiniBand.
    Fabric,
    All,
}

impl Combining {
    /// Names for the user, in the order of the variants.
    pub const NAMES: &'static [&'static str] = &["absent", "nodes", "fabric", "all"];

    fn named(name: &str) -> Combining {
        match name {
            "nodes" => Combining::Nodes,
            "fabric" => Combining::Fabric,
            "all" => Combining::All,
            _ => Combining::Absent,
        }
    }

    pub fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }

    /// True for switches inside nodes.
    pub fn in_nodes(self) -> bool {
        matches!(self, Combining::Nodes | Combining::All)
    }

    /// True for switches between nodes.
    pub fn in_fabric(self) -> bool {
        matches!(self, Combining::Fabric | Combining::All)
    }
}

/// Corrections of messages on the wire: names, ranges and defaults are defined only here.
pub const WIRE: &[Param] = &[
    Param::optional(
        "sharing",
        Kind::Choice(&Sharing::NAMES),
        "rtt",
        "how flows share a link: equally; with weight 1 / latency of the route; with weight 1 / (that latency + \
         weight_s_bytes * sum of 1 / bandwidth)",
    ),
    Param::optional("weight_s_bytes", NUMBER, "0.0", "of the sharing smpi, bytes"),
    Param::optional(
        "cross_traffic",
        Kind::Float { min: 0.0, max: 1.0 },
        "0.0",
        "share of its rate that a flow also takes on the way back (acknowledgements)",
    ),
    Param::optional(
        "tcp_window_bytes",
        NUMBER,
        "0.0",
        "the rate of a flow is at most this / (2 * latency of the route); 0: no bound",
    ),
    Param::optional(
        "envelope_bytes",
        Kind::Int { min: 0, max: 1 << 32 },
        "0",
        "bytes that a message carries in addition to its data",
    ),
    Param::optional(
        "latency_factors",
        Kind::Rows { columns: &[RowColumn { name: "factor", min: 0.0 }] },
        "[]",
        "factors on the latency of the route, by size with envelope; 1 before the first row",
    ),
    Param::optional(
        "bandwidth_factors",
        Kind::Rows { columns: &[RowColumn { name: "factor", min: ABOVE_ZERO }] },
        "[]",
        "a message of E bytes moves E / factor bytes through its links; 1 before the first row",
    ),
    Param::optional("loopback_latency_s", NUMBER, "0.0", "between two ranks of one endpoint, seconds"),
    Param::optional(
        "loopback_bandwidth_bytes_per_s",
        Kind::FloatOrNone { min: ABOVE_ZERO },
        "none",
        "between two ranks of one endpoint, not shared; none: unlimited",
    ),
    Param::optional(
        "duplex",
        Kind::Choice(Duplex::NAMES),
        "full",
        "half: both directions of a cable share its bandwidth",
    ),
    Param::optional(
        "switch_latency_s",
        Kind::Quantity(Quantity::Seconds),
        "0.0",
        "added for every switch that a message passes",
    ),
    Param::optional(
        "combining_switches",
        Kind::Choice(Combining::NAMES),
        "absent",
        "switches that combine and multiply messages for in-network collectives: those inside nodes (NVLink SHARP), those \
         between nodes (SHARP), or all",
    ),
];

const NUMBER: Kind = Kind::Float { min: 0.0, max: f64::INFINITY };

/// A row of factors: the first value is the factor.
pub type Factor = SizeRow;

/// How messages become flows. A message of `B` bytes with envelope (`E = B + envelope_bytes`) first waits
/// latency factor(E) · Σ latency, then moves E / bandwidth factor(E) bytes through its links: a factor of 0.8 makes the
/// flow 1.25 times longer and leaves the capacity of the links unchanged, as SimGrid does.
#[derive(Clone, Debug, PartialEq)]
pub struct Wire {
    pub sharing: Sharing,
    /// Share of a flow's rate that it uses in the reverse direction.
    pub cross_traffic: f64,
    /// A flow's rate is at most this / (2 · Σ latency); 0 for no bound.
    pub tcp_window_bytes: f64,
    pub envelope_bytes: u64,
    pub latency_factors: Vec<Factor>,
    pub bandwidth_factors: Vec<Factor>,
    /// Between two ranks of one endpoint.
    pub loopback_latency_s: f64,
    /// May be infinite.
    pub loopback_bandwidth_bytes_per_s: f64,
    pub duplex: Duplex,
    /// Added for every switch that a message passes, on top of the latency of the links.
    pub switch_latency_s: f64,
    pub combining: Combining,
}

impl Wire {
    /// From arguments bound to [`WIRE`].
    pub fn new(bound: &Bound) -> Wire {
        let sharing = match Sharing::from_str(bound.text("sharing")) {
            Ok(Sharing::Smpi { .. }) => Sharing::Smpi { weight_s_bytes: bound.float("weight_s_bytes") },
            Ok(other) => other,
            Err(()) => Sharing::Rtt,
        };
        Wire {
            sharing,
            cross_traffic: bound.float("cross_traffic"),
            tcp_window_bytes: bound.float("tcp_window_bytes"),
            envelope_bytes: bound.int("envelope_bytes") as u64,
            latency_factors: bound.rows("latency_factors"),
            bandwidth_factors: bound.rows("bandwidth_factors"),
            loopback_latency_s: bound.float("loopback_latency_s"),
            loopback_bandwidth_bytes_per_s: bound.float("loopback_bandwidth_bytes_per_s"),
            duplex: Duplex::named(bound.text("duplex")),
            switch_latency_s: bound.float("switch_latency_s"),
            combining: Combining::named(bound.text("combining_switches")),
        }
    }

    pub fn latency_factor(&self, size: u64) -> f64 {
        SizeRow::of(&self.latency_factors, size).map_or(1.0, |row| row.value(0))
    }

    /// Bytes that a message of `bytes` sends over its links.
    pub fn moved_bytes(&self, bytes: u64) -> f64 {
        let size = bytes.saturating_add(self.envelope_bytes);
        size as f64 / SizeRow::of(&self.bandwidth_factors, size).map_or(1.0, |row| row.value(0))
    }
}

impl Default for Wire {
    /// The defaults of [`WIRE`]: no correction; SimGrid's CM02 sharing.
    fn default() -> Self {
        Wire::new(&Bound::defaults("wire", WIRE))
    }
}
