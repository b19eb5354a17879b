//! All rates anew, by progressive filling.
//!
//! All levels rise together; at the level at which a resource is full, its flows stop, and so does a flow at its cap.
//! Every entry is visited a few times, whatever the levels were before. A resource goes through the heap each time that it
//! seems to be the next full one; that is a pass: O(entries + passes · log resources). Sums kept by differences find the
//! order; the level of a full resource comes from a sum over its flows.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::flow::{CAP, Flow};
use super::queues::Queues;
use super::resource::{Level, Resource};
use super::work::Work;

/// A resource is added up again once its open flows use this part of what they used the last time: the less is left, the
/// more of the difference is rounding.
const WORN: f64 = 1.0 / 16.0;

/// Resources that are full at levels this close, relatively, are full at once: above rounding, and below what separates
/// the ends of two flows.
const TIE: f64 = 1.0 / (1u64 << 44) as f64;

/// A resource that is filled.
#[derive(Clone, Copy, Debug, Default)]
struct Vessel {
    /// Rates of the flows that stopped.
    used: f64,
    /// Use of the others per unit of level.
    open: f64,
    /// The same when it was last added up.
    open_before: f64,
    /// Number of the others.
    flows: u32,
}

impl Vessel {
    /// The level at which the open flows fill it.
    fn level(&self, capacity: f64) -> f64 {
        (capacity - self.used) / self.open
    }

    /// True if rounding may dominate the difference.
    fn is_worn(&self) -> bool {
        self.open <= WORN * self.open_before
    }
}

/// Memory of [`Anew::fill`].
#[derive(Clone, Debug, Default)]
pub struct Vessels {
    /// By resource.
    all: Vec<Vessel>,
    /// Resources with flows.
    used: Vec<u32>,
    /// Flows with a cap.
    caps: Vec<Level>,
    /// By the level at which a resource was last said to be full, which only rises.
    next: BinaryHeap<Reverse<Level>>,
}

/// All of the solver that it works on.
pub struct Anew<'a> {
    pub resources: &'a mut [Resource],
    pub queues: &'a Queues,
    pub flows: &'a mut [Flow],
    pub ways: &'a [u32],
    pub coefficients: &'a [f64],
    pub touched: &'a mut Vec<u32>,
    pub vessels: &'a mut Vessels,
    pub work: &'a mut Work,
}

