//! Packets that go by way of another switch first: Valiant's and UGAL's choice, made at their first switch.

use netloom_model::stream::mix;
use netloom_model::{Draws, Outcome};

use super::part::Part;
use super::state::{NONE, Packet};
use crate::packet::taking::Taking;

/// A way that a packet might take: bytes in its first buffer times its links, where it goes first, and its place there.
type Candidate = (u64, u32, u64);

/// Packets that a detour's first buffer counts as fuller: a link that is merely busy holds so many.
const BIAS: u64 = 2;
/// Apart from the draws for ties.
const APART: u64 = 0x5bd1_e995_7f4a_7c15;

impl Part<'_> {
    /// A packet at its first switch chooses a detour or none. Until then `via` is the endpoint that it comes from.
    pub(super) fn choose_way(&mut self, packet: u32) -> Outcome<()> {
        let Packet { routing, word, place, destination, via: from, .. } = self.packets[packet as usize];
        let routed = usize::from(routing);
        let switch = self.network.endpoint_switch()[from as usize];
        self.packets[packet as usize].via = NONE;
        if switch == self.routings[routed].hops.switch_of(destination) {
            return Ok(());
        }
        let (detours, direct) = match self.routings[routed].taking {
            Taking::Hybrid { detours, direct } => (detours, direct),
            _ => (1, false),
        };
        let mut best: Option<Candidate> = None;
        if direct {
            best = Some((self.promise(packet, place, destination, (0, 0)), NONE, place));
        }
        let mut draws = Draws::from_key(mix(word ^ APART));
        for _ in 0..detours {
            let middle = draws.below(self.network.endpoints());
            let hops = &mut self.routings[routed].hops;
            let (via, mut unused) = (hops.destination(middle), word);
            let ways = [(switch, via), (hops.switch_of(via), destination)].map(|(a, b)| hops.start(a, b, &mut unused));
            // A detour that has no route is none.
            let [Ok(start), Ok(rest)] = ways else { continue };
            let rest = hops.left(rest, destination);
            self.packets[packet as usize].via = via;
            let bias = BIAS * u64::from(self.settings.packet_bytes);
            let cost = self.promise(packet, start, via, (rest, bias));
            if best.is_none_or(|(least, ..)| cost < least) {
                best = Some((cost, via, start));
            }
        }
        let (_, via, start) = best.unwrap_or((0, NONE, place));
        let p = &mut self.packets[packet as usize];
        (p.via, p.place) = (via, start);
        Ok(())
    }

    /// Bytes in the emptiest first buffer of a way and `bias`, times its links and `rest` more.
    fn promise(&mut self, packet: u32, place: u64, end: u32, (rest, bias): (u32, u64)) -> u64 {
        let routing = usize::from(self.packets[packet as usize].routing);
        let key = self.packets[packet as usize].word;
        let links = self.routings[routing].hops.left(place, end) + rest;
        let first = self.least_held(packet, place, end, key);
        first.map_or(0, |(lane, _)| (u64::from(self.held(lane)) + bias) * u64::from(links))
    }

    /// A packet at the end of its detour turns to its destination.
    pub(super) fn end_detour(&mut self, packet: u32) -> Outcome<()> {
        let Packet { routing, via, place, destination, mut word, .. } = self.packets[packet as usize];
        if via == NONE {
            return Ok(());
        }
        let hops = &mut self.routings[usize::from(routing)].hops;
        let row = hops.row(place, via);
        if hops.choices(row).is_empty() {
            let start = hops.start(hops.switch_of(via), destination, &mut word)?;
            let p = &mut self.packets[packet as usize];
            (p.via, p.place, p.word) = (NONE, start, word);
        }
        Ok(())
    }
}
