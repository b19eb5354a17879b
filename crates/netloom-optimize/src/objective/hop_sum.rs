//! Weighted hops: the sum over guest edges of weight times distance.

use super::score::Objective;
use crate::guest::Guest;
use crate::places::Places;
use crate::prepared::Prepared;

/// The number in which the changes of one swap are summed.
trait Weight: Copy + Send + Sync + 'static {
    fn of(weight: i64) -> Self;
    fn times(self, hops: i32) -> Self;
    fn plus(self, other: Self) -> Self;
    fn wide(self) -> i64;
}

impl Weight for i32 {
    fn of(weight: i64) -> Self {
        weight as i32
    }
    #[inline(always)]
    fn times(self, hops: i32) -> Self {
        self * hops
    }
    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        self + other
    }
    #[inline(always)]
    fn wide(self) -> i64 {
        i64::from(self)
    }
}

impl Weight for i64 {
    fn of(weight: i64) -> Self {
        weight
    }
    #[inline(always)]
    fn times(self, hops: i32) -> Self {
        self * i64::from(hops)
    }
    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        self + other
    }
    #[inline(always)]
    fn wide(self) -> i64 {
        self
    }
}

/// Weights are in units of the guest; `value` is not.
struct HopSum<'p, W> {
    prepared: &'p Prepared<'p>,
    guest: &'p Guest,
    /// Neighbour and weight of each guest edge, in the order of the guest's rows.
    edges: std::sync::Arc<Vec<(u32, W)>>,
    sum: i64,
}

pub fn build<'p>(prepared: &'p Prepared<'p>, guest: &'p Guest, places: &Places) -> Box<dyn Objective + 'p> {
    let strongest = (0..prepared.slots()).map(|r| guest.strength(r)).max().unwrap_or(0);
    // Two ranks change by at most 255 hops per unit of weight each way.
    if strongest.saturating_mul(4 * 255) < i64::from(i32::MAX) {
        Box::new(HopSum::<i32>::new(prepared, guest, places))
    } else {
        Box::new(HopSum::<i64>::new(prepared, guest, places))
    }
}

impl<'p, W: Weight> HopSum<'p, W> {
    fn new(prepared: &'p Prepared<'p>, guest: &'p Guest, places: &Places) -> Self {
        let edges = guest.neighbours.iter().zip(&guest.weights).map(|(n, w)| (*n, W::of(*w))).collect();
        let mut made = HopSum { prepared, guest, edges: std::sync::Arc::new(edges), sum: 0 };
        made.sum = made.recount(places);
        made
    }

    fn recount(&self, places: &Places) -> i64 {
        let twice: i64 = (0..places.ranks())
            .map(|rank| {
                let row = self.prepared.row(places.site(rank));
                let edges = &self.edges[self.guest.row(rank)];
                edges.iter().map(|(v, w)| w.wide() * i64::from(row[places.site(*v) as usize])).sum::<i64>()
            })
            .sum();
        twice / 2
    }

    /// O(degree of `a` + degree of `b`), no allocation.
    #[inline]
    fn delta(&self, places: &Places, a: u32, b: u32) -> W {
        let (row_a, row_b) = (self.prepared.row(places.site(a)), self.prepared.row(places.site(b)));
        let sites = places.sites();
        // Each loop also sees the edge between a and b, whose length does not change, and counts it short by d(a, b).
        let between = 2 * i32::from(row_a[places.site(b) as usize]);
        let mut sum = W::of(0);
        for &(v, w) in &self.edges[self.guest.row(a)] {
            let site = sites[v as usize] as usize;
            let same = if v == b { between } else { 0 };
            sum = sum.plus(w.times(i32::from(row_b[site]) - i32::from(row_a[site]) + same));
        }
        for &(v, w) in &self.edges[self.guest.row(b)] {
            let site = sites[v as usize] as usize;
            sum = sum.plus(w.times(i32::from(row_a[site]) - i32::from(row_b[site])));
        }
        sum
    }
}

impl<'p, W: Weight> Objective for HopSum<'p, W> {
    fn value(&self) -> u64 {
        self.sum as u64 * self.guest.unit
    }
    fn energy(&self, places: &Places) -> f64 {
        self.recount(places) as f64
    }
    fn swap_delta(&mut self, places: &Places, a: u32, b: u32) -> f64 {
        self.delta(places, a, b).wide() as f64
    }
    fn swap(&mut self, places: &Places, a: u32, b: u32) {
        self.sum += self.delta(places, a, b).wide();
    }
    fn unit(&self) -> f64 {
        self.guest.unit as f64
    }
    fn boxed<'s>(&self) -> Box<dyn Objective + 's>
    where
        Self: 's,
    {
        Box::new(HopSum { edges: self.edges.clone(), ..*self })
    }
}
