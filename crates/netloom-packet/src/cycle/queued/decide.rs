//! One switch, one cycle: heads request outputs, outputs draw a winner.

use netloom_model::{Draws, Network, Outcome};

use crate::cycle::packets::Drawn;
use crate::routes::escape::MOVE_ON;
use crate::routes::known::Choice;

use super::state::Head;
use super::{PhitEvent, Queued};

/// Requests of one switch in one cycle, and memory for them.
#[derive(Default)]
pub struct Requests {
    /// Per link: number of requests, and the number of the one that leads.
    count: Vec<u16>,
    winner: Vec<u16>,
    asked: Vec<u32>,
    all: Vec<Request>,
    gone: Vec<u32>,
}

/// A head asks for an output.
#[derive(Clone, Copy, Debug)]
struct Request {
    /// Number of the head at its switch.
    at: u32,
    slot: u32,
    link: u32,
    class: u8,
    /// Place after the link.
    place: u64,
}

impl Requests {
    pub fn new(network: &Network) -> Requests {
        let links = network.links() as usize;
        Requests { count: vec![0; links], winner: vec![0; links], asked: Vec::new(), all: Vec::new(), gone: Vec::new() }
    }
}

impl Queued<'_> {
    pub(super) fn decide(&mut self, switch: u32) {
        if !self.waiting.any(switch) {
            return;
        }
        let mut requests = std::mem::take(&mut self.requests);
        let mut draws = self.draws(switch);
        let mut lost = false;
        for (at, head) in self.waiting.of(switch).iter().enumerate() {
            let open = head.outputs & self.outputs.open(switch, head.class);
            if open == 0 {
                continue;
            }
            let Some(request) = self.request(switch, at as u32, head, open, &mut draws) else { continue };
            let link = request.link as usize;
            let count = requests.count[link] + 1;
            requests.count[link] = count;
            if count == 1 {
                requests.asked.push(request.link);
            }
            lost |= count > 1;
            // Every request leads with the same probability.
            if count == 1 || draws.below(count.into()) == 0 {
                requests.winner[link] = requests.all.len() as u16;
            }
            requests.all.push(request);
        }
        // A core waits for their packets together.
        let heads = self.waiting.of(switch);
        let winners = requests.asked.iter().map(|link| requests.all[usize::from(requests.winner[*link as usize])].at);
        std::hint::black_box(winners.fold(0, |seen, at| seen ^ self.packets[heads[at as usize].packet].tag));
        for link in requests.asked.drain(..) {
            let winner = requests.all[usize::from(requests.winner[link as usize])];
            requests.count[link as usize] = 0;
            requests.gone.push(winner.at);
            let head = self.waiting.of(switch)[winner.at as usize];
            self.grant(switch, winner, (head.packet, head.tail));
        }
        requests.gone.sort_unstable();
        self.waiting.remove(switch, &requests.gone);
        requests.gone.clear();
        requests.all.clear();
        self.requests = requests;
        // Who lost may find another output.
        if lost && self.settings.taking.looks() {
            self.active.again.push(switch);
        }
    }

    /// What a head asks for, if anything that it may take is free.
    #[inline]
    fn request(&self, switch: u32, at: u32, head: &Head, open: u64, draws: &mut Draws) -> Option<Request> {
        let ask = |link: u32, class: u8, place: u64| Request { at, slot: head.slot, link, class, place };
        if head.row == Queued::EJECT {
            let link = head.after as u32;
            return (!self.outputs.moving(link)).then(|| ask(link, 0, 0));
        }
        if let Some(link) = head.row.checked_sub(Queued::DRAWN) {
            let free = !self.outputs.moving(link)
                && (self.narrow || self.outputs.roomiest(self.outputs.slots(link, head.class)).1 > 0);
            return free.then(|| ask(link, head.class, head.after));
        }
        if self.hops.escape().is_some() {
            return self.request_or_escape(at, head, draws);
        }
        let (mut best, mut most, mut equals) = (None, 0, 0);
        for choice in self.hops.choices(head.row) {
            if self.outputs.bit(self.network, switch, choice.link) & open == 0 || self.outputs.moving(choice.link) {
                continue;
            }
            let class = choice.class + head.shift;
            let (_, room) = self.outputs.roomiest(self.outputs.slots(choice.link, class));
            if room == 0 || room < most {
                continue;
            }
            equals = if room > most { 1 } else { equals + 1 };
            if equals == 1 || draws.below(equals) == 0 {
                best = Some(ask(choice.link, class, choice.place));
            }
            most = room;
        }
        best
    }

    /// Of the adaptive links that move no packet the one with most room behind it, ties at random. Where no adaptive channel
    /// has room the packet asks to escape.
    fn request_or_escape(&self, at: u32, head: &Head, draws: &mut Draws) -> Option<Request> {
        let escape = self.hops.escape()?;
        let adaptive = escape.classes() - 1;
        let from = (head.slot / self.settings.channels, self.outputs.class(head.slot));
        let (mut best, mut most, mut equals, mut room_behind) = (None, 0, 0, false);
        for choice in self.hops.choices(head.row) {
            let Choice { link, class, place } = *choice;
            if class != adaptive && room_behind {
                break;
            }
            let (_, room) = self.outputs.roomiest(self.outputs.slots(link, class));
            let needs = if class == adaptive { MOVE_ON } else { escape.needs(Some(from), (link, class)) };
            if u32::from(room) < needs {
                continue;
            }
            room_behind |= class == adaptive;
            if self.outputs.moving(link) || room < most {
                continue;
            }
            equals = if room > most { 1 } else { equals + 1 };
            if equals == 1 || draws.below(equals) == 0 {
                best = Some(Request { at, slot: head.slot, link, class, place });
            }
            most = room;
        }
        best
    }

    /// Of the next hops of a row the one with most room behind it, ties at random; `shift` is added to their classes.
    pub(super) fn roomiest(&self, row: u32, switch: u32, slot: u32, shift: u8) -> Option<Choice> {
        let mut draws = self.draws(switch ^ slot.rotate_left(16));
        let (mut best, mut most, mut equals) = (None, 0, 0);
        for choice in self.hops.choices(row) {
            let (_, room) = self.outputs.roomiest(self.outputs.slots(choice.link, choice.class + shift));
            if best.is_some() && room < most {
                continue;
            }
            equals = if best.is_none() || room > most { 1 } else { equals + 1 };
            if equals == 1 || draws.below(equals) == 0 {
                best = Some(*choice);
            }
            most = room;
        }
        best
    }

    fn grant(&mut self, switch: u32, request: Request, (packet, tail): (u32, u64)) {
        let Request { slot, link, class, place, .. } = request;
        // Its phits take the link in turn; the last of them may have to come from a slower link first.
        let free = self.now + self.cycles(link);
        let until = free.max(tail);
        let bit = self.outputs.bit(self.network, switch, link);
        self.outputs.start(switch, link, bit, self.narrow);
        self.link_units[link as usize] += u64::from(self.settings.packet_phits);
        self.events.put(until, PhitEvent::Leave { slot, link, holds: until == free });
        if until > free {
            self.events.put(free, PhitEvent::Free { link });
        }
        if let Some(watch) = &mut self.watch {
            watch.take(slot, link, self.now, (self.settings.packet_phits, free - self.now, true), 0);
        }
        if link < self.network.switch_links() {
            let (to, _) = self.outputs.roomiest(self.outputs.slots(link, class));
            self.outputs.take(switch, link, class, to, bit, self.narrow);
            let p = &mut self.packets[packet];
            p.place = place;
            p.hops += 1;
            let delay = 1 + u64::from(self.wires.between(self.network, link));
            p.tail = until + delay;
            let arrives = self.now + delay;
            self.events.put(arrives, PhitEvent::Arrive { slot: to, packet });
        }
    }

    /// The next packet of an endpoint takes its injection link.
    ///
    /// # Errors
    /// If it has no route.
    pub(super) fn inject(&mut self, endpoint: u32) -> Outcome<()> {
        let link = self.network.injection_link(endpoint);
        if self.outputs.moving(link) || self.packets.waits(endpoint) == 0 {
            return Ok(());
        }
        let v = self.settings.channels;
        let (slot, room) = self.outputs.roomiest(link * v..(link + 1) * v);
        if room == 0 {
            return Ok(());
        }
        let source = self.network.endpoint_switch()[endpoint as usize];
        let drawn = Drawn { taking: self.settings.taking, seed: self.settings.seed };
        let Some(packet) = self.packets.take(endpoint, source, &mut self.hops, drawn)? else { return Ok(()) };
        self.outputs.take_injection(slot);
        self.outputs.set_moving(link, true);
        self.link_units[link as usize] += u64::from(self.settings.packet_phits);
        let cycles = self.cycles(link);
        let delay = 1 + u64::from(self.wires.injection);
        self.packets[packet].tail = self.now + cycles + delay;
        if let Some(watch) = &mut self.watch {
            watch.leave_source(endpoint, self.now);
            watch.inject(endpoint, link, self.now, (self.settings.packet_phits, cycles, true));
        }
        self.events.put(self.now + delay, PhitEvent::Arrive { slot, packet });
        self.events.put(self.now + cycles, PhitEvent::Injected { endpoint });
        Ok(())
    }
}
