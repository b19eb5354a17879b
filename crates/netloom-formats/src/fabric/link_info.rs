//! The forms of `iblinkinfo`, by device or with `-l` a line per port.
//!
//! ```text
//! Switch: 0x0000000000200001 leaf1:
//!            3    1[  ] ==( 4X           2.5 Gbps Active/  LinkUp)==>       7    1[  ] "hostC" ( )
//!            3    4[  ] ==(                Down/ Polling)==>             [  ] "" ( )
//!            3    5[  ] ==( 4X           2.5 Gbps Active/  LinkUp)==>      "Port not available"
//! 0x0000000000200001 "leaf1"      3    1[  ] ==( 4X 2.5 Gbps Active/  LinkUp)==>  0x0000000000100005      7    1[  ] "hostC" ( )
//! ```

use std::collections::HashMap;

use super::devices::{Device, DeviceKind, Devices, HINT, Name, Port, Tool, guid};
use super::fields::STATES;
use super::line::{Complaints, LinePart, WrongPart, lid, port_number, rate_of};
use super::rate::Rate;
use crate::codes;
use crate::noted::Fate;
use crate::sink::{Sink, Spot};
use crate::text::lines;

const LINE: &str = "a port such as 3 1[  ] ==( 4X 25.78125 Gbps Active/ LinkUp)==> 7 1[  ] \"n1\" ( )";
const ADAPTERS: &[&str] = &["CA:", "RT:", "Router:"];
const ROUTERS: &[&str] = &["RT:", "Router:"];
/// What stands in place of a port that did not answer.
const SILENT: &str = "\"Port not available\"";

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
    devices.tool = Tool::LinkInfo;
    let mut complaints = Complaints::default();
    // Of an adapter, the GUID comes with its first port.
    let mut header: Option<(DeviceKind, Option<u64>, &str)> = None;
    let mut unnumbered = Vec::new();
    for (number, whole) in lines(text) {
        let (spot, line) = (Spot::At(number, 1), whole.trim());
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        if let Some(found) = heading(line) {
            devices.routers += u64::from(ROUTERS.iter().any(|word| line.starts_with(word)));
            header = Some(found);
            continue;
        }
        let entry = match entry(line) {
            Ok(entry) => entry,
            Err(wrong) => {
                complaints.say(sink, number, whole, &wrong);
                continue;
            }
        };
        let kind = match (entry.name, header) {
            (None, Some((kind, ..))) => kind,
            (Some(_), _) => DeviceKind::Adapter,
            (None, None) => {
                sink.say(&codes::SYNTAX, spot, "a port before the first device", HINT);
                return;
            }
        };
        let own = entry.guid.or(header.and_then(|h| h.1));
        let name = entry.name.or(header.map(|h| h.2)).unwrap_or_default();
        let Some(own) = own else {
            complaints.say(sink, number, whole, &WrongPart::line(line, LINE));
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
            device.kind = DeviceKind::Switch;
            device.ports = device.ports.max(entry.port);
        }
        if let Some(state) = entry.waits {
            match devices.waiting.iter_mut().find(|known| known.0 == state) {
                Some(known) => known.1 += 1,
                None => devices.waiting.push((state, 1)),
            }
        }
        match entry.cable {
            PortCable::None => {}
            PortCable::Silent => devices.silent(entry.port),
            PortCable::To { peer, name, rate, best } => {
                let port = Port { number: entry.port, guid: own, lid: entry.lid, lmc: 0, peer, rate, best, spot };
                devices.port(port, sink);
                if peer.0 == Name::Lid(0) {
                    unnumbered.extend(devices.newest().map(|at| (at, name)));
                }
            }
        }
    }
    by_name(devices, &unnumbered);
}

/// Before a subnet manager has run, ports have no LIDs: other ends are found by name and port, if only one port has
/// them. O(ports).
fn by_name(devices: &mut Devices, ports: &[((u32, u32), &str)]) {
    let mut named: HashMap<(String, u32), Option<u64>> = HashMap::new();
    for device in devices.all.iter().filter(|_| !ports.is_empty()) {
        for port in &device.links {
            named.entry((device.name.clone(), port.number)).and_modify(|one| *one = None).or_insert(Some(device.guid));
        }
    }
    for &((device, port), name) in ports {
        let peer = &mut devices.all[device as usize].links[port as usize].peer;
        if let Some(Some(guid)) = named.get(&(name.to_string(), peer.1)) {
            peer.0 = Name::Node(*guid);
        }
    }
}

/// `Switch: 0x0000000000200001 leaf1:` or `CA: hostC:`.
fn heading(line: &str) -> Option<(DeviceKind, Option<u64>, &str)> {
    let rest = line.strip_suffix(':')?;
    if let Some(rest) = rest.strip_prefix("Switch:") {
        let (number, name) = rest.trim_start().split_once(' ')?;
        return Some((DeviceKind::Switch, Some(guid(number)?), name.trim()));
    }
    let name = ADAPTERS.iter().find_map(|word| rest.strip_prefix(word))?;
    Some((DeviceKind::Adapter, None, name.trim()))
}

