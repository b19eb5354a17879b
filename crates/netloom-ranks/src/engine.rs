//! The clock: ranks act, messages start and arrive.

mod acts;
mod connections;
mod ends;
mod flows;
mod kept;
mod memory;
mod messages;
mod periods;
mod record;
mod strands;
mod tasks;
mod wakes;

use std::collections::{BinaryHeap, HashMap, VecDeque};
use std::hash::BuildHasherDefault;
use std::sync::Arc;

use netloom_model::{Fault, Op, Outcome, Programs, Reach, Time};

use crate::codes;
use crate::flows::Waiting;
use crate::folded::{Actor, Folded, NO_PAIR};
use crate::line::{Line, next_op};
use crate::matching::{Fold, Key, Matching};
use crate::part::Part;
use crate::periods::Periods;
use crate::rank::{Inside, Rank, Strand, Wait};
use crate::room;
use crate::room::RECORDED;
use crate::source::{Action, Place, Play};
use crate::stuck;
use crate::stuck::Half;
use crate::trace::{Activity, Interval, MessageTrace, Routine, Trace};
use crate::transport::{Payload, Transport};
use crate::{Execution, Job, Load};
use connections::Connections;
use kept::{Beginning, Message, NO_MESSAGE, NO_RARE, NONE, Rare, Rares};
use memory::shares_of_memory;
use netloom_model::Software;
use wakes::{Due, Wake};

/// Most actions of one rank at one instant.
const STILL: u32 = 1 << 28;

pub struct Engine<'a, T> {
    software: Software,
    /// Messages need no time of software and have no bound on their rate.
    at_once: bool,
    /// Messages between two ranks that have started and not arrived; empty if crossing costs nothing.
    crossing: HashMap<(u32, u32), u32, BuildHasherDefault<Fold>>,
    connections: Connections,
    /// When the next message may leave an endpoint, or be received by it; empty if nothing bounds that.
    leaves: Vec<Time>,
    jobs: Arc<[Job<'a>]>,
    parts: Arc<Vec<Part<'a>>>,
    /// Ranks are classes of the only job.
    folded: Option<Arc<Folded>>,
    /// First rank of every job.
    base: Vec<u32>,
    /// All ranks, then strands; a strand's number is used again when it has ended.
    ranks: Vec<Rank>,
    idle: Vec<u32>,
    /// Ranks that ended.
    ended: usize,
    /// Seconds that a byte of memory takes each rank when it computes; empty where memory bounds nothing.
    memory: Vec<f64>,
    /// Of every rank.
    finish: Vec<Time>,
    messages: Vec<Message>,
    rare: Rares,
    free: Vec<u32>,
    /// Messages that begin when all have acted.
    beginning: Vec<Beginning>,
    /// Ranks that start the next flow of their traffic when all have acted.
    sending: Vec<u32>,
    matching: Matching,
    waiting: Waiting,
    transport: T,
    wakes: BinaryHeap<Wake>,
    number: u64,
    ready: VecDeque<u32>,
    now: Time,
    arrived: u64,
    bytes: u64,
    trace: Option<Trace>,
    /// When the send and the receive of each message were posted, for the record; NaN until then.
    posted_s: Vec<[f64; 2]>,
    alone_s: Vec<f64>,
    /// Messages posted and not yet received.
    unfinished: u64,
    stopped: Option<Time>,
    /// Of ranks whose strands depend on each other.
    tasks: tasks::AllTasks,
    /// Looks for rounds that repeat.
    periods: Option<Box<Periods>>,
    /// The rank whose rounds, iterations and repetitions are looked at, and where it was at the last look.
    watched: u32,
    seen: periods::At,
}

