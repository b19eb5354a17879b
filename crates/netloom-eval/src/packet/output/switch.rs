//! Packets cross links, arrive at switches, pick outputs and wait for room in buffers.

use netloom_model::stream::mix;
use netloom_model::{Draws, Outcome};

use super::state::{Lane, Link, Packet, Returns, STAYS};
use super::{EJECTION, Event, Output, PS_PER_S, Taking, whole};

impl Output<'_> {
    /// A packet fills a part of a lane, and leaves the one before.
    #[inline]
    pub(super) fn hold(&mut self, packet: u32, lane: u32) {
        let p = &mut self.packets[packet as usize];
        let of = &mut self.lanes[lane as usize];
        if of.bounded {
            of.held_bytes += p.bytes;
            of.most_bytes = of.most_bytes.max(of.held_bytes);
        }
        let before = std::mem::replace(&mut p.lane, lane);
        self.give_back(before, packet);
    }

    /// The room of a packet in a lane is free once all of it has left, and its sender knows.
    #[inline]
    pub(super) fn give_back(&mut self, lane: u32, packet: u32) {
        let Some(of) = self.lanes.get_mut(lane as usize) else { return };
        if of.bounded {
            let Packet { bytes, latency_factor, tail, .. } = self.packets[packet as usize];
            let back = whole(f64::from(of.latency_ps) * f64::from(latency_factor));
            self.returns.add(of, self.now.max(tail) + back, bytes);
            if of.wanted {
                self.want(lane);
            }
        }
    }

    /// A packet starts to cross a link.
    pub(super) fn cross(&mut self, link: u32, packet: u32) {
        let Link { ps_per_byte, latency_ps, .. } = self.links[link as usize];
        let p = &mut self.packets[packet as usize];
        p.slowest = p.slowest.max(ps_per_byte as f32);
        let took = whole(f64::from(p.bytes) * ps_per_byte);
        let latency = whole(latency_ps * f64::from(p.latency_factor));
        // The tail cannot leave before it has come.
        let end = (self.now + took).max(p.tail);
        p.tail = end + latency;
        let bytes = p.bytes;
        let of = &mut self.links[link as usize];
        (of.busy_until, of.bytes) = (end, of.bytes + u64::from(bytes));
        self.work.packet_hops += 1;
        if let Some(utilisation) = &mut self.utilisation
            && end > self.now
        {
            let (from, to) = (self.now as f64 / PS_PER_S, end as f64 / PS_PER_S);
            utilisation.route(0, &[(link, 1.0)]);
            utilisation.add(0, from, to, f64::from(bytes) / (to - from));
        }
        let head = if self.settings.cut_through { self.now } else { end };
        self.events.put(head + latency, Event::Head { packet });
    }

    /// The head of a packet is at the end of a link. Stages: links up, injection, switches, ejection, links down.
    pub(super) fn head(&mut self, packet: u32) -> Outcome<()> {
        if self.packets[packet as usize].is_at_switch() {
            return self.at_switch(packet);
        }
        let Packet { message, stage, ups, bytes, .. } = self.packets[packet as usize];
        let (m, at) = (&self.messages[message as usize], usize::from(stage));
        let link = match at {
            at if ups == STAYS || stage + 1 < ups => m.inner.get(at + 1).copied(),
            _ if stage < ups => Some(self.network.injection_link(m.from)),
            at => m.inner.get(at - usize::from(EJECTION)).copied(),
        };
        self.packets[packet as usize].stage += 1;
        match link {
            Some(link) => self.enter(packet, self.links[link as usize].first_lane, bytes),
            None => {
                self.events.put(self.now.max(self.packets[packet as usize].tail), Event::Done { packet });
                Ok(())
            }
        }
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
            let mut draws = Draws::from_key(mix(p.word ^ place));
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
                p.stage = p.ups + 1;
                self.enter(packet, lane, bytes)
            }
            None => {
                p.stage = p.ups + EJECTION;
                let link = self.network.ejection_link(p.to);
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
        (self.lanes[lane as usize].woken, self.lanes[lane as usize].wanted) = (false, false);
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
