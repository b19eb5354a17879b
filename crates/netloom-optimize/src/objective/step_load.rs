//! The longest time that the bytes of a directed link take, step by step.
//!
//! Steps follow one another (a workload without steps is one), so their worst links add up, while the loads of all steps together hide who waits for whom.
//! Links of endpoints count too, and those inside nodes. As for the largest load, the search descends a smooth stand-in: the
//! sum over steps of the fourth root of the sum of the fourth powers of the times.

use std::sync::Arc;

use netloom_model::Outcome;

use super::levels::Levels;
use super::paths::{Ends, PathTable, Touching};
use super::row::{Followed, Goal, KEEP, Needs, ObjectiveRow, SLACK};
use super::score::{FOLLOWED, Objective, too_large};
use crate::guest::Weigh;
use crate::picoseconds::PS_PER_S;
use crate::places::Places;
use crate::prepared::{Prepared, blocks};

pub const STEP_LOAD: ObjectiveRow = ObjectiveRow {
    name: "step-load",
    aliases: &[],
    summary: "Longest time that the bytes of a directed link take in a step, those of endpoints and inside nodes included, summed over steps (one if the workload has none), picoseconds; the search descends fourth roots of sums of fourth powers.",
    params: &[KEEP, SLACK],
    example: "step-load",
    restrictions: "",
    source: "max-link-load, step by step and in the shares of the routing's paths",
    build: Goal {
        needs: Needs { paths: Followed::Shares, ..Needs::NOTHING },
        weigh: |_| Weigh::Bytes,
        make: |prepared, _, places, paths| Ok(Box::new(StepLoad::new(prepared, paths.table(prepared)?, places)?)),
        bound: |_| 0,
        moves: None,
        every: false,
    },
};

/// Most counters (steps × links) and messages.
const COUNTER_LIMIT: u64 = 1 << 24;
const MESSAGE_LIMIT: u64 = 1 << 24;
/// Times are whole numbers up to this one: fourth powers add up exactly.
const FINEST: f64 = (1u64 << 24) as f64;

/// Where a rank is: its site, and its endpoint among those in use.
#[derive(Clone, Copy)]
struct Stand {
    site: u32,
    port: u32,
}

/// What no move changes.
struct Steps {
    paths: PathTable,
    /// Source, destination, parts of bytes and step of every message.
    ends: Vec<Ends>,
    bytes: Vec<u64>,
    step: Vec<u32>,
    touching: Touching,
    /// Times per part of a byte of every link: switch links, then injection and ejection of each endpoint, then those inside
    /// nodes.
    rate: Vec<f64>,
    /// Endpoints in use, and that of each slot.
    ports: u32,
    port_of_slot: Vec<u32>,
    node_of_port: Vec<u32>,
    levels: Levels,
    /// Counters of a step, a power of two.
    leaves: usize,
    /// Picoseconds of a unit of time.
    unit_ps: f64,
}

#[derive(Clone)]
struct StepLoad {
    fixed: Arc<Steps>,
    load: Vec<u64>,
    /// Per step a complete binary tree of maxima over the times of its links.
    tree: Vec<u32>,
    /// Sum of the fourth powers of a step's times, and its fourth root.
    powers: Vec<u128>,
    roots: Vec<f64>,
    /// Sum over steps of the longest time.
    longest: u64,
    /// Endpoint of every rank and filler, among those in use.
    port_of: Vec<u32>,
    /// Links inside nodes of a message.
    inside: Vec<u32>,
    /// Counters that the move under evaluation changed, with their loads before; and the steps they are of.
    changed: Vec<(u32, u64)>,
    touched: Vec<bool>,
    steps: Vec<u32>,
    seen: Vec<bool>,
}

