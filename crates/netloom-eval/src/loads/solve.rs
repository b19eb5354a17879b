//! The iterative model: requests, availability, allocation, remaining bandwidth (seed 004 §3.2.2).
//!
//! In every round each flow looks at its candidate paths. The least remaining bandwidth on a path decides which part of the
//! flow's bytes requests it (an adaptive flow; a static one requests in fixed shares). A link's availability is its
//! remaining bandwidth per requested byte; a path gets its request times the least availability on it. Requests and
//! allocations are summed as integers; remaining and availability are then the same `f32` for every reader.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU16, AtomicU64, AtomicUsize, Ordering};

use netloom_model::{Outcome, Progress};
use rayon::prelude::*;

use super::Model;
use super::batch::Batch;
use super::distribute::upto;
use super::flows::Flows;
use super::lanes::{Lane, gather, lanes, run};

/// A link with less than this share of the fastest link's bandwidth left is full. 2^-20.
const DEAD: f32 = 1.0 / 1_048_576.0;
/// 2^-22.
const MARGIN: f64 = 1.0 / 4_194_304.0;
/// Units of bandwidth in the fastest link's.
const UNITS: f64 = (1u64 << 40) as f64;
/// Not yet out of paths.
const ALIVE: u16 = u16::MAX;

/// Most bytes of candidate paths that are kept from the requests of a round to its allocations. 2 GiB.
const KEEP: usize = 1 << 31;

/// What the links offered in one round: enough to repeat every decision. Two columns, since a pass reads one of them.
#[derive(Default)]
struct Offers {
    /// Exposed and not given away, as a share of the fastest link's bandwidth; 0 below [`DEAD`].
    remaining: Vec<f32>,
    /// Remaining per unit of request.
    available: Vec<f32>,
}

/// What the iterations found: enough to split every flow.
#[derive(Default)]
pub struct Solution {
    jobs: Vec<Solved>,
    history: Vec<Offers>,
    /// Rounds made; 0 without adaptive jobs.
    pub rounds: u32,
    /// Share that the last round added to the bandwidth that all messages have.
    pub last_gain: f64,
}

/// Flows of one job, and what each was given.
struct Solved {
    flows: Flows,
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
    /// Flows between pairs of switches that the iterations held.
    pub fn flows(&self) -> u64 {
        let units = self.jobs.iter().flat_map(|s| &s.flows.units);
        units.map(|u| u.to.len() as u64).sum()
    }
}

