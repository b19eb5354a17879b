//! Links of which every message has the whole bandwidth: packets cross them side by side, those of one message at its rate.

use netloom_model::fault::codes as model;
use netloom_model::{Fault, LinkClass, Network, Per};

use crate::picoseconds::PS_PER_S;

/// Whether a network has any.
#[derive(Clone, Copy)]
pub struct OwnLinks(bool);

impl OwnLinks {
    /// O(classes).
    pub fn of(network: &Network) -> OwnLinks {
        OwnLinks(network.classes_per(Per::Flow).next().is_some())
    }

    /// Picoseconds per byte at which a message leaves, because of the links of its endpoints; 0 where they set no rate.
    pub fn pace_ps(self, network: &Network, from: u32, to: u32) -> f64 {
        if !self.0 {
            return 0.0;
        }
        let ends = [network.injection_link(from), network.ejection_link(to)].map(|link| network.class(link));
        let own = ends.iter().filter(|class| class.per == Per::Flow);
        own.map(|class| PS_PER_S / class.bandwidth_bytes_per_s).fold(0.0, f64::max)
    }

    /// The fault of one between switches that is slower than what it may be sent: nothing holds a message's packets to its
    /// rate there. O(links) where there are any.
    pub fn refused(self, network: &Network) -> Option<Fault> {
        if !self.0 {
            return None;
        }
        let speed = |link: u32| network.class(link).bandwidth_bytes_per_s;
        let most = (0..network.endpoints()).map(|at| speed(network.injection_link(at))).fold(0.0, f64::max);
        let slow = |class: &&LinkClass| class.per == Per::Flow && class.bandwidth_bytes_per_s < most;
        let class = (0..network.switch_links()).map(|link| network.class(link)).find(slow)?;
        let sentence = format!(
            "cannot use it: links of class {} give every flow their whole bandwidth (FATPIPE), and endpoints send faster",
            class.name
        );
        Some(Fault::say(&model::BAD_VALUE, "network", sentence).hint("use the model of flows, which knows such links"))
    }
}
