//! The order in which endpoints were placed.

use netloom_model::{Bound, Network, Outcome};

use crate::row::OrderRow;

pub const ROW: OrderRow = OrderRow {
    name: "draw",
    aliases: &["visit", "identity"],
    summary: "Rank r on the r-th endpoint that the placement drew or visited.",
    params: &[],
    example: "draw",
    restrictions: "",
    source: "Cui 2024 tables 3.4-3.6, whose \"ascending\" numbers for random and tree placements fit this order",
    build,
};

fn build(_network: &Network, placed: &[u32], _args: &Bound) -> Outcome<Vec<u32>> {
    Ok(placed.to_vec())
}
