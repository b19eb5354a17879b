//! Weighted max-min fair rates, kept up to date under arrivals and departures.
//!
//! An allocation is max-min fair exactly if every flow has a *bottleneck*: a saturated resource on which no flow has a
//! higher level (rate / weight), or its own cap. After a change only the flows whose bottleneck was touched are solved
//! anew, the others standing still; then the condition is checked on every resource that the new rates touch, the flows
//! that violate it join, and the part is solved again. So the result is the global optimum, while the work grows with
//! what the change really moves.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Levels and sums that differ by less than this share are equal: some 500 roundings of a sum of a thousand rates. A
/// rate may be wrong by this share, times the number of flows on its bottleneck at worst.
pub const TOLERANCE: f64 = 1.0 / (1u64 << 43) as f64;

/// A new rate this close to the old one is no change.
const SAME: f64 = 1.0 / (1u64 << 50) as f64;

/// [`Flow::bottleneck`] of a flow that runs at its own cap, or has none.
const CAP: u32 = u32::MAX;

/// How a flow uses one resource: with `coefficient` times its rate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Use {
    pub resource: u32,
    pub coefficient: f64,
}

#[derive(Clone, Copy, Debug)]
struct Held {
    of: Use,
    /// Where the flow stands in the resource's list.
    position: u32,
}

#[derive(Clone, Copy, Debug)]
struct Slot {
    flow: u32,
    /// Which of the flow's uses this is.
    nth: u32,
    coefficient: f64,
}

#[derive(Clone, Debug)]
struct Flow {
    uses: Vec<Held>,
    weight: f64,
    cap: f64,
    rate: f64,
    bottleneck: u32,
    alive: bool,
    /// The solve in which it takes part, if it is the current one.
    member_of: u32,
    /// Whether its new rate is settled in the current filling.
    settled: bool,
    new_rate: f64,
    new_bottleneck: u32,
}

#[derive(Clone, Debug, Default)]
struct Resource {
    capacity: f64,
    slots: Vec<Slot>,
    /// True if some flow has its bottleneck here.
    limits: bool,
    /// The solve that touches it, if it is the current one.
    touched_in: u32,
    dirty: bool,
    /// What is left for flows that are not settled, the sum of their coefficients times weights, and their number.
    left: f64,
    weight: f64,
    open: u32,
}

/// Work done so far, in units that do not depend on the machine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// Calls of [`MaxMin::solve`] that had something to do.
    pub solves: u64,
    /// Fillings, at least one per solve.
    pub fillings: u64,
    /// Flows given a rate, summed over fillings.
    pub flows: u64,
    /// Entries (flow on resource) looked at.
    pub entries: u64,
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
    flows: Vec<Flow>,
    free: Vec<u32>,
    arrived: Vec<u32>,
    dirty: Vec<u32>,
    solve: u32,
    members: Vec<u32>,
    touched: Vec<u32>,
    joining: Vec<u32>,
    heap: BinaryHeap<Reverse<Level>>,
    pub work: Work,
}

/// Heap entries from here on are caps of members, below they are resources.
const CAPS: u32 = 1 << 31;

impl MaxMin {
    /// Capacities must be positive.
    pub fn new(capacity: impl IntoIterator<Item = f64>) -> MaxMin {
        let resource = |capacity| Resource { capacity, ..Resource::default() };
        MaxMin {
            resources: capacity.into_iter().map(resource).collect(),
            flows: Vec::new(),
            free: Vec::new(),
            arrived: Vec::new(),
            dirty: Vec::new(),
            solve: 0,
            members: Vec::new(),
            touched: Vec::new(),
            joining: Vec::new(),
            heap: BinaryHeap::new(),
            work: Work::default(),
        }
    }

    /// Flows that are there.
    pub fn flows(&self) -> usize {
        self.flows.len() - self.free.len()
    }

    /// Adds a flow; its rate is known after the next [`MaxMin::solve`]. Every resource stands at most once in `uses`;
    /// `weight` and `cap` are positive, `cap` may be infinite. O(uses).
    pub fn add(&mut self, uses: impl IntoIterator<Item = Use>, weight: f64, cap: f64) -> u32 {
        let id = self.free.pop().unwrap_or_else(|| {
            self.flows.push(Flow {
                uses: Vec::new(),
                weight,
                cap,
                rate: 0.0,
                bottleneck: CAP,
                alive: true,
                member_of: 0,
                settled: false,
                new_rate: 0.0,
                new_bottleneck: CAP,
            });
            self.flows.len() as u32 - 1
        });
        let flow = &mut self.flows[id as usize];
        (flow.weight, flow.cap, flow.rate, flow.bottleneck, flow.alive) = (weight, cap, 0.0, CAP, true);
        flow.uses.clear();
        for (nth, of) in uses.into_iter().enumerate() {
            let resource = &mut self.resources[of.resource as usize];
            flow.uses.push(Held { of, position: resource.slots.len() as u32 });
            resource.slots.push(Slot { flow: id, nth: nth as u32, coefficient: of.coefficient });
            if !resource.dirty {
                resource.dirty = true;
                self.dirty.push(of.resource);
            }
        }
        self.arrived.push(id);
        id
    }

