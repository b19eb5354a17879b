//! Names of hosts, and endpoints as slots of hosts.

use std::collections::HashMap;
use std::sync::Arc;

use netloom_model::param::Kind;
use netloom_model::{self as model, Bound, Fault, Mapping, Network, Outcome, Param};

use crate::codes;
use crate::graph::unique;
use crate::sink::quoted;

/// `host_pattern`: names of hosts.
pub const HOST_PATTERN: Param = Param::optional(
    "host_pattern",
    Kind::Text,
    "",
    "names of hosts: the number in braces is the first, its digits the width, as in node{0001}; absent: names from the \
     network's file, else node{0001}",
);
/// `slots`: endpoints per host.
pub const SLOTS: Param = Param::optional(
    "slots",
    Kind::Int { min: 1, max: 1 << 20 },
    "",
    "endpoints per host: endpoint e is slot e mod slots of host e/slots; absent: as the network says (GPUs of a node, ports of \
     a host), else 1",
)
.keyword_only();

/// `bind`: what says on which slot of its host a rank is.
pub const BIND: Param = Param::optional(
    "bind",
    Kind::Choice(&["none", "elsewhere"]),
    "none",
    "none: the ranks of a host get its slots in order; elsewhere: a list of cores, such as map-cpu, says which they get",
)
.keyword_only();

/// `cores`: of formats with numbers of endpoints.
pub const CORES: Param = Param::optional(
    "cores",
    Kind::Int { min: 1, max: 1 << 20 },
    "1",
    "ranks that an endpoint of the file has room for: its number stands once for each",
)
.keyword_only();

const DEFAULT: &str = "node{0001}";
const HINT: &str = "give a host_pattern such as node{0001}";

/// Slots of each host if all endpoints are called `host:slot`, as [`Network::with_slots`] names them; else 1.
/// O(endpoints).
fn slots_of(network: &Network) -> u32 {
    let split = |e: u32| {
        let name = network.endpoint_name(e);
        name.rsplit_once(':').and_then(|(host, slot)| Some((host.to_string(), slot.parse::<u32>().ok()?)))
    };
    let all: Option<Vec<_>> = (0..network.endpoints()).map(split).collect();
    let Some(all) = all.filter(|all| !all.is_empty()) else { return 1 };
    let slots = all.iter().take_while(|(host, _)| *host == all[0].0).count();
    let regular = all.chunks(slots).all(|chunk| {
        chunk.len() == slots
            && chunk.iter().enumerate().all(|(i, (host, slot))| *host == chunk[0].0 && *slot as usize == i)
    });
    if regular { u32::try_from(slots).unwrap_or(1) } else { 1 }
}

/// Names of all hosts in order. `pattern` is empty, or text around one number in braces. O(endpoints).
///
/// # Errors
/// `NL-F014` for a bad pattern or a name that is no host name, or if the endpoints have names that are not slots of
/// hosts with `slots` slots; `NL-F006` if two hosts share a name.
pub fn host_names(network: &Network, pattern: &str, slots: u32) -> Outcome<Vec<String>> {
    let names = port_names(network, pattern, slots, DEFAULT)?;
    require_hosts(&names, network)?;
    Ok(names)
}

/// Names of hosts, or of their ports `host:0`, `host:1`, ... as a fabric's file gives them.
fn port_names(network: &Network, pattern: &str, slots: u32, default: &str) -> Outcome<Vec<String>> {
    let slots = slots.max(1);
    let own = |e: u32| network.endpoint_name(e);
    if pattern.is_empty() && (0..network.endpoints()).any(|e| own(e) != e.to_string()) {
        let with_slots = slots_of(network);
        if slots != with_slots && slots > 1 {
            let sentence = format!("the file's endpoints are hosts with {with_slots} slot(s), not {slots}");
            let hint = format!("leave slots out, and give the cores: cores={slots} (--cores {slots})");
            return Err(Fault::say(&codes::NAME, network.label(), sentence).hint(hint).into());
        }
        let host = |e: u32| own(e).rsplit_once(':').filter(|_| slots > 1).map_or(own(e), |(host, _)| host.to_string());
        return Ok((0..network.endpoints()).step_by(slots as usize).map(host).collect());
    }
    let name = names_by(if pattern.is_empty() { default } else { pattern })?;
    Ok((0..u64::from(network.endpoints().div_ceil(slots))).map(name).collect())
}

