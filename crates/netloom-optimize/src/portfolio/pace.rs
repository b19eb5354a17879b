//! How much of the work a round of scouts does, and whether another one follows.

use netloom_model::Progress;

use crate::problem::Budget;

/// Shares of the usual moves of a search in its rounds, where moves are counted.
const ROUNDS: [f64; 2] = [1.0, 0.5];
/// Share of the usual moves in the first round under a budget of time: a good mapping soon.
const FIRST: f64 = 1.0 / 128.0;
/// How rounds grow as long as nobody says how much time they take, and the most that they grow.
const GROWTH: f64 = 2.0;
const MOST_GROWTH: f64 = 32.0;
/// Share of the budget of time after which simulated moves alone go on.
const DESCENT: f64 = 0.8;
/// Share of the time left until then that the next round should take; less than [`LEAST`] of the budget is no round.
const NEXT: f64 = 0.5;
const LEAST: f64 = 0.02;

/// Which round it is, and how long it is.
pub struct Pace<'a> {
    progress: &'a Progress,
    budget: Budget,
    pub round: usize,
    /// Share of the usual moves of a search.
    pub share: f64,
    /// What was spent when the round began.
    began: f64,
}

impl<'a> Pace<'a> {
    pub fn new(budget: Budget, progress: &'a Progress) -> Pace<'a> {
        let share = if budget == Budget::Swaps { ROUNDS[0] } else { FIRST };
        Pace { progress, budget, round: 0, share, began: progress.spent() }
    }

    /// True if this is the last round by number of moves, or what is left of the time is for the descent.
    pub fn last(&self) -> bool {
        match self.budget {
            Budget::Swaps => self.round + 1 == ROUNDS.len(),
            Budget::UntilStopped => (DESCENT - self.progress.spent()) * NEXT < LEAST,
        }
    }

    /// The next round, of `scouts` scouts where `before` were.
    pub fn next(&mut self, before: usize, scouts: usize) {
        self.round += 1;
        let spent = self.progress.spent();
        self.share = match self.budget {
            Budget::Swaps => ROUNDS[self.round.min(ROUNDS.len() - 1)],
            Budget::UntilStopped if spent > self.began => {
                let cost = (spent - self.began) * scouts as f64 / before.max(1) as f64;
                let growth = (DESCENT - spent) * NEXT / cost;
                (self.share * growth.clamp(1.0 / MOST_GROWTH, MOST_GROWTH)).min(1.0)
            }
            // Over too soon to be measured, or nobody says.
            Budget::UntilStopped => self.share * GROWTH,
        };
        self.began = spent;
    }
}