    /// Takes a flow away. O(uses).
    pub fn remove(&mut self, id: u32) {
        let held = std::mem::take(&mut self.flows[id as usize].uses);
        for h in &held {
            let resource = &mut self.resources[h.of.resource as usize];
            resource.slots.swap_remove(h.position as usize);
            if let Some(moved) = resource.slots.get(h.position as usize) {
                self.flows[moved.flow as usize].uses[moved.nth as usize].position = h.position;
            }
            if !resource.dirty {
                resource.dirty = true;
                self.dirty.push(h.of.resource);
            }
        }
        let flow = &mut self.flows[id as usize];
        // The flow keeps its memory for the next one.
        (flow.uses, flow.alive) = (held, false);
        flow.uses.clear();
        self.free.push(id);
    }

    /// Rate of a flow, in the unit of the capacities.
    pub fn rate(&self, id: u32) -> f64 {
        self.flows[id as usize].rate
    }

    /// True if a flow came or went since the last solve.
    pub fn is_dirty(&self) -> bool {
        !self.arrived.is_empty() || !self.dirty.is_empty()
    }

    /// Brings the rates up to date; calls `changed(flow, rate)` for every flow whose rate is another one now.
    pub fn solve(&mut self, mut changed: impl FnMut(u32, f64)) {
        if !self.is_dirty() {
            return;
        }
        self.work.solves += 1;
        self.solve += 1;
        self.members.clear();
        self.touched.clear();
        for id in std::mem::take(&mut self.arrived) {
            self.join(id);
        }
        for resource in std::mem::take(&mut self.dirty) {
            self.resources[resource as usize].dirty = false;
            if self.resources[resource as usize].limits {
                self.join_limited(resource);
            }
        }
        loop {
            self.fill();
            let before = self.members.len();
            self.admit_violators();
            if self.members.len() == before {
                break;
            }
        }
        self.settle(&mut changed);
    }

    /// Makes a flow, and the resources that it uses, part of this solve.
    fn join(&mut self, id: u32) {
        let flow = &mut self.flows[id as usize];
        if flow.member_of == self.solve || !flow.alive {
            return;
        }
        flow.member_of = self.solve;
        self.members.push(id);
        for h in &flow.uses {
            let resource = &mut self.resources[h.of.resource as usize];
            if resource.touched_in != self.solve {
                resource.touched_in = self.solve;
                self.touched.push(h.of.resource);
            }
        }
    }

    /// All flows whose bottleneck is this resource.
    fn join_limited(&mut self, resource: u32) {
        // Joining leaves the slots as they are.
        for at in 0..self.resources[resource as usize].slots.len() {
            let id = self.resources[resource as usize].slots[at].flow;
            if self.flows[id as usize].bottleneck == resource {
                self.join(id);
            }
        }
    }

    /// Progressive filling of the members over what the others leave. O(entries of touched resources × log).
    fn fill(&mut self) {
        self.work.fillings += 1;
        self.work.flows += self.members.len() as u64;
        let MaxMin { resources, flows, members, touched, heap, solve, work, .. } = self;
        let mut start = std::mem::take(heap).into_vec();
        start.clear();
        for &id in members.iter() {
            let flow = &mut flows[id as usize];
            flow.settled = false;
            if flow.cap < f64::INFINITY {
                start.push(Reverse(Level(flow.cap / flow.weight, CAPS + id)));
            } else if flow.uses.is_empty() {
                (flow.new_rate, flow.new_bottleneck, flow.settled) = (f64::INFINITY, CAP, true);
            }
        }
        for &r in touched.iter() {
            work.entries += resources[r as usize].slots.len() as u64;
            refresh(&mut resources[r as usize], flows, *solve);
            let resource = &resources[r as usize];
            if resource.open > 0 {
                start.push(Reverse(Level(resource.left.max(0.0) / resource.weight, r)));
            }
        }
        *heap = BinaryHeap::from(start);
        while let Some(Reverse(Level(level, at))) = heap.pop() {
            if at >= CAPS {
                let id = at - CAPS;
                if !flows[id as usize].settled {
                    let rate = flows[id as usize].cap;
                    settle_one(resources, flows, id, rate, CAP);
                }
                continue;
            }
            if resources[at as usize].open == 0 {
                continue;
            }
            let now = resources[at as usize].left.max(0.0) / resources[at as usize].weight;
            if now > level * (1.0 + SAME) {
                heap.push(Reverse(Level(now, at)));
                continue;
            }
            // The running differences have served to find the next resource; its level is computed from the sums.
            work.entries += resources[at as usize].slots.len() as u64;
            refresh(&mut resources[at as usize], flows, *solve);
            let level = resources[at as usize].left.max(0.0) / resources[at as usize].weight;
            for slot in 0..resources[at as usize].slots.len() {
                let id = resources[at as usize].slots[slot].flow;
                let flow = &flows[id as usize];
                if flow.member_of == *solve && !flow.settled {
                    let rate = level * flow.weight;
                    settle_one(resources, flows, id, rate, at);
                }
            }
        }
    }

