//! Consecutive switches of the ring under the network (Cui 2024 §3.2.3).

use netloom_model::{Bound, Fault, Kind, Network, Outcome, Param, Stream};

use super::{SEED, SWITCH};
use crate::codes;
use crate::free::{AVAILABLE, Free, start_switch};
use crate::row::PlacementRow;

pub const ROW: PlacementRow = PlacementRow {
name: "ring", aliases: &["ring-consecutive"], summary: "Consecutive switches along the ring that the network is built on, from a start switch, wrapping around.", params: &[
        Param::optional("start", SWITCH, "", "first switch; drawn from the seed if absent"),
        SEED,
        Param::optional(
            "along",
            Kind::Choice(&["ring", "numbers"]),
            "ring",
            "ring: switches i and i+1 are joined, or the placement is refused; numbers: ascending switch numbers of any network",
        )
        .keyword_only(),
        AVAILABLE,
    ], example: "ring(start=0)", restrictions: "the network is built on a ring, unless along=numbers", source: "Cui 2024 §3.2.3, figure 3.3", build,
};

/// O(switches).
fn build(network: &Network, ranks: u32, free: &Free, args: &Bound) -> Outcome<Vec<u32>> {
    if args.text("along") == "ring" && !network.structure().ring {
        return Err(Fault::say(&codes::NO_RING, network.label(), "the network is not built on a ring of switches")
            .hint("use ring(along=numbers) to follow switch numbers, or another placement")
            .into());
    }
    let mut stream = Stream::new(args.int("seed") as u64, "placement ring");
    let n = network.switches();
    let start = start_switch(network, args, "start", |n| stream.below(n))?;
    Ok(free.along((start..n).chain(0..start), ranks))
}