impl StepLoad {
    /// # Errors
    /// `NL-A009` beyond 2^24 messages or counters.
    pub fn new(prepared: &Prepared<'_>, paths: PathTable, places: &Places) -> Outcome<StepLoad> {
        let fixed = Steps::new(prepared, paths, places)?;
        let steps = fixed.step.iter().max().map_or(0, |s| *s as usize + 1);
        let counters = steps as u64 * fixed.leaves as u64;
        if counters > COUNTER_LIMIT {
            return Err(too_large(&prepared.problem.traffic.label, "counters of links in steps", counters).into());
        }
        let mut made = StepLoad {
            load: vec![0; counters as usize],
            tree: vec![0; 2 * counters as usize],
            powers: vec![0; steps],
            roots: vec![0.0; steps],
            longest: 0,
            port_of: Vec::new(),
            inside: Vec::new(),
            changed: Vec::new(),
            touched: vec![false; counters as usize],
            steps: Vec::new(),
            seen: vec![false; steps],
            fixed: Arc::new(fixed),
        };
        made.fill(places);
        Ok(made)
    }

    fn fill(&mut self, places: &Places) {
        let fixed = Arc::clone(&self.fixed);
        self.port_of = (0..places.slots()).map(|rank| fixed.port_of_slot[places.slot(rank) as usize]).collect();
        self.load.fill(0);
        self.tree.fill(0);
        self.powers.fill(0);
        self.roots.fill(0.0);
        self.longest = 0;
        for (i, &Ends { src, dst }) in fixed.ends.iter().enumerate() {
            self.carry(&fixed, i, Ends { src, dst }, places, true);
        }
        self.weigh(&fixed);
        self.settle();
    }

    /// Moves message `i` on or off the links between where two ranks are. Loads only.
    #[inline]
    fn carry(&mut self, fixed: &Steps, i: usize, ends: Ends, places: &Places, on: bool) {
        let at = |rank: u32| Stand { site: places.site(rank), port: self.port_of[rank as usize] };
        let (from, to) = (at(ends.src), at(ends.dst));
        self.change(fixed, i, from, to, on);
        if fixed.levels.any() {
            self.change_inside(fixed, i, places.slot(ends.src), places.slot(ends.dst), on);
        }
    }

    /// Moves message `i` on or off the links between nodes.
    #[inline]
    fn change(&mut self, fixed: &Steps, i: usize, from: Stand, to: Stand, on: bool) {
        if fixed.node_of_port[from.port as usize] == fixed.node_of_port[to.port as usize] {
            return;
        }
        let first = fixed.paths.links as u32;
        let ends = [first + from.port, first + fixed.ports + to.port];
        let links = fixed.paths.between(from.site, to.site).iter().chain(&ends);
        self.put(fixed, i, links, fixed.paths.shares(from.site, to.site), on);
    }

    /// Moves message `i` on or off the links inside nodes, between two slots.
    #[inline(never)]
    fn change_inside(&mut self, fixed: &Steps, i: usize, from: u32, to: u32, on: bool) {
        let mut inside = std::mem::take(&mut self.inside);
        fixed.levels.between(from, to, &mut inside);
        if !inside.is_empty() {
            self.put(fixed, i, inside.iter(), &[], on);
        }
        self.inside = inside;
    }

