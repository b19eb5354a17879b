//! Makes a network with the numbers of its subnet from listed devices.

use std::collections::HashMap;

use netloom_model::{Hosts, NetworkBuilder, OtherDevice, Outcome, Subnet};

use super::devices::{At, Device, DeviceKind, Devices, HINT};
use super::levels::levels;
use super::natural::compare;
use super::notes;
use super::rate::Rate;
use crate::codes;
use crate::limits::MAX_CLASSES;
use crate::network_file::Read;
use crate::sink::{Sink, Spot, quoted};

/// Part of the description of what computes inside a switch (SHARP), which `ibnetdiscover` lists as an adapter.
pub const AGGREGATION: &str = "Aggregation Node";

/// A cable between switches: their numbers, the class, both ports.
type FabricCable = (u32, u32, Rate, u32, u32);

/// An adapter's port and the switch that it is on.
struct AdapterEnd {
    at: At,
    switch: u32,
    switch_port: u32,
    rate: Rate,
}

/// O(links log links).
pub fn network(devices: &Devices, latency_s: f64, mut sink: Sink) -> Outcome<Read> {
    let switches = in_order(devices);
    if switches.is_empty() {
        sink.say(&codes::NOTHING, Spot::Whole, "the file lists no switch", HINT);
        return Err(sink.fail());
    }
    let found = devices.cables(&mut sink);
    if !sink.is_empty() {
        return Err(sink.fail());
    }
    let mut number = vec![u32::MAX; devices.all.len()];
    (0u32..).zip(&switches).for_each(|(n, &d)| number[d as usize] = n);
    let (mut cables, mut ends, mut others): (Vec<FabricCable>, Vec<AdapterEnd>, Vec<OtherDevice>) = Default::default();
    let best = best(devices, &number, &found);
    let mut notes: Vec<String> = notes::silent(devices).into_iter().chain(notes::unequal(devices, &found)).collect();
    for (a, b) in found {
        let rate = slower(devices, a, b);
        let port = |at: At| devices.at(at).1.number;
        let of = |at: At| number[at.0 as usize];
        match (devices.at(a).0.kind, devices.at(b).0.kind) {
            (DeviceKind::Switch, DeviceKind::Switch) if of(a) == of(b) => {
                let sentence = format!("a cable joins two ports of {}", quoted(&devices.at(a).0.name));
                sink.say(&codes::SELF_LOOP, devices.at(a).1.spot, sentence, "remove the cable");
            }
            (DeviceKind::Switch, DeviceKind::Switch) => {
                let (low, high) = if of(a) < of(b) { (a, b) } else { (b, a) };
                cables.push((of(low), of(high), rate, port(low), port(high)));
            }
            (DeviceKind::Adapter, DeviceKind::Adapter) => {
                let names = [a, b].map(|at| quoted(&devices.at(at).0.name)).join(" to ");
                let sentence = format!("a cable joins {names} without a switch");
                sink.say(&codes::ENDPOINT_LINKS, devices.at(a).1.spot, sentence, "leave these two out");
            }
            (kind, _) => {
                let (end, switch) = if kind == DeviceKind::Adapter { (a, b) } else { (b, a) };
                if devices.at(end).0.name.contains(AGGREGATION) {
                    let own = devices.at(end).1;
                    let port_of_switch = port(switch);
                    others.push(OtherDevice { lid: own.lid, guid: own.guid, switch: of(switch), port_of_switch });
                } else {
                    ends.push(AdapterEnd { at: end, switch: of(switch), switch_port: port(switch), rate });
                }
            }
        }
    }
    if !sink.is_empty() {
        return Err(sink.fail());
    }
    if !others.is_empty() {
        let nodes = if others.len() == 1 { "node of a switch is" } else { "nodes of switches are" };
        notes.push(format!("{} aggregation {nodes} left out", others.len()));
    }
    let names = end_names(devices, &mut ends);
    let hosts = hosts(devices, &ends);
    notes.extend(notes::several_ports(&hosts));
    cables.sort_unstable();
    let mut builder = NetworkBuilder::new(sink.place(), switches.len() as u32);
    let mut rates: Vec<Rate> = cables.iter().map(|cable| cable.2).collect();
    rates.sort_unstable();
    rates.dedup();
    debug_assert!(rates.len() <= MAX_CLASSES);
    let classes: HashMap<Rate, u16> =
        rates.iter().map(|r| (*r, builder.class(&r.name(), r.bytes_per_s(), latency_s))).collect();
    cables.iter().for_each(|&(a, b, rate, ..)| builder.cable(a, b, classes[&rate]));
    ends.iter().for_each(|end| builder.endpoint(end.switch));
    if let Some(rate) = most_frequent(&ends) {
        builder.endpoint_link(rate.bytes_per_s(), latency_s);
        let others = ends.iter().filter(|end| end.rate != rate).count();
        let links = if others == 1 { "endpoint link is" } else { "endpoint links are" };
        if others > 0 {
            notes.push(format!("{others} {links} not {}; all are read as {0}", rate.name()));
        }
    }
    builder.switch_names(switch_names(devices, &switches));
    builder.endpoint_names(names);
    let network = builder.build()?.with_hosts(partition(&hosts))?;
    let levels = levels(&network);
    let subnet = Subnet { best, ..numbers(devices, &switches, &ends, others, &ports(&network, &cables)) };
    let mut network = network.with_subnet(subnet);
    if let Some(levels) = levels {
        network = network.with_levels(levels);
    }
    Ok(Read { network, notes, made_by: None })
}

