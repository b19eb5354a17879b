//! What is wrong in one step.

use netloom_model::{Fault, Faults, Outcome};

/// Most faults of one step that are listed one by one.
const TELL: usize = 8;

/// Collects faults of one step, reports the first few and their total number.
pub struct Findings {
    faults: Faults,
    more: usize,
}

impl Findings {
    pub fn new() -> Self {
        Findings { faults: Faults::none(), more: 0 }
    }
    pub fn add(&mut self, fault: impl FnOnce() -> Fault) {
        if self.faults.0.len() < TELL {
            self.faults.push(fault());
        } else {
            self.more += 1;
        }
    }
    pub fn check(mut self) -> Outcome<()> {
        if self.more > 0
            && let Some(last) = self.faults.0.last_mut()
        {
            last.hint = format!("{} more faults of this kind", self.more);
        }
        self.faults.or(())
    }
}
