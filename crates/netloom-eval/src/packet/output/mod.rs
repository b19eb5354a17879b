//! Output-queued switches (Jain 2016, section 5.3): packets of a byte size, buffers in bytes, events in picoseconds.
//!
//! ```text
//!                     room?          turn?
//!   head arrives ──► wait ──► buffer ──► link ──► head of the next switch
//!                    (any number      (per channel,
//!                     of outputs)      round robin)
//! ```
//!
//! A packet that arrives picks its output, waits until the buffer of a virtual channel there has room for all of it, queues for
//! the link, and crosses it. Room in a buffer is given back, after the link's latency, once the whole packet has entered
//! the next one. With cut-through its head goes on while its tail is still arriving; with store-and-forward the head waits for the
//! tail. Packets that wait for one output do not block those for others: the crossbar and the inputs are ideal.

mod queue;
mod state;
#[cfg(test)]
mod tests;
mod transport;

use netloom_model::stream::mix;
use netloom_model::{Draws, Fault, Network, Outcome};

use super::hops::{Hops, Taking, word};
use crate::codes;
use queue::Queue;
use state::{ENDLESS, Lane, Link, Message, NONE, Packet, Returns, STAYS, Sources};
pub use transport::{PacketWork, execute};

/// Parameters of the switches and NICs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Virtual channels of a link for each routing; `None`: as many as it needs.
    pub channels: Option<u32>,
    pub packet_bytes: u32,
    /// Of a virtual channel; at least a packet.
    pub buffer_bytes: u32,
    /// False: a switch waits for the whole packet.
    pub cut_through: bool,
    /// NICs send all packets of one message before those of the next.
    pub first_come: bool,
    pub seed: u64,
}

#[derive(Clone, Copy, Debug)]
enum Event {
    /// The head of a packet has crossed the link of its lane.
    Head { packet: u32 },
    /// The tail of a packet is where its message ends.
    Done { packet: u32 },
    /// A message without links has arrived.
    Arrive { message: u32 },
    /// A link that has more to send is free.
    Free { link: u32 },
    /// A lane from which somebody wants room may have some.
    Room { lane: u32 },
    /// A message without rank starts.
    Start { message: u32 },
}

/// A routing with the way in which packets take its next hops, and its part of the lanes of every link.
struct Routed<'a> {
    hops: Hops<'a>,
    taking: Taking,
    first_lane: u32,
    lanes: u32,
}

/// The network in simulated time. Messages are numbered by the caller.
pub struct Output<'a> {
    network: &'a Network,
    settings: Settings,
    routings: Vec<Routed<'a>>,
    now: u64,
    events: Queue<Event>,
    links: Vec<Link>,
    lanes: Vec<Lane>,
    returns: Returns,
    packets: Vec<Packet>,
    unused: Vec<u32>,
    messages: Vec<Message>,
    /// Per link after those between switches, the messages that start there.
    sources: Vec<Sources>,
    /// Packets made, per endpoint.
    made: Vec<u64>,
    done: Vec<u32>,
    work: PacketWork,
    utilisation: Option<crate::flow::Utilisation>,
}

/// What a link is to be made of.
pub struct LinkRow {
    pub bandwidth_bytes_per_s: f64,
    pub latency_s: f64,
    pub bounded: bool,
}

const PS_PER_S: f64 = 1e12;
/// Events whose data are read together.
const AHEAD: usize = 16;
/// Stage of the ejection link, after the links up.
const EJECTION: u8 = 2;

impl<'a> Output<'a> {
    /// `links`: those of the network in their order, then those inside nodes. O(links · channels) memory.
    pub fn new(
        network: &'a Network,
        routings: Vec<(Hops<'a>, Taking)>,
        links: impl Iterator<Item = LinkRow>,
        settings: Settings,
    ) -> Output<'a> {
        let mut first_lane = 0;
        let routings: Vec<Routed<'a>> = routings
            .into_iter()
            .map(|(hops, taking)| {
                let lanes = settings.channels.unwrap_or(0).max(hops.classes().into());
                first_lane += lanes;
                Routed { hops, taking, first_lane: first_lane - lanes, lanes }
            })
            .collect();
        let (per_link, switch_links) = (first_lane.max(1), network.switch_links());
        let (mut made, mut all) = (Vec::new(), Vec::new());
        for (number, row) in links.enumerate() {
            let lanes = if (number as u32) < switch_links { per_link } else { 1 };
            let latency_ps = row.latency_s * PS_PER_S;
            made.push(Link {
                ps_per_byte: PS_PER_S / row.bandwidth_bytes_per_s,
                latency_ps,
                first_lane: all.len() as u32,
                lanes: lanes as u16,
                served: 0,
                busy_until: 0,
                woken: false,
                bytes: 0,
            });
            all.extend((0..lanes).map(|_| Lane::new(number as u32, latency_ps, row.bounded)));
        }
        Output {
            network,
            settings,
            routings,
            now: 0,
            events: Queue::new(),
            lanes: all,
            returns: Returns::default(),
            sources: vec![Sources::new(); made.len() - switch_links as usize],
            links: made,
            packets: Vec::new(),
            unused: Vec::new(),
            messages: Vec::new(),
            made: vec![0; network.endpoints() as usize],
            done: Vec::new(),
            work: PacketWork::default(),
            utilisation: None,
        }
    }

