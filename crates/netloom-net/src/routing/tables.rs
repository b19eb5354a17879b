//! Routing by forwarding tables that a file gives.

use std::sync::Arc;

use netloom_model::deadlock::ends;
use netloom_model::fault::{Fault, Faults};
use netloom_model::{Bound, Forwarding, Kind, Network, Outcome, Param, Routing, Split, Step, Way};
use rayon::prelude::*;

use super::codes;
use super::registry::RoutingRow;
use super::rule::{Rule, Ruled};

pub const TABLES: RoutingRow = RoutingRow {
    name: "tables",
    aliases: &["forwarding-tables"],
    summary: "the links that forwarding tables give to each destination endpoint",
    params: &[
        Param::optional("file", Kind::Text, "", "the file of the tables: see file formats"),
        Param::optional(
            "vc",
            Kind::Choice(&["one", "hops"]),
            "one",
            "virtual channel of a packet: always the same one, or the hops that it has made",
        ),
    ],
    example: "tables(\"tables.csv\")",
    restrictions: "the network that the tables were made for; every route between endpoints ends",
    source: "destination-based forwarding tables, as of InfiniBand subnets",
    build,
};

/// Most faults that are listed; the others say the same of other destinations.
const MOST: usize = 20;
const FAR: u32 = u32::MAX;

struct Tables {
    tables: Arc<Forwarding>,
    /// As the tables, the hops that remain; [`FAR`] where the tables do not lead to the destination.
    hops: Vec<u32>,
    /// True if packets to two endpoints of one switch may take different links.
    by_endpoint: bool,
}

impl Rule for Tables {
    fn way<'a>(&'a self, network: &'a Network, destination: u32) -> Box<dyn Way + 'a> {
        let n = network.switches();
        let endpoint = destination.checked_sub(n).or_else(|| network.endpoints_of(destination).first().copied());
        let column = endpoint.and_then(|endpoint| self.tables.column_of().get(endpoint as usize).copied());
        let of = |column: u32| column as usize * n as usize..(column as usize + 1) * n as usize;
        Box::new(TablesWay {
            network,
            links: column.map_or(&[], |column| self.tables.column(column)),
            hops: column.map_or(&[], |column| &self.hops[of(column)]),
        })
    }
    fn places_per_switch(&self) -> u32 {
        1
    }
    fn virtual_channels(&self) -> u8 {
        1
    }
    fn is_deterministic(&self) -> bool {
        true
    }
    fn by_endpoint(&self) -> bool {
        self.by_endpoint
    }
}

/// A place is a switch.
struct TablesWay<'a> {
    network: &'a Network,
    links: &'a [u32],
    hops: &'a [u32],
}

impl Way for TablesWay<'_> {
    fn starts(&self, source: u32, out: &mut Vec<u64>) {
        out.extend((self.remaining(source.into()) != FAR).then_some(u64::from(source)));
    }
    fn steps(&self, place: u64, out: &mut Vec<Step>) {
        let link = self.links.get(place as usize).filter(|link| **link != Forwarding::NONE);
        let head = |link: u32| self.network.heads()[link as usize].into();
        out.extend(link.map(|&link| Step { link, channel: 0, place: head(link) }));
    }
    fn remaining(&self, place: u64) -> u32 {
        self.hops.get(place as usize).copied().unwrap_or(FAR)
    }
}

/// O(entries).
fn build(network: &Arc<Network>, bound: &Bound, label: &str) -> Outcome<Box<dyn Routing>> {
    let file = bound.text("file");
    let Some(tables) = network.tables().iter().find(|tables| tables.name() == file) else {
        let sentence = match file {
            "" => "needs the file of the forwarding tables".to_string(),
            _ => format!("no forwarding tables \"{file}\" were read for this network"),
        };
        let place = format!("{} on {}", bound.owner, network.label());
        return Err(Fault::say(&codes::NO_ENTRY, place, sentence).hint("write tables(\"file.csv\")").into());
    };
    let hops = lengths(network, tables)?;
    let longest = hops.iter().filter(|hops| **hops != FAR).max().copied().unwrap_or(0).max(1);
    let hop_channels = match (bound.text("vc"), u8::try_from(longest)) {
        ("hops", Ok(channels)) => Some(channels),
        ("hops", Err(_)) => {
            let sentence = format!("one channel per hop needs {longest} virtual channels, 255 is the most");
            let place = format!("{}.vc on {}", bound.owner, network.label());
            return Err(Fault::say(&codes::TOO_MANY_CHANNELS, place, sentence).hint("give vc=one").into());
        }
        _ => None,
    };
    let column = |endpoint: u32| tables.column_of()[endpoint as usize];
    let differ = |switch: u32| network.endpoints_of(switch).windows(2).any(|two| column(two[0]) != column(two[1]));
    Ok(Box::new(Ruled {
        network: network.clone(),
        label: label.into(),
        hop_channels,
        rule: Box::new(Tables { tables: Arc::clone(tables), hops, by_endpoint: (0..network.switches()).any(differ) }),
        split: Split::Paths,
        limit: 1,
    }))
}

