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
struct Slot {
    flow: u32,
    /// Which of the flow's uses this is.
    nth: u32,
    /// Coefficient times weight: what the flow takes per unit of its level.
    share: f64,
}

/// A flow, in one line of the cache.
#[derive(Clone, Copy, Debug)]
struct Flow {
    /// The least offer on the way, which is the flow's level, and who makes it ([`CAP`] for the flow's own cap).
    least: f64,
    /// The least offer of the others.
    second: f64,
    weight: f64,
    cap_level: f64,
    /// Level before the current solve, if it was touched in it.
    before: f64,
    by: u32,
    /// Its way is `ways[first..first + uses]`, and `room` entries are its own.
    first: u32,
    uses: u16,
    room: u16,
    /// True if all coefficients are 1.
    plain: bool,
    touched: bool,
    alive: bool,
}

/// What is asked of a resource all the time, half a line of the cache.
#[derive(Clone, Copy, Debug)]
struct Resource {
    offer: f64,
    /// Sum of rates, if the offer is infinite.
    used: f64,
    capacity: f64,
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
    /// Flows on every resource.
    slots: Vec<Vec<Slot>>,
    flows: Vec<Flow>,
    /// Resources of the flows; beside them the coefficient, and the place in the resource's slots.
    ways: Vec<u32>,
    coefficients: Vec<f64>,
    positions: Vec<u32>,
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
        let resource = |capacity| Resource { offer: f64::INFINITY, used: 0.0, capacity, waiting: false };
        let resources: Vec<Resource> = capacity.into_iter().map(resource).collect();
        MaxMin {
            slots: vec![Vec::new(); resources.len()],
            resources,
            flows: Vec::new(),
            ways: Vec::new(),
            coefficients: Vec::new(),
            positions: Vec::new(),
            free: Vec::new(),
            waiting: BinaryHeap::new(),
            touched: Vec::new(),
            limits: Vec::new(),
            work: Work::default(),
        }
    }

    /// Takes all flows away, as if newly made; the memory stays. The count of work goes on.
    pub fn clear(&mut self) {
        self.slots.iter_mut().for_each(Vec::clear);
        self.resources.iter_mut().for_each(|r| (r.offer, r.used, r.waiting) = (f64::INFINITY, 0.0, false));
        self.flows.clear();
        self.ways.clear();
        self.coefficients.clear();
        self.positions.clear();
        self.free.clear();
        self.waiting.clear();
        self.touched.clear();
    }

    /// Flows that are there.
    pub fn flows(&self) -> usize {
        self.flows.len() - self.free.len()
    }

    /// Adds a flow; its rate is known after the next [`MaxMin::solve`]. Every resource stands at most once in `uses`, of
    /// which there are fewer than 2^16; `weight` and `cap` are positive, `cap` may be infinite. O(uses).
    pub fn add(&mut self, uses: &[Use], weight: f64, cap: f64) -> u32 {
        let id = self.free.pop().unwrap_or_else(|| {
            self.flows.push(NOBODY);
            self.flows.len() as u32 - 1
        });
        let flow = &mut self.flows[id as usize];
        if usize::from(flow.room) < uses.len() {
            (flow.first, flow.room) = (self.ways.len() as u32, uses.len().next_multiple_of(8) as u16);
            let end = self.ways.len() + usize::from(flow.room);
            self.ways.resize(end, 0);
            self.positions.resize(end, 0);
            self.coefficients.resize(end, 0.0);
        }
        // A level of 0 before makes the first rate a change.
        (flow.weight, flow.cap_level, flow.alive, flow.before) = (weight, cap / weight, true, 0.0);
        flow.uses = uses.len() as u16;
        flow.plain = uses.iter().all(|of| of.coefficient == 1.0);
        if !flow.touched {
            flow.touched = true;
            self.touched.push(id);
        }
        for (nth, of) in uses.iter().enumerate() {
            let (slots, at) = (&mut self.slots[of.resource as usize], flow.first as usize + nth);
            (self.ways[at], self.coefficients[at]) = (of.resource, of.coefficient);
            self.positions[at] = slots.len() as u32;
            slots.push(Slot { flow: id, nth: nth as u32, share: of.coefficient * weight });
        }
        look(&self.resources, &self.ways, flow);
        let flow = *flow;
        self.shift(flow, CAP, 0.0, flow.least);
        id
    }

    /// Takes a flow away. O(uses).
    pub fn remove(&mut self, id: u32) {
        let flow = self.flows[id as usize];
        for at in flow.first as usize..flow.first as usize + usize::from(flow.uses) {
            let position = self.positions[at];
            let slots = &mut self.slots[self.ways[at] as usize];
            slots.swap_remove(position as usize);
            if let Some(moved) = slots.get(position as usize) {
                let first = self.flows[moved.flow as usize].first;
                self.positions[(first + moved.nth) as usize] = position;
            }
        }
        self.shift(flow, CAP, flow.least, 0.0);
        // The flow keeps its place in `ways` for the next one.
        let flow = &mut self.flows[id as usize];
        (flow.uses, flow.alive) = (0, false);
        self.free.push(id);
    }

    /// Rate of a flow, in the unit of the capacities; right after [`MaxMin::solve`].
    pub fn rate(&self, id: u32) -> f64 {
        let flow = &self.flows[id as usize];
        flow.least * flow.weight
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
            if flow.alive && moved(flow.before, flow.least) {
                self.work.changes += 1;
                changed(id, flow.least * flow.weight);
            }
        }
        self.touched.clear();
    }

    /// A flow goes from one level to another: the resources on its way, but for one, are to be filled anew, unless they
    /// have room.
    fn shift(&mut self, flow: Flow, but: u32, from: f64, to: f64) {
        let finite = from < f64::INFINITY && to < f64::INFINITY;
        for at in flow.first as usize..flow.first as usize + usize::from(flow.uses) {
            let resource = self.ways[at];
            if resource == but {
                continue;
            }
            let r = &mut self.resources[resource as usize];
            if finite && r.offer == f64::INFINITY {
                let share = if flow.plain { flow.weight } else { self.coefficients[at] * flow.weight };
                r.used += share * (to - from);
                if r.used < r.capacity * SLACK {
                    continue;
                }
            }
            if !r.waiting {
                r.waiting = true;
                self.waiting.push(Reverse(Level(from.min(to).min(r.offer), resource)));
            }
        }
    }

    /// Makes one resource consistent with what its flows are offered elsewhere. O(flows on it), and O(uses) for each
    /// flow whose offers change.
    fn fill(&mut self, resource: u32) {
        let slots = &self.slots[resource as usize];
        self.work.fillings += 1;
        self.work.entries += slots.len() as u64;
        self.limits.clear();
        let (mut all, mut used) = (0.0, 0.0);
        for slot in slots {
            let flow = &self.flows[slot.flow as usize];
            let limit = if flow.by == resource { flow.second } else { flow.least };
            all += slot.share;
            used += slot.share * limit;
            self.limits.push((limit, slot.share));
        }
        let r = &mut self.resources[resource as usize];
        let offer = if used <= r.capacity { f64::INFINITY } else { level_of(r.capacity, all, &self.limits, r.offer) };
        let was = r.offer;
        r.used = used;
        if !moved(was, offer) {
            return;
        }
        r.offer = offer;
        for at in 0..self.slots[resource as usize].len() {
            let id = self.slots[resource as usize][at].flow;
            let flow = &mut self.flows[id as usize];
            // Beyond the second least offer, and staying there, it does not matter.
            if flow.by != resource && offer > flow.second && was > flow.second {
                continue;
            }
            let least = flow.least;
            look(&self.resources, &self.ways, flow);
            if !moved(least, flow.least) {
                continue;
            }
            if !flow.touched {
                (flow.touched, flow.before) = (true, least);
                self.touched.push(id);
            }
            let flow = *flow;
            self.shift(flow, resource, least, flow.least);
        }
    }
}