    /// Bytes of message `i` onto or off links; in full where there are no shares.
    #[inline(always)]
    fn put<'l>(&mut self, fixed: &Steps, i: usize, links: impl Iterator<Item = &'l u32>, shares: &[f32], on: bool) {
        let (bytes, step) = (fixed.bytes[i], fixed.step[i] as usize);
        if !std::mem::replace(&mut self.seen[step], true) {
            self.steps.push(step as u32);
        }
        for (at, &link) in links.enumerate() {
            let share = |share: &f32| (bytes as f64 * f64::from(*share)) as u64;
            let bytes = shares.get(at).map_or(bytes, share);
            let counter = step * fixed.leaves + link as usize;
            let load = &mut self.load[counter];
            if !std::mem::replace(&mut self.touched[counter], true) {
                self.changed.push((counter as u32, *load));
            }
            *load = if on { *load + bytes } else { *load - bytes };
        }
    }

    /// Brings times and their powers up to date with the loads that changed. Many messages share a link: once for each link.
    fn weigh(&mut self, fixed: &Steps) {
        for &(counter, _) in &self.changed {
            let (step, link) = (counter as usize / fixed.leaves, counter as usize % fixed.leaves);
            let leaf = 2 * step * fixed.leaves + fixed.leaves + link;
            let time = (self.load[counter as usize] as f64 * fixed.rate[link]) as u32;
            self.powers[step] = self.powers[step] + fourth(time) - fourth(self.tree[leaf]);
            self.tree[leaf] = time;
        }
    }

    /// True if the messages of both take the same links from and to the same places: an exchange changes no load.
    #[inline]
    fn alike(&self, places: &Places, a: u32, b: u32) -> bool {
        let at = |rank: u32| (places.site(rank), self.port_of[rank as usize]);
        !self.fixed.levels.any() && at(a) == at(b)
    }

    /// Moves all messages of `a` and `b` to where they go after the exchange, and gives the change of the energy. O(messages
    /// × path length + steps).
    fn shift(&mut self, places: &Places, a: u32, b: u32) -> f64 {
        if self.alike(places, a, b) {
            return 0.0;
        }
        let fixed = Arc::clone(&self.fixed);
        let other = |rank: u32| {
            if rank == a {
                b
            } else if rank == b {
                a
            } else {
                rank
            }
        };
        for (on, moved) in [(false, false), (true, true)] {
            fixed.touching.each(&fixed.ends, a, b, |i| {
                let stand = |rank: u32| if moved { other(rank) } else { rank };
                let ends = Ends { src: stand(fixed.ends[i].src), dst: stand(fixed.ends[i].dst) };
                self.carry(&fixed, i, ends, places, on);
            });
        }
        self.weigh(&fixed);
        let change = |s: &u32| root(self.powers[*s as usize]) - self.roots[*s as usize];
        self.steps.iter().map(change).sum()
    }

    /// Takes the last shift back.
    fn unshift(&mut self) {
        let fixed = Arc::clone(&self.fixed);
        for &(counter, load) in &self.changed {
            self.load[counter as usize] = load;
        }
        self.weigh(&fixed);
        self.forget();
    }

    fn forget(&mut self) {
        self.steps.drain(..).for_each(|s| self.seen[s as usize] = false);
        self.changed.drain(..).for_each(|(counter, _)| self.touched[counter as usize] = false);
    }

    /// Brings maxima, roots and the value up to date after a shift. O(changes × log links).
    fn settle(&mut self) {
        let leaves = self.fixed.leaves;
        let top = |tree: &[u32], step: u32| u64::from(tree[2 * step as usize * leaves + 1]);
        let before: u64 = self.steps.iter().map(|s| top(&self.tree, *s)).sum();
        for &(counter, _) in &self.changed {
            let base = 2 * (counter as usize / leaves) * leaves;
            let mut node = (leaves + counter as usize % leaves) / 2;
            while node > 0 {
                let largest = self.tree[base + 2 * node].max(self.tree[base + 2 * node + 1]);
                if self.tree[base + node] == largest {
                    break;
                }
                self.tree[base + node] = largest;
                node /= 2;
            }
        }
        let after: u64 = self.steps.iter().map(|s| top(&self.tree, *s)).sum();
        self.longest = self.longest + after - before;
        for &step in &self.steps {
            self.roots[step as usize] = root(self.powers[step as usize]);
        }
        self.forget();
    }
}

