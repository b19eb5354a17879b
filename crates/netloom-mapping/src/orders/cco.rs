//! Chain concatenation order (Kesavan and Panda, IEEE TPDS 12(8), 2001), as Cui 2024 §2.4.2 uses it.
//!
//! The sentence of Cui 2024, "constructs a breadth-first search tree with a source node as root, and visits a destination
//! node with an order based on the tree", is read as: the endpoints along a depth-first walk of the breadth-first tree
//! (children ascending). Every subtree is then one contiguous chain, so that the halves of a binomial broadcast use
//! disjoint parts of the tree, which is the purpose of the concatenated chains of the paper.

use netloom_model::{Bound, Fault, Kind, Network, Outcome, Param};

use crate::row::OrderRow;
use crate::{breadth_first, codes};

pub const ROW: OrderRow = OrderRow {
    name: "cco",
    aliases: &["chain-concatenation"],
    summary: "Depth-first walk of the breadth-first tree from the source: every subtree is one contiguous chain of ranks.",
    params: &[Param::optional(
        "source",
        Kind::Int { min: 0, max: (1 << 31) - 1 },
        "0",
        "position, among the placed endpoints, of the one whose switch is the root and which becomes rank 0",
    )],
    example: "cco(source=0)",
    restrictions: "all chosen endpoints are in one connected part",
    source: "Kesavan and Panda 2001, after Cui 2024 §2.4.2",
    build,
};

/// O(switches + links).
fn build(network: &Network, placed: &[u32], args: &Bound) -> Outcome<Vec<u32>> {
    let Some(&source) = placed.get(args.size("source") as usize) else {
        return Err(args.fault("source", format!("a position in 0..{} (exclusive)", placed.len())).into());
    };
    let root = network.endpoint_switch()[source as usize];
    let mut on_switch: Vec<Vec<u32>> = vec![Vec::new(); network.switches() as usize];
    for &endpoint in placed {
        on_switch[network.endpoint_switch()[endpoint as usize] as usize].push(endpoint);
    }
    on_switch[root as usize].sort_by_key(|&e| e != source);
    let order: Vec<u32> = walk(network, root).into_iter().flat_map(|s| on_switch[s as usize].clone()).collect();
    if order.len() < placed.len() {
        let sentence = format!("the tree from switch {root} reaches {} of {} endpoints", order.len(), placed.len());
        return Err(Fault::say(&codes::UNREACHED, network.label(), sentence).into());
    }
    Ok(order)
}

/// Switches in depth-first preorder of the breadth-first tree.
fn walk(network: &Network, root: u32) -> Vec<u32> {
    let (visited, parent) = breadth_first::search(network, root);
    let mut children: Vec<Vec<u32>> = vec![Vec::new(); network.switches() as usize];
    for &s in visited.iter().skip(1) {
        children[parent[s as usize] as usize].push(s);
    }
    let mut preorder = Vec::with_capacity(visited.len());
    let mut stack = vec![root];
    while let Some(at) = stack.pop() {
        preorder.push(at);
        stack.extend(children[at as usize].iter().rev());
    }
    preorder
}
