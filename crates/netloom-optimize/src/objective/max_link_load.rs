//! The largest load of a directed switch link.
//!
//! One swap hardly ever changes the maximum, so the search descends the sum of the fourth powers of the loads, which
//! falls when a hot link is relieved by more than cooler ones gain. The reported value is the maximum itself, and a move to
//! a maximum below all that were seen is always made, also where the sum would rise.

use std::sync::Arc;

use netloom_model::Traffic;

use super::paths::{Ends, PathTable, Touching, after};
use super::row::{Followed, Goal, KEEP, Needs, ObjectiveRow, SLACK};
use super::score::{FOLLOWED, Objective};
use crate::bound;
use crate::guest::Weigh;
use crate::places::{Exchange, Places};

pub const MAX_LINK_LOAD: ObjectiveRow = ObjectiveRow {
    name: "max-link-load",
    aliases: &["maximum-bytes", "congestion"],
    summary: "Most bytes on a directed switch link; the search descends the sum of the fourth powers of all loads.",
    params: &[KEEP, SLACK],
    example: "max-link-load",
    restrictions: "the routing has one path per pair",
    source: "Jain 2016 eq. 2.6",
    build: Goal {
        needs: Needs { paths: Followed::OnePath, ..Needs::NOTHING },
        weigh: |_| Weigh::Bytes,
        make: |prepared, _, places, _| {
            let paths = PathTable::new(prepared)?;
            Ok(Box::new(LinkLoad::new(prepared.problem.traffic, paths, places)))
        },
        bound: bound::max_link_load,
        moves: None,
        every: true,
    },
};

#[derive(Clone)]
struct LinkLoad {
    paths: PathTable,
    ends: Arc<Vec<Ends>>,
    bytes: Arc<Vec<u64>>,
    touching: Arc<Touching>,
    /// Complete binary tree of maxima; the loads are its leaves, from `leaves` on.
    tree: Vec<u64>,
    leaves: usize,
    /// Loads are divided by this before they are raised to the fourth power.
    scale: f64,
    /// The least maximum seen so far, and how many loads are not below it.
    least: u64,
    high: usize,
    /// Leaves that the move under evaluation changed, and their loads before, in order.
    changed: Vec<(u32, u64)>,
}

impl LinkLoad {
    pub fn new(traffic: &Traffic, paths: PathTable, places: &Places) -> LinkLoad {
        let flows = traffic.flows();
        let ends: Vec<Ends> = flows.iter().map(|f| Ends { src: f.src, dst: f.dst }).collect();
        let bytes = flows.iter().map(|f| f.bytes).collect();
        let touching = Arc::new(Touching::new(&ends, places.slots()));
        let leaves = paths.links.next_power_of_two().max(1);
        let (ends, bytes) = (Arc::new(ends), Arc::new(bytes));
        let mut made = LinkLoad {
            paths,
            ends,
            bytes,
            touching,
            tree: vec![0; 2 * leaves],
            leaves,
            scale: 1.0,
            least: 0,
            high: 0,
            changed: Vec::new(),
        };
        made.fill(places);
        let loads = &made.tree[leaves..];
        let used = loads.iter().filter(|l| **l > 0).count().max(1);
        made.scale = (loads.iter().map(|l| *l as f64).sum::<f64>() / used as f64).max(1.0);
        made.see(made.value());
        made
    }

    /// Takes `least` as the least maximum seen. O(links).
    fn see(&mut self, least: u64) {
        self.least = least;
        self.high = self.tree[self.leaves..].iter().filter(|load| **load >= least).count();
    }

    fn fill(&mut self, places: &Places) {
        self.tree.fill(0);
        for (i, &Ends { src, dst }) in self.ends.iter().enumerate() {
            for &link in self.paths.between(places.site(src), places.site(dst)) {
                self.tree[self.leaves + link as usize] += self.bytes[i];
            }
        }
        for node in (1..self.leaves).rev() {
            self.tree[node] = self.tree[2 * node].max(self.tree[2 * node + 1]);
        }
    }

    #[inline]
    fn fourth(&self, load: u64) -> f64 {
        let scaled = load as f64 / self.scale;
        scaled * scaled * scaled * scaled
    }

