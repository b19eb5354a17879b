//! Tables as OpenSM dumps them (`opensm-lfts.dump`) and loads them (`opensm -R file -U`).
//!
//! A network has no LIDs, ports and GUIDs, so the writer numbers them, and the reader takes the same numbers alone:
//! port 0 is the switch itself, then its cables in the order of links, then its endpoints; LIDs count switches from 1, then
//! endpoints; the GUID of LID `l` is [`GUID`] + `l`.

use std::fmt::Write as _;

use netloom_model::{Bound, Fault, Forwarding, Network, Outcome, Row};

use super::{Entries, require_readable, require_same};
use crate::codes;
use crate::registry::Format;
use crate::sink::{Spot, quoted};
use crate::text::{decode, lines};

const FORMAT: &str = "opensm-lfts";
/// Locally administered, so that it is no device's own.
const GUID: u64 = 0x0200_0000_0000_0000;
/// Highest unicast LID: InfiniBand Architecture Specification, volume 1, 4.1.3.
const LAST_LID: u64 = 0xBFFF;
/// Highest port of a switch.
const LAST_PORT: u32 = 254;
const STARTS: &str = "Unicast lids ";

pub const ROW: Row<Format<Forwarding>> = Row {
    name: FORMAT,
    aliases: &["lfts"],
    summary: "Linear forwarding tables as OpenSM dumps and loads them: per switch, the output port of every LID.",
    params: &[],
    example: FORMAT,
    restrictions: "LIDs: switches from 1 in their order, then endpoints. Ports: cables from 1 in the order of links, then \
                   endpoints. GUIDs: 0x0200000000000000 + LID. Reading takes files of this numbering alone; at most 49,151 \
                   LIDs and 254 ports.",
    source: "OpenSM 3.3, osm_dump.c and osm_ucast_file.c",
    build: Format {
        extensions: &["dump", "lfts"],
        begins: |head| head.text.trim_start().starts_with(STARTS),
        read: Some(read),
        write: Some(write),
    },
};

/// Refuses networks that InfiniBand's numbers do not reach.
fn require_numbers(network: &Network) -> Outcome<()> {
    let lids = u64::from(network.switches()) + u64::from(network.endpoints());
    let ports = |switch: u32| network.degree(switch) + network.endpoints_of(switch).len() as u32;
    let crowded = (0..network.switches()).find(|switch| ports(*switch) > LAST_PORT);
    let sentence = match crowded {
        _ if lids > LAST_LID => format!("{lids} LIDs exceed {LAST_LID}"),
        Some(switch) => format!("switch {switch} has {} ports, {LAST_PORT} are the most", ports(switch)),
        None => return Ok(()),
    };
    Err(Fault::say(&codes::CANNOT_EXPRESS, FORMAT, sentence).hint("write forwarding-csv").into())
}

/// The port of `switch` that leads to `endpoint`, which is on it, or next to it.
fn port(tables: &Forwarding, network: &Network, switch: u32, endpoint: u32) -> Option<u32> {
    let degree = network.degree(switch);
    if network.endpoint_switch()[endpoint as usize] == switch {
        let place = network.endpoints_of(switch).iter().position(|e| *e == endpoint)?;
        return Some(1 + degree + place as u32);
    }
    let link = tables.towards(endpoint)[switch as usize];
    (link != Forwarding::NONE).then(|| 1 + link - network.out_links(switch).start)
}

/// O(entries).
fn write(tables: &Forwarding, network: &Network, _bound: &Bound) -> Outcome<Vec<u8>> {
    require_same(tables, network, FORMAT)?;
    require_numbers(network)?;
    let (n, mut out) = (network.switches(), String::new());
    let plain = |name: String| name.replace(['\'', '\n', '\r'], "_");
    for switch in 0..n {
        let (lid, guid) = (switch + 1, GUID + u64::from(switch) + 1);
        let name = plain(network.switch_name(switch));
        let last = n + network.endpoints();
        let _ = writeln!(out, "{STARTS}[0-{last}] of switch Lid {lid} guid 0x{guid:016x} ('{name}'):");
        let _ = writeln!(out, "0x{lid:04x} 000 # Switch portguid 0x{guid:016x}: '{name}'");
        let mut valid = 1;
        for endpoint in 0..network.endpoints() {
            if let Some(port) = port(tables, network, switch, endpoint) {
                let (lid, name) = (n + endpoint + 1, plain(network.endpoint_name(endpoint)));
                let guid = GUID + u64::from(lid);
                let _ = writeln!(out, "0x{lid:04x} {port:03} # Channel Adapter portguid 0x{guid:016x}: '{name}'");
                valid += 1;
            }
        }
        let _ = writeln!(out, "{valid} lids dumped\n");
        require_readable(out.len(), FORMAT)?;
    }
    Ok(out.into_bytes())
}

