//! Escape channels: packets adapt on channels of their own as they like, and may always go on by another routing whose
//! channels cannot deadlock (Duato 1996), or whose cycles are rings on which a bubble stays free (Carrion et al. 1997).
//!
//! A packet that has escaped may adapt again where nothing is forgotten by it: its link is one that it could have taken
//! adaptively, and the escape routing, asked anew from there, goes on as it would have. A packet fills one buffer at a time, so
//! the escape channels that it has left no longer matter.

use std::sync::Arc;

use netloom_model::deadlock::{Dependencies, destinations};
use netloom_model::fault::Fault;
use netloom_model::{Network, Outcome, Routing, Step};

use super::proof::{PROVED, names, too_few};
use crate::codes;

/// Set in a place of the escape routing; no routing has so many places.
const ESCAPED: u64 = 1 << 61;

/// Packets for which a buffer has room before another one may enter its ring, and before one moves on in it.
pub const ENTER: u32 = 2;
pub const MOVE_ON: u32 = 1;

/// A routing with channels of its own. They come first, one for each of its classes; the others are for adaptive packets.
#[derive(Clone)]
pub struct Escape<'a> {
    routing: &'a dyn Routing,
    classes: u8,
    /// Number of the ring of each link and class, 0 on none; empty if there are none.
    rings: Arc<[u32]>,
}

impl<'a> Escape<'a> {
    /// `buffer`: packets that the buffer of a channel holds.
    ///
    /// # Errors
    /// `NL-E019` for cycles that are no rings, too few channels, and buffers too small for a bubble; as the routing, for pairs
    /// without a route.
    pub fn new(
        network: &Network,
        adaptive: &dyn Routing,
        routing: &'a dyn Routing,
        (channels, buffer): (Option<u32>, u32),
    ) -> Outcome<Escape<'a>> {
        let place = || format!("escape {} on {}", routing.label(), network.label());
        let fail =
            |sentence: String, hint: String| Err(Fault::say(&codes::UNSAFE, place(), sentence).hint(hint).into());
        let classes = routing.virtual_channels();
        if routing.by_endpoint() {
            let sentence = "has paths to endpoints; an escape needs those to switches".into();
            return fail(sentence, "use up-down or dimension-ordered(by=switch)".into());
        }
        too_few(place(), "with one for adaptive packets", u32::from(classes) + 1, channels, "")?;
        if routing.is_ordered() {
            return Ok(Escape { routing, classes, rings: Arc::default() });
        }
        if u64::from(network.switches()) * u64::from(network.switch_links()) > PROVED {
            let sentence = "has channels without an order, and the network is too large to look for their rings".into();
            return fail(sentence, "use one whose channels are in order, such as dimension-ordered or up-down".into());
        }
        // Adaptive packets may escape at any switch.
        let sources: Vec<u32> = (0..network.switches()).filter(|switch| network.in_service(*switch)).collect();
        let mut waits = Dependencies::new(network, classes)?;
        let mut ends: Vec<u32> = destinations(network, adaptive).iter().map(|d| adaptive.switch_of(*d)).collect();
        ends.dedup();
        let mut sound = true;
        for end in ends {
            routing.dependencies(&sources, end, &mut |held, asked| sound &= waits.set(held, asked))?;
        }
        if !sound {
            return fail("names channels that do not follow each other".into(), "use up-down".into());
        }
        let rings = match waits.rings() {
            Ok(rings) => rings,
            Err(cycle) => {
                let links = names(network, &cycle);
                let sentence =
                    format!("packets could wait for each other forever on the links {links}, which are no ring");
                return fail(sentence, "use up-down or dimension-ordered(by=switch)".into());
            }
        };
        if rings.iter().all(|ring| *ring == 0) {
            return Ok(Escape { routing, classes, rings: Arc::default() });
        }
        if buffer < ENTER {
            let sentence = format!("has rings, on which a packet needs room for {ENTER}, and a buffer holds {buffer}");
            let hint = format!("let a channel's buffer hold {ENTER} packets or more, or use an escape without rings");
            return fail(sentence, hint);
        }
        Ok(Escape { routing, classes, rings: rings.into() })
    }

    /// True if channels form rings, on which a bubble has to stay free.
    pub fn has_rings(&self) -> bool {
        !self.rings.is_empty()
    }

    /// As [`Routing::is_by_formula`].
    pub fn is_by_formula(&self) -> bool {
        self.routing.is_by_formula()
    }

    /// Classes of channels, adaptive packets included, whose class is the last.
    pub fn classes(&self) -> u8 {
        self.classes + 1
    }

    /// First channels of the classes of a link with so many channels, and their end.
    pub fn parts(&self, channels: u32) -> Vec<u32> {
        (0..=u32::from(self.classes)).chain([channels]).collect()
    }

    /// Packets for which the next buffer needs room: on a ring more, unless the packet comes from the same one.
    #[inline]
    pub fn needs(&self, from: Option<(u32, u8)>, (link, class): (u32, u8)) -> u32 {
        let ring = |link: u32, class: u8| {
            let at = link as usize * usize::from(self.classes) + usize::from(class);
            if class < self.classes { self.rings.get(at).copied().unwrap_or(0) } else { 0 }
        };
        match ring(link, class) {
            0 => MOVE_ON,
            number if from.is_some_and(|(link, class)| ring(link, class) == number) => MOVE_ON,
            _ => ENTER,
        }
    }

    /// Appends the next hops from a place, adaptive ones first, with their classes; none at the destination, or without a
    /// way to escape. Returns the links to the destination.
    pub fn steps(
        &self,
        network: &Network,
        adaptive: &dyn Routing,
        place: u64,
        destination: u32,
        out: &mut Vec<Step>,
    ) -> u32 {
        let end = adaptive.switch_of(destination);
        let escape = self.routing.towards(end);
        if place & ESCAPED != 0 {
            let place = place ^ ESCAPED;
            escape.steps(place, out);
            out.iter_mut().for_each(|step| step.place |= ESCAPED);
            return escape.remaining(place);
        }
        let way = adaptive.towards(destination);
        way.steps(place, out);
        let number = out.len();
        for step in &mut *out {
            (step.channel, step.place) = (self.classes, way.on_links(step.place));
        }
        let Some(first) = out.first() else { return way.remaining(place) };
        let (mut starts, mut found, mut anew) = (Vec::new(), Vec::new(), Vec::new());
        escape.starts(network.tails()[first.link as usize], &mut starts);
        starts.iter().for_each(|start| escape.steps(*start, &mut found));
        for step in found {
            let head = network.heads()[step.link as usize];
            anew.clear();
            escape.starts(head, &mut anew);
            let same = head == end || anew == [step.place];
            let back = out[..number].iter().find(|adaptive| adaptive.link == step.link).filter(|_| same);
            let place = back.map_or(ESCAPED | step.place, |adaptive| adaptive.place);
            out.push(Step { place, ..step });
        }
        if out.len() == number {
            // Packets could wait forever.
            out.clear();
        }
        way.remaining(place)
    }
}
