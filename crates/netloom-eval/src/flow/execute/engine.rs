//! The clock: ranks act, messages start, wait out their latency, move, arrive.

mod acts;
mod ends;
mod messages;

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};
use std::sync::Arc;

use netloom_model::{Fault, Op, Outcome, Programs};

use super::matching::{Key, Matching};
use super::ranks::{Inside, Rank, Wait};
use super::routes::{Route, Routes};
use super::source::{Action, Line, Place, Play, next_op};
use super::stuck::{self, Half};
use super::{Background, Execution, Job, Load, Machine};
use crate::codes;
use crate::flow::fluid::{Fluid, instant_end};
use crate::flow::trace::{Activity, Interval, MessageTrace, Trace};
use crate::flow::utilisation::Utilisation;

const NONE: u32 = u32::MAX;
/// Actions of one rank without time going on.
const STILL: u32 = 1 << 28;
/// Most messages of a record, 72 bytes each.
const RECORDED: usize = 1 << 24;
/// Bins of link utilisation over the whole run, at most; at least half as many are used.
const BINS: usize = 256;
/// First width of a bin, seconds.
const BIN: f64 = 1e-9;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum What {
    /// The latency of a message is over.
    Begin(u32),
    /// A message over no link is there.
    Arrive(u32),
    /// A rank goes on.
    Wake(u32),
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Event {
    time: f64,
    number: u64,
    what: What,
}

impl Eq for Event {}
impl Ord for Event {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.time.total_cmp(&other.time).then(self.number.cmp(&other.number))
    }
}
impl PartialOrd for Event {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

#[derive(Clone, Copy, Debug)]
struct Message {
    /// Ranks numbered through all jobs; [`NONE`] for background.
    src: u32,
    dst: u32,
    bytes: u64,
    /// Requests that wait for it, [`NONE`] if there is none (yet).
    send: u32,
    receive: u32,
    matched: bool,
    started: bool,
    arrived: bool,
    posted_send: f64,
    posted_receive: f64,
    route: Option<(u32, Route)>,
    record: u32,
    /// Bytes that go over the links, and the rate that they do not exceed.
    moved: f64,
    cap: f64,
    /// Endpoints.
    from: u32,
    to: u32,
}

/// What the ranks of a job play.
pub enum Part<'a> {
    One(Play<'a>),
    Programs { programs: Cow<'a, Programs>, calls: Vec<Play<'a>> },
}

impl<'a> Part<'a> {
    /// O(messages) for explicit schedules, O(flows) for traffic.
    ///
    /// # Errors
    /// As [`Programs::of_traffic`].
    pub fn new(work: Load<'a>) -> Outcome<Part<'a>> {
        Ok(match work {
            Load::Schedule(schedule) => Part::One(Play::new(schedule)),
            Load::Programs(programs) => {
                let calls = programs.calls.iter().map(|call| Play::new(&call.schedule)).collect();
                Part::Programs { programs: Cow::Borrowed(programs), calls }
            }
            Load::Traffic(traffic) => {
                Part::Programs { programs: Cow::Owned(Programs::of_traffic(traffic)?), calls: Vec::new() }
            }
        })
    }
}

pub struct Engine<'a> {
    machine: &'a Machine<'a>,
    jobs: Arc<[Job<'a>]>,
    parts: Arc<Vec<Part<'a>>>,
    /// First rank of every job.
    base: Vec<u32>,
    ranks: Vec<Rank>,
    ended: usize,
    finish: Vec<f64>,
    messages: Vec<Message>,
    free: Vec<u32>,
    matching: Matching,
    routes: Routes<'a>,
    fluid: Fluid,
    events: BinaryHeap<Reverse<Event>>,
    number: u64,
    ready: VecDeque<u32>,
    now: f64,
    arrived: u64,
    bytes: u64,
    trace: Option<Trace>,
    alone: Vec<f64>,
    /// Messages posted and not yet received.
    unfinished: u64,
}

impl<'a> Engine<'a> {
    /// `parts` has the work of every job.
    pub fn new(machine: &'a Machine<'a>, jobs: Arc<[Job<'a>]>, parts: Arc<Vec<Part<'a>>>, record: bool) -> Engine<'a> {
        let network = machine.network;
        let (mut ranks, mut base) = (Vec::new(), Vec::new());
        for (number, job) in jobs.iter().enumerate() {
            base.push(ranks.len() as u32);
            ranks.extend(job.endpoint_of_rank.iter().enumerate().map(|(local, &endpoint)| Rank {
                job: number as u32,
                local: local as u32,
                endpoint,
                repetitions_left: job.repetitions,
                wait: Wait::Busy,
                since: job.start_s,
                ..Rank::default()
            }));
        }
        let capacity = (0..network.links()).map(|link| network.class(link).bandwidth_bytes_per_s);
        let mut fluid = Fluid::new(capacity);
        let trace = record.then(|| Trace { ranks: ranks.len() as u32, ..Trace::default() });
        fluid.utilisation = record.then(|| Utilisation::new(network.links() as usize, BINS, BIN));
        Engine {
            machine,
            jobs,
            parts,
            base,
            finish: vec![0.0; ranks.len()],
            ranks,
            ended: 0,
            messages: Vec::new(),
            free: Vec::new(),
            matching: Matching::default(),
            routes: Routes::new(machine),
            fluid,
            events: BinaryHeap::new(),
            number: 0,
            ready: VecDeque::new(),
            now: 0.0,
            arrived: 0,
            bytes: 0,
            trace,
            alone: Vec::new(),
            unfinished: 0,
        }
    }

