//! Simulated time.
//!
//! One evaluation costs a simulation, so the search gets no more than it needs: the simulation of a move that it would
//! refuse stops as soon as the time exceeds the accepted limit, which changes no decision. A filter goes further and
//! refuses moves that make the hops much worse without simulating them: some that would have helped are lost.

use netloom_model::{Bound, Clock, Fault, Outcome};

use super::{EXPENSIVE, Objective, hop_sum};
use crate::codes;
use crate::places::Places;
use crate::prepared::Prepared;
use crate::problem::Problem;

pub(crate) const PS_PER_S: f64 = 1e12;

/// Time limits are this share later than the search accepts, so that rounding of a difference breaks off nothing
/// that would be accepted.
const HAIR: f64 = 4.0 * f64::EPSILON;

pub struct Elapsed<'p> {
    prepared: &'p Prepared<'p>,
    clock: &'p dyn Clock,
    /// Endpoint of every rank and filler.
    endpoints: Vec<u32>,
    /// Time of this state; infinite if it is not known.
    now_s: f64,
    /// Time of the state before the last [`Objective::make`].
    before_s: f64,
    /// An evaluated exchange, and the time after it.
    tried: Option<(u32, u32, f64)>,
    filter: Option<Filter<'p>>,
}

struct Filter<'p> {
    hops: Box<dyn Objective + 'p>,
    /// In shares of one rank.
    margin: f64,
}

impl<'p> Elapsed<'p> {
    /// One simulation.
    ///
    /// # Errors
    /// `NL-O008` without a clock, `NL-O009` if the caller has already stopped it, and those of the clock.
    pub fn new(prepared: &'p Prepared<'p>, places: &Places, args: &Bound) -> Outcome<Elapsed<'p>> {
        let mut made = Elapsed::unfiltered(prepared, places)?;
        let filter =
            || Filter { hops: hop_sum::build(prepared, &prepared.guest, places), margin: args.float("margin") };
        made.filter = args.is_given("filter").then(filter);
        Ok(made)
    }

    /// Every move is simulated. One simulation.
    ///
    /// # Errors
    /// As [`Elapsed::new`].
    pub fn unfiltered(prepared: &'p Prepared<'p>, places: &Places) -> Outcome<Elapsed<'p>> {
        let clock = clock(&prepared.problem)?;
        let endpoints: Vec<u32> = (0..places.slots()).map(|r| prepared.endpoints[places.slot(r) as usize]).collect();
        let now_s = start_time(&prepared.problem, &endpoints[..prepared.ranks() as usize])?;
        Ok(Elapsed { prepared, clock, endpoints, now_s, before_s: now_s, tried: None, filter: None })
    }

    /// Time with the endpoints as they are; infinite if it is above the limit, the caller wants an end, or there was a
    /// fault, which ends the search.
    fn time(&self, limit_s: f64) -> f64 {
        match self.clock.time_s(&self.endpoints[..self.prepared.ranks() as usize], limit_s) {
            Ok(time) => time.unwrap_or(f64::INFINITY),
            Err(faults) => {
                let _ = self.prepared.fault.set(faults); // The first one stays.
                f64::INFINITY
            }
        }
    }

    /// Change of energy if two exchange their places; a change above `most` may be returned as infinite.
    fn change(&mut self, a: u32, b: u32, most: f64) -> f64 {
        let ranks = self.prepared.ranks();
        let time = if a >= ranks && b >= ranks {
            self.now_s
        } else {
            self.endpoints.swap(a as usize, b as usize);
            let time = self.time((self.now_s + most) * (1.0 + HAIR));
            self.endpoints.swap(a as usize, b as usize);
            time
        };
        self.tried = Some((a, b, time));
        difference(time, self.now_s)
    }
}

/// # Errors
/// `NL-O008` without one.
pub(crate) fn clock<'p>(problem: &Problem<'p>) -> Outcome<&'p dyn Clock> {
    problem.clock.ok_or_else(|| {
        let sentence = "time needs a simulation of the workload, which this caller does not offer";
        Fault::say(&codes::NEEDS_CLOCK, &problem.traffic.label, sentence).hint("use the objective hops").into()
    })
}

