//! What a topology has: a constructor and closed forms.

use netloom_model::{Bound, Network, Outcome, Row};

/// Results of the formulas of a family, known before anything is built. A count beyond `u64` is `u64::MAX`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Expected {
    pub switches: u64,
    pub endpoints: u64,
    /// Cables between switches.
    pub switch_links: u64,
    /// Switch-to-switch ports; `None` where no formula is known, as for the fields below.
    pub degree_min: Option<u32>,
    pub degree_max: Option<u32>,
    /// Most hops between two switches.
    pub diameter: Option<u32>,
    /// Mean hops over ordered pairs of distinct switches.
    pub aspl: Option<f64>,
    /// Cables cut by the best bisection into equal halves of switches.
    pub bisection_cables: Option<u64>,
    /// True if every switch provably sees the same network.
    pub transitive: bool,
}

/// The type that a topology's row builds.
#[derive(Clone, Copy, Debug)]
pub struct Topology {
    pub network: fn(&Bound) -> Outcome<Network>,
    /// Closed forms; all zero and `None` for parameters that `network` refuses.
    pub expected: fn(&Bound) -> Expected,
}

/// A topology.
pub type TopologyRow = Row<Topology>;