impl Model<'_> {
    /// Iterates until no message gets more; nothing to do without an adaptive job. Static jobs take part: their requests
    /// leave less for the others.
    ///
    /// O(rounds × flows × paths × hops); 28 bytes per flow, 8 per link and round, and up to [`KEEP`] of candidates.
    ///
    /// # Errors
    /// `NL-E004` if stopped, and what the routing reports.
    pub fn solve(&self, progress: &Progress) -> Outcome<Solution> {
        let mut solution = Solution::default();
        if !self.jobs.iter().any(|job| job.variant.is_adaptive()) {
            return Ok(solution);
        }
        for job in 0..self.jobs.len() {
            let flows = self.keep_flows(job, progress)?;
            let fresh = || Given { total: AtomicU64::new(0), until: AtomicU16::new(ALIVE) };
            let given = flows.units.iter().map(|u| u.to.iter().map(|_| fresh()).collect()).collect();
            solution.jobs.push(Solved { flows, given });
        }
        let links = self.network.switch_links() as usize;
        let capacity = self.capacity();
        let steps = if self.jobs.iter().all(|j| j.variant.is_direct()) { 1 } else { self.settings.increments };
        let mut lanes = lanes(links);
        let (mut allocated, mut requested) = (vec![0u64; links], vec![0u64; links]);
        let mut total: u128 = 0;
        let rounds = steps + self.settings.rounds;
        let units = self.all_units();
        for round in 0..rounds {
            let exposed = f64::from((round + 1).min(steps)) / f64::from(steps);
            let left = |(&given, &most): (&u64, &f64)| {
                let left = (exposed * most - given as f64 / UNITS) as f32;
                if left < DEAD { 0.0 } else { left }
            };
            let mut offers =
                Offers { remaining: allocated.par_iter().zip(&capacity).map(left).collect(), ..Offers::default() };
            requested.fill(0);
            let kept = self.request(&solution, round, &offers, &mut lanes, progress)?;
            gather(&mut lanes, &mut requested);
            // Rounded down by more than the error of f32, so that a link never gives more than it has, and by less than DEAD,
            // so that a link that gave all it had is full.
            let per_request = |(&left, &asked): (&f32, &u64)| match asked {
                0 => 0.0,
                _ => (f64::from(left) / asked as f64 * (1.0 - MARGIN)) as f32,
            };
            offers.available = offers.remaining.par_iter().zip(&requested).map(per_request).collect();
            self.allocate(&solution, round, &offers, &kept, &mut lanes, progress)?;
            let gain: u128 = lanes.iter_mut().map(|lane| std::mem::take(&mut lane.gain)).sum();
            gather(&mut lanes, &mut allocated);
            solution.history.push(offers);
            total += gain;
            solution.rounds = round + 1;
            solution.last_gain = if total == 0 { 0.0 } else { gain as f64 / total as f64 };
            if round + 1 >= steps && solution.last_gain <= self.settings.tolerance {
                let skipped = u64::from(rounds - round - 1);
                progress.add(2 * skipped * units);
                break;
            }
        }
        Ok(solution)
    }

    /// Bandwidth of each switch link as a share of the fastest one's.
    fn capacity(&self) -> Vec<f64> {
        let of = |class: &u16| self.network.classes()[*class as usize].bandwidth_bytes_per_s;
        let fastest = self.network.class_of().iter().map(of).fold(0.0, f64::max);
        self.network.class_of().iter().map(|class| of(class) / fastest).collect()
    }

    /// First pass of a round: flows request bandwidth. Candidates are kept as far as [`KEEP`] goes; the others are made
    /// again, the same.
    fn request(
        &self,
        solution: &Solution,
        round: u32,
        offers: &Offers,
        lanes: &mut [Lane],
        progress: &Progress,
    ) -> Outcome<Vec<Vec<Mutex<Option<Batch>>>>> {
        let room = AtomicUsize::new(KEEP);
        let mut slots = Vec::new();
        for (job, solved) in solution.jobs.iter().enumerate() {
            let of_job: Vec<Mutex<Option<Batch>>> = (0..self.units(job)).map(|_| Mutex::new(None)).collect();
            run(lanes, self.units(job), progress, |lane, unit| {
                self.weigh(job, unit, solved, round, offers, lane)?;
                lane.batch.scatter(&lane.batch.weights, &mut lane.sums);
                if room.load(Ordering::Relaxed) > 0 {
                    let bytes = lane.batch.bytes();
                    let less = |left: usize| Some(left.saturating_sub(bytes));
                    let _ = room.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less);
                    if let Ok(mut slot) = of_job[unit].lock() {
                        *slot = Some(std::mem::take(&mut lane.batch));
                    }
                }
                Ok(())
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
        offers: &Offers,
        kept: &[Vec<Mutex<Option<Batch>>>],
        lanes: &mut [Lane],
        progress: &Progress,
    ) -> Outcome<()> {
        let fixed = self.jobs.iter().all(|job| job.variant.is_direct());
        for (job, solved) in solution.jobs.iter().enumerate() {
            run(lanes, self.units(job), progress, |lane, unit| {
                match kept[job][unit].lock().ok().and_then(|mut slot| slot.take()) {
                    Some(batch) => lane.batch = batch,
                    None => self.weigh(job, unit, solved, round, offers, lane)?,
                }
                lane.grant(offers);
                let Lane { batch, amounts, sums, gain, .. } = lane;
                for (i, given) in solved.given[unit].iter().enumerate() {
                    if !given.is_alive(round) {
                        continue;
                    }
                    let mine = batch.of(i);
                    // Candidates are the same in every round and bandwidth is never exposed later: who has none left never
                    // gets any.
                    if fixed && batch.weights[mine.clone()].iter().all(|w| *w == 0) {
                        given.until.store(round.min(u32::from(ALIVE) - 1) as u16, Ordering::Relaxed);
                    }
                    let mut total = f64::from_bits(given.total.load(Ordering::Relaxed));
                    for &amount in &amounts[mine] {
                        total += amount as f64;
                        *gain += u128::from(amount);
                    }
                    given.total.store(total.to_bits(), Ordering::Relaxed);
                }
                batch.scatter(amounts, sums);
                Ok(())
            })?;
        }
        Ok(())
    }

    /// Lists the candidates of a unit's flows into `lane.batch`, and which part of a flow's bytes requests each.
    fn weigh(
        &self,
        job: usize,
        unit: usize,
        solved: &Solved,
        round: u32,
        offers: &Offers,
        lane: &mut Lane,
    ) -> Outcome<()> {
        let Lane { batch, direct, values, least, .. } = lane;
        batch.clear();
        let (flows, given, sources) = (&solved.flows.units[unit], &solved.given[unit], self.sources(job, unit));
        flows.for_each(sources, |i, source, to, _| {
            if given[i].is_alive(round) {
                self.candidates(job, (source, to), round, &mut batch.paths, direct)?;
            }
            batch.close();
            Ok(())
        })?;
        batch.least(&offers.remaining, values, least);
        let adapts = self.jobs[job].variant.is_adaptive();
        for (i, &bytes) in flows.bytes.iter().enumerate() {
            let parts = (bytes << self.shift) as f64;
            let mine = &least[batch.of(i)];
            let sum: f64 = mine.iter().map(|&l| f64::from(l)).sum();
            let even = 1.0 / mine.len().max(1) as f64;
            batch.weights.extend(mine.iter().map(|&least| match least {
                0.0 => 0,
                _ if adapts => (parts * (f64::from(least) / sum)) as u64,
                _ => (parts * even) as u64,
            }));
        }
        Ok(())
    }

    /// Goes through the rounds again, now knowing what each flow got in all, and hands out its bytes.
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
        for (round, offers) in solution.history.iter().enumerate() {
            run(lanes, self.units(job), progress, |lane, unit| {
                self.weigh(job, unit, solved, round as u32, offers, lane)?;
                lane.grant(offers);
                let (batch, amounts) = (std::mem::take(&mut lane.batch), std::mem::take(&mut lane.amounts));
                solved.flows.units[unit].for_each(self.sources(job, unit), |i, source, to, bytes| {
                    let total = f64::from_bits(solved.given[unit][i].total.load(Ordering::Relaxed));
                    let (pair, parts) = ((source, to), bytes << self.shift);
                    if total == 0.0 {
                        // Its links were full from the start: nothing was decided, so the routing's own shares stand.
                        return if round == 0 { self.shares(job, pair, parts, lane, put) } else { Ok(()) };
                    }
                    let mut sum = f64::from_bits(so_far[unit][i].load(Ordering::Relaxed));
                    for k in batch.of(i) {
                        let before = upto(parts, sum, total);
                        sum += amounts[k] as f64;
                        let carried = upto(parts, sum, total) - before;
                        if carried > 0 {
                            put(lane, pair, batch.paths.get(k).0, carried);
                        }
                    }
                    so_far[unit][i].store(sum.to_bits(), Ordering::Relaxed);
                    Ok(())
                })?;
                (lane.batch, lane.amounts) = (batch, amounts);
                Ok(())
            })?;
        }
        Ok(())
    }
}

impl Lane {
    /// Bandwidth that each path of the batch gets for its request, in units of [`UNITS`].
    fn grant(&mut self, offers: &Offers) {
        let Lane { batch, values, least, amounts, .. } = self;
        batch.least(&offers.available, values, least);
        let granted = |(&weight, &least): (&u64, &f32)| match weight {
            0 => 0,
            _ => (weight as f64 * f64::from(least) * UNITS) as u64,
        };
        amounts.clear();
        amounts.extend(batch.weights.iter().zip(least.iter()).map(granted));
    }
}
