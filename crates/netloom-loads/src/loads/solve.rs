//! The iterative model: requests, availability, allocation, remaining bandwidth (Jain 2016 §3.2.2).
//!
//! In every round each flow examines its candidate paths. The least remaining bandwidth on a path decides which part of
//! the flow's bytes requests it (an adaptive flow; a static one requests in fixed shares). A link's availability is its
//! remaining bandwidth per requested byte; a path gets its request times the least availability on it. Requests and
//! allocations are summed as integers; remaining and availability are then the same `f32` for every reader.

use std::sync::atomic::{AtomicU16, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock};

use netloom_model::{Outcome, Progress};
use rayon::prelude::*;

use super::Model;
use super::batch::Batch;
use super::candidates::Worth;
use super::flows::UnitFlows;
use super::lanes::{Lane, gather, lanes, run};
use super::parts::upto;

/// A link with less than this share of the fastest link's bandwidth left is full. 2^-20.
const DEAD: f32 = 1.0 / 1_048_576.0;
/// 2^-22.
const MARGIN: f64 = 1.0 / 4_194_304.0;
/// Units of the fastest link's bandwidth.
const UNITS: f64 = (1u64 << 40) as f64;
/// Marks a flow that still has paths.
const ALIVE: u16 = u16::MAX;

/// Limits of the data kept in memory instead of recomputed, in bytes: they change run times, not results.
#[derive(Clone, Copy)]
pub(super) struct Keep {
    /// Candidate paths, from the requests of a round to its allocations.
    pub candidates: usize,
    /// The allocations of candidates, from every round to the replay.
    pub grants: usize,
}

impl Default for Keep {
    /// 2 and 3 GiB.
    fn default() -> Self {
        Keep { candidates: 2 << 30, grants: 3 << 30 }
    }
}

/// Takes `bytes` from `room`, unless nothing is left.
fn take(room: &AtomicUsize, bytes: usize) -> bool {
    let less = |left: usize| (left > 0).then(|| left.saturating_sub(bytes));
    room.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less).is_ok()
}

/// Batches no longer kept: their memory serves the next round.
#[derive(Default)]
struct Spare(Mutex<Vec<Batch>>);

impl Spare {
    fn get(&self) -> Batch {
        self.0.lock().ok().and_then(|mut all| all.pop()).unwrap_or_default()
    }
    fn put(&self, batch: Batch) {
        if let Ok(mut all) = self.0.lock() {
            all.push(batch);
        }
    }
}

/// The offers of the links in one round: enough to repeat every decision. Two columns, since a pass reads one of them.
#[derive(Default)]
struct Offers {
    /// Exposed and not yet allocated, as a share of the fastest link's bandwidth; 0 below [`DEAD`].
    remaining: Vec<f32>,
    /// Remaining per unit of request.
    available: Vec<f32>,
}

/// Per job and unit, the allocation of each candidate in one round, if kept.
type Grants = Vec<Vec<OnceLock<Box<[f32]>>>>;

/// One round.
struct Round {
    grants: Grants,
    /// For recomputing allocations that were not kept; empty if all were kept.
    offers: Offers,
}

/// The result of the iterations: enough to split every flow.
#[derive(Default)]
pub struct Solution {
    jobs: Vec<Solved>,
    history: Vec<Round>,
    /// Number of rounds; 0 without adaptive jobs.
    pub rounds: u32,
    /// Share that the last round added to the bandwidth of all messages.
    pub last_gain: f64,
}

/// Flows of one job, and the allocation of each.
struct Solved {
    units: Vec<UnitFlows>,
    /// Per unit, per flow.
    given: Vec<Vec<Given>>,
}

#[derive(Default)]
struct Given {
    /// Bandwidth over all paths and rounds, as f64 bits.
    total: AtomicU64,
    /// Round from which no candidate of a direct variant has anything left.
    until: AtomicU16,
}

impl Given {
    fn is_alive(&self, round: u32) -> bool {
        u32::from(self.until.load(Ordering::Relaxed)) >= round
    }
}

impl Solution {
    /// Flows between pairs of switches kept by the iterations.
    pub fn flows(&self) -> u64 {
        self.jobs.iter().flat_map(|s| &s.units).map(|unit| unit.pairs.len() as u64).sum()
    }
}

