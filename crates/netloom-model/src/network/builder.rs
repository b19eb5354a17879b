//! Building a network: collect, check, sort, freeze.

use std::collections::HashMap;

use super::{LinkClass, Network, Per, Structure};
use crate::fault::{Fault, Faults, Outcome, codes};
use crate::memory;

/// Collects cables and endpoints, checks them, sorts them into a [`Network`].
#[derive(Clone, Debug)]
pub struct NetworkBuilder {
    label: String,
    switches: u32,
    cables: Vec<(u32, u32, u16)>,
    classes: Vec<LinkClass>,
    /// Classes up and down of cables whose directions differ, which have the number of their pair from [`MIXED`] on.
    mixed: Vec<(u16, u16)>,
    mixed_number: HashMap<(u16, u16), u16>,
    endpoint_switch: Vec<u32>,
    endpoint_class: LinkClass,
    switch_names: Vec<String>,
    endpoint_names: Vec<String>,
    structure: Structure,
}

/// Names that link loads use for the links of all classes together and for those of endpoints.
const RESERVED: [&str; 3] = ["all", "injection", "ejection"];

/// Numbers of classes end here.
const MIXED: u16 = 1 << 15;

/// Largest number of switches, endpoints or links: link numbers must fit `u32` with room for both directions.
pub const LIMIT: u64 = 1 << 31;

impl NetworkBuilder {
    pub fn new(label: impl Into<String>, switches: u32) -> Self {
        NetworkBuilder {
            label: label.into(),
            switches,
            cables: Vec::new(),
            classes: Vec::new(),
            mixed: Vec::new(),
            mixed_number: HashMap::new(),
            endpoint_switch: Vec::new(),
            endpoint_class: endpoint_class(12.5e9, 1e-7, Per::Direction),
            switch_names: Vec::new(),
            endpoint_names: Vec::new(),
            structure: Structure::default(),
        }
    }

    /// The index of the class with these values; a new class is added.
    pub fn class(&mut self, name: &str, bandwidth_bytes_per_s: f64, latency_s: f64) -> u16 {
        self.class_of(LinkClass { name: name.into(), bandwidth_bytes_per_s, latency_s, per: Per::Direction })
    }

    /// The index of this class; a new one is added.
    pub fn class_of(&mut self, class: LinkClass) -> u16 {
        match self.classes.iter().position(|c| *c == class) {
            Some(i) => i as u16,
            None => {
                self.classes.push(class);
                (self.classes.len() - 1) as u16
            }
        }
    }

    /// A full-duplex cable. Repeat it for parallel cables.
    pub fn cable(&mut self, a: u32, b: u32, class: u16) {
        self.cables.push((a.min(b), a.max(b), class));
    }
    /// A cable whose directions differ: `there` is the class of the link from `a` to `b`.
    pub fn cable_each_way(&mut self, a: u32, b: u32, there: u16, back: u16) {
        if there == back {
            return self.cable(a, b, there);
        }
        let pair = if a < b { (there, back) } else { (back, there) };
        // More pairs than have a number are refused by `build`.
        let next = (MIXED as usize + self.mixed.len()).min(usize::from(u16::MAX)) as u16;
        let number = *self.mixed_number.entry(pair).or_insert(next);
        if number == next && self.mixed.last() != Some(&pair) {
            self.mixed.push(pair);
        }
        self.cable(a, b, number);
    }
    /// Cables so far, as (lower switch, higher switch, class).
    pub fn cables(&self) -> &[(u32, u32, u16)] {
        &self.cables
    }
    /// One more endpoint, on `switch`.
    pub fn endpoint(&mut self, switch: u32) {
        self.endpoint_switch.push(switch);
    }
    /// `per_switch` endpoints on every switch: endpoint `e` is on switch `e / per_switch`.
    pub fn endpoints_everywhere(&mut self, per_switch: u32) {
        self.endpoint_switch.extend((0..self.switches).flat_map(|s| std::iter::repeat_n(s, per_switch as usize)));
    }
    pub fn endpoint_link(&mut self, bandwidth_bytes_per_s: f64, latency_s: f64) {
        self.endpoint_link_per(bandwidth_bytes_per_s, latency_s, Per::Direction);
    }
    /// Links of endpoints that are half duplex, or not shared.
    pub fn endpoint_link_per(&mut self, bandwidth_bytes_per_s: f64, latency_s: f64, per: Per) {
        self.endpoint_class = endpoint_class(bandwidth_bytes_per_s, latency_s, per);
    }
    /// Names from a file: empty, or one per switch.
    pub fn switch_names(&mut self, names: Vec<String>) {
        self.switch_names = names;
    }
    /// Names from a file: empty, or one per endpoint.
    pub fn endpoint_names(&mut self, names: Vec<String>) {
        self.endpoint_names = names;
    }
    pub fn structure(&mut self) -> &mut Structure {
        &mut self.structure
    }