    /// The initial state. Memory and what is known of routings stay.
    fn clear(&mut self) {
        self.events.clear();
        self.lanes.iter_mut().for_each(|lane| *lane = lane.empty());
        self.returns.clear();
        for link in &mut self.links {
            (link.busy_until, link.woken, link.served, link.bytes) = (0, false, 0, 0);
        }
        self.packets.clear();
        self.unused.clear();
        self.messages.clear();
        self.sources.iter_mut().for_each(Sources::clear);
        self.made.fill(0);
        (self.now, self.work) = (0, PacketWork::default());
    }

    /// Simulates until `limit`; messages that arrive are appended to `done`.
    ///
    /// # Errors
    /// If a packet has no route.
    fn advance(&mut self, limit: u64, done: &mut Vec<u32>) -> Outcome<()> {
        let mut until_touch = 0;
        while let Some((at, event)) = self.events.take(limit) {
            if until_touch == 0 {
                self.touch();
                until_touch = AHEAD;
            }
            until_touch -= 1;
            self.now = at;
            self.work.events += 1;
            match event {
                Event::Head { packet } => self.head(packet)?,
                Event::Done { packet } => self.arrived(packet),
                Event::Arrive { message } => self.done.push(message),
                Event::Free { link } => {
                    self.links[link as usize].woken = false;
                    self.send(link)?;
                }
                Event::Room { lane } => self.room(lane)?,
                Event::Start { message } => self.start(message)?,
            }
        }
        self.now = self.now.max(limit);
        done.append(&mut self.done);
        Ok(())
    }

    /// Reads what the next events need, all at once: a core waits for several misses together.
    #[inline]
    fn touch(&self) {
        let mut heads = [(0u64, 0u32, 0u16); AHEAD];
        let (mut count, mut seen) = (0, 0);
        for (_, event) in self.events.ahead(AHEAD) {
            match *event {
                Event::Head { packet } => {
                    let p = &self.packets[packet as usize];
                    if p.is_at_switch() {
                        heads[count] = (p.place, p.destination, p.routing);
                        count += 1;
                    }
                }
                Event::Free { link } => seen ^= self.links[link as usize].busy_until,
                Event::Room { lane } => seen ^= u64::from(self.lanes[lane as usize].held_bytes),
                _ => {}
            }
        }
        for (place, destination, routing) in &heads[..count] {
            if let Some(link) = self.routings[usize::from(*routing)].hops.guess(*place, *destination) {
                let Link { first_lane, busy_until, .. } = self.links[link as usize];
                seen ^= busy_until ^ u64::from(self.lanes[first_lane as usize].held_bytes);
            }
        }
        std::hint::black_box(seen);
    }

    /// A message may send: it queues at its first link.
    fn start(&mut self, message: u32) -> Outcome<()> {
        let Some(link) = self.first_link(&self.messages[message as usize]) else {
            self.events.put(self.now, Event::Arrive { message });
            return Ok(());
        };
        self.sources[(link - self.network.switch_links()) as usize].push_back(message);
        self.send(link)
    }

    fn first_link(&self, message: &Message) -> Option<u32> {
        match message.ups {
            0 if message.leaves => Some(self.network.injection_link(message.from)),
            _ => message.inner.first().copied(),
        }
    }

    /// The link takes the next packet, if there is one: now, or when it is free.
    fn send(&mut self, link: u32) -> Outcome<()> {
        let Link { busy_until, first_lane, lanes, .. } = self.links[link as usize];
        if busy_until > self.now {
            self.wake(link, busy_until);
            return Ok(());
        }
        let packet = match self.next_queued(link) {
            Some(packet) => packet,
            None if link < self.network.switch_links() => return Ok(()),
            None => match self.next_of_sources(link)? {
                Some(packet) => packet,
                None => return Ok(()),
            },
        };
        self.cross(link, packet);
        let queued =
            (first_lane..first_lane + u32::from(lanes)).any(|l| self.lanes[l as usize].queue.first().is_some());
        let source = link.checked_sub(self.network.switch_links());
        if queued || source.is_some_and(|source| !self.sources[source as usize].is_empty()) {
            self.wake(link, self.links[link as usize].busy_until);
        }
        Ok(())
    }

    #[inline]
    fn wake(&mut self, link: u32, at: u64) {
        if !std::mem::replace(&mut self.links[link as usize].woken, true) {
            self.events.put(at, Event::Free { link });
        }
    }

    /// The next packet of the messages that start at a link, if its buffer has room for one.
    fn next_of_sources(&mut self, link: u32) -> Outcome<Option<u32>> {
        let lane = self.links[link as usize].first_lane;
        let source = (link - self.network.switch_links()) as usize;
        let Some(&message) = self.sources[source].front() else { return Ok(None) };
        let bytes = self.messages[message as usize].unsent.min(self.settings.packet_bytes.into()) as u32;
        if !self.has_room(lane, bytes) {
            self.want(lane);
            return Ok(None);
        }
        let packet = self.make(message, bytes)?;
        if !self.messages[message as usize].open {
            self.sources[source].pop_front();
        } else if !self.settings.first_come {
            self.sources[source].rotate_left(1);
        }
        self.hold(packet, lane);
        Ok(Some(packet))
    }

