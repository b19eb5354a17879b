//! What happens when: in the order of time, and at one time in the order of entry.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

use netloom_model::Time;

/// Times that still take events into their queue. Messages that start together differ in few latencies.
const OPEN: usize = 4;

/// Events of one time wait in one queue: the heap holds times, not events.
#[derive(Clone, Debug)]
pub struct Agenda<T> {
    /// By time, then by age of the queue.
    heap: BinaryHeap<Reverse<(Time, u64, u32)>>,
    queues: Vec<VecDeque<T>>,
    /// Queues without events.
    idle: Vec<u32>,
    /// The youngest queue of each of these times: an older one of the same time is in none of them.
    open: [Option<(Time, u32)>; OPEN],
    /// Queues begun so far.
    begun: u64,
}

impl<T> Default for Agenda<T> {
    fn default() -> Agenda<T> {
        Agenda { heap: BinaryHeap::new(), queues: Vec::new(), idle: Vec::new(), open: [None; OPEN], begun: 0 }
    }
}

impl<T> Agenda<T> {
    /// Forgets all events and keeps the memory.
    pub fn clear(&mut self) {
        self.heap.clear();
        self.queues.iter_mut().for_each(VecDeque::clear);
        self.idle = (0..self.queues.len() as u32).collect();
        (self.open, self.begun) = ([None; OPEN], 0);
    }

    /// Enters an event. O(1) at the time of an open queue, else O(log times).
    #[inline]
    pub fn put(&mut self, time: Time, what: T) {
        let same = self.open.iter().flatten().find(|(at, _)| at.cmp(&time).is_eq());
        let queue = match same {
            Some((_, queue)) => *queue,
            None => self.begin(time),
        };
        self.queues[queue as usize].push_back(what);
    }

    fn begin(&mut self, time: Time) -> u32 {
        let queue = self.idle.pop().unwrap_or_else(|| {
            self.queues.push(VecDeque::new());
            self.queues.len() as u32 - 1
        });
        self.open[self.begun as usize % OPEN] = Some((time, queue));
        self.begun += 1;
        self.heap.push(Reverse((time, self.begun, queue)));
        queue
    }

    /// All events, with their times.
    pub fn for_each(&self, mut visit: impl FnMut(Time, &T)) {
        for Reverse((time, _, queue)) in &self.heap {
            self.queues[*queue as usize].iter().for_each(|what| visit(*time, what));
        }
    }

    /// When the first event happens.
    #[inline]
    pub fn time(&self) -> Option<Time> {
        self.heap.peek().map(|Reverse((time, ..))| *time)
    }

    /// Takes the first event, if it is not after `until`. O(1), and O(log times) with the last event of a queue.
    #[inline]
    pub fn take(&mut self, until: Time) -> Option<T> {
        let Reverse((time, _, queue)) = *self.heap.peek()?;
        if time > until {
            return None;
        }
        let events = &mut self.queues[queue as usize];
        let first = events.pop_front();
        if events.is_empty() {
            self.heap.pop();
            self.idle.push(queue);
            self.open.iter_mut().filter(|open| open.is_some_and(|(_, of)| of == queue)).for_each(|open| *open = None);
        }
        first
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use netloom_model::Stream;

    #[test]
    fn it_is_a_list_sorted_by_time_and_entry() {
        for (seed, times) in [(1, 2), (2, 5), (3, 40), (4, 100_000)] {
            let mut draw = Stream::new(seed, "agenda");
            let (mut agenda, mut slow) = (Agenda::default(), std::collections::BTreeMap::new());
            let mut now = 0;
            for number in 0..20_000u32 {
                if draw.below(100) < 55 {
                    let at = now + draw.below(times);
                    agenda.put(Time::from_s(f64::from(at)), number);
                    slow.insert((at, number), number);
                } else {
                    now += draw.below(2);
                    let first = slow.first_key_value().map(|(&key, _)| key).filter(|key| key.0 <= now);
                    assert_eq!(agenda.take(Time::from_s(f64::from(now))), first.map(|key| key.1));
                    first.map(|key| slow.remove(&key));
                }
                let first = slow.first_key_value().map(|(key, _)| Time::from_s(f64::from(key.0)));
                assert_eq!(agenda.time(), first);
                if number == 15_000 {
                    agenda.clear();
                    slow.clear();
                }
            }
        }
    }
}
