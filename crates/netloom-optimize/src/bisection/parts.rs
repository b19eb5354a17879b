//! Ranks and slots halved together, again and again, until nothing tells the slots of a part from each other.

use std::collections::HashMap;
use std::ops::Range;

use netloom_model::Progress;
use netloom_model::halves::{Aim, Graph, Sides, refine};

use super::machine::Machine;
use super::matching::Pieces;
use super::recursion::{After, Recursion};
use super::splits::Split;
use crate::prepared::Prepared;

/// Weights of all edges together, at most: times the largest distance they stay within 63 bits.
const WEIGHT: i64 = 1 << 48;
/// Rounds over all pairs of parts that exchange bytes.
const ROUNDS: u32 = 4;

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
    how: Recursion,
}

impl<'r, 'p> Parts<'r, 'p> {
    /// All in one part.
    pub fn new(prepared: &'r Prepared<'p>, how: Recursion) -> Parts<'r, 'p> {
        let mut slots: Vec<u32> = (0..prepared.slots()).collect();
        slots.sort_unstable_by_key(|slot| (prepared.endpoints[*slot as usize], *slot));
        let machine = Machine::new(prepared, &slots, how);
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
            how,
        }
    }

    /// Cuts all parts, level by level. Once the caller wants an end the rest is split in order.
    pub fn cut(&mut self, split: &mut dyn Split, progress: &Progress) {
        let mut waiting = vec![0u32];
        while !waiting.is_empty() {
            let mut next = Vec::new();
            for part in waiting {
                let pieces = self.pieces(part, self.how.pieces, split, progress);
                if pieces.len() == 1 {
                    continue;
                }
                if self.how.after == After::Match && !progress.stopped() {
                    self.rearrange(&pieces);
                }
                next.extend(pieces);
            }
            waiting = next;
        }
        if self.how.after == After::Exchange {
            self.exchange(progress);
        }
    }

    /// Pieces of a part, halved again and again, in the order of their slots; the part alone if nothing tells its slots apart.
    fn pieces(&mut self, part: u32, count: u32, split: &mut dyn Split, progress: &Progress) -> Vec<u32> {
        let near = count / 2;
        let Some(far) = (near > 0).then(|| self.halve(part, [near, count], split, progress)).flatten() else {
            return vec![part];
        };
        let mut pieces = self.pieces(part, near, split, progress);
        pieces.extend(self.pieces(far, count - near, split, progress));
        pieces
    }

    /// Parts a part in two, the near one with some of so many pieces, and gives the number of the far one.
    fn halve(&mut self, part: u32, share: [u32; 2], split: &mut dyn Split, progress: &Progress) -> Option<u32> {
        let range = self.parts[part as usize].range.clone();
        let at = self.machine.halve(&mut self.slots[range.clone()], share);
        if at == 0 {
            return None;
        }
        let of = |range: Range<usize>| Part { samples: self.machine.samples(&self.slots[range.clone()]), range };
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
        Some(new)
    }

    /// Pieces of a part change places as wholes while fewer bytes times hops result. O(edges of the pieces + partner parts × pieces),
    /// and O(pieces³) a round.
    fn rearrange(&mut self, pieces: &[u32]) {
        let (between, outside) = self.exchanged_by(pieces);
        let apart = |a: &u32| pieces.iter().map(|b| self.apart(*a, *b)).collect();
        let sizes = pieces.iter().map(|piece| self.of(*piece).len()).collect();
        let places = Pieces { sizes, between, apart: pieces.iter().map(apart).collect(), outside }.places();
        let guests: Vec<Vec<u32>> = pieces.iter().map(|piece| self.of(*piece).to_vec()).collect();
        for (own, at) in guests.iter().zip(places) {
            self.settle(pieces[at], own);
        }
    }

    /// Bytes between pieces, and what each costs at the place of each for its bytes to other parts.
    fn exchanged_by(&self, pieces: &[u32]) -> (Vec<Vec<i64>>, Vec<Vec<i64>>) {
        let number: HashMap<u32, usize> = pieces.iter().enumerate().map(|(i, piece)| (*piece, i)).collect();
        let count = pieces.len();
        let (mut between, mut outside) = (vec![vec![0; count]; count], vec![vec![0; count]; count]);
        // Sums of integers: the order does not matter.
        let mut leaving: HashMap<(usize, u32), i64> = HashMap::new();
        for (i, piece) in pieces.iter().enumerate() {
            for (partner, weight) in self.of(*piece).iter().flat_map(|guest| self.partners(*guest)) {
                match number.get(&partner) {
                    Some(&j) => between[i][j] += weight,
                    None => *leaving.entry((i, partner)).or_default() += weight,
                }
            }
        }
        for ((i, partner), weight) in leaving {
            let costs = outside[i].iter_mut().zip(pieces);
            costs.for_each(|(cost, place)| *cost += weight * self.apart(*place, partner));
        }
        (between, outside)
    }

    /// The graph between guests of two parts, leaning where their partners elsewhere are, into the scratch. O(edges).
    pub fn graph(&self, guests: &[u32], home: [u32; 2], near: &[u32], far: &[u32], scratch: &mut Scratch) {
        let across = self.machine.apart(near, far).max(1);
        let leaning = self.how.after != After::Match;
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
                } else if leaning {
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
    fn exchange(&mut self, progress: &Progress) {
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
        for (part, own) in [(a, &sorted[..near]), (b, &sorted[near..])] {
            self.settle(part, own);
        }
        true
    }

    /// The guests of a part.
    pub fn of(&self, part: u32) -> &[u32] {
        &self.guests[self.parts[part as usize].range.clone()]
    }

    /// The slots of a part.
    pub fn slots(&self, part: &Part) -> &[u32] {
        &self.slots[part.range.clone()]
    }

    /// Part and weight of each partner of a guest.
    fn partners(&self, guest: u32) -> impl Iterator<Item = (u32, i64)> + '_ {
        let row = self.prepared.guest.row(guest);
        let all = self.prepared.guest.neighbours[row.clone()].iter().zip(&self.prepared.guest.weights[row]);
        all.map(|(partner, weight)| (self.part_of[*partner as usize], weight >> self.shift))
    }

    /// Mean distance between two parts, as [`Machine::apart`].
    fn apart(&self, a: u32, b: u32) -> i64 {
        self.machine.apart(&self.parts[a as usize].samples, &self.parts[b as usize].samples)
    }

    /// Gives a part its guests, as many as it has places.
    fn settle(&mut self, part: u32, guests: &[u32]) {
        self.guests[self.parts[part as usize].range.clone()].copy_from_slice(guests);
        guests.iter().for_each(|guest| self.part_of[*guest as usize] = part);
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
pub fn sorted(guests: &[u32], far: &[bool]) -> Vec<u32> {
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
