//! What happens on links and in queues during a measurement.

/// A link during a measurement.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LinkUse {
    /// Packets that began to take it.
    pub packets: u64,
    /// Units that began to cross it.
    pub units: u64,
    /// Cycles in which it moved something.
    pub busy: u64,
    /// Cycles in which something at the front of its queue could have taken it, but for lack of room or another winner:
    /// a packet's head with cut-through, any flit with wormhole flow control. Several at a time count each.
    pub stalls: u64,
}

/// A queue over time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Queue {
    len: u32,
    most: u32,
    /// Sum over what left of its time of leaving, less that over what came of its time of coming; modulo 2^64.
    area: u64,
}

/// Counts from one cycle to another. Engines tell it what they do; times beyond the end count as the end.
#[derive(Clone, Debug, Default)]
pub struct Watch {
    from: u64,
    until: u64,
    links: Vec<LinkUse>,
    /// Buffers behind each link that ends at a switch, then source queues.
    queues: Vec<Queue>,
    buffers: u32,
    /// Since when the front of each FIFO could go, then of each source queue.
    ready: Vec<u64>,
    fifos: u32,
}

impl Watch {
    /// Of `links` directed links from cycle `from` to `until`, with what is queued now: per link that ends at a switch and
    /// per endpoint. `fifos`: number of FIFOs.
    pub fn new(
        (from, until): (u64, u64),
        links: u32,
        fifos: u32,
        buffered: impl Iterator<Item = u32>,
        sources: impl Iterator<Item = u32>,
    ) -> Watch {
        let queue = |len: u32| Queue { len, most: len, area: from.wrapping_mul(len.into()).wrapping_neg() };
        let mut queues: Vec<Queue> = buffered.map(queue).collect();
        let buffers = queues.len() as u32;
        queues.extend(sources.map(queue));
        let ready = vec![from; fifos as usize + queues.len() - buffers as usize];
        Watch { from, until, links: vec![LinkUse::default(); links as usize], queues, buffers, ready, fifos }
    }

    /// A later end. Only while the end is not over.
    pub fn extend(&mut self, until: u64) {
        self.until = until;
    }

    pub fn cycles(&self) -> u64 {
        self.until - self.from
    }

    /// Cycles from `from`, which is in the measurement or after it, to `to` that are part of the measurement.
    #[inline]
    fn part(&self, from: u64, to: u64) -> u64 {
        to.min(self.until).saturating_sub(from)
    }

    /// Something enters the buffers behind `link`.
    #[inline]
    pub fn enter(&mut self, link: u32, now: u64) {
        self.push(link as usize, now);
    }

    #[inline]
    pub fn leave(&mut self, link: u32, now: u64) {
        self.pop(link as usize, now);
    }

    #[inline]
    pub fn enter_source(&mut self, endpoint: u32, now: u64) {
        self.push((self.buffers + endpoint) as usize, now);
    }

    #[inline]
    pub fn leave_source(&mut self, endpoint: u32, now: u64) {
        self.pop((self.buffers + endpoint) as usize, now);
    }

    #[inline]
    fn push(&mut self, at: usize, now: u64) {
        let counts = now < self.until;
        let queue = &mut self.queues[at];
        queue.len += 1;
        queue.area = queue.area.wrapping_sub(now.min(self.until));
        if counts {
            queue.most = queue.most.max(queue.len);
        }
    }

    #[inline]
    fn pop(&mut self, at: usize, now: u64) {
        let queue = &mut self.queues[at];
        queue.len -= 1;
        queue.area = queue.area.wrapping_add(now.min(self.until));
    }

    /// The front of a FIFO could go from cycle `at` on.
    #[inline]
    pub fn ready(&mut self, fifo: u32, at: u64) {
        self.ready[fifo as usize] = at;
    }

