//! Packets cross links, arrive at switches, pick outputs and wait for room in buffers.

use netloom_model::stream::mix;
use netloom_model::{Draws, Outcome};

use super::part::{Credit, Event, Kind, Part, Sent};
use super::state::{Arrival, EJECTION, Lane, Link, NEVER, NONE, Packet, Returns, STAYS};
use super::{PS_PER_S, whole};
use crate::packet::hops::Taking;

impl Part<'_> {
    /// A packet fills a part of a lane, and leaves the one before.
    #[inline]
    pub(super) fn hold(&mut self, packet: u32, lane: u32) {
        self.give_back(packet);
        let p = &mut self.packets[packet as usize];
        let of = &mut self.lanes[lane as usize];
        if of.bounded {
            of.held_bytes += p.bytes;
            of.most_bytes = of.most_bytes.max(of.held_bytes);
        }
        (p.lane, p.part) = (lane, self.number);
    }

    /// The room of a packet in its lane is free once all of it has left, and its sender knows.
    #[inline]
    pub(super) fn give_back(&mut self, packet: u32) {
        let Packet { lane, part, bytes, latency_factor, tail, .. } = self.packets[packet as usize];
        if lane == Part::NOWHERE {
            return;
        }
        let free_at = self.now.max(tail);
        if part == self.number {
            self.come_back(lane, bytes, free_at, latency_factor);
        } else {
            self.outbox[usize::from(part)].credits.push(Credit { lane, bytes, free_at, latency_factor });
        }
    }

    /// Room of a lane is free; its sender knows it a link latency later.
    #[inline]
    pub(super) fn come_back(&mut self, lane: u32, bytes: u32, free_at: u64, latency_factor: f32) {
        let of = &mut self.lanes[lane as usize];
        if of.bounded {
            let back = whole(f64::from(of.latency_ps) * f64::from(latency_factor));
            self.returns.add(of, free_at + back, bytes);
            if of.wanted {
                self.want(lane);
            }
        }
    }

    /// A packet starts to cross a link.
    pub(super) fn cross(&mut self, link: u32, packet: u32) {
        let Link { ps_per_byte, latency_ps, to_part, number, .. } = self.links[link as usize];
        let p = &mut self.packets[packet as usize];
        p.slowest = p.slowest.max(ps_per_byte as f32);
        let took = whole(f64::from(p.bytes) * ps_per_byte);
        let latency = whole(latency_ps * f64::from(p.latency_factor));
        // The tail cannot leave before it has come.
        let end = (self.now + took).max(p.tail);
        p.tail = end + latency;
        let (bytes, tail, last) = (p.bytes, p.tail, p.is_at_last());
        let of = &mut self.links[link as usize];
        (of.busy_until, of.bytes) = (end, of.bytes + u64::from(bytes));
        self.work.packet_hops += 1;
        if let Some(utilisation) = &mut self.utilisation
            && end > self.now
        {
            let (from, to) = (self.now as f64 / PS_PER_S, end as f64 / PS_PER_S);
            utilisation.route(0, &[(number, 1.0)]);
            utilisation.add(0, from, to, f64::from(bytes) / (to - from));
        }
        if last {
            self.announce(packet);
            self.events.put(tail, Event::new(Kind::Done, number, packet));
            return;
        }
        let at = if self.settings.cut_through { self.now } else { end } + latency;
        if to_part == self.number {
            self.events.put(at, Event::new(Kind::Head, number, packet));
            return;
        }
        let mut packet_sent = self.packets[packet as usize];
        packet_sent.place = self.routings[usize::from(packet_sent.routing)].hops.named(packet_sent.place);
        self.outbox[usize::from(to_part)].packets.push(Sent { at, link: number, packet: packet_sent });
        self.unused.push(packet);
    }

    /// A packet is on its last link: when its tail is there is known.
    fn announce(&mut self, packet: u32) {
        let Packet { message, bytes, slowest, tail, hops, .. } = self.packets[packet as usize];
        let m = &mut self.messages[message as usize];
        if m.id == NONE {
            return;
        }
        m.slowest = m.slowest.max(slowest);
        m.flow_ps.get_or_insert(tail.saturating_sub((f64::from(bytes) * f64::from(slowest)) as u64));
        m.latest = m.latest.max(tail);
        m.left -= 1;
        if m.left == 0 {
            let alone_ps = m.bytes as f64 * f64::from(m.slowest);
            let flow_ps = m.flow_ps.unwrap_or(tail);
            self.arrivals.push(Arrival { at: m.latest, id: m.id, flow_ps, alone_ps, hops });
        }
    }

    /// The head of a packet is at the end of a link. Stages: links up, injection, switches, ejection, links down.
    pub(super) fn head(&mut self, packet: u32) -> Outcome<()> {
        if self.packets[packet as usize].is_at_switch() {
            return self.at_switch(packet);
        }
        let p = self.packets[packet as usize];
        let Packet { message, stage, bytes, .. } = p;
        let ups = p.ups();
        let (m, at) = (&self.messages[message as usize], usize::from(stage));
        let link = match at {
            at if ups == STAYS || stage + 1 < ups => m.inner[at + 1],
            _ if stage < ups => {
                self.packets[packet as usize].message = m.peer;
                self.layout.of(self.network.injection_link(m.from)).1
            }
            at => m.inner[at - usize::from(EJECTION)],
        };
        self.packets[packet as usize].stage += 1;
        self.enter(packet, self.links[link as usize].first_lane, bytes)
    }

    /// The head of a packet is at a switch.
    fn at_switch(&mut self, packet: u32) -> Outcome<()> {
        let p = &mut self.packets[packet as usize];
        let (place, destination) = (p.place, p.destination);
        let routed = &mut self.routings[usize::from(p.routing)];
        let (classes, lanes, first) = (u32::from(routed.hops.classes()), routed.lanes, routed.first_lane);
        let part = |class: u8| {
            let class = u32::from(class);
            first + class * lanes / classes..first + (class + 1) * lanes / classes
        };
        let mut best: Option<(u32, u32, u64)> = None;
        if routed.taking == Taking::Adaptive {
            let row = routed.hops.row(place, destination);
            let mut draws = Draws::from_key(mix(p.word ^ routed.hops.named(place)));
            let mut equals = 0;
            for choice in routed.hops.choices(row) {
                let from = self.links[choice.link as usize].first_lane;
                for lane in part(choice.class) {
                    let of = &mut self.lanes[(from + lane) as usize];
                    self.returns.settle(of, self.now);
                    let held = of.held_bytes;
                    equals = match best {
                        Some((_, least, _)) if held > least => continue,
                        Some((_, least, _)) if held == least => equals + 1,
                        _ => 1,
                    };
                    if equals == 1 || draws.below(equals) == 0 {
                        best = Some((from + lane, held, choice.place));
                    }
                }
            }
        } else if let Some(choice) = routed.hops.next(place, destination, &mut p.word) {
            let from = self.links[choice.link as usize].first_lane;
            let mut room = part(choice.class).map(|lane| from + lane);
            best = room.next().map(|lane| (lane, 0, choice.place));
            // One channel needs no look at its buffer.
            for lane in room {
                let held = |lane: u32, lanes: &mut [Lane], returns: &mut Returns| {
                    let of = &mut lanes[lane as usize];
                    returns.settle(of, self.now);
                    of.held_bytes
                };
                if let Some((chosen, ..)) = best
                    && held(lane, &mut self.lanes, &mut self.returns) < held(chosen, &mut self.lanes, &mut self.returns)
                {
                    best = Some((lane, 0, choice.place));
                }
            }
        }
        routed.hops.fault()?;
        let bytes = p.bytes;
        match best {
            Some((lane, _, place)) => {
                p.place = place;
                p.stage = p.ups() + 1;
                p.hops = p.hops.saturating_add(1);
                self.enter(packet, lane, bytes)
            }
            None => {
                p.stage = p.ups() + EJECTION;
                let (_, link) = self.layout.of(self.network.ejection_link(p.to));
                self.enter(packet, self.links[link as usize].first_lane, bytes)
            }
        }
    }

    /// A packet asks for room in a lane.
    pub(super) fn enter(&mut self, packet: u32, lane: u32, bytes: u32) -> Outcome<()> {
        if self.lanes[lane as usize].waiting.first().is_some() || !self.has_room(lane, bytes) {
            self.lanes[lane as usize].waiting.push(packet, &mut self.packets);
            self.work.waits += 1;
            self.want(lane);
            return Ok(());
        }
        self.admit(packet, lane);
        self.send(self.lanes[lane as usize].link)
    }

    #[inline]
    fn admit(&mut self, packet: u32, lane: u32) {
        self.hold(packet, lane);
        self.lanes[lane as usize].queue.push(packet, &mut self.packets);
    }

    /// A lane may have room for those who want it.
    pub(super) fn room(&mut self, lane: u32) -> Outcome<()> {
        if self.lanes[lane as usize].wakes_at != self.now {
            // An earlier look has made this one needless.
            self.work.events -= 1;
            return Ok(());
        }
        (self.lanes[lane as usize].wakes_at, self.lanes[lane as usize].wanted) = (NEVER, false);
        while let Some(packet) = self.lanes[lane as usize].waiting.first() {
            if !self.has_room(lane, self.packets[packet as usize].bytes) {
                self.want(lane);
                break;
            }
            self.lanes[lane as usize].waiting.pop(&self.packets);
            self.admit(packet, lane);
        }
        self.send(self.lanes[lane as usize].link)
    }
}
