//! Linear forwarding tables as OpenSM dumps them (`opensm-lfts.dump`) and loads them (`opensm -R file -U`), and as
//! `dump_fts` prints them.
//!
//! LIDs, ports and GUIDs are those of the network's file; a network without them is numbered as [`Subnet::numbered`] does
//! it.

use std::collections::HashMap;
use std::fmt::Write as _;

use netloom_model::{Bound, Fault, Forwarding, Network, Outcome, Row, Subnet, Why};

use super::entries::{Entries, require_readable, require_same};
use super::whole::whole;
use crate::codes;
use crate::fabric::{LAST_LID, LAST_PORT, guid};
use crate::row::Format;
use crate::sink::{Spot, quoted};
use crate::text::{decode, lines};

const FORMAT: &str = "opensm-lfts";
const STARTS: &str = "Unicast lids ";
const ENDS: &str = "lids dumped";
/// A port that means "no way there".
const NO_PORT: u32 = 255;
/// Words of remarks on LIDs of which the tool knows no device.
const NAMELESS: [&str; 2] = ["nknown", "not available"];
/// Beginnings of lines that say nothing of routes: comments, the head of a table, and the last line of the script `dump_lfts`.
const HEADS: [&str; 4] = ["#", "Lid ", "Port ", "*** WARNING ***"];

pub const ROW: Row<Format<Forwarding>> = Row {
    name: FORMAT,
    aliases: &["lfts", "opensm-lft", "dump_fts", "dump_lfts"],
    summary: "Linear forwarding tables as OpenSM dumps and loads them, and dump_fts prints them: output port by LID.",
    params: &[],
    example: FORMAT,
    restrictions: "LIDs, ports and GUIDs of the network's file, as of ibnetdiscover; another network has LIDs for switches \
                   from 1 in their order, then endpoints, ports from 1 for cables in the order of links, then endpoints, \
                   and the GUIDs 0x0200000000000000 + 256 LID (ports: + 1). Of a port's 2^LMC LIDs the first is read; all are \
                   written, with its routes. At most 49,151 LIDs and 254 ports.",
    source: "OpenSM 3.3, osm_dump.c and osm_ucast_file.c; infiniband-diags 44.0, dump_fts(8)",
    build: Format {
        extensions: &["dump", "lfts"],
        begins: |head| head.text.trim_start().starts_with(STARTS),
        read: Some(read),
        write: Some(write),
    },
};

/// Refuses networks that InfiniBand's numbers do not reach.
///
/// # Errors
/// `NL-F018`.
pub fn require_numbers(network: &Network, format: &str) -> Outcome<()> {
    let lids = u64::from(network.switches()) + u64::from(network.endpoints());
    let ports = |switch: u32| network.degree(switch) + network.endpoints_of(switch).len() as u32;
    let crowded = (0..network.switches()).find(|switch| ports(*switch) > LAST_PORT);
    let sentence = match crowded {
        _ if lids > u64::from(LAST_LID) => format!("{lids} LIDs exceed {LAST_LID}"),
        Some(switch) => format!("switch {switch} has {} ports, {LAST_PORT} are the most", ports(switch)),
        None => return Ok(()),
    };
    let hint = "write graphml, and forwarding-csv for routes";
    Err(Fault::say(&codes::CANNOT_EXPRESS, format, sentence).hint(hint).into())
}

/// The subnet of a network: its own, or one that numbers it.
fn subnet_of(network: &Network) -> Subnet {
    network.subnet().map_or_else(|| Subnet::numbered(network), |own| own.as_ref().clone())
}

/// The LIDs of an endpoint: 2^LMC from its base LID on; none without one.
fn lids_of(subnet: &Subnet, endpoint: u32) -> std::ops::Range<u32> {
    match subnet.endpoint_lid[endpoint as usize] {
        0 => 0..0,
        base => base..base + (1 << subnet.endpoint_lmc[endpoint as usize]),
    }
}

