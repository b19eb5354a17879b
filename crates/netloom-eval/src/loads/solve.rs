//! The iterative model: requests, availability, allocation, remaining bandwidth (seed 004 §3.2.2).
//!
//! In every round each flow looks at its candidate paths. The least remaining bandwidth on a path decides which part of the
//! flow's bytes requests it (an adaptive flow; a static one requests in fixed shares). A link's availability is its
//! remaining bandwidth per requested byte; a path gets its request times the least availability on it. Requests and
//! allocations are summed as integers; remaining and availability are then the same `f32` for every reader.

use std::sync::atomic::{AtomicU16, AtomicU64, Ordering};

use netloom_model::{Outcome, Progress};
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

/// Bandwidth of a link in one round.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Offer {
    /// Exposed and not given away, as a share of the fastest link's bandwidth; 0 below [`DEAD`].
    remaining: f32,
    /// Remaining per unit of request.
    available: f32,
}

/// What the iterations found: enough to split every flow.
#[derive(Default)]
pub struct Solution {
    jobs: Vec<Option<Solved>>,
    /// Per round, what the links offered: enough to repeat every decision.
    history: Vec<Vec<Offer>>,
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

impl Solution {
    pub(super) fn flows_of(&self, job: usize) -> Option<&Flows> {
        self.jobs.get(job)?.as_ref().map(|s| &s.flows)
    }
    /// Flows between pairs of switches that the iterations held.
    pub fn flows(&self) -> u64 {
        let units = self.jobs.iter().flatten().flat_map(|s| &s.flows.units);
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
            solution.jobs.push(Some(Solved { flows, given }));
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
            let mut offers: Vec<Offer> = allocated
                .par_iter()
                .zip(&capacity)
                .map(|(&given, &most)| {
                    let left = (exposed * most - given as f64 / UNITS) as f32;
                    Offer { remaining: if left < DEAD { 0.0 } else { left }, available: 0.0 }
                })
                .collect();
            requested.fill(0);
            self.round(&solution, round, &offers, &mut lanes, progress, Pass::Request)?;
            gather(&mut lanes, &mut requested);
            offers.par_iter_mut().zip(&requested).for_each(|(offer, &asked)| {
                if asked > 0 {
                    // Rounded down by more than the error of f32, so that a link never gives more than it has, and by less
                    // than DEAD, so that a link that gave all it had is full.
                    offer.available = (f64::from(offer.remaining) / asked as f64 * (1.0 - MARGIN)) as f32;
                }
            });
            self.round(&solution, round, &offers, &mut lanes, progress, Pass::Allocate)?;
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

    fn round(
        &self,
        solution: &Solution,
        round: u32,
        offers: &[Offer],
        lanes: &mut [Lane],
        progress: &Progress,
        pass: Pass,
    ) -> Outcome<()> {
        for (job, solved) in solution.jobs.iter().enumerate() {
            let Some(solved) = solved else { continue };
            run(lanes, self.units(job), progress, |lane, unit| {
                let given = &solved.given[unit];
                solved.flows.units[unit].for_each(self.sources(job, unit), |i, source, to, bytes| {
                    if u32::from(given[i].until.load(Ordering::Relaxed)) < round {
                        return Ok(());
                    }
                    let parts = bytes << self.shift;
                    self.weigh(job, (source, to), round, parts, offers, lane)?;
                    match pass {
                        Pass::Request => lane.request(),
                        Pass::Allocate => {
                            let alive = lane.allocate(offers, &given[i]);
                            if !alive && self.jobs[job].variant.is_direct() && solution_is_fixed(self) {
                                given[i].until.store(round.min(u32::from(ALIVE) - 1) as u16, Ordering::Relaxed);
                            }
                        }
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
        offers: &[Offer],
        lane: &mut Lane,
    ) -> Outcome<()> {
        self.candidates(job, pair, round, &mut lane.paths, &mut lane.direct)?;
        let Lane { paths, weights, least, .. } = lane;
        least.clear();
        let of = |links: &[u32]| links.iter().map(|&l| offers[l as usize].remaining).fold(f32::INFINITY, f32::min);
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
        let Some(solved) = solution.jobs[job].as_ref() else { return Ok(()) };
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
                    if u32::from(given[i].until.load(Ordering::Relaxed)) < round as u32 {
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

#[derive(Clone, Copy, PartialEq, Eq)]
enum Pass {
    Request,
    Allocate,
}

/// Bandwidth that a path gets for its request, in units of [`UNITS`].
#[inline]
fn granted(offers: &[Offer], links: &[u32], weight: u64) -> f64 {
    if weight == 0 {
        return 0.0;
    }
    let least = links.iter().map(|&l| offers[l as usize].available).fold(f32::INFINITY, f32::min);
    (weight as f64 * f64::from(least) * UNITS).floor()
}

/// True if candidates are the same in every round and bandwidth is never exposed later: who has none left never gets any.
fn solution_is_fixed(model: &Model<'_>) -> bool {
    model.jobs.iter().all(|job| job.variant.is_direct())
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

    /// False if no candidate had anything left.
    fn allocate(&mut self, offers: &[Offer], given: &Given) -> bool {
        let mut total = f64::from_bits(given.total.load(Ordering::Relaxed));
        let mut alive = false;
        for (k, &weight) in self.weights.iter().enumerate() {
            if weight == 0 {
                continue;
            }
            alive = true;
            let links = self.paths.get(k).0;
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
