//! What a format did not keep of a network: found by reading what was written.

use std::collections::BTreeSet;

use netloom_model::Network;

/// What `again` lacks of `network`, a few words each; nothing if they answer alike. O(links + endpoints).
pub fn lost(network: &Network, again: &Network) -> Vec<String> {
    let (a, b) = (network, again);
    let mut out = Vec::new();
    for (what, x, y) in [
        ("switches", a.switches(), b.switches()),
        ("endpoints", a.endpoints(), b.endpoints()),
        ("cables", a.cables(), b.cables()),
    ] {
        if x != y {
            out.push(format!("{x} {what} (it has {y})"));
        }
    }
    let ends = out.is_empty() && a.heads() == b.heads() && a.offsets() == b.offsets();
    if out.is_empty() && (!ends || a.endpoint_switch() != b.endpoint_switch()) {
        out.push("the order of switches, links or endpoints".into());
    }
    out.extend(if ends { kinds(a, b) } else { sets(a, b) });
    out.extend(structure(a, b));
    if a.seats() != b.seats() {
        out.push("seats of endpoints".into());
    }
    if a.has_names() && names(a) != names(b) {
        out.push("names".into());
    }
    if a.failed().is_some() && b.failed().is_none() {
        out.push("what is out of service".into());
    }
    if !a.tables().is_empty() {
        out.push("forwarding tables".into());
    }
    if a.subnet().is_some() && b.subnet().is_none() {
        out.push("GUIDs, LIDs and ports".into());
    }
    out
}

/// What distinguishes a link: bandwidth, latency, how its flows share it, name of its class.
type LinkKind = (u64, u64, u8, String);

fn kind(network: &Network, link: u32) -> LinkKind {
    let class = network.class(link);
    (class.bandwidth_bytes_per_s.to_bits(), class.latency_s.to_bits(), class.per as u8, class.name.clone())
}

const KINDS: [&str; 4] = ["bandwidths", "latencies", "which links are half duplex or not shared", "classes of links"];

/// What kinds of links are lost where links cannot be told one by one: a bandwidth, latency, ... of one network alone.
fn sets(a: &Network, b: &Network) -> Vec<String> {
    let all = |network: &Network| -> [BTreeSet<String>; 4] {
        let mut sets: [BTreeSet<String>; 4] = Default::default();
        let mut seen = BTreeSet::new();
        for link in (0..network.switch_links()).filter(|link| seen.insert(network.class_of()[*link as usize])) {
            let (bandwidth, latency, per, name) = kind(network, link);
            sets.iter_mut().zip([bandwidth.to_string(), latency.to_string(), per.to_string(), name]).for_each(
                |(set, value)| {
                    set.insert(value);
                },
            );
        }
        if network.endpoints() > 0 {
            let (bandwidth, latency, ..) = kind(network, network.injection_link(0));
            sets[0].insert(format!("endpoint {bandwidth}"));
            sets[1].insert(format!("endpoint {latency}"));
        }
        sets
    };
    let (x, y) = (all(a), all(b));
    (0..KINDS.len()).filter(|at| x[*at] != y[*at]).map(|at| KINDS[at].to_string()).collect()
}

/// Bandwidths, latencies and classes of links, of parallel ones in any order.
fn kinds(a: &Network, b: &Network) -> Vec<String> {
    let (mut bandwidth, mut latency, mut per, mut name) = (false, false, false, false);
    let mut compare = |x: &LinkKind, y: &LinkKind, named: bool| {
        bandwidth |= x.0 != y.0;
        latency |= x.1 != y.1;
        per |= x.2 != y.2;
        name |= named && x.3 != y.3;
    };
    let mut at = 0;
    while at < a.switch_links() {
        let same = |link: u32| {
            let ends = |link: u32| (a.tails()[link as usize], a.heads()[link as usize]);
            link < a.switch_links() && ends(link) == ends(at)
        };
        let end = (at + 1..).find(|link| !same(*link)).unwrap_or(at + 1);
        let sorted = |network: &Network| {
            let mut kinds: Vec<LinkKind> = (at..end).map(|link| kind(network, link)).collect();
            kinds.sort();
            kinds
        };
        sorted(a).iter().zip(&sorted(b)).for_each(|(x, y)| compare(x, y, true));
        at = end;
    }
    if a.endpoints() > 0 && b.endpoints() > 0 {
        compare(&kind(a, a.injection_link(0)), &kind(b, b.injection_link(0)), false);
    }
    let found = [bandwidth, latency, per, name];
    found.iter().zip(KINDS).filter(|(lost, _)| **lost).map(|(_, words)| words.to_string()).collect()
}

fn structure(a: &Network, b: &Network) -> Vec<String> {
    let (x, y) = (a.structure(), b.structure());
    let parts = [
        (x.grid != y.grid, "its grid"),
        (x.levels != y.levels, "levels of switches"),
        (x.tree != y.tree, "the shape of the tree"),
        (x.groups != y.groups, "groups of switches"),
        (x.chassis != y.chassis, "chassis of switches"),
        (x.rails != y.rails, "rails"),
        (x.fly != y.fly, "that its links go one way"),
        (x.jumps != y.jumps, "jumps of the circulant"),
        ((x.ring, x.transitive, x.bisection_cables) != (y.ring, y.transitive, y.bisection_cables), "its symmetry"),
        (x.family != y.family, "its family"),
    ];
    parts.iter().filter(|(lost, _)| *lost).map(|(_, words)| words.to_string()).collect()
}

fn names(network: &Network) -> Vec<String> {
    let switches = (0..network.switches()).map(|s| network.switch_name(s));
    switches.chain((0..network.endpoints()).map(|e| network.endpoint_name(e))).collect()
}
