//! The clock: ranks act, messages start, wait out their latency, move, arrive.

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

    // ---- ranks

    /// Lets a rank act until it has to wait.
    fn play(&mut self, rank: u32) -> Outcome<()> {
        self.resume(rank);
        for _ in 0..STILL {
            let r = &mut self.ranks[rank as usize];
            if r.debt > 0.0 {
                let time = std::mem::take(&mut r.debt);
                self.busy(rank, time, Activity::Overhead);
                return Ok(());
            }
            let paid = r.paid.take();
            let Some(action) = paid.or_else(|| self.next(rank)) else {
                self.ranks[rank as usize].wait = Wait::Ended;
                self.finish[rank as usize] = self.now;
                self.ended += 1;
                return Ok(());
            };
            if self.act(rank, action, paid.is_some())? {
                return Ok(());
            }
        }
        let place = format!("{}: {}", self.label(), self.name(rank));
        Err(Fault::say(&codes::STILL, place, format!("{STILL} actions without time going on")).into())
    }

    /// Ends the wait of a rank that goes on now.
    fn resume(&mut self, rank: u32) {
        let r = &mut self.ranks[rank as usize];
        r.wait = Wait::No;
        r.since = self.now;
    }

    fn note(&mut self, rank: u32, activity: Activity, start_s: f64, end_s: f64, message: u32) {
        if let Some(trace) = &mut self.trace
            && end_s > start_s
        {
            trace.intervals.push(Interval { rank, activity, start_s, end_s, message });
        }
    }

    /// Keeps a rank busy.
    fn busy(&mut self, rank: u32, time: f64, activity: Activity) {
        self.ranks[rank as usize].wait = Wait::Busy;
        let until = self.now + time;
        self.note(rank, activity, self.now, until, NONE);
        self.event(until, What::Wake(rank));
    }

    /// The next action of a rank, its peers still numbered as the job or the call does.
    fn next(&mut self, rank: u32) -> Option<Action> {
        let r = &mut self.ranks[rank as usize];
        loop {
            let action = match &self.parts[r.job as usize] {
                Part::One(play) => play.next(r.local, &mut r.place),
                Part::Programs { programs, calls } => {
                    if let Some(inside) = &mut r.inside {
                        match calls[inside.call as usize].next(inside.member, &mut inside.place) {
                            Some(action) => return Some(action),
                            None => r.inside = None,
                        }
                    }
                    match next_op(programs.of(r.local), &mut r.line) {
                        Some(Op::Collective { call, member }) => {
                            r.inside = Some(Inside { call, member, place: Place::default() });
                            continue;
                        }
                        other => other.map(Action::Op),
                    }
                }
            };
            if action.is_some() {
                return action;
            }
            r.repetitions_left -= 1;
            if r.repetitions_left == 0 {
                return None;
            }
            (r.line, r.place) = (Line::default(), Place::default());
        }
    }

    /// Whom an action means, and in which context.
    fn peer(&self, rank: u32, peer: u32) -> (u32, u32) {
        let r = &self.ranks[rank as usize];
        let base = self.base[r.job as usize];
        match (&r.inside, &self.parts[r.job as usize]) {
            (Some(inside), Part::Programs { programs, .. }) => {
                (base + programs.calls[inside.call as usize].members[peer as usize], 1 + inside.call)
            }
            (None, Part::One(_)) => (base + peer, 1),
            _ => (base + peer, 0),
        }
    }

    /// Does one action; true if the rank has to wait now.
    fn act(&mut self, rank: u32, action: Action, paid: bool) -> Outcome<bool> {
        let calibration = self.machine.calibration;
        let op = match action {
            Action::WaitLast(count) => {
                let from = self.ranks[rank as usize].requests.started() - count;
                return Ok(self.wait_from(rank, from));
            }
            Action::Combine(bytes) => {
                let time = calibration.combine_s_per_byte * bytes as f64;
                return Ok(self.spend(rank, time, Activity::Compute));
            }
            Action::Op(op) => op,
        };
        let cost = match op {
            Op::Send { bytes, .. } if !paid => calibration.overhead(&calibration.send_overhead, bytes),
            Op::StartSend { bytes, .. } if !paid => calibration.overhead(&calibration.nonblocking_send_overhead, bytes),
            _ => 0.0,
        };
        if cost > 0.0 {
            self.ranks[rank as usize].paid = Some(action);
            self.busy(rank, cost, Activity::Overhead);
            return Ok(true);
        }
        Ok(match op {
            Op::Send { peer, tag, bytes } => {
                let request = self.post(rank, peer, tag, bytes, true)?;
                self.wait_one(rank, request, Some(true))
            }
            Op::Receive { peer, tag, bytes } => {
                let request = self.post(rank, peer, tag, bytes, false)?;
                self.wait_one(rank, request, Some(false))
            }
            Op::StartSend { peer, tag, bytes } => self.start(rank, peer, tag, bytes, true)?,
            Op::StartReceive { peer, tag, bytes } => self.start(rank, peer, tag, bytes, false)?,
            Op::Wait { back } => match self.ranks[rank as usize].requests.named(back) {
                Some(request) => self.wait_one(rank, request, None),
                None => false,
            },
            Op::WaitAll => self.wait_from(rank, 0),
            Op::Compute { flops } => self.spend(rank, flops / self.machine.flops_per_s, Activity::Compute),
            Op::Sleep { seconds } => self.spend(rank, seconds, Activity::Compute),
            // `next` resolves these.
            Op::Collective { .. } | Op::Repeat { .. } => false,
        })
    }

    /// Posts a half that a later wait may name; what a collective posts is its own.
    fn start(&mut self, rank: u32, peer: u32, tag: u32, bytes: u64, send: bool) -> Outcome<bool> {
        let request = self.post(rank, peer, tag, bytes, send)?;
        let r = &mut self.ranks[rank as usize];
        if r.inside.is_none() && matches!(self.parts[r.job as usize], Part::Programs { .. }) {
            r.requests.name(request);
        }
        Ok(false)
    }

    fn spend(&mut self, rank: u32, time: f64, activity: Activity) -> bool {
        if time > 0.0 {
            self.busy(rank, time, activity);
        }
        time > 0.0
    }

    fn wait_one(&mut self, rank: u32, request: u32, send: Option<bool>) -> bool {
        let r = &mut self.ranks[rank as usize];
        if r.requests.is_done(request) {
            return false;
        }
        (r.wait, r.since) = (Wait::One { request, send }, self.now);
        true
    }

    fn wait_from(&mut self, rank: u32, from: u32) -> bool {
        let r = &mut self.ranks[rank as usize];
        let left = if r.requests.open == 0 { 0 } else { r.requests.open_from(from) };
        if left > 0 {
            (r.wait, r.since) = (Wait::From { from, left }, self.now);
        }
        left > 0
    }

    /// A request is done because of a message; its rank goes on if that is what it waited for.
    fn finish_request(&mut self, rank: u32, request: u32, send: bool, record: u32) {
        let r = &mut self.ranks[rank as usize];
        r.requests.finish(request);
        let activity = match &mut r.wait {
            Wait::One { request: one, send: kind } if *one == request => match kind.unwrap_or(send) {
                true => Activity::WaitSend,
                false => Activity::WaitReceive,
            },
            Wait::From { from, left } if request >= *from => {
                *left -= 1;
                if *left > 0 {
                    return;
                }
                Activity::Wait
            }
            _ => return,
        };
        // A rank that does not wait yet has just been told so within its own action.
        let since = r.since;
        r.wait = Wait::Busy;
        self.note(rank, activity, since, self.now, record);
        self.ready.push_back(rank);
    }

    // ---- messages

    /// One half of a message is there. Gives the request that stands for it.
    fn post(&mut self, rank: u32, peer: u32, tag: u32, bytes: u64, is_send: bool) -> Outcome<u32> {
        let (peer, context) = self.peer(rank, peer);
        let request = self.ranks[rank as usize].requests.start();
        let (src, dst) = if is_send { (rank, peer) } else { (peer, rank) };
        let (bytes_sent, room) = (bytes, bytes);
        let id = self.new_message(src, dst, bytes);
        let met = self.matching.meet(Key { src, dst, context, tag }, is_send, id);
        let calibration = self.machine.calibration;
        let eager = is_send && bytes < calibration.sender_returns_below_bytes;
        let at = match met {
            Some(other) => {
                self.free.push(id);
                self.unfinished -= 1;
                let there = self.messages[other as usize].bytes;
                let (sent, room) = if is_send { (bytes_sent, there) } else { (there, room) };
                if sent > room {
                    return Err(self.truncated(src, dst, tag, sent, room).into());
                }
                self.messages[other as usize].bytes = sent;
                self.messages[other as usize].matched = true;
                other
            }
            None => id,
        };
        let now = self.now;
        let message = &mut self.messages[at as usize];
        if is_send {
            (message.send, message.posted_send) = (if eager { NONE } else { request }, now);
        } else {
            (message.receive, message.posted_receive) = (request, now);
        }
        if !message.started && (message.matched || (eager && bytes < calibration.starts_early_below_bytes)) {
            self.begin(at)?;
        } else if self.messages[at as usize].arrived {
            self.complete(at);
        } else if message_record(&self.messages[at as usize]) && !is_send {
            self.record_receive(at);
        }
        if eager {
            self.ranks[rank as usize].requests.finish(request);
        }
        Ok(request)
    }

    fn new_message(&mut self, src: u32, dst: u32, bytes: u64) -> u32 {
        let message = Message {
            src,
            dst,
            bytes,
            send: NONE,
            receive: NONE,
            matched: false,
            started: false,
            arrived: false,
            posted_send: f64::NAN,
            posted_receive: f64::NAN,
            route: None,
            record: NONE,
            moved: 0.0,
            cap: f64::INFINITY,
            from: self.ranks.get(src as usize).map_or(NONE, |r| r.endpoint),
            to: self.ranks.get(dst as usize).map_or(NONE, |r| r.endpoint),
        };
        self.unfinished += 1;
        match self.free.pop() {
            Some(id) => {
                self.messages[id as usize] = message;
                id
            }
            None => {
                self.messages.push(message);
                self.messages.len() as u32 - 1
            }
        }
    }

    /// The transfer of a message starts: its latency comes first.
    fn begin(&mut self, id: u32) -> Outcome<()> {
        let m = self.messages[id as usize];
        self.messages[id as usize].started = true;
        self.record(id)?;
        let calibration = self.machine.calibration;
        if m.from == m.to {
            let moved = calibration.moved_bytes(m.bytes);
            let time = calibration.loopback_latency_s + moved / calibration.loopback_bandwidth_bytes_per_s;
            self.event(self.now + time, What::Arrive(id));
            return Ok(());
        }
        let route = self.routes.get(m.from, m.to)?;
        self.messages[id as usize].route = Some((self.routes.generation(), route));
        let size = m.bytes.saturating_add(calibration.envelope_bytes);
        self.messages[id as usize].moved = calibration.moved_bytes(m.bytes);
        let latency = route.latency_s * calibration.latency_factor(size);
        if latency > 0.0 {
            self.event(self.now + latency, What::Begin(id));
            return Ok(());
        }
        self.move_bytes(id)
    }

    /// The latency of a message is over: its bytes move.
    fn move_bytes(&mut self, id: u32) -> Outcome<()> {
        let m = self.messages[id as usize];
        if let (Some(trace), true) = (&mut self.trace, m.record != NONE) {
            trace.messages[m.record as usize].flow_s = self.now;
        }
        if m.moved == 0.0 {
            self.event(self.now, What::Arrive(id));
            return Ok(());
        }
        let route = match m.route {
            Some((generation, route)) if generation == self.routes.generation() => route,
            _ => self.routes.get(m.from, m.to)?,
        };
        if let Some(utilisation) = &mut self.fluid.utilisation {
            utilisation.route(id, self.routes.links(&route));
        }
        if let (Some(trace), true) = (&self.trace, m.record != NONE) {
            self.alone.resize(trace.messages.len(), 0.0);
            self.alone[m.record as usize] = m.moved / route.bandwidth.min(route.cap);
        }
        let uses = self.routes.uses(&route);
        self.fluid.start(self.now, m.moved, uses, route.weight, route.cap.min(m.cap), id);
        Ok(())
    }

    fn add_background(&mut self, flow: &Background) -> Outcome<()> {
        if flow.src == flow.dst {
            return Ok(());
        }
        let route = self.routes.get(flow.src, flow.dst)?;
        let id = self.new_message(NONE, NONE, 0);
        self.unfinished -= 1;
        let message = &mut self.messages[id as usize];
        (message.moved, message.cap) = (flow.bytes, flow.cap_bytes_per_s);
        (message.from, message.to) = (flow.src, flow.dst);
        message.route = Some((self.routes.generation(), route));
        self.event(flow.start_s + route.latency_s, What::Begin(id));
        Ok(())
    }

    /// A message is there.
    fn arrive(&mut self, id: u32) {
        let m = self.messages[id as usize];
        if m.src == NONE {
            self.free.push(id);
            return;
        }
        self.arrived += 1;
        self.bytes += m.bytes;
        self.messages[id as usize].arrived = true;
        if let (Some(trace), true) = (&mut self.trace, m.record != NONE) {
            trace.messages[m.record as usize].finish_s = self.now;
        }
        if m.send != NONE {
            self.finish_request(m.src, m.send, true, m.record);
        }
        if m.matched {
            self.complete(id);
        }
    }

    /// A message is there, and so is its receive.
    fn complete(&mut self, id: u32) {
        let m = self.messages[id as usize];
        self.record_receive(id);
        let calibration = self.machine.calibration;
        self.ranks[m.dst as usize].debt += calibration.overhead(&calibration.receive_overhead, m.bytes);
        self.finish_request(m.dst, m.receive, false, m.record);
        self.free.push(id);
        self.unfinished -= 1;
    }

    // ---- the record

    fn record(&mut self, id: u32) -> Outcome<()> {
        let m = self.messages[id as usize];
        let Some(trace) = &mut self.trace else { return Ok(()) };
        if trace.messages.len() >= RECORDED {
            let sentence = format!("more than {RECORDED} messages cannot be recorded");
            return Err(Fault::say(&netloom_model::fault::codes::TOO_LARGE, "trace", sentence)
                .hint("simulate without a trace, or fewer repetitions")
                .into());
        }
        self.messages[id as usize].record = trace.messages.len() as u32;
        trace.messages.push(MessageTrace {
            src: m.src,
            dst: m.dst,
            bytes: m.bytes,
            job: self.ranks[m.src as usize].job,
            posted_send_s: m.posted_send,
            posted_receive_s: m.posted_receive,
            start_s: self.now,
            flow_s: self.now,
            finish_s: f64::NAN,
        });
        Ok(())
    }

    /// The receive of an early message was posted while it moved or after.
    fn record_receive(&mut self, id: u32) {
        let m = self.messages[id as usize];
        if let (Some(trace), true) = (&mut self.trace, m.record != NONE) {
            trace.messages[m.record as usize].posted_receive_s = m.posted_receive;
        }
    }

    // ---- ends that are none

    fn label(&self) -> String {
        let labels: Vec<&str> = self
            .jobs
            .iter()
            .map(|job| match job.work {
                Load::Schedule(s) => s.label.as_str(),
                Load::Programs(p) => p.label.as_str(),
                Load::Traffic(t) => t.label.as_str(),
            })
            .collect();
        labels.join(" + ")
    }

    fn name(&self, rank: u32) -> String {
        let r = &self.ranks[rank as usize];
        if self.jobs.len() > 1 { format!("rank {} of job {}", r.local, r.job) } else { format!("rank {}", r.local) }
    }

    fn halves(&self) -> Vec<Half> {
        let bytes = |id: u32| self.messages[id as usize].bytes;
        self.matching.waiting().into_iter().map(|(key, is_send, id)| Half { key, is_send, bytes: bytes(id) }).collect()
    }

    /// Why nothing more happens in finite time; `timed` says that something would happen at the end of all times.
    fn stuck(&self, timed: bool) -> Fault {
        if timed || self.messages.iter().any(|m| m.src != NONE && m.started && !m.arrived) {
            return Fault::say(&codes::TIME_OVERFLOW, self.label(), "simulated time exceeds 1e308 s")
                .hint("check the units of sizes, bandwidths and computation");
        }
        let blocked = |rank: u32| matches!(self.ranks[rank as usize].wait, Wait::One { .. } | Wait::From { .. });
        if self.ended == self.ranks.len()
            && let Some(half) = self.halves().first()
        {
            return stuck::left_over(&self.label(), half, &|rank| self.name(rank));
        }
        stuck::deadlock(&self.label(), &self.halves(), &blocked, &|rank| self.name(rank))
    }

    fn truncated(&self, src: u32, dst: u32, tag: u32, sent: u64, room: u64) -> Fault {
        let place = format!("{}: message from {} to {}, tag {tag}", self.label(), self.name(src), self.name(dst));
        Fault::new(&codes::TRUNCATED, place, format!("at most {room} B, the size of its receive"), format!("{sent} B"))
    }
}

fn message_record(message: &Message) -> bool {
    message.started && message.record != NONE
}
