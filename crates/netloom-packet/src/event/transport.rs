//! The packet network as the transport of ranks: messages become packets, and packets messages.

use std::sync::Arc;

use netloom_model::{Background, Outcome, Place, Progress, Reach, Time};

use super::message::{Arrival, ENDLESS, Message, Moments, NewMessage};
use super::own_links::OwnLinks;
use super::part::Part;
use super::refused::refused;
use super::routings::{Escapes, distinct};
use super::saved::Undo;
use super::share::Share;
use super::state::{NEVER, NONE, STAYS};
use super::terms::{KnownTerms, Terms};
use super::transit::{Departure, Transit};
use super::weights::carried;
use super::{OutputSettings, stuck};
use crate::observe::carried::Carried;
use crate::observe::seen::{JobSeen, Seen};
use crate::parallel::divided::Divided;
use crate::parallel::layout::Layout;
use crate::parallel::parallel_stats::ParallelStats;
use crate::parallel::process_group::ProcessGroup;
use crate::parallel::windows::{Next, Windows};
use crate::picoseconds::{PS_PER_S, not_before, whole};
use crate::routes::channels::Plan;
use crate::routes::taking::Taking;
use netloom_ranks::{Job, LinkBins, Passage, Payload, RoutedMachine, Transport, Utilisation, check};

/// Bins of link utilisation, at most, and the first width of one.
const BINS: usize = 256;
const BIN_S: f64 = 1e-9;

/// A machine whose messages are packets.
pub struct PacketTransport<'a, U: Undo> {
    machine: RoutedMachine<'a>,
    packet_bytes: u64,
    share: Option<Share>,
    own: OwnLinks,
    layout: Arc<Layout>,
    windows: Windows<'a, U>,
    /// Number of each job's routing.
    of_job: Vec<u16>,
    flows: Vec<Background>,
    /// Messages of ranks that have not arrived.
    under_way: u64,
    /// By id.
    transits: Vec<Transit>,
    /// The same, where messages are recorded.
    passages: Vec<Passage>,
    recorded: bool,
    terms: KnownTerms,
    /// Links inside nodes of the message that begins.
    inner: Vec<u32>,
    /// Of every message by id, and of every job, if details are kept.
    sent: Vec<Departure>,
    seen: Vec<JobSeen>,
    progress: &'a Progress,
}

