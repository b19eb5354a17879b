//! The forms of `iblinkinfo`, by device or with `-l` a line per port.
//!
//! ```text
//! Switch: 0x0000000000200001 leaf1:
//!            3    1[  ] ==( 4X           2.5 Gbps Active/  LinkUp)==>       7    1[  ] "hostC" ( )
//!            3    4[  ] ==(                Down/ Polling)==>             [  ] "" ( )
//! 0x0000000000200001 "leaf1"      3    1[  ] ==( 4X 2.5 Gbps Active/  LinkUp)==>  0x0000000000100005      7    1[  ] "hostC" ( )
//! ```

use super::devices::{Device, Devices, Kind, Name, Port, guid, lid, port_number};
use super::rate::Rate;
use crate::codes;
use crate::sink::{Sink, Spot};
use crate::text::lines;

const LINE: &str = "a port such as 3 1[  ] ==( 4X 25.78125 Gbps Active/ LinkUp)==> 7 1[  ] \"n1\" ( )";
const ADAPTERS: &[&str] = &["CA:", "RT:"];

/// True for the first line of a file in one of these forms.
pub fn begins(first: &str) -> bool {
    let mut words = first.split_whitespace();
    match words.next() {
        Some("Switch:") => words.next().and_then(guid).is_some(),
        Some(word) if ADAPTERS.contains(&word) => first.ends_with(':'),
        Some(word) => guid(word).is_some() && word.starts_with("0x") && first.contains("==("),
        None => false,
    }
}

/// O(text).
pub fn read(text: &str, devices: &mut Devices, sink: &mut Sink) {
    // Of an adapter, the GUID comes with its first port.
    let mut header: Option<(Kind, Option<u64>, &str)> = None;
    for (number, line) in lines(text) {
        let (spot, line) = (Spot::At(number, 1), line.trim());
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        if let Some(found) = heading(line) {
            header = Some(found);
            continue;
        }
        let Some(entry) = entry(line) else {
            sink.must(&codes::SYNTAX, spot, "", LINE, line, super::HINT);
            continue;
        };
        let kind = match (entry.name, header) {
            (None, Some((kind, ..))) => kind,
            (Some(_), _) => Kind::Adapter,
            (None, None) => {
                sink.say(&codes::SYNTAX, spot, "a port before the first device", super::HINT);
                return;
            }
        };
        let own = entry.guid.or(header.and_then(|h| h.1));
        let name = entry.name.or(header.map(|h| h.2)).unwrap_or_default();
        let Some(own) = own else {
            sink.must(&codes::SYNTAX, spot, "", LINE, line, super::HINT);
            continue;
        };
        if devices.all.last().is_none_or(|device| device.guid != own) {
            let device = Device {
                kind,
                guid: own,
                name: name.into(),
                lid: entry.lid,
                ports: entry.port,
                links: Vec::new(),
                spot,
            };
            if !devices.device(device, sink) {
                return;
            }
        } else if let Some(device) = devices.all.last_mut() {
            // Every port of an adapter has a GUID of its own.
            device.kind = Kind::Switch;
            device.ports = device.ports.max(entry.port);
        }
        if let Some((peer, rate, better)) = entry.cable {
            let port = Port { number: entry.port, guid: own, lid: entry.lid, lmc: 0, peer, rate, better, spot };
            devices.port(port, sink);
        }
    }
}

/// `Switch: 0x0000000000200001 leaf1:` or `CA: hostC:`.
fn heading(line: &str) -> Option<(Kind, Option<u64>, &str)> {
    let rest = line.strip_suffix(':')?;
    if let Some(rest) = rest.strip_prefix("Switch:") {
        let (number, name) = rest.trim_start().split_once(' ')?;
        return Some((Kind::Switch, Some(guid(number)?), name.trim()));
    }
    let name = ADAPTERS.iter().find_map(|word| rest.strip_prefix(word))?;
    Some((Kind::Adapter, None, name.trim()))
}

/// Where a cable leads, its rate, and the rate that it could have.
type Cable = ((Name, u32), Rate, Option<Rate>);

struct Entry<'t> {
    guid: Option<u64>,
    /// With `-l`.
    name: Option<&'t str>,
    lid: u32,
    port: u32,
    cable: Option<Cable>,
}

fn entry(line: &str) -> Option<Entry<'_>> {
    let (own, rest) = line.split_once("==(")?;
    let (state, peer) = rest.split_once(")==>")?;
    let (own_guid, name, own) = match own.split_once('"') {
        Some((number, rest)) => {
            let (name, own) = rest.rsplit_once('"')?;
            (Some(guid(number.trim())?), Some(name.trim()), own)
        }
        None => (None, None, own),
    };
    let mut words: Vec<&str> = own.split('[').next()?.split_whitespace().collect();
    let own_guid = match words[..] {
        [number, ..] if number.starts_with("0x") => {
            words.remove(0);
            Some(guid(number)?)
        }
        _ => own_guid,
    };
    let &[own_lid, own_port] = &words[..] else { return None };
    let cable = if state.contains("LinkUp") { Some(cable(state, peer)?) } else { None };
    Some(Entry { guid: own_guid, name, lid: lid(own_lid)?, port: port_number(own_port)?, cable })
}

/// Of `4X 2.5 Gbps Active/ LinkUp` and `[guid] 7 1[  ] "hostC" (...)`.
fn cable(state: &str, peer: &str) -> Option<Cable> {
    let mut words = state.split_whitespace();
    let (width, speed, unit) = (words.next()?, words.next()?, words.next()?);
    let named = speed == "FDR10" || words.next()?.contains("FDR10") || unit.contains("FDR10");
    let speed = if named { "FDR10" } else { speed };
    let rate = Rate::of(width, speed)?;
    let better = better(peer, width, speed).filter(|better| better.bytes_per_s() > rate.bytes_per_s());
    let words: Vec<&str> = peer.split('[').next()?.split_whitespace().collect();
    let numbers = match words[..] {
        [number, ref rest @ ..] if number.starts_with("0x") => rest.to_vec(),
        _ => words,
    };
    let &[peer_lid, peer_port] = &numbers[..] else { return None };
    Some(((Name::Lid(lid(peer_lid)?), port_number(peer_port)?), rate, better))
}

/// The rate by `Could be 4X` and `Could be 25.78125 Gbps` after the name of the peer.
fn better(peer: &str, width: &str, speed: &str) -> Option<Rate> {
    let remark = peer.rsplit_once('"')?.1;
    let could: Vec<&str> =
        remark.split("Could be ").skip(1).filter_map(|rest| rest.split([' ', ')']).next()).take(4).collect();
    let is_width = |word: &&&str| word.ends_with(['X', 'x']);
    let width = could.iter().find(is_width).unwrap_or(&width);
    let speed = could.iter().find(|word| !is_width(word)).unwrap_or(&speed);
    Rate::of(width, speed).filter(|_| !could.is_empty())
}
