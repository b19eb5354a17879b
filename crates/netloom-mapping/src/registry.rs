//! The lists of placements and of orders, and what a call into one of them gives.

use netloom_model::fault::codes::BAD_VALUE;
use netloom_model::mapping::more_ranks;
use netloom_model::{Call, Fault, Mapping, Network, Outcome, Registry};

use crate::free::Free;
use crate::row::{Choose, Permute};
use crate::{orders, placements};

/// Every placement. The examples work on a ring-based circulant.
pub static PLACEMENTS: Registry<Choose> = Registry {
    kind: "placements",
    what: "placement",
    rows: &[
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
    ],
    common: &[],
};

/// Every order.
pub static ORDERS: Registry<Permute> = Registry {
    kind: "orders",
    what: "order",
    rows: &[
        orders::draw::ROW,
        orders::ascending::ROW,
        orders::cco::ROW,
        orders::random::ROW,
        orders::mixed_radix::ROW,
        orders::tiles::ROW,
    ],
    common: &[],
};

/// Endpoints for `ranks` ranks, in draw or visit order.
///
/// # Errors
/// `NL-A002` unknown placement, `NL-A003`..`NL-A007` its arguments, `NL-A007` ranks below 1, `NL-M003` more ranks than
/// endpoints, `NL-M010`..`NL-M015` requirements of the placement on the network.
pub fn place(network: &Network, ranks: i64, call: &Call) -> Outcome<Vec<u32>> {
    place_on(network, ranks, &Free::all(network), call)
}

/// Places as [`place`] does, on endpoints that are free.
pub fn place_on(network: &Network, ranks: i64, free: &Free, call: &Call) -> Outcome<Vec<u32>> {
    let (row, args) = PLACEMENTS.bind(call)?;
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
    let (row, args) = ORDERS.bind(call)?;
    let checked = Mapping::new(placed.to_vec(), network)?;
    (row.build)(network, checked.endpoints(), &args)
}
