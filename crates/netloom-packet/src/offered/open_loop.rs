//! Offered against accepted load: independent sources, a warm-up, a measurement.

use std::sync::Arc;

use netloom_model::fault::Fault;
use netloom_model::{Network, Outcome, Progress};

use super::late::Late;
use super::measure::Latencies;
use super::source::{Births, Destinations, Gaps, Process};
use crate::codes;
use crate::cycle::engine::Engine;
use crate::observe::watch::Watch;

/// How a point of a curve is measured.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Protocol {
    /// After `warm_up` cycles, what is born in `cycles` cycles is measured, and followed until it has arrived (Dally and
    /// Towles 2004, section 23.3) or until `drain` more cycles are over. As long as fewer than `packets` are born the
    /// measurement goes on for `cycles` more, until [`LONGEST`] times as many were simulated, those aside in which nothing
    /// happens.
    Window { warm_up: u64, cycles: u64, drain: u64, packets: u64 },
    /// After `warm_up` cycles, the accepted load of every 1,000 cycles until four in a row lie within 5 %, then ten
    /// batches of `cycles` (Navaridas 2009, section 4.2).
    Batches { warm_up: u64, cycles: u64 },
}

/// Who sends: ranks, their endpoints, destinations.
#[derive(Clone)]
pub struct Sources<'a> {
    pub endpoint_of_rank: Arc<[u32]>,
    pub destinations: Arc<Destinations>,
    pub process: Process,
    /// Units of a packet.
    pub units: u32,
    pub seed: u64,
    /// Whether links and queues are watched.
    pub watched: bool,
    /// Of a cycle, to say how far the simulation is in its own time.
    pub cycle_ps: f64,
    /// The network, and bins of time in which what stands in its buffers is counted; only with `watched`.
    pub over_time: Option<(&'a Network, u16)>,
}

/// One point: loads are units per cycle and sending endpoint.
#[derive(Clone, Debug, Default)]
pub struct Point {
    /// Units born in the measurement.
    pub born: f64,
    /// Units that arrived in it.
    pub accepted: f64,
    /// Standard deviation of the batches' accepted loads; `None` for one window.
    pub accepted_sd: Option<f64>,
    /// Of the packets born in the measurement. Far beyond saturation it grows with the length of the measurement.
    pub latencies: Latencies,
    pub mean_hops: Option<f64>,
    /// Least and greatest accepted load of any source.
    pub least: f64,
    pub most: f64,
    /// False if packets of the measurement were still under way at the end.
    pub drained: bool,
    pub cycles: u64,
    /// Cycles of the measurement.
    pub window: u64,
    pub packets: u64,
    /// Jain's index of the accepted loads of the sources: 1 if all are equal, 1/n if one has all.
    pub fairness: Option<f64>,
    /// By the number of links between switches: packets of the measurement, and the sum of their latencies.
    pub by_hops: Vec<(u64, u64)>,
    pub watch: Option<Watch>,
    /// Endpoints that send.
    pub senders: Vec<u32>,
    /// Links that all packets began to take, from the first cycle on.
    pub link_hops: u64,
}

/// State of a measurement under way.
struct Run<'a, E> {
    engine: E,
    sources: Sources<'a>,
    births: Births,
    /// Per endpoint its ranks.
    ranks: Arc<[Vec<u32>]>,
    senders: Vec<u32>,
    due: Vec<u32>,
    arrivals: Vec<crate::Delivered>,
    /// Births and arrivals from here on are counted, births until `until`.
    from: u64,
    until: u64,
    born: u64,
    arrived: u64,
    per_source: Vec<u64>,
    latencies: Latencies,
    by_hops: Vec<(u64, u64)>,
    /// Packets of the measurement still under way.
    open: u64,
    /// Cycles in which something may have happened.
    simulated: u64,
}

/// A measurement that lacks packets is lengthened up to so many times, counted in simulated cycles.
pub const LONGEST: u64 = 50;
/// The same with all cycles.
const FARTHEST: u64 = 50_000;

/// Cycles between two looks at the stop flag.
const LOOK: u64 = 256;

impl Protocol {
    /// Cycles of a point at which so many packets are born in a cycle, as far as they are known beforehand.
    pub fn cycles(self, births: f64) -> u64 {
        match self {
            Protocol::Window { warm_up, cycles, packets, .. } if births > 0.0 => {
                let windows = (packets as f64 / (births * cycles as f64)).ceil();
                warm_up + cycles * (windows as u64).clamp(1, LONGEST)
            }
            Protocol::Window { warm_up, cycles, .. } => warm_up + cycles,
            Protocol::Batches { warm_up, cycles } => warm_up + SAMPLE * ALIKE as u64 + BATCHES * cycles,
        }
    }
}