    /// Moves message `i` on or off a path; the change of the energy. Leaves only.
    #[inline]
    fn change(&mut self, i: usize, from: u32, to: u32, on: bool) -> f64 {
        let bytes = self.bytes[i];
        let mut sum = 0.0;
        for &link in self.paths.between(from, to) {
            let leaf = self.leaves + link as usize;
            let old = self.tree[leaf];
            let new = if on { old + bytes } else { old - bytes };
            self.changed.push((leaf as u32, old));
            self.tree[leaf] = new;
            self.high = self.high + usize::from(new >= self.least) - usize::from(old >= self.least);
            sum += self.fourth(new) - self.fourth(old);
        }
        sum
    }

    /// Moves all messages of `a` and `b` to where they go after the exchange. O(messages × path length).
    fn shift(&mut self, places: &Places, a: u32, b: u32) -> f64 {
        let (ends, touching, sites) = (Arc::clone(&self.ends), Arc::clone(&self.touching), places.sites());
        let (now, then) = (|rank: u32| sites[rank as usize], |rank: u32| after(sites, rank, a, b));
        self.changed.clear();
        let mut sum = 0.0;
        touching.each(&ends, a, b, |i| sum += self.change(i, now(ends[i].src), now(ends[i].dst), false));
        touching.each(&ends, a, b, |i| sum += self.change(i, then(ends[i].src), then(ends[i].dst), true));
        sum
    }

    /// The change of energy that an exchange would make, and whether all loads would be below the least maximum seen.
    #[inline]
    fn look(&mut self, places: &Places, a: u32, b: u32) -> (f64, bool) {
        let high = self.high;
        let change = self.shift(places, a, b);
        for &(leaf, load) in self.changed.iter().rev() {
            self.tree[leaf as usize] = load;
        }
        (change, std::mem::replace(&mut self.high, high) == 0)
    }

    /// Brings the maxima above one leaf up to date. O(log links).
    fn climb(&mut self, leaf: u32) {
        let mut node = leaf as usize / 2;
        while node > 0 {
            let largest = self.tree[2 * node].max(self.tree[2 * node + 1]);
            if self.tree[node] == largest {
                break;
            }
            self.tree[node] = largest;
            node /= 2;
        }
    }
}

impl Objective for LinkLoad {
    fn value(&self) -> u64 {
        self.tree[1]
    }
    fn energy(&self, places: &Places) -> f64 {
        let mut fresh = self.clone();
        fresh.fill(places);
        fresh.tree[fresh.leaves..].iter().map(|l| fresh.fourth(*l)).sum()
    }
    fn swap_delta(&mut self, places: &Places, a: u32, b: u32) -> f64 {
        self.look(places, a, b).0
    }
    fn delta_within(&mut self, places: &Places, a: u32, b: u32, most: f64) -> f64 {
        let (change, best) = self.look(places, a, b);
        if best && most < f64::INFINITY { f64::NEG_INFINITY } else { change }
    }
    fn swap(&mut self, places: &Places, a: u32, b: u32) {
        self.shift(places, a, b);
        let changed = std::mem::take(&mut self.changed);
        changed.iter().for_each(|&(leaf, _)| self.climb(leaf));
        self.changed = changed;
        if self.value() < self.least {
            self.see(self.value());
        }
    }
    fn make(&mut self, places: &mut Places, moves: &[Exchange], most: f64) -> f64 {
        let before = self.least;
        let mut change = 0.0;
        for &Exchange { a, b } in moves {
            change += self.swap_delta(places, a, b);
            self.swap(places, a, b);
            places.swap(a, b);
        }
        // States on the way are not kept.
        let value = self.value();
        let best = value < before && most < f64::INFINITY;
        let least = if most < f64::INFINITY { before.min(value) } else { value };
        if least != self.least {
            self.see(least);
        }
        if best { f64::NEG_INFINITY } else { change }
    }
    fn relative_cost(&self) -> u64 {
        FOLLOWED
    }
    fn boxed<'s>(&self) -> Box<dyn Objective + 's>
    where
        Self: 's,
    {
        Box::new(self.clone())
    }
}
