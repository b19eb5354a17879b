//! Makes a network from a labelled graph, or gives all reasons why that fails.

use std::collections::HashMap;

use netloom_model::network::Per;
use netloom_model::{LinkClass, NetworkBuilder, Outcome};

use super::{Defaults, Edge, Graph, Role};
use crate::codes;
use crate::limits::{MAX_CLASSES, MAX_LINKS, MAX_NODES};
use crate::network_file::Read;
use crate::sink::{Sink, Spot, quoted};

const OWN_SWITCH: &str = "a node that forwards is a switch with its own endpoint";

impl Graph {
    /// A node, unless there are too many. O(1).
    pub fn node(&mut self, name: String, role: Role, spot: Spot, sink: &mut Sink) -> Option<u32> {
        if self.nodes.len() as u64 >= MAX_NODES {
            sink.say(&codes::TOO_LARGE, spot, format!("more than {MAX_NODES} switches and endpoints"), "");
            return None;
        }
        self.nodes.push(super::Node { name, role, spot });
        Some(self.nodes.len() as u32 - 1)
    }

    /// An edge, unless there are too many.
    pub fn edge(&mut self, a: u32, b: u32, wire: &super::Wire, spot: Spot, sink: &mut Sink) -> Option<()> {
        self.edge_per(a, b, [(wire, Per::Direction); 2], spot, sink)
    }

    /// An edge with what has its bandwidth: from `a` to `b`, and back.
    pub fn edge_per(
        &mut self,
        a: u32,
        b: u32,
        [there, back]: [(&super::Wire, Per); 2],
        spot: Spot,
        sink: &mut Sink,
    ) -> Option<()> {
        if self.edges.len() as u64 >= MAX_LINKS {
            sink.say(&codes::TOO_LARGE, spot, format!("more than {MAX_LINKS} links"), "");
            return None;
        }
        let class = self.classes.number(there.0, there.1);
        let back = if back == there { class } else { self.classes.number(back.0, back.1) };
        let (Some(class), Some(back)) = (class, back) else {
            let sentence = format!("more than {MAX_CLASSES} different kinds of link (class, bandwidth, latency)");
            sink.say(&codes::TOO_LARGE, spot, sentence, "round the bandwidths and latencies");
            return None;
        };
        self.edges.push(Edge { a, b, class, back, one_way: self.directed, spot });
        Some(())
    }

    /// Checks and builds. O(nodes + edges log edges).
    ///
    /// # Errors
    /// Those in `sink`, and: nothing to read, self-loops, one-way links, endpoints that are not on exactly one switch,
    /// more endpoints than [`MAX_NODES`].
    pub fn finish(mut self, defaults: &Defaults, mut sink: Sink) -> Outcome<Read> {
        if !self.nodes.iter().any(|n| n.role == Role::Switch) && sink.is_empty() {
            sink.say(&codes::NOTHING, Spot::Whole, "the file names no switch", "check that the file is complete");
        }
        if self.edges.iter().any(|edge| edge.one_way) {
            self.pair_directions(&mut sink);
        }
        let (number, switches) = self.numbering();
        let mut host: Vec<Option<u32>> = vec![None; self.nodes.len()];
        let mut cables = Vec::new();
        let mut endpoint_wires = Vec::new();
        for edge in &self.edges {
            self.sort_edge(edge, &number, &mut host, &mut cables, &mut endpoint_wires, &mut sink);
        }
        for &(end, switch) in &self.homes {
            host[end as usize] = Some(number[switch as usize]);
        }
        for (i, node) in self.nodes.iter().enumerate() {
            if node.role == Role::Endpoint && host[i].is_none() && sink.is_empty() {
                let sentence = format!("endpoint {} has no link to a switch", quoted(&node.name));
                sink.say(&codes::ENDPOINT_LINKS, node.spot, sentence, "link it to its switch");
            }
        }
        let own = self.nodes.len() as u32 - switches;
        if own == 0 && u64::from(switches) * u64::from(defaults.per_switch) > MAX_NODES {
            let sentence = format!("{switches} switches with p={} exceed {MAX_NODES} endpoints", defaults.per_switch);
            sink.say(&codes::TOO_LARGE, Spot::Whole, sentence, "lower p");
        }
        if !sink.is_empty() {
            return Err(sink.fail());
        }
        self.build(sink.place(), defaults, switches, &host, cables, &endpoint_wires)
    }

    /// Number of each node among those of its role, and the number of switches.
    fn numbering(&self) -> (Vec<u32>, u32) {
        let mut next = [0u32; 2];
        let number = self
            .nodes
            .iter()
            .map(|n| {
                let counter = &mut next[usize::from(n.role == Role::Endpoint)];
                *counter += 1;
                *counter - 1
            })
            .collect();
        (number, next[0])
    }

