//! One job under many mappings, for searches that lower its time.

use std::sync::{Arc, Mutex, PoisonError};

use netloom_model::{Clock, Outcome, Place, Progress, Time};

use crate::engine::Engine;
use crate::part::Part;
use crate::{Job, Software, Transport};

/// Times a job as [`crate::run`] does, for one mapping after another. Parts that do not depend on the mapping are built
/// once; engines, with their memory and cached routes, are reused, one per concurrent thread.
pub struct Stopwatch<'a, T> {
    /// In its initial state: every engine gets a copy.
    transport: T,
    software: Software,
    job: Job<'a>,
    slots: u32,
    parts: Arc<Vec<Part<'a>>>,
    stop: &'a Progress,
    idle: Mutex<Vec<Engine<'a, T>>>,
}

impl<'a, T: Transport> Stopwatch<'a, T> {
    /// The mapping of `job` is the first of many; `stop` ends a running simulation. Mappings number the seats of the
    /// machine: `slots` of them on each endpoint. O(messages).
    ///
    /// # Errors
    /// As [`Transport::check`].
    pub fn over(
        transport: T,
        software: Software,
        job: Job<'a>,
        slots: u32,
        stop: &'a Progress,
    ) -> Outcome<Stopwatch<'a, T>> {
        transport.check(&job)?;
        let parts = Arc::new(vec![Part::new(&job)?]);
        Ok(Stopwatch { transport, software, job, slots, parts, stop, idle: Mutex::default() })
    }

    fn idle(&self) -> std::sync::MutexGuard<'_, Vec<Engine<'a, T>>> {
        // A thread that panicked held no engine that is still in the list.
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<'a, T: Transport + Clone> Stopwatch<'a, T> {
    fn engine(&self) -> Engine<'a, T> {
        let kept = self.idle().pop();
        kept.unwrap_or_else(|| {
            let (jobs, parts) = (Arc::new([self.job]), Arc::clone(&self.parts));
            Engine::new(self.transport.clone(), self.software.clone(), jobs, parts, None)
        })
    }
}

impl<T: Transport + Clone + Send + Sync> Clock for Stopwatch<'_, T> {
    /// The work of the simulation up to the limit, plus O(ranks + links) to start.
    fn time_s(&self, slot_of_rank: &[u32], limit_s: f64) -> Outcome<Option<f64>> {
        let shared = (self.slots > 1).then(|| slot_of_rank.iter().map(|slot| slot / self.slots).collect::<Vec<_>>());
        let endpoint_of_rank = shared.as_deref().unwrap_or(slot_of_rank);
        self.transport.check(&Job { endpoint_of_rank, ..self.job })?;
        if self.stop.stopped() || limit_s < 0.0 {
            return Ok(None);
        }
        let seated = self.transport.seated();
        let place = |(slot, &endpoint): (&u32, &u32)| {
            let seat = if seated { slot % self.slots } else { 0 };
            Place { endpoint, seat }
        };
        let mut engine = self.engine();
        engine.reset(slot_of_rank.iter().zip(endpoint_of_rank).map(place));
        let ran = engine.run(Time::from_s(limit_s), |_, _| self.stop.stopped());
        let time_s = engine.end().as_s();
        self.idle().push(engine);
        match ran {
            Err(_) if self.stop.stopped() => Ok(None),
            // The last event may be slightly beyond the limit although no earlier one was.
            ran => Ok((ran? && time_s <= limit_s).then_some(time_s)),
        }
    }
}
