//! Where the ranks of a job are, seen from the switches.

use netloom_model::{Network, Routing, destination};

/// Ranks by switch.
pub struct Places {
    pub switch_of_rank: Vec<u32>,
    /// The destination for the routing, if it is not the switch.
    destination_of_rank: Option<Vec<u32>>,
    /// Row starts in `ranks`, switches + 1 long.
    offsets: Vec<u32>,
    ranks: Vec<u32>,
    /// Switches with ranks, ascending.
    pub switches: Vec<u32>,
}

impl Places {
    /// O(ranks + switches).
    pub fn new(network: &Network, endpoint_of_rank: &[u32], routing: &dyn Routing) -> Places {
        let switch_of_rank: Vec<u32> =
            endpoint_of_rank.iter().map(|&e| network.endpoint_switch()[e as usize]).collect();
        let mut offsets = vec![0u32; network.switches() as usize + 1];
        for &s in &switch_of_rank {
            offsets[s as usize + 1] += 1;
        }
        for i in 1..offsets.len() {
            offsets[i] += offsets[i - 1];
        }
        let mut next = offsets.clone();
        let mut ranks = vec![0u32; switch_of_rank.len()];
        for (rank, &s) in switch_of_rank.iter().enumerate() {
            ranks[next[s as usize] as usize] = rank as u32;
            next[s as usize] += 1;
        }
        let switches = (0..network.switches()).filter(|&s| offsets[s as usize] < offsets[s as usize + 1]).collect();
        let by_endpoint = || endpoint_of_rank.iter().map(|&e| destination(routing, network, e)).collect();
        let destination_of_rank = routing.by_endpoint().then(by_endpoint);
        Places { switch_of_rank, destination_of_rank, offsets, ranks, switches }
    }

    /// The destination of messages to each rank, as the routing takes it: the key by which they are merged.
    pub fn destinations(&self) -> &[u32] {
        self.destination_of_rank.as_ref().unwrap_or(&self.switch_of_rank)
    }

    /// Ranks on `switch`, ascending.
    pub fn on(&self, switch: u32) -> &[u32] {
        &self.ranks[self.offsets[switch as usize] as usize..self.offsets[switch as usize + 1] as usize]
    }
}