/// # Errors
/// `NL-F018` for a fabric whose devices have no LIDs yet.
fn require_lids(subnet: &Subnet, network: &Network) -> Outcome<()> {
    if subnet.switch_lid.iter().chain(&subnet.endpoint_lid).any(|lid| *lid > 0) {
        return Ok(());
    }
    let sentence = format!("all LIDs of {} are 0, and the tables are by LID", network.label());
    let hint = "list the fabric again when a subnet manager has assigned LIDs";
    Err(Fault::say(&codes::CANNOT_EXPRESS, FORMAT, sentence).hint(hint).into())
}

/// O((switches + endpoints) · links log switches).
fn write(tables: &Forwarding, network: &Network, _bound: &Bound) -> Outcome<Vec<u8>> {
    require_same(tables, network, FORMAT)?;
    require_numbers(network, FORMAT)?;
    // A line of 40 bytes or more for every pair of switches: too many are refused before memory is taken for them.
    require_readable(40 * (network.switches() as usize).pow(2), FORMAT)?;
    let subnet = subnet_of(network);
    require_lids(&subnet, network)?;
    let plain = |name: String| name.replace(['\'', '\n', '\r'], "_");
    let n = network.switches();
    let (tables, to_switches) = whole(tables, network);
    let mut lids: Vec<(u32, LidOwner)> = (0..n).map(|s| (subnet.switch_lid[s as usize], LidOwner::Switch(s))).collect();
    lids.extend(
        (0..network.endpoints()).flat_map(|e| lids_of(&subnet, e).map(move |lid| (lid, LidOwner::Endpoint(e)))),
    );
    lids.extend((0..).zip(&subnet.others).map(|(i, other)| (other.lid, LidOwner::Other(i))));
    lids.sort_unstable();
    let last = lids.last().map_or(0, |lid| lid.0);
    let port_of = |link: u32| subnet.port_of_link.get(link as usize).copied();
    let mut out = String::new();
    for switch in 0..n {
        let (lid, guid) = (subnet.switch_lid[switch as usize], subnet.switch_guid[switch as usize]);
        let name = plain(network.switch_name(switch));
        let _ = writeln!(out, "{STARTS}[0-{last}] of switch Lid {lid} guid 0x{guid:016x} ('{name}'):");
        let mut valid = 0;
        for &(lid, device) in lids.iter().filter(|lid| lid.0 > 0) {
            // The port if the device is on this switch, else that of the link towards it.
            let (own, link, kind, guid, name) = match device {
                LidOwner::Switch(to) => {
                    let own = (to == switch).then_some(0);
                    let link = to_switches[to as usize][switch as usize];
                    (own, link, "Switch", subnet.switch_guid[to as usize], network.switch_name(to))
                }
                LidOwner::Endpoint(to) => {
                    let own = network.endpoint_switch()[to as usize] == switch;
                    let (own, link) =
                        (own.then(|| subnet.port_of_endpoint[to as usize]), tables.towards(to)[switch as usize]);
                    (own, link, "Channel Adapter", subnet.endpoint_guid[to as usize], network.endpoint_name(to))
                }
                LidOwner::Other(i) => {
                    let other = &subnet.others[i as usize];
                    let own = (other.switch == switch).then_some(other.port_of_switch);
                    let link = to_switches[other.switch as usize][switch as usize];
                    (own, link, "Channel Adapter", other.guid, "aggregation node".into())
                }
            };
            let port = own.or_else(|| port_of(link));
            if let Some(port) = port {
                let _ = writeln!(out, "0x{lid:04x} {port:03} # {kind} portguid 0x{guid:016x}: '{}'", plain(name));
                valid += 1;
            }
        }
        let _ = writeln!(out, "{valid} {ENDS}\n");
        require_readable(out.len(), FORMAT)?;
    }
    Ok(out.into_bytes())
}