    fn sort_edge(
        &self,
        edge: &Edge,
        number: &[u32],
        host: &mut [Option<u32>],
        cables: &mut Vec<[u32; 4]>,
        endpoint_wires: &mut Vec<u32>,
        sink: &mut Sink,
    ) {
        let (a, b) = (edge.a as usize, edge.b as usize);
        let name = |i: usize| quoted(&self.nodes[i].name);
        if a == b {
            let sentence = format!("a link joins {} to itself", name(a));
            return sink.say(&codes::SELF_LOOP, edge.spot, sentence, "remove the link, or correct one end");
        }
        let (end, switch) = match (self.nodes[a].role, self.nodes[b].role) {
            (Role::Switch, Role::Switch) => return cables.push([number[a], number[b], edge.class, edge.back]),
            (Role::Endpoint, Role::Switch) => (a, b),
            (Role::Switch, Role::Endpoint) => (b, a),
            (Role::Endpoint, Role::Endpoint) => {
                let sentence = format!("a link joins the endpoints {} and {}", name(a), name(b));
                return sink.say(&codes::ENDPOINT_LINKS, edge.spot, sentence, OWN_SWITCH);
            }
        };
        if host[end].is_some() {
            let sentence = format!("endpoint {} has a second link, to {}", name(end), name(switch));
            return sink.say(&codes::ENDPOINT_LINKS, edge.spot, sentence, OWN_SWITCH);
        }
        host[end] = Some(number[switch]);
        endpoint_wires.push(edge.class);
        if edge.back != edge.class {
            endpoint_wires.push(edge.back);
        }
    }

    fn build(
        mut self,
        place: &str,
        defaults: &Defaults,
        switches: u32,
        host: &[Option<u32>],
        cables: Vec<[u32; 4]>,
        endpoint_wires: &[u32],
    ) -> Outcome<Read> {
        let mut builder = NetworkBuilder::new(place, switches);
        let sorted = self.sorted_classes();
        let mut class_of = vec![0u16; sorted.len()];
        let mut used = vec![false; sorted.len()];
        cables.iter().for_each(|c| (used[c[2] as usize], used[c[3] as usize]) = (true, true));
        for &i in sorted.iter().filter(|&&i| used[i as usize]) {
            let wire = self.classes.get(i).clone();
            class_of[i as usize] = builder.class_of(LinkClass {
                name: wire.class,
                bandwidth_bytes_per_s: wire.bandwidth_bytes_per_s,
                latency_s: wire.latency_s,
                per: self.classes.per(i),
            });
        }
        self.note_kinds(&cables);
        for [a, b, there, back] in cables {
            builder.cable_each_way(a, b, class_of[there as usize], class_of[back as usize]);
        }
        let own = host.iter().flatten().count();
        if own == 0 {
            builder.endpoints_everywhere(defaults.per_switch);
        }
        host.iter().flatten().for_each(|&s| builder.endpoint(s));
        let (bandwidth, latency, per) = self.endpoint_link(defaults, endpoint_wires);
        builder.endpoint_link_per(bandwidth, latency, per);
        let (switch_names, endpoint_names) = self.names();
        builder.switch_names(switch_names);
        builder.endpoint_names(endpoint_names);
        *builder.structure() = std::mem::take(&mut self.structure);
        let (network, made_by) = self.said.apply(builder.build()?, &mut self.notes);
        Ok(Read { network, notes: self.notes, made_by })
    }

    fn sorted_classes(&self) -> Vec<u32> {
        let mut order: Vec<u32> = (0..self.classes.len()).collect();
        order.sort_by(|&i, &j| {
            let (x, y) = (self.classes.get(i), self.classes.get(j));
            x.class
                .cmp(&y.class)
                .then(x.bandwidth_bytes_per_s.total_cmp(&y.bandwidth_bytes_per_s))
                .then(x.latency_s.total_cmp(&y.latency_s))
                .then(self.classes.per(i).cmp(&self.classes.per(j)))
        });
        order
    }

    /// What models of links that are not full duplex, or differ by direction, count.
    fn note_kinds(&mut self, cables: &[[u32; 4]]) {
        let per = |of: Per| cables.iter().filter(|c| self.classes.per(c[2]) == of).count();
        let (half, fat) = (per(Per::Cable), per(Per::Flow));
        let unlike = cables.iter().filter(|c| c[2] != c[3]).count();
        self.notes.extend((half > 0).then(|| half_duplex(&format!("{half} cables between switches are"))));
        self.notes.extend((fat > 0).then(|| unshared(&format!("{fat} cables between switches"))));
        if unlike > 0 {
            self.notes.push(format!(
                "{unlike} cables differ in bandwidth, latency or class by direction; each direction keeps its own, and \
                 bounds and bisections take one of them"
            ));
        }
    }

