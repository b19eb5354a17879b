//! The state of a rank: its position, its open requests, what it waits for.

use std::collections::VecDeque;

use netloom_model::Time;
use netloom_model::schedule::Protocol;

use crate::line::Line;
use crate::source::{Action, Place};
use crate::trace::Routine;

/// Requests that [`Requests`] keeps without memory of their own.
const NEAR: u32 = u64::BITS;
/// Number of all requests of a rank that are counted alone.
pub const COUNTED: u32 = u32::MAX - 1;

/// Non-blocking operations of a rank, numbered in the order in which they were started.
#[derive(Clone, Debug, Default)]
pub struct Requests {
    /// Bit `i`: request `base + i` is done; of the oldest one that is not done it is 0.
    done: u64,
    base: u32,
    started: u32,
    pub open: u32,
    first_named: u32,
    more: Option<Box<More>>,
}

/// What few ranks need.
#[derive(Clone, Debug, Default)]
struct More {
    /// Requests from `base + NEAR` on: whether they are done.
    far: VecDeque<bool>,
    /// Requests that the program itself started without blocking, from number `first_named` on: these are counted by
    /// its waits. Blocking calls and collectives have requests too, which no wait refers to.
    names: VecDeque<u32>,
}

impl Requests {
    pub fn clear(&mut self) {
        if let Some(more) = &mut self.more {
            more.far.clear();
            more.names.clear();
        }
        (self.done, self.base, self.started, self.open, self.first_named) = (0, 0, 0, 0, 0);
    }
    #[inline]
    pub fn start(&mut self) -> u32 {
        if self.started - self.base >= NEAR {
            self.more().far.push_back(false);
        }
        self.open += 1;
        self.started += 1;
        self.started - 1
    }
    /// Opens requests that are counted alone; a rank has only these, or none.
    pub fn count(&mut self, requests: u32) {
        self.open += requests;
        self.started = COUNTED;
    }
    /// Makes a request visible to waits.
    pub fn name(&mut self, request: u32) {
        while self.names().next().is_some_and(|front| self.is_done(front)) {
            self.more().names.pop_front();
            self.first_named += 1;
        }
        self.more().names.push_back(request);
    }
    fn more(&mut self) -> &mut More {
        self.more.get_or_insert_default()
    }
    fn names(&self) -> impl ExactSizeIterator<Item = u32> + '_ {
        const NONE: &VecDeque<u32> = &VecDeque::new();
        self.more.as_ref().map_or(NONE, |more| &more.names).iter().copied()
    }
    /// The request that was named `back` names ago, if it may still be open.
    pub fn named(&self, back: u32) -> Option<u32> {
        let number = (self.first_named + self.names().len() as u32).checked_sub(back)?;
        self.names().nth(number.checked_sub(self.first_named)? as usize)
    }
    /// Number of requests ever started.
    #[inline]
    pub fn started(&self) -> u32 {
        self.started
    }
    #[inline]
    pub fn finish(&mut self, request: u32) {
        if request == COUNTED {
            self.open -= 1;
            return;
        }
        match request - self.base {
            near if near < NEAR => self.done |= 1 << near,
            far => self.more().far[(far - NEAR) as usize] = true,
        }
        self.open -= 1;
        while self.done & 1 == 1 {
            let passed = self.done.trailing_ones();
            self.done = self.done.checked_shr(passed).unwrap_or(0);
            self.base += passed;
            let free = NEAR - passed..NEAR;
            if let Some(More { far, .. }) = self.more.as_deref_mut() {
                for (bit, done) in free.zip(far.drain(..far.len().min(passed as usize))) {
                    self.done |= u64::from(done) << bit;
                }
            }
        }
    }
    #[inline]
    pub fn is_done(&self, request: u32) -> bool {
        request < self.base || self.nth(request - self.base)
    }
    fn nth(&self, nth: u32) -> bool {
        let far = || self.more.as_ref().is_some_and(|more| more.far[(nth - NEAR) as usize]);
        if nth < NEAR { self.done >> nth & 1 == 1 } else { far() }
    }
    /// How many were started from this one on, or since the oldest open one if that is later.
    pub fn since(&self, request: u32) -> u32 {
        self.started - request.max(self.base)
    }
    /// Which of the requests since the oldest open one are done, latest last; and which of them have names, counted back.
    pub fn pattern(&self) -> impl Iterator<Item = u64> + '_ {
        let since = self.started - self.base;
        let names = self.names().skip_while(|request| self.is_done(*request));
        let names = names.map(|request| u64::from(self.started - request) << 1 | 1);
        std::iter::once(u64::from(since)).chain((0..since).map(|nth| u64::from(self.nth(nth)) << 1)).chain(names)
    }
    /// Open requests from this one on.
    #[inline]
    pub fn open_from(&self, request: u32) -> u32 {
        if self.open == 0 || self.started == COUNTED {
            return self.open;
        }
        let (skip, since) = (request.saturating_sub(self.base), self.started - self.base);
        if skip >= since {
            return 0;
        }
        let far = self.more.iter().flat_map(|more| &more.far);
        let later = far.skip(skip.saturating_sub(NEAR) as usize).filter(|done| !**done).count() as u32;
        let near = since.min(NEAR);
        let done = if skip < near { (self.done >> skip).count_ones() } else { 0 };
        near.saturating_sub(skip) - done + later
    }
}

