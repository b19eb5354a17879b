//! Halves of the switches of a part with little bandwidth between them: the machine cut as the ranks are.

use netloom_model::halves::{Aim, Graph, cut};
use netloom_model::{Network, Stream};

/// The fastest link counts as so many of the slowest at most.
const FASTEST: f64 = 1024.0;

/// Which switches are together so far. Those without slots (of a tree above its leaves) go where their links are.
pub struct Links<'n> {
    network: &'n Network,
    /// Per class: a link of the slowest counts 1.
    weights: Vec<i64>,
    part_of_switch: Vec<u32>,
    parts: Vec<Vec<u32>>,
    /// Vertex of a switch, if it is one.
    number: Vec<u32>,
}

impl<'n> Links<'n> {
    /// O(switches).
    pub fn new(network: &'n Network) -> Links<'n> {
        let rates = || network.classes().iter().map(|class| class.bandwidth_bytes_per_s);
        let slowest = rates().filter(|rate| rate.is_finite() && *rate > 0.0).fold(f64::INFINITY, f64::min);
        let weight =
            |rate: f64| if slowest.is_finite() { (rate / slowest).clamp(1.0, FASTEST).round() as i64 } else { 1 };
        let count = network.switches();
        Links {
            network,
            weights: rates().map(weight).collect(),
            part_of_switch: vec![0; count as usize],
            parts: vec![(0..count).collect()],
            number: vec![u32::MAX; count as usize],
        }
    }

    /// Which of the switches with slots are on the far side: switches and slots on each, ascending by switch. O(links of the part).
    pub fn halve(&mut self, slots: &[(u32, u32)], aim: Aim, stream: &mut Stream) -> Vec<bool> {
        // Several parts only where nodes on several switches were told apart first.
        let mut homes: Vec<u32> = slots.iter().map(|(switch, _)| self.part_of_switch[*switch as usize]).collect();
        homes.sort_unstable();
        homes.dedup();
        let all: Vec<u32> = homes.iter().flat_map(|home| self.parts[*home as usize].iter().copied()).collect();
        for (v, switch) in all.iter().enumerate() {
            self.number[*switch as usize] = v as u32;
        }
        let mut graph = Graph::default();
        for &switch in &all {
            let count = slots.binary_search_by_key(&switch, |own| own.0).map_or(0, |at| slots[at].1);
            graph.push(count, 0);
            for link in self.network.out_links(switch) {
                let to = self.number[self.network.heads()[link as usize] as usize];
                if to != u32::MAX {
                    graph.edge(to, self.weights[self.network.class_of()[link as usize] as usize]);
                }
            }
        }
        let far = cut(&graph, aim, stream);
        let sides = slots.iter().map(|(switch, _)| far[self.number[*switch as usize] as usize]).collect();
        for (&switch, &side) in all.iter().zip(&far) {
            self.number[switch as usize] = u32::MAX;
            self.part_of_switch[switch as usize] = self.parts.len() as u32 + u32::from(side);
        }
        for side in [false, true] {
            let own = all.iter().zip(&far).filter(|(_, far)| **far == side).map(|(switch, _)| *switch);
            self.parts.push(own.collect());
        }
        sides
    }
}
