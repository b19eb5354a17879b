//! Lower ranks on lower endpoints.

use netloom_model::{Bound, Network, Outcome};

use crate::row::OrderRow;

pub const ROW: OrderRow = OrderRow {
    name: "ascending",
    aliases: &["sorted"],
    summary: "Lower ranks on lower endpoint numbers.",
    params: &[],
    example: "ascending",
    restrictions: "",
    source: "Cui 2024 §3.3.1 as worded",
    build,
};

/// O(n log n).
fn build(_network: &Network, placed: &[u32], _args: &Bound) -> Outcome<Vec<u32>> {
    let mut order = placed.to_vec();
    order.sort_unstable();
    Ok(order)
}
