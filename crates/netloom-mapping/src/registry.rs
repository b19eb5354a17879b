//! Every placement and every order that has a name: one row each.

use netloom_model::fault::codes::BAD_VALUE;
use netloom_model::mapping::more_ranks;
use netloom_model::{Bound, Call, Fault, Mapping, Network, Outcome, Param, param};

use crate::free::Free;
use crate::{orders, placements};

/// Chooses endpoints for a job.
pub struct PlacementRow {
    pub name: &'static str,
    pub aliases: &'static [&'static str],
    pub summary: &'static str,
    pub params: &'static [Param],
    /// Call text that works on a ring-based circulant.
    pub example: &'static str,
    /// What network and ranks must satisfy; "" if nothing.
    pub restrictions: &'static str,
    pub source: &'static str,
    /// Distinct endpoints, one per rank, in draw or visit order. Ranks are 1 or more.
    /// `Free` has as many endpoints or more.
    pub build: fn(&Network, ranks: u32, &Free, &Bound) -> Outcome<Vec<u32>>,
}

/// Permutes chosen endpoints.
pub struct OrderRow {
    pub name: &'static str,
    pub aliases: &'static [&'static str],
    pub summary: &'static str,
    pub params: &'static [Param],
    pub example: &'static str,
    /// What the network and the endpoints must satisfy; "" if nothing.
    pub restrictions: &'static str,
    pub source: &'static str,
    /// A permutation of `placed`: the endpoint of every rank.
    pub build: fn(&Network, placed: &[u32], &Bound) -> Outcome<Vec<u32>>,
}

static PLACEMENTS: &[PlacementRow] = &[
    placements::linear::ROW,
    placements::random::ROW,
    placements::tree::ROW,
    placements::ring::ROW,
    placements::circulant::ROW,
    placements::random_units::SWITCHES,
    placements::random_units::CHASSIS,
    placements::random_units::GROUPS,
    placements::round_robin::ENDPOINTS,
    placements::round_robin::SWITCHES,
    placements::blocked::ROW,
];

static ORDERS: &[OrderRow] = &[orders::draw::ROW, orders::ascending::ROW, orders::cco::ROW, orders::random::ROW];

pub fn placements() -> &'static [PlacementRow] {
    PLACEMENTS
}
pub fn orders() -> &'static [OrderRow] {
    ORDERS
}

/// Endpoints for `ranks` ranks, in draw or visit order.
///
/// # Errors
/// `NL-A002` unknown placement, `NL-A003`..`NL-A007` its arguments, `NL-A007` ranks below 1, `NL-M003` more ranks than
/// endpoints, `NL-M010`..`NL-M015` what the placement asks of the network.
pub fn place(network: &Network, ranks: i64, call: &Call) -> Outcome<Vec<u32>> {
    place_on(network, ranks, &Free::all(network), call)
}

/// As [`place`], on endpoints that are free.
pub fn place_on(network: &Network, ranks: i64, free: &Free, call: &Call) -> Outcome<Vec<u32>> {
    let row = param::find("placement", &call.name, PLACEMENTS, |r| names(r.name, r.aliases))?;
    let args = bind(row.name, row.params, call)?;
    let count = match u32::try_from(ranks) {
        Ok(count @ 1..) if count <= network.endpoints() => count,
        _ if ranks > 0 => return Err(more_ranks(ranks as u64, network.endpoints(), network.label()).into()),
        _ => return Err(Fault::new(&BAD_VALUE, "ranks", "an integer >= 1", ranks).into()),
    };
    let free = free.within(&args)?;
    if count > free.count() {
        return Err(more_ranks(u64::from(count), free.count(), network.label()).into());
    }
    (row.build)(network, count, &free, &args)
}

/// The endpoint of every rank: `placed` permuted.
///
/// # Errors
/// `NL-A002` unknown order, `NL-A003`..`NL-A007` its arguments, `NL-M001`..`NL-M003` for a bad list, `NL-M013`.
pub fn order(network: &Network, placed: &[u32], call: &Call) -> Outcome<Vec<u32>> {
    let row = param::find("order", &call.name, ORDERS, |r| names(r.name, r.aliases))?;
    let args = bind(row.name, row.params, call)?;
    let checked = Mapping::new(placed.to_vec(), network)?;
    (row.build)(network, checked.endpoints(), &args)
}

fn names(name: &'static str, aliases: &'static [&'static str]) -> Vec<&'static str> {
    std::iter::once(name).chain(aliases.iter().copied()).collect()
}

/// Under the row's registered name, so that messages and provenance do not depend on the alias.
fn bind(name: &str, params: &[Param], call: &Call) -> Outcome<Bound> {
    Bound::bind(params, &Call { name: name.into(), ..call.clone() })
}