    #[inline]
    fn has_room(&mut self, lane: u32, bytes: u32) -> bool {
        let of = &mut self.lanes[lane as usize];
        if !of.bounded {
            return true;
        }
        self.returns.settle(of, self.now);
        of.held_bytes.saturating_add(bytes) <= self.settings.buffer_bytes
    }

    /// Somebody wants room in a lane: an event looks for it when some comes back.
    fn want(&mut self, lane: u32) {
        let of = &mut self.lanes[lane as usize];
        of.wanted = true;
        if !of.woken
            && let Some(at) = self.returns.next(of)
        {
            of.woken = true;
            self.events.put(at, Event::Room { lane });
        }
    }

    /// The next packet in the lanes of a link, lane after lane in turn.
    #[inline]
    fn next_queued(&mut self, link: u32) -> Option<u32> {
        let Link { first_lane, lanes, served, .. } = self.links[link as usize];
        for turn in 1..=lanes {
            let at = (served + turn) % lanes;
            if let Some(packet) = self.lanes[(first_lane + u32::from(at)) as usize].queue.pop(&self.packets) {
                self.links[link as usize].served = at;
                return Some(packet);
            }
        }
        None
    }

    /// A new packet of a message, before its first link.
    fn make(&mut self, message: u32, bytes: u32) -> Outcome<u32> {
        let m = &mut self.messages[message as usize];
        if m.unsent != ENDLESS {
            m.unsent -= u64::from(bytes);
            m.open = m.unsent > 0;
        }
        m.packets_under_way += 1;
        let mut packet = Packet {
            place: 0,
            word: 0,
            tail: self.now,
            message,
            bytes,
            destination: 0,
            to: m.to,
            lane: NONE,
            next: NONE,
            latency_factor: m.latency_factor as f32,
            slowest: 0.0,
            routing: m.routing as u16,
            stage: 0,
            ups: if m.leaves { m.ups } else { STAYS },
        };
        if m.leaves {
            let (from, to) = (m.from, m.to);
            let routed = &mut self.routings[m.routing as usize];
            let count = &mut self.made[from as usize];
            packet.word = match routed.taking {
                Taking::Hashed { seed } => word(seed, from, to.into()),
                _ => word(self.settings.seed, from, *count),
            };
            *count += 1;
            packet.destination = routed.hops.destination(to);
            let source = self.network.endpoint_switch()[from as usize];
            packet.place = routed.hops.start(source, packet.destination, &mut packet.word)?;
        }
        self.work.packets += 1;
        Ok(match self.unused.pop() {
            Some(number) => {
                self.packets[number as usize] = packet;
                number
            }
            None => {
                self.packets.push(packet);
                self.packets.len() as u32 - 1
            }
        })
    }

    /// A packet fills a part of a lane, and leaves the one before.
    #[inline]
    fn hold(&mut self, packet: u32, lane: u32) {
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
    fn give_back(&mut self, lane: u32, packet: u32) {
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
    fn cross(&mut self, link: u32, packet: u32) {
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
    fn head(&mut self, packet: u32) -> Outcome<()> {
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
    fn enter(&mut self, packet: u32, lane: u32, bytes: u32) -> Outcome<()> {
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
    fn room(&mut self, lane: u32) -> Outcome<()> {
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

    fn arrived(&mut self, packet: u32) {
        let Packet { message, lane, bytes, slowest, .. } = self.packets[packet as usize];
        self.give_back(lane, packet);
        self.unused.push(packet);
        let m = &mut self.messages[message as usize];
        m.slowest = m.slowest.max(slowest);
        m.flow_ps.get_or_insert(self.now.saturating_sub((f64::from(bytes) * f64::from(slowest)) as u64));
        m.packets_under_way -= 1;
        if !m.open && m.packets_under_way == 0 {
            self.done.push(message);
        }
    }

    /// The fault of packets that can never move.
    fn stuck(&self) -> netloom_model::Faults {
        let waits = self.lanes.iter().position(|lane| lane.waiting.first().is_some());
        let place = waits.map_or_else(String::new, |lane| {
            let link = self.lanes[lane].link;
            match (self.network.tails().get(link as usize), self.network.heads().get(link as usize)) {
                (Some(&tail), Some(&head)) => {
                    format!(
                        ", for one on the link {} to {}",
                        self.network.switch_name(tail),
                        self.network.switch_name(head)
                    )
                }
                _ => String::new(),
            }
        });
        let sentence = format!("packets wait for room in buffers and none can move{place}");
        Fault::say(&codes::STALLED, self.network.label(), sentence).into()
    }
}

/// The nearest whole number; an instruction, where `round` is a call.
#[inline]
fn whole(picoseconds: f64) -> u64 {
    (picoseconds + 0.5) as u64
}
