//! Endpoints drawn without pattern (Cui 2024 §3.2.1).

use netloom_model::{Bound, Network, Outcome, Stream};

use super::SEED;
use crate::free::{AVAILABLE, Free};
use crate::row::PlacementRow;

pub const ROW: PlacementRow = PlacementRow {
    name: "random",
    aliases: &["random-nodes", "rdn"],
    summary: "Endpoints drawn uniformly without replacement, in the order of the draw.",
    params: &[SEED, AVAILABLE],
    example: "random(seed=1)",
    restrictions: "",
    source: "Cui 2024 §3.2.1; Jain 2016 §3.2.3, random nodes",
    build,
};

/// The first entries of a Fisher-Yates shuffle. O(endpoints).
fn build(_: &Network, ranks: u32, free: &Free, args: &Bound) -> Outcome<Vec<u32>> {
    let mut list = free.list();
    let mut stream = Stream::new(args.int("seed") as u64, "placement random");
    for i in 0..ranks as usize {
        let j = i + stream.below((list.len() - i) as u32) as usize;
        list.swap(i, j);
    }
    list.truncate(ranks as usize);
    Ok(list)
}
