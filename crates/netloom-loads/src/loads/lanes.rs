//! Work in units over all threads, each thread with its own accumulator.

use std::sync::atomic::{AtomicUsize, Ordering};

use netloom_model::{Fault, Faults, Outcome, PathList, Progress};
use rayon::prelude::*;

use super::batch::Batch;
use super::room::Room;
use super::tree::Tree;
use crate::codes;

/// Sums and scratch space of one thread.
#[derive(Default)]
pub struct Lane {
    /// One sum per switch link.
    pub sums: Vec<u64>,
    /// Loads of a stage that are not rounded to units yet, one per switch link where there are any.
    pub shared: Vec<f64>,
    /// Routes to one destination, and the bytes from each source switch.
    pub tree: Tree,
    pub sources: Vec<(u32, u64)>,
    /// Switches from which packets may get onto a watched link.
    pub upstream: Vec<u32>,
    /// Switches and the ranks whose packets arrive there in a stage.
    pub arrived: Vec<(u32, f64)>,
    pub paths: PathList,
    pub room: Room,
    pub batch: Batch,
    /// Per path of the batch, the least of a column on it, and its allocation.
    pub least: Vec<f32>,
    pub amounts: Vec<f32>,
    /// Per flow of the batch, the sum of `least`.
    pub by_flow: Vec<f64>,
    /// Per link of the batch's paths, the column's entry.
    pub values: Vec<f32>,
    /// Bytes per destination of the current source, or per source switch, and the destinations where they are above zero.
    pub by_end: Vec<u64>,
    pub touched: Vec<u32>,
    /// Flows over watched links: (link, source switch, destination switch, units).
    pub crossings: Vec<(u32, u32, u32, u64)>,
    /// Bandwidth allocated in this round.
    pub gain: u128,
}

pub fn lanes(sums: usize) -> Vec<Lane> {
    (0..rayon::current_num_threads()).map(|_| Lane { sums: vec![0; sums], ..Lane::default() }).collect()
}

/// Calls `work(lane, unit)` for all units, each on some lane; it returns the steps of `progress` that it made. If
/// several fail, the fault of the first unit is kept.
///
/// # Errors
/// `NL-E004` if stopped, and those of `work`.
pub fn run<L: Send>(
    lanes: &mut [L],
    units: usize,
    progress: &Progress,
    work: impl Fn(&mut L, usize) -> Outcome<usize> + Sync,
) -> Outcome<()> {
    let next = AtomicUsize::new(0);
    let failed = AtomicUsize::new(usize::MAX);
    let first = lanes
        .par_iter_mut()
        .with_max_len(1)
        .map(|lane| {
            let mut mine: Option<(usize, Faults)> = None;
            loop {
                let unit = next.fetch_add(1, Ordering::Relaxed);
                // Units before a failed one are still done, so that the fault is the same on any number of threads.
                if unit >= units || unit > failed.load(Ordering::Relaxed) || progress.stopped() {
                    return mine;
                }
                match work(lane, unit) {
                    Ok(steps) => progress.add(steps as u64),
                    Err(faults) => {
                        failed.fetch_min(unit, Ordering::Relaxed);
                        mine = Some((unit, faults));
                        return mine;
                    }
                }
            }
        })
        .flatten()
        .min_by_key(|(unit, _)| *unit);
    if progress.stopped() {
        return Err(Fault::say(&codes::STOPPED, "loads", "summing link loads was stopped before the end").into());
    }
    first.map_or(Ok(()), |(_, faults)| Err(faults))
}

/// Adds the sums of all lanes to `total` and clears them.
pub fn gather(lanes: &mut [Lane], total: &mut [u64]) {
    for lane in lanes {
        total.par_iter_mut().zip(lane.sums.par_iter_mut()).with_min_len(1 << 16).for_each(|(total, sum)| {
            *total += std::mem::take(sum);
        });
    }
}
