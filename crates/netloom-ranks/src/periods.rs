//! What a search for periods keeps: states of a run.

use netloom_model::Time;

/// All that decides how a run goes on: counts, and seconds from now.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct State {
    pub words: Vec<u64>,
    pub seconds: Vec<f64>,
    /// Of each actor that has not ended the repetitions, the iterations of its open loops, and the periods of the rounds or steps that
    /// it goes through, that are left. They tell only when something else comes.
    pub left: Vec<u64>,
}

/// A state that later ones are compared with.
#[derive(Clone, Debug)]
pub struct Anchor {
    pub state: State,
    /// Seconds since some ranks began to wait.
    pub sketch: Vec<f64>,
    /// What the first rank goes through: another repetition, loop or run begins anew.
    pub of: [usize; 3],
    /// With what was skipped by then.
    pub now: Time,
    pub arrived: u64,
    pub bytes: u64,
    /// Rounds since then, and how many there may be until the next is kept: twice as many each time.
    pub looks: u32,
    pub patience: u32,
}

/// The search for periods of a run.
#[derive(Clone, Debug, Default)]
pub struct Periods {
    /// Of rounds and steps, of iterations, and of repetitions.
    pub anchors: [Option<Anchor>; 3],
    /// The loop whose iterations are counted, and how many were left at the last look.
    pub counted: (usize, u32),
    /// Seconds of the periods that were not simulated, and their number.
    pub seconds: f64,
    pub skipped: u64,
}

impl State {
    pub fn is_same(&self, other: &State, tolerance_s: f64) -> bool {
        self.words == other.words
            && self.seconds.len() == other.seconds.len()
            && self.seconds.iter().zip(&other.seconds).all(|(a, b)| (a - b).abs() <= tolerance_s)
    }
}

/// How many periods can be skipped of one actor, and what each takes of which of its counts; all of them if nothing is taken. `None` if two
/// counts differ or one has grown: then its state is another.
pub fn whole_periods(then: &[u64], now: &[u64]) -> Option<(u64, Option<(usize, u64)>)> {
    let mut taken = then.iter().zip(now).enumerate().filter(|(_, (then, now))| then != now);
    let Some((at, (then, now))) = taken.next() else { return Some((u64::MAX, None)) };
    let each = then.checked_sub(*now).filter(|_| taken.next().is_none())?;
    // The last iteration, or period, is simulated: what follows it differs.
    Some((now.saturating_sub(1) / each, Some((at, each))))
}