/// What a LID that is written belongs to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum LidOwner {
    Switch(u32),
    Endpoint(u32),
    /// Something that is no endpoint of the network.
    Other(u32),
}

/// What a LID belongs to.
#[derive(Clone, Copy)]
enum Of {
    Switch,
    Endpoint(u32),
    /// A further LID of a port, or something that is no endpoint of the network.
    Other,
}

/// Where a port leads.
#[derive(Clone, Copy)]
enum To {
    Link(u32),
    Endpoint(u32),
}

struct TableReader<'n, 'f> {
    network: &'n Network,
    entries: Entries<'f>,
    switches: HashMap<u64, u32>,
    lids: HashMap<u32, Of>,
    ports: HashMap<(u32, u32), To>,
}

/// O(text + entries).
fn read(bytes: &[u8], place: &str, network: &Network, _bound: &Bound) -> Outcome<Forwarding> {
    let text = decode(bytes, place)?;
    require_numbers(network, FORMAT)?;
    let subnet = subnet_of(network);
    let mut reader = TableReader::new(network, &subnet, Entries::new(network, place)?);
    let mut seen = vec![false; network.switches() as usize];
    let (mut switch, mut open, mut ended) = (None, None, false);
    for (number, line) in lines(text).filter(|l| !l.1.trim().is_empty()) {
        let (spot, line) = (Spot::At(number, 1), line.trim());
        if let Some(rest) = line.strip_prefix(STARTS) {
            switch = reader.header(rest, &subnet, spot);
            switch.iter().for_each(|switch| seen[*switch as usize] = true);
            open = Some(spot);
        } else if line.ends_with(ENDS) {
            (open, ended) = (None, true);
        } else if let Some((lid, port, remark)) = entry(line) {
            if let Some(switch) = switch {
                reader.push(switch, lid, port, remark, spot);
            } else if reader.entries.sink.is_empty() {
                let sentence = "an entry before the first switch";
                reader.entries.sink.say(&codes::SYNTAX, spot, sentence, "start with Unicast lids");
            }
        } else if !HEADS.iter().any(|head| line.starts_with(head)) {
            reader.entries.sink.must(&codes::SYNTAX, spot, "", "a LID and a port such as 0x0008 007", line, "");
        }
    }
    if let (Some(spot), true) = (open, ended) {
        let sentence = "the tables of this switch do not end, as those of others do: the file is cut off";
        reader.entries.sink.say(&codes::NOTHING, spot, sentence, "give the whole file");
    }
    reader.entries.need_own();
    // The last table may be cut off, too, where no other one says how tables end.
    open.and(switch).iter().for_each(|switch| seen[*switch as usize] = false);
    let absent = (0..network.switches()).filter(|s| !seen[*s as usize] && network.in_service(*s));
    reader.entries.absent = absent.collect();
    reader.entries.finish()
}

/// LID, port and remark of `0x0008 007 # ...` or `0x0008 007 : (...)`.
fn entry(line: &str) -> Option<(u32, u32, &str)> {
    let at = line.find(['#', ':']).unwrap_or(line.len());
    let (numbers, remark) = line.split_at(at);
    let mut words = numbers.split_whitespace();
    let lid = u32::from_str_radix(words.next()?.strip_prefix("0x")?, 16).ok()?;
    let port = words.next()?.parse().ok()?;
    words.next().is_none().then_some((lid, port, remark))
}

