//! A part of the machine: its links with their buffers, its packets and its events.

use netloom_model::{Network, Outcome};

use super::OutputSettings;
use super::link::Link;
use super::message::{Arrival, Message, Moments, NewMessage, SourceQueue};
use super::queue::{Queue, Ranked};
use super::saved::{Saved, Undo};
use super::state::{Lane, List, NONE, Packet, Returns};
use super::terms::Terms;
use crate::observe::carried::PacketWork;
use crate::observe::seen::JobSeen;
use crate::observe::watch::{Scale, Watch};
use crate::parallel::layout::Layout;
use crate::parallel::mail::{Mail, SentPacket};
use crate::parallel::rollback::Rollback;
use crate::picoseconds::PS_PER_S;
use crate::routes::hops::Hops;
use crate::routes::known::Choice;
use crate::routes::taking::Taking;
use netloom_ranks::Utilisation;

/// What happens at a time, in the order in which it happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The tail of a packet is where its message ends.
    Done,
    /// A lane from which somebody wants room may have some.
    Room,
    /// A link that has more to send is free.
    Free,
    /// The head of a packet has crossed a link.
    Head,
    /// A message whose rate is bounded may send its next packet over a link.
    Resume,
    /// A message starts.
    Start,
}

const KINDS: [Kind; 6] = [Kind::Done, Kind::Room, Kind::Free, Kind::Head, Kind::Resume, Kind::Start];
const PLACE_BITS: u32 = 29;

/// Kind and place are its rank among those of one time: an order that knows nothing of parts. Two events of one rank come from
/// one place, in its order.
#[derive(Clone, Copy, Debug)]
pub struct Event {
    rank: u32,
    /// A packet or message.
    pub item: u32,
}

impl Event {
    #[inline]
    pub fn new(kind: Kind, place: u32, item: u32) -> Event {
        debug_assert!(place < 1 << PLACE_BITS);
        Event { rank: (kind as u32) << PLACE_BITS | place, item }
    }

    /// Starts come last of what happens at a time.
    #[inline]
    pub fn start(message: u32) -> Event {
        Event::new(Kind::Start, (1 << PLACE_BITS) - 1, message)
    }

    #[inline]
    pub fn kind(self) -> Kind {
        KINDS[(self.rank >> PLACE_BITS) as usize]
    }

    #[inline]
    pub fn place(self) -> u32 {
        self.rank & ((1 << PLACE_BITS) - 1)
    }
}

impl Ranked for Event {
    #[inline]
    fn rank(&self) -> u32 {
        self.rank
    }
}

/// A routing with the way in which packets take its next hops, and its part of the lanes of every link.
pub struct Routed<'a> {
    pub hops: Hops<'a>,
    pub taking: Taking,
    pub first_lane: u32,
    /// First lanes of the classes after that, and their end.
    pub parts: Vec<u32>,
}

/// What a link is to be made of.
#[derive(Clone, Copy)]
pub struct LinkSpec {
    pub bandwidth_bytes_per_s: f64,
    pub latency_s: f64,
    pub bounded: bool,
    /// False: packets cross it side by side.
    pub shared: bool,
}

pub struct Part<'a, U: Undo> {
    pub network: &'a Network,
    pub settings: OutputSettings,
    pub number: u16,
    pub layout: std::sync::Arc<Layout>,
    pub routings: Vec<Routed<'a>>,
    pub now: u64,
    pub events: Queue<Event>,
    pub links: Saved<Link, U>,
    /// Those between switches; they come first.
    pub switch_links: u32,
    pub lanes: Saved<Lane, U>,
    /// Picoseconds per byte of all links of the machine, ascending; picoseconds of latency of credits; and factors of latencies,
    /// from 1.
    pub speeds: Vec<f64>,
    pub latencies: Vec<f32>,
    pub factors: Vec<f32>,
    pub returns: Returns<U>,
    pub packets: Saved<Packet, U>,
    /// The first of those that are not in use, which are a list too.
    pub unused: u32,
    pub messages: Saved<Message, U>,
    /// By their numbers, as far as any of them has some: links inside nodes, and times.
    pub inner: Saved<Box<[u32]>, U>,
    pub times: Saved<Moments, U>,
    /// What messages have in common.
    pub terms: Vec<Terms>,
    /// Per link after those between switches, the messages that start there.
    pub sources: Saved<SourceQueue, U>,
    /// Packets made, per link as above.
    pub made: Saved<u64, U>,
    pub arrivals: Vec<Arrival>,
    /// Mail to each part.
    pub outbox: Vec<Mail>,
    pub work: PacketWork,
    pub utilisation: Option<Utilisation>,
    pub watch: Option<Box<Watch>>,
    /// What it takes to run ahead of others.
    pub rollback: Option<Box<Rollback>>,
    /// With a watch of messages: what is seen of each job's packets that end here.
    pub seen: Vec<JobSeen>,
    /// Next hops of a packet that looks at buffers; memory.
    pub choices: Vec<Choice>,
    /// The same of packets that ask soon.
    pub foreseen: Vec<Foreseen>,
}