/// What a port has.
enum PortCable<'t> {
    None,
    /// One whose other end did not answer.
    Silent,
    /// Where it leads, the name there, its rate, and the rate that it could have, if that can be told.
    To {
        peer: (Name, u32),
        name: &'t str,
        rate: Rate,
        best: Option<Rate>,
    },
}

struct PortLine<'t> {
    guid: Option<u64>,
    /// The name, which `-l` prints.
    name: Option<&'t str>,
    lid: u32,
    port: u32,
    cable: PortCable<'t>,
    /// The state of a port that is up and carries nothing yet.
    waits: Option<&'static str>,
}

/// The state before the slash of `Init/ LinkUp`, unless it is that of a port that carries something.
fn waits(state: &str) -> Option<&'static str> {
    let logical = state.split('/').next()?.split_whitespace().last()?;
    STATES.iter().find(|known| known.0 == logical && known.1 == Fate::Noted).map(|known| known.0)
}

fn entry(line: &str) -> LinePart<'_, PortLine<'_>> {
    let parts = || {
        let (own, rest) = line.split_once("==(")?;
        let (state, peer) = rest.split_once(")==>")?;
        let (own_guid, name, own) = match own.split_once('"') {
            Some((number, rest)) => {
                let (name, own) = rest.rsplit_once('"')?;
                (Some(guid(number.trim())?), Some(name.trim()), own)
            }
            None => (None, None, own),
        };
        let (number, numbers) = numbers(own)?;
        Some((own_guid.or(number), name, numbers, state, peer))
    };
    let (guid, name, (own_lid, port), state, peer) = parts().ok_or_else(|| WrongPart::line(line, LINE))?;
    let (lid, port) = (lid(own_lid)?, port_number(port)?);
    let cable = match state.contains("LinkUp") {
        true if peer.trim() == SILENT => PortCable::Silent,
        true => cable(state, peer, line)?,
        false => PortCable::None,
    };
    let waits = if state.contains("LinkUp") { waits(state) } else { None };
    Ok(PortLine { guid, name, lid, port, cable, waits })
}

/// The GUID, if it is there, LID and port of `0x0000000000100005 7 1[  ]`.
fn numbers(text: &str) -> Option<(Option<u64>, (&str, &str))> {
    let words: Vec<&str> = text.split('[').next()?.split_whitespace().collect();
    match words[..] {
        [number, lid, port] if number.starts_with("0x") => Some((Some(guid(number)?), (lid, port))),
        [lid, port] => Some((None, (lid, port))),
        _ => None,
    }
}

/// The cable of `4X 2.5 Gbps Active/ LinkUp` and `[guid] 7 1[  ] "hostC" (...)` in `line`.
fn cable<'t>(state: &'t str, peer: &'t str, line: &'t str) -> LinePart<'t, PortCable<'t>> {
    let parts = || {
        let mut words = state.split_whitespace();
        let (width, speed, unit) = (words.next()?, words.next()?, words.next()?);
        let named = speed == "FDR10" || words.next()?.contains("FDR10") || unit.contains("FDR10");
        Some((width, if named { "FDR10" } else { speed }, numbers(peer)?))
    };
    let (width, speed, (guid, (peer_lid, port))) = parts().ok_or_else(|| WrongPart::line(line, LINE))?;
    let rate = rate_of(width, speed, "4X and 25.78125 Gbps")?;
    let (by_lid, port) = (Name::Lid(lid(peer_lid)?), port_number(port)?);
    // Ports of an adapter are devices here, called by their own GUIDs.
    let to = guid.map_or(by_lid, Name::Node);
    let name = peer.split_once('"').and_then(|(_, rest)| rest.rsplit_once('"')).map_or("", |(name, _)| name.trim());
    Ok(PortCable::To { peer: (to, port), name, rate, best: best(peer, width, speed, rate) })
}

/// The rate by `Could be 4X` and `Could be 25.78125 Gbps` after the name of the peer; without them the cable has the best.
fn best(peer: &str, width: &str, speed: &str, rate: Rate) -> Option<Rate> {
    let remark = peer.rsplit('"').next()?;
    let could: Vec<&str> =
        remark.split("Could be ").skip(1).filter_map(|rest| rest.split([' ', ')']).next()).take(4).collect();
    let is_width = |word: &&&str| word.ends_with(['X', 'x']);
    let width = could.iter().find(is_width).unwrap_or(&width);
    let speed = could.iter().find(|word| !is_width(word)).unwrap_or(&speed);
    if could.is_empty() { Some(rate) } else { Rate::of(width, speed).filter(|best| !best.is_below(rate)) }
}
