//! The form of `ibnetdiscover -p`: a line per port of every device.
//!
//! ```text
//! CA     7  1 0x0000000000100005 4x SDR - SW     3  1 0x0000000000200001 ( 'hostC' - 'leaf1' )
//! SW     3  5 0x0000000000200001 4x SDR                                    'leaf1'
//! ```

use super::devices::{Device, Devices, Kind, Name, Port, guid, lid, port_number};
use super::rate::Rate;
use crate::codes;
use crate::sink::{Sink, Spot};
use crate::text::lines;

const KINDS: &[(&str, Kind)] = &[("SW", Kind::Switch), ("CA", Kind::Adapter), ("RT", Kind::Adapter)];
const LINE: &str = "a port such as SW 3 1 0x0002c903000a0b28 4x EDR - CA 7 1 0x0002c903000a0c01 ( 'leaf1' - 'n1' )";

/// True for the first line of a file in this form.
pub fn begins(first: &str) -> bool {
    let mut words = first.split_whitespace();
    words.next().is_some_and(|word| KINDS.iter().any(|kind| kind.0 == word)) && words.nth(2).and_then(guid).is_some()
}

struct End {
    kind: Kind,
    lid: u32,
    port: u32,
    guid: u64,
}

/// O(text).
pub fn read(text: &str, devices: &mut Devices, sink: &mut Sink) {
    for (number, line) in lines(text) {
        let (spot, line) = (Spot::At(number, 1), line.trim());
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let Some((end, port, name)) = entry(line, spot) else {
            sink.must(&codes::SYNTAX, spot, "", LINE, line, super::HINT);
            continue;
        };
        // Ports of a device are together; an adapter has a GUID per port, a switch one for all.
        if devices.all.last().is_none_or(|device| device.guid != end.guid) {
            let lid = if end.kind == Kind::Switch { end.lid } else { 0 };
            let device = Device {
                kind: end.kind,
                guid: end.guid,
                name: name.into(),
                lid,
                ports: end.port,
                links: Vec::new(),
                spot,
            };
            if !devices.device(device, sink) {
                return;
            }
        }
        if let Some(device) = devices.all.last_mut() {
            device.ports = device.ports.max(end.port);
        }
        if let Some(port) = port {
            devices.port(port, sink);
        }
    }
}

/// The port of a line, with its cable if it has one, and the name of its device.
fn entry(line: &str, spot: Spot) -> Option<(End, Option<Port>, &str)> {
    let (head, names) = line.split_at_checked(line.find(['(', '\''])?)?;
    let words: Vec<&str> = head.split_whitespace().take(16).collect();
    let own = end(words.get(..4)?)?;
    let rate = || Rate::of(words.get(4)?, words.get(5)?);
    let Some(dash) = words.iter().position(|word| *word == "-") else {
        return Some((own, None, names.strip_prefix('\'')?.strip_suffix('\'')?));
    };
    let peer = end(words.get(dash + 1..dash + 5)?)?;
    let names = names.strip_prefix('(')?.strip_suffix(')')?.trim();
    let (name, _) = names.strip_prefix('\'')?.strip_suffix('\'')?.split_once("' - '")?;
    let to = match peer.kind {
        Kind::Switch => Name::Node(peer.guid),
        Kind::Adapter => Name::Port(peer.guid),
    };
    let (guid, lid) = if own.kind == Kind::Adapter { (own.guid, own.lid) } else { (0, 0) };
    let port = Port { number: own.port, guid, lid, lmc: 0, peer: (to, peer.port), rate: rate()?, better: None, spot };
    Some((own, Some(port), name))
}

fn end(words: &[&str]) -> Option<End> {
    let &[kind, own_lid, port, own_guid] = words else { return None };
    let kind = KINDS.iter().find(|k| k.0 == kind)?.1;
    Some(End { kind, lid: lid(own_lid)?, port: port_number(port)?, guid: guid(own_guid)? })
}
