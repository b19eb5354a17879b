//! A flow that changes its level, and what it passes.

use super::queues::Queues;
use super::resource::{Resource, Shift, Waiting};

/// The resources with all that moving a flow takes, as slices: a resource that is filled moves many flows.
pub struct Ground<'a> {
    pub resources: &'a mut [Resource],
    pub ways: &'a [u32],
    pub coefficients: &'a [f64],
    pub queues: &'a Queues,
    pub waiting: &'a mut Waiting,
}

/// What of a flow matters here. Its way is `ways[first..first + uses]`.
#[derive(Clone, Copy, Debug)]
pub struct Stops {
    pub first: u32,
    pub uses: u32,
    pub weight: f64,
    /// True if all coefficients are 1.
    pub plain: bool,
}

impl Ground<'_> {
    /// A flow goes from one level to another: the resources on its way are to be filled anew, unless they have room or
    /// wait already.
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

    /// Which of the resources are full is hard to guess, but mostly none is: the first loop does without branches.
    #[inline(always)]
    fn pass(&mut self, stops: &[u32], by: Shift, share: impl Fn(usize) -> f64) {
        let mut room = true;
        for (at, &resource) in stops.iter().enumerate() {
            room &= self.resources[resource as usize].has_room_for(share(at) * by.more);
        }
        if room {
            return;
        }
        for (at, &resource) in stops.iter().enumerate() {
            let r = &mut self.resources[resource as usize];
            if !r.has_room() {
                by.crowd(r, self.queues, self.waiting, resource, share(at));
            }
        }
    }
}