/// What a rank waits for.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Wait {
    /// It runs, or is about to run.
    #[default]
    No,
    /// A time that is set.
    Busy,
    /// One request; whether it is a send, or unknown.
    One { request: u32, send: Option<bool> },
    /// The requests from `from` on, of which `left` are open.
    From { from: u32, left: u32 },
    /// The strands that it started.
    Join,
    /// Another task of the rank, or a unit that another strand has.
    Task,
    /// Nothing: it has ended.
    Ended,
}

/// The collective that a program is executing.
#[derive(Clone, Copy, Debug)]
pub struct Inside {
    pub call: u32,
    pub member: u32,
}

/// What makes a strand of a rank: it acts by itself and shares the rank's name and place.
#[derive(Clone, Copy, Debug)]
pub struct Strand {
    /// Who started it: a rank, or another strand.
    pub parent: u32,
    /// First action that is not its own.
    pub end: usize,
    /// Record of the message that it waited for last, `u32::MAX` for none.
    pub last: u32,
}

/// One who acts: a rank, or one of its strands.
#[derive(Clone, Debug, Default)]
pub struct Rank {
    pub job: u32,
    /// The rank that it is or belongs to, numbered through all jobs.
    pub owner: u32,
    pub strand: Option<Strand>,
    /// Strands of its own that have not ended.
    pub strands: u32,
    /// Number of the rank in its job.
    pub local: u32,
    /// It is a switch that takes part in an in-network collective: what it does costs no software.
    pub is_switch: bool,
    /// That of the collective that it is in.
    pub protocol: Option<Protocol>,
    pub endpoint: u32,
    /// On its node; 0 where the machine has none.
    pub seat: u32,
    pub line: Line,
    /// In its collective.
    pub place: Place,
    pub inside: Option<Inside>,
    /// What it does outside of a collective.
    pub call: Routine,
    pub repetitions_left: u32,
    pub requests: Requests,
    pub wait: Wait,
    /// When the current wait began.
    pub since: Time,
    /// An action whose overhead has been paid.
    pub paid: Option<Action>,
    /// Sends that it has started, counted around.
    pub sends: u32,
    /// It has let the others act, and may start a send of its traffic.
    pub has_turn: bool,
    /// When it may start another message.
    pub starts: Time,
    /// Overhead of received messages, to be paid when the rank continues.
    pub debt: f64,
    /// As `debt`, to copy them out of buffers.
    pub copies: f64,
}

#[cfg(test)]
mod tests {
    use super::*;
    use netloom_model::Stream;

    /// Against a list of all requests, with few of them open, and with hundreds.
    #[test]
    fn requests_are_a_list_of_what_is_done() {
        for most in [1u64, 3, 64, 65, 300] {
            let mut draw = Stream::new(most, "requests");
            let (mut requests, mut slow) = (Requests::default(), Vec::<bool>::new());
            for _ in 0..2_000 {
                let open: Vec<u32> = (0..slow.len() as u32).filter(|at| !slow[*at as usize]).collect();
                if open.is_empty() || ((open.len() as u64) < most && draw.below(2) == 0) {
                    assert_eq!(requests.start(), slow.len() as u32);
                    slow.push(false);
                } else {
                    let one = open[draw.below(open.len() as u32) as usize];
                    requests.finish(one);
                    slow[one as usize] = true;
                }
                let first = slow.iter().position(|done| !done).unwrap_or(slow.len());
                let some = draw.below(slow.len() as u32 + 1);
                let left = slow[some as usize..].iter().filter(|done| !**done).count() as u32;
                assert_eq!((requests.started(), requests.open_from(some)), (slow.len() as u32, left));
                assert_eq!(requests.open, requests.open_from(0));
                let expected: Vec<u64> = slow[first..].iter().map(|done| u64::from(*done) << 1).collect();
                assert_eq!(requests.pattern().skip(1).collect::<Vec<_>>(), expected);
                if (some as usize) < slow.len() {
                    assert_eq!(requests.is_done(some), slow[some as usize]);
                }
            }
        }
    }
}
