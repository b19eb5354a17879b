//! Ascending endpoint numbers.

use netloom_model::{Bound, Kind, Network, Outcome, Param, mapping};

use crate::free::{AVAILABLE, Free};
use crate::row::PlacementRow;

pub const ROW: PlacementRow = PlacementRow {
    name: "linear",
    aliases: &["block", "consecutive"],
    summary: "Endpoints in ascending order of their number.",
    params: &[
        Param::optional("first", Kind::Int { min: 0, max: (1 << 31) - 1 }, "0", "endpoint of the first rank"),
        AVAILABLE,
    ],
    example: "linear(first=0)",
    restrictions: "",
    source: "the usual default of job schedulers",
    build,
};

/// Free endpoints `first`, `first + 1`, ... O(endpoints).
fn build(network: &Network, ranks: u32, free: &Free, args: &Bound) -> Outcome<Vec<u32>> {
    let mut list = free.list();
    list.retain(|&e| i64::from(e) >= args.int("first"));
    if list.len() < ranks as usize {
        let place = format!("{} from endpoint {}", network.label(), args.int("first"));
        return Err(mapping::more_ranks(u64::from(ranks), list.len() as u32, &place).into());
    }
    list.truncate(ranks as usize);
    Ok(list)
}
