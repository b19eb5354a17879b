//! The best mapping so far.

use netloom_model::{Clock, Mapping, Outcome};

use crate::picoseconds::{PS_PER_S, picoseconds};
use crate::problem::{Solution, TracePoint};

/// Simulations break off at this multiple of the best time: by how much a mapping is behind does not matter then.
const BEHIND: f64 = 1.1;

/// The best by time, and what it took.
pub struct Best {
    pub mapping: Mapping,
    pub time_s: f64,
    evaluations: u64,
    pub accepted: u64,
    trace: Vec<TracePoint>,
}

impl Best {
    /// The start, whose time is known.
    pub fn new(start: Mapping, time_s: f64) -> Best {
        let trace = vec![TracePoint { evaluations: 0, value: picoseconds(time_s) }];
        Best { mapping: start, time_s, evaluations: 0, accepted: 0, trace }
    }

    /// Simulates a mapping and takes it if it is better; infinite if it is not near the best, or there is no time.
    pub fn consider(&mut self, clock: &dyn Clock, mapping: &Mapping) -> Outcome<f64> {
        self.evaluations += 1;
        let time_s = clock.time_s(mapping.endpoints(), self.time_s * BEHIND)?.unwrap_or(f64::INFINITY);
        if time_s < self.time_s {
            self.accepted += 1;
            (self.mapping, self.time_s) = (mapping.clone(), time_s);
            self.trace.push(TracePoint { evaluations: self.evaluations, value: picoseconds(time_s) });
        }
        Ok(time_s)
    }

    /// Takes over a search by time that began here.
    pub fn follow(&mut self, found: Solution) {
        let better = found.trace.iter().filter(|p| p.value < picoseconds(self.time_s));
        let at = |p: &TracePoint| TracePoint { evaluations: p.evaluations + self.evaluations, value: p.value };
        let points: Vec<TracePoint> = better.map(at).collect();
        self.evaluations += found.evaluations;
        if !points.is_empty() {
            self.trace.extend(points);
            self.accepted += found.accepted;
            (self.time_s, self.mapping) = (found.value as f64 / PS_PER_S, found.mapping);
        }
    }

    /// What a search that ends here gives.
    pub fn solution(mut self, start_value: u64, method: String, decided_by: &'static str) -> Solution {
        let value = picoseconds(self.time_s);
        self.trace.retain(|p| p.evaluations == 0 || p.evaluations < self.evaluations);
        if self.evaluations > 0 {
            self.trace.push(TracePoint { evaluations: self.evaluations, value });
        }
        Solution {
            mapping: self.mapping,
            value,
            start_value,
            bound: 0,
            evaluations: self.evaluations,
            accepted: self.accepted,
            trace: self.trace,
            method,
            decided_by,
        }
    }
}
