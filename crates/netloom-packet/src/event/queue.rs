//! A priority queue for times that never go back: a calendar (Brown, CACM 31(10), 1988) of short days.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A day is so many picoseconds, as a power of two; the calendar has so many days, a power of two.
const DAY: u32 = 10;
const DAYS: u64 = 1 << 12;
/// None is open.
const NO_DAY: u64 = u64::MAX;
/// Items of the open day that are moved to make place for one; where there are more, it waits in a heap.
const MOVED: usize = 64;

/// What is due at a time. Smaller ranks come first; equal ones in the order in which they were put.
pub trait Ranked: Copy {
    fn rank(&self) -> u32;
}

/// Items due at whole times.
///
/// The items of a day are sorted when it comes, stably, so that equal ones keep their order. Later items than the calendar
/// holds wait in a heap.
#[derive(Clone, Debug)]
pub struct Queue<T> {
    days: Vec<Vec<(u64, T)>>,
    /// One bit per day that has items.
    filled: Vec<u64>,
    /// The day of the last item taken: the calendar begins with it.
    first: u64,
    /// The items of `day`, sorted; so many of them are taken.
    open: Vec<(u64, T)>,
    day: u64,
    taken: usize,
    /// Further items of the open day. They come after equal ones of `open`, which were put before: what is put behind the last one of
    /// `open` is never equal to these.
    late: BinaryHeap<Reverse<Far<T>>>,
    far: BinaryHeap<Reverse<Far<T>>>,
    number: u64,
    /// Memory of days that are over.
    spare: Vec<Vec<(u64, T)>>,
    len: usize,
}

#[derive(Clone, Copy, Debug)]
struct Far<T> {
    at: u64,
    /// 0 for items of later days, which are sorted when their day comes.
    rank: u32,
    number: u64,
    item: T,
}

impl<T> PartialEq for Far<T> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}
impl<T> Eq for Far<T> {}
impl<T> PartialOrd for Far<T> {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}
impl<T> Ord for Far<T> {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        (self.at, self.rank, self.number).cmp(&(other.at, other.rank, other.number))
    }
}

impl<T: Ranked> Queue<T> {
    pub fn new() -> Queue<T> {
        Queue {
            days: (0..DAYS).map(|_| Vec::new()).collect(),
            filled: vec![0; (DAYS / 64) as usize],
            first: 0,
            open: Vec::new(),
            day: 0,
            taken: 0,
            late: BinaryHeap::new(),
            far: BinaryHeap::new(),
            number: 0,
            spare: Vec::new(),
            len: 0,
        }
    }

    pub fn len(&self) -> usize {
        self.len
    }

    /// Forgets all items and starts at time 0 again; keeps the memory.
    pub fn clear(&mut self) {
        self.days.iter_mut().for_each(Vec::clear);
        self.filled.fill(0);
        self.open.clear();
        self.late.clear();
        self.far.clear();
        (self.first, self.day, self.taken, self.number, self.len) = (0, 0, 0, 0, 0);
    }

    /// `at` is not before the last item taken.
    #[inline]
    pub fn put(&mut self, at: u64, item: T) {
        let day = at >> DAY;
        debug_assert!(day >= self.first, "{at} is before the day {}", self.first);
        self.len += 1;
        if day == self.day {
            // Most often the latest of its day.
            let rank = item.rank();
            let after = |held: &(u64, T)| (held.0, held.1.rank()) > (at, rank);
            match self.open.last() {
                Some(last) if after(last) => {
                    let rest = &self.open[self.taken..];
                    let from = rest.len().saturating_sub(MOVED);
                    if self.late.is_empty() && (from == 0 || !after(&rest[from])) {
                        let place = self.taken + from + rest[from..].partition_point(|held| !after(held));
                        self.open.insert(place, (at, item));
                    } else {
                        self.number += 1;
                        self.late.push(Reverse(Far { at, rank, number: self.number, item }));
                    }
                }
                _ => self.open.push((at, item)),
            }
        } else if day < self.first + DAYS {
            self.fill(day, (at, item));
        } else {
            self.number += 1;
            self.far.push(Reverse(Far { at, rank: 0, number: self.number, item }));
        }
    }

