//! Ranks and slots halved together, again and again, until nothing tells the slots of a part from each other.

use std::collections::HashMap;
use std::ops::Range;

use netloom_model::halves::{self, Aim, Graph, Sides, refine};
use netloom_model::{Progress, Stream};

use super::machine::Machine;
use crate::prepared::Prepared;

/// Weights of all edges together, at most: times the largest distance they stay within 63 bits.
const WEIGHT: i64 = 1 << 48;
/// Rounds over all pairs of parts that exchange bytes.
const ROUNDS: u32 = 4;

/// Which guests (ranks and fillers) of a part go to its near half.
pub trait Split {
    /// Reorders the guests so that those for the first `near` places come first.
    fn split(&mut self, parts: &Parts<'_, '_>, part: u32, near: &Part, far: &Part) -> Vec<u32>;
}

/// Slots, and as many guests.
#[derive(Clone, Debug)]
pub struct Part {
    /// Its range in [`Parts::slots`] and in [`Parts::guests`].
    pub range: Range<usize>,
    samples: Vec<u32>,
}

impl Part {
    pub fn samples(&self) -> &[u32] {
        &self.samples
    }
}

/// Where everybody is so far.
pub struct Parts<'r, 'p> {
    pub prepared: &'r Prepared<'p>,
    machine: Machine<'r, 'p>,
    slots: Vec<u32>,
    guests: Vec<u32>,
    part_of: Vec<u32>,
    parts: Vec<Part>,
    /// Slots at the start, fillers on those that are free.
    given: Vec<u32>,
    /// Bits by which weights are cut.
    shift: u32,
}

impl<'r, 'p> Parts<'r, 'p> {
    /// All in one part.
    pub fn new(prepared: &'r Prepared<'p>, seed: u64) -> Parts<'r, 'p> {
        let mut slots: Vec<u32> = (0..prepared.slots()).collect();
        slots.sort_unstable_by_key(|slot| (prepared.endpoints[*slot as usize], *slot));
        let machine = Machine::new(prepared, &slots, seed);
        let total: i64 = prepared.guest.weights.iter().sum();
        let shift = (0..63).find(|bits| total >> bits <= WEIGHT).unwrap_or(0);
        let whole = Part { range: 0..slots.len(), samples: machine.samples(&slots) };
        let (count, places) = (prepared.slots(), prepared.places());
        Parts {
            prepared,
            machine,
            slots,
            guests: (0..count).collect(),
            part_of: vec![0; count as usize],
            parts: vec![whole],
            given: (0..count).map(|guest| places.slot(guest)).collect(),
            shift,
        }
    }

    /// Halves all parts, level by level. Once the caller wants an end the rest is split in order.
    pub fn halve(&mut self, split: &mut dyn Split, progress: &Progress) {
        let mut waiting = vec![0u32];
        while !waiting.is_empty() {
            let mut next = Vec::new();
            for part in waiting {
                let range = self.parts[part as usize].range.clone();
                let at = self.machine.halve(&mut self.slots[range.clone()]);
                if at == 0 {
                    continue;
                }
                let of =
                    |range: Range<usize>| Part { samples: self.machine.samples(&self.slots[range.clone()]), range };
                let (near, far) = (of(range.start..range.start + at), of(range.start + at..range.end));
                if !progress.stopped() {
                    let guests = split.split(self, part, &near, &far);
                    self.guests[range].copy_from_slice(&guests);
                }
                let new = self.parts.len() as u32;
                for guest in &self.guests[far.range.clone()] {
                    self.part_of[*guest as usize] = new;
                }
                self.parts[part as usize] = near;
                self.parts.push(far);
                next.extend([part, new]);
            }
            waiting = next;
        }
    }

    /// The graph between guests of two parts, leaning where their partners elsewhere are, into the scratch. O(edges).
    pub fn graph(&self, guests: &[u32], home: [u32; 2], near: &[u32], far: &[u32], scratch: &mut Scratch) {
        let across = self.machine.apart(near, far).max(1);
        for (v, guest) in guests.iter().enumerate() {
            scratch.number[*guest as usize] = v as u32;
        }
        scratch.lean.clear();
        scratch.lean.resize(self.parts.len(), None);
        let graph = &mut scratch.graph;
        graph.clear();
        for &guest in guests {
            graph.push(1, 0);
            let row = self.prepared.guest.row(guest);
            let mut lean = 0;
            for (&partner, &weight) in
                self.prepared.guest.neighbours[row.clone()].iter().zip(&self.prepared.guest.weights[row])
            {
                let (part, weight) = (self.part_of[partner as usize], weight >> self.shift);
                if home.contains(&part) {
                    if partner != guest {
                        graph.edge(scratch.number[partner as usize], weight * across);
                    }
                } else {
                    let pull = *scratch.lean[part as usize].get_or_insert_with(|| {
                        let there = &self.parts[part as usize].samples;
                        self.machine.apart(there, far) - self.machine.apart(there, near)
                    });
                    lean += weight * pull;
                }
            }
            if let Some(last) = graph.leans.last_mut() {
                *last = lean;
            }
        }
    }

