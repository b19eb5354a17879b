//! The iterative model: requests, availability, allocation, remaining bandwidth (seed 004 §3.2.2).
//!
//! In every round each flow looks at its candidate paths. The least remaining bandwidth on a path decides which part of the
//! flow's bytes requests it (an adaptive flow; a static one requests in fixed shares). A link's availability is its
//! remaining bandwidth per requested byte; a path gets its request times the least availability on it. Requests and
//! allocations are summed as integers; remaining and availability are then the same `f32` for every reader.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU16, AtomicU64, AtomicUsize, Ordering};

use netloom_model::{Outcome, PathList, Progress};
use rayon::prelude::*;

use super::Model;
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

/// Candidates and requests of the flows of one unit, from one pass to the next.
#[derive(Default)]
struct Kept {
    paths: PathList,
    weights: Vec<u64>,
    /// End in `paths`, exclusive, of each flow.
    ends: Vec<u32>,
}

impl Kept {
    fn add(&mut self, paths: &PathList, weights: &[u64]) {
        paths.iter().for_each(|(links, share)| self.paths.push(links, share));
        self.weights.extend_from_slice(weights);
    }
    fn bytes(&self) -> usize {
        4 * self.paths.links.len() + 20 * self.weights.len() + 4 * self.ends.len()
    }
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
    pub(super) fn flows_of(&self, job: usize) -> Option<&Flows> {
        self.jobs.get(job).map(|s| &s.flows)
    }
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
    /// O(rounds × flows × paths × hops); 22 bytes per flow, 8 per link and round.
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
    ) -> Outcome<Vec<Vec<Mutex<Option<Kept>>>>> {
        let room = AtomicUsize::new(KEEP);
        let mut slots = Vec::new();
        for (job, solved) in solution.jobs.iter().enumerate() {
            let of_job: Vec<Mutex<Option<Kept>>> = (0..self.units(job)).map(|_| Mutex::new(None)).collect();
            run(lanes, self.units(job), progress, |lane, unit| {
                let mut kept = (room.load(Ordering::Relaxed) > 0).then(Kept::default);
                solved.flows.units[unit].for_each(self.sources(job, unit), |i, source, to, bytes| {
                    if solved.given[unit][i].is_alive(round) {
                        self.weigh(job, (source, to), round, bytes << self.shift, offers, lane)?;
                        lane.request();
                        if let Some(kept) = &mut kept {
                            kept.add(&lane.paths, &lane.weights);
                        }
                    }
                    if let Some(kept) = &mut kept {
                        kept.ends.push(kept.weights.len() as u32);
                    }
                    Ok(())
                })?;
                if let Some(kept) = kept {
                    let bytes = kept.bytes();
                    let less = |left: usize| Some(left.saturating_sub(bytes));
                    let _ = room.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less);
                    if let Ok(mut slot) = of_job[unit].lock() {
                        *slot = Some(kept);
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
        kept: &[Vec<Mutex<Option<Kept>>>],
        lanes: &mut [Lane],
        progress: &Progress,
    ) -> Outcome<()> {
        let fixed = self.jobs.iter().all(|job| job.variant.is_direct());
        for (job, solved) in solution.jobs.iter().enumerate() {
            run(lanes, self.units(job), progress, |lane, unit| {
                let kept = kept[job][unit].lock().ok().and_then(|mut slot| slot.take());
                solved.flows.units[unit].for_each(self.sources(job, unit), |i, source, to, bytes| {
                    let given = &solved.given[unit][i];
                    if !given.is_alive(round) {
                        return Ok(());
                    }
                    let alive = if let Some(kept) = &kept {
                        let first = if i == 0 { 0 } else { kept.ends[i - 1] as usize };
                        let mine = first..kept.ends[i] as usize;
                        lane.allocate(offers, given, mine.map(|k| (kept.paths.get(k).0, kept.weights[k])))
                    } else {
                        self.weigh(job, (source, to), round, bytes << self.shift, offers, lane)?;
                        let (paths, weights) = (std::mem::take(&mut lane.paths), std::mem::take(&mut lane.weights));
                        let mine = paths.iter().zip(&weights).map(|((links, _), &weight)| (links, weight));
                        let alive = lane.allocate(offers, given, mine);
                        (lane.paths, lane.weights) = (paths, weights);
                        alive
                    };
                    // Candidates are the same in every round and bandwidth is never exposed later: who has none left never
                    // gets any.
                    if !alive && fixed {
                        given.until.store(round.min(u32::from(ALIVE) - 1) as u16, Ordering::Relaxed);
                    }
                    Ok(())
                })
            })?;
        }
        Ok(())
    }

    /// Lists the candidates of a flow into `lane.paths`, and which part of its bytes requests each into `lane.weights`.
    fn weigh(
        &self,
        job: usize,
        pair: (u32, u32),
        round: u32,
        parts: u64,
        offers: &Offers,
        lane: &mut Lane,
    ) -> Outcome<()> {
        self.candidates(job, pair, round, &mut lane.paths, &mut lane.direct)?;
        let Lane { paths, weights, least, .. } = lane;
        least.clear();
        let of = |links: &[u32]| links.iter().map(|&l| offers.remaining[l as usize]).fold(f32::INFINITY, f32::min);
        least.extend(paths.iter().map(|(links, _)| of(links)));
        let sum: f64 = least.iter().map(|&l| f64::from(l)).sum();
        let even = 1.0 / least.len().max(1) as f64;
        let adapts = self.jobs[job].variant.is_adaptive();
        weights.clear();
        weights.extend(least.iter().map(|&least| match least {
            0.0 => 0,
            _ if adapts => (parts as f64 * (f64::from(least) / sum)) as u64,
            _ => (parts as f64 * even) as u64,
        }));
        Ok(())
    }

    /// Goes through the rounds again, now knowing what each flow got in all, and hands out its bytes.
    pub(super) fn replay(
        &self,
        job: usize,
        flows: &Flows,
        solution: &Solution,
        lanes: &mut [Lane],
        progress: &Progress,
        put: &(impl Fn(&mut Lane, (u32, u32), &[u32], u64) + Sync),
    ) -> Outcome<()> {
        let solved = &solution.jobs[job];
        let so_far: Vec<Vec<AtomicU64>> =
            flows.units.iter().map(|u| u.to.iter().map(|_| AtomicU64::new(0)).collect()).collect();
        for (round, offers) in solution.history.iter().enumerate() {
            run(lanes, self.units(job), progress, |lane, unit| {
                let given = &solved.given[unit];
                flows.units[unit].for_each(self.sources(job, unit), |i, source, to, bytes| {
                    let total = f64::from_bits(given[i].total.load(Ordering::Relaxed));
                    let pair = (source, to);
                    let parts = bytes << self.shift;
                    if total == 0.0 {
                        // Its links were full from the start: nothing was decided, so the routing's own shares stand.
                        return if round == 0 { self.shares(job, pair, parts, lane, put) } else { Ok(()) };
                    }
                    if !given[i].is_alive(round as u32) {
                        return Ok(());
                    }
                    self.weigh(job, pair, round as u32, parts, offers, lane)?;
                    let mut sum = f64::from_bits(so_far[unit][i].load(Ordering::Relaxed));
                    let paths = std::mem::take(&mut lane.paths);
                    for (k, (links, _)) in paths.iter().enumerate() {
                        let before = upto(parts, sum, total);
                        sum += granted(offers, links, lane.weights[k]);
                        let parts = upto(parts, sum, total) - before;
                        if parts > 0 {
                            put(lane, pair, links, parts);
                        }
                    }
                    lane.paths = paths;
                    so_far[unit][i].store(sum.to_bits(), Ordering::Relaxed);
                    Ok(())
                })
            })?;
        }
        Ok(())
    }
}

/// Bandwidth that a path gets for its request, in units of [`UNITS`].
#[inline]
fn granted(offers: &Offers, links: &[u32], weight: u64) -> f64 {
    if weight == 0 {
        return 0.0;
    }
    let least = links.iter().map(|&l| offers.available[l as usize]).fold(f32::INFINITY, f32::min);
    (weight as f64 * f64::from(least) * UNITS).floor()
}

impl Lane {
    fn request(&mut self) {
        for (k, &weight) in self.weights.iter().enumerate() {
            if weight > 0 {
                for &link in self.paths.get(k).0 {
                    self.sums[link as usize] += weight;
                }
            }
        }
    }

    /// Gives each of one flow's (path, request) what its links offer; false if no candidate had anything left.
    fn allocate<'a>(
        &mut self,
        offers: &Offers,
        given: &Given,
        candidates: impl Iterator<Item = (&'a [u32], u64)>,
    ) -> bool {
        let mut total = f64::from_bits(given.total.load(Ordering::Relaxed));
        let mut alive = false;
        for (links, weight) in candidates.filter(|c| c.1 > 0) {
            alive = true;
            let grant = granted(offers, links, weight);
            total += grant;
            self.gain += grant as u128;
            for &link in links {
                self.sums[link as usize] += grant as u64;
            }
        }
        given.total.store(total.to_bits(), Ordering::Relaxed);
        alive
    }
}
