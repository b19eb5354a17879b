//! Weighted max-min fair rates, kept up to date under arrivals and departures.
//!
//! The *level* of a flow is its rate over its weight. Every resource offers a level: the one at which it is full if each
//! of its flows runs at that level or at what its other resources offer it, whichever is less; a resource that is not
//! filled offers infinity. A flow runs at the least offer on its way. If all offers are consistent, every flow has a
//! full resource on which no flow has a higher level, which is the definition of max-min fairness; so the consistent
//! offers are unique, and any way to reach them is right. Here a change makes the resources of the flow inconsistent;
//! these are filled anew, lowest level first, and whatever flow changes its level by that makes its other resources
//! inconsistent in turn. The work is what the change really moves.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A level that moves by less than this share of itself does not move: four units in the last place. It keeps rounding
/// from travelling, and is all that a rate can be wrong by, times the number of flows on its bottleneck at worst.
pub const TOLERANCE: f64 = 1.0 / (1u64 << 50) as f64;

/// How a flow uses one resource: with `coefficient` times its rate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Use {
    pub resource: u32,
    pub coefficient: f64,
}

/// A resource that is used to less than this share is not looked at: its sum of rates, kept by differences, is right to
/// some 1e-16 per change since it was last added up.
const SLACK: f64 = 1.0 - 1.0 / (1u64 << 20) as f64;

#[derive(Clone, Copy, Debug)]
struct Held {
    resource: u32,
    /// Where the flow stands in the resource's list.
    position: u32,
    /// Coefficient times weight: what the flow takes per unit of its level.
    share: f64,
}

#[derive(Clone, Copy, Debug)]
struct Slot {
    flow: u32,
    /// Which of the flow's uses this is.
    nth: u32,
    share: f64,
}

/// What filling a resource needs to know of a flow, in one place.
#[derive(Clone, Copy, Debug)]
struct Offered {
    /// The least offer, which is the flow's level, and who makes it ([`CAP`] for the flow's own cap).
    least: f64,
    by: u32,
    /// The least offer of the others.
    second: f64,
}

#[derive(Clone, Copy, Debug)]
struct Flow {
    /// Its uses are `held[first..first + uses]`, and `room` entries are its own.
    first: u32,
    uses: u16,
    room: u16,
    weight: f64,
    cap_level: f64,
    /// Level before the current solve, if it was touched in it.
    before: f64,
    touched: bool,
    alive: bool,
}

#[derive(Clone, Debug, Default)]
struct Resource {
    capacity: f64,
    slots: Vec<Slot>,
    /// Sum of rates, if the offer is infinite.
    used: f64,
    waiting: bool,
}

const CAP: u32 = u32::MAX;

/// Work done so far, in units that do not depend on the machine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// Calls of [`MaxMin::solve`] that had something to do.
    pub solves: u64,
    /// Resources filled anew.
    pub fillings: u64,
    /// Entries (flow on resource) looked at while filling.
    pub entries: u64,
    /// Rates that changed.
    pub changes: u64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Level(f64, u32);

impl Eq for Level {}
impl Ord for Level {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0).then(self.1.cmp(&other.1))
    }
}
impl PartialOrd for Level {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

/// Resources with capacities, flows with weights and caps, and the max-min fair rate of every flow.
#[derive(Clone, Debug)]
pub struct MaxMin {
    resources: Vec<Resource>,
    /// Offer of every resource.
    offers: Vec<f64>,
    flows: Vec<Flow>,
    held: Vec<Held>,
    offered: Vec<Offered>,
    free: Vec<u32>,
    waiting: BinaryHeap<Reverse<Level>>,
    touched: Vec<u32>,
    /// (limit, share) of the flows on the resource being filled.
    limits: Vec<(f64, f64)>,
    pub work: Work,
}

impl MaxMin {
    /// Capacities must be positive.
    pub fn new(capacity: impl IntoIterator<Item = f64>) -> MaxMin {
        let resource = |capacity| Resource { capacity, ..Resource::default() };
        let resources: Vec<Resource> = capacity.into_iter().map(resource).collect();
        MaxMin {
            offers: vec![f64::INFINITY; resources.len()],
            resources,
            flows: Vec::new(),
            held: Vec::new(),
            offered: Vec::new(),
            free: Vec::new(),
            waiting: BinaryHeap::new(),
            touched: Vec::new(),
            limits: Vec::new(),
            work: Work::default(),
        }
    }

