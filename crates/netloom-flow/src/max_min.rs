//! Weighted max-min fair rates, kept up to date under arrivals and departures.
//!
//! The *level* of a flow is its rate over its weight. Every resource offers a level: the one at which it is full if
//! each of its flows runs at that level or at the offer of its other resources, whichever is less; a resource that is
//! not filled offers infinity. A flow runs at the least offer on its route. If all offers are consistent, every flow
//! has a full resource on which no flow has a higher level, which is the definition of max-min fairness; so the
//! consistent offers are unique, and any method to reach them is right. Here a change makes the resources of the flow
//! inconsistent; these are filled again, lowest level first, and every flow whose level changes by that makes its other
//! resources inconsistent in turn. The work of this *relaxation* is proportional to what really changes.
//!
//! Where nearly all levels change at once, as in an all-to-all when many messages end, relaxation converges slowly:
//! neighbours push each other to and fro, and every resource is filled dozens to hundreds of times. So relaxation may
//! visit every entry about twice, an entry being a flow on a resource; then all resources are filled together
//! (`anew`). A solve costs O(min(relaxation, entries + passes · log resources)).
//!
//! Most flows of a large set share links with few others. Simple cases are not queued: a flow that has the narrowest of
//! its resources to itself runs at once, a resource with spare capacity only updates the sum of its rates, and one that
//! its last flow leaves is reset.

mod anew;
mod fill;
mod flow;
mod level;
mod queues;
mod resource;
mod shift;
mod work;

use std::cmp::Reverse;

use self::anew::{Anew, Vessels};
use self::fill::look;
pub use self::flow::TOLERANCE;
use self::flow::{CAP, Flow, NOBODY, moved};
use self::level::Limit;
use self::queues::{Queues, Slot};
use self::resource::{Level, Resource, WAITS, Waiting, wait};
use self::shift::{Resources, Shift, Stops};
pub use self::work::Work;

/// Use of one resource by a flow: `coefficient` times its rate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Use {
    pub resource: u32,
    pub coefficient: f64,
}

/// Resources with capacities, flows with weights and caps, and the max-min fair rate of every flow.
#[derive(Clone, Debug, Default)]
pub struct MaxMin {
    resources: Vec<Resource>,
    /// Flows on every resource.
    queues: Queues,
    flows: Vec<Flow>,
    /// Routes of the flows: resources.
    ways: Vec<u32>,
    /// For each, the position of the flow in the queue there.
    positions: Vec<u32>,
    /// The same for flows that are not plain.
    coefficients: Vec<f64>,
    free: Vec<u32>,
    waiting: Waiting,
    touched: Vec<u32>,
    /// The flows on the resource being filled.
    limits: Vec<Limit>,
    vessels: Vessels,
    only_relaxes: bool,
    /// Number of entries (flow on resource).
    entries: u64,
    /// Entries visited so far, by filling resources one by one and by changing flows for it.
    spent: u64,
    pub work: Work,
}

impl MaxMin {
    /// Capacities must be positive.
    pub fn new(capacity: impl IntoIterator<Item = f64>) -> MaxMin {
        let mut made = MaxMin::default();
        capacity.into_iter().for_each(|capacity| _ = made.add_resource(capacity));
        made
    }

    /// Never fills all resources together, however slowly relaxation converges. Rates are the same except for rounding.
    pub fn only_relaxing(mut self) -> MaxMin {
        self.only_relaxes = true;
        self
    }

    /// Adds a resource of positive capacity; returns its number, counted from 0.
    pub fn add_resource(&mut self, capacity: f64) -> u32 {
        let mut resource = Resource { used: 0.0, look_at: 0.0, offer: f64::INFINITY, capacity };
        resource.settle();
        self.resources.push(resource);
        self.queues.open();
        self.resources.len() as u32 - 1
    }

