//! A lower bound on every cut from a routing: what must cross it is known, and no link carries more than the most
//! loaded one.

use rayon::prelude::*;

use netloom_model::{Network, Progress};

/// Most link visits: some seconds.
const VISITS: u64 = 1 << 30;
/// Parts of the destinations whose loads are summed apart, always the same ones, so that threads change no rounding.
const PARTS: usize = 8;

/// Cables that every cut into halves must cross, `None` beyond [`VISITS`] or if disconnected.
///
/// Let every ordered pair of switches exchange one unit over shortest paths, each switch splitting what it forwards
/// equally among its next links. Then `⌈n/2⌉·⌊n/2⌋` units cross a cut each way, so it has at least that many over the
/// largest link load (the embedding argument of Leighton, Introduction to Parallel Algorithms and Architectures, 1992).
/// Exact for symmetric networks such as tori. O(switches · links).
pub fn congestion(network: &Network, progress: &Progress) -> Option<f64> {
    let n = u64::from(network.switches());
    let (all, links) = (vec![1; n as usize], vec![1.0; network.switch_links() as usize]);
    most_loaded(network, &all, &links, progress).map(|most| (n.div_ceil(2) * (n / 2)) as f64 / most)
}

/// Largest load of a link over its cost if each of `units` at a switch sends one unit to each of all others.
pub fn most_loaded(network: &Network, units: &[u64], cost: &[f64], progress: &Progress) -> Option<f64> {
    let n = u64::from(network.switches());
    if n < 2 || n * u64::from(network.switch_links()) > VISITS || !network.unreached().is_empty() {
        return None;
    }
    let destinations: Vec<u32> = (0..network.switches()).filter(|s| units[*s as usize] > 0).collect();
    let units: Vec<f64> = units.iter().map(|u| *u as f64).collect();
    let parts: Vec<Vec<f64>> = destinations
        .par_chunks(destinations.len().div_ceil(PARTS).max(1))
        .map(|part| {
            let mut scratch = CongestionScratch::new(network);
            for &destination in part {
                if progress.stopped() {
                    break;
                }
                scratch.add(network, destination, &units);
            }
            scratch.load
        })
        .collect();
    let loads = (0..network.switch_links() as usize).map(|link| parts.iter().map(|part| part[link]).sum::<f64>());
    Some(loads.zip(cost).map(|(load, cost)| load / cost).fold(0.0, f64::max))
}

struct CongestionScratch {
    /// Units over each link.
    load: Vec<f64>,
    distance: Vec<u32>,
    queue: Vec<u32>,
    /// Units that pass each switch.
    held: Vec<f64>,
}

impl CongestionScratch {
    fn new(network: &Network) -> CongestionScratch {
        let n = network.switches() as usize;
        let load = vec![0.0; network.switch_links() as usize];
        CongestionScratch { load, distance: vec![0; n], queue: Vec::with_capacity(n), held: vec![0.0; n] }
    }

    /// The units of all switches on their way to those of `destination`.
    fn add(&mut self, network: &Network, destination: u32, units: &[f64]) {
        self.distance.fill(u32::MAX);
        self.distance[destination as usize] = 0;
        self.queue.clear();
        self.queue.push(destination);
        let mut next = 0;
        while let Some(&at) = self.queue.get(next) {
            next += 1;
            for &u in network.neighbours(at) {
                if self.distance[u as usize] == u32::MAX {
                    self.distance[u as usize] = self.distance[at as usize] + 1;
                    self.queue.push(u);
                }
            }
        }
        let here = units[destination as usize];
        self.held.iter_mut().zip(units).for_each(|(held, unit)| *held = unit * here);
        for &at in self.queue[1..].iter().rev() {
            let nearer = self.distance[at as usize] - 1;
            let links = network.out_links(at).zip(network.neighbours(at));
            let onward = links.filter(|l| self.distance[*l.1 as usize] == nearer);
            let share = self.held[at as usize] / onward.clone().count() as f64;
            for (link, &head) in onward {
                self.load[link as usize] += share;
                self.held[head as usize] += share;
            }
        }
    }
}