    /// Guests of pairs of parts that exchange bytes change sides while that makes the cut cheaper (as Sanders and Schulz 2011).
    /// O(rounds × pairs of parts × edges of a pair).
    pub fn exchange(&mut self, progress: &Progress) {
        let mut scratch = Scratch::new(self.guests.len());
        // When a part changed, and when a pair was looked at, counted in pairs.
        let (mut changed, mut now) = (vec![1u32; self.parts.len()], 1u32);
        let mut seen: HashMap<(u32, u32), u32> = HashMap::new();
        for _ in 0..ROUNDS {
            let begin = now;
            for (a, b) in self.pairs() {
                if progress.stopped() {
                    return;
                }
                let last = seen.entry((a, b)).or_default();
                if *last >= changed[a as usize].max(changed[b as usize]) {
                    continue;
                }
                now += 1;
                *last = now;
                if self.exchanged(a, b, &mut scratch) {
                    (changed[a as usize], changed[b as usize]) = (now, now);
                }
            }
            if changed.iter().all(|at| *at <= begin) {
                return;
            }
        }
    }

    /// Pairs of parts that exchange bytes, those that exchange most first.
    fn pairs(&self) -> Vec<(u32, u32)> {
        let guest = &self.prepared.guest;
        let mut all: Vec<(u32, u32, i64)> = Vec::new();
        for rank in 0..self.prepared.ranks() {
            let a = self.part_of[rank as usize];
            let row = guest.row(rank);
            let others = guest.neighbours[row.clone()].iter().zip(&guest.weights[row]);
            all.extend(others.map(|(v, w)| (a, self.part_of[*v as usize], *w)).filter(|e| e.0 < e.1));
        }
        all.sort_unstable_by_key(|e| u64::from(e.0) << 32 | u64::from(e.1));
        all.dedup_by(|next, kept| {
            let same = (next.0, next.1) == (kept.0, kept.1);
            kept.2 += if same { next.2 } else { 0 };
            same
        });
        all.sort_by_key(|(a, b, weight)| (std::cmp::Reverse(*weight), *a, *b));
        all.into_iter().map(|(a, b, _)| (a, b)).collect()
    }

    /// True if the cut between two parts became cheaper.
    fn exchanged(&mut self, a: u32, b: u32, scratch: &mut Scratch) -> bool {
        let (one, other) = (self.parts[a as usize].clone(), self.parts[b as usize].clone());
        let near = one.range.len();
        let guests: Vec<u32> = [one.range.clone(), other.range.clone()]
            .into_iter()
            .flat_map(|range| self.guests[range].iter().copied())
            .collect();
        self.graph(&guests, [a, b], &one.samples, &other.samples, scratch);
        let graph = &scratch.graph;
        let mut sides = Sides::new(graph, (0..guests.len()).map(|v| v >= near).collect());
        let before = sides.cost;
        refine(graph, &mut sides, Aim { near: near as u64, slack: 0 });
        if sides.cost >= before {
            return false;
        }
        let sorted = sorted(&guests, &sides.far);
        for (range, part, own) in [(one.range, a, &sorted[..near]), (other.range, b, &sorted[near..])] {
            self.guests[range].copy_from_slice(own);
            own.iter().for_each(|guest| self.part_of[*guest as usize] = part);
        }
        true
    }

    /// The guests of a part.
    pub fn of(&self, part: u32) -> &[u32] {
        &self.guests[self.parts[part as usize].range.clone()]
    }

    /// The slot of a guest at the start.
    pub fn given(&self, guest: u32) -> u32 {
        self.given[guest as usize]
    }

    /// Slot of every rank.
    pub fn slot_of_rank(&self) -> Vec<u32> {
        let ranks = self.prepared.ranks();
        let mut found = vec![0; ranks as usize];
        for (guest, slot) in self.guests.iter().zip(&self.slots).filter(|(guest, _)| **guest < ranks) {
            found[*guest as usize] = *slot;
        }
        found
    }
}

