//! Cycles that heads are on the wires of a network, beyond those that a switch model has of its own.

use netloom_model::{LinkClass, Network};

/// Delays of each class of links between switches, and of the links of endpoints, in cycles.
#[derive(Clone, Debug, PartialEq)]
pub struct Wires {
    classes: Vec<u32>,
    pub injection: u32,
    pub ejection: u32,
}

/// How long a cycle takes, and a switch that a message passes.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    pub switch_latency_s: f64,
    pub cycle_s: f64,
}

/// Longest delay: what a latency of a second takes at 4 Tbit/s.
const LONGEST: f64 = (1u64 << 31) as f64;

impl Wires {
    /// Of a model that counts cycles of its own on links between switches, by the name of their class, whatever the network
    /// says.
    pub fn named(network: &Network, between: impl Fn(&str) -> u32) -> Wires {
        let classes = network.classes().iter().map(|class| between(&class.name)).collect();
        Wires { classes, injection: 0, ejection: 0 }
    }

    /// The latencies of a network's links, each as the nearest number of cycles, and the time through each switch with the link
    /// that leads to it. `between` is in place of the latency of a class of links between switches, if somebody gave it.
    pub fn of(
        network: &Network,
        Clock { switch_latency_s, cycle_s }: Clock,
        between: impl Fn(&str) -> Option<u32>,
    ) -> Wires {
        let cycles = |latency_s: f64| (latency_s / cycle_s).round().min(LONGEST) as u32;
        let class = |class: &LinkClass| match between(&class.name) {
            Some(given) => given.saturating_add(cycles(switch_latency_s)),
            None => cycles(class.latency_s + switch_latency_s),
        };
        let ends = network.endpoint_class().latency_s;
        Wires {
            classes: network.classes().iter().map(class).collect(),
            injection: cycles(ends + switch_latency_s),
            ejection: cycles(ends),
        }
    }

    /// Of a directed link between switches.
    #[inline]
    pub fn between(&self, network: &Network, link: u32) -> u32 {
        network.class_of().get(link as usize).map_or(0, |class| self.classes[usize::from(*class)])
    }

    /// Of any link whose packets a buffer takes: one between switches, or of injection.
    #[inline]
    pub fn into_buffer(&self, network: &Network, link: u32) -> u32 {
        if link < network.switch_links() { self.between(network, link) } else { self.injection }
    }

    pub fn longest(&self) -> u32 {
        self.classes.iter().copied().chain([self.injection, self.ejection]).max().unwrap_or(0)
    }
}
