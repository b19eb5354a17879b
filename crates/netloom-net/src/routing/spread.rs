//! One shortest path per destination endpoint, spread over equal links by the destination's number.

use netloom_model::{Network, Step, Way};

use super::distances::{DistanceRow, Distances, FAR};
use super::rule::{Rule, end_of};

/// Among the links that lead nearer, those of the first class, such as NVLink before a rail; among these the one of the
/// destination's number modulo their count. So every destination has one path from each switch, without tables.
pub struct Spread {
    distances: Distances,
    /// Endpoints of a switch, or of a node of linked ones: numbers of nodes come in steps of it.
    stride: u32,
    /// What the number of a node is divided by, by the hops between a switch and the next one with endpoints: the switches
    /// below it have chosen by the rest.
    steps: Vec<u32>,
    /// These hops of each switch.
    tiers: Vec<u8>,
}

impl Spread {
    pub fn new(network: &Network, distances: Distances) -> Spread {
        let most = (0..network.switches()).map(|s| network.endpoints_of(s).len()).max().unwrap_or(1);
        // On a rail every node has one endpoint.
        let linked = network.hosts().filter(|hosts| hosts.are_linked());
        let stride = linked.map_or(most.max(1) as u32, |hosts| hosts.extremes().1);
        let tiers = tiers(network);
        let mut steps: Vec<u32> = vec![1, 1];
        for tier in 1..tiers.iter().copied().max().unwrap_or(0) {
            let up =
                |at: u32| network.out_links(at).filter(|link| tiers[network.heads()[*link as usize] as usize] > tier);
            let own = (0..network.switches()).filter(|at| tiers[*at as usize] == tier);
            let choices = own.map(|at| up(at).count() as u32).max().unwrap_or(1).max(1);
            steps.push(steps[usize::from(tier)].saturating_mul(choices));
        }
        Spread { distances, stride, steps, tiers }
    }
}

impl Spread {
    /// The number by which a switch chooses among these steps to a destination: upwards what the switches below have left,
    /// downwards what tells the nodes of a switch apart.
    fn number(&self, at: u32, destination: u32, steps: &[Step]) -> u32 {
        let tier = usize::from(self.tiers[at as usize]);
        let (node, own) = (destination / self.stride, destination % self.stride);
        let upwards = steps.iter().any(|step| usize::from(self.tiers[step.place as usize]) > tier);
        let step = |tier: usize| self.steps.get(tier).copied().unwrap_or(1);
        let left = |tier: usize| match step(tier) {
            // Nobody has chosen yet.
            1 => node,
            step => (node / step).wrapping_mul(self.stride).wrapping_add(own),
        };
        let cables = steps.windows(2).all(|pair| pair[0].place == pair[1].place);
        match (tier, upwards) {
            (0, _) => destination,
            (1, _) | (2, false) => node,
            (_, true) => left(tier),
            // Cables of a core to one spine, by what the spines chose by; of several, the spine that a leaf would take.
            (_, false) if cables => left(tier - 1),
            (_, false) => node / (step(tier - 1) / steps.len().max(1) as u32).max(1),
        }
    }
}

/// Hops between each switch and the next one with endpoints, at most 255. O(switches + links).
fn tiers(network: &Network) -> Vec<u8> {
    let switches = network.switches();
    let mut tiers = vec![u8::MAX; switches as usize];
    let mut now: Vec<u32> = (0..switches).filter(|at| !network.endpoints_of(*at).is_empty()).collect();
    let mut tier = 0;
    while !now.is_empty() {
        now.iter().for_each(|at| tiers[*at as usize] = tier);
        tier = tier.saturating_add(1);
        let next = now.iter().flat_map(|at| network.out_links(*at)).map(|link| network.heads()[link as usize]);
        let mut next: Vec<u32> = next.filter(|at| tiers[*at as usize] == u8::MAX).collect();
        next.sort_unstable();
        next.dedup();
        now = if tier < u8::MAX { next } else { Vec::new() };
    }
    tiers
}

impl Rule for Spread {
    fn way<'a>(&'a self, network: &'a Network, destination: u32) -> Box<dyn Way + 'a> {
        let (switch, endpoint) = end_of(network, destination, true);
        let number = endpoint.unwrap_or(switch);
        Box::new(SpreadWay { network, number, spread: self, row: self.distances.to(switch) })
    }
    fn places_per_switch(&self) -> u32 {
        1
    }
    fn virtual_channels(&self) -> u8 {
        1
    }
    fn is_deterministic(&self) -> bool {
        true
    }
    fn is_searched(&self) -> bool {
        self.distances.is_searched()
    }
    fn by_endpoint(&self) -> bool {
        true
    }
}

/// A place is a switch.
struct SpreadWay<'a> {
    network: &'a Network,
    number: u32,
    spread: &'a Spread,
    row: DistanceRow<'a>,
}

impl Way for SpreadWay<'_> {
    fn starts(&self, source: u32, out: &mut Vec<u64>) {
        out.extend((self.row.get(source) != FAR).then_some(u64::from(source)));
    }
    fn steps(&self, place: u64, out: &mut Vec<Step>) {
        let (at, network) = (place as u32, self.network);
        let distance = self.row.get(at);
        if distance == FAR {
            return;
        }
        // Those that lead nearer, of the first class.
        let (before, mut first) = (out.len(), u16::MAX);
        for link in network.out_links(at) {
            let (next, class) = (network.heads()[link as usize], network.class_of()[link as usize]);
            if class > first || self.row.get(next).saturating_add(1) != distance {
                continue;
            }
            if class < first {
                out.truncate(before);
                first = class;
            }
            out.push(Step { link, channel: 0, place: next.into() });
        }
        let number = self.spread.number(at, self.number, &out[before..]);
        if let Some(nth) = (number as usize).checked_rem(out.len() - before) {
            out.swap(before, before + nth);
            out.truncate(before + 1);
        }
    }
    fn remaining(&self, place: u64) -> u32 {
        self.row.get(place as u32)
    }
}