    /// The front of a source queue could go from cycle `at` on.
    #[inline]
    pub fn ready_source(&mut self, endpoint: u32, at: u64) {
        self.ready[(self.fifos + endpoint) as usize] = at;
    }

    /// The front of a FIFO begins to take `link`, `cycles` long; `head` if it begins a packet. It needed `pause` cycles to be
    /// ready.
    #[inline]
    pub fn take(&mut self, fifo: u32, link: u32, now: u64, (units, cycles, head): (u32, u64, bool), pause: u64) {
        let stalls = self.part(self.ready[fifo as usize] + pause, now);
        let busy = self.part(now, now + cycles);
        let counts = now < self.until;
        let used = &mut self.links[link as usize];
        used.stalls += stalls;
        used.busy += busy;
        used.packets += u64::from(head && counts);
        used.units += if counts { u64::from(units) } else { 0 };
    }

    /// The flit at the front of a FIFO leaves it for the link `out` in this cycle; the next one could go in the next cycle.
    #[inline]
    pub fn flit(&mut self, fifo: u32, (into, out): (u32, u32), now: u64, head: bool, pause: u64) {
        let ready = std::mem::replace(&mut self.ready[fifo as usize], now + 1);
        self.pop(into as usize, now);
        if now < self.until {
            let used = &mut self.links[out as usize];
            used.stalls += now.saturating_sub(ready + pause);
            used.busy += 1;
            used.units += 1;
            used.packets += u64::from(head);
        } else {
            self.links[out as usize].stalls += self.part(ready + pause, now);
        }
    }

    /// The same for the front of a source queue and its injection link.
    #[inline]
    pub fn inject(&mut self, endpoint: u32, link: u32, now: u64, what: (u32, u64, bool)) {
        self.take(self.fifos + endpoint, link, now, what, 0);
    }

    /// Per directed link.
    pub fn links(&self) -> &[LinkUse] {
        &self.links
    }

    /// Mean and most of what the buffers behind each link held: of links between switches, then of injection links.
    pub fn buffers(&self) -> impl Iterator<Item = (f64, u32)> {
        self.queues[..self.buffers as usize].iter().map(|queue| self.filled(queue))
    }

    /// The same of the source queue of each endpoint, in packets.
    pub fn sources(&self) -> impl Iterator<Item = (f64, u32)> {
        self.queues[self.buffers as usize..].iter().map(|queue| self.filled(queue))
    }

    /// Once the end is over.
    fn filled(&self, queue: &Queue) -> (f64, u32) {
        let area = queue.area.wrapping_add(self.until.wrapping_mul(queue.len.into()));
        (area as f64 / self.cycles().max(1) as f64, queue.most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queues_are_averaged_over_the_measurement_alone() {
        let mut watch = Watch::new((100, 200), 1, 1, [2].into_iter(), [0].into_iter());
        watch.leave(0, 110);
        watch.enter(0, 150);
        watch.enter(0, 150);
        watch.leave(0, 190);
        watch.enter(0, 250);
        watch.enter(0, 250);
        watch.enter_source(0, 199);
        // 2 for 10 cycles, 1 for 40, 3 for 40, 2 for 10: 200 in all.
        assert_eq!(watch.buffers().collect::<Vec<_>>(), [(2.0, 3)]);
        assert_eq!(watch.sources().collect::<Vec<_>>(), [(0.01, 1)]);
    }

    #[test]
    fn links_count_what_lies_in_the_measurement() {
        let mut watch = Watch::new((100, 200), 1, 1, [0].into_iter(), [0].into_iter());
        watch.take(0, 0, 108, (16, 16, true), 0);
        watch.ready(0, 150);
        watch.take(0, 0, 190, (16, 16, true), 1);
        watch.ready_source(0, 195);
        watch.inject(0, 0, 230, (16, 16, true));
        assert_eq!(watch.links()[0], LinkUse { packets: 2, units: 32, busy: 16 + 10, stalls: 8 + 39 + 5 });
    }
}
