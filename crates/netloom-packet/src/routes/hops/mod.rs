//! The routing, asked hop by hop and remembered: which links and channels may a packet take from here?

mod asked;
mod found;

use std::collections::HashMap;
use std::hash::BuildHasherDefault;
use std::sync::{Arc, Mutex, PoisonError};

use netloom_model::{Faults, Network, Outcome, Refusal, Routing, Step, destination};

use super::cache::Cache;
use super::escape::Escape;
use super::known::{Answered, Known};
use super::taking::Legs;
use netloom_ranks::Fold;

/// Most entries of the table of rows (256 MiB).
const TABLE: usize = 1 << 26;
/// Pairs of a switch and a destination whose table is in the cache of a core.
const REMEMBERED: usize = if cfg!(test) { 1 << 8 } else { 1 << 18 };
/// Set in a place that is a number of [`Hops::held`]; no routing has so many places.
const HELD: u64 = 1 << 63;
/// The place of a packet that starts at its destination, whose routing has no place for it.
const THERE: u64 = 1 << 62;
/// Places that are numbered.
const PLACES: usize = 1 << 22;
/// Keys are mixed.
type Map<K, V> = HashMap<K, V, BuildHasherDefault<Fold>>;

/// What a routing has answered. Rows are numbered; equal rows have one number.
#[derive(Default)]
struct Answers {
    rows: Vec<Known>,
    /// Numbers of rows by a hash of what they hold.
    same: Map<u64, Vec<u32>>,
    /// Row of each place towards each end: of places below `switches`, then of those held. A place's part is made when the
    /// first packet is there, as long as there is room.
    table: Vec<Vec<u32>>,
    entries: usize,
    /// In place of the table where that would be too large.
    cache: Cache,
    /// Other places of the routing, by number.
    held: Vec<u64>,
    numbers: HashMap<u64, u32>,
    /// Where they are kept for later packets.
    shelf: Option<Shelf>,
}

/// Answers that no packet needs at the moment.
#[derive(Clone, Default)]
pub struct Shelf(Arc<Mutex<Vec<Answers>>>);

impl Answers {
    fn new(switches: usize, ends: usize) -> Answers {
        let mut none = Answers::default();
        (none.table, none.cache) = (vec![Vec::new(); switches], Cache::new(switches * ends > TABLE));
        none
    }
}

impl Drop for Answers {
    fn drop(&mut self) {
        if let Some(shelf) = self.shelf.take() {
            shelf.0.lock().unwrap_or_else(PoisonError::into_inner).push(std::mem::take(self));
        }
    }
}

/// Next hops, as a routing answers and as they are remembered.
pub struct Hops<'a> {
    network: &'a Network,
    routing: &'a dyn Routing,
    /// Channels that the routing names, or 1 if packets may use any.
    classes: u8,
    /// By which adaptive packets may always go on, on channels of its own.
    escape: Option<Escape<'a>>,
    legs: Legs,
    /// Numbers of links in the caller's arrays; empty if they are those of the network.
    links: Arc<[u32]>,
    known: Answers,
    /// Nothing is remembered.
    anew: bool,
    /// Number of each switch, or endpoint, among those that packets go to, and how many there are.
    end: Vec<u32>,
    ends: u32,
    by_endpoint: bool,
    /// Packets of a pair start at one place, whatever they draw.
    pub one_start: bool,
    /// For counting paths.
    counts: Map<(u64, u32), f64>,
    scratch: Vec<Step>,
    asked: Answered,
    /// The first place without a way on.
    fault: Option<Faults>,
}

