//! The form of `ibnetdiscover`: records of a device and its ports, separated by empty lines.
//!
//! ```text
//! Switch 8 "S-0000000000200001"  # "leaf1" base port 0 lid 3 lmc 0
//! [1] "H-0000000000100004"[1](100005)   # "hostC" lid 7 4xSDR
//!
//! Ca 1 "H-0000000000100004"  # "hostC"
//! [1](100005) "S-0000000000200001"[1]  # lid 7 lmc 0 "leaf1" lid 3 4xSDR
//! ```

use super::devices::{Device, Devices, Kind, Name, Port, guid, lid, port_number};
use super::rate::{self, Rate};
use crate::codes;
use crate::sink::{Sink, Spot};
use crate::text::lines;

/// Lines between records that say nothing of the links.
const KEYS: &[&str] =
    &["vendid=", "devid=", "sysimgguid=", "switchguid=", "caguid=", "rtguid=", "chassisguid=", "Chassis "];
const DEVICES: &[(&str, Kind)] = &[("Switch", Kind::Switch), ("Ca", Kind::Adapter), ("Rt", Kind::Adapter)];
const DEVICE: &str = "a device such as Switch 36 \"S-0002c903000a0b28\" # \"leaf1\" base port 0 lid 3 lmc 0";
const PORT: &str = "a port such as [1] \"S-0002c903000a0b28\"[2] # \"leaf1\" lid 3 4xEDR";

/// True for the first line of a file in this form.
pub fn begins(first: &str) -> bool {
    KEYS.iter().any(|key| first.starts_with(key)) || word(first).is_some_and(|kind| first.contains(kind.1))
}

/// The kind of a device's line, and how the names of such devices begin.
fn word(line: &str) -> Option<(Kind, &'static str)> {
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
    for (number, line) in lines(text) {
        let (spot, line) = (Spot::At(number, 1), line.trim());
        if line.is_empty() || line.starts_with('#') || KEYS.iter().any(|key| line.starts_with(key)) {
            continue;
        }
        if line.starts_with('[') {
            let kind = devices.all.last().map_or(Kind::Switch, |device| device.kind);
            match port(line, kind, spot) {
                Ok(port) => devices.port(port, sink),
                Err(expected) => sink.must(&codes::SYNTAX, spot, "", expected, line, super::HINT),
            }
        } else {
            match device(line, spot) {
                Some(device) => {
                    if !devices.device(device, sink) {
                        return;
                    }
                }
                None => sink.must(&codes::SYNTAX, spot, "", DEVICE, line, super::HINT),
            }
        }
    }
}

/// `Switch 8 "S-0000000000200001" # "leaf1" base port 0 lid 3 lmc 0`.
fn device(line: &str, spot: Spot) -> Option<Device> {
    let (kind, _) = word(line)?;
    let (head, remark) = line.split_once('#')?;
    let mut words = head.split_whitespace().skip(1);
    let ports = port_number(words.next()?)?;
    let guid = node(words.next()?)?;
    let (name, rest) = in_quotes(remark)?;
    let lid = match kind {
        Kind::Switch => after(rest, "lid").and_then(lid)?,
        Kind::Adapter => 0,
    };
    Some(Device { kind, guid, name: name.into(), lid, ports, links: Vec::new(), spot })
}

/// `[1](100007) "S-0000000000200001"[2] # lid 8 lmc 0 "leaf1" lid 3 4xSDR`.
fn port(line: &str, kind: Kind, spot: Spot) -> Result<Port, &'static str> {
    let parts = || {
        let (head, remark) = line.split_once('#')?;
        let (own, peer) = head.split_once('"')?;
        let (peer_node, peer) = peer.split_once('"')?;
        let (number, own_rest) = brackets(own)?;
        let (peer_number, _) = brackets(peer)?;
        let guid = match kind {
            Kind::Switch => 0,
            Kind::Adapter => guid(own_rest.split_once('(')?.1.split_once(')')?.0)?,
        };
        let peer = Name::Node(guid_of(peer_node)?);
        Some((remark, number, guid, (peer, peer_number)))
    };
    let (remark, number, guid, peer) = parts().ok_or(PORT)?;
    let rate = remark.split_whitespace().last().and_then(Rate::parse).ok_or(rate::EXPECTED)?;
    let (own_lid, lmc) = match kind {
        Kind::Switch => (0, 0),
        Kind::Adapter => {
            let before = remark.split('"').next().unwrap_or_default();
            let lmc = after(before, "lmc").and_then(|lmc| lmc.parse().ok()).filter(|lmc| *lmc < 8);
            (after(before, "lid").and_then(lid).ok_or(PORT)?, lmc.ok_or(PORT)?)
        }
    };
    Ok(Port { number, guid, lid: own_lid, lmc, peer, rate, better: None, spot })
}

/// The number in the first brackets, and what is behind them.
fn brackets(text: &str) -> Option<(u32, &str)> {
    let (number, rest) = text.trim_start().strip_prefix('[')?.split_once(']')?;
    Some((port_number(number.trim())?, rest))
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
