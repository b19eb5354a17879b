//! Shared by the readers of mappings: ranks collected from lines, each once.

use netloom_model::fault::codes as faults;
use netloom_model::{Mapping, Network, Outcome};

use super::hosts::Hosts;
use crate::codes;
use crate::sink::{Sink, Spot};

/// Rank → endpoint as found in a file.
pub struct Table<'p> {
    rows: Vec<(u64, u32, Spot)>,
    /// Ranks on every endpoint so far.
    filled: Vec<u32>,
    pub sink: Sink<'p>,
}

impl<'p> Table<'p> {
    pub fn new(place: &'p str) -> Self {
        Table { rows: Vec::new(), filled: Vec::new(), sink: Sink::new(place) }
    }
    /// The next rank, for files that name none.
    pub fn next(&self) -> u64 {
        self.rows.len() as u64
    }
    pub fn push(&mut self, rank: u64, endpoint: u32, spot: Spot) {
        self.rows.push((rank, endpoint, spot));
    }

    /// A rank on an endpoint with room for `cores` ranks: on its `slot`, or on the next one. The slots of endpoint e are
    /// the endpoints from e * cores of the network given.
    pub fn share(&mut self, rank: u64, endpoint: u32, slot: Option<u32>, cores: u32, network: &Network, spot: Spot) {
        let endpoints = network.endpoints() / cores;
        if endpoint >= endpoints {
            let expected = format!("an integer in 0..{}", endpoints.saturating_sub(1));
            self.sink.must(&codes::VALUE, spot, "endpoint", &expected, endpoint, "");
            return;
        }
        self.filled.resize(endpoints as usize, 0);
        let next = &mut self.filled[endpoint as usize];
        let slot = slot.unwrap_or(*next);
        *next = next.saturating_add(1);
        if slot >= cores {
            let what = format!("slot of endpoint {endpoint}");
            self.sink.must(&codes::VALUE, spot, &what, &format!("below {cores}"), slot, "give more cores");
            return;
        }
        self.push(rank, endpoint * cores + slot, spot);
    }

    /// Checks that the ranks are 0 to n-1, each on its own endpoint, and builds. `name` says an endpoint in the words of the
    /// file. O(n log n + endpoints).
    ///
    /// # Errors
    /// `NL-F004` no rank, `NL-F019` a missing or repeated rank, `NL-M001` an endpoint that does not exist, `NL-M002` one that
    /// has a rank already, and those of [`Mapping::new`] with the file's name.
    pub fn finish(mut self, network: &Network, name: impl Fn(u32) -> String) -> Outcome<Mapping> {
        if self.rows.is_empty() && self.sink.is_empty() {
            self.sink.say(&codes::NOTHING, Spot::Whole, "the file names no rank", "check that the file is complete");
        }
        if !self.sink.is_empty() {
            return Err(self.sink.fail());
        }
        self.rows.sort_by_key(|r| r.0);
        for (want, &(rank, _, spot)) in (0u64..).zip(&self.rows) {
            if rank != want {
                let last = self.rows.len() - 1;
                let what =
                    if rank < want { format!("rank {rank} is repeated") } else { format!("rank {want} is missing") };
                self.sink.say(
                    &codes::RANKS,
                    spot,
                    format!("{what}; the file has ranks 0 to {last}"),
                    "give every rank once",
                );
                return Err(self.sink.fail());
            }
        }
        if self.rows.len() as u64 <= u64::from(network.endpoints()) {
            self.require_own(network.endpoints(), name);
        }
        if !self.sink.is_empty() {
            return Err(self.sink.fail());
        }
        let place = self.sink.place();
        Mapping::new(self.rows.into_iter().map(|r| r.1).collect(), network).map_err(|mut faults| {
            faults.0.iter_mut().for_each(|f| f.place = format!("{place}: {}", f.place));
            faults
        })
    }

    /// Finds the ranks whose endpoint does not exist or is another rank's. O(ranks + endpoints).
    fn require_own(&mut self, endpoints: u32, name: impl Fn(u32) -> String) {
        let mut taken: Vec<Option<usize>> = vec![None; endpoints as usize];
        for (at, &(_, endpoint, spot)) in self.rows.iter().enumerate() {
            match taken.get_mut(endpoint as usize) {
                None => {
                    let expected = format!("an integer in 0..{}", endpoints - 1);
                    self.sink.must(&faults::MAPPING_RANGE, spot, "endpoint", &expected, endpoint, "");
                }
                Some(free @ None) => *free = Some(at),
                Some(Some(other)) => {
                    let (rank, _, first) = self.rows[*other];
                    let line =
                        if let Spot::At(line, _) = first { format!(", from line {line}") } else { String::new() };
                    let sentence = format!("{} already has rank {rank}{line}", name(endpoint));
                    self.sink.say(&faults::MAPPING_TWICE, spot, sentence, TWICE);
                }
            }
        }
    }
}

