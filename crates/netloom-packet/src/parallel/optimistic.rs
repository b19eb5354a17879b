//! All parts of a machine at once, each ahead of what is known to be right.
//!
//! Threads exchange mail whenever they have simulated a batch of events, without waiting for each other, and parts go back where it
//! comes too late (see [`super::rollback`]). After so many batches all wait, and agree on how far the simulation is: no part goes
//! back before the time of the soonest event that is left anywhere. Ranks follow behind: what arrives before that
//! time arrives for certain, so they act up to it and the least latency of last links, or until one of them does something. What they start
//! may come too late for parts that are ahead, as mail may.
//!
//! How often parts go back depends on their threads. The result does not: events that stay have the order of windows.

use std::cmp::Reverse;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicU64, AtomicUsize};
use std::sync::{Mutex, MutexGuard, PoisonError};

use netloom_model::{Outcome, Progress};
use rayon::prelude::*;

use super::mail::Mail;
use super::rollback::Reach;
use super::rows::Optimism;
use super::windows::{Next, WORTH, Windows, stopped};
use crate::event::message::Arrival;
use crate::event::part::Part;
use crate::event::saved::Undo;
use crate::event::state::NEVER;

/// Looks in vain, one after another, after which a thread waits for the others.
const PATIENCE: u32 = 1000;

/// Mail of one part to another.
type Posted = ((u16, u16), Mail);

/// Mail that nobody has seen yet: by part of this process, and that to others.
struct Post {
    first: u16,
    boxes: Vec<Mutex<Vec<(u16, Mail)>>>,
    elsewhere: Mutex<Vec<Posted>>,
    /// By part, when its next event is; only to keep them together.
    times: Vec<AtomicU64>,
    /// Threads that have something to do.
    busy: AtomicUsize,
}

