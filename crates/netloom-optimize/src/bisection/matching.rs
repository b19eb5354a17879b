//! Which piece of the ranks gets which piece of the machine.

use std::collections::HashMap;

use super::parts::Parts;

/// Bytes and distances of the pieces of one part.
struct Pieces {
    /// Guests of each; only pieces of equal size change places.
    sizes: Vec<usize>,
    between: Vec<Vec<i64>>,
    apart: Vec<Vec<i64>>,
    /// What each piece costs at each place for its partners outside.
    outside: Vec<Vec<i64>>,
}

impl Pieces {
    /// O(edges of the pieces + partner parts × pieces).
    fn new(parts: &Parts<'_, '_>, pieces: &[u32]) -> Pieces {
        let number: HashMap<u32, usize> = pieces.iter().enumerate().map(|(i, piece)| (*piece, i)).collect();
        let count = pieces.len();
        let mut between = vec![vec![0; count]; count];
        // Sums of integers: the order does not matter.
        let mut leaving: HashMap<(usize, u32), i64> = HashMap::new();
        for (i, piece) in pieces.iter().enumerate() {
            for (partner, weight) in parts.of(*piece).iter().flat_map(|guest| parts.partners(*guest)) {
                match number.get(&partner) {
                    Some(&j) => between[i][j] += weight,
                    None => *leaving.entry((i, partner)).or_default() += weight,
                }
            }
        }
        let mut outside = vec![vec![0; count]; count];
        let mut away: HashMap<u32, Vec<i64>> = HashMap::new();
        for ((i, partner), weight) in leaving {
            let away = away
                .entry(partner)
                .or_insert_with(|| pieces.iter().map(|piece| parts.apart(*piece, partner)).collect());
            outside[i].iter_mut().zip(away).for_each(|(cost, away)| *cost += weight * *away);
        }
        let apart = |a: &u32| pieces.iter().map(|b| parts.apart(*a, *b)).collect();
        Pieces {
            sizes: pieces.iter().map(|piece| parts.of(*piece).len()).collect(),
            between,
            apart: pieces.iter().map(apart).collect(),
            outside,
        }
    }

    /// What piece `i` costs at a place, but for its bytes to piece `but`.
    fn cost(&self, places: &[usize], i: usize, at: usize, but: usize) -> i64 {
        let others = (0..places.len()).filter(|m| *m != i && *m != but);
        self.outside[i][at] + others.map(|m| self.between[i][m] * self.apart[at][places[m]]).sum::<i64>()
    }

    /// The place of each piece. Pairs change places while that is cheaper. A round is O(pieces³).
    fn places(&self) -> Vec<usize> {
        let mut places: Vec<usize> = (0..self.sizes.len()).collect();
        loop {
            let mut better = false;
            for i in 0..places.len() {
                for j in (i + 1)..places.len() {
                    let (a, b) = (places[i], places[j]);
                    let cost = |at: usize, other: usize| self.cost(&places, i, at, j) + self.cost(&places, j, other, i);
                    if self.sizes[i] == self.sizes[j] && cost(b, a) < cost(a, b) {
                        places.swap(i, j);
                        better = true;
                    }
                }
            }
            if !better {
                return places;
            }
        }
    }
}

/// The pieces change places as wholes while fewer bytes times hops result.
pub fn matched(parts: &mut Parts<'_, '_>, pieces: &[u32]) {
    let places = Pieces::new(parts, pieces).places();
    let guests: Vec<Vec<u32>> = pieces.iter().map(|piece| parts.of(*piece).to_vec()).collect();
    for (own, at) in guests.iter().zip(places) {
        parts.settle(pieces[at], own);
    }
}
