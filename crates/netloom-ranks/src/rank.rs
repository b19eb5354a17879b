//! The state of a rank: its position, its open requests, what it waits for.

use std::collections::VecDeque;

use netloom_model::Time;
use netloom_model::schedule::Protocol;

use crate::source::{Action, Line, Place};

/// Non-blocking operations of a rank, numbered in the order in which they were started.
#[derive(Clone, Debug, Default)]
pub struct Requests {
    /// Whether request `base + i` is done; the front one is not.
    done: VecDeque<bool>,
    base: u32,
    pub open: u32,
    /// Requests that the program itself started without blocking, from number `first_named` on: these are counted by
    /// its waits. Blocking calls and collectives have requests too, which no wait refers to.
    names: VecDeque<u32>,
    first_named: u32,
}

impl Requests {
    pub fn clear(&mut self) {
        self.done.clear();
        self.names.clear();
        (self.base, self.open, self.first_named) = (0, 0, 0);
    }
    pub fn start(&mut self) -> u32 {
        self.done.push_back(false);
        self.open += 1;
        self.started() - 1
    }
    /// Makes a request visible to waits.
    pub fn name(&mut self, request: u32) {
        while self.names.front().is_some_and(|front| self.is_done(*front)) {
            self.names.pop_front();
            self.first_named += 1;
        }
        self.names.push_back(request);
    }
    /// The request that was named `back` names ago, if it may still be open.
    pub fn named(&self, back: u32) -> Option<u32> {
        let number = (self.first_named + self.names.len() as u32).checked_sub(back)?;
        self.names.get(number.checked_sub(self.first_named)? as usize).copied()
    }
    /// Number of requests ever started.
    pub fn started(&self) -> u32 {
        self.base + self.done.len() as u32
    }
    pub fn finish(&mut self, request: u32) {
        self.done[(request - self.base) as usize] = true;
        self.open -= 1;
        while self.done.front() == Some(&true) {
            self.done.pop_front();
            self.base += 1;
        }
    }
    pub fn is_done(&self, request: u32) -> bool {
        request < self.base || self.done[(request - self.base) as usize]
    }
    /// Which of the requests since the oldest open one are done, latest last.
    pub fn pattern(&self) -> impl Iterator<Item = u64> + '_ {
        std::iter::once(self.done.len() as u64).chain(self.done.iter().map(|done| u64::from(*done)))
    }
    /// Open requests from this one on.
    pub fn open_from(&self, request: u32) -> u32 {
        let skip = request.saturating_sub(self.base) as usize;
        self.done.iter().skip(skip).filter(|done| !**done).count() as u32
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
    /// Nothing: it has ended.
    Ended,
}

/// The collective that a program is executing.
#[derive(Clone, Copy, Debug)]
pub struct Inside {
    pub call: u32,
    pub member: u32,
    pub place: Place,
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
    pub place: Place,
    pub inside: Option<Inside>,
    pub repetitions_left: u32,
    pub requests: Requests,
    pub wait: Wait,
    /// When the current wait began.
    pub since: Time,
    /// An action whose overhead has been paid.
    pub paid: Option<Action>,
    /// When it may start another message.
    pub starts: Time,
    /// Overhead of received messages, to be paid when the rank continues.
    pub debt: f64,
    /// As `debt`, to copy them out of buffers.
    pub copies: f64,
}
