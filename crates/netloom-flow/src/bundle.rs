//! Flows that have the same way, and so the same rate: one flow of the solver.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use netloom_ranks::Utilisation;

/// A flow of a bundle. The first one to end is the greatest.
#[derive(Clone, Copy, Debug, Default)]
pub struct Member {
    /// Ends once each flow of the bundle has moved so many bytes.
    pub until: f64,
    pub began: f64,
    pub payload: u32,
}

impl Ord for Member {
    fn cmp(&self, other: &Self) -> Ordering {
        other.until.total_cmp(&self.until).then(other.payload.cmp(&self.payload))
    }
}
impl PartialOrd for Member {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl Eq for Member {}
impl PartialEq for Member {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

/// Flows at one rate; at least one. A cache line: most bundles are one flow.
#[derive(Clone, Debug, Default)]
#[repr(align(64))]
pub struct Bundle {
    /// The next one to end.
    pub first: Member,
    /// Of every flow, bytes per second from `since` on.
    pub rate: f64,
    since: f64,
    /// Bytes of every flow until `since`, from an origin that moves along with a flow alone: then it is 0.
    moved: f64,
    /// Weight of every flow.
    each: f64,
    rest: Option<Box<Rest>>,
}

/// The other flows.
#[derive(Clone, Debug, Default)]
struct Rest {
    flows: BinaryHeap<Member>,
    /// Flows that ended since the origin was set.
    ended: usize,
}

impl Bundle {
    /// Begins with one flow of so many bytes, and keeps the memory of flows before.
    pub fn open(&mut self, now: f64, bytes: f64, each: f64, payload: u32) {
        self.first = Member { until: bytes, began: now, payload };
        (self.rate, self.since, self.moved, self.each) = (0.0, now, 0.0, each);
    }

    /// Forgets all flows.
    pub fn clear(&mut self) {
        if let Some(rest) = &mut self.rest {
            rest.flows.clear();
        }
    }

    #[inline]
    fn others(&self) -> usize {
        self.rest.as_ref().map_or(0, |rest| rest.flows.len())
    }

    /// Their number.
    #[inline]
    pub fn flows(&self) -> f64 {
        1.0 + self.others() as f64
    }

    /// Of all flows together.
    pub fn weight(&self) -> f64 {
        self.flows() * self.each
    }

    /// Adds a flow of so many bytes at the time of the last move; true if it is now the next one to end. O(log flows).
    pub fn push(&mut self, bytes: f64, payload: u32) -> bool {
        let flow = Member { until: self.moved + bytes, began: self.since, payload };
        let is_first = flow > self.first;
        let later = if is_first { std::mem::replace(&mut self.first, flow) } else { flow };
        self.rest.get_or_insert_default().flows.push(later);
        is_first
    }

    /// Ends the first flow; false if it was the only one. O(log flows), over many of them.
    #[inline]
    pub fn pop(&mut self) -> bool {
        let Some(rest) = &mut self.rest else { return false };
        let Some(next) = rest.flows.pop() else { return false };
        self.first = next;
        rest.ended += 1;
        if rest.ended > rest.flows.len() {
            // The count of bytes stays small next to what is left, and so exact.
            let moved = std::mem::take(&mut self.moved);
            self.first.until -= moved;
            let nearer = |flow: Member| Member { until: flow.until - moved, ..flow };
            **rest = Rest { flows: rest.flows.drain().map(nearer).collect(), ended: 0 };
        }
        true
    }

    /// Moves all flows until `now`. O(1) unless recorded.
    #[inline]
    pub fn move_to(&mut self, now: f64, record: Option<&mut Utilisation>) {
        let went = self.rate * (now - self.since);
        if went > 0.0 {
            if let Some(u) = record {
                for payload in self.payloads() {
                    u.add(payload, self.since, now, self.rate);
                }
            }
            if self.others() == 0 {
                self.first.until = if went < self.first.until { self.first.until - went } else { 0.0 };
            } else {
                self.moved += went;
            }
        }
        self.since = now;
    }

    /// Its flows, with the seconds that they take from `now` on at this rate.
    pub fn for_each(&self, now: f64, visit: &mut impl FnMut(u32, f64)) {
        for flow in self.rest.iter().flat_map(|rest| rest.flows.iter()).chain([&self.first]) {
            visit(flow.payload, self.since + (flow.until - self.moved).max(0.0) / self.rate - now);
        }
    }

    fn payloads(&self) -> impl Iterator<Item = u32> {
        self.rest.iter().flat_map(|rest| rest.flows.iter()).chain([&self.first]).map(|flow| flow.payload)
    }

    /// Records what the first flow moves until its end.
    pub fn record_end(&self, end: f64, record: &mut Utilisation) {
        record.add(self.first.payload, self.since, end, self.rate);
    }

    /// When the next flow ends at this rate.
    #[inline]
    pub fn ends(&self) -> f64 {
        let left = self.first.until - self.moved;
        if left > 0.0 { self.since + left / self.rate } else { self.since }
    }
}
