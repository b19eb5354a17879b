//! All parts of a machine in simulated time, window after window.
//!
//! The tail of a packet is at the end of a link a latency after it began to cross it at the earliest. So a window of the least
//! latency of the links between parts can be simulated in every part alone: what parts send each other takes effect in a later
//! window. The same holds for messages and ranks: what arrives within the window is known before it is simulated, if the
//! window is no longer than the last packet of any message takes over its last link, its latency included. Ranks act first, in the order of time, then the parts, at the
//! same time in several threads and processes. Every process runs all ranks, and learns of all arrivals at the end of a window.
//!
//! ```text
//!      reached            known
//!   ──────┼─────────────────┼──────────► time
//!     done by parts   arrivals known,
//!                     ranks act
//! ```
//!
//! Events have an order that does not depend on parts or windows (see [`Event`]), so the result does not either. Once a message
//! without bytes has gone over a last link without latency, a window is an instant: arrivals are known after it.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use netloom_model::{Fault, Outcome, Progress};
use rayon::prelude::*;

use super::mail::Mail;
use super::parallel_stats::ParallelStats;
use super::process_group::ProcessGroup;
use super::rows::Optimism;
use crate::codes;
use crate::event::message::{Arrival, NewMessage, Numbers};
use crate::event::part::{Event, Part};
use crate::event::saved::Undo;
use crate::event::state::NEVER;
use crate::observe::carried::{Carried, PacketWork};

/// Events in all parts from which on threads are worth their start.
pub(crate) const WORTH: usize = 512;

/// What is known beforehand of how far parts may go on alone, picoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lookahead {
    /// The least latency of links between parts; never, if there are none.
    pub cut: u64,
    /// The least latency of last links, whatever the parts.
    pub last: u64,
}

impl Lookahead {
    /// Before any message.
    fn fresh(self) -> u64 {
        self.cut.min(self.last)
    }
}

pub struct Windows<'a, U: Undo> {
    /// Of this process, in order of their numbers.
    pub parts: Vec<Part<'a, U>>,
    /// Number of the first of them.
    pub(crate) first: u16,
    pub(crate) group: ProcessGroup,
    optimism: Option<Optimism>,
    /// Of the messages of every part of the machine.
    pub(crate) numbers: Vec<Numbers>,
    pub(crate) lookahead: Lookahead,
    /// The least time, without latency, that the shortest packet of a message took over its last link, of all messages so far.
    shortest: u64,
    /// All events before it are simulated.
    pub(crate) reached: u64,
    /// All arrivals before it are in `arrivals`.
    pub(crate) known: u64,
    /// No event of another process is before it; nor one of this process, where parts run ahead.
    pub(crate) elsewhere: u64,
    /// Time and id of messages that arrive.
    arrivals: BinaryHeap<Reverse<(u64, u32)>>,
    /// The latest of those that have.
    latest: u64,
    /// Where parts run ahead, arrivals that may yet be undone, the last one first.
    pub(crate) candidates: Vec<Arrival>,
    /// By part of this process, then by sender.
    pub(crate) inbox: Vec<Vec<Mail>>,
    pub(crate) together: ParallelStats,
}

/// What comes next.
pub enum Next {
    /// A message arrives.
    Arrival(u64),
    /// Nothing until the time that was asked for.
    Later,
    /// Nothing at all.
    Never,
}

/// # Errors
/// `NL-E004` if somebody wants the simulation to end.
pub(crate) fn stopped(progress: &Progress) -> Outcome<()> {
    if progress.stopped() {
        return Err(Fault::say(&codes::STOPPED, "simulation", "the simulation was stopped").into());
    }
    Ok(())
}

