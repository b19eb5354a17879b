//! What is built: an immutable multigraph of switches, endpoints and directed links in flat arrays.
//!
//! Link numbers: switch links first, in order of (tail, head), so that the links leaving a switch are consecutive
//! (CSR); then the injection link of every endpoint; then the ejection link of every endpoint. A *cable* is a
//! full-duplex pair of switch links.

use std::collections::VecDeque;

use crate::fault::{Fault, Faults, Outcome, codes};

/// What a group of links has in common.
#[derive(Clone, Debug, PartialEq)]
pub struct LinkClass {
    /// The topology's own level: `dim0`, `local`, `global`, `up1`, `shortcut`, ...
    pub name: String,
    pub bandwidth_bytes_per_s: f64,
    pub latency_s: f64,
}

/// Grid coordinates, row-major: the last dimension varies fastest, as in NumPy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grid {
    pub dims: Vec<u32>,
    /// Per dimension: does the last coordinate join the first?
    pub wrap: Vec<bool>,
    /// True if all switches of a line are joined to each other (HyperX), not only neighbours.
    pub complete: bool,
}

/// Extended generalised fat-tree numbers: level `i` has `down[i]` children and `up[i]` parents, `parallel[i]` cables each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeShape {
    pub down: Vec<u32>,
    pub up: Vec<u32>,
    pub parallel: Vec<u32>,
}

/// What a generator knows beyond the graph. Everything is optional; who needs a part asks for it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Structure {
    /// Registered topology name, `""` for a network from a file.
    pub family: String,
    pub grid: Option<Grid>,
    /// Level of every switch, 0 where the endpoints are; up means a higher level.
    pub levels: Option<Vec<u8>>,
    pub tree: Option<TreeShape>,
    /// Group (dragonfly), supernode or part of every switch.
    pub groups: Option<Vec<u32>>,
    /// Jumps of a circulant.
    pub jumps: Option<Vec<u32>>,
    /// True if switch `i` and `i+1 mod n` are joined for all `i`: switch numbers run along a ring.
    pub ring: bool,
    /// True if every switch sees the same network (vertex-transitive): one source stands for all.
    pub transitive: bool,
    /// Cables cut by the best bisection into equal halves of switches, where a formula is known.
    pub bisection_cables: Option<u64>,
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
    switch_names: Vec<String>,
    endpoint_names: Vec<String>,
    structure: Structure,
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
    pub fn degree(&self, switch: u32) -> u32 {
        self.offsets[switch as usize + 1] - self.offsets[switch as usize]
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
            None => &self.endpoint_class,
        }
    }
    pub fn endpoint_class(&self) -> &LinkClass {
        &self.endpoint_class
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
    /// The same graph without its structure: what an importer would see. For tests and benchmarks.
    pub fn without_structure(&self) -> Network {
        Network { structure: Structure::default(), ..self.clone() }
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
                Err(Fault::say(&codes::DISCONNECTED, &self.label, sentence)
                    .hint("add links that join the parts, or use one part")
                    .into())
            }
        }
    }
}

/// Collects cables and endpoints, checks them, sorts them into a [`Network`].
#[derive(Clone, Debug)]
pub struct NetworkBuilder {
    label: String,
    switches: u32,
    cables: Vec<(u32, u32, u16)>,
    classes: Vec<LinkClass>,
    endpoint_switch: Vec<u32>,
    endpoint_class: LinkClass,
    switch_names: Vec<String>,
    endpoint_names: Vec<String>,
    structure: Structure,
}

/// Largest number of switches, endpoints or links: link numbers must fit `u32` with room for both directions.
pub const LIMIT: u64 = 1 << 31;

impl NetworkBuilder {
    pub fn new(label: impl Into<String>, switches: u32) -> Self {
        NetworkBuilder {
            label: label.into(),
            switches,
            cables: Vec::new(),
            classes: Vec::new(),
            endpoint_switch: Vec::new(),
            endpoint_class: LinkClass { name: "endpoint".into(), bandwidth_bytes_per_s: 12.5e9, latency_s: 1e-7 },
            switch_names: Vec::new(),
            endpoint_names: Vec::new(),
            structure: Structure::default(),
        }
    }