impl Model<'_> {
    /// Iterates until no message gets more; nothing to do without an adaptive job. Static jobs take part: their
    /// requests reduce the bandwidth of the others.
    ///
    /// O(rounds × flows × paths × hops); 32 bytes per flow, 8 more to distribute, and the limits of [`Keep`]; beyond
    /// those 8 per link and round.
    ///
    /// # Errors
    /// `NL-E004` if stopped, and those of the routing.
    pub fn solve(&self, progress: &Progress) -> Outcome<Solution> {
        let mut solution = Solution::default();
        if !self.jobs.iter().any(|job| job.variant.adaptive) {
            return Ok(solution);
        }
        for job in 0..self.jobs.len() {
            let units = self.keep_flows(job, progress)?;
            let fresh = || Given { total: AtomicU64::new(0), until: AtomicU16::new(ALIVE) };
            let given = units.iter().map(|unit| unit.pairs.iter().map(|_| fresh()).collect()).collect();
            solution.jobs.push(Solved { units, given });
        }
        let links = self.network.switch_links() as usize;
        let capacity = self.capacity();
        let steps = self.steps();
        let mut lanes = lanes(links);
        let (mut allocated, mut requested) = (vec![0u64; links], vec![0u64; links]);
        let (room, spare) = (AtomicUsize::new(self.keep.grants), Spare::default());
        let mut total: u128 = 0;
        let rounds = steps + self.settings.rounds;
        let sources = self.all_sources();
        for round in 0..rounds {
            let exposed = f64::from((round + 1).min(steps)) / f64::from(steps);
            let left = |(&given, &most): (&u64, &f64)| {
                let left = (exposed * most - given as f64 / UNITS) as f32;
                if left < DEAD { 0.0 } else { left }
            };
            let mut offers =
                Offers { remaining: allocated.par_iter().zip(&capacity).map(left).collect(), ..Offers::default() };
            requested.fill(0);
            let kept = self.request(&solution, round, (&offers, &spare), &mut lanes, progress)?;
            gather(&mut lanes, &mut requested);
            // Rounded down by more than the error of f32, so that a link never allocates more than it has, and by less
            // than DEAD, so that a link that allocated everything is full.
            let per_request = |(&left, &asked): (&f32, &u64)| match asked {
                0 => 0.0,
                _ => (f64::from(left) / asked as f64 * (1.0 - MARGIN)) as f32,
            };
            offers.available = offers.remaining.par_iter().zip(&requested).map(per_request).collect();
            let grants = self.allocate(&solution, round, (&offers, &kept), (&room, &spare), &mut lanes, progress)?;
            let gain: u128 = lanes.iter_mut().map(|lane| std::mem::take(&mut lane.gain)).sum();
            gather(&mut lanes, &mut allocated);
            if grants.iter().flatten().all(|grants| grants.get().is_some()) {
                offers = Offers::default();
            }
            solution.history.push(Round { grants, offers });
            total += gain;
            solution.rounds = round + 1;
            solution.last_gain = if total == 0 { 0.0 } else { gain as f64 / total as f64 };
            if round + 1 >= steps && solution.last_gain <= self.settings.tolerance {
                let skipped = u64::from(rounds - round - 1);
                progress.add(2 * skipped * sources);
                break;
            }
        }
        Ok(solution)
    }

    /// Rounds that expose the bandwidth.
    fn steps(&self) -> u32 {
        if self.is_fixed() { 1 } else { self.settings.increments }
    }

    /// True if all candidates are the same in every round.
    fn is_fixed(&self) -> bool {
        self.jobs.iter().all(|job| job.variant.is_direct())
    }

    /// Bandwidth of each switch link as a share of the fastest one's.
    fn capacity(&self) -> Vec<f64> {
        let of = |class: &u16| self.network.classes()[*class as usize].bandwidth_bytes_per_s;
        let fastest = self.network.class_of().iter().map(of).fold(0.0, f64::max);
        self.network.class_of().iter().map(|class| of(class) / fastest).collect()
    }

    /// First pass of a round: flows request bandwidth. Candidates are kept up to the limit of [`Keep`]; the others are
    /// recomputed, with the same result.
    fn request(
        &self,
        solution: &Solution,
        round: u32,
        (offers, spare): (&Offers, &Spare),
        lanes: &mut [Lane],
        progress: &Progress,
    ) -> Outcome<Vec<Vec<Mutex<Option<Batch>>>>> {
        let room = AtomicUsize::new(self.keep.candidates);
        let mut slots = Vec::new();
        for (job, solved) in solution.jobs.iter().enumerate() {
            let of_job: Vec<Mutex<Option<Batch>>> = solved.units.iter().map(|_| Mutex::new(None)).collect();
            run(lanes, solved.units.len(), progress, |lane, unit| {
                self.weigh(job, unit, solved, round, offers, lane)?;
                lane.batch.scatter(lane.batch.weights.iter().copied(), &mut lane.sums);
                if take(&room, lane.batch.bytes())
                    && let Ok(mut slot) = of_job[unit].lock()
                {
                    *slot = Some(std::mem::replace(&mut lane.batch, spare.get()));
                }
                Ok(solved.units[unit].switches)
            })?;
            slots.push(of_job);
        }
        Ok(slots)
    }

    /// Second pass: paths get their requests times the least availability on them.
    fn allocate(
        &self,
        solution: &Solution,
        round: u32,
        (offers, kept): (&Offers, &[Vec<Mutex<Option<Batch>>>]),
        (room, spare): (&AtomicUsize, &Spare),
        lanes: &mut [Lane],
        progress: &Progress,
    ) -> Outcome<Grants> {
        let mut grants = Vec::new();
        for (job, solved) in solution.jobs.iter().enumerate() {
            let adapts = self.jobs[job].variant.adaptive;
            let units = if adapts { solved.units.len() } else { 0 };
            let of_job: Vec<OnceLock<Box<[f32]>>> = (0..units).map(|_| OnceLock::new()).collect();
            run(lanes, solved.units.len(), progress, |lane, unit| {
                match kept[job][unit].lock().ok().and_then(|mut slot| slot.take()) {
                    Some(batch) => spare.put(std::mem::replace(&mut lane.batch, batch)),
                    None => self.weigh(job, unit, solved, round, offers, lane)?,
                }
                lane.grant(offers);
                let given = &solved.given[unit];
                if self.is_fixed() {
                    lane.retire(given, round);
                }
                let Lane { batch, amounts, sums, gain, .. } = lane;
                for (&i, &amount) in batch.owners.iter().zip(amounts.iter()) {
                    let given = &given[i as usize].total;
                    let total = f64::from_bits(given.load(Ordering::Relaxed)) + f64::from(amount);
                    given.store(total.to_bits(), Ordering::Relaxed);
                    *gain += u128::from(amount as u64);
                }
                batch.scatter(amounts.iter().map(|&amount| amount as u64), sums);
                if adapts && take(room, 4 * amounts.len()) {
                    let _ = of_job[unit].set(amounts.as_slice().into());
                }
                Ok(solved.units[unit].switches)
            })?;
            grants.push(of_job);
        }
        Ok(grants)
    }

    /// Lists the candidates of a unit's flows into `lane.batch`, with the part of the flow's bytes that requests each.
    fn weigh(
        &self,
        job: usize,
        unit: usize,
        solved: &Solved,
        round: u32,
        offers: &Offers,
        lane: &mut Lane,
    ) -> Outcome<()> {
        let Lane { batch, room, values, least, by_flow, .. } = lane;
        let (flows, given) = (&solved.units[unit], &solved.given[unit]);
        let all_exposed = round + 1 > self.steps();
        let worth = if all_exposed { Worth::Remaining(&offers.remaining) } else { Worth::All };
        self.candidates(job, flows, round, |i| given[i].is_alive(round), worth, (batch, room))?;
        batch.least(&offers.remaining, values, least);
        by_flow.clear();
        by_flow.resize(flows.pairs.len(), 0.0);
        for (&i, &least) in batch.owners.iter().zip(least.iter()) {
            by_flow[i as usize] += f64::from(least);
        }
        let adapts = self.jobs[job].variant.adaptive;
        let weight = |((&i, &least), &share): ((&u32, &f32), &f64)| {
            let parts = (flows.bytes[i as usize] << self.shift) as f64;
            match least {
                0.0 => 0,
                _ if adapts => (parts * (f64::from(least) / by_flow[i as usize])) as u64,
                _ => (parts * share) as u64,
            }
        };
        batch.weights.extend(batch.owners.iter().zip(least.iter()).zip(&batch.paths.shares).map(weight));
        Ok(())
    }

    /// Repeats the rounds with the total of each flow known, and distributes its bytes.
    pub(super) fn replay(
        &self,
        job: usize,
        solution: &Solution,
        lanes: &mut [Lane],
        progress: &Progress,
        put: &(impl Fn(&mut Lane, (u32, u32), &[u32], u64) + Sync),
    ) -> Outcome<()> {
        let solved = &solution.jobs[job];
        let fresh = |given: &Vec<Given>| given.iter().map(|_| AtomicU64::new(0)).collect();
        let so_far: Vec<Vec<AtomicU64>> = solved.given.iter().map(fresh).collect();
        for (round, made) in solution.history.iter().enumerate() {
            run(lanes, solved.units.len(), progress, |lane, unit| {
                let (flows, given) = (&solved.units[unit], &solved.given[unit]);
                if let Some(grants) = made.grants[job][unit].get() {
                    let alive = |i: usize| given[i].is_alive(round as u32);
                    let Lane { batch, room, amounts, .. } = lane;
                    self.candidates(job, flows, round as u32, alive, Worth::Granted(grants), (batch, room))?;
                    amounts.clear();
                    amounts.extend_from_slice(grants);
                } else {
                    self.weigh(job, unit, solved, round as u32, &made.offers, lane)?;
                    lane.grant(&made.offers);
                }
                let total = |i: usize| f64::from_bits(given[i].total.load(Ordering::Relaxed));
                // A flow whose links were full from the start decided nothing: the routing's shares apply.
                for (i, &pair) in flows.pairs.iter().enumerate().filter(|(i, _)| round == 0 && total(*i) == 0.0) {
                    self.shares(job, pair, self.parts(flows.bytes[i]), lane, put)?;
                }
                let (batch, amounts) = (std::mem::take(&mut lane.batch), std::mem::take(&mut lane.amounts));
                for (k, (&i, &amount)) in batch.owners.iter().zip(&amounts).enumerate().filter(|(_, (_, a))| **a > 0.0)
                {
                    let (i, so_far) = (i as usize, &so_far[unit][i as usize]);
                    let (parts, total) = (self.parts(flows.bytes[i]), total(i));
                    let before = f64::from_bits(so_far.load(Ordering::Relaxed));
                    let sum = before + f64::from(amount);
                    so_far.store(sum.to_bits(), Ordering::Relaxed);
                    let carried = upto(parts, sum, total) - upto(parts, before, total);
                    if carried > 0 {
                        put(lane, flows.pairs[i], batch.paths.get(k).0, carried);
                    }
                }
                (lane.batch, lane.amounts) = (batch, amounts);
                Ok(flows.switches)
            })?;
        }
        Ok(())
    }
}