impl Anew<'_> {
    /// Gives every flow its level, without use of those before; no resource may wait. O(entries + flows + passes · log
    /// resources).
    pub fn fill(&mut self) {
        self.open_all();
        let mut caps = std::mem::take(&mut self.vessels.caps);
        caps.sort_unstable_by(|a, b| b.cmp(a));
        // Levels never fall; rounding could say so where hardly any capacity is left.
        let mut floor = 0.0;
        loop {
            let cap = caps.last().map_or(f64::INFINITY, |cap| cap.0);
            match self.vessels.next.pop() {
                Some(Reverse(Level(key, resource))) if key < cap => {
                    let after = self.vessels.next.peek().map_or(cap, |Reverse(next)| next.0.min(cap));
                    if let Some(level) = self.full(resource, after) {
                        floor = level.max(floor);
                        self.stop_all(resource, floor);
                    }
                }
                other => {
                    self.vessels.next.extend(other);
                    let Some(Level(level, id)) = caps.pop() else { break };
                    floor = level.max(floor);
                    let flow = &mut self.flows[id as usize];
                    if flow.least == f64::INFINITY {
                        stop(flow, level, CAP, self.ways, self.coefficients, &mut self.vessels.all);
                    }
                }
            }
        }
        self.vessels.caps = caps;
        for resource in self.vessels.used.drain(..) {
            let (r, vessel) = (&mut self.resources[resource as usize], &mut self.vessels.all[resource as usize]);
            r.used = if r.offer == f64::INFINITY { vessel.used } else { 0.0 };
            r.settle();
            *vessel = Vessel::default();
        }
    }

    /// No flow has a level.
    fn open_all(&mut self) {
        let Anew { resources, flows, ways, coefficients, touched, vessels, .. } = self;
        let Vessels { all, used, caps, next } = vessels;
        all.resize(resources.len(), Vessel::default());
        for (id, flow) in flows.iter_mut().enumerate().filter(|(_, flow)| flow.alive) {
            if !flow.touched {
                (flow.touched, flow.before) = (true, flow.least);
                touched.push(id as u32);
            }
            (flow.least, flow.by, flow.second, flow.stale) = (f64::INFINITY, CAP, f64::INFINITY, false);
            if flow.cap_level < f64::INFINITY {
                caps.push(Level(flow.cap_level, id as u32));
            }
            for at in flow.way() {
                let vessel = &mut all[ways[at] as usize];
                if vessel.flows == 0 {
                    used.push(ways[at]);
                }
                vessel.flows += 1;
                vessel.open += share(flow, coefficients, at);
            }
        }
        next.clear();
        next.extend(used.iter().map(|&resource| {
            let (r, vessel) = (&mut resources[resource as usize], &mut all[resource as usize]);
            r.offer = f64::INFINITY;
            vessel.open_before = vessel.open;
            Reverse(Level(vessel.level(r.capacity), resource))
        }));
    }

    /// The level at which a resource is full, unless others are full before, up to level `after`: then it goes back into
    /// the heap.
    fn full(&mut self, resource: u32, after: f64) -> Option<f64> {
        let vessel = &mut self.vessels.all[resource as usize];
        if vessel.flows == 0 {
            return None;
        }
        let capacity = self.resources[resource as usize].capacity;
        let (mut level, after) = (vessel.level(capacity), after * (1.0 + TIE));
        if level <= after || vessel.is_worn() {
            self.work.fillings += 1;
            self.work.entries += u64::from(self.queues.len(resource));
            *vessel = sum(resource, self.queues, self.flows, self.coefficients);
            level = vessel.level(capacity);
        }
        if level > after {
            self.vessels.next.push(Reverse(Level(level, resource)));
            return None;
        }
        Some(level)
    }

    /// The open flows of a full resource stop.
    fn stop_all(&mut self, resource: u32, level: f64) {
        self.resources[resource as usize].offer = level;
        let Anew { queues, flows, ways, coefficients, vessels, .. } = self;
        for slot in queues.of(resource) {
            let flow = &mut flows[slot.flow as usize];
            if flow.least == f64::INFINITY {
                stop(flow, level, resource, ways, coefficients, &mut vessels.all);
            }
        }
    }
}

/// A flow stops at a level; its second least offer is that or more.
fn stop(flow: &mut Flow, level: f64, by: u32, ways: &[u32], coefficients: &[f64], vessels: &mut [Vessel]) {
    (flow.least, flow.by, flow.second, flow.stale) = (level, by, level, true);
    for at in flow.way() {
        let (vessel, share) = (&mut vessels[ways[at] as usize], share(flow, coefficients, at));
        vessel.used += share * level;
        vessel.open -= share;
        vessel.flows -= 1;
    }
}

/// Adds up a resource over its flows.
fn sum(resource: u32, queues: &Queues, flows: &[Flow], coefficients: &[f64]) -> Vessel {
    let mut sum = Vessel::default();
    for slot in queues.of(resource) {
        let flow = &flows[slot.flow as usize];
        let share = share(flow, coefficients, (flow.first + slot.nth) as usize);
        if flow.least == f64::INFINITY {
            sum.open += share;
            sum.flows += 1;
        } else {
            sum.used += share * flow.least;
        }
    }
    Vessel { open_before: sum.open, ..sum }
}

/// Use of a resource per unit of level.
#[inline]
fn share(flow: &Flow, coefficients: &[f64], at: usize) -> f64 {
    if flow.plain { flow.weight } else { coefficients[at] * flow.weight }
}
