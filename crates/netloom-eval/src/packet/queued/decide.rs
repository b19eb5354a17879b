//! One switch, one cycle: heads request outputs, outputs draw a winner.

use netloom_model::Network;

use crate::packet::hops::{Choice, Taking};

use super::{Event, Queued};

/// Requests of one switch in one cycle, and memory for them.
pub struct Requests {
    /// Per link: number of requests, and the number of the one that leads.
    count: Vec<u16>,
    winner: Vec<u32>,
    asked: Vec<u32>,
    all: Vec<Request>,
}

#[derive(Clone, Copy, Debug)]
struct Request {
    slot: u32,
    /// Buffer at the other end; unused for ejection.
    to: u32,
    choice: Choice,
}

impl Requests {
    pub fn new(network: &Network) -> Requests {
        let links = network.links() as usize;
        Requests { count: vec![0; links], winner: vec![0; links], asked: Vec::new(), all: Vec::new() }
    }
}

impl Queued<'_> {
    /// The channel with most room of a class on `link`, the lowest of equals, with its room.
    #[inline]
    fn roomiest(&self, link: u32, class: u8) -> (u32, u16) {
        let (v, classes) = (self.settings.channels, u32::from(self.hops.classes()));
        let (first, end) = (u32::from(class) * v / classes, (u32::from(class) + 1) * v / classes);
        let mut best = (0, 0);
        for slot in link * v + first..link * v + end {
            let room = self.slots.room(slot);
            if room > best.1 {
                best = (slot, room);
            }
        }
        best
    }

    pub(super) fn decide(&mut self, switch: u32) {
        let mut requests = std::mem::take(&mut self.requests.all);
        let mut draws = self.draws(switch);
        for at in 0..self.slots.waits(switch) {
            let slot = self.slots.waiting(switch, at);
            let Some(request) = self.request(slot, &mut draws) else { continue };
            let link = request.choice.link as usize;
            let count = self.requests.count[link] + 1;
            self.requests.count[link] = count;
            if count == 1 {
                self.requests.asked.push(request.choice.link);
            }
            // Every request leads with the same probability.
            if count == 1 || draws.below(count.into()) == 0 {
                self.requests.winner[link] = requests.len() as u32;
            }
            requests.push(request);
        }
        let mut asked = std::mem::take(&mut self.requests.asked);
        let lost = requests.len() > asked.len();
        for link in asked.drain(..) {
            let winner = requests[self.requests.winner[link as usize] as usize];
            self.requests.count[link as usize] = 0;
            self.grant(switch, winner);
        }
        requests.clear();
        self.requests.all = requests;
        self.requests.asked = asked;
        // Who lost may find another output.
        if lost && self.settings.taking == Taking::Adaptive {
            self.active.again.push(switch);
        }
    }

    /// What the head of `slot` asks for, if anything that it may take is free.
    #[inline]
    fn request(&self, slot: u32, draws: &mut netloom_model::Draws) -> Option<Request> {
        let choices = self.hops.choices(self.slots.row(slot));
        if choices.is_empty() {
            let to = self.packets[self.slots.front(slot)].to;
            let link = self.network.ejection_link(to);
            let choice = Choice { link, class: 0, place: 0 };
            return (self.free[link as usize] <= self.now).then_some(Request { slot, to: 0, choice });
        }
        if self.settings.taking != Taking::Adaptive {
            let choice = self.packets[self.slots.front(slot)].next?;
            if self.free[choice.link as usize] > self.now {
                return None;
            }
            let (to, room) = self.roomiest(choice.link, choice.class);
            return (room > 0).then_some(Request { slot, to, choice });
        }
        let (mut best, mut most, mut equals) = (None, 0, 0);
        for choice in choices {
            if self.free[choice.link as usize] > self.now {
                continue;
            }
            let (to, room) = self.roomiest(choice.link, choice.class);
            if room == 0 || room < most {
                continue;
            }
            equals = if room > most { 1 } else { equals + 1 };
            if equals == 1 || draws.below(equals) == 0 {
                best = Some(Request { slot, to, choice: *choice });
            }
            most = room;
        }
        best
    }

    fn grant(&mut self, switch: u32, request: Request) {
        let Request { slot, to, choice } = request;
        let packet = self.slots.front(slot);
        let until = self.now + self.cycles(choice.link);
        self.free[choice.link as usize] = until;
        self.link_units[choice.link as usize] += u64::from(self.settings.packet_phits);
        let at = (0..self.slots.waits(switch)).find(|at| self.slots.waiting(switch, *at) == slot);
        if let Some(at) = at {
            self.slots.go(switch, at);
        }
        self.events.put(until, Event::Leave { slot, link: choice.link });
        if choice.link < self.network.switch_links() {
            self.slots.take_credit(to);
            let p = &mut self.packets[packet];
            p.place = choice.place;
            p.hops += 1;
            let arrives = self.now + 1 + u64::from(self.settings.link_delay);
            self.events.put(arrives, Event::Arrive { slot: to, packet });
        }
    }

    /// The next packet of an endpoint takes its injection link.
    pub(super) fn inject(&mut self, endpoint: u32) {
        let link = self.network.injection_link(endpoint);
        if self.free[link as usize] > self.now || self.packets.source(endpoint).is_empty() {
            return;
        }
        let v = self.settings.channels;
        let (mut best, mut most) = (0, 0);
        for slot in link * v..(link + 1) * v {
            let room = self.slots.room(slot);
            if room > most {
                (best, most) = (slot, room);
            }
        }
        let Some(packet) = self.packets.source(endpoint).front().copied().filter(|_| most > 0) else { return };
        self.packets.source(endpoint).pop_front();
        self.slots.take_credit(best);
        let until = self.now + self.cycles(link);
        self.free[link as usize] = until;
        self.link_units[link as usize] += u64::from(self.settings.packet_phits);
        self.events.put(self.now + 1, Event::Arrive { slot: best, packet });
        self.events.put(until, Event::Injected { endpoint });
    }
}
