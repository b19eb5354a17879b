//! What readers of a fabric should know, a sentence each.

use super::devices::{At, DeviceKind, Devices};
use super::join::host;
use crate::text::some;

/// Cables whose other end did not answer.
pub fn silent(devices: &Devices) -> Option<String> {
    let port = |&(device, port): &(u32, u32)| place(devices, device, port);
    let (ends, these) = match devices.silent.len() {
        0 => return None,
        1 => ("end", "this cable is"),
        _ => ("ends", "these cables are"),
    };
    let ports = some(devices.silent.iter().map(port));
    Some(format!("the other {ends} of {ports} did not answer (\"Port not available\"): {these} left out"))
}

/// Routers, and ports that carry nothing yet.
pub fn others(devices: &Devices) -> Vec<String> {
    let mut notes = Vec::new();
    match devices.routers {
        0 => {}
        1 => notes.push("1 router to another subnet is read as a host".to_string()),
        more => notes.push(format!("{more} routers to other subnets are read as hosts")),
    }
    if !devices.waiting.is_empty() {
        let states: Vec<String> = devices.waiting.iter().map(|(state, n)| format!("{state} ({n})")).collect();
        let states = states.join(", ");
        notes.push(format!("ports are up and not active, and are read as if they were: {states}"));
    }
    notes
}

/// Cables whose two ends have different rates. O(cables).
pub fn unequal(devices: &Devices, cables: &[(At, At)]) -> Option<String> {
    let end = |at: At| {
        let port = devices.at(at).1;
        format!("{} ({})", place(devices, at.0, port.number), port.rate.name())
    };
    let differ = |cable: &&(At, At)| devices.at(cable.0).1.rate != devices.at(cable.1).1.rate;
    let found: Vec<String> = cables.iter().filter(differ).map(|&(a, b)| format!("{} - {}", end(a), end(b))).collect();
    let ends = if found.len() == 1 { "the ends of a cable" } else { "the ends of cables" };
    (!found.is_empty())
        .then(|| format!("{ends} differ in rate, and the slower one is read: {}", some(found.into_iter())))
}

/// `leaf1[7]` of a switch, `cn001` of a host.
fn place(devices: &Devices, device: u32, port: u32) -> String {
    let device = &devices.all[device as usize];
    match device.kind {
        DeviceKind::Switch => format!("{}[{port}]", device.name),
        DeviceKind::Adapter => host(device),
    }
}

/// What readers should know if a host, here in order, has several ports.
pub fn several_ports(hosts: &[String]) -> Option<String> {
    let ports = || hosts.chunk_by(|a, b| a == b).map(<[String]>::len);
    match (ports().min()?, ports().max()?) {
        (_, 1) => None,
        (least, most) => {
            let range = if least == most { most.to_string() } else { format!("{least} to {most}") };
            let who = if least == most { "every host has" } else { "hosts have" };
            Some(format!(
                "{who} {range} ports, each an endpoint: what the ports of a host send each other stays inside it, at the cost of \
                 a node if one is given, else at none"
            ))
        }
    }
}
