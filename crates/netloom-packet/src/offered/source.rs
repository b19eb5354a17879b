//! Independent sources: when the next packet is born, and where it goes.

use std::sync::Arc;

use netloom_model::draws::Draws;
use netloom_model::fault::{Fault, codes};
use netloom_model::{Call, Family, Outcome, Value, Workload};

use crate::cycle::wheel::Wheel;

/// Where each source sends, with which probability.
#[derive(Clone, Debug)]
pub enum Destinations {
    /// Any of the ranks, each as likely; with itself or without.
    Uniform { ranks: u32, itself: bool },
    /// Any rank of another host, each as likely; the host of every rank.
    Outside { host_of_rank: Vec<u32> },
    /// In proportion to the bytes of a traffic. Row `r` is `starts[r]..starts[r + 1]`.
    Table { starts: Vec<u32>, to: Vec<u32>, weights: Vec<u64> },
}

/// Most entries of a table of destinations.
const LIMIT: usize = 1 << 27;

impl Destinations {
    /// From a workload: `uniform` draws each packet's destination; any other one sends in proportion to its bytes, without
    /// order.
    ///
    /// `host_of_rank`: hosts with several ports, inside which packets do not use the network and are left out.
    ///
    /// # Errors
    /// `NL-A009` for too many flows.
    pub fn of(workload: &Workload, host_of_rank: Option<Vec<u32>>) -> Outcome<Destinations> {
        if let Ok(call) = Call::parse(workload.label())
            && call.name == "uniform"
        {
            if let Some(host_of_rank) = host_of_rank {
                return Ok(Destinations::Outside { host_of_rank });
            }
            let itself = call.keyword.iter().any(|(name, value)| name == "self" && *value == Value::Bool(true));
            return Ok(Destinations::Uniform { ranks: workload.ranks(), itself });
        }
        let sends = workload.sends()?;
        let (mut starts, mut to, mut weights) = (vec![0], Vec::new(), Vec::new());
        for rank in 0..sends.ranks() {
            if to.len() < LIMIT {
                sends.for_each(rank, &mut |dst, _, bytes| {
                    if host_of_rank.as_ref().is_none_or(|host| host[rank as usize] != host[dst as usize]) {
                        to.push(dst);
                        weights.push(bytes);
                    }
                });
            }
            starts.push(to.len() as u32);
        }
        if to.len() >= LIMIT {
            let sentence = format!("more than {LIMIT} flows are too many for a table of destinations");
            return Err(Fault::say(&codes::TOO_LARGE, workload.label(), sentence).hint("use uniform").into());
        }
        Ok(Destinations::Table { starts, to, weights })
    }

    /// False for a rank that never sends.
    pub fn sends(&self, rank: u32) -> bool {
        match self {
            Destinations::Uniform { ranks, itself } => *itself || *ranks > 1,
            Destinations::Outside { host_of_rank } => {
                host_of_rank.first() != host_of_rank.last() || host_of_rank.iter().any(|host| *host != host_of_rank[0])
            }
            Destinations::Table { starts, weights, .. } => {
                let row = starts[rank as usize] as usize..starts[rank as usize + 1] as usize;
                weights[row].iter().any(|weight| *weight > 0)
            }
        }
    }

    /// The share of a rank's packets that goes to each of its destinations.
    pub fn shares(&self, rank: u32, visit: &mut dyn FnMut(u32, f64)) {
        match self {
            Destinations::Uniform { ranks, itself } => {
                let each = 1.0 / f64::from(if *itself { *ranks } else { ranks - 1 });
                (0..*ranks).filter(|to| *itself || *to != rank).for_each(|to| visit(to, each));
            }
            Destinations::Outside { host_of_rank } => {
                let outside = |to: &u32| host_of_rank[*to as usize] != host_of_rank[rank as usize];
                let others = || (0..host_of_rank.len() as u32).filter(outside);
                let each = 1.0 / others().count() as f64;
                others().for_each(|to| visit(to, each));
            }
            Destinations::Table { starts, to, weights } => {
                let row = starts[rank as usize] as usize..starts[rank as usize + 1] as usize;
                let sum: u128 = weights[row.clone()].iter().map(|weight| u128::from(*weight)).sum();
                for at in row.filter(|at| weights[*at] > 0) {
                    visit(to[at], weights[at] as f64 / sum as f64);
                }
            }
        }
    }

