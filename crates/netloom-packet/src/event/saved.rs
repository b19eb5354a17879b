//! An array whose changes can be undone, or not: who never goes back pays nothing.

use std::collections::VecDeque;
use std::ops::{Deref, Index, IndexMut};
use std::slice::SliceIndex;

/// Whether the changes of a part's arrays can be undone.
pub trait Undo: Send + Sync + 'static {
    type Log<T: Clone + Send + Sync>: Keep<T> + Send + Sync;
}

/// Changes are for good.
pub struct ForGood;

/// Changes can be undone.
pub struct Undoable;

impl Undo for ForGood {
    type Log<T: Clone + Send + Sync> = ();
}

impl Undo for Undoable {
    type Log<T: Clone + Send + Sync> = Log<T>;
}

/// What is kept of an array that changes.
pub trait Keep<T>: Default {
    /// An item is about to change.
    fn keep(&mut self, at: usize, items: &[T]);
    fn mark(&mut self, items: &[T]);
    fn back(&mut self, mark: usize, items: &mut Vec<T>);
    fn forget(&mut self, marks: usize);
}

impl<T> Keep<T> for () {
    #[inline]
    fn keep(&mut self, _: usize, _: &[T]) {}
    fn mark(&mut self, _: &[T]) {}
    fn back(&mut self, _: usize, _: &mut Vec<T>) {}
    fn forget(&mut self, _: usize) {}
}

/// Items of which the first change after each mark keeps the old value.
///
/// A mark costs nothing but the old values of what changes after it, so that of a large state only the part that is in use
/// is copied.
pub struct Saved<T: Clone + Send + Sync, U: Undo> {
    items: Vec<T>,
    log: U::Log<T>,
}

pub struct Log<T> {
    /// One for each mark, the oldest first.
    since: VecDeque<Since<T>>,
    /// Of each item that there was at the last mark, the round in which its old value was kept.
    kept: Vec<u32>,
    /// Of the last mark, or of the last return to one.
    round: u32,
    /// Memory of marks that are gone.
    spare: Vec<Vec<(u32, T)>>,
}

impl<T> Default for Log<T> {
    fn default() -> Log<T> {
        Log { since: VecDeque::new(), kept: Vec::new(), round: 0, spare: Vec::new() }
    }
}

/// What a mark needs to come back to it from the next one.
struct Since<T> {
    len: usize,
    old: Vec<(u32, T)>,
}

impl<T: Clone + Send + Sync, U: Undo> Saved<T, U> {
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
        self.log = Default::default();
    }
}

/// An array of any items, with its marks.
pub trait Marks {
    /// Marks that there were are forgotten.
    fn save(&mut self);

    /// A mark at what there is now.
    fn mark(&mut self);

    /// Back to a mark, counted from the oldest; later marks are gone, it stays.
    fn back(&mut self, mark: usize);

    /// The oldest marks, so many, are no longer needed.
    fn forget(&mut self, marks: usize);
}

impl<T: Clone + Send + Sync, U: Undo> Marks for Saved<T, U> {
    fn save(&mut self) {
        self.log = Default::default();
    }

    fn mark(&mut self) {
        self.log.mark(&self.items);
    }

    fn back(&mut self, mark: usize) {
        self.log.back(mark, &mut self.items);
    }

    fn forget(&mut self, marks: usize) {
        self.log.forget(marks);
    }
}

impl<T: Clone> Keep<T> for Log<T> {
    #[inline]
    fn keep(&mut self, at: usize, items: &[T]) {
        if let (Some(kept), Some(since)) = (self.kept.get_mut(at), self.since.back_mut())
            && *kept != self.round
        {
            *kept = self.round;
            since.old.push((at as u32, items[at].clone()));
        }
    }

    fn mark(&mut self, items: &[T]) {
        let old = self.spare.pop().unwrap_or_default();
        self.since.push_back(Since { len: items.len(), old });
        self.kept.resize(items.len(), 0);
        self.round += 1;
    }

    fn back(&mut self, mark: usize, items: &mut Vec<T>) {
        while self.since.len() > mark
            && let Some(mut since) = self.since.pop_back()
        {
            // In each, an item is there once.
            for (at, item) in since.old.drain(..) {
                items[at as usize] = item;
            }
            items.truncate(since.len);
            self.spare.push(since.old);
        }
        self.mark(items);
    }

    fn forget(&mut self, marks: usize) {
        for mut since in self.since.drain(..marks) {
            since.old.clear();
            self.spare.push(since.old);
        }
    }
}

impl<T: Clone + Send + Sync, U: Undo> From<Vec<T>> for Saved<T, U> {
    fn from(items: Vec<T>) -> Saved<T, U> {
        Saved { items, log: Default::default() }
    }
}

impl<T: Clone + Send + Sync, U: Undo> Default for Saved<T, U> {
    fn default() -> Saved<T, U> {
        Vec::new().into()
    }
}

impl<T: Clone + Send + Sync, U: Undo> Deref for Saved<T, U> {
    type Target = [T];
    #[inline]
    fn deref(&self) -> &[T] {
        &self.items
    }
}

impl<T: Clone + Send + Sync, U: Undo, I: SliceIndex<[T]>> Index<I> for Saved<T, U> {
    type Output = I::Output;
    #[inline]
    fn index(&self, at: I) -> &I::Output {
        &self.items[at]
    }
}

impl<T: Clone + Send + Sync, U: Undo> IndexMut<usize> for Saved<T, U> {
    #[inline]
    fn index_mut(&mut self, at: usize) -> &mut T {
        self.log.keep(at, &self.items);
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
            let mut saved = Saved::<u32, Undoable>::from(vec![0; 4]);
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
