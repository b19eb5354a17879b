//! The list of routings, and the routing that a call into it describes.

use std::sync::Arc;

use netloom_model::{Call, Network, Outcome, Registry, Routing};

use super::row::Build;
use super::{d_mod_k, destination_tag, grid, groups, minimal, tables, up_down, valiant};

/// Every routing, in the order of the docs.
pub static ROUTINGS: Registry<Build> = Registry {
    kind: "routings",
    what: "routing",
    rows: &[
        minimal::MINIMAL,
        minimal::SINGLE_MINIMAL,
        groups::GROUP_MINIMAL,
        grid::DIMENSION_ORDERED,
        up_down::UP_DOWN,
        d_mod_k::D_MOD_K,
        destination_tag::DESTINATION_TAG,
        valiant::VALIANT,
        tables::TABLES,
    ],
    common: &[],
};

/// Name and arguments of `call`, before there is a network. O(1).
///
/// # Errors
/// `NL-A002` for an unknown name, the binder's faults for its arguments.
pub fn check(call: &Call) -> Outcome<()> {
    ROUTINGS.bind(call).map(|_| ())
}

/// The routing that `call` names, on `network`.
///
/// # Errors
/// Those of [`check`], and missing properties of the network (`NL-R001`, `NL-R002`, `NL-R005`..`NL-R007`, `NL-R012`, `NL-N001`).
pub fn build(network: &Arc<Network>, call: &Call) -> Outcome<Box<dyn Routing>> {
    let (row, bound) = ROUTINGS.bind(call)?;
    destination_tag::require_one_way(network, &bound.owner, row.name)?;
    (row.build)(network, &bound, &call.to_string())
}
