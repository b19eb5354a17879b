//! Which request a `wait` means. A trace names it by source, destination and tag; of several open ones with one name,
//! it is the one that was started first, as in SMPI's replay.
//!
//! A `test` is recorded whether it succeeded or not. An application completes every request, so the last test of a
//! request that nothing waits for is the one that succeeded: it becomes a wait, and all others are dropped.

use std::collections::{HashMap, VecDeque};

use netloom_model::Op;

use super::event::Key;

/// A request that is open.
#[derive(Clone, Copy, Debug)]
struct Open {
    /// Number among the rank's requests; None for a message with no process, which is complete at once.
    number: Option<u32>,
    /// Position of its latest test among the actions.
    tested: Option<usize>,
    /// Number of earlier requests of the rank, dropped ones included.
    order: u64,
}

/// The requests of one rank.
#[derive(Debug, Default)]
pub struct Requests {
    named: HashMap<Key, VecDeque<Open>>,
    /// Requests among the actions.
    started: u32,
    order: u64,
    /// All requests before this one have been waited for.
    complete_below: u64,
    open: u64,
    /// Positions of tests that came too early.
    idle: Vec<usize>,
}

impl Requests {
    /// True if a wait for all open requests waits for nothing.
    pub fn none_open(&self) -> bool {
        self.open == 0
    }

    /// A request without a name, from a burst or an exchange.
    pub fn start_unnamed(&mut self) {
        self.started = self.started.saturating_add(1);
    }

    /// A request; `real` is false if it has no process at its other end.
    pub fn start(&mut self, key: Key, real: bool) {
        let complete_below = self.complete_below;
        let queue = self.named.entry(key).or_default();
        Self::settle(queue, complete_below, &mut self.idle);
        // A tested request counts as complete when its name is used again: a loop that polls, then restarts.
        if queue.front().is_some_and(|open| open.tested.is_some()) {
            queue.pop_front();
            self.open -= 1;
        }
        let number = real.then_some(self.started);
        queue.push_back(Open { number, tested: None, order: self.order });
        self.order += 1;
        self.open += 1;
        self.started = self.started.saturating_add(u32::from(real));
    }

    /// The action of a test at position `at`, if it may wait for something. None if no request of that name was
    /// ever started.
    pub fn test(&mut self, key: Key, at: usize) -> Option<Option<Op>> {
        let queue = self.named.get_mut(&key)?;
        Self::settle(queue, self.complete_below, &mut self.idle);
        let Some(open) = queue.front_mut() else { return Some(None) };
        let Some(number) = open.number else { return Some(None) };
        self.idle.extend(open.tested.replace(at));
        Some(Some(Op::Wait { back: self.started - number }))
    }

    /// The action of a wait; nothing if a test or a wait for all came before. None if no request of that name was ever
    /// started.
    pub fn wait(&mut self, key: Key) -> Option<Option<Op>> {
        let queue = self.named.get_mut(&key)?;
        Self::settle(queue, self.complete_below, &mut self.idle);
        // With a second one open, the first one that was tested was complete.
        if queue.len() > 1 && queue.front().is_some_and(|open| open.tested.is_some()) {
            queue.pop_front();
            self.open -= 1;
        }
        let Some(open) = queue.pop_front() else { return Some(None) };
        self.open -= 1;
        self.idle.extend(open.tested);
        Some(open.number.map(|number| Op::Wait { back: self.started - number }))
    }

    pub fn wait_all(&mut self) {
        self.complete_below = self.order;
        self.open = 0;
    }

    /// Drops what a wait for all has completed.
    fn settle(queue: &mut VecDeque<Open>, complete_below: u64, idle: &mut Vec<usize>) {
        while let Some(open) = queue.front().filter(|open| open.order < complete_below) {
            idle.extend(open.tested);
            queue.pop_front();
        }
    }

    /// Removes from `body` the tests that found nothing. Requests without a wait are waited for at the end, as in
    /// SMPI's replay and in MPI_Finalize. Positions among the actions, `edges`, move with them.
    pub fn finish(mut self, body: &mut Vec<Op>, edges: &mut [usize]) {
        let mut is_left = false;
        for queue in self.named.values_mut() {
            Self::settle(queue, self.complete_below, &mut self.idle);
            is_left |= queue.iter().any(|open| open.number.is_some() && open.tested.is_none());
        }
        if is_left {
            body.push(Op::WaitAll);
        }
        if self.idle.is_empty() {
            return;
        }
        self.idle.sort_unstable();
        edges.iter_mut().for_each(|edge| *edge -= self.idle.partition_point(|at| at < edge));
        let (mut at, mut next) = (0, 0);
        body.retain(|_| {
            let idle = self.idle.get(next) == Some(&at);
            next += usize::from(idle);
            at += 1;
            !idle
        });
    }
}