/// The guests sorted: those of the near side first, in their order.
fn sorted(guests: &[u32], far: &[bool]) -> Vec<u32> {
    let of = |side: bool| guests.iter().zip(far).filter(move |(_, far)| **far == side).map(|(guest, _)| *guest);
    of(false).chain(of(true)).collect()
}

/// Memory that every graph needs.
pub struct Scratch {
    /// Vertex of a guest, if it is one.
    number: Vec<u32>,
    /// What the near side is worth for a byte from each part.
    lean: Vec<Option<i64>>,
    pub graph: Graph,
}

impl Scratch {
    pub fn new(guests: usize) -> Scratch {
        Scratch { number: vec![0; guests], lean: Vec::new(), graph: Graph::default() }
    }
}

/// Halves with few bytes across and short routes to partners elsewhere (Pellegrini and Roman 1996).
pub struct ByTraffic {
    stream: Stream,
    scratch: Scratch,
    /// Every half gets its share of the ranks, where there are more places.
    spread: bool,
}

impl ByTraffic {
    pub fn new(seed: u64, guests: u32, spread: bool) -> ByTraffic {
        ByTraffic { stream: Stream::new(seed, "bisection"), scratch: Scratch::new(guests as usize), spread }
    }
}

impl Split for ByTraffic {
    fn split(&mut self, parts: &Parts<'_, '_>, part: u32, near: &Part, far: &Part) -> Vec<u32> {
        let all = parts.of(part);
        let (places, wanted) = (all.len(), near.range.len());
        // Fillers count as guests that exchange nothing, so that ranks stay together; or they take what the ranks leave.
        let (cut, fillers): (Vec<u32>, Vec<u32>) =
            all.iter().partition(|guest| !self.spread || **guest < parts.prepared.ranks());
        let share = (2 * cut.len() * wanted + places) / (2 * places);
        let ranks = share.clamp((cut.len() + wanted).saturating_sub(places), wanted);
        parts.graph(&cut, [part; 2], &near.samples, &far.samples, &mut self.scratch);
        let aim = Aim { near: ranks as u64, slack: 0 };
        let sides = halves::cut(&self.scratch.graph, aim, &mut self.stream);
        let mut made = sorted(&cut, &sides);
        let rest = made.split_off(ranks);
        let (with_near, with_far) = fillers.split_at(wanted - ranks);
        made.extend(with_near.iter().copied().chain(rest).chain(with_far.iter().copied()));
        made
    }
}

/// The ranks stay where the search begins.
pub struct AsGiven;

impl Split for AsGiven {
    fn split(&mut self, parts: &Parts<'_, '_>, part: u32, near: &Part, _: &Part) -> Vec<u32> {
        let near: std::collections::HashSet<u32> = parts.slots[near.range.clone()].iter().copied().collect();
        let guests = parts.of(part);
        let far: Vec<bool> = guests.iter().map(|guest| !near.contains(&parts.given(*guest))).collect();
        sorted(guests, &far)
    }
}

/// Halves of the longest extent of the ranks' grid (recursive coordinate bisection; Deveci 2014).
pub struct ByCoordinates {
    /// Row-major extents.
    pub dims: Vec<u32>,
    /// Axes by priority: of equal extents the first is halved.
    pub order: Vec<usize>,
}

impl Split for ByCoordinates {
    fn split(&mut self, parts: &Parts<'_, '_>, part: u32, _: &Part, _: &Part) -> Vec<u32> {
        let mut guests = parts.of(part).to_vec();
        let ranks = parts.prepared.ranks();
        let at = |rank: u32, axis: usize| {
            let below: u32 = self.dims[axis + 1..].iter().product();
            rank / below.max(1) % self.dims[axis].max(1)
        };
        let extent = |axis: usize| {
            let all = guests.iter().filter(|guest| **guest < ranks).map(|rank| at(*rank, axis));
            all.clone().max().unwrap_or(0) - all.min().unwrap_or(0)
        };
        let mut axes = self.order.clone();
        axes.sort_by_key(|axis| std::cmp::Reverse(extent(*axis)));
        let place = |guest: &u32| {
            let filler = *guest >= ranks;
            let along = axes.iter().map(|axis| if filler { 0 } else { at(*guest, *axis) }).collect::<Vec<u32>>();
            (filler, along, *guest)
        };
        guests.sort_by_cached_key(place);
        guests
    }
}