    #[inline]
    fn fill(&mut self, day: u64, entry: (u64, T)) {
        let slot = (day % DAYS) as usize;
        if self.days[slot].capacity() == 0
            && let Some(memory) = self.spare.pop()
        {
            self.days[slot] = memory;
        }
        self.days[slot].push(entry);
        self.filled[slot / 64] |= 1 << (slot % 64);
    }

    /// Time of the next item.
    #[inline]
    pub fn next(&mut self) -> Option<u64> {
        if self.turn(0) { self.head().map(|head| head.0) } else { self.far.peek().map(|Reverse(next)| next.at) }
    }

    /// The next item of the open day, and whether it is a late one.
    #[inline]
    fn head(&self) -> Option<(u64, T, bool)> {
        let early = self.open.get(self.taken);
        match self.late.peek() {
            None => early.map(|(at, item)| (*at, *item, false)),
            Some(Reverse(late)) => match early {
                Some((at, item)) if (*at, item.rank()) <= (late.at, late.rank) => Some((*at, *item, false)),
                _ => Some((late.at, late.item, true)),
            },
        }
    }

    /// Late items as they were put.
    fn put_late(late: &[Reverse<Far<T>>], all: &mut Vec<(u64, T)>) {
        let mut late: Vec<&Far<T>> = late.iter().map(|Reverse(late)| late).collect();
        late.sort_unstable_by_key(|late| late.number);
        all.extend(late.into_iter().map(|late| (late.at, late.item)));
    }

    /// All items, in an order in which equal ones keep theirs.
    pub fn copy(&self) -> Vec<(u64, T)> {
        let mut all = Vec::with_capacity(self.len);
        all.extend_from_slice(&self.open[self.taken.min(self.open.len())..]);
        Self::put_late(self.late.as_slice(), &mut all);
        all.extend(self.days.iter().flatten());
        let mut far: Vec<&Far<T>> = self.far.iter().map(|Reverse(far)| far).collect();
        far.sort_unstable();
        all.extend(far.into_iter().map(|far| (far.at, far.item)));
        debug_assert_eq!(all.len(), self.len);
        all
    }

    /// Only these items, none of which is before `now`.
    pub fn restore(&mut self, now: u64, items: &[(u64, T)]) {
        self.clear();
        (self.first, self.day) = (now >> DAY, now >> DAY);
        for (at, item) in items {
            self.put(*at, *item);
        }
    }

    /// The next item, if it is due until `limit`.
    #[inline]
    pub fn take(&mut self, limit: u64) -> Option<(u64, T)> {
        if !self.turn(limit) {
            return None;
        }
        let (at, item, late) = self.head().filter(|head| head.0 <= limit)?;
        if late {
            self.late.pop();
        } else {
            self.taken += 1;
        }
        self.len -= 1;
        if self.day > self.first {
            self.begin(self.day);
        }
        Some((at, item))
    }

    /// The calendar begins with a later day.
    fn begin(&mut self, day: u64) {
        self.first = day;
        while let Some(Reverse(next)) = self.far.peek().copied().filter(|next| next.0.at >> DAY < day + DAYS) {
            self.far.pop();
            self.fill(next.at >> DAY, (next.at, next.item));
        }
    }

    /// Items of the open day that come next, at most `most` of them.
    #[inline]
    pub fn ahead(&self, most: usize) -> &[(u64, T)] {
        let rest = &self.open[self.taken.min(self.open.len())..];
        &rest[..rest.len().min(most)]
    }

    /// Opens the day of the next item; false if there is none in the calendar, nor one until `limit` beyond it: the calendar
    /// goes on only with an item that is taken, since what is put next may come before others.
    #[inline]
    fn turn(&mut self, limit: u64) -> bool {
        let open = self.taken < self.open.len() || !self.late.is_empty();
        if open && self.day == self.first {
            return true;
        }
        match self.earliest() {
            Some(day) if !open || day < self.day => self.unfold(day),
            _ if open => {}
            _ => {
                let Some(Reverse(next)) = self.far.peek().filter(|next| next.0.at <= limit) else { return false };
                let day = next.at >> DAY;
                self.begin(day);
                self.unfold(day);
            }
        }
        true
    }

