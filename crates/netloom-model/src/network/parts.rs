//! A network in several parts that no cable joins: planes, rails, islands.

use std::collections::{HashMap, HashSet};

use super::taken::Taken;
use super::{Network, Subnet};
use crate::fault::{Fault, Outcome, codes};

/// Parts that a message names.
const NAMED: usize = 4;

/// Switches that reach each other, and what is on them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    pub switches: Vec<u32>,
    pub endpoints: u32,
}

impl Network {
    /// The parts that cables join, in order of their lowest switches. O(switches + links).
    pub fn connected_parts(&self) -> Vec<Part> {
        let mut at: HashMap<u32, usize> = HashMap::new();
        let mut found: Vec<Part> = Vec::new();
        for (switch, first) in (0u32..).zip(self.parts()) {
            let number = *at.entry(first).or_insert_with(|| {
                found.push(Part { switches: Vec::new(), endpoints: 0 });
                found.len() - 1
            });
            found[number].switches.push(switch);
            found[number].endpoints += self.endpoints_of(switch).len() as u32;
        }
        found
    }

    /// What the parts are, for messages.
    pub(super) fn parts_named(&self) -> String {
        let parts = self.connected_parts();
        let words = |(number, part): (usize, &Part)| {
            let of = |count: usize, one: &str, more: &str| format!("{count} {}", if count == 1 { one } else { more });
            let switches = of(part.switches.len(), "switch", "switches");
            let endpoints = of(part.endpoints as usize, "endpoint", "endpoints");
            format!(
                "{number} has {switches} and {endpoints}, its first switch is {}",
                self.switch_name(part.switches[0])
            )
        };
        let mut listed: Vec<String> = parts.iter().enumerate().take(NAMED).map(words).collect();
        if parts.len() > NAMED {
            listed.push(format!("... up to {}", parts.len() - 1));
        }
        listed.join("; ")
    }

    /// One part as a network of its own, with the numbers, ports and levels of its switches. `which` is the number of a part,
    /// from 0 in order of the lowest switches, or the name of a switch, an endpoint or a host in it. Of a host that has
    /// one port in the part, the endpoint is called as the host. O(switches + links + endpoints).
    ///
    /// # Errors
    /// `NL-N004` if there is no such part, if a name is in several, or if something has failed: the part comes first.
    pub fn part(&self, which: &str) -> Outcome<Network> {
        let parts = self.connected_parts();
        let refuse = |expected: &str| {
            let fault = Fault::new(&codes::NO_PART, "part", expected, format!("\"{which}\""));
            Err(fault.hint(format!("of {}: part {}", self.label, self.parts_named())).into())
        };
        if self.failed.is_some() {
            return refuse("taken before what fails");
        }
        let found = self.parts_called(which, &parts);
        match found[..] {
            [] => {
                refuse(&format!("the number of a part, 0 to {}, or a name of a switch or host in one", parts.len() - 1))
            }
            [_] if parts.len() == 1 => Ok(self.clone()),
            [number] => Ok(self.only(&parts[number], number)),
            _ => {
                let named = found.iter().map(usize::to_string).collect::<Vec<_>>().join(", ");
                refuse(&format!("one part: a host of that name is in parts {named}, which are planes or rails"))
            }
        }
    }

    fn parts_called(&self, which: &str, parts: &[Part]) -> Vec<usize> {
        let mut of_switch = vec![0; self.switches() as usize];
        for (number, part) in parts.iter().enumerate() {
            part.switches.iter().for_each(|s| of_switch[*s as usize] = number);
        }
        if self.has_names() {
            let mut found: Vec<usize> = (0..self.switches())
                .filter(|s| self.switch_name(*s) == which)
                .map(|s| of_switch[s as usize])
                .chain(
                    (0..self.endpoints())
                        .filter(|e| self.is_of(*e, which))
                        .map(|e| of_switch[self.endpoint_switch[e as usize] as usize]),
                )
                .collect();
            found.sort_unstable();
            found.dedup();
            if !found.is_empty() {
                return found;
            }
        }
        which.parse().ok().filter(|number| *number < parts.len()).into_iter().collect()
    }

    /// Whether an endpoint is called so, or is a port of a host that is.
    fn is_of(&self, endpoint: u32, name: &str) -> bool {
        let own = self.endpoint_name(endpoint);
        own == name || port(&own).is_some_and(|host| host == name)
    }

    fn only(&self, part: &Part, number: usize) -> Network {
        let Taken { mut network, new, links, endpoints } = self.taken(&part.switches);
        network.label = format!("{}, part {number}", self.label);
        if !self.endpoint_names.is_empty() {
            network.endpoint_names = self.names_of(&endpoints);
        }
        match &self.subnet {
            Some(subnet) => network.with_subnet(subnet.only(&part.switches, &new, &links, &endpoints)),
            None => network,
        }
    }

    /// Names of endpoints: that of the host for its only port here.
    fn names_of(&self, ends: &[u32]) -> Vec<String> {
        let names: Vec<String> = ends.iter().map(|e| self.endpoint_name(*e)).collect();
        let all: HashSet<&str> = self.endpoint_names.iter().map(String::as_str).collect();
        let mut ports: HashMap<&str, u32> = HashMap::new();
        names.iter().filter_map(|name| port(name)).for_each(|host| *ports.entry(host).or_default() += 1);
        // A host with several ports has the first of them in the file, in this part or another.
        let several =
            |host: &str| all.contains(format!("{host}:0").as_str()) && all.contains(format!("{host}:1").as_str());
        let short = |name: &String| {
            let host = port(name).filter(|host| ports[host] == 1 && several(host) && !all.contains(host));
            host.map_or_else(|| name.clone(), String::from)
        };
        names.iter().map(short).collect()
    }
}

/// The host of a port's name such as `g1:3`.
fn port(name: &str) -> Option<&str> {
    let (host, number) = name.rsplit_once(':')?;
    (!number.is_empty() && number.bytes().all(|b| b.is_ascii_digit())).then_some(host)
}

impl Subnet {
    /// Of some switches, links and endpoints in their order; `new` are the new numbers of switches.
    fn only(&self, switches: &[u32], new: &[u32], links: &[u32], ends: &[u32]) -> Subnet {
        fn some<T: Copy>(all: &[T], kept: &[u32]) -> Vec<T> {
            kept.iter().map(|k| all[*k as usize]).collect()
        }
        let there = |switch: u32| new[switch as usize] != u32::MAX;
        let best = self.best.iter().filter(|best| there(best.0));
        let others = self.others.iter().filter(|other| there(other.switch));
        Subnet {
            switch_guid: some(&self.switch_guid, switches),
            switch_lid: some(&self.switch_lid, switches),
            switch_ports: some(&self.switch_ports, switches),
            endpoint_node: some(&self.endpoint_node, ends),
            endpoint_guid: some(&self.endpoint_guid, ends),
            endpoint_lid: some(&self.endpoint_lid, ends),
            endpoint_lmc: some(&self.endpoint_lmc, ends),
            endpoint_port: some(&self.endpoint_port, ends),
            port_of_endpoint: some(&self.port_of_endpoint, ends),
            endpoint_bytes_per_s: some(&self.endpoint_bytes_per_s, ends),
            port_of_link: some(&self.port_of_link, links),
            best: best.map(|&(switch, port, rate)| (new[switch as usize], port, rate)).collect(),
            others: others
                .cloned()
                .map(|mut other| {
                    other.switch = new[other.switch as usize];
                    other
                })
                .collect(),
        }
    }
}