/// Next hops from a place, for a packet that will ask.
#[derive(Clone, Debug, Default)]
pub struct Foreseen {
    pub packet: u32,
    pub routing: u16,
    pub place: u64,
    /// [`NONE`] once somebody has taken them.
    pub end: u32,
    pub choices: Vec<Choice>,
}

impl<'a, U: Undo> Part<'a, U> {
    /// `links`: those of the network in their order, then those inside nodes. O(links · channels) memory.
    pub fn new(
        network: &'a Network,
        routings: Vec<(Hops<'a>, Taking)>,
        links: &[LinkSpec],
        settings: OutputSettings,
        (layout, number): (std::sync::Arc<Layout>, u16),
    ) -> Part<'a, U> {
        let mut first_lane = 0;
        let routings: Vec<Routed<'a>> = routings
            .into_iter()
            .map(|(hops, taking)| {
                let lanes = settings.channels.unwrap_or(0).max(hops.legs().total.into());
                first_lane += lanes;
                Routed { parts: hops.parts(lanes), hops, taking, first_lane: first_lane - lanes }
            })
            .collect();
        let mut speeds: Vec<f64> = links.iter().map(|row| PS_PER_S / row.bandwidth_bytes_per_s).collect();
        speeds.sort_by(f64::total_cmp);
        speeds.dedup();
        let mut latencies: Vec<f32> = links.iter().map(|row| (row.latency_s * PS_PER_S) as f32).collect();
        latencies.sort_by(f32::total_cmp);
        latencies.dedup();
        let (mut made, mut all, mut switch_links) = (Vec::new(), Vec::new(), 0);
        for (link, row) in (0u32..).zip(links).filter(|(link, _)| layout.of(*link).0 == number) {
            let between = link < network.switch_links();
            switch_links += u32::from(between);
            let lanes = if between { first_lane.max(1) } else { 1 };
            let latency_ps = row.latency_s * PS_PER_S;
            let ps_per_byte = PS_PER_S / row.bandwidth_bytes_per_s;
            made.push(Link {
                ps_per_byte,
                speed: speeds.partition_point(|speed| *speed < ps_per_byte) as u16,
                latency_ps,
                first_lane: all.len() as u32,
                lanes: lanes as u16,
                served: 0,
                queued: 0,
                filled: 0,
                busy_until: 0,
                woken: false,
                shared: row.shared,
                to_part: layout.head(link),
                number: link,
                bytes: 0,
            });
            let latency = latencies.partition_point(|less| *less < latency_ps as f32) as u16;
            all.extend((0..lanes).map(|_| Lane::new(made.len() as u32 - 1, latency, row.bounded && row.shared)));
        }
        let starts = made.len() - switch_links as usize;
        Part {
            network,
            settings,
            number,
            outbox: vec![Mail::default(); usize::from(layout.parts())],
            layout,
            routings,
            now: 0,
            events: Queue::new(),
            lanes: all.into(),
            speeds,
            latencies,
            factors: vec![1.0],
            returns: Returns::new(),
            sources: vec![SourceQueue::default(); starts].into(),
            made: vec![0; starts].into(),
            links: made.into(),
            switch_links,
            packets: Saved::default(),
            unused: NONE,
            messages: Saved::default(),
            inner: Saved::default(),
            times: Saved::default(),
            terms: vec![Terms::default()],
            arrivals: Vec::new(),
            work: PacketWork::default(),
            utilisation: None,
            watch: None,
            rollback: None,
            seen: Vec::new(),
            choices: Vec::new(),
            foreseen: Vec::new(),
        }
    }

    /// The initial state. Memory and what is known of routings stay.
    pub fn clear(&mut self) {
        self.events.clear();
        self.lanes.all_mut().iter_mut().for_each(|lane| *lane = lane.empty());
        self.returns.clear();
        for link in self.links.all_mut() {
            (link.busy_until, link.woken, link.served, link.bytes) = (0, false, 0, 0);
            (link.queued, link.filled) = (0, 0);
        }
        self.packets.clear();
        self.unused = NONE;
        self.messages.clear();
        self.inner.clear();
        self.times.clear();
        self.arrivals.clear();
        self.sources.all_mut().iter_mut().for_each(SourceQueue::clear);
        self.made.all_mut().fill(0);
        for mail in &mut self.outbox {
            mail.packets.clear();
            mail.credits.clear();
        }
        (self.now, self.work) = (0, PacketWork::default());
        if self.rollback.is_some() {
            self.begin_ahead();
        }
    }