impl<'a, U: Undo> PacketTransport<'a, U> {
    /// Jobs with the way in which their packets take next hops.
    ///
    /// # Errors
    /// `NL-E019` for a routing that could deadlock; `NL-A007` for what the packet model does not know.
    pub fn new(
        machine: RoutedMachine<'a>,
        (jobs, escapes): (&[(Job<'a>, Taking)], &[Escapes<'a>]),
        background: &[Background],
        settings: OutputSettings,
        (progress, group): (&'a Progress, ProcessGroup),
    ) -> Outcome<PacketTransport<'a, U>> {
        refused(&machine, background).or(())?;
        let (of_job, known) = distinct(&machine, jobs, escapes, !background.is_empty());
        let mut routings = Vec::new();
        for (routing, taking, escape) in known {
            let held = settings.buffer_bytes / settings.packet_bytes;
            let plan = Plan::new(machine.network, (routing, escape), taking, (settings.channels, held))?.in_bytes()?;
            routings.push((plan, taking));
        }
        let network = machine.network;
        let Divided { layout, rows, lookahead } = Divided::new(&machine, settings.threads, &group, || {
            let plans: Vec<&Plan<'_>> = of_job.iter().map(|number| &routings[usize::from(*number)].0).collect();
            carried(&machine, jobs, &plans, settings.packet_bytes.into())
        })?;
        let (first, end) = group.share(layout.parts());
        let part = |number| {
            let hops = |(plan, taking): &(Plan<'a>, Taking)| {
                let hops = plan.hops().numbered(Arc::clone(layout.local()), layout.parts());
                // The one next hop of a packet that does not look is remembered in a line.
                (if taking.looks() { hops.anew() } else { hops }, *taking)
            };
            let routings = routings.iter().map(hops).collect();
            let mut part = Part::new(network, routings, &rows, settings, (Arc::clone(&layout), number));
            part.factors.extend(machine.wire.latency_factors.iter().map(|row| row.value(0) as f32));
            part
        };
        let windows =
            Windows::new((first..end).map(part).collect(), layout.parts(), (lookahead, settings.optimism), group);
        let mut packets = PacketTransport {
            machine,
            packet_bytes: settings.packet_bytes.into(),
            share: settings.share,
            own: OwnLinks::of(network),
            layout,
            windows,
            of_job,
            flows: background
                .iter()
                .filter(|flow| !machine.network.keeps_inside(flow.src, flow.dst))
                .copied()
                .collect(),
            under_way: 0,
            transits: Vec::new(),
            passages: Vec::new(),
            recorded: false,
            terms: KnownTerms::default(),
            inner: Vec::new(),
            sent: Vec::new(),
            seen: Vec::new(),
            progress,
        };
        packets.start_background();
        Ok(packets)
    }

    fn start_background(&mut self) {
        for flow in std::mem::take(&mut self.flows) {
            let bytes = if flow.bytes.is_finite() { flow.bytes.ceil() as u64 } else { ENDLESS };
            let pace_ps = self.own.pace_ps(self.machine.network, flow.src, flow.dst) as f32;
            let terms = Terms { job: NONE, pace_ps, ..Terms::default() };
            let message =
                Message { id: NONE, from: flow.src, to: flow.dst, unsent: bytes, open: true, ..Message::default() };
            let at = Time::from_s(flow.start_s).to_ps();
            self.inner.clear();
            let transit = self.place(at, message, terms);
            self.windows.start(at, (transit.parts.0, transit.start));
            self.flows.push(flow);
        }
    }

    /// The number of a factor of latencies.
    fn factor(&self, factor: f64) -> u16 {
        let known = &self.machine.wire.latency_factors;
        known.iter().position(|row| row.value(0) as f32 == factor as f32).map_or(0, |place| place as u16 + 1)
    }

    /// The number of what a message has in common with others.
    fn terms_of(&mut self, terms: Terms) -> u32 {
        let parts = &mut self.windows.parts;
        self.terms.number(terms, |terms| parts.iter_mut().for_each(|part| part.terms.push(terms)))
    }

    fn last_link(&self, message: &Message) -> u32 {
        match self.inner.last() {
            Some(link) if !message.leaves() || self.inner.len() > usize::from(message.ups) => *link,
            _ => self.machine.network.ejection_link(message.to),
        }
    }

    /// How long the shortest packet of the message that begins takes over its last link, without latency.
    fn shortest_ps(&self, message: &Message) -> u64 {
        let (link, links) = (self.last_link(message), self.machine.network.links());
        let bandwidth_bytes_per_s = match self.machine.node {
            Some(node) if link >= links => node.class_of(link - links).bandwidth_bytes_per_s,
            _ => self.machine.network.class(link).bandwidth_bytes_per_s,
        };
        let bytes = message.bytes - message.bytes.saturating_sub(1) / self.packet_bytes * self.packet_bytes;
        whole(bytes as f64 * (PS_PER_S / bandwidth_bytes_per_s))
    }

    /// Keeps the message that begins where it starts and where it ends; the same place if that is one part.
    fn place(&mut self, at: u64, message: Message, terms: Terms) -> Transit {
        let network = self.machine.network;
        let first = match message.ups {
            0 => network.injection_link(message.from),
            _ => self.inner[0],
        };
        let (start, end) = (self.layout.of(first).0, self.layout.of(self.last_link(&message)).0);
        let message = Message { terms: self.terms_of(terms), ..message };
        // A bounded rate counts from when the first bytes moved.
        let timed = self.recorded || !self.seen.is_empty() || terms.pace_ps > 0.0;
        let end = (end, self.windows.number(at, end));
        let start = if start == end.0 { end } else { (start, self.windows.number(at, start)) };
        let (layout, inner) = (&self.layout, &self.inner);
        let kept = || NewMessage {
            message: Message { peer: end.1, ..message },
            inner: inner.iter().map(|link| layout.of(*link).1).collect(),
            times: timed.then_some(Moments { began: at, flow_ps: NEVER }),
        };
        self.windows.place(at, end, start.0 != end.0, kept);
        if start != end {
            self.windows.place(at, start, false, kept);
        }
        Transit { start: start.1, end: end.1, parts: (start.0, end.0) }
    }

    /// Notes when a message that no packet moves was there.
    fn passes(&mut self, id: u32, passage: Passage) {
        if self.recorded {
            self.passages[id as usize] = passage;
        }
    }
}

impl<U: Undo> PacketTransport<'_, U> {
    /// Keeps details of so many jobs, from the start on.
    pub(crate) fn look(&mut self, jobs: usize, bins: u16) {
        self.seen = vec![JobSeen::default(); jobs];
        self.windows.parts.iter_mut().for_each(|part| part.look(jobs, bins));
    }

