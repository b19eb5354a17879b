//! Every routing that has a name: one row each.

use std::sync::Arc;

use netloom_model::{Bound, Call, Network, Outcome, Param, Routing, param};

use super::{grid, groups, minimal, up_down, valiant};

/// Binds a routing to a network, with the text that becomes its label.
pub type Build = fn(&Arc<Network>, &Bound, &str) -> Outcome<Box<dyn Routing>>;

/// A routing.
pub struct RoutingRow {
    pub name: &'static str,
    pub aliases: &'static [&'static str],
    pub summary: &'static str,
    pub params: &'static [Param],
    /// Call text that builds one.
    pub example: &'static str,
    /// Which networks it takes.
    pub restrictions: &'static str,
    pub source: &'static str,
    pub build: Build,
}

impl RoutingRow {
    /// The name, then the aliases.
    pub fn names(&self) -> Vec<&'static str> {
        std::iter::once(self.name).chain(self.aliases.iter().copied()).collect()
    }
}

static ROWS: &[RoutingRow] = &[
    minimal::MINIMAL,
    minimal::SINGLE_MINIMAL,
    groups::GROUP_MINIMAL,
    grid::DIMENSION_ORDERED,
    up_down::UP_DOWN,
    up_down::D_MOD_K,
    valiant::VALIANT,
];

/// Every routing, in the order of the docs.
pub fn routings() -> &'static [RoutingRow] {
    ROWS
}

/// Name and arguments of `call`, before there is a network. O(1).
///
/// # Errors
/// `NL-A002` for an unknown name, the binder's faults for its arguments.
pub fn check(call: &Call) -> Outcome<()> {
    bind(call).map(|_| ())
}

fn bind(call: &Call) -> Outcome<(&'static RoutingRow, Bound)> {
    let row = param::find("routing", &call.name, ROWS, RoutingRow::names)?;
    let named = Call { name: row.name.into(), ..call.clone() };
    Ok((row, Bound::bind(row.params, &named)?))
}

/// The routing that `call` names, on `network`.
///
/// # Errors
/// Those of [`check`], and what the network lacks for it (`NL-R001`, `NL-R002`, `NL-R005`..`NL-R007`, `NL-N001`).
pub fn build(network: &Arc<Network>, call: &Call) -> Outcome<Box<dyn Routing>> {
    let (row, bound) = bind(call)?;
    (row.build)(network, &bound, &call.to_string())
}