fn open<T: Default>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Post {
    fn of(&self, part: u16) -> Option<&Mutex<Vec<(u16, Mail)>>> {
        self.boxes.get(usize::from(part.wrapping_sub(self.first)))
    }

    fn send(&self, from: u16, to: u16, mail: Mail) {
        match self.of(to) {
            Some(found) => open(found).push((from, mail)),
            None => open(&self.elsewhere).push(((from, to), mail)),
        }
    }

    fn take_in<U: Undo>(&self, part: &mut Part<'_, U>) {
        let Some(found) = self.of(part.number) else { return };
        let mails = std::mem::take(&mut *open(found));
        mails.iter().for_each(|(from, mail)| part.take_in_ahead(*from, mail));
    }

    /// The batches of one thread.
    fn batches<U: Undo>(&self, parts: &mut [Part<'_, U>], reach: Reach, pace: Pace, interval: u32) -> Outcome<()> {
        let mut idle = 0;
        for _ in 0..interval {
            parts.iter_mut().for_each(|part| self.take_in(part));
            let mut left = reach.batch;
            while left > 0 {
                let done = self.soonest_goes_on(parts, Reach { batch: left, ..reach }, pace)?;
                if done == 0 {
                    break;
                }
                left = left.saturating_sub(done);
            }
            if left < reach.batch {
                self.busy.fetch_add(usize::from(idle > 0), Relaxed);
                idle = 0;
                continue;
            }
            self.busy.fetch_sub(usize::from(idle == 0), Relaxed);
            idle += 1;
            if idle > PATIENCE || self.busy.load(Relaxed) == 0 {
                return Ok(());
            }
            std::thread::yield_now();
        }
        self.busy.fetch_sub(usize::from(idle == 0), Relaxed);
        Ok(())
    }

    /// Of the parts of a thread that with the soonest event goes on, until another one may reach it: they share the thread in
    /// order of time, and none sends another back. The number of events.
    fn soonest_goes_on<U: Undo>(&self, parts: &mut [Part<'_, U>], reach: Reach, pace: Pace) -> Outcome<u64> {
        let (mut at, mut first, mut second) = (0, NEVER, NEVER);
        for (number, part) in parts.iter_mut().enumerate() {
            let time = part.soonest();
            if time < first {
                (at, second, first) = (number, first, time);
            } else {
                second = second.min(time);
            }
        }
        let last = self.times.iter().map(|time| time.load(Relaxed)).min().unwrap_or(NEVER);
        // Another part may also answer what this one sends now.
        let other = second.min(first.saturating_add(pace.cut));
        let alone = other.saturating_add(pace.cut).max(first.saturating_add(1));
        let limit = reach.limit.min(last.saturating_add(pace.ahead)).min(alone);
        let part = &mut parts[at];
        let done = part.run_ahead(Reach { limit, ..reach })?;
        let (from, mut told) = (part.number, Vec::new());
        part.news(|to, mail| told.push((to, mail)));
        self.times[usize::from(from - self.first)].store(part.soonest(), Relaxed);
        let own = parts[0].number;
        for (to, mail) in told {
            match to.checked_sub(own).and_then(|number| parts.get_mut(usize::from(number))) {
                Some(part) => part.take_in_ahead(from, &mail),
                None => self.send(from, to, mail),
            }
        }
        Ok(done)
    }
}

/// Picoseconds: how far a part may be ahead of the last one, and how far it is from the others at least.
#[derive(Clone, Copy)]
struct Pace {
    ahead: u64,
    cut: u64,
}

impl<U: Undo> Windows<'_, U> {
    /// As [`Windows::next`].
    pub(crate) fn next_ahead(
        &mut self,
        optimism: Optimism,
        until: u64,
        progress: &Progress,
        note: &mut impl FnMut(&Arrival),
    ) -> Outcome<Next> {
        loop {
            stopped(progress)?;
            let arrival = self.next_arrival();
            if let Some(next) = self.settled(arrival, until) {
                return Ok(next);
            }
            let acts = until.min(arrival);
            if self.follow(acts, note) {
                continue;
            }
            if self.elsewhere.min(acts) == NEVER {
                return Ok(Next::Never);
            }
            let ahead = u64::from(optimism.windows).saturating_mul(self.window());
            self.run_ahead(optimism, acts.saturating_add(ahead))?;
        }
    }

    /// Ranks, who act next at a time, follow the parts; false if they are as far as they can be.
    fn follow(&mut self, acts: u64, note: &mut impl FnMut(&Arrival)) -> bool {
        let mut bound = self.elsewhere.min(acts);
        while let Some(arrival) = self.candidates.pop_if(|arrival| arrival.said < bound) {
            note(&arrival);
            self.arrives(arrival.at, arrival.id);
            bound = bound.min(arrival.at);
        }
        let known = bound.saturating_add(self.lookahead.last);
        if bound == NEVER || known <= self.known {
            return false;
        }
        (self.reached, self.known) = (bound, known);
        true
    }

    /// All parts run ahead, but not beyond a time, until they wait for each other.
    fn run_ahead(&mut self, optimism: Optimism, limit: u64) -> Outcome<()> {
        self.together.synchronisations += 1;
        let (bound, interval) = (self.reached, optimism.interval);
        let reach = Reach { limit, batch: optimism.batch.into(), most: optimism.most() };
        let boxes = self.parts.iter().map(|_| Mutex::default()).collect();
        let times = self.parts.iter_mut().map(|part| AtomicU64::new(part.soonest())).collect();
        let pending: usize = self.parts.iter().map(|part| part.events.len()).sum();
        let threads = if pending < WORTH { 1 } else { rayon::current_num_threads().clamp(1, self.parts.len()) };
        let post =
            Post { first: self.first, boxes, elsewhere: Mutex::default(), times, busy: AtomicUsize::new(threads) };
        let ahead = u64::from(optimism.windows).saturating_mul(self.window());
        let pace = Pace { ahead, cut: self.lookahead.cut };
        let batches = |parts: &mut [Part<'_, U>]| {
            parts.iter_mut().for_each(|part| part.settle_until(bound, reach.most));
            post.batches(parts, reach, pace, interval)
        };
        // The fault of the first parts, whichever thread was first.
        let size = self.parts.len().div_ceil(threads);
        let results: Vec<Outcome<()>> = match threads {
            1 => vec![batches(&mut self.parts)],
            _ => self.parts.par_chunks_mut(size).map(batches).collect(),
        };
        results.into_iter().collect::<Outcome<()>>()?;
        self.parts.iter_mut().for_each(|part| post.take_in(part));
        self.agree(post.elsewhere.into_inner().unwrap_or_else(PoisonError::into_inner))
    }

    /// The soonest event of all processes, and what may be arrivals.
    fn agree(&mut self, posted: Vec<Posted>) -> Outcome<()> {
        if !self.group.is_alone() {
            let all = self.numbers.len() as u16;
            let mut told = vec![Vec::new(); self.group.size().into()];
            posted.into_iter().for_each(|mail| told[self.group.of_part(mail.0.1, all)].push(mail));
            let found: Vec<Vec<Posted>> = self.group.call(told)?;
            for ((from, to), mail) in found.into_iter().flatten() {
                if from >= all {
                    return Err(super::process_group::differ());
                }
                self.part(to).ok_or_else(super::process_group::differ)?.take_in_ahead(from, &mail);
            }
        }
        let soonest = self.parts.iter_mut().map(Part::soonest).fold(NEVER, u64::min);
        let reached = self.reached;
        let said = self.parts.iter().flat_map(|part| &part.arrivals).filter(|arrival| arrival.said >= reached);
        let said: Vec<Arrival> = said.copied().collect();
        let all = match self.group.is_alone() {
            true => vec![(soonest, said)],
            false => self.group.call(vec![(soonest, said); self.group.size().into()])?,
        };
        (self.elsewhere, self.candidates) = (NEVER, Vec::new());
        for (soonest, said) in all {
            self.elsewhere = self.elsewhere.min(soonest);
            self.candidates.extend(said);
        }
        self.candidates.sort_by_key(|arrival| Reverse(arrival.said));
        Ok(())
    }

    /// As [`Windows::finish`].
    pub(crate) fn finish_ahead(&mut self, optimism: Optimism, end: u64) -> Outcome<()> {
        while self.elsewhere < end {
            self.run_ahead(optimism, end)?;
            self.reached = self.reached.max(self.elsewhere.min(end));
        }
        self.parts.iter_mut().try_for_each(|part| part.end_ahead(end))
    }
}
