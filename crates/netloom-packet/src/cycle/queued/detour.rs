//! Packets that go by way of another switch first: Valiant's and UGAL's choice, when they are first in the buffer of their
//! injection link, and with progressive routing once more.

use netloom_model::Draws;
use netloom_model::stream::mix;

use super::Queued;
use crate::cycle::packets::CyclePacket;
use crate::routes::legs;
use crate::routes::legs::stays;
use crate::routes::taking::{Legs, Sees, Taking};

/// Apart from other draws, and those at the second switch from those at the first.
const APART: u64 = 0x5bd1_e995_7f4a_7c15;
const AGAIN: u64 = 0x2545_f491_4f6c_dd1d;

/// A way that a packet might take: what it costs, its leg, where that ends, and the packet's place on it.
#[derive(Clone, Copy)]
struct Candidate {
    cost: u64,
    leg: usize,
    end: u32,
    place: u64,
}

impl Queued<'_> {
    /// A packet at the front of a buffer chooses a detour or none, if it may here, and turns to its destination at the end of one.
    pub(super) fn choose_way(&mut self, switch: u32, slot: u32, packet: u32) {
        let CyclePacket { leg, hops, to, .. } = self.packets[packet];
        let link = slot / self.settings.channels;
        let apart = match usize::from(leg) {
            Legs::DIRECT if link >= self.network.switch_links() => Some(APART),
            Legs::DIRECT if hops == 1 && self.settings.taking.again() && stays(self.network, link) => Some(AGAIN),
            _ => None,
        };
        if let Some(apart) = apart
            && switch != self.network.endpoint_switch()[to as usize]
        {
            self.choose(switch, packet, apart);
        }
        let CyclePacket { leg, place, destination, mut word, .. } = self.packets[packet];
        if usize::from(leg) != Legs::OUT {
            return;
        }
        let row = self.hops.row(place, destination);
        if self.hops.choices(row).is_empty() {
            let end = self.hops.destination(to);
            // The pair of the detour's end has a route: without one there is no detour.
            if let Ok(place) = self.hops.start(switch, end, &mut word) {
                let p = &mut self.packets[packet];
                (p.leg, p.destination, p.place, p.word) = (Legs::BACK as u8, end, place, word);
            }
        }
    }

    fn choose(&mut self, switch: u32, packet: u32, apart: u64) {
        let CyclePacket { word, place, destination, .. } = self.packets[packet];
        let (detours, direct, sees) = match self.settings.taking {
            Taking::Hybrid { detours, direct, sees } => (detours, direct, sees),
            _ => (1, false, Sees::First),
        };
        let mut best: Option<Candidate> = None;
        if direct {
            let way = Candidate { cost: 0, leg: Legs::DIRECT, end: destination, place };
            best = Some(Candidate { cost: self.promise(&way, None, sees), ..way });
        }
        let mut draws = Draws::from_key(mix(word ^ apart));
        for _ in 0..detours {
            let mut unused = word;
            let middle = match self.settings.taking {
                Taking::Hybrid { .. } => {
                    legs::middle(self.network, &mut draws, switch, self.hops.switch_of(destination))
                }
                _ => draws.below(self.network.endpoints()),
            };
            let end = self.hops.destination(middle);
            let ways = [(switch, end), (self.hops.switch_of(end), destination)];
            // A detour that has no route is none.
            let [Ok(place), Ok(rest)] = ways.map(|(a, b)| self.hops.start(a, b, &mut unused)) else { continue };
            let way = Candidate { cost: 0, leg: Legs::OUT, end, place };
            let rest = Candidate { cost: 0, leg: Legs::BACK, end: destination, place: rest };
            let cost = self.promise(&way, Some(&rest), sees);
            if best.is_none_or(|best| cost < best.cost) {
                best = Some(Candidate { cost, ..way });
            }
        }
        if let Some(Candidate { leg, end, place, .. }) = best {
            let p = &mut self.packets[packet];
            (p.leg, p.destination, p.place) = (leg as u8, end, place);
        }
    }

    /// Packets ahead on the emptiest first link of a way, with this one, times links; or the sum of such numbers over all links, in
    /// cycles.
    fn promise(&mut self, way: &Candidate, rest: Option<&Candidate>, sees: Sees) -> u64 {
        if sees == Sees::Path {
            return self.path(way) + rest.map_or(0, |rest| self.path(rest));
        }
        let links = self.hops.left(way.place, way.end) + rest.map_or(0, |rest| self.hops.left(rest.place, rest.end));
        self.emptiest(way.place, way).map_or(0, |(held, ..)| u64::from(held + 1) * u64::from(links))
    }

    /// Cycles to the end of a leg by the emptiest next links: of the packets ahead on each, and the packet itself.
    fn path(&mut self, way: &Candidate) -> u64 {
        let (mut place, mut sum) = (way.place, 0);
        while let Some((held, link, next)) = self.emptiest(place, way) {
            sum += u64::from(held + 1) * self.cycles(link);
            place = next;
        }
        sum
    }

    /// The next link from a place with fewest packets ahead: in the emptiest buffer behind it, and at its switch in those buffers
    /// whose first packet wants it. With that number, and the place after it.
    fn emptiest(&mut self, place: u64, way: &Candidate) -> Option<(u32, u32, u64)> {
        let shift = self.hops.legs().first[way.leg];
        let row = self.hops.row(place, way.end);
        let ahead = |link: u32, class: u8| {
            let (_, room) = self.outputs.roomiest(self.outputs.slots(link, class + shift));
            let switch = self.network.tails()[link as usize];
            let bit = self.outputs.bit(self.network, switch, link);
            let wants = self.waiting.of(switch).iter().filter(|head| head.outputs & bit != 0);
            self.settings.buffer_packets - u32::from(room) + wants.map(|head| self.fifos.len(head.slot)).sum::<u32>()
        };
        let choices = self.hops.choices(row).iter();
        choices.map(|choice| (ahead(choice.link, choice.class), choice.link, choice.place)).min_by_key(|found| found.0)
    }
}
