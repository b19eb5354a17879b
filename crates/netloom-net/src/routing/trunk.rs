//! Distances where many switches only join two others, as a GPU does its NVLink switch and its leaf: such a switch counts as
//! a cable of two hops between these, and what is left is the trunk.

use std::sync::Arc;

use netloom_model::Network;

use super::distances::FAR;

/// Most rows from which that of a hub is taken.
const MOST_ENDS: usize = 32;

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
    /// Of switch `n` of the trunk: edges `edges[first[n]..first[n + 1]]`, each another one and the hops to it, 1 or 2.
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
            for &u in network.neighbours(s) {
                let Gate { ends: [a, b], hops } = gates[u as usize];
                edges.push((if a == own { b } else { a }, 1 + hops));
            }
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

    /// Distances to a switch of the trunk, breadth first. O(edges).
    pub fn search(&self, from: u32) -> Vec<u32> {
        let mut distance = vec![FAR; self.switches()];
        distance[from as usize] = 0;
        // Those at the distance at hand, and one and two hops farther.
        let mut waves = [vec![from], Vec::new(), Vec::new()];
        for hops in 0.. {
            let wave = std::mem::take(&mut waves[0]);
            for at in wave {
                // It may have been reached by fewer hops since.
                if distance[at as usize] < hops {
                    continue;
                }
                for &(to, more) in self.edges(at) {
                    if hops + more < distance[to as usize] {
                        distance[to as usize] = hops + more;
                        waves[more as usize].push(to);
                    }
                }
            }
            waves.rotate_left(1);
            if waves.iter().all(Vec::is_empty) {
                break;
            }
        }
        distance
    }
}
