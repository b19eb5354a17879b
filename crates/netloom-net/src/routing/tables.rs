//! Routing by forwarding tables that a file gives.

use std::sync::Arc;

use netloom_model::deadlock::{Deadlock, Dependencies, ends};
use netloom_model::fault::{Fault, Faults};
use netloom_model::{Bound, Forwarding, Kind, Lost, Network, Outcome, Param, Routing, Split, Step, Way, Why};
use rayon::prelude::*;

use super::codes;
use super::row::RoutingRow;
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

struct TableRule {
    tables: Arc<Forwarding>,
    /// The hops that remain, indexed as the tables; [`FAR`] where the tables do not lead to the destination.
    hops: Vec<u32>,
    /// True if packets to two endpoints of one switch may take different links.
    by_endpoint: bool,
}

impl Rule for TableRule {
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
        rule: Box::new(TableRule {
            tables: Arc::clone(tables),
            hops,
            by_endpoint: (0..network.switches()).any(differ),
        }),
        split: Split::Paths,
        limit: 1,
    }))
}

/// Whether the routes of tables between endpoints can wait for each other in a circle, with one virtual channel. Those that
/// stop early or go in a circle themselves are left out. O(entries).
///
/// # Errors
/// `NL-A009` if the graph is too large.
pub fn deadlock_of(network: &Network, tables: &Forwarding) -> Outcome<Deadlock> {
    let mut table = Dependencies::new(network, 1)?;
    let handed_over = |endpoint| tables.why(endpoint, network.endpoint_switch()[endpoint as usize]).is_none();
    let (sources, leads_to) = (ends(network), leads_to(tables, handed_over));
    let head = |link: u32| network.heads()[link as usize];
    let (mut hops, mut seen) = (vec![0; network.switches() as usize], vec![0; network.switches() as usize]);
    for (column, endpoint) in (0u32..).zip(leads_to) {
        let Some(endpoint) = endpoint else { continue };
        let walk = Walk { network, tables, column, endpoint };
        hops.fill(FAR);
        walk.all(&sources, &mut hops, &mut |_| {});
        let (links, end) = (tables.column(column), network.endpoint_switch()[endpoint as usize]);
        for &source in sources.iter().filter(|source| hops[**source as usize] != FAR) {
            let mut at = source;
            while at != end && std::mem::replace(&mut seen[at as usize], column + 1) != column + 1 {
                let next = head(links[at as usize]);
                if next != end {
                    table.set((links[at as usize], 0), (links[next as usize], 0));
                }
                at = next;
            }
        }
    }
    Ok(table.judge())
}

/// The first endpoint of every column that counts.
fn leads_to(tables: &Forwarding, counts: impl Fn(u32) -> bool) -> Vec<Option<u32>> {
    let mut leads_to = vec![None; tables.columns() as usize];
    for (endpoint, &column) in (0u32..).zip(tables.column_of()).filter(|(endpoint, _)| counts(*endpoint)) {
        leads_to[column as usize].get_or_insert(endpoint);
    }
    leads_to
}

/// The hops from every switch by every column.
///
/// # Errors
/// `NL-R010` for routes between endpoints that stop early or go in a circle.
fn lengths(network: &Network, tables: &Forwarding) -> Outcome<Vec<u32>> {
    let n = network.switches() as usize;
    let mut hops = vec![FAR; n * tables.columns() as usize];
    let sources = ends(network);
    let wrong = |(column, (hops, endpoint)): (usize, (&mut [u32], &Option<u32>))| {
        let walk = Walk { network, tables, column: column as u32, endpoint: (*endpoint)? };
        let mut first = None;
        walk.all(&sources, hops, &mut |sentence| {
            first.get_or_insert_with(sentence);
        });
        first
    };
    let mut found: Vec<String> =
        hops.par_chunks_mut(n).zip(&leads_to(tables, |_| true)).enumerate().filter_map(wrong).collect::<Vec<_>>();
    found.extend(undelivered(network, tables));
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

/// Endpoints in service whose own switch does not hand packets over, if there is anyone to send some.
fn undelivered<'a>(network: &'a Network, tables: &'a Forwarding) -> impl Iterator<Item = String> + 'a {
    let own = |lost: &&Lost| {
        let switch = network.endpoint_switch()[lost.endpoint as usize];
        lost.switch == switch && network.in_service(switch)
    };
    let served = |endpoint: &u32| network.in_service(network.endpoint_switch()[*endpoint as usize]);
    let others = (0..network.endpoints()).filter(served).take(2).count() > 1;
    let sentence = move |lost: &Lost| {
        let (before, after) = lost.why.words(network);
        let (at, to) = (network.switch_name(lost.switch), network.endpoint_name(lost.endpoint));
        let from = (0..network.endpoints()).filter(served).find(|other| *other != lost.endpoint);
        let from = from.map_or(String::new(), |from| format!(", on the route from {}", network.endpoint_name(from)));
        format!("{at}, where endpoint {to} is, {before} it{after}{from}")
    };
    tables.lost().iter().filter(own).filter(move |_| others).map(sentence)
}

/// The routes to one endpoint.
struct Walk<'a> {
    network: &'a Network,
    tables: &'a Forwarding,
    column: u32,
    endpoint: u32,
}

impl Walk<'_> {
    /// Fills `hops`; tells how to say what is wrong with each route from `sources` that does not arrive. O(switches).
    fn all(&self, sources: &[u32], hops: &mut [u32], tell: &mut dyn FnMut(&dyn Fn() -> String)) {
        let (end, links) = (self.network.endpoint_switch()[self.endpoint as usize], self.tables.column(self.column));
        if !self.network.in_service(end) {
            return;
        }
        hops[end as usize] = 0;
        let mut seen = vec![false; hops.len()];
        let others = (0..self.network.switches()).filter(|switch| sources.binary_search(switch).is_err());
        for (needed, source) in sources.iter().map(|s| (true, *s)).chain(others.map(|s| (false, s))) {
            let (mut route, mut at) = (Vec::new(), source);
            while hops[at as usize] == FAR && !seen[at as usize] && links[at as usize] != Forwarding::NONE {
                seen[at as usize] = true;
                route.push(at);
                at = self.network.heads()[links[at as usize] as usize];
            }
            let mut length = hops[at as usize];
            if length == FAR {
                if needed {
                    tell(&|| self.trouble(source, at, &route));
                }
                continue;
            }
            for &switch in route.iter().rev() {
                length += 1;
                hops[switch as usize] = length;
            }
        }
    }

    #[cold]
    fn trouble(&self, source: u32, at: u32, route: &[u32]) -> String {
        let name = |switch: u32| self.network.switch_name(switch);
        let (from, to) = (name(source), self.network.endpoint_name(self.endpoint));
        let Some(circle) = route.iter().position(|switch| *switch == at).map(|start| &route[start..]) else {
            let why = self.tables.why(self.endpoint, at).filter(|why| *why != Why::NoEntry);
            return match why.map(|why| why.words(self.network)) {
                None => format!("no entry at {} for endpoint {to}, on the route from {from}", name(at)),
                Some((before, after)) => {
                    format!("{} {before} endpoint {to}{after}, on the route from {from}", name(at))
                }
            };
        };
        let shown: Vec<String> = circle.iter().take(8).chain([&at]).map(|switch| name(*switch)).collect();
        let cut = if circle.len() > 8 { ", of which 8 are named" } else { "" };
        let hops = circle.len();
        format!("packets from {from} to endpoint {to} go in a circle of {hops} hops{cut}: {}", shown.join(" > "))
    }
}