    fn look_back(&mut self) -> Outcome<Option<Seen>> {
        let mut seen = self.windows.seen(self.machine.bandwidths().count())?;
        // Every process knows of all messages.
        let jobs = seen.iter_mut().flat_map(|seen| &mut seen.jobs);
        jobs.zip(&self.seen).for_each(|(all, own)| all.merge(own));
        Ok(seen)
    }
}

impl<U: Undo> Transport for PacketTransport<'_, U> {
    type Work = (Carried, ParallelStats);

    fn check(&self, job: &Job<'_>) -> Outcome<()> {
        check(&self.machine, std::slice::from_ref(job), &[])
    }

    fn seated(&self) -> bool {
        self.machine.node.is_some()
    }

    fn memory_s_per_byte(&self, places: &[Place]) -> Vec<f64> {
        self.machine.node.map_or_else(Vec::new, |node| node.memory_s_per_byte(places))
    }

    fn reach(&self, from: Place, to: Place) -> Reach {
        self.machine.reach(from, to)
    }

    fn begin(&mut self, now: Time, payload: Payload, id: u32) -> Outcome<()> {
        let (costs, at) = (self.machine.wire, not_before(now));
        let moved = costs.moved_bytes(payload.bytes).ceil() as u64;
        let moved = self.share.map_or(moved, |share| share.of(moved, self.packet_bytes));
        self.under_way += 1;
        self.windows.does(at, payload.from.endpoint, payload.to.endpoint, moved);
        if self.transits.len() <= id as usize {
            self.transits.resize(id as usize + 1, Transit::FREE);
        }
        if self.recorded {
            self.passages.resize(self.transits.len(), Passage { flow: now, alone_s: 0.0 });
        }
        if self.machine.loops_back(payload.from, payload.to) {
            let took = costs.loopback_latency_s
                + moved as f64 / costs.loopback_bandwidth_bytes_per_s.min(payload.cap_bytes_per_s);
            let there = not_before(now.after(took)).max(at);
            self.transits[id as usize] = Transit::FREE;
            self.passes(id, Passage { flow: Time::from_ps(there), alone_s: 0.0 });
            self.windows.arrives(there, id);
            return Ok(());
        }
        let inner = &mut self.inner;
        inner.clear();
        let mut ups = 0;
        if let Some(node) = self.machine.node {
            ups = node.route(payload.from, payload.to, inner) as u8;
            inner.iter_mut().for_each(|link| *link += self.machine.network.links());
        }
        let crosses = |node: &netloom_model::Node| node.of(payload.from.endpoint) != node.of(payload.to.endpoint);
        let leaves = self.machine.node.is_none_or(crosses);
        let own_ps = if leaves {
            self.own.pace_ps(self.machine.network, payload.from.endpoint, payload.to.endpoint)
        } else {
            0.0
        };
        let pace_ps = own_ps.max(PS_PER_S / payload.cap_bytes_per_s);
        let terms = Terms {
            job: payload.job,
            pace_ps: pace_ps as f32,
            routing: self.of_job.get(payload.job as usize).copied().unwrap_or(0),
            factor: self.factor(costs.latency_factor(payload.bytes.saturating_add(costs.envelope_bytes))),
        };
        let message = Message {
            id,
            from: payload.from.endpoint,
            to: payload.to.endpoint,
            unsent: moved,
            left: moved.div_ceil(self.packet_bytes).max(1),
            bytes: moved,
            ups: if leaves { ups } else { STAYS },
            open: true,
            ..Message::default()
        };
        if !leaves && self.inner.is_empty() {
            // Seats of one node without a link between them.
            let there = not_before(now.after(moved as f64 / payload.cap_bytes_per_s)).max(at);
            self.transits[id as usize] = Transit::FREE;
            self.passes(id, Passage { flow: Time::from_ps(at), alone_s: 0.0 });
            self.windows.arrives(there, id);
        } else {
            if !self.seen.is_empty() {
                self.sent.resize(self.sent.len().max(id as usize + 1), Departure::default());
                self.sent[id as usize] = Departure { at, from: payload.from.endpoint, job: payload.job, bytes: moved };
            }
            self.windows.begins(at, self.shortest_ps(&message));
            let transit = self.place(at, message, terms);
            self.transits[id as usize] = transit;
            self.windows.start(at, (transit.parts.0, transit.start));
        }
        Ok(())
    }

    fn next(&mut self, until: Time) -> Outcome<Option<Time>> {
        // Flows that no rank waits for are no events.
        if self.under_way == 0 {
            return Ok(None);
        }
        let until = if until.is_finite() { until.instant_end().to_ps() } else { NEVER };
        let (passages, sent, seen) = (&mut self.passages, &self.sent, &mut self.seen);
        let note = |arrival: &Arrival| {
            if let Some(Departure { at, from, job, bytes }) = sent.get(arrival.id as usize) {
                seen[*job as usize].message(*from, *bytes, arrival.at - at);
            }
            if let Some(passage) = passages.get_mut(arrival.id as usize) {
                let flow = Time::from_ps(arrival.flow_ps);
                *passage = Passage { flow, alone_s: arrival.alone_ps / PS_PER_S };
            }
        };
        Ok(match self.windows.next(until, self.progress, note)? {
            Next::Arrival(at) => Some(Time::from_ps(at)),
            Next::Later => None,
            Next::Never if until < NEVER => None,
            Next::Never => {
                return Err(stuck(self.machine.network, self.windows.waited_for()));
            }
        })
    }

    fn advance(&mut self, now: Time, done: &mut Vec<u32>) -> Outcome<()> {
        let now = now.instant_end().to_ps();
        while let Some(id) = self.windows.arrived(now) {
            for place in self.transits[id as usize].places() {
                self.windows.over(now, place);
            }
            self.under_way -= 1;
            done.push(id);
        }
        Ok(())
    }

    fn settle(&mut self, _: Time) {}

    fn reset(&mut self) {
        self.windows.clear();
        self.under_way = 0;
        self.start_background();
    }

    fn record(&mut self) {
        self.recorded = true;
        let links = self.windows.parts.iter().map(|part| part.links.len()).sum();
        for part in &mut self.windows.parts {
            part.utilisation = Some(Utilisation::new(links, BINS, BIN_S));
        }
    }

    fn passage(&self, id: u32) -> Passage {
        self.passages[id as usize]
    }

    /// Only a machine in one part is recorded.
    fn link_bins(&mut self) -> LinkBins {
        self.windows.parts[0].utilisation.take().map(Utilisation::finish).unwrap_or_default()
    }

    fn finish(&mut self) -> Outcome<()> {
        self.windows.finish()
    }

    /// Other processes would wait for this one.
    fn parts_with_it(&self) -> bool {
        self.windows.is_alone()
    }

    fn work(&mut self) -> Outcome<Self::Work> {
        let seen = if self.seen.is_empty() { None } else { self.look_back()? };
        let (carried, together) = self.windows.work(self.machine.network.links())?;
        Ok((Carried { seen: seen.map(Box::new), ..carried }, together))
    }
}
