//! The levels of a fabric that was cabled as a tree.

use std::collections::VecDeque;

use netloom_model::Network;

/// The level of every switch, 0 for those with endpoints, if every cable joins a level and the next one. O(links).
pub fn levels(network: &Network) -> Option<Vec<u8>> {
    above(network, 1)
}

/// Levels as [`levels`] finds them, also where a few endpoints are on upper switches: only switches with half of the most endpoints are
/// then of level 0.
pub fn likely_levels(network: &Network) -> Option<Vec<u8>> {
    let most = (0..network.switches()).map(|s| network.endpoints_of(s).len()).max()?;
    levels(network).or_else(|| above(network, most.div_ceil(2)))
}

fn above(network: &Network, least: usize) -> Option<Vec<u8>> {
    let is_leaf = |s: &u32| network.endpoints_of(*s).len() >= least;
    let mut level = vec![u8::MAX; network.switches() as usize];
    let mut queue: VecDeque<u32> = (0..network.switches()).filter(is_leaf).collect();
    queue.iter().for_each(|s| level[*s as usize] = 0);
    while let Some(at) = queue.pop_front() {
        let next = level[at as usize].checked_add(1)?;
        for &other in network.neighbours(at) {
            if level[other as usize] == u8::MAX {
                level[other as usize] = next;
                queue.push_back(other);
            }
        }
    }
    let of = |s: &u32| level[*s as usize];
    let proper = network.tails().iter().zip(network.heads()).all(|(a, b)| of(a).abs_diff(of(b)) == 1);
    (proper && network.cables() > 0 && !level.contains(&u8::MAX)).then_some(level)
}
