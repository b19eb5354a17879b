//! Rows of bits on 64-bit words.

/// Equal rows of bits in one allocation.
#[derive(Clone, Default)]
pub(super) struct Rows {
    words: usize,
    bits: usize,
    data: Vec<u64>,
}

impl Rows {
    /// `rows` empty rows of `bits` bits; the caller has checked the size.
    pub fn new(rows: usize, bits: usize) -> Self {
        let words = bits.div_ceil(64);
        Rows { words, bits, data: vec![0; rows * words] }
    }
    /// Empties the rows and gives them this size, in the memory that they have.
    pub fn reset(&mut self, rows: usize, bits: usize) {
        (self.words, self.bits) = (bits.div_ceil(64), bits);
        self.data.clear();
        self.data.resize(rows * self.words, 0);
    }
    #[inline]
    pub fn row(&self, row: usize) -> &[u64] {
        &self.data[row * self.words..(row + 1) * self.words]
    }
    #[inline]
    pub fn row_mut(&mut self, row: usize) -> &mut [u64] {
        &mut self.data[row * self.words..(row + 1) * self.words]
    }
    #[inline]
    pub fn set(&mut self, row: usize, bit: usize) {
        self.data[row * self.words + bit / 64] |= 1 << (bit % 64);
    }
    #[inline]
    pub fn has(&self, row: usize, bit: usize) -> bool {
        self.data[row * self.words + bit / 64] >> (bit % 64) & 1 == 1
    }
    /// First bit of `first .. first + count` that is not set. O(count / 64).
    pub fn first_missing(&self, row: usize, first: usize, count: usize) -> Option<usize> {
        let base = row * self.words;
        runs(first, count).find_map(|(word, mask)| {
            let lacking = !self.data[base + word] & mask;
            (lacking != 0).then(|| word * 64 + lacking.trailing_zeros() as usize)
        })
    }
    /// Sets `first .. first + count`. O(count / 64).
    pub fn set_run(&mut self, row: usize, first: usize, count: usize) {
        let base = row * self.words;
        for (word, mask) in runs(first, count) {
            self.data[base + word] |= mask;
        }
    }
    pub fn bits(&self) -> usize {
        self.bits
    }
    pub fn words(&self) -> usize {
        self.words
    }
}

/// Words and masks that cover the bits `first .. first + count`.
fn runs(first: usize, count: usize) -> impl Iterator<Item = (usize, u64)> {
    let end = first + count;
    let words = if count == 0 { 0..0 } else { first / 64..end.div_ceil(64) };
    words.map(move |word| {
        let (low, high) = (first.max(word * 64) - word * 64, end.min(word * 64 + 64) - word * 64);
        let below = |n: usize| if n == 64 { u64::MAX } else { (1u64 << n) - 1 };
        (word, below(high) & !below(low))
    })
}

/// Lowest bit of `a` that is also in `b`.
pub(super) fn common(a: &[u64], b: &[u64]) -> Option<usize> {
    a.iter().zip(b).position(|(x, y)| x & y != 0).map(|w| w * 64 + (a[w] & b[w]).trailing_zeros() as usize)
}

/// `a |= b`.
pub(super) fn unite(a: &mut [u64], b: &[u64]) {
    for (x, y) in a.iter_mut().zip(b) {
        *x |= y;
    }
}

/// Lowest bit in `0..end` that `set` lacks, and lowest bit at or above `end` that it has.
pub(super) fn against(set: &[u64], end: usize) -> (Option<usize>, Option<usize>) {
    let lacking = runs(0, end).find_map(|(w, mask)| {
        let bits = !set[w] & mask;
        (bits != 0).then(|| w * 64 + bits.trailing_zeros() as usize)
    });
    let surplus = runs(end, set.len() * 64 - end).find_map(|(w, mask)| {
        let bits = set[w] & mask;
        (bits != 0).then(|| w * 64 + bits.trailing_zeros() as usize)
    });
    (lacking, surplus)
}

/// `out |=` the bits of `set` (of `bits` bits), each moved up by `by`, wrapping at `bits`. O(bits / 64).
pub(super) fn turn(set: &[u64], bits: usize, by: usize, out: &mut [u64]) {
    shift_up(set, by, bits, out);
    if by > 0 {
        shift_down(set, bits - by, out);
    }
}

/// `out |= set << by`, cut at `bits`.
fn shift_up(set: &[u64], by: usize, bits: usize, out: &mut [u64]) {
    let (words, rest) = (by / 64, by % 64);
    for w in words..out.len() {
        let low = set[w - words] << rest;
        let carried = if rest > 0 && w > words { set[w - words - 1] >> (64 - rest) } else { 0 };
        out[w] |= low | carried;
    }
    if !bits.is_multiple_of(64) {
        out[bits / 64] &= (1u64 << (bits % 64)) - 1;
    }
}

/// `out |= set >> by`.
fn shift_down(set: &[u64], by: usize, out: &mut [u64]) {
    let (words, rest) = (by / 64, by % 64);
    for w in 0..set.len().saturating_sub(words) {
        let high = set[w + words] >> rest;
        let carried = if rest > 0 { set.get(w + words + 1).map_or(0, |v| v << (64 - rest)) } else { 0 };
        out[w] |= high | carried;
    }
}

/// `out |=` the bits of `set`, each with its number xored by `by`. O(bits).
pub(super) fn mirror(set: &[u64], by: usize, out: &mut [u64]) {
    for (w, word) in set.iter().enumerate() {
        let mut left = *word;
        while left != 0 {
            let bit = (w * 64 + left.trailing_zeros() as usize) ^ by;
            out[bit / 64] |= 1 << (bit % 64);
            left &= left - 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_turns_and_mirrors_agree_with_single_bits() {
        for bits in [1usize, 2, 63, 64, 65, 128, 130] {
            for by in [0, 1, bits / 3, bits / 2, bits - 1] {
                let mut rows = Rows::new(2, bits);
                rows.set_run(1, by, bits - by);
                assert!((0..bits).all(|b| rows.has(1, b) == (b >= by) && !rows.has(0, b)));
                assert_eq!(rows.first_missing(1, 0, bits), (by > 0).then_some(0));
                let chosen: Vec<usize> = (0..bits).filter(|b| b * b % 7 < 3).collect();
                let (mut set, mut turned) = (vec![0u64; bits.div_ceil(64)], vec![0u64; bits.div_ceil(64)]);
                chosen.iter().for_each(|b| set[b / 64] |= 1 << (b % 64));
                turn(&set, bits, by, &mut turned);
                for b in 0..bits {
                    let to = (b + by) % bits;
                    assert_eq!(turned[to / 64] >> (to % 64) & 1, set[b / 64] >> (b % 64) & 1, "{bits} {by} {b}");
                }
            }
        }
    }
}
