//! Packets cross links, arrive at switches, pick outputs and wait for room in buffers.

use std::ops::Range;

use netloom_model::stream::mix;
use netloom_model::{Draws, Outcome};

use super::link::Link;
use super::message::{Arrival, twice};
use super::part::{Event, Foreseen, Kind, Part, Routed};
use super::saved::Undo;
use super::state::{EJECTION, NEVER, NONE, Packet, STAYS};
use crate::parallel::mail::{Credit, SentPacket};
use crate::picoseconds::{PS_PER_S, whole};
use crate::routes::escape::Escape;
use crate::routes::known::Choice;

impl<U: Undo> Part<'_, U> {
    /// A packet fills a part of a lane, and leaves the one before.
    #[inline]
    pub(crate) fn hold(&mut self, packet: u32, lane: u32) {
        self.give_back(packet);
        let p = &mut self.packets[packet as usize];
        let of = &mut self.lanes[lane as usize];
        (p.lane, p.part) = (lane, self.number);
        if of.bounded {
            of.held_bytes += p.bytes;
            let (link, bytes) = (of.link, p.bytes);
            self.work.most_bytes = self.work.most_bytes.max(of.held_bytes);
            if self.watch.is_some() {
                self.watch_hold(link, bytes);
            }
        }
    }

    /// So many bytes more before a link, all of whose lanes count.
    #[cold]
    fn watch_hold(&mut self, link: u32, bytes: u32) {
        let Link { first_lane, lanes, .. } = self.links[link as usize];
        (first_lane..first_lane + u32::from(lanes)).for_each(|lane| self.settle(lane));
        if let Some(watch) = &mut self.watch {
            watch.enter(link, self.now, bytes);
        }
    }

    /// The room of a packet in its lane is free once all of it has left, and its sender knows.
    #[inline]
    pub(crate) fn give_back(&mut self, packet: u32) {
        let Packet { lane, part, bytes, factor, tail, .. } = self.packets[packet as usize];
        if lane == NONE {
            return;
        }
        let free_at = self.now.max(tail);
        if part == self.number {
            self.come_back(lane, bytes, free_at, factor);
        } else {
            let credit = Credit { lane, bytes, free_at, factor };
            self.post_credit(part, credit);
        }
    }

    /// Room of a lane is free; its sender knows it a link latency later.
    #[inline]
    pub(crate) fn come_back(&mut self, lane: u32, bytes: u32, free_at: u64, factor: u16) {
        let of = &mut self.lanes[lane as usize];
        if of.bounded {
            let latency_ps = self.latencies[usize::from(of.latency)];
            let back = whole(f64::from(latency_ps) * f64::from(self.factors[usize::from(factor)]));
            self.returns.add(of, free_at + back, bytes);
            if of.wanted {
                self.want(lane);
            }
        }
    }

    /// A packet starts to cross a link.
    pub(crate) fn cross(&mut self, link: u32, packet: u32) {
        let Link { ps_per_byte, speed, latency_ps, to_part, number, shared, .. } = self.links[link as usize];
        let p = &mut self.packets[packet as usize];
        p.slowest = p.slowest.max(speed);
        let took = whole(f64::from(p.bytes) * ps_per_byte);
        let latency = whole(latency_ps * f64::from(self.factors[usize::from(p.factor)]));
        // The tail cannot leave before it has come.
        let end = (self.now + took).max(p.tail);
        p.tail = end + latency;
        let (bytes, tail, last) = (p.bytes, p.tail, p.is_at_last());
        let of = &mut self.links[link as usize];
        // A link of unlimited bandwidth takes any number of packets at once, as one that nobody shares does.
        of.busy_until = if ps_per_byte > 0.0 && shared { end } else { self.now };
        of.bytes += u64::from(bytes);
        self.work.packet_hops += 1;
        if let Some(watch) = &mut self.watch {
            watch.cross(link, self.now, (bytes, took));
        }
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
        packet_sent.next = NONE;
        packet_sent.place = self.routings[usize::from(packet_sent.routing)].hops.named(packet_sent.place);
        let sent = SentPacket { at, link: number, packet: packet_sent };
        self.post_packet(to_part, sent);
        self.discard(packet);
    }

    /// A packet is on its last link: when its tail is there is known.
    fn announce(&mut self, packet: u32) {
        let Packet { message, bytes, slowest, tail, hops, .. } = self.packets[packet as usize];
        let m = &mut self.messages[message as usize];
        if m.id == NONE {
            return;
        }
        m.slowest = m.slowest.max(slowest);
        m.latest = m.latest.max(tail);
        m.left = m.left.wrapping_sub(1);
        let m = *m;
        if (message as usize) < self.times.len() {
            let times = &mut self.times[message as usize];
            if times.flow_ps == NEVER {
                times.flow_ps = tail.saturating_sub((f64::from(bytes) * self.speeds[usize::from(slowest)]) as u64);
            }
            if let Some(seen) = self.seen.get_mut(self.terms[m.terms as usize].job as usize) {
                seen.packet(hops, tail - times.began);
            }
        }
        if m.left == 0 {
            let inner = if m.leaves() { &[] } else { self.inner(message) };
            let twice_ps = twice(inner).map(|link| 2.0 * self.links[link as usize].ps_per_byte).fold(0.0, f64::max);
            let pace_ps = f64::from(self.terms_of(message).pace_ps);
            let alone_ps = m.bytes as f64 * self.speeds[usize::from(m.slowest)].max(pace_ps).max(twice_ps);
            let flow_ps = self.times.get(message as usize).map_or(0, |times| times.flow_ps);
            // The last byte is not there before a bounded rate has moved all of them.
            let at = m.latest.max(flow_ps + whole(m.bytes as f64 * pace_ps));
            self.arrivals.push(Arrival { at, said: self.now, id: m.id, flow_ps, alone_ps, hops });
        }
    }

    /// The head of a packet is at the end of a link that it has `crossed`. Stages: links up, injection, switches, ejection, links down.
    pub(crate) fn head(&mut self, packet: u32, crossed: u32) -> Outcome<()> {
        if self.packets[packet as usize].is_at_switch() {
            return self.at_switch(packet, crossed);
        }
        let p = self.packets[packet as usize];
        let Packet { message, stage, bytes, .. } = p;
        let ups = p.ups();
        let (m, at) = (&self.messages[message as usize], usize::from(stage));
        let link = match at {
            at if ups == STAYS || stage + 1 < ups => self.inner(message)[at + 1],
            _ if stage < ups => {
                self.packets[packet as usize].message = m.peer;
                self.layout.of(self.network.injection_link(m.from)).1
            }
            at => self.inner(message)[at - usize::from(EJECTION)],
        };
        self.packets[packet as usize].stage += 1;
        self.enter(packet, self.links[link as usize].first_lane, bytes)
    }

    /// The head of a packet is at a switch.
    fn at_switch(&mut self, packet: u32, crossed: u32) -> Outcome<()> {
        let routing = self.packets[packet as usize].routing;
        if self.routings[usize::from(routing)].taking.detours() {
            self.choose_way(packet, crossed)?;
            self.end_detour(packet)?;
        }
        let p = &mut self.packets[packet as usize];
        let (place, (_, end)) = (p.place, p.leg());
        let routed = &mut self.routings[usize::from(routing)];
        let best = if let Some(escape) = routed.hops.escape().map(Escape::classes) {
            let key = mix(p.word ^ routed.hops.named(place));
            self.free_or_escape(packet, place, end, (escape - 1, key))
        } else if routed.taking.looks() {
            let key = mix(p.word ^ routed.hops.named(place));
            self.least_held(packet, place, end, key)
        } else {
            let choice = routed.hops.next(place, end, &mut p.word);
            choice.map(|choice| (self.lane_of(packet, choice), choice.place))
        };
        self.routings[usize::from(routing)].hops.fault()?;
        let p = &mut self.packets[packet as usize];
        let bytes = p.bytes;
        let lane = match best {
            Some((lane, place)) => {
                p.place = place;
                p.stage = p.ups() + 1;
                p.hops = p.hops.saturating_add(1);
                lane
            }
            None => {
                p.stage = p.ups() + EJECTION;
                let (_, link) = self.layout.of(self.network.ejection_link(p.to));
                self.links[link as usize].first_lane
            }
        };
        if self.watch.is_some() {
            self.watch_crossed(crossed, lane, bytes);
        }
        self.enter(packet, lane, bytes)
    }

    /// A packet that came over a link asks for room in a lane.
    #[cold]
    fn watch_crossed(&mut self, crossed: u32, lane: u32, bytes: u32) {
        let Link { busy_until, queued, .. } = self.links[self.lanes[lane as usize].link as usize];
        let free = self.lanes[lane as usize].waiting.first().is_none() && self.has_room(lane, bytes);
        if (!free || busy_until > self.now || queued > 0)
            && let Some(watch) = &mut self.watch
        {
            watch.meet(crossed, self.now);
        }
    }

    /// The lanes of a link that a packet may use: those of its routing, the leg of its detour and the class.
    #[inline]
    pub(crate) fn lanes_of(&self, packet: u32, choice: Choice) -> Range<u32> {
        let p = &self.packets[packet as usize];
        let Routed { hops, first_lane, parts, .. } = &self.routings[usize::from(p.routing)];
        let class = usize::from(hops.legs().first[p.leg().0] + choice.class);
        let first = self.links[choice.link as usize].first_lane + first_lane;
        first + parts[class]..first + parts[class + 1]
    }

    /// The next hops from a place, in memory that the caller gives back.
    #[inline]
    fn listed(&mut self, routing: usize, place: u64, end: u32) -> Vec<Choice> {
        let same = |of: &&mut Foreseen| of.end == end && of.place == place && usize::from(of.routing) == routing;
        if let Some(foreseen) = self.foreseen.iter_mut().find(same) {
            foreseen.end = NONE;
            return std::mem::replace(&mut foreseen.choices, std::mem::take(&mut self.choices));
        }
        let mut choices = std::mem::take(&mut self.choices);
        self.routings[routing].hops.list(place, end, &mut choices);
        choices
    }

    /// Bytes in a lane.
    #[inline]
    pub(crate) fn held(&mut self, lane: u32) -> u32 {
        self.settle(lane);
        self.lanes[lane as usize].held_bytes
    }

    /// The emptiest lane of a choice. One alone needs no look.
    #[inline]
    fn lane_of(&mut self, packet: u32, choice: Choice) -> u32 {
        let lanes = self.lanes_of(packet, choice);
        if lanes.len() == 1 {
            return lanes.start;
        }
        lanes.clone().min_by_key(|lane| self.held(*lane)).unwrap_or(lanes.start)
    }

    /// The emptiest lane of all choices, and the place behind it; ties at random.
    #[inline]
    pub(crate) fn least_held(&mut self, packet: u32, place: u64, end: u32, key: u64) -> Option<(u32, u64)> {
        let routing = usize::from(self.packets[packet as usize].routing);
        let choices = self.listed(routing, place, end);
        let mut draws = Draws::from_key(key);
        let (mut best, mut least, mut equals) = (None, u32::MAX, 0);
        for &choice in &choices {
            for lane in self.lanes_of(packet, choice) {
                let held = self.held(lane);
                if best.is_some() && held > least {
                    continue;
                }
                equals = if best.is_some() && held == least { equals + 1 } else { 1 };
                if equals == 1 || draws.below(equals) == 0 {
                    (best, least) = (Some((lane, choice.place)), held);
                }
            }
        }
        self.choices = choices;
        best
    }

    /// Of the adaptive lanes that have room the emptiest, ties at random; if none has, an escape lane, for whose room the packet
    /// waits. So packets wait for escape lanes alone, and those cannot wait for each other in a cycle.
    fn free_or_escape(&mut self, packet: u32, place: u64, end: u32, (adaptive, key): (u8, u64)) -> Option<(u32, u64)> {
        let Packet { routing, bytes, .. } = self.packets[packet as usize];
        let choices = self.listed(usize::from(routing), place, end);
        let mut draws = Draws::from_key(key);
        let (mut best, mut escape) = ((None, u32::MAX, 0), (None, u32::MAX, 0));
        for &choice in &choices {
            for lane in self.lanes_of(packet, choice) {
                let held = self.held(lane);
                let free = self.lanes[lane as usize].waiting.first().is_none() && self.has_room(lane, bytes);
                let of = if choice.class != adaptive {
                    &mut escape
                } else if free {
                    &mut best
                } else {
                    continue;
                };
                if of.0.is_some() && held > of.1 {
                    continue;
                }
                let equals = if of.0.is_some() && held == of.1 { of.2 + 1 } else { 1 };
                of.2 = equals;
                if equals == 1 || draws.below(equals) == 0 {
                    (of.0, of.1) = (Some((lane, choice.place)), held);
                }
            }
        }
        self.choices = choices;
        best.0.or(escape.0)
    }

    /// A packet asks for room in a lane.
    pub(crate) fn enter(&mut self, packet: u32, lane: u32, bytes: u32) -> Outcome<()> {
        if let Some(watch) = &mut self.watch {
            watch.wait(self.lanes[lane as usize].link, self.now);
        }
        if self.lanes[lane as usize].waiting.first().is_some() || !self.has_room(lane, bytes) {
            self.lanes[lane as usize].waiting.push(packet, &mut self.packets);
            self.lanes[lane as usize].wanted_bytes += u64::from(bytes);
            self.work.waits += 1;
            self.want(lane);
            return Ok(());
        }
        let link = self.lanes[lane as usize].link;
        let Link { busy_until, queued, first_lane, .. } = self.links[link as usize];
        if busy_until > self.now || queued > 0 {
            self.admit(packet, lane);
            return self.send(link);
        }
        // Nobody is before it.
        self.hold(packet, lane);
        self.links[link as usize].served = (lane - first_lane) as u16;
        self.depart(link, packet, true);
        Ok(())
    }

    #[inline]
    fn admit(&mut self, packet: u32, lane: u32) {
        self.hold(packet, lane);
        let of = &mut self.lanes[lane as usize];
        of.queue.push(packet, &mut self.packets);
        let link = &mut self.links[of.link as usize];
        link.queued += 1;
        link.fill(lane);
    }

    /// A lane may have room for those who want it.
    pub(crate) fn room(&mut self, lane: u32) -> Outcome<()> {
        if self.lanes[lane as usize].wakes_at != self.now {
            // An earlier look has made this one needless.
            self.work.events -= 1;
            return Ok(());
        }
        (self.lanes[lane as usize].wakes_at, self.lanes[lane as usize].wanted) = (NEVER, false);
        while let Some(packet) = self.lanes[lane as usize].waiting.first() {
            let bytes = self.packets[packet as usize].bytes;
            if !self.has_room(lane, bytes) {
                self.want(lane);
                break;
            }
            self.lanes[lane as usize].waiting.pop(&self.packets);
            self.lanes[lane as usize].wanted_bytes -= u64::from(bytes);
            self.admit(packet, lane);
        }
        self.send(self.lanes[lane as usize].link)
    }
}