    /// Rank that the next packet of an endpoint goes to, which is sent by any of its ranks.
    pub fn draw_of(&self, ranks: &[u32], draws: &mut Draws) -> u32 {
        let rank = ranks[if ranks.len() == 1 { 0 } else { draws.below(ranks.len() as u32) as usize }];
        self.draw(rank, draws)
    }

    /// Rank that the next packet of `rank` goes to.
    pub fn draw(&self, rank: u32, draws: &mut Draws) -> u32 {
        match self {
            Destinations::Uniform { ranks, itself: true } => draws.below(*ranks),
            Destinations::Uniform { ranks, .. } => {
                let other = draws.below(ranks - 1);
                other + u32::from(other >= rank)
            }
            Destinations::Outside { host_of_rank } => loop {
                let other = draws.below(host_of_rank.len() as u32);
                if host_of_rank[other as usize] != host_of_rank[rank as usize] {
                    break other;
                }
            },
            Destinations::Table { starts, to, weights } => {
                let row = starts[rank as usize] as usize..starts[rank as usize + 1] as usize;
                let mut word = draws.next_u64();
                to[row.clone()][netloom_model::steps::choose(&mut word, &weights[row]).0]
            }
        }
    }
}

/// When packets are born.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Process {
    /// One trial per cycle, always with the same probability.
    Bernoulli,
    /// Bursts of packets, one after another at the full rate of the link, then silence. Both lengths are geometric; `burst` is
    /// the mean number of packets, 1 or more, and the silence makes up the load.
    OnOff { burst: f64 },
}

/// Time between the births of every source, with the same mean rate each. Geometric gaps are exact: a table of the powers of
/// `1 - p`, made by products, since logarithms differ between machines.
#[derive(Clone)]
pub struct Gaps {
    /// `survive[k]` is 2^64 (1 - p)^(k + 1), falling: no birth in the first `k + 1` cycles.
    survive: Arc<[u64]>,
    /// Of every source.
    pub draws: Vec<Draws>,
    /// Of bursts: 2^64 times the probability that another packet follows, and the cycles to it.
    burst: Option<(u64, u64)>,
}

/// Cycles per row of the table.
const BLOCK: usize = 1 << 12;

impl Gaps {
    /// `load` in units per cycle, in (0, 1], in packets of so many units.
    pub fn new(process: Process, (load, units): (f64, u32), ranks: u32, seed: u64) -> Gaps {
        let (probability, burst) = match process {
            Process::Bernoulli => (load / f64::from(units), None),
            Process::OnOff { burst } => {
                let silence = burst * f64::from(units) * (1.0 / load - 1.0);
                (1.0 / (1.0 + silence), Some((((1.0 - 1.0 / burst) * TWO_64) as u64, u64::from(units))))
            }
        };
        let family = Family::new(seed, "packet births");
        let (mut survive, mut left) = (Vec::new(), 1.0f64);
        while survive.len() < BLOCK && left * TWO_64 >= 1.0 {
            left *= 1.0 - probability;
            survive.push((left * TWO_64) as u64);
        }
        let draws = (0..ranks).map(|rank| family.of(rank.into())).collect();
        Gaps { survive: survive.into(), draws, burst }
    }

    /// Cycles before the first birth.
    pub fn first(&mut self, source: u32) -> u64 {
        self.gap(source) - 1
    }

    /// Cycles from a birth to the next: 1 or more.
    pub fn pause(&mut self, source: u32) -> u64 {
        match self.burst {
            None => self.gap(source),
            Some((again, units)) if self.draws[source as usize].next_u64() < again => units,
            Some((_, units)) => units + self.gap(source) - 1,
        }
    }

    /// Trials until one succeeds: 1 or more.
    fn gap(&mut self, source: u32) -> u64 {
        let mut before = 0;
        loop {
            let word = self.draws[source as usize].next_u64();
            // The number of cycles without a birth.
            let quiet = self.survive.partition_point(|survive| word < *survive);
            if quiet < BLOCK {
                return before + quiet as u64 + 1;
            }
            before += BLOCK as u64;
        }
    }
}

/// Births of all sources, cycle by cycle.
pub struct Births {
    gaps: Gaps,
    wheel: Wheel<u32>,
}

impl Births {
    /// `sources` are the ones that send at all.
    pub fn new(mut gaps: Gaps, sources: &[u32]) -> Births {
        let mut wheel = Wheel::new(BLOCK as u64);
        sources.iter().for_each(|source| wheel.put(gaps.first(*source), *source));
        Births { gaps, wheel }
    }