/// Where two ranks share a slot.
const TWICE: &str = "give each rank a slot of its own; more ranks on an endpoint need more cores";
/// Where a host has no slot left.
pub const MORE: &str = "more ranks on a host need more cores, or slots= where several endpoints form one host";

/// Names of hosts that a hint lists.
const SHOWN: usize = 8;

/// `x{0}` for `x12`, `x{000}` for `x012`; none for a name without a number.
fn pattern_of(host: &str) -> Option<String> {
    let end = host.rfind(|c: char| c.is_ascii_digit())? + 1;
    let start = host[..end]
        .rfind(|c: char| !c.is_ascii_digit())
        .map_or(0, |at| at + host[at..].chars().next().map_or(1, char::len_utf8));
    let digits = &host[start..end];
    let zeros = "0".repeat(if digits.starts_with('0') { digits.len() } else { 1 });
    Some(format!("{}{{{zeros}}}{}", &host[..start], &host[end..]))
}

fn capital(text: &str) -> String {
    let first = text.chars().next().map(|c| c.to_uppercase().to_string());
    first.unwrap_or_default() + text.get(1..).unwrap_or_default()
}

/// Hands out slots of hosts in the order of the file.
pub struct Filling<'h> {
    hosts: &'h Hosts,
    index: std::collections::HashMap<&'h str, u32>,
    /// Hosts by the first label of names such as `cn1.cluster`; none where two have it.
    short: std::collections::HashMap<&'h str, Option<u32>>,
    next: Vec<u32>,
}

impl<'h> Filling<'h> {
    pub fn new(hosts: &'h Hosts) -> Self {
        let mut short = std::collections::HashMap::new();
        for (number, name) in (0u32..).zip(&hosts.names) {
            if let Some((label, _)) = name.split_once('.') {
                short.entry(label).and_modify(|one| *one = None).or_insert(Some(number));
            }
        }
        Filling { hosts, index: hosts.index(), short, next: vec![0; hosts.names.len()] }
    }

    /// The host of that name; else the only one whose name is this one in full (`cn1.cluster` for `cn1`) or in short.
    fn host(&self, name: &str) -> Option<u32> {
        let within = |(at, _): (usize, &str)| self.index.get(&name[..at]).copied();
        let shorter = || name.match_indices('.').rev().find_map(within);
        let longer = || {
            let label = name.split('.').next()?;
            let number = self.short.get(label).copied().flatten()?;
            let rest = self.hosts.names[number as usize].strip_prefix(name)?;
            rest.starts_with('.').then_some(number)
        };
        self.index.get(name).copied().or_else(shorter).or_else(longer)
    }

    /// The endpoint for the next rank on `host`, or on its `slot`; a fault if there is no such host or no slot left.
    pub fn take(&mut self, host: &str, slot: Option<u64>, spot: Spot, sink: &mut Sink) -> Option<u32> {
        let Some(number) = self.host(host) else {
            let near = netloom_model::fault::nearest(host, self.hosts.names.iter().take(1000).map(String::as_str));
            let names = || self.hosts.names.iter().take(SHOWN).map(String::as_str).collect::<Vec<_>>().join(", ");
            let instead = match pattern_of(host) {
                Some(pattern) => format!(
                    "if the file names hosts otherwise than the network, read it with host_pattern=\"{pattern}\", the \
                     number of the first host in braces"
                ),
                None => format!(
                    "the network's hosts are {}{}",
                    names(),
                    if self.hosts.names.len() > SHOWN { ", ..." } else { "" }
                ),
            };
            let hint = near.map_or(instead.clone(), |near| format!("did you mean \"{near}\"? {}", capital(&instead)));
            sink.must(&codes::UNKNOWN_ID, spot, "host", "a host of the network", host, &hint);
            return None;
        };
        let next = &mut self.next[number as usize];
        let slot = slot.unwrap_or(u64::from(*next));
        *next = next.saturating_add(1);
        let endpoint = u32::try_from(slot).ok().and_then(|s| self.hosts.endpoint(number, s));
        if endpoint.is_none() {
            let expected = format!("below {}, the slots of a host", self.hosts.slots);
            sink.must(&codes::VALUE, spot, &format!("slot of {host}"), &expected, slot, MORE);
        }
        endpoint
    }
}
