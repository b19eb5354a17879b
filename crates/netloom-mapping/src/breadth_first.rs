//! Breadth-first search that visits neighbours in ascending order.

use netloom_model::Network;

/// Switches in the order of the visit, and the parent of each switch (`u32::MAX` for the root and switches that are not reached).
/// O(switches + links).
pub fn search(network: &Network, root: u32) -> (Vec<u32>, Vec<u32>) {
    let n = network.switches() as usize;
    let mut parent = vec![u32::MAX; n];
    let mut seen = vec![false; n];
    let mut visited = Vec::with_capacity(n);
    seen[root as usize] = true;
    visited.push(root);
    let mut next = 0;
    while let Some(&at) = visited.get(next) {
        next += 1;
        for &to in network.neighbours(at) {
            if !seen[to as usize] {
                seen[to as usize] = true;
                parent[to as usize] = at;
                visited.push(to);
            }
        }
    }
    (visited, parent)
}