    /// Counts what happens on links and in queues from now until a time.
    pub fn watch(&mut self, until: u64, scale: Scale) {
        (0..self.lanes.len() as u32).for_each(|lane| self.settle(lane));
        let all = &self.lanes[..];
        let lanes = |link: &Link| &all[link.first_lane as usize..][..usize::from(link.lanes)];
        let held = |link: &Link| lanes(link).iter().map(|lane| lane.held_bytes).sum();
        let long =
            |list: List| std::iter::successors(list.first(), |at| self.packets[*at as usize].after()).count() as u32;
        let waiting = |link: &Link| lanes(link).iter().map(|lane| long(lane.queue) + long(lane.waiting)).sum();
        let buffers = self.links.iter().map(|link| (held(link), waiting(link)));
        let sources = self.sources.iter().map(|source| source.len() as u32);
        self.watch = Some(Box::new(Watch::of_outputs((self.now, until), buffers, sources, scale)));
    }

    /// A message that starts or ends here.
    pub fn place(&mut self, number: u32, NewMessage { message, inner, times }: NewMessage) {
        let number = number as usize;
        self.messages.grow(number + 1, Message::default());
        self.messages[number] = message;
        if self.inner.len() > number || !inner.is_empty() {
            self.inner.grow(number + 1, Box::default());
            self.inner[number] = inner;
        }
        if self.times.len() > number || times.is_some() {
            self.times.grow(number + 1, Moments::default());
            self.times[number] = times.unwrap_or_default();
        }
    }

    #[inline]
    pub(crate) fn terms_of(&self, message: u32) -> Terms {
        self.terms[self.messages[message as usize].terms as usize]
    }

    /// Links inside nodes that packets of a message take.
    #[inline]
    pub(crate) fn inner(&self, message: u32) -> &[u32] {
        self.inner.get(message as usize).map_or(&[], |inner| &inner[..])
    }

    /// Simulates what happens before `limit`.
    ///
    /// # Errors
    /// If a packet has no route.
    pub fn run(&mut self, limit: u64) -> Outcome<()> {
        let (stride, mut until_touch) = self.stride();
        while let Some((at, event)) = self.events.take(limit - 1) {
            if until_touch == 0 {
                self.touch();
                until_touch = stride;
            }
            until_touch -= 1;
            self.happens(at, event)?;
        }
        Ok(())
    }

    #[inline]
    pub(crate) fn happens(&mut self, at: u64, event: Event) -> Outcome<()> {
        self.now = at;
        self.work.events += 1;
        match event.kind() {
            Kind::Head => self.head(event.item, event.place()),
            Kind::Done => {
                self.arrived(event.item);
                Ok(())
            }
            Kind::Free => {
                self.links[event.place() as usize].woken = false;
                self.send(event.place())
            }
            Kind::Room => self.room(event.place()),
            Kind::Resume => self.queue_up(event.item, event.place()),
            Kind::Start => self.start(event.item),
        }
    }

    /// Takes the mail of another part.
    pub fn take_in(&mut self, mail: &mut Mail) {
        if !mail.packets.is_empty() || !mail.credits.is_empty() {
            self.events.fold();
        }
        for credit in mail.credits.drain(..) {
            self.come_back(credit.lane, credit.bytes, credit.free_at, credit.factor);
        }
        mail.packets.drain(..).for_each(|sent| self.receive(sent));
    }

    /// A packet comes from another part.
    pub fn receive(&mut self, SentPacket { at, link, mut packet, .. }: SentPacket) {
        packet.place = self.routings[usize::from(packet.routing)].hops.hold(packet.place);
        let packet = self.keep(packet);
        self.events.put(at, Event::new(Kind::Head, link, packet));
    }

    /// A packet in a place of the array.
    pub fn keep(&mut self, packet: Packet) -> u32 {
        match self.unused {
            NONE => {
                self.packets.push(packet);
                self.packets.len() as u32 - 1
            }
            number => {
                self.unused = std::mem::replace(&mut self.packets[number as usize], packet).next;
                number
            }
        }
    }

    /// Its place is free.
    #[inline]
    pub fn discard(&mut self, packet: u32) {
        self.packets[packet as usize].next = self.unused;
        self.unused = packet;
    }

    fn arrived(&mut self, packet: u32) {
        self.give_back(packet);
        self.discard(packet);
    }

    /// The first link of the network that a packet waits for.
    pub fn waited_for(&self) -> Option<u32> {
        let lane = self.lanes.iter().find(|lane| lane.waiting.first().is_some())?;
        Some(self.links[lane.link as usize].number)
    }
}
