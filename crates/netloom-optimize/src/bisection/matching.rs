//! Which piece of the ranks gets which piece of the machine.

/// Bytes and distances of the pieces of one part, piece `i` at place `i`.
pub struct Pieces {
    /// Guests of each; only pieces of equal size change places.
    pub sizes: Vec<usize>,
    /// Bytes between two pieces.
    pub between: Vec<Vec<i64>>,
    /// Between two places.
    pub apart: Vec<Vec<i64>>,
    /// What each piece costs at each place for its partners outside.
    pub outside: Vec<Vec<i64>>,
}

impl Pieces {
    /// What piece `i` costs at a place, but for its bytes to piece `but`.
    fn cost(&self, places: &[usize], i: usize, at: usize, but: usize) -> i64 {
        let others = (0..places.len()).filter(|m| *m != i && *m != but);
        self.outside[i][at] + others.map(|m| self.between[i][m] * self.apart[at][places[m]]).sum::<i64>()
    }

    /// The place of each piece: at first its own. Pairs change places while that is cheaper. A round is O(pieces³).
    pub fn places(&self) -> Vec<usize> {
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