/// Names by a pattern around the number of the first host.
fn names_by(pattern: &str) -> Outcome<impl Fn(u64) -> String> {
    let bad =
        || Fault::new(&codes::NAME, "host_pattern", "text around one number in braces", quoted(pattern)).hint(HINT);
    let (prefix, rest) = pattern.split_once('{').ok_or_else(bad)?;
    let (digits, suffix) = rest.split_once('}').ok_or_else(bad)?;
    if digits.is_empty() || digits.len() > 9 || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return Err(bad().into());
    }
    let first: u64 = digits.parse().map_err(|_| bad())?;
    let width = digits.len();
    let name = move |h: u64| format!("{prefix}{:0width$}{suffix}", first + h);
    check_host(&name(0), "host_pattern")?;
    Ok(name)
}

fn require_hosts(names: &[String], network: &Network) -> Outcome<()> {
    names.iter().try_for_each(|n| check_host(n, network.label()))?;
    unique(names, "endpoints", network.label())
}

/// Hosts and their numbers of ports: neighbours called `host:0`, `host:1`, ... are one.
fn joined(ports: &[String]) -> Vec<(String, u32)> {
    let (mut found, mut at) = (Vec::new(), 0);
    while let Some(port) = ports.get(at) {
        let host = port.strip_suffix(":0").unwrap_or(port);
        let own =
            ports[at..].iter().enumerate().take_while(|(number, name)| **name == format!("{host}:{number}")).count();
        found.push(if own > 1 { (host.to_string(), own as u32) } else { (port.clone(), 1) });
        at += own.max(1);
    }
    found
}

/// Hosts by `slots` and by the names of endpoints, where the network does not say which of them are ports of one host.
fn of_names(network: &Network, bound: &Bound, default: &str) -> Outcome<(Arc<model::Hosts>, Vec<String>)> {
    let slots = if bound.is_given("slots") { bound.size("slots").max(1) } else { slots_of(network) };
    let ports = port_names(network, bound.text("host_pattern"), slots, default)?;
    let (mut host_of, mut names) = (Vec::with_capacity(network.endpoints() as usize), Vec::new());
    for (host, ports) in joined(&ports) {
        let end = host_of.len() as u64 + u64::from(ports) * u64::from(slots);
        host_of.resize(end.min(u64::from(network.endpoints())) as usize, names.len() as u32);
        names.push(host);
    }
    Ok((Arc::new(model::Hosts::of(&host_of)), names))
}

/// Names of the hosts that a network knows: the pattern, their own, or what the names of their ports begin with.
fn known_names(network: &Network, of: &model::Hosts, bound: &Bound, default: &str) -> Outcome<Vec<String>> {
    let (given, most) = (bound.is_given("slots").then(|| bound.size("slots")), of.extremes().1);
    if given.is_some_and(|slots| slots > 1 && slots != most) {
        let expected =
            format!("{most}, the slots of its largest host, or nothing: the network says which endpoints are one host");
        return Err(bound.fault("slots", expected).into());
    }
    let pattern = bound.text("host_pattern");
    let own = |host: u32| of.name(host).map(str::to_string).or_else(|| common(network, of.endpoints(host)));
    if pattern.is_empty()
        && let Some(names) = (0..of.count()).map(own).collect()
    {
        return Ok(names);
    }
    let name = names_by(if pattern.is_empty() { default } else { pattern })?;
    Ok((0..u64::from(of.count())).map(name).collect())
}

