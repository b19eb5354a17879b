//! Everything that has a name: the registries of all rooms, and their codes of faults.

use netloom_model::fault::{CodeRow, codes};
use netloom_model::{Call, Catalogue, Fault, Outcome, Param, Value};

use crate::rungs::RUNGS;

/// Every registry, in the order of the docs. A new one is a line here.
pub static REGISTRIES: &[&dyn Catalogue] = &[
    &netloom_net::TOPOLOGIES,
    &netloom_model::NODES,
    &netloom_net::routing::ROUTINGS,
    &netloom_workload::CollectiveNames,
    &netloom_workload::applications::APPLICATIONS,
    &netloom_workload::PATTERNS,
    &netloom_mapping::registry::PLACEMENTS,
    &netloom_mapping::registry::ORDERS,
    &netloom_optimize::registry::OPTIMISERS,
    &netloom_optimize::objective::OBJECTIVES,
    &netloom_formats::FORMATS,
    &netloom_loads::VARIANTS,
    &netloom_packet::SWITCHES,
    &netloom_packet::SOURCES,
    &netloom_packet::PARALLEL,
    &RUNGS,
];

/// The registry of a kind.
///
/// # Errors
/// `NL-A007` for a kind that there is not.
pub fn registry(kind: &str) -> Outcome<&'static dyn Catalogue> {
    let known = || REGISTRIES.iter().map(|registry| registry.kind()).collect::<Vec<_>>().join(", ");
    REGISTRIES.iter().copied().find(|registry| registry.kind() == kind).ok_or_else(|| {
        Fault::new(&codes::BAD_VALUE, "catalogue.kind", format!("one of {}, errors", known()), kind).into()
    })
}

/// A call with another value of one parameter. `kinds` are the registries in which its name may be; a name that none has
/// is that of somebody else's thing, whose arguments are given by name.
///
/// # Errors
/// As [`registry`].
pub fn with_argument(kinds: &[String], call: &Call, name: &str, value: Value) -> Outcome<Call> {
    let mut params: Vec<Param> = Vec::new();
    for kind in kinds {
        let registry = registry(kind)?;
        if let Ok(row) = registry.entry(&call.name) {
            params = [row.params, registry.common()].concat();
        }
    }
    Ok(call.with(&params, name, value))
}

/// Rows of every room's codes.
pub fn code_rows() -> impl Iterator<Item = &'static CodeRow> {
    [
        codes::ALL,
        netloom_net::codes::ALL,
        netloom_net::metrics::codes::ALL,
        netloom_net::routing::codes::ALL,
        netloom_workload::codes::ALL,
        netloom_mapping::codes::ALL,
        netloom_loads::codes::ALL,
        netloom_ranks::codes::ALL,
        netloom_flow::codes::ALL,
        netloom_packet::codes::ALL,
        netloom_optimize::codes::ALL,
        netloom_formats::codes::ALL,
    ]
    .into_iter()
    .flatten()
}
