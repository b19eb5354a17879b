//! What a file lists, in the words of the subnet: devices, their ports, and where each port leads.

use std::collections::{HashMap, HashSet};

use super::rate::Rate;
use crate::codes;
use crate::limits::{MAX_LINKS, MAX_NAME, MAX_NODES};
use crate::sink::{Sink, Spot, quoted};

/// What to give where a line is no part of a list.
pub const HINT: &str = "give the whole output of ibnetdiscover, ibnetdiscover -p or iblinkinfo";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeviceKind {
    Switch,
    /// A host adapter; also a router to another subnet, which is an end of this one.
    Adapter,
}

/// How a file names the other end of a cable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Name {
    /// The GUID of a device.
    Node(u64),
    /// The GUID of an adapter's port.
    Port(u64),
    Lid(u32),
}

#[derive(Clone, Debug)]
pub struct Device {
    pub kind: DeviceKind,
    pub guid: u64,
    pub name: String,
    /// LID of a switch.
    pub lid: u32,
    /// Number of ports, those without a cable included.
    pub ports: u32,
    pub links: Vec<Port>,
    pub spot: Spot,
}

/// A port with a cable.
#[derive(Clone, Debug)]
pub struct Port {
    pub number: u32,
    /// GUID of an adapter's port.
    pub guid: u64,
    pub lid: u32,
    pub lmc: u8,
    pub peer: (Name, u32),
    pub rate: Rate,
    /// What the cable could carry, at least `rate`, if the file says it.
    pub best: Option<Rate>,
    pub spot: Spot,
}

/// Place of a port: device, index in its links.
pub type At = (u32, u32);

/// What printed the file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tool {
    #[default]
    Discover,
    /// `ibnetdiscover -p`: a line for each port, so that the ports of an adapter are devices of one name.
    PortList,
    /// `iblinkinfo`, which lists ports in the same way.
    LinkInfo,
}

#[derive(Debug, Default)]
pub struct Devices {
    pub all: Vec<Device>,
    pub tool: Tool,
    /// Devices and their ports whose cable leads to a port that did not answer.
    pub silent: Vec<(u32, u32)>,
    /// Routers to other subnets, which are ends of this one.
    pub routers: u64,
    /// Ports that are up and carry nothing yet, by the state that iblinkinfo prints.
    pub waiting: Vec<(&'static str, u64)>,
    links: u64,
}

/// Highest unicast LID: InfiniBand Architecture Specification, volume 1, 4.1.3.
pub const LAST_LID: u32 = 0xBFFF;
/// Highest port of a switch.
pub const LAST_PORT: u32 = 254;

impl Devices {
    /// A device; false if there are too many or the name is too long.
    pub fn device(&mut self, device: Device, sink: &mut Sink) -> bool {
        if self.all.len() as u64 >= MAX_NODES || device.name.len() > MAX_NAME {
            let sentence = format!("more than {MAX_NODES} devices, or a name of more than {MAX_NAME} bytes");
            sink.say(&codes::TOO_LARGE, device.spot, sentence, "");
            return false;
        }
        self.all.push(device);
        true
    }

    /// A port of the last device; a fault before the first.
    pub fn port(&mut self, port: Port, sink: &mut Sink) {
        self.links += 1;
        let Some(device) = self.all.last_mut() else {
            return sink.say(&codes::SYNTAX, port.spot, "a port before the first device", HINT);
        };
        if self.links > 2 * MAX_LINKS {
            return sink.say(&codes::TOO_LARGE, port.spot, format!("more than {MAX_LINKS} links"), "");
        }
        if device.links.iter().any(|other| other.number == port.number) {
            let sentence = format!("port {} of {} is listed twice", port.number, quoted(&device.name));
            return sink.say(&codes::DUPLICATE, port.spot, sentence, "give one fabric per file");
        }
        device.ports = device.ports.max(port.number);
        device.links.push(port);
    }

    /// The port of the last device whose cable leads to a port that did not answer.
    pub fn silent(&mut self, port: u32) {
        let last = self.all.len().checked_sub(1);
        self.silent.extend(last.map(|last| (last as u32, port)));
    }

    /// The port that was added last.
    pub fn newest(&self) -> Option<At> {
        let links = self.all.last()?.links.len();
        Some((self.all.len() as u32 - 1, links.checked_sub(1)? as u32))
    }

    pub fn at(&self, at: At) -> (&Device, &Port) {
        let device = &self.all[at.0 as usize];
        (device, &device.links[at.1 as usize])
    }

