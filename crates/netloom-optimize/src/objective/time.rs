//! Simulated time.
//!
//! One evaluation costs a simulation, so the search gets no more than it needs: the simulation of a move that it would
//! refuse stops as soon as the time exceeds the accepted limit, which changes no decision. A filter goes further and
//! refuses moves that make the hops much worse without simulating them: some that would have helped are lost.

use netloom_model::{Bound, Clock, Kind, Outcome, Param};

use super::clock::{clock, start_time};
use super::hop_sum;
use super::row::{Clocked, Goal, Needs, ObjectiveRow};
use super::score::{EXPENSIVE, Objective};
use crate::guest::Weigh;
use crate::picoseconds::{PS_PER_S, picoseconds};
use crate::places::{Exchange, Places};
use crate::prepared::Prepared;

pub const TIME: ObjectiveRow = ObjectiveRow {
    name: "time",
    aliases: &["elapsed", "makespan"],
    summary: "Simulated time until the last rank ends, picoseconds (rounded); moves are compared in seconds.",
    params: &[
        Param::optional(
            "filter",
            Kind::Choice(&["hops", "hop-bytes"]),
            "",
            "a sum that refuses a move without simulating it if it makes the sum much worse; if absent every move is simulated",
        ),
        Param::optional(
            "margin",
            Kind::Float { min: 0.0, max: 1e9 },
            "1",
            "how much worse the sum may get, in shares of one rank (sum / ranks)",
        ),
    ],
    example: "time(filter=hops)",
    restrictions: "a clock: the caller gives the machine",
    source: "Cui and Koibuchi §III, with simulated time in place of SimGrid's",
    build: Goal {
        needs: Needs { clock: Clocked::Always, ..Needs::NOTHING },
        weigh: |args| if args.text("filter") == "hop-bytes" { Weigh::Bytes } else { Weigh::Messages },
        make: |prepared, args, places, _| Ok(Box::new(Elapsed::new(prepared, places, args)?)),
        bound: |_| 0,
        // As Cui and Koibuchi §III.
        moves: Some(1000),
        every: false,
    },
};

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
    /// How much worse the hops may get, in shares of one rank.
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
    fn make(&mut self, places: &mut Places, moves: &[Exchange], most: f64) -> f64 {
        (self.before_s, self.tried) = (self.now_s, None);
        let allowed = self.filter.as_ref().map_or(f64::INFINITY, |f| f.allowance(places.ranks()));
        let mut worse = 0.0;
        for &Exchange { a, b } in moves {
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
    fn take_back(&mut self, places: &mut Places, moves: &[Exchange]) {
        for &Exchange { a, b } in moves.iter().rev() {
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