    /// Flows that are there.
    pub fn flows(&self) -> usize {
        self.flows.len() - self.free.len()
    }

    /// Adds a flow; its rate is known after the next [`MaxMin::solve`]. Every resource stands at most once in `uses`, of
    /// which there are fewer than 2^16; `weight` and `cap` are positive, `cap` may be infinite. O(uses).
    pub fn add(&mut self, uses: &[Use], weight: f64, cap: f64) -> u32 {
        let id = self.free.pop().unwrap_or_else(|| {
            self.flows.push(Flow {
                first: 0,
                uses: 0,
                room: 0,
                weight,
                cap_level: 0.0,
                before: 0.0,
                touched: false,
                alive: true,
            });
            self.offered.push(Offered { least: 0.0, by: CAP, second: 0.0 });
            self.flows.len() as u32 - 1
        });
        let flow = &mut self.flows[id as usize];
        if usize::from(flow.room) < uses.len() {
            (flow.first, flow.room) = (self.held.len() as u32, uses.len().next_multiple_of(4) as u16);
            let empty = Held { resource: 0, position: 0, share: 0.0 };
            self.held.resize(self.held.len() + usize::from(flow.room), empty);
        }
        // A level of 0 before makes the first rate a change.
        (flow.weight, flow.cap_level, flow.alive, flow.before) = (weight, cap / weight, true, 0.0);
        flow.uses = uses.len() as u16;
        if !flow.touched {
            flow.touched = true;
            self.touched.push(id);
        }
        for (nth, of) in uses.iter().enumerate() {
            let resource = &mut self.resources[of.resource as usize];
            let share = of.coefficient * weight;
            let position = resource.slots.len() as u32;
            self.held[flow.first as usize + nth] = Held { resource: of.resource, position, share };
            resource.slots.push(Slot { flow: id, nth: nth as u32, share });
        }
        let offered = look(&self.offers, self.flows[id as usize].cap_level, self.of(id));
        self.offered[id as usize] = offered;
        for at in self.range(id) {
            self.shift(self.held[at], 0.0, offered.least);
        }
        id
    }

    /// Takes a flow away. O(uses).
    pub fn remove(&mut self, id: u32) {
        let level = self.offered[id as usize].least;
        for at in self.range(id) {
            let h = self.held[at];
            let resource = &mut self.resources[h.resource as usize];
            resource.slots.swap_remove(h.position as usize);
            if let Some(moved) = resource.slots.get(h.position as usize) {
                let first = self.flows[moved.flow as usize].first;
                self.held[(first + moved.nth) as usize].position = h.position;
            }
            self.shift(h, level, 0.0);
        }
        let flow = &mut self.flows[id as usize];
        // The flow keeps its place in `held` for the next one.
        (flow.uses, flow.alive) = (0, false);
        self.free.push(id);
    }

    fn range(&self, id: u32) -> std::ops::Range<usize> {
        let flow = &self.flows[id as usize];
        flow.first as usize..flow.first as usize + usize::from(flow.uses)
    }

    fn of(&self, id: u32) -> &[Held] {
        &self.held[self.range(id)]
    }

    /// Rate of a flow, in the unit of the capacities; right after [`MaxMin::solve`].
    pub fn rate(&self, id: u32) -> f64 {
        self.offered[id as usize].least * self.flows[id as usize].weight
    }

