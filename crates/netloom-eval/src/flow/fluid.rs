//! Bytes that move at max-min fair rates: the end of every flow.

use super::finishes::Finishes;
use super::max_min::{MaxMin, Use, Work};
use super::utilisation::Utilisation;

/// Two instants closer than this share of the time since the start are one instant: a few units in the last place of a
/// double, so that rounding does not separate simultaneous events.
const INSTANT: f64 = 1.0 / (1u64 << 50) as f64;

/// A flow that has this share of its duration left when another one ends, ends with it.
const TOGETHER: f64 = 1.0 / (1u64 << 40) as f64;

/// The end of the instant that begins at `time`.
#[inline]
pub fn instant_end(time: f64) -> f64 {
    time + time * INSTANT
}

#[derive(Clone, Copy, Debug)]
struct Moving {
    left: f64,
    since: f64,
    rate: f64,
    began: f64,
    payload: u32,
}

/// Flows under way. Times are seconds.
#[derive(Clone)]
pub struct Fluid {
    rates: MaxMin,
    moving: Vec<Moving>,
    finishes: Finishes,
    pub utilisation: Option<Utilisation>,
}

impl Fluid {
    /// Capacities in bytes per second, each positive.
    pub fn new(capacity: impl IntoIterator<Item = f64>) -> Fluid {
        Fluid { rates: MaxMin::new(capacity), moving: Vec::new(), finishes: Finishes::default(), utilisation: None }
    }

    /// Adds a resource; returns its number.
    pub fn add_resource(&mut self, capacity: f64) -> u32 {
        self.rates.add_resource(capacity)
    }

    /// Removes all flows, as if there had been none.
    pub fn clear(&mut self) {
        self.rates.clear();
        self.moving.clear();
        self.finishes.clear();
    }

    /// Starts a flow of `bytes` at `now`; [`Fluid::update`] must follow before time goes on.
    pub fn start(&mut self, now: f64, bytes: f64, uses: &[Use], weight: f64, cap: f64, payload: u32) -> u32 {
        let id = self.rates.add(uses, weight, cap);
        let moving = Moving { left: bytes, since: now, rate: 0.0, began: now, payload };
        if self.moving.len() <= id as usize {
            self.moving.resize(id as usize + 1, moving);
        }
        self.moving[id as usize] = moving;
        id
    }

    /// Brings rates and ends up to date after starts and ends at `now`.
    pub fn update(&mut self, now: f64) {
        let Fluid { rates, moving, finishes, utilisation } = self;
        let mut record = utilisation.as_mut();
        rates.solve(|id, rate| {
            let flow = &mut moving[id as usize];
            let went = flow.rate * (now - flow.since);
            if went > 0.0 {
                if let Some(u) = record.as_deref_mut() {
                    u.add(flow.payload, flow.since, now, flow.rate);
                }
                flow.left = if went < flow.left { flow.left - went } else { 0.0 };
            }
            (flow.since, flow.rate) = (now, rate);
            let ends = if flow.left > 0.0 { now + flow.left / rate } else { now };
            finishes.set(id, ends);
        });
    }

    /// When the next flow ends.
    pub fn next(&mut self) -> Option<f64> {
        self.finishes.time()
    }

    /// Ends every flow that is over at `now`, and calls `done(payload, end)` for each in order of its end.
    pub fn finish(&mut self, now: f64, mut done: impl FnMut(u32, f64)) {
        let until = instant_end(now);
        // No flow began before 0.
        while let Some(first) = self.finishes.time()
            && first < f64::INFINITY
            && first <= until + TOGETHER * first
            && let Some((end, id)) = self.finishes.first()
        {
            let flow = self.moving[id as usize];
            if end > until + TOGETHER * (end - flow.began) {
                break;
            }
            if let Some(u) = &mut self.utilisation {
                u.add(flow.payload, flow.since, end, flow.rate);
            }
            self.finishes.remove(id);
            self.rates.remove(id);
            done(flow.payload, end);
        }
    }

    pub fn work(&self) -> Work {
        self.rates.work
    }
}