const NOBODY: Flow = Flow {
    least: 0.0,
    second: 0.0,
    weight: 1.0,
    cap_level: 0.0,
    before: 0.0,
    by: CAP,
    first: 0,
    uses: 0,
    room: 0,
    plain: true,
    touched: false,
    alive: false,
};

fn moved(from: f64, to: f64) -> bool {
    // Infinite minus infinite is no number, and no move.
    (to - from).abs() > TOLERANCE * from.min(to)
}

/// Finds the least and the second least offer to a flow.
fn look(resources: &[Resource], ways: &[u32], flow: &mut Flow) {
    (flow.least, flow.by, flow.second) = (flow.cap_level, CAP, f64::INFINITY);
    for &resource in &ways[flow.first as usize..flow.first as usize + usize::from(flow.uses)] {
        let offer = resources[resource as usize].offer;
        if offer < flow.least {
            (flow.second, flow.least, flow.by) = (flow.least, offer, resource);
        } else if offer < flow.second {
            flow.second = offer;
        }
    }
}

/// The level at which flows with these limits and shares fill the capacity, which their limits exceed.
///
/// What they take is a concave, rising function of the level, made of straight pieces: Newton's method from the left
/// never goes beyond the level, and one step from the right leads to the left. `guess`, the offer so far, is mostly a
/// step or two away.
fn level_of(capacity: f64, all: f64, limits: &[(f64, f64)], guess: f64) -> f64 {
    let step = |level: f64| {
        let (mut left, mut open) = (capacity, 0.0);
        for &(limit, share) in limits {
            if limit <= level {
                left -= limit * share;
            } else {
                open += share;
            }
        }
        if open == 0.0 { f64::INFINITY } else { left / open }
    };
    let mut level = step(guess);
    // Also where all are limited at the guess, or rounding leads below what all of them may have.
    if !(level < f64::INFINITY && level > capacity / all) {
        level = capacity / all;
    }
    loop {
        let next = step(level);
        if next <= level {
            return level;
        }
        if next == f64::INFINITY {
            return next;
        }
        level = next;
    }
}
