//! Links take their next packet: queued ones lane after lane, or those that a NIC makes of its messages.

use std::num::NonZeroU64;

use netloom_model::Outcome;

use super::Injection;
use super::link::Link;
use super::message::ENDLESS;
use super::part::{Event, Kind, Part};
use super::saved::Undo;
use super::state::{NONE, Packet};
use super::terms::Terms;
use crate::picoseconds::whole;

impl<U: Undo> Part<'_, U> {
    /// A message may send: it queues at its first link.
    pub(crate) fn start(&mut self, message: u32) -> Outcome<()> {
        let m = &self.messages[message as usize];
        let link = match m.ups {
            0 => self.layout.of(self.network.injection_link(m.from)).1,
            _ => self.inner(message)[0],
        };
        self.queue_up(message, link)
    }

    /// A message queues for its next packets at the link where it starts.
    pub(crate) fn queue_up(&mut self, message: u32, link: u32) -> Outcome<()> {
        let source = (link - self.switch_links) as usize;
        let sends = self.links[link as usize].busy_until > self.now;
        match self.settings.injection {
            Injection::Priority => {
                let (messages, terms) = (&self.messages, &self.terms);
                let job = |message: u32| terms[messages[message as usize].terms as usize].job;
                self.sources[source].push_before(message, |other| job(other) > job(message));
            }
            Injection::RoundRobin => self.sources[source].push(message, sends),
            Injection::FirstCome => self.sources[source].push(message, false),
        }
        if let Some(watch) = &mut self.watch {
            watch.enter_source(source as u32, self.now);
        }
        self.send(link)
    }

    /// The link takes the next packet, if there is one: now, or when it is free.
    pub(crate) fn send(&mut self, link: u32) -> Outcome<()> {
        let Link { busy_until, queued, .. } = self.links[link as usize];
        if busy_until > self.now {
            self.wake(link, busy_until);
        } else if queued > 0 {
            if let Some(packet) = self.next_queued(link) {
                self.depart(link, packet, true);
            }
        } else if link >= self.switch_links
            && let Some(packet) = self.next_of_sources(link)?
        {
            self.depart(link, packet, false);
        }
        Ok(())
    }

    /// A packet leaves a free link's buffer, where it may have waited; the link looks for the next one when it is free.
    #[inline]
    pub(crate) fn depart(&mut self, link: u32, packet: u32, waited: bool) {
        if waited && let Some(watch) = &mut self.watch {
            watch.go(link, self.now);
        }
        self.cross(link, packet);
        let Link { busy_until, queued, .. } = self.links[link as usize];
        let source = link.checked_sub(self.switch_links);
        if queued > 0 || source.is_some_and(|source| !self.sources[source as usize].is_empty()) {
            self.wake(link, busy_until);
        }
    }

    #[inline]
    fn wake(&mut self, link: u32, at: u64) {
        if !std::mem::replace(&mut self.links[link as usize].woken, true) {
            self.events.put(at, Event::new(Kind::Free, link, 0));
        }
    }

    /// The next packet of the messages that start at a link, if its buffer has room for one.
    fn next_of_sources(&mut self, link: u32) -> Outcome<Option<u32>> {
        let lane = self.links[link as usize].first_lane;
        let source = (link - self.switch_links) as usize;
        let Some(&message) = self.sources[source].front() else { return Ok(None) };
        let bytes = self.messages[message as usize].unsent.min(self.settings.packet_bytes.into()) as u32;
        if !self.has_room(lane, bytes) {
            self.want(lane);
            return Ok(None);
        }
        let packet = self.make(message, bytes)?;
        let (open, Terms { pace_ps, .. }) = (self.messages[message as usize].open, self.terms_of(message));
        if !open || pace_ps > 0.0 {
            self.sources[source].end_first();
            if open {
                // By then a bounded rate has had the bytes of this packet.
                let next = self.now + whole(f64::from(pace_ps) * f64::from(bytes));
                self.events.put(next, Event::new(Kind::Resume, link, message));
            }
            if let Some(watch) = &mut self.watch {
                watch.leave_source(source as u32, self.now);
            }
        } else if self.settings.injection == Injection::RoundRobin {
            self.sources[source].turn();
        }
        self.hold(packet, lane);
        Ok(Some(packet))
    }

    #[inline]
    pub(crate) fn has_room(&mut self, lane: u32, bytes: u32) -> bool {
        self.settle(lane);
        let of = &self.lanes[lane as usize];
        !of.bounded || of.held_bytes.saturating_add(bytes) <= self.settings.buffer_bytes
    }

    /// Gives a lane what has come back by now.
    #[inline]
    pub(crate) fn settle(&mut self, lane: u32) {
        let of = &mut self.lanes[lane as usize];
        while let Some((at, bytes)) = self.returns.settle(of, self.now) {
            if let Some(watch) = &mut self.watch {
                watch.leave(of.link, at, bytes);
            }
        }
    }

    /// Somebody wants room in a lane: an event looks for it when some comes back.
    pub(crate) fn want(&mut self, lane: u32) {
        let of = &mut self.lanes[lane as usize];
        of.wanted = true;
        let at = of.back_at();
        if at < of.wakes_at {
            of.wakes_at = at;
            self.events.put(at, Event::new(Kind::Room, lane, 0));
        }
    }

    /// The next packet in the lanes of a link, lane after lane in turn.
    #[inline]
    fn next_queued(&mut self, link: u32) -> Option<u32> {
        let Link { first_lane, .. } = self.links[link as usize];
        for at in self.links[link as usize].in_turn() {
            let queue = &mut self.lanes[(first_lane + u32::from(at)) as usize].queue;
            if let Some(packet) = queue.pop(&self.packets) {
                let over = queue.first().is_none();
                let of = &mut self.links[link as usize];
                (of.served, of.queued) = (at, of.queued - 1);
                if over {
                    of.empty(at);
                }
                return Some(packet);
            }
        }
        None
    }

    /// A new packet of a message, before its first link.
    fn make(&mut self, message: u32, bytes: u32) -> Outcome<u32> {
        let inner = self.inner(message).len() as u8;
        let Terms { routing, factor, .. } = self.terms_of(message);
        let m = &mut self.messages[message as usize];
        if m.unsent != ENDLESS {
            m.unsent -= u64::from(bytes);
            m.open = m.unsent > 0;
        }
        let downs = inner - if m.leaves() { m.ups } else { 0 };
        let mut packet = Packet {
            tail: self.now,
            // From its injection on, a packet knows the message where it ends.
            message: if m.ups == 0 { m.peer } else { message },
            bytes,
            to: m.to,
            factor,
            routing,
            part: self.number,
            ..Packet::new(Packet::inner(m.ups, downs))
        };
        if m.leaves() {
            let (from, to) = (m.from, m.to);
            let routed = &mut self.routings[usize::from(routing)];
            let (_, injection) = self.layout.of(self.network.injection_link(from));
            let count = &mut self.made[(injection - self.switch_links) as usize];
            packet.word = routed.taking.word(self.settings.seed, (from, to), count);
            packet.via = if routed.taking.detours() { from } else { NONE };
            packet.destination = routed.hops.destination(to);
            let source = self.network.endpoint_switch()[from as usize];
            packet.place = match m.start {
                Some(known) => known.get() - 1,
                None => {
                    let start = routed.hops.start(source, packet.destination, &mut packet.word)?;
                    m.start = NonZeroU64::new(start.wrapping_add(1)).filter(|_| routed.hops.one_start);
                    start
                }
            };
        }
        self.work.packets += 1;
        Ok(self.keep(packet))
    }
}