impl<E: Engine> Run<'_, E> {
    fn cycle(&mut self) -> Outcome<()> {
        let now = self.engine.now();
        let counted = (self.from..self.until).contains(&now);
        let (engine, ranks, born, open) = (&mut self.engine, &self.ranks, &mut self.born, &mut self.open);
        let (mut wrong, destinations) = (Ok(()), &self.sources.destinations);
        self.births.cycle(now, &mut self.due, |source, draws| {
            // Where it goes is drawn here to come to the draws behind it, and once more when the packet is made.
            destinations.draw_of(&ranks[source as usize], draws);
            let found = engine.born(source);
            if wrong.is_ok() {
                wrong = found;
            }
            *born += u64::from(counted);
            *open += u64::from(counted);
        });
        wrong?;
        self.engine.cycle(&mut self.arrivals)?;
        for arrival in self.arrivals.drain(..) {
            if (self.from..self.until).contains(&arrival.at) {
                self.arrived += 1;
                self.per_source[arrival.from as usize] += 1;
            }
            if (self.from..self.until).contains(&arrival.born) {
                self.latencies.add(arrival.at - arrival.born);
                let hops = arrival.hops as usize;
                if hops >= self.by_hops.len() {
                    self.by_hops.resize(hops + 1, (0, 0));
                }
                self.by_hops[hops].0 += 1;
                self.by_hops[hops].1 += arrival.at - arrival.born;
                self.open -= 1;
            }
        }
        Ok(())
    }

    /// A new measurement of so many cycles, from now on.
    fn measure(&mut self, cycles: u64) {
        self.from = self.engine.now();
        self.until = self.from + cycles;
        (self.born, self.arrived, self.open) = (0, 0, 0);
        self.by_hops.clear();
        self.latencies = Latencies::default();
        self.per_source.iter_mut().for_each(|count| *count = 0);
    }

    /// The same, with an eye on links and queues.
    fn watch(&mut self, cycles: u64) {
        self.measure(cycles);
        if self.sources.watched {
            self.engine.watch(self.until);
        }
        if let (Some((network, bins)), Some(watch)) = (self.sources.over_time, self.engine.watched()) {
            watch.over_time(network, bins);
        }
    }

    /// Makes the measurement longer, at its end.
    fn extend(&mut self, cycles: u64) {
        self.until += cycles;
        let until = self.until;
        if let Some(watch) = self.engine.watched() {
            watch.extend(until);
        }
    }

    /// Runs to cycle `to`, past cycles in which nothing happens.
    fn run(&mut self, to: u64, progress: &Progress) -> Outcome<()> {
        let (mut look, mut said) = (0, self.engine.now());
        let cycle_ps = self.sources.cycle_ps;
        let mut say = |now: u64| {
            progress.add(now - std::mem::replace(&mut said, now));
            // Of all points: so much that the share done of all work is that of all time.
            progress.set_simulated_ps((progress.get().0 as f64 * cycle_ps) as u64);
        };
        while self.engine.now() < to {
            let next = self.births.next().unwrap_or(to).min(to).min(self.engine.quiet_until());
            if next > self.engine.now() {
                self.engine.skip(next);
                self.births.skip(next);
                continue;
            }
            self.cycle()?;
            self.simulated += 1;
            look += 1;
            if look % LOOK == 0 {
                say(self.engine.now());
                if progress.stopped() {
                    return Err(Fault::say(&codes::STOPPED, "throughput", "the simulation was stopped").into());
                }
            }
        }
        say(self.engine.now());
        Ok(())
    }

    /// Load of so many packets in so many cycles.
    fn load(&self, packets: u64, cycles: u64) -> f64 {
        (packets * u64::from(self.sources.units)) as f64 / cycles as f64 / self.senders.len().max(1) as f64
    }

    fn point(mut self, accepted_sd: Option<f64>, drained: bool) -> Point {
        let cycles = self.until - self.from;
        let each = |packets: u64| (packets * u64::from(self.sources.units)) as f64 / cycles as f64;
        let counts: Vec<u64> = self.senders.iter().map(|e| self.per_source[*e as usize]).collect();
        let squares: f64 = counts.iter().map(|count| (*count as f64).powi(2)).sum();
        let hops: u64 = (0..).zip(&self.by_hops).map(|(hops, (packets, _))| hops * packets).sum();
        let measured = self.latencies.number();
        Point {
            born: self.load(self.born, cycles),
            accepted: self.load(self.arrived, cycles),
            accepted_sd,
            mean_hops: (measured > 0).then(|| hops as f64 / measured as f64),
            least: each(counts.iter().copied().min().unwrap_or(0)),
            most: each(counts.iter().copied().max().unwrap_or(0)),
            drained,
            cycles: self.engine.now(),
            window: cycles,
            fairness: (squares > 0.0).then(|| (self.arrived as f64).powi(2) / (counts.len() as f64 * squares)),
            by_hops: std::mem::take(&mut self.by_hops),
            watch: self.engine.watched().map(std::mem::take),
            packets: self.arrived,
            link_hops: self.engine.link_units().iter().sum::<u64>() / u64::from(self.sources.units),
            latencies: std::mem::take(&mut self.latencies),
            senders: self.senders,
        }
    }
}

