//! Makes one resource consistent with the offers that its flows get elsewhere.

use super::flow::{CAP, Flow, moved};
use super::level;
use super::level::{Limit, Split};
use super::shift::Resources;
use super::{MaxMin, Resource};

impl MaxMin {
    /// Makes one resource consistent with the offers that its flows get elsewhere. O(flows on it), and O(uses) for each
    /// flow whose level changes.
    pub(super) fn fill(&mut self, resource: u32) {
        let was = self.resources[resource as usize].offer;
        let offer = self.offer(resource);
        let r = &mut self.resources[resource as usize];
        if !moved(was, offer) {
            r.settle();
            return;
        }
        r.offer = offer;
        let used = r.used;
        let MaxMin { resources, queues, flows, ways, coefficients, waiting, touched, spent, .. } = self;
        let mut resources = Resources { all: resources, ways, coefficients, queues, waiting };
        for slot in queues.of(resource) {
            let flow = &mut flows[slot.flow as usize];
            let least = flow.least;
            if flow.by == resource && offer <= flow.second {
                flow.least = offer;
            } else if flow.by == resource {
                look(resources.all, ways, flow);
            } else if offer < least {
                (flow.second, flow.least, flow.by, flow.stale) = (least, offer, resource, false);
            } else {
                // The second least offer is needed where this resource makes the least one: it is found again there.
                if offer < flow.second {
                    (flow.second, flow.stale) = (offer, false);
                } else if was <= flow.second {
                    flow.stale = true;
                }
                continue;
            }
            if !moved(least, flow.least) {
                continue;
            }
            if !flow.touched {
                (flow.touched, flow.before) = (true, least);
                touched.push(slot.flow);
            }
            *spent += u64::from(flow.uses);
            resources.shift(flow.stops(), least, flow.least);
        }
        // Until here it was marked as waiting, so that its own flows did not queue it.
        let r = &mut self.resources[resource as usize];
        r.used = used;
        r.settle();
    }

    /// The current offer of a resource; also adds up the use of its flows.
    fn offer(&mut self, resource: u32) -> f64 {
        let MaxMin { resources, queues, flows, ways, coefficients, limits, work, spent, .. } = self;
        let (capacity, guess, slots) =
            (resources[resource as usize].capacity, resources[resource as usize].offer, queues.of(resource));
        work.fillings += 1;
        *spent += slots.len() as u64;
        if guess == f64::INFINITY {
            // It holds no flow, so that all are held elsewhere: mostly it stays so.
            let used = slots.iter().fold(0.0, |used, slot| {
                let flow = &flows[slot.flow as usize];
                let share =
                    if flow.plain { flow.weight } else { coefficients[(flow.first + slot.nth) as usize] * flow.weight };
                used + share * flow.least
            });
            if used <= capacity {
                work.entries += slots.len() as u64;
                resources[resource as usize].used = used;
                return f64::INFINITY;
            }
        }
        let mut exactly = false;
        let used = loop {
            work.entries += slots.len() as u64;
            limits.clear();
            let (mut split, mut left_out) = (Split::of_none(capacity), false);
            let mut used = 0.0;
            // Extended, not pushed one by one: memory is reserved once.
            limits.extend(slots.iter().map(|slot| {
                let flow = &mut flows[slot.flow as usize];
                let share =
                    if flow.plain { flow.weight } else { coefficients[(flow.first + slot.nth) as usize] * flow.weight };
                // A flow that is open at its least possible limit is open for any value of that limit.
                let held_here = flow.by == resource;
                if held_here & flow.stale & (exactly | (flow.second <= guess)) {
                    look(resources, ways, flow);
                }
                left_out |= held_here & flow.stale;
                let limit = if held_here { flow.second } else { flow.least };
                used += share * limit;
                split.add(guess, limit, share);
                Limit { limit, share }
            }));
            // Mostly the same flows are held as before.
            if used > capacity
                && let Some(level) = split.exact()
            {
                resources[resource as usize].used = 0.0;
                return level;
            }
            if !left_out {
                break used;
            }
            exactly = true;
        };
        let offer = if used <= capacity { f64::INFINITY } else { level::fill(capacity, limits, guess) };
        // Rounding can carry the sum beyond the capacity although no level exceeds it.
        resources[resource as usize].used = if offer == f64::INFINITY { used } else { 0.0 };
        offer
    }
}

/// Finds the least and the second least offer to a flow.
pub(super) fn look(resources: &[Resource], ways: &[u32], flow: &mut Flow) {
    (flow.least, flow.by, flow.second, flow.stale) = (flow.cap_level, CAP, f64::INFINITY, false);
    for &resource in &ways[flow.way()] {
        let offer = resources[resource as usize].offer;
        if offer < flow.least {
            (flow.second, flow.least, flow.by) = (flow.least, offer, resource);
        } else if offer < flow.second {
            flow.second = offer;
        }
    }
}