impl<'a, T: Transport> Engine<'a, T> {
    /// `parts` has the work of every job; of a job that is folded one rank of each class acts.
    pub fn new(
        transport: T,
        software: Software,
        jobs: Arc<[Job<'a>]>,
        parts: Arc<Vec<Part<'a>>>,
        folded: Option<Arc<Folded>>,
    ) -> Engine<'a, T> {
        let (mut ranks, mut base) = (Vec::new(), Vec::new());
        for (number, job) in jobs.iter().enumerate() {
            let first = ranks.len() as u32;
            base.push(first);
            let members = job.work.members();
            let everything = |rank| Actor { rank, channel: None };
            let acting = |at: u32| folded.as_ref().map_or(everything(at), |folded| folded.representatives[at as usize]);
            let channels = if let Load::Schedule(schedule) = job.work { schedule.channels } else { 1 };
            let count = folded.as_ref().map_or(job.endpoint_of_rank.len(), |folded| folded.representatives.len());
            ranks.extend((0..count as u32).map(|at| (at, acting(at))).map(|(at, Actor { rank: local, channel })| {
                Rank {
                    job: number as u32,
                    owner: first + at,
                    local,
                    is_switch: local >= members,
                    endpoint: job.endpoint_of_rank[local as usize],
                    seat: job.seat_of_rank.get(local as usize).copied().unwrap_or(0),
                    place: channel.map_or(Place::default(), |channel| Place::alone_in(channel, channels)),
                    repetitions_left: job.repetitions,
                    wait: Wait::Busy,
                    since: Time::from_s(job.start_s),
                    ..Rank::default()
                }
            }));
        }
        let leaves = if software.endpoints_take_turns() {
            let endpoints = ranks.iter().map(|rank: &Rank| rank.endpoint as usize + 1).max();
            vec![Time::ZERO; endpoints.unwrap_or(0)]
        } else {
            Vec::new()
        };
        let memory = shares_of_memory(&transport, &software, &ranks);
        Engine {
            memory,
            at_once: software.starts_at_once(),
            software,
            crossing: HashMap::default(),
            connections: Connections::default(),
            leaves,
            jobs,
            parts,
            folded,
            base,
            finish: vec![Time::ZERO; ranks.len()],
            ranks,
            idle: Vec::new(),
            ended: 0,
            messages: Vec::new(),
            rare: Rares::default(),
            free: Vec::new(),
            beginning: Vec::new(),
            sending: Vec::new(),
            matching: Matching::default(),
            waiting: Waiting::default(),
            transport,
            wakes: BinaryHeap::new(),
            number: 0,
            ready: VecDeque::new(),
            now: Time::ZERO,
            arrived: 0,
            bytes: 0,
            trace: None,
            posted_s: Vec::new(),
            alone_s: Vec::new(),
            unfinished: 0,
            stopped: None,
            tasks: tasks::AllTasks::default(),
            periods: None,
            watched: 0,
            seen: (0, 0, 0),
        }
    }

    /// Resets to the state before the run, with these places for the ranks of the only job. Memory and cached routes
    /// are kept; they change no result.
    pub fn reset(&mut self, places: impl Iterator<Item = netloom_model::Place>) {
        let job = &self.jobs[0];
        self.ranks.truncate(self.finish.len());
        self.idle.clear();
        for (rank, at) in self.ranks.iter_mut().zip(places) {
            let mut requests = std::mem::take(&mut rank.requests);
            requests.clear();
            *rank = Rank {
                owner: rank.owner,
                local: rank.local,
                is_switch: rank.is_switch,
                endpoint: at.endpoint,
                seat: at.seat,
                repetitions_left: job.repetitions,
                requests,
                wait: Wait::Busy,
                since: Time::from_s(job.start_s),
                ..Rank::default()
            };
        }
        self.memory = shares_of_memory(&self.transport, &self.software, &self.ranks);
        self.finish.fill(Time::ZERO);
        if !self.leaves.is_empty() {
            let endpoints = self.ranks.iter().map(|rank| rank.endpoint as usize + 1).max().unwrap_or(0);
            self.leaves.clear();
            self.leaves.resize(endpoints, Time::ZERO);
        }
        (self.ended, self.number, self.now) = (0, 0, Time::ZERO);
        (self.arrived, self.bytes, self.unfinished) = (0, 0, 0);
        self.messages.clear();
        self.rare.clear();
        self.free.clear();
        self.beginning.clear();
        self.sending.clear();
        self.matching.clear();
        self.waiting.clear();
        self.transport.reset();
        self.wakes.clear();
        self.ready.clear();
        self.crossing.clear();
        self.tasks.clear();
        self.connections.clear();
    }

    /// Records a trace from now on.
    pub fn record(&mut self) {
        self.trace = Some(Trace { ranks: self.ranks.len() as u32, ..Trace::default() });
        self.transport.record();
    }

    /// Ranks that do nothing: they have ended.
    pub fn leave_out(&mut self, acting: &[bool]) {
        for (rank, _) in self.ranks.iter_mut().zip(acting).filter(|(_, acts)| !**acts) {
            rank.wait = Wait::Ended;
            self.ended += 1;
        }
    }

    /// Skips what repeats from now on, if the work can have something.
    pub fn skip_periods(&mut self) {
        if let Some(rank) = self.repeating() {
            (self.watched, self.periods) = (rank, Some(Box::default()));
        }
    }

