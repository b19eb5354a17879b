//! The form of `ibnetdiscover`: records of a device and its ports, separated by empty lines.
//!
//! ```text
//! Switch 8 "S-0000000000200001"  # "leaf1" base port 0 lid 3 lmc 0
//! [1] "H-0000000000100004"[1](100005)   # "hostC" lid 7 4xSDR
//!
//! Ca 1 "H-0000000000100004"  # "hostC"
//! [1](100005) "S-0000000000200001"[1]  # lid 7 lmc 0 "leaf1" lid 3 4xSDR
//! ```

use super::devices::{Device, DeviceKind, Devices, Name, Port, guid};
use super::fields::is_label;
use super::line::{Complaints, LinePart, WrongPart, lid, lmc, port_count, port_number, rate};
use crate::sink::{Sink, Spot};
use crate::text::lines;

const DEVICES: &[(&str, DeviceKind)] =
    &[("Switch", DeviceKind::Switch), ("Ca", DeviceKind::Adapter), ("Rt", DeviceKind::Adapter)];
const DEVICE: &str = "a device such as Switch 36 \"S-0002c903000a0b28\" # \"leaf1\" base port 0 lid 3 lmc 0";
const PORT: &str = "a port such as [1] \"S-0002c903000a0b28\"[2] # \"leaf1\" lid 3 4xEDR";

/// True for the first line of a file in this form.
pub fn begins(first: &str) -> bool {
    (is_label(first) && !first.starts_with('#')) || word(first).is_some_and(|kind| first.contains(kind.1))
}

/// The kind of a device's line, and how the names of such devices begin.
fn word(line: &str) -> Option<(DeviceKind, &'static str)> {
    let first = line.split_whitespace().next()?;
    let (name, kind) = DEVICES.iter().find(|d| d.0 == first)?;
    Some((
        *kind,
        match *name {
            "Switch" => "\"S-",
            "Ca" => "\"H-",
            _ => "\"R-",
        },
    ))
}

/// O(text).
pub fn read(text: &str, devices: &mut Devices, sink: &mut Sink) {
    let mut complaints = Complaints::default();
    // Of the device above; none above the first one and under a line that is wrong, whose ports have no device.
    let mut kind = None;
    for (number, whole) in lines(text) {
        let (spot, line) = (Spot::At(number, 1), whole.trim());
        if line.is_empty() || is_label(line) {
            continue;
        }
        if line.starts_with('[') {
            match (port(line, kind.unwrap_or(DeviceKind::Switch), spot), kind) {
                (Ok(port), Some(_)) => devices.port(port, sink),
                (Ok(port), None) if sink.is_empty() => devices.port(port, sink),
                (Err(wrong), Some(_)) => complaints.say(sink, number, whole, &wrong),
                (_, None) => {}
            }
            continue;
        }
        kind = match device(line, spot) {
            Ok(device) => {
                let kind = device.kind;
                devices.routers += u64::from(line.starts_with("Rt"));
                if !devices.device(device, sink) {
                    return;
                }
                Some(kind)
            }
            Err(wrong) => {
                complaints.say(sink, number, whole, &wrong);
                None
            }
        }
    }
}

/// `Switch 8 "S-0000000000200001" # "leaf1" base port 0 lid 3 lmc 0`.
fn device(line: &str, spot: Spot) -> LinePart<'_, Device> {
    let parts = || {
        let (kind, _) = word(line)?;
        let (head, remark) = line.split_once('#')?;
        let mut words = head.split_whitespace().skip(1);
        let (ports, guid) = (words.next()?, node(words.next()?)?);
        let (name, rest) = in_quotes(remark)?;
        let lid = match kind {
            DeviceKind::Switch => after(rest, "lid")?,
            DeviceKind::Adapter => "0",
        };
        Some((kind, ports, guid, name, lid))
    };
    let (kind, ports, guid, name, own_lid) = parts().ok_or_else(|| WrongPart::line(line, DEVICE))?;
    let (ports, lid) = (port_count(ports)?, lid(own_lid)?);
    Ok(Device { kind, guid, name: name.into(), lid, ports, links: Vec::new(), spot })
}

/// `[1](100007) "S-0000000000200001"[2] # lid 8 lmc 0 "leaf1" lid 3 4xSDR`.
fn port(line: &str, kind: DeviceKind, spot: Spot) -> LinePart<'_, Port> {
    let parts = || {
        let (head, remark) = line.split_once('#')?;
        let (own, peer) = head.split_once('"')?;
        let (peer_node, peer) = peer.split_once('"')?;
        let (number, own_rest) = brackets(own)?;
        let (peer_number, _) = brackets(peer)?;
        let (before, behind) = (remark.split('"').next()?, remark.rsplit('"').next()?);
        let (guid, own_lid, own_lmc) = match kind {
            DeviceKind::Switch => (0, "0", "0"),
            DeviceKind::Adapter => {
                let own = guid(own_rest.split_once('(')?.1.split_once(')')?.0)?;
                (own, after(before, "lid")?, after(before, "lmc")?)
            }
        };
        // With -f, more words follow the rate.
        let rate = behind.split_whitespace().nth(2).or_else(|| behind.split_whitespace().last())?;
        Some((number, guid, own_lid, own_lmc, guid_of(peer_node)?, peer_number, rate))
    };
    let (number, guid, own_lid, own_lmc, peer, peer_number, own_rate) =
        parts().ok_or_else(|| WrongPart::line(line, PORT))?;
    let peer = (Name::Node(peer), port_number(peer_number)?);
    let (number, lid, lmc) = (port_number(number)?, lid(own_lid)?, lmc(own_lmc)?);
    Ok(Port { number, guid, lid, lmc, peer, rate: rate(own_rate)?, best: None, spot })
}

/// What is in the first brackets, and what is behind them.
fn brackets(text: &str) -> Option<(&str, &str)> {
    let (number, rest) = text.trim_start().strip_prefix('[')?.split_once(']')?;
    Some((number.trim(), rest))
}

/// The GUID of `"S-0000000000200001"`.
fn node(quoted: &str) -> Option<u64> {
    guid_of(quoted.strip_prefix('"')?.strip_suffix('"')?)
}

fn guid_of(name: &str) -> Option<u64> {
    guid(name.strip_prefix(['S', 'H', 'R'])?.strip_prefix('-')?)
}

/// The text between the first quote and the last, and what is behind it.
fn in_quotes(text: &str) -> Option<(&str, &str)> {
    let (_, rest) = text.split_once('"')?;
    rest.rsplit_once('"')
}

/// The word behind `key`.
fn after<'t>(text: &'t str, key: &str) -> Option<&'t str> {
    let mut words = text.split_whitespace();
    words.find(|word| *word == key)?;
    words.next()
}
