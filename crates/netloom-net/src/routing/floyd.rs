//! Shortest paths with the ties of Floyd and Warshall's algorithm, as SimGrid's Floyd zones have them.

use netloom_model::fault::codes as model;
use netloom_model::{Fault, Network, Outcome, Step, Way};
use rayon::prelude::*;

use super::rule::Rule;

/// Most switches: some ten seconds, and 128 MB.
const MOST: u32 = 4096;
const FAR: u16 = u16::MAX;

/// By source and destination, the switch before the destination on the path from the source.
pub struct Floyd {
    switches: u32,
    before: Vec<u16>,
}

impl Floyd {
    /// Switch by switch, in the order of their numbers, becomes a place to pass; a path is replaced by a shorter one only,
    /// so that of equal ones the first stays. O(switches³), 4 · switches² bytes.
    ///
    /// # Errors
    /// `NL-A009` beyond 4,096 switches.
    pub fn new(network: &Network) -> Outcome<Floyd> {
        let n = network.switches();
        if n > MOST {
            let sentence = format!("ties by Floyd's algorithm of {n} switches exceed {MOST}");
            return Err(Fault::say(&model::TOO_LARGE, network.label(), sentence).hint("use tie=lowest").into());
        }
        let size = n as usize;
        let (mut cost, mut before) = (vec![FAR; size * size], vec![0u16; size * size]);
        for from in 0..n {
            cost[from as usize * size + from as usize] = 0;
            for &to in network.neighbours(from) {
                cost[from as usize * size + to as usize] = 1;
                before[from as usize * size + to as usize] = from as u16;
            }
        }
        for pass in 0..size {
            let (through, last) = (cost[pass * size..][..size].to_vec(), before[pass * size..][..size].to_vec());
            cost.par_chunks_mut(size.max(1)).zip(before.par_chunks_mut(size.max(1))).for_each(|(cost, before)| {
                let there = cost[pass];
                if there == FAR || there == 0 {
                    return;
                }
                for to in 0..size {
                    let over = there.saturating_add(through[to]);
                    if over < cost[to] {
                        cost[to] = over;
                        before[to] = last[to];
                    }
                }
            });
        }
        Ok(Floyd { switches: n, before })
    }
}

impl Rule for Floyd {
    fn way<'a>(&'a self, network: &'a Network, destination: u32) -> Box<dyn Way + 'a> {
        Box::new(FloydWay { rule: self, network, destination })
    }
    fn places_per_switch(&self) -> u32 {
        self.switches
    }
    fn virtual_channels(&self) -> u8 {
        1
    }
    fn is_deterministic(&self) -> bool {
        true
    }
}

/// Place `source · switches + at`: a path need not end as the path of a switch on it.
struct FloydWay<'a> {
    rule: &'a Floyd,
    network: &'a Network,
    destination: u32,
}

impl FloydWay<'_> {
    /// The switch after `at`, and the hops from `at` on, found from the destination backwards.
    fn after(&self, place: u64) -> (u32, u32) {
        let n = u64::from(self.rule.switches);
        let (source, at) = (place / n, (place % n) as u32);
        let row = &self.rule.before[(source * n) as usize..((source + 1) * n) as usize];
        let (mut next, mut hops) = (self.destination, 0);
        let mut back = self.destination;
        while back != at && hops < self.rule.switches {
            (next, back) = (back, u32::from(row[back as usize]));
            hops += 1;
        }
        (next, hops)
    }
}

impl Way for FloydWay<'_> {
    fn starts(&self, source: u32, out: &mut Vec<u64>) {
        out.push(u64::from(source) * u64::from(self.rule.switches) + u64::from(source));
    }

    fn steps(&self, place: u64, out: &mut Vec<Step>) {
        let n = u64::from(self.rule.switches);
        let at = (place % n) as u32;
        if at == self.destination {
            return;
        }
        let next = self.after(place).0;
        let link = self.network.out_links(at).find(|link| self.network.heads()[*link as usize] == next);
        out.extend(link.map(|link| Step { link, channel: 0, place: place - u64::from(at) + u64::from(next) }));
    }

    fn remaining(&self, place: u64) -> u32 {
        self.after(place).1
    }
}
