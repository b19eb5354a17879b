//! Endpoints of a network that are ports of one host.

use std::sync::Arc;

use super::Network;
use crate::fault::{Fault, Outcome, codes};
use crate::hosts::Hosts;

impl Network {
    /// The same network whose endpoints are ports of these hosts.
    ///
    /// # Errors
    /// `NL-N002` unless every endpoint has one.
    pub fn with_hosts(self, hosts: Hosts) -> Outcome<Network> {
        let (given, endpoints) = (hosts.host_of_endpoint().len(), self.endpoints());
        if given != endpoints as usize || (0..endpoints).any(|e| hosts.host(e) >= hosts.count()) {
            let sentence = format!("hosts of {given} endpoints for {endpoints}");
            return Err(Fault::say(&codes::NETWORK_INVALID, &self.label, sentence).into());
        }
        let hosts = hosts.share().then(|| Arc::new(hosts));
        Ok(Network { hosts, ..self })
    }
    /// Which endpoints are ports of one host; `None` if each endpoint is a host of its own.
    pub fn hosts(&self) -> Option<&Arc<Hosts>> {
        self.hosts.as_ref()
    }
    /// The hosts inside which no message uses a link of the network.
    pub fn closed_hosts(&self) -> Option<&Arc<Hosts>> {
        self.hosts.as_ref().filter(|hosts| !hosts.are_linked())
    }
    /// True if a message between these endpoints, or of one to itself, never uses the network.
    #[inline]
    pub fn keeps_inside(&self, src: u32, dst: u32) -> bool {
        src == dst || self.closed_hosts().is_some_and(|hosts| hosts.host(src) == hosts.host(dst))
    }
}