/// The hops from every switch by every column.
///
/// # Errors
/// `NL-R010` for routes between endpoints that stop early or go in a circle.
fn lengths(network: &Network, tables: &Forwarding) -> Outcome<Vec<u32>> {
    let n = network.switches() as usize;
    let mut hops = vec![FAR; n * tables.columns() as usize];
    let mut leads_to = vec![None; tables.columns() as usize];
    for (endpoint, &column) in (0u32..).zip(tables.column_of()) {
        leads_to[column as usize].get_or_insert(endpoint);
    }
    let sources = ends(network);
    let wrong = |(column, (hops, endpoint)): (usize, (&mut [u32], &Option<u32>))| {
        let walk = Walk { network, links: tables.column(column as u32), endpoint: (*endpoint)? };
        walk.all(&sources, hops)
    };
    let found: Vec<String> = hops.par_chunks_mut(n).zip(&leads_to).enumerate().filter_map(wrong).collect::<Vec<_>>();
    if found.is_empty() {
        return Ok(hops);
    }
    let (mut faults, more) = (Faults::none(), found.len().saturating_sub(MOST));
    for sentence in found.into_iter().take(MOST) {
        let place = format!("{} on {}", tables.name(), network.label());
        let hint = if more > 0 { format!("and {more} more destinations like it") } else { String::new() };
        faults.push(Fault::say(&codes::NO_ENTRY, place, sentence).hint(hint));
    }
    Err(faults)
}

/// The routes to one endpoint.
struct Walk<'a> {
    network: &'a Network,
    links: &'a [u32],
    endpoint: u32,
}

impl Walk<'_> {
    /// Fills `hops`; says what is wrong with the first route from `sources` that does not arrive. O(switches).
    fn all(&self, sources: &[u32], hops: &mut [u32]) -> Option<String> {
        let end = self.network.endpoint_switch()[self.endpoint as usize];
        if !self.network.in_service(end) {
            return None;
        }
        hops[end as usize] = 0;
        let mut seen = vec![false; hops.len()];
        let others = (0..self.network.switches()).filter(|switch| sources.binary_search(switch).is_err());
        for (needed, source) in sources.iter().map(|s| (true, *s)).chain(others.map(|s| (false, s))) {
            let (mut route, mut at) = (Vec::new(), source);
            while hops[at as usize] == FAR && !seen[at as usize] && self.links[at as usize] != Forwarding::NONE {
                seen[at as usize] = true;
                route.push(at);
                at = self.network.heads()[self.links[at as usize] as usize];
            }
            let mut length = hops[at as usize];
            if length == FAR {
                if needed {
                    return Some(self.trouble(source, at, &route));
                }
                continue;
            }
            for &switch in route.iter().rev() {
                length += 1;
                hops[switch as usize] = length;
            }
        }
        None
    }

    #[cold]
    fn trouble(&self, source: u32, at: u32, route: &[u32]) -> String {
        let name = |switch: u32| self.network.switch_name(switch);
        let (from, to) = (name(source), self.network.endpoint_name(self.endpoint));
        let Some(circle) = route.iter().position(|switch| *switch == at).map(|start| &route[start..]) else {
            return format!("no entry at {} for endpoint {to}, on the route from {from}", name(at));
        };
        let shown: Vec<String> = circle.iter().take(8).chain([&at]).map(|switch| name(*switch)).collect();
        let cut = if circle.len() > 8 { ", of which 8 are named" } else { "" };
        let hops = circle.len();
        format!("packets from {from} to endpoint {to} go in a circle of {hops} hops{cut}: {}", shown.join(" > "))
    }
}
