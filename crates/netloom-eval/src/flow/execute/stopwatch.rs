//! One job under many mappings, for searches that lower its time.

use std::sync::{Arc, Mutex, PoisonError};

use netloom_model::{Clock, Outcome, Progress};

use super::engine::{Engine, Part};
use super::{Job, Machine, check};

/// Times a job as [`super::execute`] does, mapping after mapping. What does not depend on the mapping is made once;
/// engines, with their memory and the routes that they know, wait for the next mapping, as many as threads ask at a time.
pub struct Stopwatch<'a> {
    machine: &'a Machine<'a>,
    job: Job<'a>,
    parts: Arc<Vec<Part<'a>>>,
    stop: &'a Progress,
    idle: Mutex<Vec<Engine<'a>>>,
}

impl<'a> Stopwatch<'a> {
    /// The mapping of `job` is the first of many; `stop` ends a simulation under way. O(messages).
    ///
    /// # Errors
    /// As [`super::execute`] before it starts.
    pub fn new(machine: &'a Machine<'a>, job: Job<'a>, stop: &'a Progress) -> Outcome<Stopwatch<'a>> {
        check::check(machine, &[job], &[])?;
        let parts = Arc::new(vec![Part::new(job.work)?]);
        Ok(Stopwatch { machine, job, parts, stop, idle: Mutex::default() })
    }

    fn idle(&self) -> std::sync::MutexGuard<'_, Vec<Engine<'a>>> {
        // Whoever panicked held no engine that is still in the list.
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Clock for Stopwatch<'_> {
    /// As much work as the simulation up to the limit has, and O(ranks + links) to begin with.
    fn time_s(&self, endpoint_of_rank: &[u32], limit_s: f64) -> Outcome<Option<f64>> {
        check::check(self.machine, &[Job { endpoint_of_rank, ..self.job }], &[])?;
        if self.stop.stopped() {
            return Ok(None);
        }
        let kept = self.idle().pop();
        let mut engine =
            kept.unwrap_or_else(|| Engine::new(self.machine, Arc::new([self.job]), Arc::clone(&self.parts), false));
        engine.reset(endpoint_of_rank);
        let ran = engine.run(&[], limit_s, |_| self.stop.stopped());
        let time = engine.end_s();
        self.idle().push(engine);
        match ran {
            Err(_) if self.stop.stopped() => Ok(None),
            // The last event may be a hair beyond a limit that no event before was.
            ran => Ok((ran? && time <= limit_s).then_some(time)),
        }
    }
}
