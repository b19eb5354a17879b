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

use std::collections::VecDeque;

use netloom_model::Outcome;

use super::inputs::{CREDITS, FromOutside, Inputs, MESSAGES, PACKETS, RANKS};
use super::mail::{Credit, Mail, Sending, SentPacket};
use crate::event::message::NewMessage;
use crate::event::part::{Event, Part};
use crate::event::saved::{Marks, Undo};
use crate::event::state::{NEVER, Returns};
use crate::observe::carried::PacketWork;
use crate::picoseconds::whole;

/// Fewest events between two marks.
const LEAST: u64 = 64;
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
    inputs: Inputs,
    /// By receiver.
    packets: Vec<Sending<SentPacket>>,
    credits: Vec<Sending<Credit>>,
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
            inputs: Inputs::new(parts),
            packets: vec![Sending::default(); parts],
            credits: vec![Sending::default(); parts],
            since_mark: 0,
            counts: Counts::default(),
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
        self.rollback.as_ref().map_or(next, |rollback| next.min(rollback.inputs.next).min(rollback.inputs.late))
    }

    /// A message that starts or ends here: nothing of it is here before a time.
    pub fn place_ahead(&mut self, at: u64, number: u32, message: NewMessage) {
        self.enter_from_ranks(at, FromOutside::Message(number, Box::new(message)));
    }

    pub fn start_ahead(&mut self, at: u64, message: u32) {
        self.enter_from_ranks(at, FromOutside::Start(message));
    }

    fn enter_from_ranks(&mut self, at: u64, input: FromOutside) {
        if let Some(rollback) = &mut self.rollback {
            rollback.inputs.from_ranks += 1;
            rollback.inputs.put((at, RANKS, MESSAGES, rollback.inputs.from_ranks), input);
        }
    }

    /// Takes the mail of another part.
    pub fn take_in_ahead(&mut self, from: u16, mail: &Mail) {
        let Part { rollback: Some(rollback), lanes, latencies, factors, .. } = self else { return };
        let (packets, credits) = mail.kept;
        rollback.inputs.keep(from, PACKETS, packets);
        rollback.inputs.keep(from, CREDITS, credits);
        for &sent in &mail.packets {
            rollback.inputs.receive(from, PACKETS, sent.at, FromOutside::Packet(sent));
        }
        for &credit in &mail.credits {
            let latency_ps = latencies[usize::from(lanes[credit.lane as usize].latency)];
            let back = whole(f64::from(latency_ps) * f64::from(factors[usize::from(credit.factor)]));
            rollback.inputs.receive(from, CREDITS, credit.free_at + back, FromOutside::Credit(credit));
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

    /// Simulates a batch of events, and counts them; 0 if there is none that may happen.
    ///
    /// # Errors
    /// If a packet has no route.
    pub fn run_ahead(&mut self, reach: Reach) -> Outcome<u64> {
        let Some(rollback) = &mut self.rollback else { return Ok(0) };
        if rollback.inputs.late != NEVER {
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
        Ok(count)
    }

    fn done(&self) -> u64 {
        self.rollback.as_ref().map_or(0, |rollback| rollback.inputs.done)
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
        let next = next.min(rollback.inputs.next);
        if next >= reach.limit {
            return false;
        }
        if next >= rollback.inputs.done {
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
        rollback.inputs.done = done;
        if rollback.inputs.next >= done {
            return;
        }
        let due = rollback.inputs.all.range((rollback.inputs.next, 0, 0, 0)..(done, 0, 0, 0));
        let due: Vec<(u64, FromOutside)> = due.map(|(key, input)| (key.0, input.clone())).collect();
        rollback.inputs.next = rollback.inputs.first_input(done);
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
    fn arrays(&mut self) -> [&mut dyn Marks; 9] {
        let Part { links, lanes, returns, packets, messages, inner, times, sources, made, .. } = self;
        [links, lanes, &mut returns.all, packets, messages, inner, times, sources, made]
    }

    fn mark(&mut self) {
        self.arrays().into_iter().for_each(Marks::mark);
        let Some(rollback) = &mut self.rollback else { return };
        let Part { now, unused, returns: Returns { unused: unused_returns, .. }, work, .. } = *self;
        let events = self.events.copy();
        rollback.marks.push_back(Mark { done: rollback.inputs.done, now, unused, unused_returns, work, events });
        rollback.since_mark = 0;
    }

    /// Back to the last mark before what is late.
    fn back(&mut self) {
        let Some(rollback) = &mut self.rollback else { return };
        let late = std::mem::replace(&mut rollback.inputs.late, NEVER);
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
        (rollback.inputs.done, rollback.since_mark) = (mark.done, 0);
        rollback.inputs.next = rollback.inputs.first_input(rollback.inputs.done);
        rollback.packets.iter_mut().for_each(|sending| sending.back(rollback.inputs.done));
        rollback.credits.iter_mut().for_each(|sending| sending.back(rollback.inputs.done));
    }

    /// Nothing before a time will ever be undone.
    pub fn settle_until(&mut self, bound: u64, most: u64) {
        let enough = self.room_for(most) > most / 2;
        let Some(rollback) = &self.rollback else { return };
        if rollback.inputs.done <= bound && !enough {
            self.mark();
        }
        let Some(rollback) = &mut self.rollback else { return };
        let gone = rollback.marks.partition_point(|mark| mark.done <= bound).saturating_sub(1);
        rollback.marks.drain(..gone);
        let oldest = rollback.marks.front().map_or(0, |mark| mark.done);
        rollback.inputs.all = rollback.inputs.all.split_off(&(oldest, 0, 0, 0));
        for received in rollback.inputs.received.iter_mut().flatten() {
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
            && (rollback.inputs.done > end || rollback.inputs.late != NEVER)
        {
            rollback.inputs.late = rollback.inputs.late.min(end);
            self.back();
        }
        while self.run_ahead(Reach { limit: end, batch: u64::MAX, most: u64::MAX })? > 0 {}
        Ok(())
    }
}