fn slower(devices: &Devices, a: At, b: At) -> Rate {
    let [a, b] = [a, b].map(|at| devices.at(at).1.rate);
    if b.is_below(a) { b } else { a }
}

/// Switch, port and bandwidth that cables could carry, if both ends say it or one says that it is more than they do.
/// O(cables).
fn best(devices: &Devices, number: &[u32], cables: &[(At, At)]) -> Vec<(u32, u32, f64)> {
    let mut found = Vec::new();
    for &(a, b) in cables {
        let rate = slower(devices, a, b);
        let best = match [a, b].map(|at| devices.at(at).1.best) {
            [Some(x), Some(y)] if x.is_below(y) => y,
            [Some(x), Some(_)] => x,
            [Some(one), None] | [None, Some(one)] if rate.is_below(one) => one,
            _ => continue,
        };
        let switches = [a, b].into_iter().filter(|at| devices.at(*at).0.kind == DeviceKind::Switch);
        found.extend(switches.map(|at| (number[at.0 as usize], devices.at(at).1.number, best.bytes_per_s())));
    }
    found
}

/// Switches in the order of names, then GUIDs.
fn in_order(devices: &Devices) -> Vec<u32> {
    let device = |d: &u32| &devices.all[*d as usize];
    let mut found: Vec<u32> = (0..devices.all.len() as u32).filter(|d| device(d).kind == DeviceKind::Switch).collect();
    found.sort_by(|a, b| compare(&device(a).name, &device(b).name).then(device(a).guid.cmp(&device(b).guid)));
    found
}

/// Names of switches: their description where no other switch has it, else their node name such as
/// `S-0002c903000a0b28`.
fn switch_names(devices: &Devices, switches: &[u32]) -> Vec<String> {
    let mut uses: HashMap<&str, u32> = HashMap::new();
    switches.iter().for_each(|d| *uses.entry(&devices.all[*d as usize].name).or_default() += 1);
    let name = |d: &u32| {
        let device = &devices.all[*d as usize];
        let own = !device.name.is_empty() && uses[device.name.as_str()] == 1;
        if own { device.name.clone() } else { format!("S-{:016x}", device.guid) }
    };
    switches.iter().map(name).collect()
}