/// Time of the mapping that a search starts from.
///
/// # Errors
/// `NL-O008` without a clock, `NL-O009` if the caller wants an end already, and what the clock reports.
pub(crate) fn start_time(problem: &Problem<'_>, endpoint_of_rank: &[u32]) -> Outcome<f64> {
    clock(problem)?.time_s(endpoint_of_rank, f64::INFINITY)?.ok_or_else(|| {
        let sentence = "the search ended before the start mapping was simulated";
        Fault::say(&codes::NO_START, &problem.traffic.label, sentence).hint("give more time").into()
    })
}

/// As objectives report time; infinite becomes the largest number, which is never the best.
pub(crate) fn picoseconds(time_s: f64) -> u64 {
    (time_s * PS_PER_S).round() as u64
}

/// An unknown time counts as worse.
fn difference(after: f64, before: f64) -> f64 {
    if after.is_finite() { after - before } else { f64::INFINITY }
}

impl Filter<'_> {
    /// How much worse the hops may get, in their energy.
    fn allowance(&self, ranks: u32) -> f64 {
        self.margin * self.hops.value() as f64 / self.hops.unit() / f64::from(ranks.max(1))
    }
}

impl Objective for Elapsed<'_> {
    fn value(&self) -> u64 {
        picoseconds(self.now_s)
    }
    fn energy(&self, places: &Places) -> f64 {
        let slots = places.slot_of_rank().iter();
        let endpoints: Vec<u32> = slots.map(|&s| self.prepared.endpoints[s as usize]).collect();
        self.clock.time_s(&endpoints, f64::INFINITY).ok().flatten().unwrap_or(f64::INFINITY)
    }
    fn swap_delta(&mut self, _: &Places, a: u32, b: u32) -> f64 {
        self.change(a, b, f64::INFINITY)
    }
    fn delta_within(&mut self, places: &Places, a: u32, b: u32, most: f64) -> f64 {
        if let Some(filter) = self.filter.as_mut().filter(|_| most < f64::INFINITY)
            && filter.hops.swap_delta(places, a, b) > filter.allowance(places.ranks())
        {
            return f64::INFINITY;
        }
        self.change(a, b, most)
    }
    fn swap(&mut self, places: &Places, a: u32, b: u32) {
        let known = self.tried.take().filter(|t| (t.0, t.1) == (a, b) && t.2.is_finite());
        self.endpoints.swap(a as usize, b as usize);
        self.now_s = known.map_or_else(|| self.time(f64::INFINITY), |t| t.2);
        if let Some(filter) = &mut self.filter {
            filter.hops.swap(places, a, b);
        }
    }
    fn make(&mut self, places: &mut Places, moves: &[(u32, u32)], most: f64) -> f64 {
        (self.before_s, self.tried) = (self.now_s, None);
        let allowed = self.filter.as_ref().map_or(f64::INFINITY, |f| f.allowance(places.ranks()));
        let mut worse = 0.0;
        for &(a, b) in moves {
            if let Some(filter) = &mut self.filter {
                worse += filter.hops.swap_delta(places, a, b);
                filter.hops.swap(places, a, b);
            }
            self.endpoints.swap(a as usize, b as usize);
            places.swap(a, b);
        }
        let refused = worse > allowed && most < f64::INFINITY;
        self.now_s = if refused { f64::INFINITY } else { self.time((self.before_s + most) * (1.0 + HAIR)) };
        difference(self.now_s, self.before_s)
    }
    fn take_back(&mut self, places: &mut Places, moves: &[(u32, u32)]) {
        for &(a, b) in moves.iter().rev() {
            if let Some(filter) = &mut self.filter {
                filter.hops.swap(places, a, b);
            }
            self.endpoints.swap(a as usize, b as usize);
            places.swap(a, b);
        }
        self.now_s = self.before_s;
    }
    fn unit(&self) -> f64 {
        PS_PER_S
    }
    fn relative_cost(&self) -> u64 {
        40 * EXPENSIVE
    }
    fn boxed<'s>(&self) -> Box<dyn Objective + 's>
    where
        Self: 's,
    {
        let filter = self.filter.as_ref().map(|f| Filter { hops: f.hops.boxed(), margin: f.margin });
        Box::new(Elapsed { endpoints: self.endpoints.clone(), filter, ..*self })
    }
}
