//! The flows on every resource: short lists in one block of memory.

/// A flow on a resource.
#[derive(Clone, Copy, Debug, Default)]
pub struct Slot {
    pub flow: u32,
    /// Index among the flow's uses.
    pub nth: u32,
}

/// Position of the list of a resource.
#[derive(Clone, Copy, Debug, Default)]
struct Queue {
    first: u32,
    len: u32,
    /// Capacity in slots: a power of two, or 0.
    room: u32,
}

/// Lists that grow by doubling; memory that one leaves is reused by the next one of that size.
#[derive(Clone, Debug, Default)]
pub struct Queues {
    queues: Vec<Queue>,
    slots: Vec<Slot>,
    /// First slots of free blocks, by the logarithm of their size.
    left: [Vec<u32>; 32],
}

const LEAST_ROOM: u32 = 2;

impl Queues {
    /// Adds a list.
    pub fn open(&mut self) {
        self.queues.push(Queue::default());
    }

    /// Empties all lists; the memory stays.
    pub fn clear(&mut self) {
        self.queues.iter_mut().for_each(|q| q.len = 0);
    }

    #[inline]
    pub fn of(&self, resource: u32) -> &[Slot] {
        let q = self.queues[resource as usize];
        &self.slots[q.first as usize..q.first as usize + q.len as usize]
    }

    #[inline]
    pub fn len(&self, resource: u32) -> u32 {
        self.queues[resource as usize].len
    }

    /// Appends a slot and returns its position in the list.
    #[inline]
    pub fn push(&mut self, resource: u32, slot: Slot) -> u32 {
        if self.queues[resource as usize].len == self.queues[resource as usize].room {
            self.grow(resource);
        }
        let q = &mut self.queues[resource as usize];
        self.slots[(q.first + q.len) as usize] = slot;
        q.len += 1;
        q.len - 1
    }

    /// Removes a slot and returns the one that moved to its position.
    #[inline]
    pub fn swap_remove(&mut self, resource: u32, position: u32) -> Option<Slot> {
        let q = &mut self.queues[resource as usize];
        q.len -= 1;
        if position == q.len {
            return None;
        }
        let last = self.slots[(q.first + q.len) as usize];
        self.slots[(q.first + position) as usize] = last;
        Some(last)
    }

    #[cold]
    fn grow(&mut self, resource: u32) {
        let q = &mut self.queues[resource as usize];
        let room = (q.room * 2).max(LEAST_ROOM);
        let first = self.left[room.ilog2() as usize].pop().unwrap_or_else(|| {
            let end = self.slots.len() as u32;
            self.slots.resize((end + room) as usize, Slot::default());
            end
        });
        let (from, to) = (q.first as usize, first as usize);
        self.slots.copy_within(from..from + q.len as usize, to);
        if q.room > 0 {
            self.left[q.room.ilog2() as usize].push(q.first);
        }
        (q.first, q.room) = (first, room);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use netloom_model::Stream;

    #[test]
    fn lists_keep_apart() {
        let mut draw = Stream::new(1, "queues");
        let (mut queues, mut slow) = (Queues::default(), vec![Vec::new(); 9]);
        slow.iter().for_each(|_| queues.open());
        for number in 0..30_000 {
            let resource = draw.below(9);
            let list: &mut Vec<u32> = &mut slow[resource as usize];
            // Long lists at one time, short ones at another.
            if !list.is_empty() && draw.below(10) < 3 + number / 7_500 {
                let position = draw.below(list.len() as u32);
                list.swap_remove(position as usize);
                let moved = queues.swap_remove(resource, position);
                assert_eq!(moved.map(|slot| slot.flow), list.get(position as usize).copied());
            } else {
                assert_eq!(queues.push(resource, Slot { flow: number, nth: 0 }), list.len() as u32);
                list.push(number);
            }
            assert_eq!(queues.of(resource).iter().map(|slot| slot.flow).collect::<Vec<_>>(), *list);
        }
    }
}
