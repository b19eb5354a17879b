//! A seeded shuffle.

use netloom_model::{Bound, Network, Outcome, Stream};

use crate::placements::SEED;
use crate::row::OrderRow;

pub const ROW: OrderRow = OrderRow {
    name: "random",
    aliases: &["shuffle"],
    summary: "The chosen endpoints in a uniformly random order.",
    params: &[SEED],
    example: "random(seed=1)",
    restrictions: "",
    source: "a baseline against which orders are measured",
    build,
};

/// O(n).
fn build(_network: &Network, placed: &[u32], args: &Bound) -> Outcome<Vec<u32>> {
    let mut order = placed.to_vec();
    Stream::new(args.int("seed") as u64, "order random").shuffle(&mut order);
    Ok(order)
}
