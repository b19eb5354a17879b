//! A network with what is behind its endpoints as switches and cables, for questions about cuts.

use std::collections::HashMap;

use crate::fault::{Fault, Outcome, codes};
use crate::machine::closed_hosts;
use crate::network::{LinkClass, Network, NetworkBuilder};
use crate::node::Node;
use crate::seats::Place;

/// The network in which every machine in use is a switch with a cable per port, every unit of a level of limited bandwidth is a
/// switch below it, direct links join those of their seats, and rank `r` is endpoint `r` on the innermost one: its own link costs nothing. A rank may use any port of
/// its machine there, so that what holds for all cuts holds for the nearest ports too. O(network + ranks · levels).
///
/// # Errors
/// `NL-M001` for a place on no endpoint; those of [`NetworkBuilder::build`].
pub fn with_insides(network: &Network, node: Option<&Node>, places: &[Place]) -> Outcome<Network> {
    if let Some(rank) = places.iter().position(|place| place.endpoint >= network.endpoints()) {
        let expected = format!("an endpoint in 0..{} (exclusive)", network.endpoints());
        let (at, got) = (format!("mapping[{rank}]"), places[rank].endpoint);
        return Err(Fault::new(&codes::MAPPING_RANGE, at, expected, got).into());
    }
    let hosts = closed_hosts(network, node);
    let (mut next, mut of_host, mut of_unit) = (network.switches(), HashMap::new(), HashMap::new());
    let mut number = || {
        next += 1;
        next - 1
    };
    let (mut ports, mut units, mut homes) = (Vec::new(), Vec::new(), Vec::new());
    for &place in places {
        let host = hosts.as_ref().map_or(place.endpoint, |hosts| hosts.host(place.endpoint));
        let mut at = *of_host.entry(host).or_insert_with(|| {
            let made = number();
            match &hosts {
                Some(hosts) => ports.extend(hosts.endpoints(host).iter().map(|port| (made, *port))),
                None => ports.push((made, place.endpoint)),
            }
            made
        });
        for (node, up) in node.iter().flat_map(|node| node.ups(place).map(move |up| (node, up))) {
            let level = node.class_of(up);
            let name = node.level_of(up).map_or("", |level| &node.levels()[level].name);
            if level.bandwidth_bytes_per_s < f64::INFINITY {
                let around = at;
                at = *of_unit.entry(up).or_insert_with(|| {
                    let made = number();
                    units.push((made, around, name, level));
                    made
                });
            }
        }
        homes.push(at);
    }
    let mut builder = NetworkBuilder::new(network.label(), next);
    let end = network.endpoint_class();
    for class in network.classes() {
        builder.class_of(class.clone());
    }
    let class_of = network.class_of();
    for (link, (&tail, &head)) in network.tails().iter().zip(network.heads()).enumerate() {
        if tail < head {
            builder.cable_each_way(tail, head, class_of[link], class_of[network.reverse()[link] as usize]);
        }
    }
    let nic = builder.class_of(LinkClass { name: "NIC".into(), ..end.clone() });
    ports.iter().for_each(|&(host, port)| builder.cable(network.endpoint_switch()[port as usize], host, nic));
    for (unit, around, name, level) in units {
        let class = builder.class(name, level.bandwidth_bytes_per_s, level.latency_s);
        builder.cable(around, unit, class);
    }
    if let Some(node) = node {
        direct(&mut builder, node, places, &homes);
    }
    homes.iter().for_each(|home| builder.endpoint(*home));
    builder.build()
}

/// Cables for the direct links between places in use. Both ways get the faster one's bandwidth, as cuts count it.
fn direct(builder: &mut NetworkBuilder, node: &Node, places: &[Place], homes: &[u32]) {
    let mut of_seat = HashMap::new();
    for (place, home) in places.iter().zip(homes) {
        of_seat.insert((node.of(place.endpoint), node.seat(*place)), *home);
    }
    let mut nodes: Vec<u32> = places.iter().map(|place| node.of(place.endpoint)).collect();
    nodes.sort_unstable();
    nodes.dedup();
    for (number, link) in nodes.iter().flat_map(|number| node.direct().iter().map(move |link| (*number, link))) {
        let (a, b) = (of_seat.get(&(number, link.seats.0)), of_seat.get(&(number, link.seats.1)));
        if let (Some(a), Some(b)) = (a, b)
            && a != b
        {
            let bandwidth = link.bytes_per_s.iter().flatten().copied().fold(0.0, f64::max);
            let class = builder.class("direct link", bandwidth, link.latency_s);
            builder.cable(*a, *b, class);
        }
    }
}
