//! The routing, asked hop by hop and remembered: which links and channels may a packet take from here?

use std::collections::HashMap;

use netloom_model::stream::mix;
use netloom_model::{Faults, Network, Outcome, Refusal, Routing, Split, Step, destination, steps};

/// How a packet takes one of several next hops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Taking {
    /// One path drawn by the shares of the routing, whatever the state of the network.
    Drawn,
    /// As drawn, but every packet of a pair of endpoints draws the same.
    Hashed { seed: u64 },
    /// The one with most room behind it, ties at random.
    Adaptive,
}

/// A possible next hop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    pub link: u32,
    /// Channel class: which part of the link's channels the packet may use.
    pub class: u8,
    pub place: u64,
}

/// The next hops from one place towards one destination.
#[derive(Clone, Debug, Default)]
struct Known {
    choices: Vec<Choice>,
    /// In proportion to the traffic that each choice gets; empty if all get the same.
    weights: Vec<u64>,
}

/// Numbers of [`Known`] rows; most places of a table without hashing.
const FLAT: u64 = 1 << 25;
const UNKNOWN: u32 = u32::MAX;
/// Rows that a hash table holds before it is cleared.
const HELD: usize = 1 << 22;

/// Answers of a routing. Rows are numbered; equal rows have one number.
pub struct Hops<'a> {
    network: &'a Network,
    routing: &'a dyn Routing,
    /// Channels that the routing names, or 1 if packets may use any.
    classes: u8,
    rows: Vec<Known>,
    same: HashMap<(Vec<u64>, Vec<u64>), u32>,
    flat: Vec<u32>,
    hashed: HashMap<(u64, u32), u32>,
    /// For counting paths.
    counts: HashMap<(u64, u32), f64>,
    scratch: Vec<Step>,
    /// The first place without a way on.
    fault: Option<Faults>,
}

impl<'a> Hops<'a> {
    /// `classes`: as many as the routing has channels, or 1 to let every packet use all channels of a link, which the
    /// caller has shown to be free of deadlock.
    pub fn new(network: &'a Network, routing: &'a dyn Routing, classes: u8) -> Hops<'a> {
        let ends = if routing.by_endpoint() { network.endpoints() } else { network.switches() };
        let size = u64::from(network.switches()) * u64::from(ends);
        let flat = if size <= FLAT { vec![UNKNOWN; size as usize] } else { Vec::new() };
        Hops {
            network,
            routing,
            classes: classes.max(1),
            rows: Vec::new(),
            same: HashMap::new(),
            flat,
            hashed: HashMap::new(),
            counts: HashMap::new(),
            scratch: Vec::new(),
            fault: None,
        }
    }

    pub fn classes(&self) -> u8 {
        self.classes
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
    pub fn start(&self, source: u32, destination: u32, draw: &mut u64) -> Outcome<u64> {
        if source == self.routing.switch_of(destination) {
            return Ok(source.into());
        }
        let way = self.routing.towards(destination);
        way.start(source, draw).ok_or_else(|| self.routing.refuse(source, destination, Refusal::NoPath))
    }

    /// Number of the row of next hops from `place`; the row is empty at the destination.
    #[inline]
    pub fn row(&mut self, place: u64, destination: u32) -> u32 {
        let switches = u64::from(self.network.switches());
        if place < switches && !self.flat.is_empty() {
            let end = if self.routing.by_endpoint() { u64::from(destination) - switches } else { destination.into() };
            let at = (end * switches + place) as usize;
            let known = self.flat[at];
            if known != UNKNOWN {
                return known;
            }
            let row = self.ask(place, destination);
            self.flat[at] = row;
            return row;
        }
        if let Some(&row) = self.hashed.get(&(place, destination)) {
            return row;
        }
        if self.hashed.len() == HELD {
            self.hashed.clear();
        }
        let row = self.ask(place, destination);
        self.hashed.insert((place, destination), row);
        row
    }

    /// The next hops of a row.
    #[inline]
    pub fn choices(&self, row: u32) -> &[Choice] {
        &self.rows[row as usize].choices
    }

    /// The one that `draw` names, by the shares of the routing.
    #[inline]
    pub fn draw(&self, row: u32, draw: &mut u64) -> Option<Choice> {
        let known = &self.rows[row as usize];
        match (known.choices.as_slice(), known.weights.as_slice()) {
            ([], _) => None,
            ([only], _) => Some(*only),
            (choices, []) => {
                let wide = u128::from(*draw) * choices.len() as u128;
                *draw = wide as u64;
                Some(choices[(wide >> 64) as usize])
            }
            (choices, weights) => Some(choices[steps::choose(draw, weights).0]),
        }
    }

    #[cold]
    fn ask(&mut self, place: u64, destination: u32) -> u32 {
        let routing = self.routing;
        let end = routing.switch_of(destination);
        // A packet that starts at its destination never asks the routing: its place is its switch.
        if place == u64::from(end) {
            return self.number(Known::default());
        }
        let way = routing.towards(destination);
        let mut found = std::mem::take(&mut self.scratch);
        found.clear();
        way.steps(place, &mut found);
        if found.is_empty() && way.remaining(place) != 0 && self.fault.is_none() {
            self.fault = Some(routing.refuse(place as u32 % self.network.switches(), destination, Refusal::NoPath));
        }
        let mut weights = Vec::new();
        if found.len() > 1 && routing.split() == Split::Paths && !way.weights(place, &found, &mut weights) {
            let counts: Vec<f64> = found.iter().map(|step| self.paths(&*way, step.place, destination)).collect();
            let most = counts.iter().copied().fold(1.0, f64::max);
            // Whole numbers as they are; beyond 2^50 paths in proportion.
            let scale = if most > TOO_MANY { TOO_MANY / most } else { 1.0 };
            weights = counts.iter().map(|count| ((count * scale) as u64).max(1)).collect();
        }
        if weights.windows(2).all(|pair| pair[0] == pair[1]) {
            weights.clear();
        }
        let class = |channel: u8| if self.classes == 1 { 0 } else { channel.min(self.classes - 1) };
        let choice = |s: &Step| Choice { link: s.link, class: class(s.channel), place: s.place };
        let choices = found.iter().map(choice).collect();
        self.scratch = found;
        self.number(Known { choices, weights })
    }

    fn number(&mut self, known: Known) -> u32 {
        let key: Vec<u64> =
            known.choices.iter().flat_map(|c| [u64::from(c.link) << 8 | u64::from(c.class), c.place]).collect();
        let next = self.rows.len() as u32;
        let number = *self.same.entry((key, known.weights.clone())).or_insert(next);
        if number == next {
            self.rows.push(known);
        }
        number
    }

    /// Paths from `place`, counted once per place.
    fn paths(&mut self, way: &dyn netloom_model::Way, place: u64, destination: u32) -> f64 {
        if way.remaining(place) == 0 {
            return 1.0;
        }
        if let Some(&count) = self.counts.get(&(place, destination)) {
            return count;
        }
        let mut next = Vec::new();
        way.steps(place, &mut next);
        let count = next.iter().map(|step| self.paths(way, step.place, destination)).sum();
        self.counts.insert((place, destination), count);
        count
    }
}

/// Numbers of paths that are exact as weights of [`steps::choose`].
const TOO_MANY: f64 = (1u64 << 50) as f64;

/// The word by which a packet draws its path: new for every packet of a source.
#[inline]
pub fn word(seed: u64, source: u32, count: u64) -> u64 {
    mix(mix(seed ^ u64::from(source).wrapping_mul(0x9e37_79b9_7f4a_7c15)).wrapping_add(count))
}
