//! Link loads in one call: solve, distribute, find the causes.

use netloom_model::{Network, Outcome, Progress};

use super::summary::Neighbours;
use super::{Cause, Counts, Job, Loads, Model, Settings, Unit, summary};

/// Loads of all jobs, and the results derived from them.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// Per job.
    pub counts: Vec<Counts>,
    pub loads: Loads,
    pub unit: Unit,
    /// Of the iteration: number of rounds, share that the last one added to the allocated bandwidth, flows kept.
    pub rounds: u32,
    pub last_gain: f64,
    pub flows: u64,
    /// Of the hottest links.
    pub causes: Vec<Cause>,
    /// Per job; empty for a single job.
    pub neighbours: Vec<Neighbours>,
}

/// Loads of `jobs` together, with the causes of the `hottest` links: the `top` message classes and pairs of each.
///
/// # Errors
/// Those of [`Model::new`], [`Model::solve`], [`Model::distribute`] and [`Model::causes`].
pub fn report(
    network: &Network,
    jobs: Vec<Job<'_>>,
    settings: Settings,
    (hottest, top): (usize, usize),
    progress: &Progress,
) -> Outcome<Report> {
    let several = jobs.len() > 1;
    let model = Model::new(network, jobs, settings, progress)?;
    let solution = model.solve(progress)?;
    let loads = model.distribute(&solution, progress)?;
    let (bandwidth, unit) = (bandwidths(network), model.unit());
    let hot = summary::hottest(&loads.by_job, &bandwidth, hottest, unit);
    let causes = if hot.is_empty() { Vec::new() } else { model.causes(&solution, &hot, top, progress)? };
    let neighbours = if several { summary::neighbours(&loads.by_job, &bandwidth, unit) } else { Vec::new() };
    let (rounds, last_gain, flows) = (solution.rounds, solution.last_gain, solution.flows());
    Ok(Report { counts: model.counts().to_vec(), loads, unit, rounds, last_gain, flows, causes, neighbours })
}

/// Of every switch link.
pub fn bandwidths(network: &Network) -> Vec<f64> {
    let classes = network.classes();
    network.class_of().iter().map(|c| classes[*c as usize].bandwidth_bytes_per_s).collect()
}

impl Report {
    /// Per endpoint, summed over jobs: what it sends, and what it receives.
    pub fn ends(&self, of: fn(&Counts) -> &Vec<u64>) -> Vec<u64> {
        let mut sums = self.counts.first().map_or_else(Vec::new, |counts| of(counts).clone());
        for counts in self.counts.iter().skip(1) {
            sums.iter_mut().zip(of(counts)).for_each(|(sum, bytes)| *sum += bytes);
        }
        sums
    }

    /// Bytes on every link of the network: switch links, then injection, then ejection.
    pub fn link_bytes(&self, total: &[u64]) -> Vec<f64> {
        let ends = self.ends(|c| &c.injected).into_iter().chain(self.ends(|c| &c.ejected));
        total.iter().map(|&load| self.unit.bytes(load)).chain(ends.map(|bytes| bytes as f64)).collect()
    }

    /// As [`classes`].
    pub fn classes<'a>(&self, network: &'a Network, total: &[u64]) -> Vec<Class<'a>> {
        classes(network, (total, self.unit), [self.ends(|c| &c.injected), self.ends(|c| &c.ejected)])
    }
}

/// Links of each class with their loads and speeds: all switch links, the classes of them, injection and ejection of
/// endpoints in service, those inside switches left out. Classes with the same name, which may have different speeds in
/// files, are merged. O(links log links).
pub fn classes<'a>(
    network: &'a Network,
    (total, unit): (&[u64], Unit),
    [injected, ejected]: [Vec<u64>; 2],
) -> Vec<Class<'a>> {
    let speeds = bandwidths(network);
    let times = |loads: &[u64], speed: &dyn Fn(usize) -> f64, unit| summary::times(loads, speed, unit);
    let mut rows = vec![Class::new("all", times(total, &|l| speeds[l], unit), total.to_vec(), unit)];
    let mut names: Vec<&str> = Vec::new();
    for class in network.classes() {
        if names.contains(&class.name.as_str()) {
            continue;
        }
        names.push(&class.name);
        let of: Vec<bool> = network.classes().iter().map(|c| c.name == class.name).collect();
        let links: Vec<usize> = (0..total.len()).filter(|l| of[network.class_of()[*l] as usize]).collect();
        if !links.is_empty() {
            let loads: Vec<u64> = links.iter().map(|l| total[*l]).collect();
            let taken = times(&loads, &|at| speeds[links[at]], unit);
            rows.push(Class::new(&class.name, taken, loads, unit));
        }
    }
    let speed = network.endpoint_class().bandwidth_bytes_per_s;
    let inside = network.combining().start as usize;
    let on = |e: usize| e < inside && network.in_service(network.endpoint_switch()[e]);
    for (name, column) in [("injection", injected), ("ejection", ejected)] {
        let column: Vec<u64> = column.into_iter().enumerate().filter(|(e, _)| on(*e)).map(|(_, bytes)| bytes).collect();
        rows.push(Class::new(name, times(&column, &|_| speed, Unit::WHOLE), column, Unit::WHOLE));
    }
    rows
}

/// Loads of the links of one class.
pub struct Class<'a> {
    pub name: &'a str,
    /// `None` without links.
    pub six: Option<summary::Six>,
    /// The longest and the mean time that their bytes take.
    pub max_s: f64,
    pub mean_s: f64,
}

impl<'a> Class<'a> {
    fn new(name: &'a str, (max_s, mean_s): (f64, f64), loads: Vec<u64>, unit: Unit) -> Class<'a> {
        Class { name, six: summary::six(loads, unit), max_s, mean_s }
    }
}
