//! All parts of a machine in simulated time, window after window.
//!
//! The tail of a packet is at the end of a link a latency after it began to cross it at the earliest. So a window of the least
//! latency of the links between parts can be simulated in every part alone: what parts send each other takes effect in a later
//! window. The same holds for messages and ranks: what arrives within the window is known before it is simulated, if the
//! window is no longer than the least latency of last links. Ranks act first, in the order of time, then the parts, at the
//! same time in several threads.
//!
//! ```text
//!      reached            known
//!   ──────┼─────────────────┼──────────► time
//!     done by parts   arrivals known,
//!                     ranks act
//! ```
//!
//! Events have an order that does not depend on parts or windows (see [`Event`]), so the result does not either. Without any
//! latency there is one part, and a window is an instant: arrivals are known after it.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use netloom_model::Outcome;
use rayon::prelude::*;

use super::part::{Event, Kind, Mail, Part};
use super::state::NEVER;

/// Events in all parts from which on threads are worth their start.
const WORTH: usize = 512;

pub struct Windows<'a> {
    pub parts: Vec<Part<'a>>,
    /// Length of a window, picoseconds; 0: an instant.
    lookahead: u64,
    /// All events before it are simulated.
    reached: u64,
    /// All arrivals before it are in `arrivals`.
    known: u64,
    /// Time and id of messages that arrive.
    arrivals: BinaryHeap<Reverse<(u64, u32)>>,
    inbox: Vec<Vec<Mail>>,
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

impl<'a> Windows<'a> {
    pub fn new(parts: Vec<Part<'a>>, lookahead: u64) -> Windows<'a> {
        let inbox = parts.iter().map(|_| vec![Mail::default(); parts.len()]).collect();
        Windows { parts, lookahead, reached: 0, known: lookahead, arrivals: BinaryHeap::new(), inbox }
    }

    pub fn clear(&mut self) {
        self.parts.iter_mut().for_each(Part::clear);
        self.arrivals.clear();
        (self.reached, self.known) = (0, self.lookahead);
    }

    /// A message starts. `at` is not before what was last asked for.
    pub fn start(&mut self, at: u64, part: u16, message: u32) {
        let last = (1 << 29) - 1;
        self.parts[usize::from(part)].events.put(at, Event::new(Kind::Start, last, message));
    }

    pub fn arrives(&mut self, at: u64, id: u32) {
        self.arrivals.push(Reverse((at, id)));
    }

    /// The next message that has arrived by `now`.
    pub fn arrived(&mut self, now: u64) -> Option<u32> {
        let Reverse((at, id)) = *self.arrivals.peek()?;
        (at <= now).then(|| {
            self.arrivals.pop();
            id
        })
    }

    /// Simulates as far as needed to say when the next message arrives, if that is before `until`, when ranks act.
    ///
    /// # Errors
    /// If a packet has no route.
    pub fn next(&mut self, until: u64, mut note: impl FnMut(&super::state::Arrival)) -> Outcome<Next> {
        loop {
            let arrival = self.arrivals.peek().map(|Reverse((at, _))| *at);
            if let Some(at) = arrival.filter(|at| *at < self.known) {
                return Ok(Next::Arrival(at));
            }
            if until < self.known {
                return Ok(Next::Later);
            }
            let event = self.parts.iter_mut().filter_map(|part| part.events.next()).min();
            let first = event.unwrap_or(NEVER);
            if self.lookahead == 0 {
                if until < first.min(arrival.unwrap_or(NEVER)) {
                    return Ok(Next::Later);
                }
                match (event, arrival) {
                    (Some(event), arrival) if arrival.is_none_or(|at| event <= at) => {
                        self.run(event + 1, &mut note)?;
                        self.reached = self.reached.max(event + 1);
                        self.known = self.reached;
                    }
                    (_, Some(at)) => self.known = at + 1,
                    (_, None) => return Ok(Next::Never),
                }
            } else if first < self.known {
                self.run(self.known, &mut note)?;
                self.reached = self.known;
                self.known += self.lookahead;
            } else {
                let next = first.min(arrival.unwrap_or(NEVER)).min(until);
                if next == NEVER {
                    return Ok(Next::Never);
                }
                self.reached = next;
                self.known = next + self.lookahead;
            }
        }
    }

    /// Simulates what happens before `limit`, and delivers what parts have for each other.
    fn run(&mut self, limit: u64, note: &mut impl FnMut(&super::state::Arrival)) -> Outcome<()> {
        let alone = self.parts.len() == 1;
        if alone || self.parts.iter().map(|part| part.events.len()).sum::<usize>() < WORTH {
            self.parts.iter_mut().try_for_each(|part| part.run(limit))?;
        } else {
            // The fault of the first part, whichever thread was first.
            let results: Vec<Outcome<()>> = self.parts.par_iter_mut().map(|part| part.run(limit)).collect();
            results.into_iter().collect::<Outcome<()>>()?;
        }
        for part in &mut self.parts {
            for arrival in part.arrivals.drain(..) {
                note(&arrival);
                self.arrivals.push(Reverse((arrival.at, arrival.id)));
            }
        }
        if !alone {
            self.deliver();
        }
        Ok(())
    }

    fn deliver(&mut self) {
        let mut count = 0;
        for (from, part) in self.parts.iter_mut().enumerate() {
            for (to, mail) in part.outbox.iter_mut().enumerate() {
                count += mail.packets.len() + mail.credits.len();
                std::mem::swap(mail, &mut self.inbox[to][from]);
            }
        }
        let take =
            |(part, inbox): (&mut Part<'a>, &mut Vec<Mail>)| inbox.iter_mut().for_each(|mail| part.take_in(mail));
        match count {
            0 => {}
            few if few < WORTH => self.parts.iter_mut().zip(&mut self.inbox).for_each(take),
            _ => self.parts.par_iter_mut().zip(&mut self.inbox).for_each(take),
        }
    }
}