    /// Sorts and freezes. O(links + switches).
    ///
    /// # Errors
    /// `NL-N002` for a self-loop, an end or endpoint beyond the switches, a list of names of the wrong length, a class of
    /// links with a reserved name (`all`, `injection`, `ejection`) or without bandwidth; `NL-A009` beyond 2^31 items;
    /// `NL-X011` without the memory. A
    /// disconnected network is allowed here: [`Network::require_connected`] refuses it.
    pub fn build(mut self) -> Outcome<Network> {
        let mut faults = Faults::none();
        let n = self.switches;
        let (cables, endpoints) = (self.cables.len() as u64, self.endpoint_switch.len() as u64);
        memory::require(memory::of_network(u64::from(n), cables, endpoints), &self.label, "the network")?;
        let kinds = self.classes.len().max(self.mixed.len());
        if kinds >= usize::from(MIXED) {
            let sentence = format!("{kinds} classes of links exceed {}", MIXED - 1);
            return Err(Fault::say(&codes::TOO_LARGE, &self.label, sentence).into());
        }
        if self.cables.len() as u64 * 2 + self.endpoint_switch.len() as u64 * 2 > LIMIT || u64::from(n) > LIMIT {
            let sentence =
                format!("{} cables and {} endpoints exceed 2^31 links", self.cables.len(), self.endpoint_switch.len());
            return Err(Fault::say(&codes::TOO_LARGE, &self.label, sentence).into());
        }
        if let Some(class) = self.classes.iter().find(|c| RESERVED.contains(&c.name.as_str())) {
            let sentence = format!("no class of links can be called \"{}\": netloom's own answers use it", class.name);
            faults.push(Fault::say(&codes::NETWORK_INVALID, &self.label, sentence).hint("give the class another name"));
        }
        let stands = |c: &&LinkClass| !(c.bandwidth_bytes_per_s > 0.0 && c.bandwidth_bytes_per_s.is_finite());
        if let Some(class) = self.classes.iter().chain([&self.endpoint_class]).find(stands) {
            let sentence = format!("{} links have a bandwidth of {} B/s", class.name, class.bandwidth_bytes_per_s);
            faults.push(Fault::say(&codes::NETWORK_INVALID, &self.label, sentence).hint("give more than zero"));
        }
        if let Some((a, b, _)) = self.cables.iter().find(|c| c.0 == c.1 || c.1 >= n) {
            let sentence =
                format!("a link joins switch {a} to switch {b}; the {n} switches are 0 to {}", i64::from(n) - 1);
            faults.push(
                Fault::say(&codes::NETWORK_INVALID, &self.label, sentence).hint("a link joins two different switches"),
            );
        }
        if let Some((e, s)) = self.endpoint_switch.iter().enumerate().find(|e| *e.1 >= n) {
            let sentence = format!("endpoint {e} is on switch {s}; the {n} switches are 0 to {}", i64::from(n) - 1);
            faults.push(Fault::say(&codes::NETWORK_INVALID, &self.label, sentence));
        }
        for (names, count, what) in
            [(&self.switch_names, n as usize, "switch"), (&self.endpoint_names, self.endpoint_switch.len(), "endpoint")]
        {
            if !names.is_empty() && names.len() != count {
                let sentence = format!("{} {what} names for {count}", names.len());
                faults.push(Fault::say(&codes::NETWORK_INVALID, &self.label, sentence));
            }
        }
        if !faults.is_empty() {
            return Err(faults);
        }
        sort_cables(&mut self.cables, n as usize);
        let (offsets, mut links) = rows(&self.cables, n as usize);
        if !self.mixed.is_empty() {
            let ends = links.tails.iter().zip(&links.heads);
            for (class, (tail, head)) in links.class_of.iter_mut().zip(ends).filter(|(class, _)| **class >= MIXED) {
                let (up, down) = self.mixed[usize::from(*class - MIXED)];
                *class = if tail < head { up } else { down };
            }
        }
        let (endpoint_offsets, endpoint_order) = super::endpoints_by_switch(&self.endpoint_switch, n as usize);
        Ok(Network {
            label: self.label,
            offsets,
            heads: links.heads,
            tails: links.tails,
            reverse: links.reverse,
            class_of: links.class_of,
            classes: self.classes,
            endpoint_switch: self.endpoint_switch,
            endpoint_offsets,
            endpoint_order,
            combiners: None,
            endpoint_class: self.endpoint_class,
            switch_names: self.switch_names,
            endpoint_names: self.endpoint_names,
            structure: self.structure,
            failed: None,
            seats: 1,
            hosts: None,
            tables: Vec::new(),
            subnet: None,
        })
    }
}