/// What the names of some endpoints have in common before a colon; the name of the only one.
fn common(network: &Network, endpoints: &[u32]) -> Option<String> {
    let (&first, others) = endpoints.split_first()?;
    let name = network.endpoint_name(first);
    if name == first.to_string() {
        return None;
    }
    let mut length = name.len();
    for &other in others {
        let other = network.endpoint_name(other);
        length = name[..length].bytes().zip(other.bytes()).take_while(|(a, b)| a == b).count();
    }
    if others.is_empty() { Some(name) } else { name.get(..length)?.rsplit_once(':').map(|(host, _)| host.to_string()) }
}

/// Letters, digits, `.`, `_`, `-`: every launcher's file and every shell takes them unquoted.
///
/// # Errors
/// `NL-F014`.
pub fn check_host(name: &str, place: &str) -> Outcome<()> {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
    let good = !name.is_empty() && name.len() <= 255 && name.chars().all(plain) && !name.starts_with(['-', '.']);
    match good {
        true => Ok(()),
        false => {
            let expected = "host names of letters, digits, '.', '_' and '-'";
            Err(Fault::new(&codes::NAME, place, expected, quoted(name)).hint(HINT).into())
        }
    }
}

/// Hosts of a network: conversion between endpoint and (host, slot) in both directions.
pub struct Hosts {
    pub names: Vec<String>,
    /// Slots of the host that has most: one with several ports has the slots of all of them.
    pub slots: u32,
    of: Arc<model::Hosts>,
}

impl Hosts {
    /// Hosts by the parameters `host_pattern` and `slots`.
    ///
    /// # Errors
    /// As [`host_names`].
    pub fn of(network: &Network, bound: &Bound) -> Outcome<Hosts> {
        Self::named(network, bound, DEFAULT)
    }

    /// Hosts with another pattern for a network without names.
    ///
    /// # Errors
    /// As [`host_names`].
    pub fn named(network: &Network, bound: &Bound, default: &str) -> Outcome<Hosts> {
        let (of, names) = match network.hosts() {
            Some(of) => (Arc::clone(of), known_names(network, of, bound, default)?),
            None => of_names(network, bound, default)?,
        };
        require_hosts(&names, network)?;
        let most = of.extremes().1;
        let slots = if bound.is_given("slots") { bound.size("slots").max(1) } else { 1 };
        Ok(Hosts { names, slots: most.max(slots), of })
    }

    /// Host and slot of an endpoint.
    pub fn slot(&self, endpoint: u32) -> (u32, u32) {
        (self.of.host(endpoint), self.of.port(endpoint))
    }
    pub fn name(&self, endpoint: u32) -> &str {
        &self.names[self.slot(endpoint).0 as usize]
    }
    /// An endpoint in the words of a file: `slot 0 of node0001`.
    pub fn place(&self, endpoint: u32) -> String {
        let (host, slot) = self.slot(endpoint);
        format!("slot {slot} of {}", self.names[host as usize])
    }
    pub fn endpoint(&self, host: u32, slot: u32) -> Option<u32> {
        self.of.endpoints(host).get(slot as usize).copied()
    }
    /// Number of each host by name.
    pub fn index(&self) -> HashMap<&str, u32> {
        self.names.iter().enumerate().map(|(i, n)| (n.as_str(), i as u32)).collect()
    }

    /// Serves formats with a host per rank but no slot: launchers fill the slots of a host in order of rank.
    ///
    /// # Errors
    /// `NL-F018` if the mapping has a different slot for a rank, with the hint of the format.
    pub fn require_slots_in_order(&self, mapping: &Mapping, format: &str, hint: &str) -> Outcome<()> {
        let mut next = vec![0u32; self.names.len()];
        for rank in 0..mapping.ranks() {
            let (host, slot) = self.slot(mapping.endpoint(rank));
            let due = &mut next[host as usize];
            if *due != slot {
                let place = self.place(mapping.endpoint(rank));
                let sentence =
                    format!("rank {rank} is on {place}; {format} names hosts only and would give slot {due}");
                return Err(Fault::say(&codes::CANNOT_EXPRESS, format, sentence).hint(hint).into());
            }
            *due += 1;
        }
        Ok(())
    }
}
