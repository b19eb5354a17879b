//! A packet that meets no other: when its head and its tail are where.

use netloom_model::Network;

use super::queued;
use super::wires::Wires;
use crate::picoseconds::whole;

/// How long links take a packet on their own, by the definition of a switch model.
pub enum Lone<'a> {
    /// Cycles: a head takes one per link and its wire, and waits for nobody; a tail leaves when all of it has come.
    CutThrough { network: &'a Network, settings: queued::Settings, wires: Wires },
    /// Cycles: `router` from a head's arrival to its leaving; a flit is read a cycle after the latency of its link.
    Wormhole { network: &'a Network, router: u64, flits: u64, wires: Wires },
    /// Picoseconds; `cut_through`: a head goes on before its tail has come.
    Output { network: &'a Network, bytes: f64, cut_through: bool, cycle_ps: f64 },
}

/// Share of a cycle by which whole picoseconds may be late.
pub const ROUNDING: f64 = 1e-3;

impl Lone<'_> {
    /// When head and tail are behind the injection link.
    pub fn injected(&self) -> (u64, u64) {
        match self {
            Lone::CutThrough { settings, wires, .. } => {
                let delay = 1 + u64::from(wires.injection);
                (delay, delay + u64::from(settings.packet_phits))
            }
            Lone::Wormhole { flits, wires, .. } => {
                let head = read(wires.injection);
                (head, head + flits - 1)
            }
            Lone::Output { network, .. } => self.cross(network.injection_link(0), 0, 0),
        }
    }

    /// When they are behind one more link between switches.
    pub fn crossed(&self, link: u32, head: u64, tail: u64) -> (u64, u64) {
        match self {
            Lone::CutThrough { network, settings, wires } => {
                let cycles = u64::from(settings.cycles(network, network.class(link).bandwidth_bytes_per_s));
                let delay = 1 + u64::from(wires.between(network, link));
                (head + delay, tail.max(head + cycles) + delay)
            }
            Lone::Wormhole { network, router, wires, .. } => {
                let took = router + read(wires.between(network, link));
                (head + took, tail + took)
            }
            Lone::Output { .. } => self.cross(link, head, tail),
        }
    }

    /// Cycles until the tail is behind the ejection link.
    pub fn arrived(&self, head: u64, tail: u64) -> f64 {
        match self {
            Lone::CutThrough { settings, wires, .. } => {
                (tail.max(head + u64::from(settings.packet_phits)) + u64::from(wires.ejection)) as f64
            }
            Lone::Wormhole { router, wires, .. } => (tail + router + read(wires.ejection)) as f64,
            Lone::Output { network, cycle_ps, .. } => {
                let (_, tail) = self.cross(network.ejection_link(0), head, tail);
                (tail as f64 / cycle_ps - ROUNDING).ceil()
            }
        }
    }

    fn cross(&self, link: u32, head: u64, tail: u64) -> (u64, u64) {
        let Lone::Output { network, bytes, cut_through, .. } = self else { return (head, tail) };
        let class = network.class(link);
        let (took, latency) = (whole(bytes * (1e12 / class.bandwidth_bytes_per_s)), whole(class.latency_s * 1e12));
        let end = tail.max(head + took);
        (if *cut_through { head } else { end } + latency, end + latency)
    }
}

/// Cycles from sending a flit over a wire to reading it.
fn read(wire: u32) -> u64 {
    u64::from(wire.max(1)) + 1
}
