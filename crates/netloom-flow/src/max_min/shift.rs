//! A flow that changes its level, and the resources on its route.

use super::queues::Queues;
use super::resource::{Resource, Waiting, wait};

/// The change of a flow from one level to another; 0 for a flow that does not exist.
#[derive(Clone, Copy, Debug)]
pub struct Shift {
    pub more: f64,
    from: f64,
    to: f64,
}

impl Shift {
    #[inline(always)]
    pub fn of(from: f64, to: f64) -> Shift {
        // A flow without a level is in no sum yet.
        let from = if from == f64::INFINITY { 0.0 } else { from };
        Shift { more: to - from, from, to }
    }

    /// The level under which the resource is queued, if needed.
    pub fn level(self) -> f64 {
        if self.from == 0.0 || (self.to != 0.0 && self.to < self.from) { self.to } else { self.from }
    }

    /// Effect on a resource without spare capacity, of which the flow uses `share` per unit of level.
    pub fn crowd(self, r: &mut Resource, queues: &Queues, waiting: &mut Waiting, resource: u32, share: f64) {
        if r.offer == f64::INFINITY && queues.len(resource) == 1 {
            // Its only flow is held elsewhere: no sum, no rounding.
            r.used = share * self.to;
            if r.used <= r.capacity {
                return;
            }
        }
        wait(r, waiting, resource, self.level());
    }
}

/// All resources and the other data for changing a flow, as slices: filling one resource changes many flows.
pub struct Resources<'a> {
    pub all: &'a mut [Resource],
    pub ways: &'a [u32],
    pub coefficients: &'a [f64],
    pub queues: &'a Queues,
    pub waiting: &'a mut Waiting,
}

/// The parts of a flow needed here. Its route is `ways[first..first + uses]`.
#[derive(Clone, Copy, Debug)]
pub struct Stops {
    pub first: u32,
    pub uses: u32,
    pub weight: f64,
    /// True if all coefficients are 1.
    pub plain: bool,
}

impl Resources<'_> {
    /// Moves a flow from one level to another: the resources on its route are queued to be filled again, unless they
    /// have spare capacity or are queued already.
    #[inline(always)]
    pub fn shift(&mut self, flow: Stops, from: f64, to: f64) {
        let way = flow.first as usize..(flow.first + flow.uses) as usize;
        let (by, stops) = (Shift::of(from, to), &self.ways[way.clone()]);
        if flow.plain {
            self.pass(stops, by, |_| flow.weight);
        } else {
            let coefficients = &self.coefficients[way];
            self.pass(stops, by, |at| coefficients[at] * flow.weight);
        }
    }

    /// Which of the resources are full is hard to predict, but mostly none is: the first loop has no branches.
    #[inline(always)]
    fn pass(&mut self, stops: &[u32], by: Shift, share: impl Fn(usize) -> f64) {
        let mut room = true;
        for (at, &resource) in stops.iter().enumerate() {
            room &= self.all[resource as usize].has_room_for(share(at) * by.more);
        }
        if room {
            return;
        }
        for (at, &resource) in stops.iter().enumerate() {
            let r = &mut self.all[resource as usize];
            if !r.has_room() {
                by.crowd(r, self.queues, self.waiting, resource, share(at));
            }
        }
    }
}