/// O(text + entries).
fn read(bytes: &[u8], place: &str, network: &Network, _bound: &Bound) -> Outcome<Forwarding> {
    let text = decode(bytes, place)?;
    require_numbers(network)?;
    let mut entries = Entries::new(network, place)?;
    let mut switch = None;
    for (number, line) in lines(text).filter(|l| !l.1.trim().is_empty()) {
        let (spot, line) = (Spot::At(number, 1), line.trim());
        if let Some(rest) = line.strip_prefix(STARTS) {
            switch = header(rest, network);
            if switch.is_none() {
                let sentence = format!("{} is no switch in netloom's numbering", quoted(rest));
                let hint = "LIDs and GUIDs of other fabrics are not read; write forwarding-csv";
                entries.sink.say(&codes::UNSUPPORTED, spot, sentence, hint);
            }
        } else if let Some((lid, port)) = entry(line) {
            if let Some(switch) = switch {
                push(&mut entries, switch, lid, port, spot);
            } else if entries.sink.is_empty() {
                entries.sink.say(&codes::SYNTAX, spot, "an entry before the first switch", "start with Unicast lids");
            }
        } else if !line.ends_with("lids dumped") && !line.starts_with('#') {
            entries.sink.must(&codes::SYNTAX, spot, "", "a LID and a port such as 0x0008 007", line, "");
        }
    }
    entries.finish()
}

/// The switch of `[0-11] of switch Lid 2 guid 0x... ('leaf0'):`, if both numbers are ours.
fn header(rest: &str, network: &Network) -> Option<u32> {
    let (_, after) = rest.split_once(" of switch Lid ")?;
    let mut words = after.split_whitespace();
    let lid: u32 = words.next()?.parse().ok()?;
    let guid = words.nth(1).filter(|_| after.contains(" guid "))?;
    let guid = u64::from_str_radix(guid.strip_prefix("0x")?, 16).ok()?;
    let switch = lid.checked_sub(1).filter(|switch| *switch < network.switches())?;
    (guid == GUID + u64::from(lid)).then_some(switch)
}

/// LID and port of `0x0008 007 # ...`.
fn entry(line: &str) -> Option<(u32, u32)> {
    let mut words = line.split('#').next()?.split_whitespace();
    let lid = u32::from_str_radix(words.next()?.strip_prefix("0x")?, 16).ok()?;
    let port = words.next()?.parse().ok()?;
    words.next().is_none().then_some((lid, port))
}

/// An entry for an endpoint at another switch; those for switches and for the switch's own endpoints are checked alone.
fn push(entries: &mut Entries<'_>, switch: u32, lid: u32, port: u32, spot: Spot) {
    let network = entries.network;
    let (n, degree) = (network.switches(), network.degree(switch));
    let ports = degree + network.endpoints_of(switch).len() as u32;
    let most = n + network.endpoints();
    if lid == 0 || lid > most || port > ports {
        let sentence =
            format!("LID {lid} or port {port} is beyond the {most} LIDs or the {ports} ports of this switch");
        entries.sink.say(&codes::UNKNOWN_ID, spot, sentence, "");
        return;
    }
    let Some(endpoint) = lid.checked_sub(n + 1) else { return };
    let own = network.endpoint_switch()[endpoint as usize] == switch;
    let on_it = port.checked_sub(degree + 1).and_then(|place| network.endpoints_of(switch).get(place as usize));
    match (own, on_it) {
        (true, Some(there)) if *there == endpoint => {}
        (false, None) if port > 0 => entries.push(switch, endpoint, network.out_links(switch).start + port - 1, spot),
        _ => {
            let sentence = format!("port {port} of switch {switch} does not lead to endpoint {endpoint}");
            entries.sink.say(&codes::UNKNOWN_ID, spot, sentence, "");
        }
    }
}