    /// Runs until all is done; false if it is certain that the last rank ends after `until`. `look` is called now and
    /// then with the number of messages that arrived since and the simulated time, and returns whether to stop.
    pub fn run(&mut self, until: Time, mut look: impl FnMut(u64, Time) -> bool) -> Outcome<bool> {
        for rank in 0..self.ranks.len() as u32 {
            if self.ranks[rank as usize].wait != Wait::Ended {
                self.wake(self.ranks[rank as usize].since, rank);
            }
        }
        let (mut rounds, mut told) = (0u64, 0);
        let mut done = Vec::new();
        while self.ended < self.finish.len() || self.unfinished > 0 {
            let wake = self.wakes.peek().map(|wake| wake.time);
            let next = self.transport.next(wake.unwrap_or(Time::NEVER))?;
            let first = [wake, next].into_iter().flatten().min();
            let Some(now) = first.filter(|time| time.is_finite()) else {
                return Err(self.stuck(wake.is_some()).into());
            };
            // A rank that has not ended does so at this event or a later one.
            if now > until && self.ended < self.finish.len() {
                return Ok(false);
            }
            if self.periods.is_some() && self.is_at_start() && self.is_settled(now) {
                self.look_for_period();
            }
            // Rounding may let a flow end slightly before the current time.
            self.now = self.now.max(now);
            self.transport.advance(self.now, &mut done)?;
            for message in done.drain(..) {
                self.reach_endpoint(message)?;
            }
            let until = self.now.instant_end();
            while let Some(wake) = self.wakes.peek().copied().filter(|wake| wake.time <= until) {
                self.wakes.pop();
                match wake.due {
                    Due::Rank(rank) => self.ready.push_back(rank),
                    Due::Turn(id) => self.take_turn(id)?,
                    Due::Message(id) => self.leave_software(id)?,
                    Due::Gap(id) => self.transfer_capped(id)?,
                    Due::Arrival(id) => self.arrive(id)?,
                    Due::Stream(endpoint) => self.leave_endpoint(endpoint)?,
                }
            }
            self.act_now()?;
            self.transport.settle(self.now);
            rounds += 1;
            // A round of many flows takes milliseconds, so few of them are between two looks.
            if rounds.is_multiple_of(16) {
                let new = self.arrived - std::mem::replace(&mut told, self.arrived);
                if look(new, self.now) {
                    return Err(Fault::say(&codes::STOPPED, "simulation", "the simulation was stopped").into());
                }
            }
        }
        self.transport.finish()?;
        Ok(true)
    }

    /// After a run that was stopped: ends it where it is. False if the transport has no part of a result.
    /// # Errors
    /// As [`Transport::finish`].
    pub fn stop(&mut self) -> Outcome<bool> {
        self.stopped = Some(self.now);
        self.transport.parts_with_it().then(|| self.transport.finish()).transpose().map(|found| found.is_some())
    }

    /// When the last rank ended, after [`Engine::run`].
    pub fn end(&self) -> Time {
        self.finish.iter().copied().max().unwrap_or_default()
    }

    /// # Errors
    /// As [`Transport::work`].
    pub fn execution(mut self) -> Outcome<Execution<T::Work>> {
        if let Some(trace) = &mut self.trace {
            trace.link_bins = self.transport.link_bins();
            // Busy intervals were recorded when they began, those that end together in no order that matters.
            trace.intervals.sort_by(|a, b| a.end_s.total_cmp(&b.end_s).then(a.rank.cmp(&b.rank)));
        }
        let skipped_s = self.periods.as_ref().map_or(0.0, |periods| periods.seconds);
        let end = |rank: u32| match self.ranks[rank as usize].wait {
            Wait::Ended => self.finish[rank as usize].as_s(),
            _ => f64::NAN,
        };
        let members = self.jobs.iter().map(|job| job.work.members());
        let seconds = |(first, count): (&u32, u32)| (*first..*first + count).map(end).collect();
        let finish_s = match &self.folded {
            Some(folded) => vec![folded.ends(end)],
            None => self.base.iter().zip(members).map(seconds).collect(),
        };
        Ok(Execution {
            finish_s,
            stopped_s: self.stopped.map(|now| now.as_s() + skipped_s),
            messages: self.arrived,
            bytes: self.bytes,
            work: self.transport.work()?,
            periods_skipped: self.periods.as_ref().map_or(0, |periods| periods.skipped),
            folded_ranks: self.folded.as_ref().map(|folded| folded.representatives.len() as u64),
            // Of a part of a run nothing can be said about its critical path.
            trace: self.trace.filter(|_| self.stopped.is_none()),
            alone_s: self.alone_s,
        })
    }

    fn wake(&mut self, time: Time, rank: u32) {
        self.due(time, Due::Rank(rank));
    }

    fn due(&mut self, time: Time, due: Due) {
        self.number += 1;
        self.wakes.push(Wake { time, number: self.number, due });
    }
}