    /// Removes all flows and keeps the memory. The count of work continues.
    pub fn clear(&mut self) {
        self.queues.clear();
        for resource in &mut self.resources {
            resource.empty();
            resource.settle();
        }
        self.flows.clear();
        self.ways.clear();
        self.positions.clear();
        self.coefficients.clear();
        self.free.clear();
        self.waiting.clear();
        self.touched.clear();
        self.entries = 0;
    }

    /// Number of flows.
    pub fn flows(&self) -> usize {
        self.flows.len() - self.free.len()
    }

    /// Adds a flow; its rate is known after the next [`MaxMin::solve`]. Every resource is at most once in `uses`;
    /// `weight` and `cap` are positive, `cap` may be infinite. O(uses).
    pub fn add(&mut self, uses: &[Use], weight: f64, cap: f64) -> u32 {
        let id = self.free.pop().unwrap_or_else(|| {
            self.flows.push(NOBODY);
            self.flows.len() as u32 - 1
        });
        let flow = &mut self.flows[id as usize];
        if (flow.room as usize) < uses.len() {
            // A quarter of a cache line, a half, or whole ones.
            let room = uses.len().next_multiple_of(if uses.len() <= 8 { 4 } else { 16 });
            (flow.first, flow.room) = (self.ways.len() as u32, room as u32);
            self.ways.resize(self.ways.len() + room, 0);
            self.positions.resize(self.ways.len(), 0);
        }
        // A previous level of 0 makes the first rate a change.
        (flow.weight, flow.cap_level, flow.alive, flow.before) = (weight, cap / weight, true, 0.0);
        flow.uses = uses.len() as u32;
        self.entries += uses.len() as u64;
        flow.plain = uses.iter().all(|of| of.coefficient == 1.0);
        if !flow.plain && self.coefficients.len() < self.ways.len() {
            self.coefficients.resize(self.ways.len(), 1.0);
        }
        if !flow.touched {
            flow.touched = true;
            self.touched.push(id);
        }
        // The resource that would hold it first if all other flows were held elsewhere.
        let (mut narrow, mut room) = (CAP, f64::INFINITY);
        for ((nth, of), at) in uses.iter().enumerate().zip(flow.way()) {
            self.positions[at] = self.queues.push(of.resource, Slot { flow: id, nth: nth as u32 });
            self.ways[at] = of.resource;
            if !flow.plain {
                self.coefficients[at] = of.coefficient;
            }
            let r = &self.resources[of.resource as usize];
            let level = (r.capacity - r.used) / (of.coefficient * weight);
            if level < room || narrow == CAP {
                (narrow, room) = (of.resource, level);
            }
        }
        look(&self.resources, &self.ways, flow);
        let is_first = flow.least == f64::INFINITY && narrow != CAP;
        if is_first {
            // Nothing holds it yet. It has no level before the narrowest resource is filled, unless it is alone there.
            let r = &mut self.resources[narrow as usize];
            if self.queues.len(narrow) > 1 || r.waits() {
                self.wait(narrow, room);
                return id;
            }
            (r.offer, r.look_at) = (room, WAITS);
            (flow.least, flow.by) = (room, narrow);
        }
        let (stops, least) = (flow.stops(), flow.least);
        self.shift(stops, 0.0, least);
        if is_first {
            let r = &mut self.resources[narrow as usize];
            r.used = 0.0;
            r.settle();
        }
        id
    }

    /// Gives a flow another weight, and a cap in proportion to it; level and rate over weight stay until the next
    /// [`MaxMin::solve`]. So `n` equal flows are one of `n` times the weight. O(uses).
    pub fn reweigh(&mut self, id: u32, weight: f64) {
        let flow = &mut self.flows[id as usize];
        let more = weight - flow.weight;
        flow.weight = weight;
        let (flow, by) = (*flow, Shift::of(flow.least, flow.least));
        for at in flow.way() {
            let (resource, coefficient) = (self.ways[at], if flow.plain { 1.0 } else { self.coefficients[at] });
            let r = &mut self.resources[resource as usize];
            // Where no flow is held, none gets more when one takes less.
            if !r.has_room_for(coefficient * more * by.level()) && (more > 0.0 || r.offer < f64::INFINITY) {
                by.crowd(r, &self.queues, &mut self.waiting, resource, coefficient * weight);
            }
        }
    }