    /// Bandwidth and latency of endpoint links: the model has one class for all, so the slowest if the file has
    /// several.
    fn endpoint_link(&mut self, defaults: &Defaults, wires: &[u32]) -> (f64, f64, Per) {
        let mut kinds = wires.to_vec();
        kinds.sort_unstable();
        kinds.dedup();
        let pers: Vec<Per> = kinds.iter().map(|&k| self.classes.per(k)).collect();
        let wires: Vec<_> = kinds.iter().map(|&k| self.classes.get(k)).collect();
        let (Some(first), Some(&per)) = (wires.first(), pers.first()) else {
            let (bandwidth, latency) =
                defaults.endpoint.unwrap_or((defaults.wire.bandwidth_bytes_per_s, defaults.wire.latency_s));
            return (bandwidth, latency, Per::Direction);
        };
        let bandwidth = wires.iter().map(|w| w.bandwidth_bytes_per_s).fold(first.bandwidth_bytes_per_s, f64::min);
        let latency = wires.iter().map(|w| w.latency_s).fold(first.latency_s, f64::max);
        let alike = pers.iter().all(|p| *p == per);
        // Half duplex is the slowest of the three.
        let per = match alike {
            true => per,
            false if pers.contains(&Per::Cable) => Per::Cable,
            false => Per::Direction,
        };
        let differ = wires.iter().any(|w| w.bandwidth_bytes_per_s != bandwidth || w.latency_s != latency);
        if differ || !alike {
            let slowest = if alike { "" } else { " that share their bandwidth most" };
            self.notes.push(format!(
                "endpoint links differ in the file; all are read as the slowest, {bandwidth} B/s and {latency} s{slowest}"
            ));
        }
        match per {
            Per::Direction => {}
            Per::Cable => self.notes.push(half_duplex("links of endpoints are")),
            Per::Flow => self.notes.push(unshared("links of endpoints")),
        }
        (bandwidth, latency, per)
    }

    /// Names of switches and endpoints; none if they only count, so an unnamed network stays unnamed.
    fn names(&mut self) -> (Vec<String>, Vec<String>) {
        let mut names = (Vec::new(), Vec::new());
        for node in std::mem::take(&mut self.nodes) {
            match node.role {
                Role::Switch => names.0.push(node.name),
                Role::Endpoint => names.1.push(node.name),
            }
        }
        let counts = |names: &[String], letter: &str| {
            names.iter().enumerate().all(|(i, n)| *n == i.to_string())
                || names.iter().enumerate().all(|(i, n)| *n == format!("{letter}{i}"))
        };
        if counts(&names.0, "s") {
            names.0.clear();
        }
        if counts(&names.1, "e") {
            names.1.clear();
        }
        names
    }

    /// Makes cables of opposite one-way edges: of the same class first, then in the order of the file.
    fn pair_directions(&mut self, sink: &mut Sink) {
        let mut waiting: HashMap<(u32, u32, u32), Vec<Edge>> = HashMap::new();
        let mut kept = Vec::with_capacity(self.edges.len() / 2);
        for edge in std::mem::take(&mut self.edges) {
            if edge.a == edge.b || !edge.one_way {
                kept.push(edge);
                continue;
            }
            match waiting.get_mut(&(edge.b, edge.a, edge.class)).and_then(Vec::pop) {
                Some(first) => kept.push(first),
                None => waiting.entry((edge.a, edge.b, edge.class)).or_default().push(edge),
            }
        }
        let mut alone: Vec<Edge> = waiting.into_values().flatten().collect();
        alone.sort_by_key(|e| (e.a, e.b, e.class));
        let mut rest: HashMap<(u32, u32), std::collections::VecDeque<Edge>> = HashMap::new();
        for edge in alone {
            match rest.get_mut(&(edge.b, edge.a)).and_then(std::collections::VecDeque::pop_front) {
                Some(first) => kept.push(Edge { back: edge.class, ..first }),
                None => rest.entry((edge.a, edge.b)).or_default().push_back(edge),
            }
        }
        let mut alone: Vec<Edge> = rest.into_values().flatten().collect();
        alone.sort_by_key(|e| (e.a, e.b, e.class));
        for edge in alone {
            let name = |i: u32| quoted(&self.nodes[i as usize].name);
            let sentence = format!("the link from {} to {} has no reverse link", name(edge.a), name(edge.b));
            sink.say(&codes::ONE_WAY, edge.spot, sentence, "list both directions, or make the graph undirected");
        }
        self.edges = kept;
    }
}

fn half_duplex(what: &str) -> String {
    format!(
        "{what} half duplex (SHARED): both directions share the bandwidth in simulated time; loads, bounds and bisections \
         count them as full duplex, models of packets refuse them"
    )
}

fn unshared(what: &str) -> String {
    format!(
        "{what} give every flow their whole bandwidth (FATPIPE) in simulated time; loads and bisections count them as \
         links that flows share, offered load refuses them, and packets those that are slower than endpoints"
    )
}
