//! The list of topologies, and the network that a call into it describes.

use netloom_model::{Call, Network, Outcome, Registry, memory};

use crate::common::bounded;
use crate::row::{Expected, Topology};
use crate::{
    butterfly, circulant, dragonfly, dragonfly_plus, grid, hyperx, rail_cluster, random, shift, simple, slim_fly, tree,
    xpander,
};

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
        butterfly::BUTTERFLY,
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
        simple::SIMPLE,
    ],
    common: &[],
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