impl Lane {
    /// Bandwidth that each path of the batch gets for its request, in units of [`UNITS`]: whole ones, as `f32`.
    fn grant(&mut self, offers: &Offers) {
        let Lane { batch, values, least, amounts, .. } = self;
        batch.least(&offers.available, values, least);
        let granted = |(&weight, &least): (&u64, &f32)| match weight {
            0 => 0.0,
            _ => (weight as f64 * f64::from(least) * UNITS).trunc() as f32,
        };
        amounts.clear();
        amounts.extend(batch.weights.iter().zip(least.iter()).map(granted));
    }

    /// Marks flows of direct variants that request nothing: candidates are the same in every round and bandwidth is
    /// never exposed later, so a flow with none left never gets any.
    fn retire(&mut self, given: &[Given], round: u32) {
        let Lane { batch, by_flow, .. } = self;
        by_flow.clear();
        by_flow.resize(given.len(), 0.0);
        for (&i, &weight) in batch.owners.iter().zip(&batch.weights) {
            by_flow[i as usize] += weight as f64;
        }
        for (given, _) in given.iter().zip(by_flow).filter(|(given, sum)| **sum == 0.0 && given.is_alive(round)) {
            given.until.store(round.min(u32::from(ALIVE) - 1) as u16, Ordering::Relaxed);
        }
    }
}
