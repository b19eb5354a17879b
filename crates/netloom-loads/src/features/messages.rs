//! How far messages travel, and how they share the FIFOs of NICs.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use netloom_model::network::Grid;
use netloom_model::{Hosts, Network, Outcome, Progress, Scenario, Sends};
use rayon::prelude::*;

/// Messages between nodes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Messages {
    /// Hops of the longest one.
    pub dilation_max: f64,
    /// Mean and sum over the messages that travel further than the mean; 0 where none does.
    pub dilation_above_mean: f64,
    pub dilation_above_sum: f64,
    /// Messages in the fullest injection FIFO.
    pub fifo_max: f64,
}

/// Ways out of an endpoint: on a grid one FIFO for each direction, else one.
struct Fifos<'a> {
    network: &'a Network,
    grid: Option<&'a Grid>,
    held: Vec<AtomicU64>,
}

impl<'a> Fifos<'a> {
    fn new(network: &'a Network) -> Fifos<'a> {
        let grid = network.structure().grid.as_ref();
        let each = grid.map_or(1, |grid| 2 * grid.dims.len());
        let held = (0..network.endpoints() as usize * each).map(|_| AtomicU64::new(0)).collect();
        Fifos { network, grid, held }
    }

    /// Where the message goes first in dimension order; half way round a ring, up.
    fn direction(grid: &Grid, from: u32, to: u32) -> usize {
        let mut place = grid.dims.iter().product::<u32>();
        for (dimension, (&extent, &wraps)) in grid.dims.iter().zip(&grid.wrap).enumerate() {
            place /= extent;
            let (here, there) = (from / place % extent, to / place % extent);
            if here != there {
                let up = (there + extent - here) % extent;
                let rises = if wraps { 2 * up <= extent } else { there > here };
                return 2 * dimension + usize::from(rises);
            }
        }
        0
    }

    fn put(&self, endpoint: u32, to: u32, messages: u64) {
        let ends = self.network.endpoint_switch();
        let fifo = match self.grid {
            None => endpoint as usize,
            Some(grid) => {
                let direction = Fifos::direction(grid, ends[endpoint as usize], ends[to as usize]);
                endpoint as usize * 2 * grid.dims.len() + direction
            }
        };
        self.held[fifo].fetch_add(messages, Ordering::Relaxed);
    }
}

/// Of all jobs of a scenario. O(messages), parallel.
///
/// # Errors
/// Those of the distances.
pub fn messages(scenario: &Scenario, sends: &[Arc<dyn Sends>], progress: &Progress) -> Outcome<Messages> {
    let network = &*scenario.machine.network;
    let (distances, hosts) = (scenario.machine.hop_counts()?, scenario.machine.closed_hosts());
    let inside = |hosts: &Hosts, from: u32, to: u32| hosts.host(from) == hosts.host(to);
    let (fifos, ends) = (Fifos::new(network), network.endpoint_switch());
    let mut by_hops = [0u64; 256];
    for (job, sends) in scenario.jobs.iter().zip(sends) {
        let endpoints = job.seats.endpoints();
        let of_rank = |rank: u32| {
            let (mut counts, from) = ([0u64; 256], endpoints[rank as usize]);
            if !progress.stopped() {
                sends.for_each_summed(rank, &mut |to, messages, _| {
                    let to = endpoints[to as usize];
                    if from != to && !hosts.as_ref().is_some_and(|hosts| inside(hosts, from, to)) {
                        let hops = distances.between(ends[from as usize], ends[to as usize]);
                        counts[usize::from(hops)] += messages;
                        fifos.put(from, to, messages);
                    }
                });
            }
            counts
        };
        let add = |mut sum: [u64; 256], own: [u64; 256]| {
            sum.iter_mut().zip(own).for_each(|(sum, own)| *sum += own);
            sum
        };
        let of_job = (0..sends.ranks()).into_par_iter().map(of_rank).reduce(|| [0; 256], add);
        by_hops = add(by_hops, of_job);
    }
    let fifo_max = fifos.held.iter().map(|held| held.load(Ordering::Relaxed)).max().unwrap_or(0) as f64;
    Ok(Messages { fifo_max, ..dilation(&by_hops) })
}

/// From messages by hops.
fn dilation(by_hops: &[u64]) -> Messages {
    let sums = |from: usize| {
        let rows = || by_hops.iter().enumerate().skip(from);
        let hops: u128 = rows().map(|(hops, count)| hops as u128 * u128::from(*count)).sum();
        (rows().map(|(_, count)| u128::from(*count)).sum::<u128>(), hops)
    };
    let (messages, hops) = sums(0);
    if messages == 0 {
        return Messages::default();
    }
    // The first whole number above the mean.
    let (above, above_hops) = sums((hops / messages) as usize + 1);
    Messages {
        dilation_max: by_hops.iter().rposition(|count| *count > 0).unwrap_or(0) as f64,
        dilation_above_mean: if above == 0 { 0.0 } else { above_hops as f64 / above as f64 },
        dilation_above_sum: above_hops as f64,
        fifo_max: 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dilation_is_of_messages_that_travel_further_than_the_mean() {
        let found = dilation(&[0, 4, 0, 2, 1]);
        // 14 hops of 7 messages: those of 3 and 4 hops are above 2.
        assert_eq!(
            found,
            Messages { dilation_max: 4.0, dilation_above_mean: 10.0 / 3.0, dilation_above_sum: 10.0, fifo_max: 0.0 }
        );
        assert_eq!(dilation(&[0, 0, 0, 5]), Messages { dilation_max: 3.0, ..Messages::default() });
        assert_eq!(dilation(&[0, 0]), Messages::default());
    }

    #[test]
    fn the_first_direction_is_that_of_the_first_dimension_that_differs() {
        let grid = Grid { dims: vec![4, 6], wrap: vec![true, false], complete: false };
        let at = |x: u32, y: u32| x * 6 + y;
        for (from, to, direction) in [
            (at(0, 0), at(0, 5), 3),
            (at(0, 5), at(0, 0), 2),
            (at(0, 5), at(1, 0), 1),
            (at(0, 5), at(3, 5), 0),
            (at(1, 0), at(3, 0), 1),
        ] {
            assert_eq!(Fifos::direction(&grid, from, to), direction, "{from} -> {to}");
        }
    }
}
