//! Resources of a flow of a set: its links, once each.

use crate::flows::{FlowSet, route};
use crate::fluid::Fluid;
use crate::max_min::Use;
use netloom_model::machine::{Sharing, window_cap};

/// Resources of flows. Only links that a flow uses become resources, in the order of their first use: links used at the
/// same time are close in memory, and unused links cost nothing.
pub struct Ways {
    /// By link, its resource plus 1; 0 for none yet.
    numbers: Vec<u32>,
    /// By resource, the last flow that uses it, and its position in the list.
    seen: Vec<(u32, u32)>,
    /// The resources of one flow.
    uses: Vec<Use>,
}

impl Ways {
    /// No resources yet.
    pub fn new(set: &FlowSet<'_>) -> Ways {
        Ways { numbers: vec![0; set.bandwidth_bytes_per_s.len()], seen: Vec::new(), uses: Vec::new() }
    }

    /// Those of the flow of the last call.
    pub fn uses(&self) -> &[Use] {
        &self.uses
    }

    /// Finds the resources of a flow; returns its weight and its cap.
    pub fn find(&mut self, set: &FlowSet<'_>, flow: u32, fluid: &mut Fluid) -> (f64, f64) {
        let at = flow as usize;
        let (mut latency, mut inverse) = (0.0, 0.0);
        let mut cap = set.cap_bytes_per_s.get(at).copied().unwrap_or(f64::INFINITY);
        let is_fat = |link: u32| set.fat.get(link as usize).copied().unwrap_or(false);
        let asks_for_inverse = matches!(set.sharing, Sharing::Smpi { .. });
        self.uses.clear();
        for &link in route(set.offsets, set.links, at) {
            let bandwidth = set.bandwidth_bytes_per_s[link as usize];
            latency += set.latency_s[link as usize];
            if asks_for_inverse {
                inverse += 1.0 / bandwidth;
            }
            if is_fat(link) {
                cap = cap.min(bandwidth);
            } else {
                self.add(flow, link, 1.0, bandwidth, fluid);
            }
        }
        if set.cross_traffic > 0.0 && !set.reverse.0.is_empty() {
            for &link in route(set.reverse.0, set.reverse.1, at).iter().filter(|&&link| !is_fat(link)) {
                self.add(flow, link, set.cross_traffic, set.bandwidth_bytes_per_s[link as usize], fluid);
            }
        }
        let weight = set.sharing.weight(latency, inverse) * set.weight.get(at).copied().unwrap_or(1.0);
        (weight, cap.min(window_cap(set.tcp_window_bytes, latency)))
    }

    /// A repeated link gets a larger coefficient, not a second entry.
    #[inline]
    fn add(&mut self, flow: u32, link: u32, coefficient: f64, bandwidth: f64, fluid: &mut Fluid) {
        let number = &mut self.numbers[link as usize];
        if *number == 0 {
            *number = fluid.add_resource(bandwidth) + 1;
            self.seen.push((u32::MAX, 0));
        }
        let resource = *number - 1;
        let seen = &mut self.seen[resource as usize];
        if seen.0 == flow {
            self.uses[seen.1 as usize].coefficient += coefficient;
        } else {
            *seen = (flow, self.uses.len() as u32);
            self.uses.push(Use { resource, coefficient });
        }
    }
}

/// Adds to the use of a resource; a resource is in the list once.
pub fn use_more(uses: &mut Vec<Use>, resource: u32, coefficient: f64) {
    match uses.iter_mut().find(|u| u.resource == resource) {
        Some(there) => there.coefficient += coefficient,
        None => uses.push(Use { resource, coefficient }),
    }
}
