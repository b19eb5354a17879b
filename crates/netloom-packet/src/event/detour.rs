//! Packets that go by way of another switch first: Valiant's and UGAL's choice, made at their first switch, or at two.

use netloom_model::stream::mix;
use netloom_model::{Draws, Outcome};

use super::part::Part;
use super::saved::Undo;
use super::state::{BEEN, NONE, Packet};
use crate::picoseconds::whole;
use crate::routes::legs;
use crate::routes::legs::stays;
use crate::routes::taking::{Sees, Taking};

/// A way that a packet might take: what it costs, where it goes first, and its place there.
type Weighed = (u64, u32, u64);

/// Packets that a detour's first buffer counts as fuller: a link that is merely busy holds so many.
const BIAS: u64 = 2;
/// Apart from the draws for ties, and those at the second switch from those at the first.
const APART: u64 = 0x5bd1_e995_7f4a_7c15;
const AGAIN: u64 = 0x2545_f491_4f6c_dd1d;

impl<U: Undo> Part<'_, U> {
    /// A packet chooses a detour or none, if it is at a switch where it may: its first, and with progressive routing the next
    /// one, if that is in the same group and it has gone directly. Until it has chosen first, `via` is the endpoint that it comes
    /// from.
    pub(crate) fn choose_way(&mut self, packet: u32, crossed: u32) -> Outcome<()> {
        let p = self.packets[packet as usize];
        let taking = self.routings[usize::from(p.routing)].taking;
        if p.stage == p.ups() {
            self.packets[packet as usize].via = NONE;
            let switch = self.network.endpoint_switch()[p.via as usize];
            return self.choose(packet, switch, taking, APART);
        }
        if p.hops == 1 && p.via == NONE && taking.again() && stays(self.network, crossed) {
            return self.choose(packet, self.network.heads()[crossed as usize], taking, AGAIN);
        }
        Ok(())
    }

    fn choose(&mut self, packet: u32, switch: u32, taking: Taking, apart: u64) -> Outcome<()> {
        let Packet { routing, word, place, destination, .. } = self.packets[packet as usize];
        let routed = usize::from(routing);
        if switch == self.routings[routed].hops.switch_of(destination) {
            return Ok(());
        }
        let (detours, direct, sees) = match taking {
            Taking::Hybrid { detours, direct, sees } => (detours, direct, sees),
            _ => (1, false, Sees::First),
        };
        let mut best: Option<Weighed> = None;
        if direct {
            best = Some((self.promise(packet, place, (0, 0), sees), NONE, place));
        }
        let mut draws = Draws::from_key(mix(word ^ apart));
        for _ in 0..detours {
            let hops = &mut self.routings[routed].hops;
            let middle = match taking {
                Taking::Hybrid { .. } => legs::middle(self.network, &mut draws, switch, hops.switch_of(destination)),
                _ => draws.below(self.network.endpoints()),
            };
            let (via, mut unused) = (hops.destination(middle), word);
            let ways = [(switch, via), (hops.switch_of(via), destination)].map(|(a, b)| hops.start(a, b, &mut unused));
            // A detour that has no route is none.
            let [Ok(start), Ok(rest)] = ways else { continue };
            let left = hops.left(rest, destination);
            self.packets[packet as usize].via = via;
            let bias = BIAS * u64::from(self.settings.packet_bytes);
            let mut cost = self.promise(packet, start, (left, bias), sees);
            if sees == Sees::Path {
                self.packets[packet as usize].via = BEEN;
                cost = cost.saturating_add(self.path(packet, rest));
            }
            if best.is_none_or(|(least, ..)| cost < least) {
                best = Some((cost, via, start));
            }
        }
        let (_, via, start) = best.unwrap_or((0, NONE, place));
        let p = &mut self.packets[packet as usize];
        (p.via, p.place) = (via, start);
        Ok(())
    }

    /// Bytes in the emptiest first buffer of a way and `bias`, times its links and `rest` more; or what the whole way promises.
    fn promise(&mut self, packet: u32, place: u64, (rest, bias): (u32, u64), sees: Sees) -> u64 {
        if sees == Sees::Path {
            return self.path(packet, place);
        }
        let Packet { routing, word, .. } = self.packets[packet as usize];
        let (_, end) = self.packets[packet as usize].leg();
        let links = self.routings[usize::from(routing)].hops.left(place, end) + rest;
        let Some((lane, _)) = self.least_held(packet, place, end, word) else { return 0 };
        // What waits for the buffer is known too, to packets that choose again: behind it they would wait before their choice.
        let waits = if sees == Sees::Again { self.lanes[lane as usize].wanted_bytes } else { 0 };
        (u64::from(self.held(lane)) + waits + bias) * u64::from(links)
    }

    /// Picoseconds to the end of a leg, by the emptiest next buffers: for what is in each, what waits for it, and the packet.
    fn path(&mut self, packet: u32, mut place: u64) -> u64 {
        let Packet { bytes, word, .. } = self.packets[packet as usize];
        let (_, end) = self.packets[packet as usize].leg();
        let mut sum = 0.0;
        while let Some((lane, next)) = self.least_held(packet, place, end, word) {
            let held = u64::from(self.held(lane)) + self.lanes[lane as usize].wanted_bytes + u64::from(bytes);
            sum += held as f64 * self.links[self.lanes[lane as usize].link as usize].ps_per_byte;
            place = next;
        }
        whole(sum)
    }

    /// A packet at the end of its detour turns to its destination.
    pub(crate) fn end_detour(&mut self, packet: u32) -> Outcome<()> {
        let Packet { routing, via, place, destination, mut word, .. } = self.packets[packet as usize];
        if via == NONE || via == BEEN {
            return Ok(());
        }
        let hops = &mut self.routings[usize::from(routing)].hops;
        if hops.left(place, via) == 0 {
            let start = hops.start(hops.switch_of(via), destination, &mut word)?;
            let p = &mut self.packets[packet as usize];
            (p.via, p.place, p.word) = (BEEN, start, word);
        }
        Ok(())
    }
}