impl<'a, U: Undo> Windows<'a, U> {
    /// `parts`: those of this process; `all` of the machine.
    pub fn new(
        mut parts: Vec<Part<'a, U>>,
        all: u16,
        (lookahead, optimism): (Lookahead, Option<Optimism>),
        group: ProcessGroup,
    ) -> Windows<'a, U> {
        // Ranks that may answer at once would always be in the past of parts that are ahead.
        let optimism = optimism.filter(|_| all > 1 && lookahead.last > 0);
        if optimism.is_some() {
            parts.iter_mut().for_each(Part::begin_ahead);
        }
        let inbox = parts.iter().map(|_| vec![Mail::default(); all.into()]).collect();
        Windows {
            first: group.share(all).0,
            numbers: vec![Numbers::default(); all.into()],
            parts,
            group,
            lookahead,
            shortest: NEVER,
            optimism,
            reached: 0,
            known: lookahead.fresh(),
            elsewhere: NEVER,
            arrivals: BinaryHeap::new(),
            latest: 0,
            candidates: Vec::new(),
            inbox,
            together: ParallelStats::default(),
        }
    }

    pub fn clear(&mut self) {
        self.parts.iter_mut().for_each(Part::clear);
        self.candidates.clear();
        self.numbers.fill(Numbers::default());
        self.arrivals.clear();
        (self.reached, self.known, self.elsewhere, self.latest) = (0, self.lookahead.fresh(), NEVER, 0);
        self.shortest = NEVER;
    }

    /// How far parts may go on without each other and without ranks; 0: an instant.
    pub(crate) fn window(&self) -> u64 {
        self.lookahead.cut.min(self.lookahead.last.saturating_add(self.shortest))
    }

    /// A message begins at a time, whose shortest packet takes so long over its last link, without latency.
    pub fn begins(&mut self, at: u64, shortest: u64) {
        self.shortest = self.shortest.min(shortest);
        self.known = self.known.min(at.saturating_add(self.lookahead.last).saturating_add(shortest));
    }

    pub fn is_alone(&self) -> bool {
        self.group.is_alone()
    }

    /// A part, if this process has it.
    pub(crate) fn part(&mut self, number: u16) -> Option<&mut Part<'a, U>> {
        self.parts.get_mut(usize::from(number).checked_sub(self.first.into())?)
    }

    /// A message that begins at a time gets a number in a part. Every process numbers the messages of all parts.
    pub fn number(&mut self, at: u64, part: u16) -> u32 {
        self.numbers[usize::from(part)].take(at)
    }

    pub fn over(&mut self, at: u64, (part, number): (u16, u32)) {
        self.numbers[usize::from(part)].give(at, number);
    }

    /// Ranks do the same in all processes.
    pub fn does(&mut self, at: u64, from: u32, to: u32, bytes: u64) {
        if !self.group.is_alone() {
            [at, u64::from(from) << 32 | u64::from(to), bytes].into_iter().for_each(|what| self.group.does(what));
        }
    }

    /// A part keeps a message, before its start at a time. `far`: it starts in another part.
    pub fn place(&mut self, at: u64, (part, number): (u16, u32), far: bool, message: impl FnOnce() -> NewMessage) {
        let ahead = self.optimism.is_some();
        let window = if far { self.lookahead.cut } else { 0 };
        match self.part(part) {
            Some(part) if ahead => part.place_ahead(at + window, number, message()),
            Some(part) => part.place(number, message()),
            None => {}
        }
    }

    /// A message starts. `at` is not before what was last asked for.
    pub fn start(&mut self, at: u64, (part, message): (u16, u32)) {
        if self.optimism.is_some() {
            self.elsewhere = self.elsewhere.min(at);
        }
        let ahead = self.optimism.is_some();
        match self.part(part) {
            Some(part) if ahead => part.start_ahead(at, message),
            Some(part) => part.events.put(at, Event::start(message)),
            None => self.elsewhere = self.elsewhere.min(at),
        }
    }

    pub fn arrives(&mut self, at: u64, id: u32) {
        self.arrivals.push(Reverse((at, id)));
    }

    /// The next message that has arrived by `now`.
    pub fn arrived(&mut self, now: u64) -> Option<u32> {
        let Reverse((at, id)) = *self.arrivals.peek()?;
        (at <= now).then(|| {
            self.arrivals.pop();
            self.latest = self.latest.max(at);
            id
        })
    }

    /// When the next message of those arrives of which it is known.
    pub(crate) fn next_arrival(&self) -> u64 {
        self.arrivals.peek().map_or(NEVER, |Reverse((at, _))| *at)
    }

    /// What is next, if that is known already.
    pub(crate) fn settled(&self, arrival: u64, until: u64) -> Option<Next> {
        if arrival < self.known { Some(Next::Arrival(arrival)) } else { (until < self.known).then_some(Next::Later) }
    }

    /// The time of the next event of all parts, or one before it.
    fn soonest(&mut self) -> u64 {
        self.parts.iter_mut().filter_map(|part| part.events.next()).fold(self.elsewhere, u64::min)
    }

    /// Simulates as far as needed to say when the next message arrives, if that is before `until`, when ranks act.
    ///
    /// # Errors
    /// If a packet has no route; `NL-E004` if stopped.
    pub fn next(&mut self, until: u64, progress: &Progress, mut note: impl FnMut(&Arrival)) -> Outcome<Next> {
        if let Some(optimism) = self.optimism {
            return self.next_ahead(optimism, until, progress, &mut note);
        }
        loop {
            stopped(progress)?;
            let arrival = self.next_arrival();
            if let Some(next) = self.settled(arrival, until) {
                return Ok(next);
            }
            let first = self.soonest();
            if self.window() == 0 {
                if until < first.min(arrival) {
                    return Ok(Next::Later);
                }
                if first.min(arrival) == NEVER {
                    return Ok(Next::Never);
                }
                if first <= arrival {
                    self.run(first + 1, &mut note)?;
                    self.reached = self.reached.max(first + 1);
                    self.known = self.reached;
                } else {
                    self.known = arrival + 1;
                }
            } else if first < self.known {
                self.run(self.known, &mut note)?;
                self.reached = self.known;
                progress.set_simulated_ps(self.reached);
                self.known = self.reached.saturating_add(self.window());
            } else {
                let next = first.min(arrival).min(until);
                if next == NEVER {
                    return Ok(Next::Never);
                }
                (self.reached, self.known) = (next, next.saturating_add(self.window()));
            }
        }
    }

    /// The end of a run, the same for any number of parts: no event that was simulated is at or after it.
    pub fn ended_at(&self) -> u64 {
        (self.latest + self.lookahead.last.max(1)).max(self.reached)
    }

    /// After the last arrival: simulates what a machine in one part would have, so that all count the same.
    ///
    /// # Errors
    /// As [`Windows::next`].
    pub fn finish(&mut self) -> Outcome<()> {
        let end = self.ended_at();
        if let Some(optimism) = self.optimism {
            return self.finish_ahead(optimism, end);
        }
        while self.soonest() < end {
            let limit = self.soonest().saturating_add(self.window().max(1)).min(end);
            self.run(limit.max(self.reached), &mut |_| {})?;
            self.reached = limit.max(self.reached);
        }
        Ok(())
    }

    /// Simulates what happens before `limit`, and delivers what parts have for each other.
    fn run(&mut self, limit: u64, note: &mut impl FnMut(&Arrival)) -> Outcome<()> {
        let alone = self.numbers.len() == 1;
        self.together.synchronisations += u64::from(!alone);
        if self.parts.len() == 1 || self.parts.iter().map(|part| part.events.len()).sum::<usize>() < WORTH {
            self.parts.iter_mut().try_for_each(|part| part.run(limit))?;
        } else {
            // The fault of the first part, whichever thread was first.
            let results: Vec<Outcome<()>> = self.parts.par_iter_mut().map(|part| part.run(limit)).collect();
            results.into_iter().collect::<Outcome<()>>()?;
        }
        let mut said: Vec<Arrival> = Vec::new();
        self.parts.iter_mut().for_each(|part| said.append(&mut part.arrivals));
        if !alone {
            let posted = self.deliver();
            if !self.group.is_alone() {
                said = self.tell(posted, said)?;
            }
            self.take_in();
        }
        for arrival in said {
            note(&arrival);
            self.arrivals.push(Reverse((arrival.at, arrival.id)));
        }
        Ok(())
    }

    /// The first link of the network that a packet of any process waits for. A last call of all.
    pub fn waited_for(&mut self) -> Option<u32> {
        let own = self.parts.iter().filter_map(Part::waited_for).min().unwrap_or(u32::MAX);
        let all = self.group.end(&own).unwrap_or_default();
        Some(all.into_iter().fold(own, u32::min)).filter(|link| *link != u32::MAX)
    }

    /// The work of all processes, the bytes on every link of the network, and how they worked together. A last call of all.
    ///
    /// # Errors
    /// As [`ProcessGroup::end`].
    pub fn work(&mut self, links: u32) -> Outcome<(Carried, ParallelStats)> {
        let mut link_bytes = vec![0u64; links as usize];
        for link in self.parts.iter().flat_map(|part| part.links.iter()) {
            if let Some(sum) = link_bytes.get_mut(link.number as usize) {
                *sum += link.bytes;
            }
        }
        let own: Vec<PacketWork> = self.parts.iter().map(|part| part.work).collect();
        for counts in self.parts.iter().filter_map(|part| part.rollback.as_ref()).map(|rollback| rollback.counts) {
            self.together.mail += counts.mail;
            self.together.processed += counts.processed;
            self.together.rollbacks += counts.rollbacks;
            self.together.cancelled += counts.cancelled;
        }
        self.together.parts = self.numbers.len() as u64;
        self.together.processes = self.group.size().into();
        self.together.lookahead_ps = if self.numbers.len() == 1 { self.lookahead.last } else { self.window() };
        let mine = ((own, link_bytes), self.together);
        let others = self.group.end(&mine)?;
        let all = if others.is_empty() { vec![mine] } else { others };
        let mut together = ParallelStats { mail: 0, processed: 0, rollbacks: 0, cancelled: 0, ..self.together };
        let mut sum = Carried { link_bytes: vec![0; links as usize], ..Carried::default() };
        for ((parts, bytes), of) in all {
            for part in parts {
                together.most_events = together.most_events.max(part.events);
                sum.work.add(part);
            }
            sum.link_bytes.iter_mut().zip(bytes).for_each(|(sum, own)| *sum += own);
            together.add(of);
        }
        Ok((sum, together))
    }
}
