//! An array whose changes can be undone.

use std::collections::VecDeque;
use std::ops::{Deref, Index, IndexMut};
use std::slice::SliceIndex;

/// Items of which, once asked to, the first change after each mark keeps the old value. Without marks it is an array.
///
/// A mark costs nothing but the old values of what changes after it, so that of a large state only the part that is in use
/// is copied.
#[derive(Clone, Debug)]
pub struct Saved<T> {
    items: Vec<T>,
    log: Option<Box<Log<T>>>,
}

#[derive(Clone, Debug)]
struct Log<T> {
    /// One for each mark, the oldest first.
    since: VecDeque<Since<T>>,
    /// Of each item that there was at the last mark, the round in which its old value was kept.
    kept: Vec<u32>,
    /// Of the last mark, or of the last return to one.
    round: u32,
    /// Memory of marks that are gone.
    spare: Vec<Vec<(u32, T)>>,
}

/// What a mark needs to come back to it from the next one.
#[derive(Clone, Debug)]
struct Since<T> {
    len: usize,
    old: Vec<(u32, T)>,
}

impl<T: Clone> Saved<T> {
    pub fn push(&mut self, item: T) {
        self.items.push(item);
    }

    /// At least so many items.
    pub fn grow(&mut self, len: usize, item: T) {
        if self.items.len() < len {
            self.items.resize(len, item);
        }
    }

    /// All items, to be changed for good.
    pub fn all_mut(&mut self) -> &mut [T] {
        &mut self.items
    }

    /// Forgets all items and marks; keeps the memory.
    pub fn clear(&mut self) {
        self.items.clear();
        self.log = None;
    }
}

/// An array of any items, with its marks.
pub trait Marks {
    /// From now on changes are kept, those before the first mark excepted. Marks that there were are forgotten.
    fn save(&mut self);

    /// A mark at what there is now.
    fn mark(&mut self);

    /// Back to a mark, counted from the oldest; later marks are gone, it stays.
    fn back(&mut self, mark: usize);

    /// The oldest marks, so many, are no longer needed.
    fn forget(&mut self, marks: usize);
}

impl<T: Clone> Marks for Saved<T> {
    fn save(&mut self) {
        self.log = Some(Box::new(Log { since: VecDeque::new(), kept: Vec::new(), round: 0, spare: Vec::new() }));
    }

    fn mark(&mut self) {
        if let Some(log) = &mut self.log {
            let old = log.spare.pop().unwrap_or_default();
            log.since.push_back(Since { len: self.items.len(), old });
            log.kept.resize(self.items.len(), 0);
            log.round += 1;
        }
    }

    fn back(&mut self, mark: usize) {
        let Some(log) = &mut self.log else { return };
        while log.since.len() > mark
            && let Some(mut since) = log.since.pop_back()
        {
            // In each, an item is there once.
            for (at, item) in since.old.drain(..) {
                self.items[at as usize] = item;
            }
            self.items.truncate(since.len);
            log.spare.push(since.old);
        }
        self.mark();
    }

    fn forget(&mut self, marks: usize) {
        let Some(log) = &mut self.log else { return };
        for mut since in log.since.drain(..marks) {
            since.old.clear();
            log.spare.push(since.old);
        }
    }
}

impl<T: Clone> Log<T> {
    /// Apart, so that arrays without marks pay for one look only.
    #[cold]
    #[inline(never)]
    fn keep(&mut self, at: usize, items: &[T]) {
        if let (Some(kept), Some(since)) = (self.kept.get_mut(at), self.since.back_mut())
            && *kept != self.round
        {
            *kept = self.round;
            since.old.push((at as u32, items[at].clone()));
        }
    }
}

impl<T> From<Vec<T>> for Saved<T> {
    fn from(items: Vec<T>) -> Saved<T> {
        Saved { items, log: None }
    }
}

impl<T> Default for Saved<T> {
    fn default() -> Saved<T> {
        Vec::new().into()
    }
}

impl<T> Deref for Saved<T> {
    type Target = [T];
    #[inline]
    fn deref(&self) -> &[T] {
        &self.items
    }
}

impl<T, I: SliceIndex<[T]>> Index<I> for Saved<T> {
    type Output = I::Output;
    #[inline]
    fn index(&self, at: I) -> &I::Output {
        &self.items[at]
    }
}

impl<T: Clone> IndexMut<usize> for Saved<T> {
    #[inline]
    fn index_mut(&mut self, at: usize) -> &mut T {
        if let Some(log) = &mut self.log {
            log.keep(at, &self.items);
        }
        &mut self.items[at]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_mark_gives_back_what_was_there(steps in prop::collection::vec((0u8..6, 0usize..12, 0u32..1000), 1..200)) {
            let mut saved = Saved::from(vec![0u32; 4]);
            saved.save();
            saved.mark();
            let mut marks = vec![saved.to_vec()];
            for (what, place, value) in steps {
                match what {
                    0 => saved.push(value),
                    1 => {
                        saved.mark();
                        marks.push(saved.to_vec());
                    }
                    2 => {
                        let mark = place % marks.len();
                        saved.back(mark);
                        prop_assert_eq!(&saved[..], &marks[mark][..]);
                        marks.truncate(mark + 1);
                    }
                    3 if marks.len() > 1 => {
                        let count = place % marks.len();
                        saved.forget(count);
                        marks.drain(..count);
                    }
                    _ => {
                        let place = place % saved.len();
                        saved[place] = value;
                    }
                }
            }
        }
    }
}
