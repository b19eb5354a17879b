//! An objective that is made lower while another one is kept.
//!
//! Bytes times hops that fall while no step takes longer; or loads that fall while no more bytes leave their nodes.

use super::score::Objective;
use crate::places::{Exchange, Places};

pub struct Guarded<'p> {
    goal: Box<dyn Objective + 'p>,
    guard: Box<dyn Objective + 'p>,
    /// How much the energy of the guard may still rise; below zero by more than rounding: not a state to end in.
    room: f64,
    /// The room before the last [`Objective::make`].
    before: f64,
    rounding: f64,
}

/// Rounding error of sums of changes, in shares of the energy.
const ROUNDING: f64 = 1e-9;

impl<'p> Guarded<'p> {
    /// The energy of `guard` never rises above that of the start by more than the share `slack`.
    pub fn new(goal: Box<dyn Objective + 'p>, guard: Box<dyn Objective + 'p>, slack: f64, places: &Places) -> Self {
        let start = guard.energy(places);
        let room = slack * start;
        Guarded { goal, guard, room, before: room, rounding: ROUNDING * start }
    }
}

impl Objective for Guarded<'_> {
    /// The largest number where a construction, or a jump, left the guard higher than it may be.
    fn value(&self) -> u64 {
        if self.room < -self.rounding { u64::MAX } else { self.goal.value() }
    }
    fn energy(&self, places: &Places) -> f64 {
        self.goal.energy(places)
    }
    fn swap_delta(&mut self, places: &Places, a: u32, b: u32) -> f64 {
        self.goal.swap_delta(places, a, b)
    }
    /// The cheaper of the two is asked first.
    fn delta_within(&mut self, places: &Places, a: u32, b: u32, most: f64) -> f64 {
        let first = self.guard.relative_cost() < self.goal.relative_cost();
        if first && self.guard.swap_delta(places, a, b) > self.room {
            return f64::INFINITY;
        }
        let change = self.goal.delta_within(places, a, b, most);
        if !first && change <= most && self.guard.swap_delta(places, a, b) > self.room {
            return f64::INFINITY;
        }
        change
    }
    fn swap(&mut self, places: &Places, a: u32, b: u32) {
        self.room -= self.guard.swap_delta(places, a, b);
        self.goal.swap(places, a, b);
        self.guard.swap(places, a, b);
    }
    fn make(&mut self, places: &mut Places, moves: &[Exchange], most: f64) -> f64 {
        self.before = self.room;
        for &Exchange { a, b } in moves {
            self.room -= self.guard.swap_delta(places, a, b);
            self.guard.swap(places, a, b);
            places.swap(a, b);
        }
        moves.iter().rev().for_each(|&Exchange { a, b }| places.swap(a, b));
        let change = self.goal.make(places, moves, most);
        if self.room < -self.rounding && most < f64::INFINITY { f64::INFINITY } else { change }
    }
    fn take_back(&mut self, places: &mut Places, moves: &[Exchange]) {
        for &Exchange { a, b } in moves.iter().rev() {
            self.guard.swap(places, a, b);
            places.swap(a, b);
        }
        moves.iter().for_each(|&Exchange { a, b }| places.swap(a, b));
        self.goal.take_back(places, moves);
        self.room = self.before;
    }
    fn unit(&self) -> f64 {
        self.goal.unit()
    }
    fn relative_cost(&self) -> u64 {
        self.goal.relative_cost().max(self.guard.relative_cost())
    }
    fn heat(&self) -> f64 {
        self.goal.heat()
    }
    fn boxed<'s>(&self) -> Box<dyn Objective + 's>
    where
        Self: 's,
    {
        Box::new(Guarded { goal: self.goal.boxed(), guard: self.guard.boxed(), ..*self })
    }
}
