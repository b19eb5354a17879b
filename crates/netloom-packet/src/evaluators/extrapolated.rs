//! From three parts of a run to the whole.

use netloom_model::Per;

use crate::{Carried, ParallelStats};
use netloom_ranks::{Execution, RoutedMachine};

/// A part of a run.
pub(super) struct PartialRun {
    pub share: f64,
    /// The same as a count.
    pub units: u64,
    pub done: Execution<Carried>,
    pub together: ParallelStats,
}

impl PartialRun {
    /// When the last rank of a job ends.
    fn end_s(&self, job: usize) -> f64 {
        self.done.finish_s[job].iter().copied().fold(0.0, f64::max)
    }

    /// Bytes in buffers, mean, times seconds.
    fn held(&self) -> f64 {
        let Some(seen) = &self.done.work.seen else { return 0.0 };
        seen.links.iter().filter_map(|link| link.held).map(|(mean, _)| mean).sum::<f64>() * seen.until as f64 * 1e-12
    }
}

/// The whole run.
pub(super) struct Extrapolated {
    /// Of every rank of every job.
    pub finish_s: Vec<Vec<f64>>,
    /// Of every job: when its last rank ends, and how far that may be off.
    jobs: Vec<(f64, f64)>,
}

impl Extrapolated {
    /// Shares double from part to part. `unfilled`: what buffers hold over what is sent into them in the last one.
    pub(super) fn of(
        parts: [&PartialRun; 3],
        unfilled: f64,
        machine: &RoutedMachine<'_>,
        packet_bytes: u32,
    ) -> Extrapolated {
        let [_, b, c] = parts;
        let unsteady = change_of_held(parts) + unfilled;
        let job = |job: usize| {
            let ends = parts.map(|part| part.end_s(job));
            let [early, late] = slopes(parts, ends);
            let time_s = at_whole([b, c], [ends[1], ends[2]]);
            let error_s = (late - early).abs() * (1.0 - c.share);
            // What is not in proportion to the share, such as latencies and the filling of buffers, hides how links behave later.
            let other = (1.0 - late * c.share / ends[2]).abs().min(1.0);
            (time_s, error_s + (unsteady + other) * (time_s - ends[2]).abs())
        };
        let mut jobs: Vec<(f64, f64)> = (0..c.done.finish_s.len()).map(job).collect();
        let least_s = busiest_link_s(c, machine, packet_bytes.into());
        if let Some(last) = jobs.iter_mut().max_by(|one, other| one.0.total_cmp(&other.0))
            && last.0 < least_s
        {
            *last = (least_s, last.1.max(least_s - last.0));
        }
        let of_ranks = |(job, (time_s, _)): (usize, &(f64, f64))| {
            let (before, now, last_s) = (&b.done.finish_s[job], &c.done.finish_s[job], c.end_s(job));
            let rank = |(before, now): (&f64, &f64)| {
                if *now < last_s { at_whole([b, c], [*before, *now]).max(*now).min(*time_s) } else { *time_s }
            };
            before.iter().zip(now).map(rank).collect()
        };
        let finish_s = jobs.iter().enumerate().map(of_ranks).collect();
        Extrapolated { finish_s, jobs }
    }

    /// When the last rank ends.
    pub(super) fn time_s(&self) -> f64 {
        self.jobs.iter().map(|(time_s, _)| *time_s).fold(0.0, f64::max)
    }

    /// How far that may be off.
    pub(super) fn error_s(&self) -> f64 {
        self.jobs.iter().map(|(_, error_s)| *error_s).fold(0.0, f64::max)
    }
}

/// What grows by equal steps has grown so much at share 1.
fn at_whole([b, c]: [&PartialRun; 2], [at_b, at_c]: [f64; 2]) -> f64 {
    at_c + (at_c - at_b) / (c.share - b.share) * (1.0 - c.share)
}

/// What is added for each share more, from the first part to the second and from there to the third.
fn slopes([a, b, c]: [&PartialRun; 3], [at_a, at_b, at_c]: [f64; 3]) -> [f64; 2] {
    [(at_b - at_a) / (b.share - a.share), (at_c - at_b) / (c.share - b.share)]
}

/// By how much more, or less, stands in buffers in the time that the third part adds than in that of the second: while buffers
/// fill, links may yet become slower.
fn change_of_held(parts: [&PartialRun; 3]) -> f64 {
    let [held_early, held_late] = slopes(parts, parts.map(PartialRun::held));
    let [early, late] = slopes(parts, parts.map(|part| part.done.end_s()));
    let (early, late) = (held_early / early, held_late / late);
    if early > 0.0 && late.is_finite() { (late / early - 1.0).abs() } else { 0.0 }
}

/// Seconds that the busiest link takes at least for the bytes of the whole run: no run is sooner over. Of packets that draw their
/// links twice the deviation is left out.
fn busiest_link_s(c: &PartialRun, machine: &RoutedMachine<'_>, packet_bytes: f64) -> f64 {
    let seconds = |(link, bytes): (u32, &u64)| {
        let (class, bytes) = (machine.network.class(link), *bytes as f64);
        let surely = bytes - 2.0 * (bytes * packet_bytes).sqrt();
        if class.per == Per::Flow { 0.0 } else { surely / c.share / class.bandwidth_bytes_per_s }
    };
    (0..machine.network.links()).zip(&c.done.work.link_bytes).map(seconds).fold(0.0, f64::max)
}