impl<'n, 'f> TableReader<'n, 'f> {
    fn new(network: &'n Network, subnet: &Subnet, entries: Entries<'f>) -> TableReader<'n, 'f> {
        let mut lids: HashMap<u32, Of> = subnet.switch_lid.iter().map(|lid| (*lid, Of::Switch)).collect();
        lids.extend(subnet.others.iter().map(|other| (other.lid, Of::Other)));
        let mut ports = HashMap::new();
        for (e, &switch) in (0u32..).zip(network.endpoint_switch()) {
            let (first, lmc) = (subnet.endpoint_lid[e as usize], subnet.endpoint_lmc[e as usize]);
            lids.extend((1..1u32 << lmc).map(|offset| (first + offset, Of::Other)));
            lids.insert(first, Of::Endpoint(e));
            ports.insert((switch, subnet.port_of_endpoint[e as usize]), To::Endpoint(e));
        }
        for (link, (&switch, &port)) in (0u32..).zip(network.tails().iter().zip(&subnet.port_of_link)) {
            ports.insert((switch, port), To::Link(link));
        }
        let switches = (0u32..).zip(&subnet.switch_guid).map(|(s, guid)| (*guid, s)).collect();
        TableReader { network, entries, switches, lids, ports }
    }

    /// The switch of `[0-11] of switch Lid 2 guid 0x... ('leaf0'):` or `[0x0-0xb] of switch DR path ... guid 0x... (leaf0):`.
    fn header(&mut self, rest: &str, subnet: &Subnet, spot: Spot) -> Option<u32> {
        let found = rest.split_once(" guid ").and_then(|(_, after)| guid(after.split_whitespace().next()?));
        let switch = found.and_then(|guid| self.switches.get(&guid).copied());
        let lid = rest.split_once(" of switch Lid ").map(|(_, after)| after.split(' ').next().unwrap_or_default());
        let agrees = |s: u32| lid.is_none_or(|lid| lid == subnet.switch_lid[s as usize].to_string());
        if let Some(switch) = switch.filter(|s| agrees(*s)) {
            return Some(switch);
        }
        let label = self.network.label();
        let (code, sentence, hint) = match (self.network.subnet(), switch) {
            (None, _) => (
                &codes::UNSUPPORTED,
                format!("{} is no switch in netloom's numbering, and {label} has no GUIDs of its own", quoted(rest)),
                "read the network with ibnetdiscover, or write forwarding-csv",
            ),
            (_, None) => (
                &codes::UNKNOWN_ID,
                format!("{label} has no switch of this GUID: {}", quoted(rest)),
                "these are the tables of another fabric: dump both at the same time",
            ),
            (_, Some(switch)) => (
                &codes::UNKNOWN_ID,
                format!("in {label} this switch has LID {}: {}", subnet.switch_lid[switch as usize], quoted(rest)),
                "dump the fabric and its tables at the same time",
            ),
        };
        self.entries.sink.say(code, spot, sentence, hint);
        None
    }

    /// An entry for an endpoint; those for switches and further LIDs are left out.
    fn push(&mut self, switch: u32, lid: u32, port: u32, remark: &str, spot: Spot) {
        let endpoint = match self.lids.get(&lid).copied() {
            _ if lid == 0 => return,
            Some(Of::Endpoint(endpoint)) => endpoint,
            Some(Of::Switch | Of::Other) => return,
            // Of a device that no longer answers, or that the tool does not know.
            None if port == NO_PORT || NAMELESS.iter().any(|words| remark.contains(words)) => return,
            None => {
                let sentence = format!("{} has no LID {lid}", self.network.label());
                let hint = "dump the fabric and its tables at the same time";
                return self.entries.sink.say(&codes::UNKNOWN_ID, spot, sentence, hint);
            }
        };
        let own = self.network.endpoint_switch()[endpoint as usize] == switch;
        let head = |link: u32| self.network.heads()[link as usize];
        let why = match self.ports.get(&(switch, port)).copied() {
            Some(To::Link(link)) if !own => return self.entries.push(switch, endpoint, link, spot),
            Some(To::Endpoint(there)) if there == endpoint => return self.entries.deliver(endpoint, spot),
            Some(To::Link(link)) => Why::Away { port, switch: head(link) },
            Some(To::Endpoint(endpoint)) => Why::Wrong { port, endpoint },
            None if port == NO_PORT => Why::NoEntry,
            None if port == 0 => Why::Itself,
            None => Why::NoCable { port },
        };
        self.entries.lose(switch, endpoint, why, spot);
    }
}