    /// Removes a flow. O(uses).
    pub fn remove(&mut self, id: u32) {
        let flow = self.flows[id as usize];
        for at in flow.way() {
            let (resource, position) = (self.ways[at], self.positions[at]);
            if let Some(moved) = self.queues.swap_remove(resource, position) {
                let first = self.flows[moved.flow as usize].first;
                self.positions[(first + moved.nth) as usize] = position;
            }
            if self.queues.len(resource) > 0 {
                let share = if flow.plain { flow.weight } else { self.coefficients[at] * flow.weight };
                let (by, r) = (Shift::of(flow.least, 0.0), &mut self.resources[resource as usize]);
                // Where no flow is held, no flow gets more.
                if !r.has_room_for(share * by.more) && r.offer < f64::INFINITY {
                    wait(r, &mut self.waiting, resource, by.level());
                }
            } else {
                let r = &mut self.resources[resource as usize];
                r.empty();
                if !r.waits() {
                    r.settle();
                }
            }
        }
        // The flow's place in `ways` stays reserved for the next flow with its number.
        let flow = &mut self.flows[id as usize];
        self.entries -= u64::from(flow.uses);
        (flow.uses, flow.alive) = (0, false);
        self.free.push(id);
    }

    /// Rate of a flow, in the unit of the capacities; right after [`MaxMin::solve`].
    pub fn rate(&self, id: u32) -> f64 {
        let flow = &self.flows[id as usize];
        flow.least * flow.weight
    }

    /// Entries that relaxation may visit in a solve: as many as if every resource were filled once and every flow changed
    /// once. Filling all resources together costs about as much; it also passes over the places of former flows.
    fn patience(&self) -> u64 {
        if self.only_relaxes { u64::MAX } else { 2 * self.entries + self.flows.len() as u64 }
    }

    /// Fills all resources together. O(entries + flows + passes · log resources).
    pub(crate) fn fill_all(&mut self) {
        while let Some(Reverse(Level(_, resource))) = self.waiting.pop() {
            self.resources[resource as usize].settle();
        }
        let MaxMin { resources, queues, flows, ways, coefficients, touched, vessels, work, .. } = self;
        Anew { resources, queues, flows, ways, coefficients, touched, vessels, work }.fill();
    }

    /// Brings the rates up to date; calls `changed(flow, rate)` for every flow whose rate changed.
    pub fn solve(&mut self, mut changed: impl FnMut(u32, f64)) {
        if self.waiting.is_empty() && self.touched.is_empty() {
            return;
        }
        self.work.solves += 1;
        let bound = self.spent.saturating_add(self.patience());
        while let Some(Reverse(Level(_, resource))) = self.waiting.pop() {
            self.fill(resource);
            if self.spent > bound {
                self.fill_all();
            }
        }
        for &id in &self.touched {
            let flow = &mut self.flows[id as usize];
            flow.touched = false;
            if flow.alive && moved(flow.before, flow.least) {
                self.work.changes += 1;
                changed(id, flow.least * flow.weight);
            }
        }
        self.touched.clear();
    }

    fn shift(&mut self, flow: Stops, from: f64, to: f64) {
        let MaxMin { resources, ways, coefficients, queues, waiting, .. } = self;
        Resources { all: resources, ways, coefficients, queues, waiting }.shift(flow, from, to);
    }

    /// Queues a resource to be filled again, in the order of levels.
    fn wait(&mut self, resource: u32, level: f64) {
        wait(&mut self.resources[resource as usize], &mut self.waiting, resource, level);
    }
}
