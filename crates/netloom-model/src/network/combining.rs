//! Switches that take part in collectives: each has an endpoint of its own for that, as InfiniBand switches have an
//! aggregation node.

use std::sync::Arc;

use super::{Combiners, LIMIT, LinkClass, Network, Per};
use crate::fault::{Fault, Outcome, codes};

impl Network {
    /// The same network with one more endpoint inside each of these switches, in their order, as fast as all links of the
    /// fastest of them together and without latency, so that only these links bound what it takes in and gives out.
    /// Inside a node, a switch belongs to the node's host. O(endpoints log endpoints).
    ///
    /// # Errors
    /// `NL-A009` beyond 2^31 links.
    pub fn with_combining(&self, switches: &[u32]) -> Outcome<Network> {
        let endpoints = self.endpoints() as usize + switches.len();
        if u64::from(self.switch_links()) + 2 * endpoints as u64 > LIMIT {
            let sentence = format!("{} more endpoints exceed 2^31 links", switches.len());
            return Err(Fault::say(&codes::TOO_LARGE, &self.label, sentence).into());
        }
        let endpoint_switch: Vec<u32> = self.endpoint_switch.iter().chain(switches).copied().collect();
        let (endpoint_offsets, endpoint_order) = super::endpoints_by_switch(&endpoint_switch, self.switches() as usize);
        let inside = |switch: &u32| format!("inside {}", self.switch_name(*switch));
        let endpoint_names = match self.endpoint_names.is_empty() {
            true => Vec::new(),
            false => self.endpoint_names.iter().cloned().chain(switches.iter().map(inside)).collect(),
        };
        let before = self.combiners.as_ref().map_or(0.0, |own| own.class.bandwidth_bytes_per_s);
        let class = LinkClass {
            name: "combining".into(),
            bandwidth_bytes_per_s: switches.iter().map(|s| self.rate_of(*s)).fold(before, f64::max),
            latency_s: 0.0,
            per: Per::Direction,
        };
        let first = self.combining().start;
        let hosts = self.hosts.as_ref().map(|hosts| {
            let more: Vec<Option<u32>> = switches.iter().map(|s| self.host_of_switch(*s)).collect();
            Arc::new(hosts.with_more(&more))
        });
        Ok(Network {
            endpoint_switch,
            endpoint_offsets,
            endpoint_order,
            endpoint_names,
            combiners: Some(Box::new(Combiners { first, class })),
            hosts,
            subnet: None,
            // They lead to the endpoints that were there.
            tables: Vec::new(),
            ..self.clone()
        })
    }

    /// The endpoints inside switches.
    pub fn combining(&self) -> std::ops::Range<u32> {
        self.combiners.as_ref().map_or(self.endpoints(), |own| own.first)..self.endpoints()
    }

    /// Bytes per second over all links into a switch.
    fn rate_of(&self, switch: u32) -> f64 {
        let own = self.endpoints_of(switch).len() as f64 * self.endpoint_class.bandwidth_bytes_per_s;
        self.out_links(switch).map(|link| self.class(link).bandwidth_bytes_per_s).sum::<f64>() + own
    }

    /// The host that a switch is inside of: it joins endpoints of that host alone, which the network itself joins.
    pub fn host_of_switch(&self, switch: u32) -> Option<u32> {
        let hosts = self.hosts.as_ref().filter(|hosts| hosts.are_linked())?;
        let own = |at: &u32| self.endpoints_of(*at).first().map(|endpoint| hosts.host(*endpoint));
        if own(&switch).is_some() {
            return None;
        }
        let mut around = self.neighbours(switch).iter().map(own);
        let first = around.next()??;
        around.all(|host| host == Some(first)).then_some(first)
    }
}