fn endpoint_class(bandwidth_bytes_per_s: f64, latency_s: f64, per: Per) -> LinkClass {
    LinkClass { name: "endpoint".into(), bandwidth_bytes_per_s, latency_s, per }
}

/// Sorts by (lower switch, higher switch, class): one stable counting pass per key, last key first.
fn sort_cables(cables: &mut Vec<(u32, u32, u16)>, switches: usize) {
    if cables.is_sorted() {
        return;
    }
    let classes = cables.iter().map(|c| c.2).max().map_or(0, |c| usize::from(c) + 1);
    if classes > 1 {
        counting_pass(cables, classes, |c| usize::from(c.2));
    }
    counting_pass(cables, switches, |c| c.1 as usize);
    counting_pass(cables, switches, |c| c.0 as usize);
}

fn counting_pass(cables: &mut Vec<(u32, u32, u16)>, keys: usize, key: impl Fn(&(u32, u32, u16)) -> usize) {
    let mut place = vec![0usize; keys + 1];
    for cable in cables.iter() {
        place[key(cable) + 1] += 1;
    }
    for k in 0..keys {
        place[k + 1] += place[k];
    }
    let mut sorted = vec![(0, 0, 0); cables.len()];
    for cable in cables.iter() {
        let at = &mut place[key(cable)];
        sorted[*at] = *cable;
        *at += 1;
    }
    *cables = sorted;
}

pub(super) struct Links {
    pub heads: Vec<u32>,
    pub tails: Vec<u32>,
    pub reverse: Vec<u32>,
    pub class_of: Vec<u16>,
}

/// CSR rows of sorted cables: first the links to lower switches, whose cables come in order of that switch, then those
/// to higher ones.
pub(super) fn rows(cables: &[(u32, u32, u16)], switches: usize) -> (Vec<u32>, Links) {
    let mut offsets = vec![0u32; switches + 1];
    for &(a, b, _) in cables {
        offsets[a as usize + 1] += 1;
        offsets[b as usize + 1] += 1;
    }
    for s in 0..switches {
        offsets[s + 1] += offsets[s];
    }
    let count = cables.len() * 2;
    let mut links =
        Links { heads: vec![0; count], tails: vec![0; count], reverse: vec![0; count], class_of: vec![0; count] };
    let mut next = offsets.clone();
    let mut downward = Vec::with_capacity(cables.len());
    for &(_, b, _) in cables {
        downward.push(next[b as usize]);
        next[b as usize] += 1;
    }
    for (&(a, b, class), &down) in cables.iter().zip(&downward) {
        let up = next[a as usize];
        next[a as usize] += 1;
        for (link, back, tail, head) in [(up, down, a, b), (down, up, b, a)] {
            let at = link as usize;
            (links.tails[at], links.heads[at], links.reverse[at], links.class_of[at]) = (tail, head, back, class);
        }
    }
    (offsets, links)
}