    /// Every cable once, as its two ports: of lower device first, ascending.
    ///
    /// Says what is wrong: GUIDs and LIDs of two things, and ports whose other end is not listed or leads elsewhere.
    pub fn cables(&self, sink: &mut Sink) -> Vec<(At, At)> {
        let names = self.names(sink);
        let mut cables = Vec::new();
        let mut open: Vec<(Spot, String)> = Vec::new();
        let mut without_lid = false;
        let silent: HashSet<u32> = self.silent.iter().map(|port| port.0).collect();
        for (d, device) in (0u32..).zip(&self.all) {
            if device.links.is_empty() && !silent.contains(&d) {
                // Tools find devices by their cables.
                open.push((device.spot, format!("the cables of {}", quoted(&device.name))));
            }
            for (p, port) in (0u32..).zip(&device.links) {
                match self.other(&names, port) {
                    Some(other) if self.leads_to(&names, other, (d, p)) => {
                        if other == (d, p) {
                            let sentence = format!("port {} of {} leads to itself", port.number, quoted(&device.name));
                            sink.say(&codes::SELF_LOOP, port.spot, sentence, "");
                        } else if (d, p) < other {
                            cables.push(((d, p), other));
                        }
                    }
                    _ => {
                        without_lid |= port.peer.0 == Name::Lid(0);
                        let sentence = format!("the other end of port {} of {}", port.number, quoted(&device.name));
                        open.push((port.spot, sentence));
                    }
                }
            }
        }
        if let (Some((spot, name)), true) = (open.first(), sink.is_empty()) {
            let more = if open.len() > 1 { format!(", and {} more", open.len() - 1) } else { String::new() };
            self.cut_off(*spot, &format!("{name}{more}"), without_lid, sink);
        }
        cables
    }

    /// What the file does not list, and why that may be.
    fn cut_off(&self, spot: Spot, lacks: &str, without_lid: bool, sink: &mut Sink) {
        if without_lid {
            let sentence = format!("ports have no LIDs, as before a subnet manager runs, and no name tells {lacks}");
            let hint = "give ibnetdiscover or iblinkinfo -l, which name ports by GUID, or run a subnet manager first";
            return sink.say(&codes::MISSING, spot, sentence, hint);
        }
        let no_host = self.tool == Tool::LinkInfo && !self.all.iter().any(|device| device.kind == DeviceKind::Adapter);
        let (why, hint) = match no_host {
            true => (
                "has no hosts, as with --switches-only, or is cut off",
                "give the whole output of iblinkinfo, without that option",
            ),
            false => ("is cut off", HINT),
        };
        sink.say(&codes::ONE_WAY, spot, format!("the file {why}: it does not list {lacks}"), hint);
    }

    /// The device by each of its names, with the port if the name is a port's.
    fn names(&self, sink: &mut Sink) -> HashMap<Name, (u32, Option<u32>)> {
        let mut names = HashMap::new();
        for (d, device) in (0u32..).zip(&self.all) {
            let mut add = |name: Name, port: Option<u32>, spot: Spot| {
                // A record that is repeated repeats all its numbers.
                if let (Some((other, _)), true) = (names.insert(name, (d, port)), sink.is_empty()) {
                    let (what, number) = match name {
                        Name::Node(guid) | Name::Port(guid) => ("GUID", format!("0x{guid:016x}")),
                        Name::Lid(lid) => ("LID", lid.to_string()),
                    };
                    let other = quoted(&self.all[other as usize].name);
                    let sentence = format!("the {what} {number} of {} is also that of {other}", quoted(&device.name));
                    let hint = "GUIDs and LIDs are each used once in a subnet: give one fabric per file";
                    sink.say(&codes::DUPLICATE, spot, sentence, hint);
                }
            };
            add(Name::Node(device.guid), None, device.spot);
            if device.kind == DeviceKind::Switch && device.lid > 0 {
                add(Name::Lid(device.lid), None, device.spot);
            }
            for (p, port) in (0u32..).zip(&device.links).filter(|_| device.kind == DeviceKind::Adapter) {
                add(Name::Port(port.guid), Some(p), port.spot);
                let lids = if port.lid > 0 { 0..1u32 << port.lmc } else { 0..0 };
                lids.for_each(|offset| add(Name::Lid(port.lid + offset), Some(p), port.spot));
            }
        }
        names
    }

    fn other(&self, names: &HashMap<Name, (u32, Option<u32>)>, port: &Port) -> Option<At> {
        let (d, p) = *names.get(&port.peer.0)?;
        let device = &self.all[d as usize];
        let number = |p: u32| device.links.get(p as usize).is_some_and(|found| found.number == port.peer.1);
        let found = match p {
            Some(p) => Some(p),
            None => device.links.iter().position(|found| found.number == port.peer.1).map(|p| p as u32),
        };
        found.filter(|p| number(*p)).map(|p| (d, p))
    }

    fn leads_to(&self, names: &HashMap<Name, (u32, Option<u32>)>, from: At, to: At) -> bool {
        self.other(names, self.at(from).1) == Some(to)
    }
}

/// `0x0000000000200001`, with or without `0x`.
pub fn guid(text: &str) -> Option<u64> {
    let digits = text.strip_prefix("0x").unwrap_or(text);
    let hex = !digits.is_empty() && digits.len() <= 16 && digits.bytes().all(|b| b.is_ascii_hexdigit());
    if hex { u64::from_str_radix(digits, 16).ok() } else { None }
}
