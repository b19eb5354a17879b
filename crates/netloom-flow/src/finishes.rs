//! The earliest of many times that change: a tree of minima.

/// The bits of such times sort as the times do; this is greater than all of them.
const NONE: u64 = u64::MAX;

/// Times under one minimum: a cache line.
const BLOCK: usize = 8;

/// Times of at least 0 by small dense number. Changes are only recorded; the minima are updated on demand, once for all
/// changes of a block.
#[derive(Clone, Debug, Default)]
pub struct Finishes {
    times: Vec<u64>,
    /// By block of times, whether one of them changed, and the list of these blocks.
    changed: (Vec<bool>, Vec<u32>),
    /// The least of every block of times, the least of every block of these, and so on up to one number. All but the
    /// last are whole blocks.
    minima: Vec<Vec<u64>>,
}

impl Finishes {
    pub fn clear(&mut self) {
        *self = Finishes::default();
    }

    /// Enters or moves `id`. O(1).
    #[inline]
    pub fn set(&mut self, id: u32, time: f64) {
        // Without the sign of a zero.
        self.put(id as usize, (time + 0.0).to_bits());
    }

    /// Takes `id` out. O(1).
    pub fn remove(&mut self, id: u32) {
        self.put(id as usize, NONE);
    }

    /// True if `id` has a time.
    pub fn has(&self, id: u32) -> bool {
        self.times.get(id as usize).is_some_and(|time| *time != NONE)
    }

    /// The least time; infinite times are times too. O(log) per block of changes.
    pub fn time(&mut self) -> Option<f64> {
        self.least().map(f64::from_bits)
    }

    /// The least time, and the lowest number that has it. O(log), and as [`Finishes::time`].
    pub fn first(&mut self) -> Option<(f64, u32)> {
        let least = self.least()?;
        let mut at = 0;
        for level in self.minima.iter().rev().skip(1).chain([&self.times]) {
            at = at * BLOCK + place(block_of(level, at), least);
        }
        Some((f64::from_bits(least), at as u32))
    }

    #[inline]
    fn put(&mut self, id: usize, time: u64) {
        if id >= self.times.len() {
            self.grow(id);
        }
        self.times[id] = time;
        let (is_noted, blocks) = &mut self.changed;
        if !std::mem::replace(&mut is_noted[id / BLOCK], true) {
            blocks.push((id / BLOCK) as u32);
        }
    }

    fn least(&mut self) -> Option<u64> {
        while let Some(block) = self.changed.1.pop() {
            self.changed.0[block as usize] = false;
            let (mut below, mut at) = (&self.times, block as usize);
            for level in &mut self.minima {
                let least = minimum(block_of(below, at));
                if least == std::mem::replace(&mut level[at], least) {
                    break;
                }
                (below, at) = (level, at / BLOCK);
            }
        }
        self.minima.last().map(|root| root[0]).filter(|&time| time != NONE)
    }

    /// Doubles the capacity, at least up to `id`.
    #[cold]
    fn grow(&mut self, id: usize) {
        let room = (id + 1).max(2 * self.times.len()).next_multiple_of(BLOCK);
        self.times.resize(room, NONE);
        self.changed.0.resize(room / BLOCK, false);
        self.minima.clear();
        let mut below = &self.times;
        while below.len() > 1 {
            let mut level: Vec<u64> = (0..below.len() / BLOCK).map(|at| minimum(block_of(below, at))).collect();
            if level.len() > 1 {
                level.resize(level.len().next_multiple_of(BLOCK), NONE);
            }
            self.minima.push(level);
            below = &self.minima[self.minima.len() - 1];
        }
    }
}

#[inline(always)]
fn block_of(level: &[u64], at: usize) -> [u64; BLOCK] {
    std::array::from_fn(|nth| level[at * BLOCK..(at + 1) * BLOCK][nth])
}

/// Without branches, as in the next function: which one is the least is unpredictable.
#[inline(always)]
fn minimum([a, b, c, d, e, f, g, h]: [u64; BLOCK]) -> u64 {
    let of = |x: u64, y: u64| std::hint::select_unpredictable(x < y, x, y);
    of(of(of(a, b), of(c, d)), of(of(e, f), of(g, h)))
}

/// Index of the first occurrence of a time in the block.
#[inline(always)]
fn place(block: [u64; BLOCK], time: u64) -> usize {
    let same = block.iter().enumerate().fold(0u32, |same, (nth, &is)| same | u32::from(is == time) << nth);
    same.trailing_zeros() as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use netloom_model::Stream;

    #[test]
    fn it_is_a_sorted_list() {
        let mut draw = Stream::new(1, "finishes");
        let (mut tree, mut slow) = (Finishes::default(), std::collections::BTreeMap::new());
        for number in 0..20_000 {
            // Few at first, then enough for four levels.
            let id = draw.below(if number < 10_000 { 50 } else { 600 });
            if draw.below(3) == 0 {
                if let Some((_, first)) = tree.first() {
                    slow.remove(&first);
                    tree.remove(first);
                }
            } else {
                let time = draw.below(1000) as f64;
                tree.set(id, time);
                slow.insert(id, time);
            }
            let first = slow.iter().map(|(&id, &t)| (t, id)).min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            assert_eq!(tree.first(), first);
            assert_eq!(tree.time(), first.map(|(time, _)| time));
        }
    }
}