impl Steps {
    fn new(prepared: &Prepared<'_>, paths: PathTable, places: &Places) -> Outcome<Steps> {
        let (mut ends, mut bytes, mut step) = (Vec::new(), Vec::new(), Vec::new());
        let mut add = |src: u32, dst: u32, size: u64, at: u32| {
            if src != dst && size > 0 {
                ends.push(Ends { src, dst });
                bytes.push(size);
                step.push(at);
            }
        };
        match prepared.problem.schedule {
            Some(schedule) if schedule.messages() > MESSAGE_LIMIT => {
                return Err(too_large(&schedule.label, "messages", schedule.messages()).into());
            }
            Some(schedule) => schedule.for_each_message(|m| add(m.src, m.dst, m.bytes, m.step)),
            None => prepared.problem.traffic.flows().iter().for_each(|f| add(f.src, f.dst, f.bytes, 0)),
        }
        let port_of_slot = blocks(&prepared.endpoints, prepared.problem.slots);
        let ports = port_of_slot.iter().max().map_or(0, |n| n + 1);
        let mut node_of_port = vec![0; ports as usize];
        for (slot, &port) in port_of_slot.iter().enumerate() {
            node_of_port[port as usize] = prepared.closed_of_slot[slot];
        }
        let levels = Levels::new(prepared, paths.links as u32 + 2 * ports);
        // All bytes of the largest step over the slowest link take the longest time that can be.
        let mut per_step = vec![0u64; step.iter().max().map_or(0, |s| *s as usize + 1)];
        step.iter().zip(&bytes).for_each(|(s, b)| per_step[*s as usize] += b);
        let most = per_step.into_iter().max().unwrap_or(0);
        // Shares of a message are counted in parts of a byte.
        let parts = if most < 1 << 46 { 1 << 16 } else { 1 };
        bytes.iter_mut().for_each(|b| *b *= parts);
        let most = (most * parts) as f64;
        let seconds = seconds_per_byte(prepared, paths.links, &port_of_slot).chain(levels.seconds.iter().copied());
        let seconds: Vec<f64> = seconds.map(|s| s / parts as f64).collect();
        let slowest = seconds.iter().copied().fold(0.0, f64::max);
        let unit_s = (most * slowest / FINEST).max(f64::MIN_POSITIVE);
        let touching = Touching::new(&ends, places.slots());
        let rate: Vec<f64> = seconds.iter().map(|s| s / unit_s).collect();
        let leaves = rate.len().next_power_of_two().max(2);
        let unit_ps = unit_s * PS_PER_S;
        Ok(Steps {
            paths,
            ends,
            bytes,
            step,
            touching,
            rate,
            ports,
            port_of_slot,
            node_of_port,
            levels,
            leaves,
            unit_ps,
        })
    }
}

/// Seconds per byte of switch links, then of injection and of ejection of every endpoint in use.
fn seconds_per_byte(prepared: &Prepared<'_>, links: usize, port_of_slot: &[u32]) -> impl Iterator<Item = f64> {
    let network = prepared.problem.network;
    let seconds = |link: u32| 1.0 / network.class(link).bandwidth_bytes_per_s;
    let mut endpoint = vec![0u32; port_of_slot.iter().max().map_or(0, |n| *n as usize + 1)];
    for (slot, &port) in port_of_slot.iter().enumerate().rev() {
        endpoint[port as usize] = prepared.endpoints[slot];
    }
    let injection = endpoint.iter().map(|e| seconds(network.injection_link(*e)));
    let ejection = endpoint.iter().map(|e| seconds(network.ejection_link(*e)));
    let ends: Vec<f64> = injection.chain(ejection).collect();
    (0..links as u32).map(seconds).chain(ends)
}

#[inline]
fn fourth(time: u32) -> u128 {
    let square = u64::from(time) * u64::from(time);
    u128::from(square) * u128::from(square)
}

#[inline]
fn root(powers: u128) -> f64 {
    (powers as f64).sqrt().sqrt()
}

impl Objective for StepLoad {
    fn value(&self) -> u64 {
        (self.longest as f64 * self.fixed.unit_ps).round() as u64
    }
    fn energy(&self, places: &Places) -> f64 {
        let mut fresh = self.clone();
        fresh.fill(places);
        fresh.roots.iter().sum()
    }
    fn swap_delta(&mut self, places: &Places, a: u32, b: u32) -> f64 {
        let change = self.shift(places, a, b);
        self.unshift();
        change
    }
    fn swap(&mut self, places: &Places, a: u32, b: u32) {
        self.shift(places, a, b);
        self.settle();
        self.port_of.swap(a as usize, b as usize);
    }
    fn unit(&self) -> f64 {
        self.fixed.unit_ps
    }
    fn relative_cost(&self) -> u64 {
        2 * FOLLOWED
    }
    fn boxed<'s>(&self) -> Box<dyn Objective + 's>
    where
        Self: 's,
    {
        Box::new(self.clone())
    }
}