    /// The first day in the calendar that has items and is not open.
    fn earliest(&self) -> Option<u64> {
        let start = (self.first % DAYS) as usize;
        let words = self.filled.len();
        (0..=words).find_map(|ahead| {
            let word = (start / 64 + ahead) % words;
            let mask = match ahead {
                0 => u64::MAX << (start % 64),
                last if last == words => !(u64::MAX << (start % 64)),
                _ => u64::MAX,
            };
            let found = self.filled[word] & mask;
            let slot = (found != 0).then(|| word as u64 * 64 + u64::from(found.trailing_zeros()))?;
            Some(self.first + (slot + DAYS - start as u64) % DAYS)
        })
    }

    /// Closes the open day, before many items are put: each would be inserted among those of that day.
    pub fn fold(&mut self) {
        self.open.drain(..self.taken);
        if !self.late.is_empty() {
            Self::put_late(self.late.as_slice(), &mut self.open);
            self.late.clear();
        }
        if !self.open.is_empty() {
            // Where nothing is, since what was put on the open day is in it.
            let slot = (self.day % DAYS) as usize;
            std::mem::swap(&mut self.days[slot], &mut self.open);
            self.filled[slot / 64] |= 1 << (slot % 64);
        }
        (self.day, self.taken) = (NO_DAY, 0);
    }

    /// Opens a day, and closes the one that was open.
    fn unfold(&mut self, day: u64) {
        self.fold();
        let slot = (day % DAYS) as usize;
        let over = std::mem::replace(&mut self.open, std::mem::take(&mut self.days[slot]));
        if over.capacity() > 0 {
            self.spare.push(over);
        }
        self.filled[slot / 64] &= !(1 << (slot % 64));
        self.open.sort_by_key(|entry| (entry.0, entry.1.rank()));
        (self.day, self.taken) = (day, 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Rank, and the order of putting.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    struct Item(u32, usize);

    impl Ranked for Item {
        fn rank(&self) -> u32 {
            self.0
        }
    }

    proptest! {
        #[test]
        fn items_come_by_time_then_rank_then_in_order(
            puts in prop::collection::vec((0u64..3, 0u64..70, 0u32..4), 1..300),
            crowd in 0usize..200,
        ) {
            let mut queue = Queue::new();
            let (mut now, mut wanted, mut found) = (0, Vec::new(), Vec::new());
            // So many at the end of the first day, before which others are put.
            let puts = (0..crowd).map(|_| (0, 60, 3)).chain(puts);
            for (number, (takes, delay, rank)) in puts.enumerate() {
                let item = Item(rank, number);
                let delay = if delay > 60 { delay << 20 } else { delay };
                if takes == 2 {
                    queue.fold();
                }
                queue.put(now + delay, item);
                wanted.push((now + delay, item));
                // To look takes nothing: what is put next may come before.
                let first = wanted.iter().map(|w| w.0).min();
                prop_assert_eq!(queue.next(), first);
                prop_assert_eq!(first.and_then(|at| queue.take(at.checked_sub(1)?)), None);
                for _ in 0..takes {
                    prop_assert_eq!(queue.next(), wanted.iter().map(|w| w.0).min());
                    let Some(next) = queue.take(u64::MAX) else { break };
                    now = next.0;
                    found.push(next);
                    let first = wanted.iter().enumerate().min_by_key(|(_, w)| **w).unwrap().0;
                    prop_assert_eq!(next, wanted.remove(first));
                }
            }
            let copy = queue.copy();
            let mut again = Queue::new();
            again.put(1 << 40, Item(0, 0));
            again.restore(now, &copy);
            while let Some(next) = queue.take(u64::MAX) {
                prop_assert_eq!(again.take(u64::MAX), Some(next));
                found.push(next);
            }
            prop_assert_eq!(again.take(u64::MAX), None);
            prop_assert_eq!(queue.len(), 0);
            prop_assert!(found.is_sorted_by_key(|f| f.0));
        }
    }

    #[test]
    fn a_limit_takes_nothing_later() {
        let mut queue = Queue::new();
        let [a, b, c, d] = [0, 1, 2, 3].map(|number| Item(0, number));
        queue.put(5, a);
        queue.put(9, b);
        assert_eq!((queue.take(4), queue.take(5), queue.take(8)), (None, Some((5, a)), None));
        queue.put(6, c);
        assert_eq!((queue.next(), queue.take(9), queue.take(9)), (Some(6), Some((6, c)), Some((9, b))));
        queue.clear();
        queue.put(1, d);
        assert_eq!(queue.take(1), Some((1, d)));
    }
}
