//! Every topology that has a name: one row each.

use netloom_model::{Bound, Call, Network, Outcome, Registry, Row, memory};

use crate::common::bounded;
use crate::{circulant, dragonfly, dragonfly_plus, grid, hyperx, rail_cluster, random, shift, slim_fly, tree, xpander};

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

/// Every topology, related ones together.
pub static TOPOLOGIES: Registry<Topology> = Registry {
    kind: "topologies",
    what: "topology",
    rows: &[
        grid::RING,
        grid::MESH,
        grid::TORUS,
        grid::HYPERCUBE,
        hyperx::COMPLETE,
        hyperx::HYPERX,
        hyperx::FLATTENED_BUTTERFLY,
        tree::STAR,
        tree::K_ARY_N_TREE,
        tree::THIN_TREE,
        tree::FAT_TREE,
        tree::XGFT,
        dragonfly::DRAGONFLY,
        dragonfly_plus::DRAGONFLY_PLUS,
        rail_cluster::RAIL_CLUSTER,
        slim_fly::SLIM_FLY,
        circulant::CIRCULANT,
        circulant::RECURSIVE_CIRCULANT,
        shift::DE_BRUIJN,
        shift::KAUTZ,
        random::RANDOM_SHORTCUT,
        random::RANDOM_REGULAR,
        xpander::XPANDER,
    ],
};

/// Builds the network that `call` describes; its label is the call as written.
///
/// # Errors
/// `NL-A002` for an unknown name, `NL-A003` to `NL-A009` and `NL-T001` to `NL-T012` for bad parameters; `NL-X011` if there is
/// not the memory.
pub fn build(call: &Call) -> Outcome<Network> {
    let (row, bound) = TOPOLOGIES.bind(call)?;
    let expected = (row.expected)(&bound);
    bounded(&bound, &expected)?;
    let Expected { switches, switch_links, endpoints, .. } = expected;
    memory::require(memory::of_network(switches, switch_links, endpoints), &call.to_string(), "the network")?;
    Ok((row.network)(&bound)?.with_label(call.to_string()))
}
