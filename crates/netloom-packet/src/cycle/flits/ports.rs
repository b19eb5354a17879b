//! Ports of switches and endpoints, numbered so that what a switch needs lies together.

use netloom_model::Network;

use crate::cycle::wires::Wires;

/// Port `base[s] + i` of switch `s` is its `i`-th neighbour's, then its endpoints'; both directions have the same number.
/// From [`Ports::switch_ports`] on, port `switch_ports + e` is that of endpoint `e` itself.
pub struct Ports {
    base: Vec<u32>,
    /// Port at the other end.
    peer: Vec<u32>,
    /// Directed link that leaves by a port.
    link: Vec<u32>,
    /// Directed link that enters by a port of a switch.
    entering: Vec<u32>,
    /// Switch of a port.
    switch: Vec<u32>,
    /// Port by which each directed link between switches leaves.
    of_link: Vec<u32>,
    /// Port of the switch that each endpoint is at.
    of_endpoint: Vec<u32>,
    /// Cycles from sending to receiving, both ways.
    delay: Vec<u32>,
}

impl Ports {
    /// Over wires of 0 cycles, and of 1, a flit takes 2: a channel of latency 1 is read two cycles after it was written.
    pub fn new(network: &Network, wires: &Wires) -> Ports {
        let delay = |wire: u32| wire.max(1) + 1;
        let (switches, endpoints) = (network.switches(), network.endpoints());
        let ports = (network.switch_links() + endpoints) as usize;
        let mut made = Ports {
            base: vec![0],
            peer: vec![0; ports],
            link: Vec::with_capacity(ports),
            entering: Vec::new(),
            switch: Vec::with_capacity(ports),
            of_link: vec![0; network.switch_links() as usize],
            of_endpoint: vec![0; endpoints as usize],
            delay: Vec::with_capacity(ports),
        };
        for switch in 0..switches {
            for link in network.out_links(switch) {
                made.of_link[link as usize] = made.link.len() as u32;
                made.add(switch, link, delay(wires.between(network, link)));
            }
            for &endpoint in network.endpoints_of(switch) {
                let port = made.link.len();
                made.of_endpoint[endpoint as usize] = port as u32;
                made.peer[port] = ports as u32 + endpoint;
                made.add(switch, network.ejection_link(endpoint), delay(wires.ejection));
            }
            made.base.push(made.link.len() as u32);
        }
        for (link, &back) in network.reverse().iter().enumerate() {
            made.peer[made.of_link[link] as usize] = made.of_link[back as usize];
        }
        for endpoint in 0..endpoints {
            made.peer.push(made.of_endpoint[endpoint as usize]);
            made.add(switches + endpoint, network.injection_link(endpoint), delay(wires.injection));
        }
        made.entering = made.peer[..ports].iter().map(|peer| made.link[*peer as usize]).collect();
        made
    }

    fn add(&mut self, switch: u32, link: u32, delay: u32) {
        self.link.push(link);
        self.switch.push(switch);
        self.delay.push(delay);
    }

    /// Ports of switches.
    pub fn switch_ports(&self) -> u32 {
        self.base.last().copied().unwrap_or(0)
    }

    /// Ports of switches and endpoints.
    pub fn all(&self) -> u32 {
        self.link.len() as u32
    }

    #[inline]
    pub fn of(&self, switch: u32) -> std::ops::Range<u32> {
        self.base[switch as usize]..self.base[switch as usize + 1]
    }

    #[inline]
    pub fn peer(&self, port: u32) -> u32 {
        self.peer[port as usize]
    }

    #[inline]
    pub fn link(&self, port: u32) -> u32 {
        self.link[port as usize]
    }

    #[inline]
    pub fn entering(&self, port: u32) -> u32 {
        self.entering[port as usize]
    }

    /// Switch of a port; for ports of endpoints the number of switches plus the endpoint.
    #[inline]
    pub fn place(&self, port: u32) -> u32 {
        self.switch[port as usize]
    }

    #[inline]
    pub fn of_link(&self, link: u32) -> u32 {
        self.of_link[link as usize]
    }

    #[inline]
    pub fn of_endpoint(&self, endpoint: u32) -> u32 {
        self.of_endpoint[endpoint as usize]
    }

    #[inline]
    pub fn delay(&self, port: u32) -> u64 {
        self.delay[port as usize].into()
    }

    pub fn longest_delay(&self) -> u64 {
        self.delay.iter().copied().max().unwrap_or(1).into()
    }
}
