//! One shortest path per destination endpoint, spread over equal links by the destination's number.

use netloom_model::{Network, Step, Way};

use super::distances::{DistanceRow, Distances, FAR};
use super::rule::Rule;

/// Among the links that lead nearer, those of the first class, such as NVLink before a rail; among these the one of the
/// destination's number modulo their count. So every destination has one path from each switch, without tables.
pub struct Spread {
    distances: Distances,
    /// Switches without endpoints take the number over this: their destinations come in steps of it.
    stride: u32,
}

impl Spread {
    pub fn new(network: &Network, distances: Distances) -> Spread {
        let most = (0..network.switches()).map(|s| network.endpoints_of(s).len()).max().unwrap_or(1);
        // On a rail every node has one endpoint.
        let linked = network.hosts().filter(|hosts| hosts.are_linked());
        let stride = linked.map_or(most.max(1) as u32, |hosts| hosts.extremes().1);
        Spread { distances, stride }
    }
}

impl Rule for Spread {
    fn way<'a>(&'a self, network: &'a Network, destination: u32) -> Box<dyn Way + 'a> {
        let endpoint = destination.checked_sub(network.switches());
        let switch = endpoint.map_or(destination, |endpoint| network.endpoint_switch()[endpoint as usize]);
        // Packets to a switch are routed as those to its first endpoint.
        let number = endpoint.or_else(|| network.endpoints_of(switch).first().copied()).unwrap_or(switch);
        Box::new(SpreadWay { network, number, stride: self.stride, row: self.distances.to(switch) })
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
    fn by_endpoint(&self) -> bool {
        true
    }
}

/// A place is a switch.
struct SpreadWay<'a> {
    network: &'a Network,
    number: u32,
    stride: u32,
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
        let leaf = !network.endpoints_of(at).is_empty();
        let number = if leaf { self.number } else { self.number / self.stride };
        if let Some(nth) = (number as usize).checked_rem(out.len() - before) {
            out.swap(before, before + nth);
            out.truncate(before + 1);
        }
    }
    fn remaining(&self, place: u64) -> u32 {
        self.row.get(place as u32)
    }
}
