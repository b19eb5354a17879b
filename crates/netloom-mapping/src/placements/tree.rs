//! Endpoints around a root, in breadth-first order (Cui 2024 §3.2.2).

use netloom_model::{Bound, Fault, Network, Outcome, Param, Stream};

use super::{SEED, SWITCH};
use crate::free::{AVAILABLE, Free, start_switch};
use crate::row::PlacementRow;
use crate::{breadth_first, codes};

pub const ROW: PlacementRow = PlacementRow {
    name: "tree",
    aliases: &["hierarchical-tree", "breadth-first"],
    summary: "Endpoints in breadth-first order from a root switch; neighbours ascending, all endpoints of a switch \
              before the next switch.",
    params: &[Param::optional("root", SWITCH, "", "root switch; drawn from the seed if absent"), SEED, AVAILABLE],
    example: "tree(root=0)",
    restrictions: "the part of the network around the root has enough free endpoints",
    source: "Cui 2024 §3.2.2, figure 3.2",
    build,
};

/// O(switches + links).
fn build(network: &Network, ranks: u32, free: &Free, args: &Bound) -> Outcome<Vec<u32>> {
    let mut stream = Stream::new(args.int("seed") as u64, "placement tree");
    let root = start_switch(network, args, "root", |n| stream.below(n))?;
    let list = free.along(breadth_first::search(network, root).0, ranks);
    if list.len() < ranks as usize {
        let sentence = format!("the tree from switch {root} reaches {} free endpoints, {ranks} are needed", list.len());
        return Err(Fault::say(&codes::UNREACHED, network.label(), sentence)
            .hint("choose a root in another part of the network")
            .into());
    }
    Ok(list)
}