    /// Flows outside the solve that have lost their bottleneck, or that have more than a member limited beside them.
    fn admit_violators(&mut self) {
        let mut at = 0;
        // Only resources of this filling: those that new members bring are checked after the next one.
        let end = self.touched.len();
        let mut joining = std::mem::take(&mut self.joining);
        while at < end {
            let r = self.touched[at];
            at += 1;
            let resource = &self.resources[r as usize];
            self.work.entries += resource.slots.len() as u64;
            let (mut used, mut highest, mut limited) = (0.0, 0.0f64, f64::INFINITY);
            let mut others = false;
            for slot in &resource.slots {
                let flow = &self.flows[slot.flow as usize];
                if flow.member_of == self.solve {
                    used += slot.coefficient * flow.new_rate;
                    let level = flow.new_rate / flow.weight;
                    highest = highest.max(level);
                    if flow.new_bottleneck == r {
                        limited = limited.min(level);
                    }
                } else {
                    used += slot.coefficient * flow.rate;
                    others = true;
                }
            }
            if !others {
                continue;
            }
            let saturated = used >= resource.capacity * (1.0 - TOLERANCE);
            for slot in &resource.slots {
                let flow = &self.flows[slot.flow as usize];
                if flow.member_of == self.solve {
                    continue;
                }
                let level = flow.rate / flow.weight;
                let above = level > limited * (1.0 + TOLERANCE);
                let lost = flow.bottleneck == r && (!saturated || highest > level * (1.0 + TOLERANCE));
                if above || lost {
                    joining.push(slot.flow);
                }
            }
        }
        for &id in &joining {
            self.join(id);
        }
        joining.clear();
        self.joining = joining;
    }

    /// New rates become the rates.
    fn settle(&mut self, changed: &mut impl FnMut(u32, f64)) {
        for &r in &self.touched {
            let resource = &mut self.resources[r as usize];
            let (flows, solve) = (&self.flows, self.solve);
            resource.limits = resource.slots.iter().any(|slot| {
                let flow = &flows[slot.flow as usize];
                r == if flow.member_of == solve { flow.new_bottleneck } else { flow.bottleneck }
            });
        }
        for &id in &self.members {
            let flow = &mut self.flows[id as usize];
            flow.bottleneck = flow.new_bottleneck;
            if (flow.new_rate - flow.rate).abs() > SAME * flow.rate || flow.rate == 0.0 {
                flow.rate = flow.new_rate;
                changed(id, flow.rate);
            }
        }
    }
}

/// Sums of a resource anew from its slots.
fn refresh(resource: &mut Resource, flows: &[Flow], solve: u32) {
    let (mut used, mut weight, mut open) = (0.0, 0.0, 0);
    for slot in &resource.slots {
        let flow = &flows[slot.flow as usize];
        if flow.member_of != solve {
            used += slot.coefficient * flow.rate;
        } else if flow.settled {
            used += slot.coefficient * flow.new_rate;
        } else {
            weight += slot.coefficient * flow.weight;
            open += 1;
        }
    }
    (resource.left, resource.weight, resource.open) = (resource.capacity - used, weight, open);
}

fn settle_one(resources: &mut [Resource], flows: &mut [Flow], id: u32, rate: f64, bottleneck: u32) {
    let flow = &mut flows[id as usize];
    (flow.settled, flow.new_rate, flow.new_bottleneck) = (true, rate, bottleneck);
    for h in &flow.uses {
        let resource = &mut resources[h.of.resource as usize];
        resource.left -= h.of.coefficient * rate;
        resource.weight -= h.of.coefficient * flow.weight;
        resource.open -= 1;
    }
}