    /// Brings the rates up to date; calls `changed(flow, rate)` for every flow whose rate is another one now.
    pub fn solve(&mut self, mut changed: impl FnMut(u32, f64)) {
        if self.waiting.is_empty() && self.touched.is_empty() {
            return;
        }
        self.work.solves += 1;
        while let Some(Reverse(Level(_, resource))) = self.waiting.pop() {
            self.resources[resource as usize].waiting = false;
            self.fill(resource);
        }
        for &id in &self.touched {
            let flow = &mut self.flows[id as usize];
            flow.touched = false;
            let level = self.offered[id as usize].least;
            if flow.alive && moved(flow.before, level) {
                self.work.changes += 1;
                changed(id, level * flow.weight);
            }
        }
        self.touched.clear();
    }

    /// A flow on a resource goes from one level to another: the resource is to be filled anew, unless it has room.
    fn shift(&mut self, h: Held, from: f64, to: f64) {
        let r = &mut self.resources[h.resource as usize];
        let offer = self.offers[h.resource as usize];
        if offer == f64::INFINITY && from < f64::INFINITY && to < f64::INFINITY {
            r.used += h.share * (to - from);
            if r.used < r.capacity * SLACK {
                return;
            }
        }
        if !r.waiting {
            r.waiting = true;
            self.waiting.push(Reverse(Level(from.min(to).min(offer), h.resource)));
        }
    }

    /// Makes one resource consistent with what its flows are offered elsewhere. O(flows on it), and O(uses) for each
    /// flow whose offers change.
    fn fill(&mut self, resource: u32) {
        let r = &self.resources[resource as usize];
        self.work.fillings += 1;
        self.work.entries += r.slots.len() as u64;
        self.limits.clear();
        let (mut all, mut used) = (0.0, 0.0);
        for slot in &r.slots {
            let o = &self.offered[slot.flow as usize];
            let limit = if o.by == resource { o.second } else { o.least };
            all += slot.share;
            used += slot.share * limit;
            self.limits.push((limit, slot.share));
        }
        let offer = if used <= r.capacity { f64::INFINITY } else { level_of(r.capacity, all, &self.limits) };
        self.resources[resource as usize].used = used;
        let was = std::mem::replace(&mut self.offers[resource as usize], offer);
        if !moved(was, offer) {
            self.offers[resource as usize] = was;
            return;
        }
        for at in 0..self.resources[resource as usize].slots.len() {
            let id = self.resources[resource as usize].slots[at].flow;
            let o = self.offered[id as usize];
            // Beyond the second least offer, and staying there, it does not matter.
            if o.by != resource && offer > o.second && was > o.second {
                continue;
            }
            let now = look(&self.offers, self.flows[id as usize].cap_level, self.of(id));
            self.offered[id as usize] = now;
            if !moved(o.least, now.least) {
                continue;
            }
            let flow = &mut self.flows[id as usize];
            if !flow.touched {
                (flow.touched, flow.before) = (true, o.least);
                self.touched.push(id);
            }
            for held in self.range(id) {
                let h = self.held[held];
                if h.resource != resource {
                    self.shift(h, o.least, now.least);
                }
            }
        }
    }
}

fn moved(from: f64, to: f64) -> bool {
    // Infinite minus infinite is no number, and no move.
    (to - from).abs() > TOLERANCE * from.min(to)
}

/// The least and the second least offer to a flow.
fn look(offers: &[f64], cap_level: f64, uses: &[Held]) -> Offered {
    let mut o = Offered { least: cap_level, by: CAP, second: f64::INFINITY };
    for h in uses {
        let offer = offers[h.resource as usize];
        if offer < o.least {
            o = Offered { least: offer, by: h.resource, second: o.least };
        } else if offer < o.second {
            o.second = offer;
        }
    }
    o
}

/// The level at which flows with these limits and shares fill the capacity, infinite if they cannot. Flows above the
/// level so far are open; those found below it are limited, which raises it, until it stays.
fn level_of(capacity: f64, all: f64, limits: &[(f64, f64)]) -> f64 {
    let mut level = capacity / all;
    loop {
        let (mut left, mut open) = (capacity, 0.0);
        for &(limit, share) in limits {
            if limit <= level {
                left -= limit * share;
            } else {
                open += share;
            }
        }
        if open == 0.0 {
            return f64::INFINITY;
        }
        let next = left / open;
        if next <= level {
            return level;
        }
        level = next;
    }
}
