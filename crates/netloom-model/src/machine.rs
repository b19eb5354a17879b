//! The machine of a scenario, apart from the network.

use crate::calibration::Calibration;
use crate::param::{Bound, Kind, Param};
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

/// A background flow: no job waits for it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Background {
    pub src: u32,
    pub dst: u32,
    /// Infinite for a flow that never ends.
    pub bytes: f64,
    pub start_s: f64,
    /// Largest rate in bytes per second; may be infinite.
    pub cap_bytes_per_s: f64,
}

/// Attributes of a machine in addition to its calibration: names, ranges and defaults are defined only here.
pub const MACHINE: &[Param] = &[
    Param::optional("duplex", Kind::Choice(Duplex::NAMES), "full", "whether both directions of a cable share it"),
    Param::optional(
        "switch_latency_s",
        Kind::Quantity(Quantity::Seconds),
        "0.0",
        "added for every switch that a message passes",
    ),
    Param::optional("flops_per_s", Kind::Quantity(Quantity::FlopsPerSecond), "1e11", "speed of a rank"),
];

/// Everything that times depend on, apart from network, routing and jobs.
#[derive(Clone, Debug, PartialEq)]
pub struct Machine {
    pub duplex: Duplex,
    /// Added for every switch that a message passes, on top of the latency of the links.
    pub switch_latency_s: f64,
    /// Speed of a rank.
    pub flops_per_s: f64,
    pub calibration: Calibration,
}

impl Machine {
    /// From arguments bound to [`MACHINE`].
    pub fn new(bound: &Bound, calibration: Calibration) -> Machine {
        Machine {
            duplex: Duplex::named(bound.text("duplex")),
            switch_latency_s: bound.float("switch_latency_s"),
            flops_per_s: bound.float("flops_per_s"),
            calibration,
        }
    }
}

impl Default for Machine {
    /// The defaults of [`MACHINE`], and no correction of messages.
    fn default() -> Self {
        Machine::new(&Bound::defaults("machine", MACHINE), Calibration::default())
    }
}