impl<'a> Hops<'a> {
    /// `classes`: as many as the routing has channels, or 1 to let every packet use all channels of a link, which the
    /// caller has shown to be free of deadlock.
    pub fn new(network: &'a Network, routing: &'a dyn Routing, classes: u8) -> Hops<'a> {
        let switches = network.switches();
        let (end, ends) = match routing.by_endpoint() {
            true => ((0..network.endpoints()).collect::<Vec<u32>>(), network.endpoints()),
            false => {
                let mut next = 0;
                let number = |switch: u32| {
                    next += u32::from(!network.endpoints_of(switch).is_empty());
                    next.saturating_sub(1)
                };
                ((0..switches).map(number).collect(), next)
            }
        };
        Hops {
            network,
            routing,
            classes: classes.max(1),
            escape: None,
            legs: Legs::plain(classes.max(1)),
            links: Arc::default(),
            known: Answers::new(switches as usize, ends as usize),
            anew: false,
            end,
            ends,
            by_endpoint: routing.by_endpoint(),
            one_start: routing.is_deterministic(),
            counts: Map::default(),
            scratch: Vec::new(),
            asked: Answered::default(),
            fault: None,
        }
    }

    /// With what earlier packets of the same routing asked, and for later ones.
    #[must_use]
    pub fn shelved(mut self, shelf: &Shelf) -> Hops<'a> {
        if let Some(known) = shelf.0.lock().unwrap_or_else(PoisonError::into_inner).pop() {
            self.known = known;
        }
        self.known.shelf = Some(shelf.clone());
        self
    }

    /// For one of so many parts of the machine, which has these numbers for links.
    #[must_use]
    pub fn numbered(mut self, links: Arc<[u32]>, parts: u16) -> Hops<'a> {
        self.known.cache = std::mem::take(&mut self.known.cache).divided(parts);
        Hops { links, ..self }
    }

    /// For packets that are on a whole large network: what a formula gives is asked for again.
    #[must_use]
    pub fn anew(self) -> Hops<'a> {
        let pairs = self.network.switches() as usize * self.ends as usize;
        let by_formula = self.routing.is_by_formula() && self.escape.as_ref().is_none_or(Escape::is_by_formula);
        Hops { anew: by_formula && pairs > REMEMBERED, ..self }
    }

    /// With an escape for packets that use any channel of those that it leaves.
    #[must_use]
    pub fn escaping(self, escape: Option<Escape<'a>>) -> Hops<'a> {
        let classes = escape.as_ref().map_or(self.classes, Escape::classes);
        Hops { classes, escape, legs: Legs::plain(classes), ..self }
    }

    /// With these classes for the legs of detours.
    #[must_use]
    pub fn on(self, legs: Legs) -> Hops<'a> {
        Hops { legs, ..self }
    }

    /// True if nothing is remembered.
    pub fn is_anew(&self) -> bool {
        self.anew
    }

    pub fn legs(&self) -> Legs {
        self.legs
    }

    /// First channels of the classes of a link with so many channels, and their end.
    pub fn parts(&self, channels: u32) -> Vec<u32> {
        match &self.escape {
            Some(escape) => escape.parts(channels),
            None => {
                let classes = u32::from(self.legs.total);
                (0..=classes).map(|class| class * channels / classes).collect()
            }
        }
    }

    pub fn escape(&self) -> Option<&Escape<'a>> {
        self.escape.as_ref()
    }

    /// The destination of packets to `endpoint`.
    #[inline]
    pub fn destination(&self, endpoint: u32) -> u32 {
        destination(self.routing, self.network, endpoint)
    }

    /// The fault of a packet that cannot go on, once.
    #[inline]
    pub fn fault(&mut self) -> Outcome<()> {
        self.fault.take().map_or(Ok(()), Err)
    }

    /// Where a packet starts. `draw` keeps the unused randomness.
    ///
    /// # Errors
    /// As the routing, if there is no route.
    pub fn start(&mut self, source: u32, destination: u32, draw: &mut u64) -> Outcome<u64> {
        if source == self.routing.switch_of(destination) {
            return Ok(THERE);
        }
        let way = self.routing.towards(destination);
        let start = way.start(source, draw).ok_or_else(|| self.routing.refuse(source, destination, Refusal::NoPath))?;
        let start = if self.uses_any() { way.on_links(start) } else { start };
        Ok(self.hold(start))
    }

    /// All places where packets start, each as likely.
    ///
    /// # Errors
    /// As [`Hops::start`].
    pub fn starts(&mut self, source: u32, destination: u32) -> Outcome<Vec<u64>> {
        if source == self.routing.switch_of(destination) {
            return Ok(vec![THERE]);
        }
        let (way, mut starts) = (self.routing.towards(destination), Vec::new());
        way.starts(source, &mut starts);
        if starts.is_empty() {
            return Err(self.routing.refuse(source, destination, Refusal::NoPath));
        }
        let any = self.uses_any();
        let start = |start: u64| self.hold(if any { way.on_links(start) } else { start });
        Ok(starts.into_iter().map(start).collect())
    }

    /// True if the routing's own channels mean nothing.
    fn uses_any(&self) -> bool {
        self.classes == 1 || self.escape.is_some()
    }

    /// The place as the routing knows it.
    #[inline]
    pub fn named(&self, place: u64) -> u64 {
        if place & HELD == 0 { place } else { self.known.held[(place ^ HELD) as usize] }
    }

    /// The place as packets keep it: with a number, if it is none of a switch alone and there is a table.
    pub fn hold(&mut self, place: u64) -> u64 {
        if self.anew || self.known.cache.is_used() || place < u64::from(self.network.switches()) || place == THERE {
            return place;
        }
        if let Some(&number) = self.known.numbers.get(&place) {
            return HELD | u64::from(number);
        }
        if self.known.held.len() == PLACES {
            return place;
        }
        let number = self.known.held.len() as u32;
        self.known.held.push(place);
        self.known.numbers.insert(place, number);
        self.known.table.push(Vec::new());
        HELD | u64::from(number)
    }

    /// The switch of a destination.
    pub fn switch_of(&self, destination: u32) -> u32 {
        self.routing.switch_of(destination)
    }
}
