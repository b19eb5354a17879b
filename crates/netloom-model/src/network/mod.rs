//! The network: an immutable multigraph of switches, endpoints and directed links in flat arrays.
//!
//! Link numbers: switch links first, in order of (tail, head), so that the links leaving a switch are consecutive
//! (CSR); then the injection link of every endpoint; then the ejection link of every endpoint. A *cable* is a
//! full-duplex pair of switch links.

mod builder;
mod combining;
mod failed;
mod hosts;
mod kept;
mod parts;
#[cfg(test)]
mod parts_tests;
mod remaining;
mod structure;
mod subnet;
mod taken;
#[cfg(test)]
mod tests;

use std::collections::VecDeque;
use std::sync::Arc;

use crate::fault::{Fault, Outcome, codes};
use crate::forwarding::Forwarding;
use crate::hosts::Hosts;

pub use builder::{LIMIT, NetworkBuilder};
pub use failed::{Failed, written_name};
pub use parts::Part;
pub use structure::{Fly, Grid, Rails, Structure, TreeShape};
pub use subnet::{OtherDevice, Subnet};

/// Common attributes of a group of links.
#[derive(Clone, Debug, PartialEq)]
pub struct LinkClass {
    /// The topology's own level: `dim0`, `local`, `global`, `up1`, `shortcut`, ...
    pub name: String,
    pub bandwidth_bytes_per_s: f64,
    pub latency_s: f64,
    /// What has this bandwidth.
    pub per: Per,
}

/// What has the bandwidth of a class of links.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Per {
    /// Each direction of a cable: full duplex.
    #[default]
    Direction,
    /// Both directions of a cable together: half duplex.
    Cable,
    /// Every flow, however many there are: nothing is shared (SimGrid's FATPIPE).
    Flow,
}

