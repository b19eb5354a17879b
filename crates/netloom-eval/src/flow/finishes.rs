//! The earliest of many times that change: a 4-ary heap that knows where each entry stands.

const NONE: u32 = u32::MAX;

/// Times of at least 0 by small dense number.
#[derive(Clone, Debug, Default)]
pub struct Finishes {
    /// (time, number); the bits of such times are in the order of the times.
    heap: Vec<(u64, u32)>,
    position: Vec<u32>,
}

fn before(a: (u64, u32), b: (u64, u32)) -> bool {
    a.0 < b.0 || (a.0 == b.0 && a.1 < b.1)
}

impl Finishes {
    pub fn clear(&mut self) {
        self.heap.clear();
        self.position.clear();
    }

    pub fn first(&self) -> Option<(f64, u32)> {
        self.heap.first().map(|&(time, id)| (f64::from_bits(time), id))
    }

    /// Enters or moves `id`. O(log).
    pub fn set(&mut self, id: u32, time: f64) {
        // Without the sign of a zero.
        let time = (time + 0.0).to_bits();
        if self.position.len() <= id as usize {
            self.position.resize(id as usize + 1, NONE);
        }
        match self.position[id as usize] {
            NONE => {
                self.heap.push((time, id));
                self.up(self.heap.len() - 1);
            }
            at => {
                let at = at as usize;
                let earlier = before((time, id), self.heap[at]);
                self.heap[at].0 = time;
                if earlier { self.up(at) } else { self.down(at) }
            }
        }
    }

    /// Takes the first out. O(log).
    pub fn pop(&mut self) {
        let Some(&(_, id)) = self.heap.first() else { return };
        self.position[id as usize] = NONE;
        self.heap.swap_remove(0);
        if !self.heap.is_empty() {
            self.down(0);
        }
    }

    fn up(&mut self, mut at: usize) {
        let entry = self.heap[at];
        while at > 0 {
            let parent = (at - 1) / 4;
            if !before(entry, self.heap[parent]) {
                break;
            }
            self.heap[at] = self.heap[parent];
            self.position[self.heap[at].1 as usize] = at as u32;
            at = parent;
        }
        self.heap[at] = entry;
        self.position[entry.1 as usize] = at as u32;
    }

    fn down(&mut self, mut at: usize) {
        let entry = self.heap[at];
        loop {
            let first = 4 * at + 1;
            let children = first..(first + 4).min(self.heap.len());
            let Some(least) = children.reduce(|a, b| if before(self.heap[b], self.heap[a]) { b } else { a }) else {
                break;
            };
            if !before(self.heap[least], entry) {
                break;
            }
            self.heap[at] = self.heap[least];
            self.position[self.heap[at].1 as usize] = at as u32;
            at = least;
        }
        self.heap[at] = entry;
        self.position[entry.1 as usize] = at as u32;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use netloom_model::Stream;

    #[test]
    fn it_is_a_sorted_list() {
        let mut draw = Stream::new(1, "finishes");
        let (mut heap, mut slow) = (Finishes::default(), std::collections::BTreeMap::new());
        for _ in 0..20_000 {
            let id = draw.below(50);
            if draw.below(3) == 0 {
                if let Some((_, first)) = heap.first() {
                    slow.remove(&first);
                }
                heap.pop();
            } else {
                let time = draw.below(1000) as f64;
                heap.set(id, time);
                slow.insert(id, time);
            }
            let first = slow.iter().map(|(&id, &t)| (t, id)).min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            assert_eq!(heap.first(), first);
        }
    }
}
