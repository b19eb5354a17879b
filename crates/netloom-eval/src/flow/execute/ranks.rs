//! The state of a rank: where it stands, which requests are open, what it waits for.

use std::collections::VecDeque;

use super::source::{Action, Line, Place};

/// Non-blocking operations of a rank, numbered in the order in which they were started.
#[derive(Clone, Debug, Default)]
pub struct Requests {
    /// Whether request `base + i` is done; the front one is not.
    done: VecDeque<bool>,
    base: u32,
    pub open: u32,
}

impl Requests {
    pub fn start(&mut self) -> u32 {
        self.done.push_back(false);
        self.open += 1;
        self.started() - 1
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
    /// Open requests from this one on.
    pub fn open_from(&self, request: u32) -> u32 {
        let skip = request.saturating_sub(self.base) as usize;
        self.done.iter().skip(skip).filter(|done| !**done).count() as u32
    }
}

/// What a rank waits for.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Wait {
    /// It runs, or is about to.
    #[default]
    No,
    /// A time that is set.
    Busy,
    /// One request; whether it is a send, or unknown.
    One { request: u32, send: Option<bool> },
    /// The requests from `from` on, of which `left` are open.
    From { from: u32, left: u32 },
    /// Nothing any more.
    Ended,
}

/// A collective that a program is in.
#[derive(Clone, Copy, Debug)]
pub struct Inside {
    pub call: u32,
    pub member: u32,
    pub place: Place,
}

#[derive(Clone, Debug, Default)]
pub struct Rank {
    pub job: u32,
    /// Number of the rank in its job.
    pub local: u32,
    pub endpoint: u32,
    pub line: Line,
    pub place: Place,
    pub inside: Option<Inside>,
    pub repetitions_left: u32,
    pub requests: Requests,
    pub wait: Wait,
    /// When the current wait began.
    pub since: f64,
    /// An action whose overhead has been paid.
    pub paid: Option<Action>,
    /// Overhead of messages received, to be paid when the rank goes on.
    pub debt: f64,
}