/// One point of the curve: every endpoint with a rank that sends is offered `load` units per cycle, in 0 to 1, by
/// the process of the sources. O(packets · hops).
///
/// # Errors
/// `NL-E018` if packets wait for each other forever, `NL-E004` if stopped.
pub fn measure<E: Engine>(
    mut engine: E,
    sources: Sources<'_>,
    load: f64,
    protocol: Protocol,
    progress: &Progress,
) -> Outcome<Point> {
    let endpoints = sources.endpoint_of_rank.iter().copied().max().map_or(0, |most| most as usize + 1);
    let mut ranks = vec![Vec::new(); endpoints];
    for (rank, endpoint) in sources.endpoint_of_rank.iter().enumerate() {
        if sources.destinations.sends(rank as u32) {
            ranks[*endpoint as usize].push(rank as u32);
        }
    }
    let senders: Vec<u32> = (0..endpoints as u32).filter(|e| !ranks[*e as usize].is_empty()).collect();
    let sending = if load > 0.0 { &senders[..] } else { &[] };
    let ranks: Arc<[Vec<u32>]> = ranks.into();
    let gaps = Gaps::new(sources.process, (load, sources.units), endpoints as u32, sources.seed);
    engine.draw_from(Box::new(Late::new(gaps.clone(), sending, &sources, Arc::clone(&ranks))));
    let births = Births::new(gaps, sending);
    let mut run = Run {
        engine,
        sources,
        births,
        ranks,
        senders,
        due: Vec::new(),
        arrivals: Vec::new(),
        from: u64::MAX,
        until: u64::MAX,
        born: 0,
        arrived: 0,
        per_source: vec![0; endpoints],
        latencies: Latencies::default(),
        by_hops: Vec::new(),
        open: 0,
        simulated: 0,
    };
    match protocol {
        Protocol::Window { warm_up, cycles, drain, packets } => {
            run.run(warm_up, progress)?;
            run.watch(cycles);
            run.run(run.until, progress)?;
            while run.born < packets
                && run.simulated < LONGEST * cycles
                && run.until - run.from < FARTHEST * cycles
                && run.births.next().is_some()
            {
                run.extend(cycles);
                run.run(run.until, progress)?;
            }
            let last = run.until + drain;
            // Sources go on, so that what is measured meets the same traffic to its end.
            while run.open > 0 && run.engine.now() < last {
                run.run((run.engine.now() + LOOK).min(last), progress)?;
            }
            let drained = run.open == 0;
            Ok(run.point(None, drained))
        }
        Protocol::Batches { warm_up, cycles } => batches(run, warm_up, cycles, progress),
    }
}

/// Cycles of a sample before the batches; samples in a row that must agree, and how well; batches.
const SAMPLE: u64 = 1000;
const ALIKE: usize = 4;
const WITHIN: f64 = 0.05;
const BATCHES: u64 = 10;
/// Samples after which the batches begin even if they never agree.
const PATIENCE: u64 = 200;

fn batches<E: Engine>(mut run: Run<'_, E>, warm_up: u64, cycles: u64, progress: &Progress) -> Outcome<Point> {
    run.run(warm_up, progress)?;
    let mut samples: Vec<f64> = Vec::new();
    while (samples.len() as u64) < PATIENCE {
        run.measure(SAMPLE);
        run.run(run.until, progress)?;
        samples.push(run.load(run.arrived, SAMPLE));
        let last = &samples[samples.len().saturating_sub(ALIKE)..];
        let (least, most) = last.iter().fold((f64::MAX, 0.0f64), |(a, b), s| (a.min(*s), b.max(*s)));
        if last.len() == ALIKE && most - least <= WITHIN * most {
            break;
        }
    }
    run.watch(BATCHES * cycles);
    let start = run.from;
    let mut loads = Vec::new();
    for batch in 1..=BATCHES {
        let before = run.arrived;
        run.run(start + batch * cycles, progress)?;
        loads.push(run.load(run.arrived - before, cycles));
    }
    let mean = loads.iter().sum::<f64>() / loads.len() as f64;
    let variance = loads.iter().map(|load| (load - mean).powi(2)).sum::<f64>() / (loads.len() - 1) as f64;
    let drained = run.open == 0;
    Ok(run.point(Some(variance.sqrt()), drained))
}
