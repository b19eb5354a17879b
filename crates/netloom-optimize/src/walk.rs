//! The state of a search: where each rank is, the best mapping seen, the evaluations so far.

use netloom_model::Progress;

use crate::objective::Objective;
use crate::places::{Exchange, Places};
use crate::prepared::Prepared;
use crate::problem::TracePoint;

/// Most moves of a block.
pub const BLOCK: u64 = 1024;

/// One chain of moves.
pub struct Walk<'p> {
    pub prepared: &'p Prepared<'p>,
    pub places: Places,
    pub objective: Box<dyn Objective + 'p>,
    pub evaluations: u64,
    pub accepted: u64,
    pub progress: &'p Progress,
    /// Known lower bound: the walk is over when it is reached.
    pub bound: u64,
    best: u64,
    /// Energy of the present state and of the best one, from that of the start: of two states with the same value the one
    /// with less energy is better.
    level: f64,
    best_level: f64,
    /// Evaluations when it fell last.
    fell_at: u64,
    best_slots: Vec<u32>,
    /// False while the present state is the best and not yet copied: copying waits until it is left.
    saved: bool,
    trace: Vec<TracePoint>,
    next_point: u64,
}

/// The result of a walk.
#[derive(Clone, Debug)]
pub struct Found {
    pub slot_of_rank: Vec<u32>,
    pub value: u64,
    pub evaluations: u64,
    pub accepted: u64,
    pub trace: Vec<TracePoint>,
}

impl<'p> Walk<'p> {
    pub fn new(
        prepared: &'p Prepared<'p>,
        places: Places,
        objective: Box<dyn Objective + 'p>,
        bound: u64,
        progress: &'p Progress,
    ) -> Walk<'p> {
        let best = objective.value();
        let best_slots = places.slot_of_rank().to_vec();
        let trace = vec![TracePoint { evaluations: 0, value: best }];
        Walk {
            prepared,
            places,
            objective,
            evaluations: 0,
            accepted: 0,
            progress,
            bound,
            best,
            level: 0.0,
            best_level: 0.0,
            fell_at: 0,
            best_slots,
            saved: true,
            trace,
            next_point: 1,
        }
    }

    /// Energy change if `a` and `b` change places, or something above `most`; counts as one evaluation.
    #[inline]
    pub fn delta(&mut self, a: u32, b: u32, most: f64) -> f64 {
        if self.evaluations >= self.next_point {
            self.point();
        }
        self.evaluations += 1;
        self.objective.delta_within(&self.places, a, b, most)
    }

    /// Makes the move, which changes the energy by `change`.
    pub fn swap(&mut self, a: u32, b: u32, change: f64) {
        self.accepted += 1;
        self.objective.swap(&self.places, a, b);
        self.places.swap(a, b);
        if self.settle(change) || self.saved {
            return;
        }
        // The state before this move was the best one.
        self.best_slots.copy_from_slice(self.places.slot_of_rank());
        let (slot_a, slot_b) = (self.places.slot(b), self.places.slot(a));
        for (rank, slot) in [(a, slot_a), (b, slot_b)] {
            if let Some(entry) = self.best_slots.get_mut(rank as usize) {
                *entry = slot;
            }
        }
        self.saved = true;
    }

    /// Follows a change of energy; true if the present state is the best so far.
    fn settle(&mut self, change: f64) -> bool {
        self.level += change;
        let value = self.objective.value();
        if value < self.best {
            self.fell_at = self.evaluations;
        } else if value > self.best || self.level > self.best_level || (self.saved && self.level == self.best_level) {
            return false;
        }
        (self.best, self.best_level, self.saved) = (value, self.level, false);
        true
    }

    /// Makes several exchanges as one move and takes them back unless `accept` likes the sum of their energy changes; it
    /// must reject every change above `most`.
    pub fn try_moves(&mut self, moves: &[Exchange], most: f64, accept: impl Fn(f64) -> bool) {
        if self.evaluations >= self.next_point {
            self.point();
        }
        self.evaluations += 1;
        self.save();
        let change = self.objective.make(&mut self.places, moves, most);
        if !accept(change) {
            self.objective.take_back(&mut self.places, moves);
            return;
        }
        self.accepted += 1;
        self.settle(change);
    }

    /// Goes back to the best state seen. O(slots) exchanges.
    pub fn return_to_best(&mut self) {
        self.save();
        let moves = self.places.exchanges_to(&self.best_slots);
        self.objective.make(&mut self.places, &moves, f64::INFINITY);
        self.level = self.best_level;
    }

    fn save(&mut self) {
        if !self.saved {
            self.best_slots.copy_from_slice(self.places.slot_of_rank());
            self.saved = true;
        }
    }

    fn point(&mut self) {
        self.trace.push(TracePoint { evaluations: self.evaluations, value: self.best });
        // 1, 10, 100, ... are among the points, so that curves of several searches can be compared there.
        let spaced = self.evaluations + 1 + self.evaluations / 5;
        let power = 10u64.saturating_pow(self.evaluations.checked_ilog10().unwrap_or(0) + 1);
        self.next_point = spaced.min(power);
    }

    /// True if nothing better exists, the caller wants an end, or a move could not be scored.
    pub fn over(&self) -> bool {
        self.best <= self.bound || self.progress.stopped() || self.prepared.fault.get().is_some()
    }

    /// Evaluations since the best value fell.
    pub fn still(&self) -> u64 {
        self.evaluations - self.fell_at
    }

    /// Moves between looks at [`Walk::over`]: fewer where each takes long.
    pub fn block(&self) -> u64 {
        (BLOCK * 32 / self.objective.relative_cost()).clamp(1, BLOCK)
    }

    pub fn finish(mut self) -> Found {
        self.save();
        if self.trace.last().is_none_or(|p| p.evaluations != self.evaluations) {
            self.trace.push(TracePoint { evaluations: self.evaluations, value: self.best });
        } else if let Some(last) = self.trace.last_mut() {
            last.value = self.best;
        }
        Found {
            slot_of_rank: self.best_slots,
            value: self.best,
            evaluations: self.evaluations,
            accepted: self.accepted,
            trace: self.trace,
        }
    }
}
