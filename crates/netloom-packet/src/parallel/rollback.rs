//! A part that runs ahead of what is known to be right, and goes back when it was not (Jefferson, ACM TOPLAS 7(3), 1985).
//!
//! What comes from outside, packets and room from other parts and messages of ranks, is kept apart from the state, in order of
//! the time at which it takes effect, and enters the state only then. So a part goes back by three simple steps: its arrays to
//! a [`Mark`], the queue of events to its copy there, and what came from outside later enters again.
//!
//! ```text
//!      bound                         done
//!   ─────┼─────|───────|───────|───────┼──────────► time
//!     no part  marks                 events before
//!     goes back                      it may have
//!     before                         happened
//! ```
//!
//! What a part has sent is not called back when it goes back, but compared with what it sends now. At the first
//! difference the receivers learn how many of all packets that it ever sent them are still true. Those count as if they had never come;
//! a receiver in whose past they are goes back itself.

use std::collections::{BTreeMap, VecDeque};

use netloom_model::Outcome;

use super::mail::{Credit, Mail, Received, Sending, SentPacket};
use crate::event::message::Message;
use crate::event::part::{Event, Part};
use crate::event::saved::{Marks, Undo};
use crate::event::state::{NEVER, Returns};
use crate::observe::carried::PacketWork;
use crate::picoseconds::whole;

/// Fewest events between two marks.
const LEAST: u64 = 64;
/// In place of a part: ranks.
const RANKS: u16 = u16::MAX;

/// Time, sender, list, and place in the list: an order that is that of the sender where times are equal.
type Key = (u64, u16, u8, u64);
const PACKETS: u8 = 0;
const CREDITS: u8 = 1;
const MESSAGES: u8 = 2;

/// What comes from outside.
#[derive(Clone, Debug)]
enum FromOutside {
    Packet(SentPacket),
    Credit(Credit),
    Message(u32, Box<Message>),
    Start(u32),
}

/// How far a part may go: before a time, so many events now, and so many that may have to be undone.
#[derive(Clone, Copy, Debug)]
pub struct Reach {
    pub limit: u64,
    pub batch: u64,
    pub most: u64,
}

/// What parts that run ahead count.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counts {
    /// Events, those that were undone too.
    pub processed: u64,
    pub rollbacks: u64,
    /// Packets and credits sent, and those of them that were not true.
    pub mail: u64,
    pub cancelled: u64,
}

pub struct Rollback {
    marks: VecDeque<Mark>,
    /// Events before it may have happened, and inputs before it are in the state.
    done: u64,
    inputs: BTreeMap<Key, FromOutside>,
    /// Of the first input that is not in the state.
    next_input: u64,
    /// The first time before `done` at which inputs have changed.
    late: u64,
    /// By sender: times of its packets and credits.
    received: Vec<[Received; 2]>,
    /// By receiver.
    packets: Vec<Sending<SentPacket>>,
    credits: Vec<Sending<Credit>>,
    /// Inputs from ranks, ever.
    from_ranks: u64,
    since_mark: u64,
    pub counts: Counts,
}

/// The state when all events before a time had happened, and none later; the arrays keep theirs.
struct Mark {
    done: u64,
    now: u64,
    unused: u32,
    unused_returns: u32,
    work: PacketWork,
    events: Vec<(u64, Event)>,
}

impl Rollback {
    fn new(parts: usize) -> Rollback {
        Rollback {
            marks: VecDeque::new(),
            done: 0,
            inputs: BTreeMap::new(),
            next_input: NEVER,
            late: NEVER,
            received: vec![Default::default(); parts],
            packets: vec![Sending::default(); parts],
            credits: vec![Sending::default(); parts],
            from_ranks: 0,
            since_mark: 0,
            counts: Counts::default(),
        }
    }

    /// What comes from outside changes at a time.
    fn changes(&mut self, at: u64) {
        if at < self.done {
            self.late = self.late.min(at);
        } else {
            self.next_input = self.next_input.min(at);
        }
    }

