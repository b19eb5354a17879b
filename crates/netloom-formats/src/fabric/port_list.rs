//! The form of `ibnetdiscover -p`: a line per port of every device.
//!
//! ```text
//! CA     7  1 0x0000000000100005 4x SDR - SW     3  1 0x0000000000200001 ( 'hostC' - 'leaf1' )
//! SW     3  5 0x0000000000200001 4x SDR                                    'leaf1'
//! ```

use super::devices::{Device, DeviceKind, Devices, Name, Port, Tool, guid};
use super::line::{Complaints, LinePart, WrongPart, lid, port_number, rate_of};
use crate::sink::{Sink, Spot};
use crate::text::lines;

const KINDS: &[(&str, DeviceKind)] =
    &[("SW", DeviceKind::Switch), ("CA", DeviceKind::Adapter), ("RT", DeviceKind::Adapter)];
const LINE: &str = "a port such as SW 3 1 0x0002c903000a0b28 4x EDR - CA 7 1 0x0002c903000a0c01 ( 'leaf1' - 'n1' )";

/// True for the first line of a file in this form.
pub fn begins(first: &str) -> bool {
    let mut words = first.split_whitespace();
    words.next().is_some_and(|word| KINDS.iter().any(|kind| kind.0 == word)) && words.nth(2).and_then(guid).is_some()
}

struct ListedEnd {
    kind: DeviceKind,
    lid: u32,
    port: u32,
    guid: u64,
}

/// O(text).
pub fn read(text: &str, devices: &mut Devices, sink: &mut Sink) {
    devices.tool = Tool::PortList;
    let mut complaints = Complaints::default();
    for (number, whole) in lines(text) {
        let (spot, line) = (Spot::At(number, 1), whole.trim());
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let (end, port, name) = match entry(line, spot) {
            Ok(found) => found,
            Err(wrong) => {
                complaints.say(sink, number, whole, &wrong);
                continue;
            }
        };
        // Ports of a device are together; an adapter has a GUID per port, a switch one for all.
        if devices.all.last().is_none_or(|device| device.guid != end.guid) {
            let lid = if end.kind == DeviceKind::Switch { end.lid } else { 0 };
            let device = Device {
                kind: end.kind,
                guid: end.guid,
                name: name.into(),
                lid,
                ports: end.port,
                links: Vec::new(),
                spot,
            };
            devices.routers += u64::from(line.starts_with("RT"));
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
fn entry(line: &str, spot: Spot) -> LinePart<'_, (ListedEnd, Option<Port>, &str)> {
    let shape = || WrongPart::line(line, LINE);
    let (head, names) = line.find(['(', '\'']).and_then(|at| line.split_at_checked(at)).ok_or_else(shape)?;
    let words: Vec<&str> = head.split_whitespace().take(16).collect();
    let own = end(words.get(..4), line)?;
    let Some(dash) = words.iter().position(|word| *word == "-") else {
        let name = names.strip_prefix('\'').and_then(|names| names.strip_suffix('\''));
        return Ok((own, None, name.ok_or_else(shape)?));
    };
    let peer = end(words.get(dash + 1..dash + 5), line)?;
    let name = || {
        let names = names.strip_prefix('(')?.strip_suffix(')')?.trim();
        Some(names.strip_prefix('\'')?.strip_suffix('\'')?.split_once("' - '")?.0)
    };
    let (name, &[width, speed]) = (name().ok_or_else(shape)?, words.get(4..6).ok_or_else(shape)?) else {
        return Err(shape());
    };
    let to = match peer.kind {
        DeviceKind::Switch => Name::Node(peer.guid),
        DeviceKind::Adapter => Name::Port(peer.guid),
    };
    let (guid, lid) = if own.kind == DeviceKind::Adapter { (own.guid, own.lid) } else { (0, 0) };
    let rate = rate_of(width, speed, "4x EDR")?;
    let port = Port { number: own.port, guid, lid, lmc: 0, peer: (to, peer.port), rate, best: None, spot };
    Ok((own, Some(port), name))
}

/// One end of the cable of `line`, in which it is these words.
fn end<'t>(words: Option<&[&'t str]>, line: &'t str) -> LinePart<'t, ListedEnd> {
    let shape = || WrongPart::line(line, LINE);
    let Some(&[kind, own_lid, port, own_guid]) = words else { return Err(shape()) };
    let kind = KINDS.iter().find(|k| k.0 == kind).ok_or_else(shape)?.1;
    let guid = guid(own_guid).ok_or_else(shape)?;
    Ok(ListedEnd { kind, lid: lid(own_lid)?, port: port_number(port)?, guid })
}
