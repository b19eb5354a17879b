//! Tables as they are read, entry by entry, and what writers of tables refuse.

use std::collections::HashMap;

use netloom_model::{Fault, Forwarding, Lost, Network, Outcome, Why};

use crate::codes;
use crate::limits::MAX_BYTES;
use crate::sink::{Sink, Spot, quoted};

/// Entries as found in a file.
pub struct Entries<'f> {
    network: &'f Network,
    pub sink: Sink<'f>,
    /// The next link of every switch, by endpoint.
    links: Vec<u32>,
    /// Whether an endpoint's own switch has an entry, by endpoint.
    own: Vec<bool>,
    /// Why packets go no further, by endpoint and switch.
    lost: HashMap<(u32, u32), Why>,
    /// Switches of which the file has no whole table.
    pub absent: Vec<u32>,
}

impl<'f> Entries<'f> {
    /// # Errors
    /// Those of [`Forwarding::require_size`].
    pub fn new(network: &'f Network, place: &'f str) -> Outcome<Entries<'f>> {
        Forwarding::require_size(network, network.endpoints().into())?;
        let size = network.switches() as usize * network.endpoints() as usize;
        Ok(Entries {
            network,
            sink: Sink::new(place),
            links: vec![Forwarding::NONE; size],
            own: vec![false; network.endpoints() as usize],
            lost: HashMap::new(),
            absent: Vec::new(),
        })
    }

    /// An entry that leads on: each once. Endpoint, switch and link are those of the network, and the switch is not the
    /// endpoint's own.
    pub fn push(&mut self, switch: u32, endpoint: u32, link: u32, spot: Spot) {
        let slot = &mut self.links[endpoint as usize * self.network.switches() as usize + switch as usize];
        let twice = std::mem::replace(slot, link) != Forwarding::NONE || self.lost.contains_key(&(endpoint, switch));
        self.once(twice, switch, endpoint, spot);
    }

    /// The endpoint's own switch hands packets over.
    pub fn deliver(&mut self, endpoint: u32, spot: Spot) {
        let twice = std::mem::replace(&mut self.own[endpoint as usize], true);
        self.once(twice, self.network.endpoint_switch()[endpoint as usize], endpoint, spot);
    }

    /// An entry by which packets go no further.
    pub fn lose(&mut self, switch: u32, endpoint: u32, why: Why, spot: Spot) {
        let led = self.links[endpoint as usize * self.network.switches() as usize + switch as usize];
        let own = self.network.endpoint_switch()[endpoint as usize] == switch;
        let twice = own && std::mem::replace(&mut self.own[endpoint as usize], true);
        let twice = self.lost.insert((endpoint, switch), why).is_some() || twice || led != Forwarding::NONE;
        self.once(twice, switch, endpoint, spot);
    }

    fn once(&mut self, twice: bool, switch: u32, endpoint: u32, spot: Spot) {
        if twice {
            let (at, to) = (self.network.switch_name(switch), self.network.endpoint_name(endpoint));
            let sentence = format!("switch {} has a second entry for endpoint {}", quoted(at), quoted(to));
            self.sink.say(&codes::DUPLICATE, spot, sentence, "keep one of them");
        }
    }

    /// Endpoints without an entry at their own switch get nothing. For files that have those entries.
    pub fn need_own(&mut self) {
        for (endpoint, &switch) in (0u32..).zip(self.network.endpoint_switch()) {
            if !self.own[endpoint as usize] && self.network.in_service(switch) {
                self.lost.insert((endpoint, switch), Why::NoEntry);
            }
        }
    }

    /// The tables, in which endpoints of one switch share what is the same. O(entries).
    ///
    /// # Errors
    /// `NL-F004` without entries between switches, and earlier faults.
    pub fn finish(mut self) -> Outcome<Forwarding> {
        let needed = self.network.endpoint_switch().windows(2).any(|two| two[0] != two[1]);
        let nothing = || self.lost.values().all(|why| *why == Why::NoEntry);
        if needed && self.sink.is_empty() && self.links.iter().all(|link| *link == Forwarding::NONE) && nothing() {
            self.sink.say(&codes::NOTHING, Spot::Whole, "the file has no entry", "check that the file is complete");
        }
        if !self.sink.is_empty() {
            return Err(self.sink.fail());
        }
        let n = self.network.switches() as usize;
        let mut known: HashMap<(u32, &[u32]), u32> = HashMap::new();
        let (mut column_of, mut links) = (Vec::new(), Vec::new());
        for (column, &switch) in self.links.chunks(n).zip(self.network.endpoint_switch()) {
            let next = known.len() as u32;
            column_of.push(*known.entry((switch, column)).or_insert_with(|| {
                links.extend_from_slice(column);
                next
            }));
        }
        let lost = self.lost.into_iter().map(|((endpoint, switch), why)| Lost { endpoint, switch, why }).collect();
        Ok(Forwarding::new(self.sink.place(), n as u32, column_of, links).with_lost(lost, self.absent))
    }
}

/// Refuses tables of another network, which a writer cannot name.
///
/// # Errors
/// `NL-F018`.
pub fn require_same(tables: &Forwarding, network: &Network, format: &str) -> Outcome<()> {
    if (tables.switches(), tables.endpoints()) == (network.switches(), network.endpoints()) {
        return Ok(());
    }
    let sentence = format!(
        "tables of {} switches and {} endpoints are not those of {}",
        tables.switches(),
        tables.endpoints(),
        network.label()
    );
    Err(Fault::say(&codes::CANNOT_EXPRESS, format, sentence).into())
}

/// Refuses files that could not be read again.
///
/// # Errors
/// `NL-F001`.
pub fn require_readable(bytes: usize, format: &str) -> Outcome<()> {
    if bytes <= MAX_BYTES {
        return Ok(());
    }
    let sentence = format!("the tables exceed the {} MiB that are read", MAX_BYTES >> 20);
    Err(Fault::say(&codes::TOO_LARGE, format, sentence).into())
}
