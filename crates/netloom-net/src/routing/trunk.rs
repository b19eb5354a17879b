//! Distances where many switches only join two others, as a GPU does its NVLink switch and its leaf: such a switch counts as
//! a cable of two hops between these, and what is left is the trunk.

use std::sync::Arc;

use netloom_model::Network;

use super::distances::FAR;

/// Most rows from which that of a hub is taken.
const MOST_ENDS: usize = 32;
/// Edges that are left, for each of the wave, from which on those not reached look for the wave and not the other way round.
const LEFT: usize = 2;

/// Where a switch joins the trunk.
#[derive(Clone, Copy, Debug, Default)]
pub struct Gate {
    /// Numbers in the trunk: twice the same for a switch of the trunk.
    pub ends: [u32; 2],
    /// To these: 1 for a switch between two others, else 0.
    pub hops: u32,
}

/// The switches of a network that do not only join two others.
#[derive(Debug, Default)]
pub struct Trunk {
    /// Of each switch.
    gates: Vec<Gate>,
    /// Of switch `n` of the trunk: edges `edges[first[n]..first[n + 1]]`, each another one and the hops to it, 1, then 2.
    first: Vec<u32>,
    edges: Vec<(u32, u32)>,
}

impl Trunk {
    /// O(links).
    pub fn of(network: &Network) -> Trunk {
        let switches = 0..network.switches();
        let joins = |s: u32| matches!(network.neighbours(s), [a, b] if a != b);
        let between = |s: u32| joins(s) && network.neighbours(s).iter().all(|u| !joins(*u));
        let mut number = vec![u32::MAX; network.switches() as usize];
        let members: Vec<u32> = switches.clone().filter(|s| !between(*s)).collect();
        (0..).zip(&members).for_each(|(new, s)| number[*s as usize] = new);
        let gate = |s: u32| match (number[s as usize], network.neighbours(s)) {
            (u32::MAX, &[a, b]) => Gate { ends: [number[a as usize], number[b as usize]], hops: 1 },
            (own, _) => Gate { ends: [own; 2], hops: 0 },
        };
        let gates: Vec<Gate> = switches.map(gate).collect();
        let (mut first, mut edges) = (vec![0], Vec::new());
        for (own, &s) in (0..).zip(&members) {
            let before = edges.len();
            for &u in network.neighbours(s) {
                let Gate { ends: [a, b], hops } = gates[u as usize];
                edges.push((if a == own { b } else { a }, 1 + hops));
            }
            edges[before..].sort_by_key(|(_, hops)| *hops);
            first.push(edges.len() as u32);
        }
        Trunk { gates, first, edges }
    }

    #[inline]
    pub fn gate(&self, switch: u32) -> Gate {
        self.gates[switch as usize]
    }

    fn switches(&self) -> usize {
        self.first.len() - 1
    }

    fn edges(&self, own: u32) -> &[(u32, u32)] {
        &self.edges[self.first[own as usize] as usize..self.first[own as usize + 1] as usize]
    }

    /// True for a switch that reaches others only by switches with more cables, each by way of one between them, such as the
    /// NVLink switch of a node: its distances are two more than the least of theirs.
    pub fn is_hub(&self, own: u32) -> bool {
        let edges = self.edges(own);
        edges.len() <= MOST_ENDS && edges.iter().all(|(to, hops)| *hops == 2 && self.edges(*to).len() > edges.len())
    }

    /// Distances to a hub, from those to its ends. O(switches of the trunk · ends).
    pub fn of_hub(&self, hub: u32, mut row: impl FnMut(u32) -> Arc<[u32]>) -> Vec<u32> {
        let mut made = vec![FAR; self.switches()];
        for (end, _) in self.edges(hub) {
            made.iter_mut().zip(row(*end).iter()).for_each(|(own, there)| *own = (*own).min(*there));
        }
        made.iter_mut().for_each(|own| *own = own.saturating_add(2));
        made[hub as usize] = 0;
        made
    }

    /// Distances to a switch of the trunk, breadth first: from the wave to those not reached, or from those to the wave where
    /// few are left (Beamer et al. 2012). O(edges), where most are as far as possible a part of it.
    pub fn search(&self, from: u32) -> Vec<u32> {
        let mut distance = vec![FAR; self.switches()];
        distance[from as usize] = 0;
        // Those one hop and two hops nearer than those that are looked for.
        let (mut last, mut before) = (vec![from], Vec::new());
        let count = |wave: &[u32]| wave.iter().map(|own| self.edges(*own).len()).sum::<usize>();
        let mut left: Option<Vec<u32>> = None;
        let mut edges_left = self.edges.len() - count(&last);
        for hops in 1.. {
            let wave = if edges_left > LEFT * (count(&last) + count(&before)) {
                self.forward(hops, [&last, &before], &mut distance)
            } else {
                let left = left.get_or_insert_with(|| (0..self.switches() as u32).collect());
                self.back(hops, left, &mut distance)
            };
            edges_left -= count(&wave);
            before = std::mem::replace(&mut last, wave);
            if edges_left == 0 || (last.is_empty() && before.is_empty()) {
                break;
            }
        }
        distance
    }

    /// Those at `hops`, from those one hop and two hops nearer.
    fn forward(&self, hops: u32, waves: [&[u32]; 2], distance: &mut [u32]) -> Vec<u32> {
        let mut found = Vec::new();
        for (more, wave) in (1..).zip(waves) {
            for &at in wave {
                let edges = self.edges(at);
                let ones = edges.partition_point(|(_, hops)| *hops == 1);
                for &(to, _) in if more == 1 { &edges[..ones] } else { &edges[ones..] } {
                    if distance[to as usize] == FAR {
                        distance[to as usize] = hops;
                        found.push(to);
                    }
                }
            }
        }
        found
    }

    /// The same, from those that are left, of which the reached ones are taken out.
    fn back(&self, hops: u32, left: &mut Vec<u32>, distance: &mut [u32]) -> Vec<u32> {
        let mut found = Vec::new();
        left.retain(|&own| {
            let is_next = |&(to, more): &(u32, u32)| more <= hops && distance[to as usize] == hops - more;
            let is_reached = distance[own as usize] != FAR;
            if !is_reached && self.edges(own).iter().any(is_next) {
                distance[own as usize] = hops;
                found.push(own);
                return false;
            }
            !is_reached
        });
        found
    }
}