impl Per {
    /// For files and for the user.
    pub const NAMES: [(Per, &'static str); 3] =
        [(Per::Direction, "direction"), (Per::Cable, "cable"), (Per::Flow, "flow")];

    pub fn name(self) -> &'static str {
        match self {
            Per::Direction => "direction",
            Per::Cable => "cable",
            Per::Flow => "flow",
        }
    }
}

/// The endpoints inside switches, which are numbered last, and the class of their links.
#[derive(Clone, Debug, PartialEq)]
struct Combiners {
    first: u32,
    class: LinkClass,
}

/// The endpoints of every switch as rows: where each row starts, then their numbers, ascending. O(endpoints log endpoints).
fn endpoints_by_switch(endpoint_switch: &[u32], switches: usize) -> (Vec<u32>, Vec<u32>) {
    let mut offsets = vec![0u32; switches + 1];
    endpoint_switch.iter().for_each(|s| offsets[*s as usize + 1] += 1);
    (0..switches).for_each(|s| offsets[s + 1] += offsets[s]);
    let mut order: Vec<u32> = (0..endpoint_switch.len() as u32).collect();
    order.sort_by_key(|e| endpoint_switch[*e as usize]);
    (offsets, order)
}

/// An immutable network. Build one with [`NetworkBuilder`].
#[derive(Clone, Debug, PartialEq)]
pub struct Network {
    label: String,
    offsets: Vec<u32>,
    heads: Vec<u32>,
    tails: Vec<u32>,
    reverse: Vec<u32>,
    class_of: Vec<u16>,
    classes: Vec<LinkClass>,
    endpoint_switch: Vec<u32>,
    endpoint_offsets: Vec<u32>,
    endpoint_order: Vec<u32>,
    endpoint_class: LinkClass,
    combiners: Option<Box<Combiners>>,
    switch_names: Vec<String>,
    endpoint_names: Vec<String>,
    structure: Structure,
    failed: Option<Box<Failed>>,
    seats: u32,
    hosts: Option<Arc<Hosts>>,
    tables: Vec<Arc<Forwarding>>,
    subnet: Option<Arc<Subnet>>,
}

impl Network {
    /// The call or file name that made this network.
    pub fn label(&self) -> &str {
        &self.label
    }
    pub fn switches(&self) -> u32 {
        self.offsets.len() as u32 - 1
    }
    pub fn endpoints(&self) -> u32 {
        self.endpoint_switch.len() as u32
    }
    /// Directed switch-to-switch links.
    pub fn switch_links(&self) -> u32 {
        self.heads.len() as u32
    }
    /// Full-duplex cables between switches.
    pub fn cables(&self) -> u32 {
        self.switch_links() / 2
    }
    /// All directed links: switch links, injection, ejection.
    pub fn links(&self) -> u32 {
        self.switch_links() + 2 * self.endpoints()
    }
    pub fn injection_link(&self, endpoint: u32) -> u32 {
        self.switch_links() + endpoint
    }
    pub fn ejection_link(&self, endpoint: u32) -> u32 {
        self.switch_links() + self.endpoints() + endpoint
    }
    /// CSR row starts, `switches + 1` long.
    pub fn offsets(&self) -> &[u32] {
        &self.offsets
    }
    /// Switch that each switch link leads to.
    pub fn heads(&self) -> &[u32] {
        &self.heads
    }
    /// Switch that each switch link leaves.
    pub fn tails(&self) -> &[u32] {
        &self.tails
    }
    /// The other direction of each switch link's cable.
    pub fn reverse(&self) -> &[u32] {
        &self.reverse
    }
    /// Range of link numbers that leave `switch`.
    #[inline]
    pub fn out_links(&self, switch: u32) -> std::ops::Range<u32> {
        self.offsets[switch as usize]..self.offsets[switch as usize + 1]
    }
    /// Heads of the links that leave `switch`, ascending, with repeats for parallel links.
    #[inline]
    pub fn neighbours(&self, switch: u32) -> &[u32] {
        &self.heads[self.offsets[switch as usize] as usize..self.offsets[switch as usize + 1] as usize]
    }
    /// Number of a switch link among those from its switch to the same other one, from 0; `None` for the only one and
    /// for other links. O(log degree).
    pub fn parallel(&self, link: u32) -> Option<u32> {
        let (tail, head) = (*self.tails.get(link as usize)?, self.heads[link as usize]);
        let first = self.neighbours(tail).partition_point(|other| *other < head) as u32;
        let behind = self.neighbours(tail).partition_point(|other| *other <= head) as u32;
        (behind - first > 1).then(|| link - self.offsets[tail as usize] - first)
    }
    pub fn degree(&self, switch: u32) -> u32 {
        self.offsets[switch as usize + 1] - self.offsets[switch as usize]
    }
    /// Place of a switch link among those that leave its switch in full service, from 0.
    pub fn place(&self, link: u32) -> u32 {
        match &self.failed {
            Some(failed) => failed.places[link as usize],
            None => link - self.offsets[self.tails[link as usize] as usize],
        }
    }
    pub fn classes(&self) -> &[LinkClass] {
        &self.classes
    }
    /// Index into [`Network::classes`] of each switch link.
    pub fn class_of(&self) -> &[u16] {
        &self.class_of
    }
    /// Class of any link, injection and ejection included. Panics beyond `links()`, like indexing.
    pub fn class(&self, link: u32) -> &LinkClass {
        match self.class_of.get(link as usize) {
            Some(&class) => &self.classes[class as usize],
            None => match &self.combiners {
                Some(own) if (link - self.switch_links()) % self.endpoints() >= own.first => &own.class,
                _ => &self.endpoint_class,
            },
        }
    }
    pub fn endpoint_class(&self) -> &LinkClass {
        &self.endpoint_class
    }
    /// The classes of links with a bandwidth of their own kind, that of endpoints last.
    pub fn classes_per(&self, per: Per) -> impl Iterator<Item = &LinkClass> {
        self.classes.iter().chain([&self.endpoint_class]).filter(move |class| class.per == per)
    }
    /// Switch of each endpoint.
    pub fn endpoint_switch(&self) -> &[u32] {
        &self.endpoint_switch
    }
    /// Endpoints of `switch`, ascending.
    pub fn endpoints_of(&self, switch: u32) -> &[u32] {
        let range =
            self.endpoint_offsets[switch as usize] as usize..self.endpoint_offsets[switch as usize + 1] as usize;
        &self.endpoint_order[range]
    }
    /// Name of a switch: from its file, else its number.
    pub fn switch_name(&self, switch: u32) -> String {
        self.switch_names.get(switch as usize).cloned().unwrap_or_else(|| switch.to_string())
    }
    /// Name of an endpoint: from its file, else its number.
    pub fn endpoint_name(&self, endpoint: u32) -> String {
        self.endpoint_names.get(endpoint as usize).cloned().unwrap_or_else(|| endpoint.to_string())
    }
    pub fn has_names(&self) -> bool {
        !self.switch_names.is_empty() || !self.endpoint_names.is_empty()
    }
    pub fn structure(&self) -> &Structure {
        &self.structure
    }
    /// The same network under another label: the call as the user wrote it.
    pub fn with_label(mut self, label: impl Into<String>) -> Network {
        self.label = label.into();
        self
    }
    /// Ranks that an endpoint has room for, behind its one link, if the network's file gives it; else 1.
    pub fn seats(&self) -> u32 {
        self.seats
    }
    /// The same network with `seats` for ranks on every endpoint.
    pub fn with_seats(self, seats: u32) -> Network {
        Network { seats: seats.max(1), ..self }
    }
    /// The same network with `slots` endpoints in place of each one, consecutive on its switch, called `name:slot` if
    /// it had a name. Ports of one host remain so; without hosts of its own the slots of an endpoint are one.
    /// O(endpoints · slots).
    ///
    /// # Errors
    /// `NL-A009` beyond 2^31 links.
    pub fn with_slots(&self, slots: u32) -> Outcome<Network> {
        self.with_rooms(slots, |_| slots)
    }
    /// As [`Network::with_slots`], where endpoint `e` has room for `room(e)` ranks: its other slots are of no host.
    ///
    /// # Errors
    /// As [`Network::with_slots`].
    pub fn with_rooms(&self, slots: u32, room: impl Fn(u32) -> u32) -> Outcome<Network> {
        let slots = slots.max(1);
        let wanted = u64::from(self.endpoints()) * u64::from(slots);
        if u64::from(self.switch_links()) + 2 * wanted > LIMIT {
            let sentence = format!("{} endpoints of {slots} slots exceed 2^31 links", self.endpoints());
            return Err(Fault::say(&codes::TOO_LARGE, &self.label, sentence).into());
        }
        let each = |of: &[u32]| of.iter().flat_map(|&v| std::iter::repeat_n(v, slots as usize)).collect();
        let names = |name: &String| (0..slots).map(move |slot| format!("{name}:{slot}")).collect::<Vec<_>>();
        Ok(Network {
            endpoint_switch: each(&self.endpoint_switch),
            endpoint_offsets: self.endpoint_offsets.iter().map(|at| at * slots).collect(),
            endpoint_order: self.endpoint_order.iter().flat_map(|&e| e * slots..(e + 1) * slots).collect(),
            endpoint_names: self.endpoint_names.iter().flat_map(names).collect(),
            seats: 1,
            hosts: self.hosts.as_ref().map(|hosts| Arc::new(hosts.with_slots(slots, room))),
            // Slots of an endpoint have one port, which its numbers name.
            subnet: None,
            tables: self.tables.iter().map(|tables| Arc::new(tables.with_slots(slots))).collect(),
            ..self.clone()
        })
    }
    /// The same network with forwarding tables that were made for it. Tables of that name are replaced.
    pub fn with_tables(mut self, tables: Arc<Forwarding>) -> Network {
        self.tables.retain(|known| known.name() != tables.name());
        self.tables.push(tables);
        self
    }
    /// Its forwarding tables.
    pub fn tables(&self) -> &[Arc<Forwarding>] {
        &self.tables
    }
    /// The same network with the GUIDs, LIDs and ports of its subnet: one of each per switch, endpoint and switch link.
    pub fn with_subnet(self, subnet: Subnet) -> Network {
        Network { subnet: Some(Arc::new(subnet)), ..self }
    }
    /// GUIDs, LIDs and ports, if its file gives them.
    pub fn subnet(&self) -> Option<&Arc<Subnet>> {
        self.subnet.as_ref()
    }
    /// The same network with a level for every switch.
    pub fn with_levels(mut self, levels: Vec<u8>) -> Network {
        self.structure.levels = Some(levels);
        self
    }
    /// The same graph with what is known of it.
    pub fn with_structure(self, structure: Structure) -> Network {
        Network { structure, ..self }
    }
    /// The same network with the structure and the failures of one that has the same links.
    pub fn with_knowledge_of(self, other: &Network) -> Network {
        Network { structure: other.structure.clone(), failed: other.failed.clone(), ..self }
    }
    /// The same graph without its structure, as an importer would see it. For tests and benchmarks.
    pub fn without_structure(&self) -> Network {
        let hosts = self.closed_hosts().cloned();
        Network { structure: Structure::default(), hosts, ..self.clone() }
    }