    /// The index of a class with these values, made if new.
    pub fn class(&mut self, name: &str, bandwidth_bytes_per_s: f64, latency_s: f64) -> u16 {
        let class = LinkClass { name: name.into(), bandwidth_bytes_per_s, latency_s };
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
        self.endpoint_class = LinkClass { name: "endpoint".into(), bandwidth_bytes_per_s, latency_s };
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
    /// `NL-N002` for a self-loop, an end or endpoint beyond the switches, a list of names of the wrong length;
    /// `NL-A009` beyond 2^31 items. Being disconnected is allowed here: [`Network::require_connected`] says so.
    pub fn build(mut self) -> Outcome<Network> {
        let mut faults = Faults::none();
        let n = self.switches;
        if self.cables.len() as u64 * 2 + self.endpoint_switch.len() as u64 * 2 > LIMIT || u64::from(n) > LIMIT {
            let sentence =
                format!("{} cables and {} endpoints exceed 2^31 links", self.cables.len(), self.endpoint_switch.len());
            return Err(Fault::say(&codes::TOO_LARGE, &self.label, sentence).into());
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
        let (offsets, links) = rows(&self.cables, n as usize);
        let mut endpoint_offsets = vec![0u32; n as usize + 1];
        for &s in &self.endpoint_switch {
            endpoint_offsets[s as usize + 1] += 1;
        }
        for s in 0..n as usize {
            endpoint_offsets[s + 1] += endpoint_offsets[s];
        }
        let mut endpoint_order: Vec<u32> = (0..self.endpoint_switch.len() as u32).collect();
        endpoint_order.sort_by_key(|&e| self.endpoint_switch[e as usize]);
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
            endpoint_class: self.endpoint_class,
            switch_names: self.switch_names,
            endpoint_names: self.endpoint_names,
            structure: self.structure,
        })
    }
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

struct Links {
    heads: Vec<u32>,
    tails: Vec<u32>,
    reverse: Vec<u32>,
    class_of: Vec<u16>,
}

/// CSR rows of sorted cables: first the links to lower switches, whose cables come in order of that switch, then those
/// to higher ones.
fn rows(cables: &[(u32, u32, u16)], switches: usize) -> (Vec<u32>, Links) {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parallel_cables_pair_up() {
        let mut b = NetworkBuilder::new("pair", 3);
        let c = b.class("x", 1.0, 0.0);
        b.cable(1, 0, c);
        b.cable(0, 1, c);
        b.cable(2, 1, c);
        b.endpoints_everywhere(2);
        let net = b.build().unwrap();
        assert_eq!(net.cables(), 3);
        assert_eq!(net.neighbours(1), [0, 0, 2]);
        for link in 0..net.switch_links() {
            let back = net.reverse()[link as usize];
            assert_eq!(net.reverse()[back as usize], link);
            assert_ne!(back, link);
            assert_eq!(net.heads()[link as usize], net.tails()[back as usize]);
        }
        assert_eq!(net.endpoints_of(2), [4, 5]);
        assert_eq!(net.ejection_link(0), 6 + 6);
        assert!(net.unreached().is_empty());
    }

    #[test]
    fn order_of_cables_does_not_matter() {
        let mut stream = crate::Stream::new(1, "cables");
        let mut ends: Vec<(u32, u32)> = Vec::new();
        while ends.len() < 500 {
            let (x, y) = (stream.below(40), stream.below(40));
            if x != y {
                ends.push((x, y));
            }
        }
        let build = |ends: &[(u32, u32)]| {
            let mut b = NetworkBuilder::new("any", 40);
            let classes = [b.class("x", 1.0, 0.0), b.class("y", 1.0, 0.0), b.class("z", 1.0, 0.0)];
            ends.iter().for_each(|&(x, y)| b.cable(x, y, classes[(x + y) as usize % 3]));
            b.build().unwrap()
        };
        let net = build(&ends);
        stream.shuffle(&mut ends);
        assert_eq!(net, build(&ends));
        // The definition of the link numbers: directed cables sorted by (tail, head, cable).
        ends.iter_mut().for_each(|c| *c = (c.0.min(c.1), c.0.max(c.1)));
        ends.sort_unstable();
        let mut directed: Vec<(u32, u32, usize)> =
            ends.iter().enumerate().flat_map(|(i, &(x, y))| [(x, y, i), (y, x, i)]).collect();
        directed.sort_unstable();
        for (link, &(tail, head, cable)) in directed.iter().enumerate() {
            assert_eq!((net.tails()[link], net.heads()[link]), (tail, head));
            let back = directed.iter().position(|d| d.2 == cable && d.0 == head).unwrap();
            assert_eq!(net.reverse()[link] as usize, back);
            assert_eq!(net.class_of()[link], ((tail + head) % 3) as u16);
        }
    }

    #[test]
    fn refuses_loops_and_strangers() {
        let mut b = NetworkBuilder::new("bad", 2);
        let c = b.class("x", 1.0, 0.0);
        b.cable(0, 0, c);
        b.endpoint(5);
        assert_eq!(b.build().unwrap_err().0.len(), 2);
        let apart = NetworkBuilder::new("apart", 2).build().unwrap();
        assert_eq!(apart.require_connected().unwrap_err().0[0].code, "NL-N001");
    }
}