    /// Calls `born` with each source that has a packet in the current cycle, and the source's own random numbers, then goes
    /// to the next cycle. `now` is the current cycle.
    pub fn cycle(&mut self, now: u64, due: &mut Vec<u32>, mut born: impl FnMut(u32, &mut Draws)) {
        self.wheel.take(due);
        for &source in due.iter() {
            born(source, &mut self.gaps.draws[source as usize]);
            let gap = self.gaps.pause(source);
            self.wheel.put(now + gap, source);
        }
        due.clear();
        self.wheel.advance();
    }

    /// Cycle of the next birth.
    pub fn next(&self) -> Option<u64> {
        self.wheel.next()
    }

    /// Goes to a cycle at or before the next birth.
    pub fn skip(&mut self, to: u64) {
        self.wheel.skip(to);
    }
}

const TWO_64: f64 = 18_446_744_073_709_551_616.0;

#[cfg(test)]
mod tests {
    use super::*;

    fn gaps(process: Process, load: (f64, u32), cycles: u64) -> Vec<u64> {
        let mut births = Births::new(Gaps::new(process, load, 1, 7), &[0]);
        let (mut due, mut at) = (Vec::new(), Vec::new());
        for now in 0..cycles {
            births.cycle(now, &mut due, |_, _| at.push(now));
        }
        at.windows(2).map(|pair| pair[1] - pair[0]).collect()
    }

    #[test]
    fn gaps_are_geometric() {
        assert!(gaps(Process::Bernoulli, (1.0, 1), 1000).iter().all(|gap| *gap == 1));
        for p in [0.0625f64, 0.05, 0.0004] {
            let gaps = gaps(Process::Bernoulli, (16.0 * p, 16), (40_000.0 / p) as u64);
            let n = gaps.len() as f64;
            let mean = gaps.iter().sum::<u64>() as f64 / n;
            let deviation = ((1.0 - p).sqrt() / p) / n.sqrt();
            assert!((mean - 1.0 / p).abs() < 5.0 * deviation, "{p}: mean {mean}");
            let long = gaps.iter().filter(|gap| **gap as f64 > 1.0 / p).count() as f64 / n;
            let wanted = (1.0 - p).powi((1.0 / p) as i32);
            assert!((long - wanted).abs() < 5.0 * (wanted / n).sqrt(), "{p}: {long} for {wanted}");
        }
    }

    #[test]
    fn bursts_have_their_mean_length_and_the_load() {
        for (load, burst) in [(0.5, 8.0), (0.05, 3.0), (0.9, 20.0), (0.3, 1.0), (1.0, 4.0)] {
            let (units, packets) = (16u32, 200_000.0);
            let cycles = packets * f64::from(units) / load;
            let gaps = gaps(Process::OnOff { burst }, (load, units), cycles as u64);
            let n = gaps.len() as f64;
            assert!(gaps.iter().all(|gap| *gap >= u64::from(units)));
            // Gaps are `units`, and with probability 1/burst a geometric silence more, of this mean.
            let silence = burst * f64::from(units) * (1.0 / load - 1.0);
            let mean = gaps.iter().sum::<u64>() as f64 / n;
            let second = (silence + 2.0 * silence * silence) / burst;
            let deviation = (second - (silence / burst).powi(2)).sqrt() / n.sqrt();
            let wanted = f64::from(units) / load;
            assert!((mean - wanted).abs() <= 5.0 * deviation + 1e-9, "{load}, {burst}: {mean} for {wanted}");
            // A burst ends where a silence of a cycle or more begins.
            let ends = gaps.iter().filter(|gap| **gap > u64::from(units)).count() as f64 / n;
            let wanted = silence / (1.0 + silence) / burst;
            assert!((ends - wanted).abs() <= 5.0 * (wanted / n).sqrt() + 1e-9, "{load}, {burst}: {ends} for {wanted}");
        }
    }

    #[test]
    fn uniform_destinations_reach_all_others_equally() {
        let family = Family::new(1, "t");
        for itself in [false, true] {
            let uniform = Destinations::Uniform { ranks: 5, itself };
            let mut counts = [0u32; 5];
            let mut draws = family.of(0);
            (0..50_000).for_each(|_| counts[uniform.draw(2, &mut draws) as usize] += 1);
            let each = if itself { 10_000.0 } else { 12_500.0 };
            for (to, count) in counts.into_iter().enumerate() {
                let wanted = if to == 2 && !itself { 0.0 } else { each };
                assert!((f64::from(count) - wanted).abs() < 600.0, "{to}: {count}");
            }
        }
    }
}
