//! What a search for periods keeps: states of a run.

use netloom_model::Time;

/// All that decides how a run goes on: counts, and seconds from now.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct State {
    pub words: Vec<u64>,
    pub seconds: Vec<f64>,
}

/// Where the first rank stood when a state was kept.
#[derive(Clone, Debug)]
pub struct Anchor {
    pub state: State,
    /// Seconds since some ranks began to wait.
    pub sketch: Vec<f64>,
    pub at: usize,
    pub repetitions_left: u32,
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
    /// Of rounds, and of repetitions.
    pub anchors: [Option<Anchor>; 2],
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