    /// Switches that switch 0 cannot reach, ascending; empty if connected. O(switches + links).
    pub fn unreached(&self) -> Vec<u32> {
        let n = self.switches() as usize;
        let mut seen = vec![false; n];
        let mut queue = VecDeque::new();
        if n > 0 {
            seen[0] = true;
            queue.push_back(0u32);
        }
        while let Some(at) = queue.pop_front() {
            for &next in self.neighbours(at) {
                if !seen[next as usize] {
                    seen[next as usize] = true;
                    queue.push_back(next);
                }
            }
        }
        (0..n as u32).filter(|&s| !seen[s as usize]).collect()
    }

    /// # Errors
    /// `NL-N001` naming a switch that cannot be reached.
    pub fn require_connected(&self) -> Outcome<()> {
        let lost = self.unreached();
        match lost.first() {
            None => Ok(()),
            Some(&s) => {
                let sentence = format!(
                    "{} of {} switches cannot be reached from switch {}, the first is switch {}",
                    lost.len(),
                    self.switches(),
                    self.switch_name(0),
                    self.switch_name(s)
                );
                let hint = match &self.failed {
                    Some(_) => {
                        "this is asked of whole networks; describe, hops, loads and times take those with failures"
                            .into()
                    }
                    None => format!(
                        "it is in {} parts that no cable joins, as planes, rails and islands are: take one by its number or \
                         the name of a switch in it, for example --part 0 (in Python part=\"0\"); part {}",
                        self.connected_parts().len(),
                        self.parts_named()
                    ),
                };
                Err(Fault::say(&codes::DISCONNECTED, &self.label, sentence).hint(hint).into())
            }
        }
    }
}