    /// As it was before it ran, with these places for the ranks of the only job. What is kept changes no result: memory,
    /// and routes already found.
    pub fn reset(&mut self, endpoint_of_rank: &[u32]) {
        let job = &self.jobs[0];
        for (rank, &endpoint) in self.ranks.iter_mut().zip(endpoint_of_rank) {
            let mut requests = std::mem::take(&mut rank.requests);
            requests.clear();
            *rank = Rank {
                local: rank.local,
                endpoint,
                repetitions_left: job.repetitions,
                requests,
                wait: Wait::Busy,
                since: job.start_s,
                ..Rank::default()
            };
        }
        self.finish.fill(0.0);
        (self.ended, self.number, self.now) = (0, 0, 0.0);
        (self.arrived, self.bytes, self.unfinished) = (0, 0, 0);
        self.messages.clear();
        self.free.clear();
        self.matching.clear();
        self.fluid.clear();
        self.events.clear();
        self.ready.clear();
    }

    /// Runs until all is done; false if it is certain that the last rank ends after `until_s`, which may be infinite.
    /// `look` is told now and then how many messages arrived since, and says whether to stop.
    pub fn run(&mut self, background: &[Background], until_s: f64, mut look: impl FnMut(u64) -> bool) -> Outcome<bool> {
        for rank in 0..self.ranks.len() as u32 {
            self.event(self.ranks[rank as usize].since, What::Wake(rank));
        }
        for flow in background {
            self.add_background(flow)?;
        }
        let (mut rounds, mut told) = (0u64, 0);
        let mut done = Vec::new();
        while self.ended < self.ranks.len() || self.unfinished > 0 {
            let next = self.events.peek().map(|Reverse(event)| event.time);
            let first = [next, self.fluid.next()].into_iter().flatten().reduce(f64::min);
            let Some(now) = first.filter(|time| time.is_finite()) else {
                return Err(self.stuck(next.is_some()).into());
            };
            // A rank that has not ended does so at this event or a later one.
            if now > until_s && self.ended < self.ranks.len() {
                return Ok(false);
            }
            // Rounding may let a flow end a hair before what has happened already.
            self.now = self.now.max(now);
            self.fluid.finish(self.now, |message, _| done.push(message));
            for message in done.drain(..) {
                self.arrive(message);
            }
            while let Some(Reverse(event)) = self.events.peek().copied() {
                if event.time > instant_end(self.now) {
                    break;
                }
                self.events.pop();
                match event.what {
                    What::Begin(message) => self.move_bytes(message)?,
                    What::Arrive(message) => self.arrive(message),
                    What::Wake(rank) => self.ready.push_back(rank),
                }
            }
            while let Some(rank) = self.ready.pop_front() {
                self.play(rank)?;
            }
            self.fluid.update(self.now);
            rounds += 1;
            if rounds.is_multiple_of(1024) {
                let new = self.arrived - std::mem::replace(&mut told, self.arrived);
                if look(new) {
                    return Err(Fault::say(&codes::STOPPED, "simulation", "the simulation was stopped").into());
                }
            }
        }
        Ok(true)
    }

    /// When the last rank ended, after [`Engine::run`].
    pub fn end_s(&self) -> f64 {
        self.finish.iter().copied().fold(0.0, f64::max)
    }

    pub fn execution(mut self) -> Execution {
        let mut ends = self.base.clone();
        ends.push(self.ranks.len() as u32);
        if let (Some(trace), Some(utilisation)) = (&mut self.trace, self.fluid.utilisation.take()) {
            trace.link_bins = utilisation.finish();
            // Busy intervals were noted when they began.
            trace.intervals.sort_by(|a, b| a.end_s.total_cmp(&b.end_s));
        }
        Execution {
            finish_s: ends.windows(2).map(|w| self.finish[w[0] as usize..w[1] as usize].to_vec()).collect(),
            messages: self.arrived,
            bytes: self.bytes,
            work: self.fluid.work(),
            trace: self.trace,
            alone_s: self.alone,
        }
    }

    fn event(&mut self, time: f64, what: What) {
        self.number += 1;
        self.events.push(Reverse(Event { time, number: self.number, what }));
    }
}

fn message_record(message: &Message) -> bool {
    message.started && message.record != NONE
}