/// The host of an adapter: the first word of a description such as `cn001 HCA-1` or `cn001`. A longer one, such as the
/// default of the device's maker, names no host.
pub fn host(device: &Device) -> String {
    let words: Vec<&str> = device.name.split_whitespace().take(3).collect();
    match words[..] {
        [host] | [host, _] => host.to_string(),
        _ => format!("H-{:016x}", device.guid),
    }
}

/// Sorts by host, adapter and port; names `host`, or `host:0`, `host:1`, ... of a host with several ports.
fn end_names(devices: &Devices, ends: &mut [AdapterEnd]) -> Vec<String> {
    let of = |end: &AdapterEnd| devices.at(end.at);
    ends.sort_by(|x, y| {
        let ((a, p), (b, q)) = (of(x), of(y));
        compare(&host(a), &host(b))
            .then_with(|| compare(&a.name, &b.name))
            .then(a.guid.cmp(&b.guid))
            .then(p.number.cmp(&q.number))
    });
    let hosts = hosts(devices, ends);
    let mut names = Vec::with_capacity(hosts.len());
    for group in hosts.chunk_by(|a, b| a == b) {
        match group {
            [host] => names.push(host.clone()),
            _ => names.extend(group.iter().enumerate().map(|(port, host)| format!("{host}:{port}"))),
        }
    }
    names
}

fn hosts(devices: &Devices, ends: &[AdapterEnd]) -> Vec<String> {
    ends.iter().map(|end| host(devices.at(end.at).0)).collect()
}

/// Ports that follow each other with one host's name are that host's.
fn partition(hosts: &[String]) -> Hosts {
    let groups: Vec<&[String]> = hosts.chunk_by(|a, b| a == b).collect();
    let numbers: Vec<u32> = (0..).zip(&groups).flat_map(|(host, own)| own.iter().map(move |_| host)).collect();
    Hosts::of(&numbers).with_names(groups.iter().map(|own| own[0].clone()).collect())
}

/// The most frequent rate, of equally frequent ones the fastest.
fn most_frequent(ends: &[AdapterEnd]) -> Option<Rate> {
    let mut rates: Vec<Rate> = ends.iter().map(|end| end.rate).collect();
    rates.sort_unstable();
    rates.chunk_by(|a, b| a == b).max_by_key(|same| same.len()).map(|same| same[0])
}

/// Port of every switch link; `cables` are sorted as the network sorts them.
fn ports(network: &netloom_model::Network, cables: &[FabricCable]) -> Vec<u32> {
    let mut ports = vec![0; network.switch_links() as usize];
    let up = (0..network.switch_links()).filter(|l| network.tails()[*l as usize] < network.heads()[*l as usize]);
    for (link, &(.., low, high)) in up.zip(cables) {
        ports[link as usize] = low;
        ports[network.reverse()[link as usize] as usize] = high;
    }
    ports
}

fn numbers(
    devices: &Devices,
    switches: &[u32],
    ends: &[AdapterEnd],
    others: Vec<OtherDevice>,
    ports: &[u32],
) -> Subnet {
    let switch = |d: &u32| &devices.all[*d as usize];
    let port = |end: &AdapterEnd| devices.at(end.at).1;
    Subnet {
        switch_guid: switches.iter().map(|d| switch(d).guid).collect(),
        switch_lid: switches.iter().map(|d| switch(d).lid).collect(),
        switch_ports: switches.iter().map(|d| switch(d).ports).collect(),
        endpoint_node: ends.iter().map(|end| devices.at(end.at).0.guid).collect(),
        endpoint_guid: ends.iter().map(|end| port(end).guid).collect(),
        endpoint_lid: ends.iter().map(|end| port(end).lid).collect(),
        endpoint_lmc: ends.iter().map(|end| port(end).lmc).collect(),
        endpoint_port: ends.iter().map(|end| port(end).number).collect(),
        endpoint_bytes_per_s: ends.iter().map(|end| end.rate.bytes_per_s()).collect(),
        port_of_endpoint: ends.iter().map(|end| end.switch_port).collect(),
        port_of_link: ports.to_vec(),
        best: Vec::new(),
        others,
    }
}