    fn first_input(&self, from: u64) -> u64 {
        self.inputs.range((from, 0, 0, 0)..).next().map_or(NEVER, |(key, _)| key.0)
    }

    fn put(&mut self, key: Key, input: FromOutside) {
        self.inputs.insert(key, input);
        self.changes(key.0);
    }

    fn receive(&mut self, from: u16, list: u8, at: u64, input: FromOutside) {
        let received = &mut self.received[usize::from(from)][usize::from(list)];
        let number = received.first + received.times.len() as u64;
        received.times.push_back(at);
        self.put((at, from, list, number), input);
    }

    /// Only the first so many packets or credits of a sender are true.
    fn keep(&mut self, from: u16, list: u8, kept: u64) {
        let received = &mut self.received[usize::from(from)][usize::from(list)];
        let mut soonest = NEVER;
        while received.first + received.times.len() as u64 > kept
            && let Some(at) = received.times.pop_back()
        {
            self.inputs.remove(&(at, from, list, received.first + received.times.len() as u64));
            soonest = soonest.min(at);
        }
        if soonest < self.done {
            self.late = self.late.min(soonest);
        }
        if soonest <= self.next_input {
            self.next_input = self.first_input(self.done);
        }
    }
}

impl<U: Undo> Part<'_, U> {
    /// From its initial state on, it runs ahead.
    pub fn begin_ahead(&mut self) {
        let counts = self.rollback.take().map(|rollback| rollback.counts).unwrap_or_default();
        self.rollback = Some(Box::new(Rollback { counts, ..Rollback::new(usize::from(self.layout.parts())) }));
        self.arrays().into_iter().for_each(Marks::save);
        self.mark();
    }

    /// No event of it that has not happened, or will happen again, is before.
    pub fn soonest(&mut self) -> u64 {
        let next = self.events.next().unwrap_or(NEVER);
        self.rollback.as_ref().map_or(next, |rollback| next.min(rollback.next_input).min(rollback.late))
    }

    /// A message that starts or ends here: nothing of it is here before a time.
    pub fn place_ahead(&mut self, at: u64, number: u32, message: Message) {
        self.enter_from_ranks(at, FromOutside::Message(number, Box::new(message)));
    }

    pub fn start_ahead(&mut self, at: u64, message: u32) {
        self.enter_from_ranks(at, FromOutside::Start(message));
    }

    fn enter_from_ranks(&mut self, at: u64, input: FromOutside) {
        if let Some(rollback) = &mut self.rollback {
            rollback.from_ranks += 1;
            rollback.put((at, RANKS, MESSAGES, rollback.from_ranks), input);
        }
    }

    /// Takes the mail of another part.
    pub fn take_in_ahead(&mut self, from: u16, mail: &Mail) {
        let Part { rollback: Some(rollback), lanes, latencies, factors, .. } = self else { return };
        let (packets, credits) = mail.kept;
        rollback.keep(from, PACKETS, packets);
        rollback.keep(from, CREDITS, credits);
        for &sent in &mail.packets {
            rollback.receive(from, PACKETS, sent.at, FromOutside::Packet(sent));
        }
        for &credit in &mail.credits {
            let latency_ps = latencies[usize::from(lanes[credit.lane as usize].latency)];
            let back = whole(f64::from(latency_ps) * f64::from(factors[usize::from(credit.factor)]));
            rollback.receive(from, CREDITS, credit.free_at + back, FromOutside::Credit(credit));
        }
    }

    /// A packet to another part.
    #[inline]
    pub(crate) fn post_packet(&mut self, to: u16, sent: SentPacket) {
        match &mut self.rollback {
            None => self.outbox[usize::from(to)].packets.push(sent),
            Some(rollback) => rollback.packets[usize::from(to)].post(self.now, sent),
        }
    }

    /// Room for another part.
    #[inline]
    pub(crate) fn post_credit(&mut self, to: u16, credit: Credit) {
        match &mut self.rollback {
            None => self.outbox[usize::from(to)].credits.push(credit),
            Some(rollback) => rollback.credits[usize::from(to)].post(self.now, credit),
        }
    }

    /// What others do not know yet, by part.
    pub fn news(&mut self, mut tell: impl FnMut(u16, Mail)) {
        let soonest = self.soonest();
        let Some(rollback) = &mut self.rollback else { return };
        for (to, (packets, credits)) in (0..).zip(rollback.packets.iter_mut().zip(&mut rollback.credits)) {
            packets.passed(soonest);
            credits.passed(soonest);
            if packets.has_news() || credits.has_news() {
                rollback.counts.cancelled += packets.untrue + credits.untrue;
                let mut mail = Mail::default();
                mail.kept = (packets.news(&mut mail.packets), credits.news(&mut mail.credits));
                rollback.counts.mail += (mail.packets.len() + mail.credits.len()) as u64;
                tell(to, mail);
            }
        }
    }

    /// Simulates a batch of events; false if there is none that may happen.
    ///
    /// # Errors
    /// If a packet has no route.
    pub fn run_ahead(&mut self, reach: Reach) -> Outcome<bool> {
        let Some(rollback) = &mut self.rollback else { return Ok(false) };
        if rollback.late != NEVER {
            rollback.counts.rollbacks += 1;
            self.back();
        }
        let (mut count, most) = (0, reach.batch.min(self.room_for(reach.most)));
        let (stride, mut until_touch) = self.stride();
        while self.due(reach, count < most) {
            let Some((at, event)) = self.events.take(self.done() - 1) else { continue };
            if until_touch == 0 {
                self.touch();
                until_touch = stride;
            }
            until_touch -= 1;
            count += 1;
            self.happens(at, event)?;
        }
        if let Some(rollback) = &mut self.rollback {
            rollback.since_mark += count;
            rollback.counts.processed += count;
        }
        Ok(count > 0)
    }

    fn done(&self) -> u64 {
        self.rollback.as_ref().map_or(0, |rollback| rollback.done)
    }

    /// Events that may happen before too many could have to be undone.
    fn room_for(&self, most: u64) -> u64 {
        let oldest =
            self.rollback.as_ref().and_then(|rollback| rollback.marks.front()).map_or(0, |mark| mark.work.events);
        most.saturating_sub(self.work.events - oldest)
    }

    /// Goes on to the time of the next event or input, and takes in the inputs of that time; false if that is too far. An
    /// instant that has begun goes on without more room, so that marks can follow it.
    #[inline]
    fn due(&mut self, reach: Reach, more: bool) -> bool {
        let next = self.events.next().unwrap_or(NEVER);
        let Some(rollback) = &mut self.rollback else { return false };
        let next = next.min(rollback.next_input);
        if next >= reach.limit {
            return false;
        }
        if next >= rollback.done {
            if !more {
                return false;
            }
            if rollback.since_mark >= (self.events.len() as u64 / 2).clamp(LEAST, LEAST.max(reach.most / 4)) {
                self.mark();
            }
            self.enter_inputs(next + 1);
        }
        true
    }

    /// What comes from outside before a time enters the state.
    fn enter_inputs(&mut self, done: u64) {
        let Some(rollback) = &mut self.rollback else { return };
        rollback.done = done;
        if rollback.next_input >= done {
            return;
        }
        let due = rollback.inputs.range((rollback.next_input, 0, 0, 0)..(done, 0, 0, 0));
        let due: Vec<(u64, FromOutside)> = due.map(|(key, input)| (key.0, input.clone())).collect();
        rollback.next_input = rollback.first_input(done);
        for (at, input) in due {
            match input {
                FromOutside::Packet(sent) => self.receive(sent),
                FromOutside::Credit(Credit { lane, bytes, free_at, factor }) => {
                    self.come_back(lane, bytes, free_at, factor)
                }
                FromOutside::Message(number, message) => self.place(number, *message),
                FromOutside::Start(message) => self.events.put(at, Event::start(message)),
            }
        }
    }

    /// All that is in arrays; the rest of the state is in a mark.
    fn arrays(&mut self) -> [&mut dyn Marks; 7] {
        let Part { links, lanes, returns, packets, messages, sources, made, .. } = self;
        [links, lanes, &mut returns.all, packets, messages, sources, made]
    }

    fn mark(&mut self) {
        self.arrays().into_iter().for_each(Marks::mark);
        let Some(rollback) = &mut self.rollback else { return };
        let Part { now, unused, returns: Returns { unused: unused_returns, .. }, work, .. } = *self;
        let events = self.events.copy();
        rollback.marks.push_back(Mark { done: rollback.done, now, unused, unused_returns, work, events });
        rollback.since_mark = 0;
    }

    /// Back to the last mark before what is late.
    fn back(&mut self) {
        let Some(rollback) = &mut self.rollback else { return };
        let late = std::mem::replace(&mut rollback.late, NEVER);
        let at = rollback.marks.partition_point(|mark| mark.done <= late).saturating_sub(1);
        rollback.marks.truncate(at + 1);
        self.arrays().into_iter().for_each(|array| array.back(at));
        let Some(rollback) = &mut self.rollback else { return };
        let Some(mark) = rollback.marks.back() else { return };
        debug_assert!(mark.done <= late, "no mark is before {late}, the first at {}", mark.done);
        (self.now, self.unused, self.returns.unused, self.work) =
            (mark.now, mark.unused, mark.unused_returns, mark.work);
        self.events.restore(mark.now, &mark.events);
        let said = self.arrivals.partition_point(|arrival| arrival.said < mark.done);
        self.arrivals.truncate(said);
        (rollback.done, rollback.since_mark) = (mark.done, 0);
        rollback.next_input = rollback.first_input(rollback.done);
        rollback.packets.iter_mut().for_each(|sending| sending.back(rollback.done));
        rollback.credits.iter_mut().for_each(|sending| sending.back(rollback.done));
    }

    /// Nothing before a time will ever be undone.
    pub fn settle_until(&mut self, bound: u64, most: u64) {
        let enough = self.room_for(most) > most / 2;
        let Some(rollback) = &self.rollback else { return };
        if rollback.done <= bound && !enough {
            self.mark();
        }
        let Some(rollback) = &mut self.rollback else { return };
        let gone = rollback.marks.partition_point(|mark| mark.done <= bound).saturating_sub(1);
        rollback.marks.drain(..gone);
        let oldest = rollback.marks.front().map_or(0, |mark| mark.done);
        rollback.inputs = rollback.inputs.split_off(&(oldest, 0, 0, 0));
        for received in rollback.received.iter_mut().flatten() {
            while received.times.front().is_some_and(|at| *at < oldest) {
                received.times.pop_front();
                received.first += 1;
            }
        }
        rollback.packets.iter_mut().for_each(|sending| sending.forget(oldest));
        rollback.credits.iter_mut().for_each(|sending| sending.forget(oldest));
        self.arrays().into_iter().for_each(|array| array.forget(gone));
        let said = self.arrivals.partition_point(|arrival| arrival.said < bound);
        self.arrivals.drain(..said);
    }

    /// The state before a time, exactly: no part undoes anything before it any more.
    ///
    /// # Errors
    /// If a packet has no route.
    pub fn end_ahead(&mut self, end: u64) -> Outcome<()> {
        if let Some(rollback) = &mut self.rollback
            && (rollback.done > end || rollback.late != NEVER)
        {
            rollback.late = rollback.late.min(end);
            self.back();
        }
        while self.run_ahead(Reach { limit: end, batch: u64::MAX, most: u64::MAX })? {}
        Ok(())
    }
}
