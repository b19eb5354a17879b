//! What happens on links and in queues during a measurement.

use netloom_model::Network;

use super::occupancy::{Occupancy, Stood};
use crate::wire::{Wire, as_bytes};

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
struct QueueLength {
    len: u32,
    most: u32,
    /// Sum over what left of its time of leaving, less that over what came of its time of coming; modulo 2^128.
    area: u128,
}

impl QueueLength {
    /// Of this length at a time.
    fn new(len: u32, at: u64) -> QueueLength {
        QueueLength { len, most: len, area: (u128::from(at) * u128::from(len)).wrapping_neg() }
    }

    /// Sum over time until an end that is over.
    fn area(&self, until: u64) -> u128 {
        self.area.wrapping_add(u128::from(until) * u128::from(self.len))
    }
}

/// Bytes of a chunk.
const CHUNK: u32 = 32;

/// What an engine counts in, by what its counts are told in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    /// Ticks of time.
    pub ticks: f64,
    /// Of what is in a buffer.
    pub held: f64,
    /// Of what crosses a link.
    pub units: f64,
}

impl Default for Scale {
    fn default() -> Scale {
        Scale { ticks: 1.0, held: 1.0, units: 1.0 }
    }
}

/// Counts from one tick, a cycle or a picosecond, to another. Engines tell it what they do; times beyond the end count as the
/// end.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Watch {
    from: u64,
    until: u64,
    links: Vec<LinkUse>,
    /// Buffers behind each link that ends at a switch, or before each link; then source queues.
    queues: Vec<QueueLength>,
    buffers: u32,
    /// Since when the front of each FIFO could go, then of each source queue.
    ready: Vec<u64>,
    fifos: u32,
    /// Where buffers are before links: packets that wait for each link or for room before it. Each stalls.
    waiting: Vec<QueueLength>,
    pub scale: Scale,
    occupancy: Option<Occupancy>,
    /// Where buffers are before links: when what each moves has crossed it.
    free: Vec<u64>,
    /// The same: packets that came over a link of the machine, by its number there, and could not go on at once, as the next
    /// link was taken or its buffer full.
    met: Vec<u64>,
    /// The same: chunks of 32 bytes that each moved, the last one of a packet not full.
    chunks: Vec<u64>,
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
        let mut queues: Vec<QueueLength> = buffered.map(|len| QueueLength::new(len, from)).collect();
        let buffers = queues.len() as u32;
        queues.extend(sources.map(|len| QueueLength::new(len, from)));
        let ready = vec![from; fifos as usize + queues.len() - buffers as usize];
        let links = vec![LinkUse::default(); links as usize];
        Watch { from, until, links, queues, buffers, ready, fifos, ..Watch::default() }
    }

    /// The same where buffers are before links: what each holds, how many packets wait for it.
    pub fn of_outputs(
        (from, until): (u64, u64),
        buffers: impl Iterator<Item = (u32, u32)>,
        sources: impl Iterator<Item = u32>,
        scale: Scale,
    ) -> Watch {
        let (held, waiting): (Vec<u32>, Vec<u32>) = buffers.unzip();
        let (free, chunks) = (vec![from; held.len()], vec![0; held.len()]);
        let watch = Watch::new((from, until), held.len() as u32, 0, held.into_iter(), sources);
        Watch {
            waiting: waiting.into_iter().map(|len| QueueLength::new(len, from)).collect(),
            scale,
            free,
            chunks,
            ..watch
        }
    }

    /// From now on also what stands in the buffers of switches, in at most so many bins of time. At the start of a measurement.
    pub fn over_time(&mut self, network: &Network, bins: u16) {
        self.count(Occupancy::new(network, !self.waiting.is_empty(), self.from, bins));
    }

    /// The same in what is made for it.
    pub fn count(&mut self, mut occupancy: Occupancy) {
        for (buffer, queue) in self.queues[..self.buffers as usize].iter().enumerate() {
            occupancy.change(buffer, self.from, queue.len.into());
        }
        self.occupancy = Some(occupancy);
    }

    /// What [`Watch::count`] was given, with what stood since.
    pub fn counted(&mut self) -> Option<Occupancy> {
        self.occupancy.take()
    }

    /// The end is this tick, where nobody knew it before. Nothing has begun after it.
    pub fn end(&mut self, at: u64) {
        for (link, free) in self.links.iter_mut().zip(&self.free) {
            link.busy -= free.saturating_sub(at).min(link.busy);
        }
        self.until = at;
    }

    /// Another end: a later one, or the present. Only while the end is not over.
    pub fn extend(&mut self, until: u64) {
        self.until = (until as f64 * self.scale.ticks).round() as u64;
    }

    pub fn cycles(&self) -> f64 {
        self.ticks() as f64 / self.scale.ticks
    }

    fn ticks(&self) -> u64 {
        self.until - self.from
    }

    /// What stood in the buffers of switches over time, if that was asked for.
    pub fn stood(&self) -> Vec<Stood> {
        let told = |row: Stood| {
            let cycle = |tick: u64| ((tick - self.from) as f64 / self.scale.ticks).round() as u64;
            Stood { from: cycle(row.from), to: cycle(row.to), amount: row.amount / self.scale.held, ..row }
        };
        self.occupancy.iter().flat_map(|occupancy| occupancy.stood(self.until)).map(told).collect()
    }

    /// Cycles from `from`, which is in the measurement or after it, to `to` that are part of the measurement.
    #[inline]
    fn part(&self, from: u64, to: u64) -> u64 {
        to.min(self.until).saturating_sub(from)
    }

    /// So much enters the buffers behind, or before, `link`.
    #[inline]
    pub fn enter(&mut self, link: u32, now: u64, amount: u32) {
        if let Some(occupancy) = &mut self.occupancy
            && now < self.until
        {
            occupancy.change(link as usize, now, amount.into());
        }
        push(&mut self.queues[link as usize], now, self.until, amount);
    }

    #[inline]
    pub fn leave(&mut self, link: u32, now: u64, amount: u32) {
        if let Some(occupancy) = &mut self.occupancy
            && now < self.until
        {
            occupancy.change(link as usize, now, -i64::from(amount));
        }
        pop(&mut self.queues[link as usize], now, self.until, amount);
    }

    #[inline]
    pub fn enter_source(&mut self, endpoint: u32, now: u64) {
        push(&mut self.queues[(self.buffers + endpoint) as usize], now, self.until, 1);
    }

    #[inline]
    pub fn leave_source(&mut self, endpoint: u32, now: u64) {
        pop(&mut self.queues[(self.buffers + endpoint) as usize], now, self.until, 1);
    }

    /// A packet begins to wait for a link, or for room before it.
    #[inline]
    pub fn wait(&mut self, link: u32, now: u64) {
        push(&mut self.waiting[link as usize], now, self.until, 1);
    }

    /// A packet that came over the link with this number in the machine cannot go on at once.
    #[inline]
    pub fn meet(&mut self, number: u32, now: u64) {
        if number as usize >= self.met.len() {
            self.met.resize(number as usize + 1, 0);
        }
        self.met[number as usize] += u64::from(now < self.until);
    }

    /// Packets that could not go on at once, by the number of the link that they came over.
    pub fn met(&self) -> &[u64] {
        &self.met
    }

    /// Chunks that a link moved, where buffers are before links.
    pub fn chunks(&self, link: u32) -> Option<u64> {
        self.chunks.get(link as usize).copied()
    }

    /// A packet that waited goes.
    #[inline]
    pub fn go(&mut self, link: u32, now: u64) {
        pop(&mut self.waiting[link as usize], now, self.until, 1);
    }

    /// A packet takes a link: so many units, so long.
    #[inline]
    pub fn cross(&mut self, link: u32, now: u64, (units, ticks): (u32, u64)) {
        let busy = self.part(now, now + ticks);
        if now < self.until {
            self.free[link as usize] = now + ticks;
            let used = &mut self.links[link as usize];
            (used.packets, used.units, used.busy) = (used.packets + 1, used.units + u64::from(units), used.busy + busy);
            self.chunks[link as usize] += u64::from(units.div_ceil(CHUNK));
        }
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
        self.leave(into, now, 1);
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

    /// A directed link.
    pub fn link(&self, link: u32) -> LinkUse {
        let LinkUse { packets, units, busy, stalls } = self.links[link as usize];
        let waited = self.waiting.get(link as usize).map_or(stalls, |waiting| waiting.area(self.until) as u64);
        let told = |count: u64, scale: f64| (count as f64 / scale).round() as u64;
        let Scale { ticks, units: unit, .. } = self.scale;
        LinkUse { packets, units: told(units, unit), busy: told(busy, ticks), stalls: told(waited, ticks) }
    }

    /// Number of directed links.
    pub fn number(&self) -> u32 {
        self.links.len() as u32
    }

    /// Mean and most of what the buffers behind each link held: of links between switches, then of injection links; or before
    /// each link of the network.
    pub fn buffers(&self) -> impl Iterator<Item = (f64, f64)> {
        let told = |(mean, most)| (mean / self.scale.held, f64::from(most) / self.scale.held);
        self.queues[..self.buffers as usize].iter().map(move |queue| told(self.filled(queue)))
    }

    /// The same of the source queue of each endpoint, in packets.
    pub fn sources(&self) -> impl Iterator<Item = (f64, u32)> {
        self.queues[self.buffers as usize..].iter().map(|queue| self.filled(queue))
    }

    /// Once the end is over.
    fn filled(&self, queue: &QueueLength) -> (f64, u32) {
        (queue.area(self.until) as f64 / self.ticks().max(1) as f64, queue.most)
    }
}

#[inline]
fn push(queue: &mut QueueLength, now: u64, until: u64, amount: u32) {
    queue.len += amount;
    queue.area = queue.area.wrapping_sub(u128::from(now.min(until)) * u128::from(amount));
    if now < until {
        queue.most = queue.most.max(queue.len);
    }
}

#[inline]
fn pop(queue: &mut QueueLength, now: u64, until: u64, amount: u32) {
    queue.len -= amount;
    queue.area = queue.area.wrapping_add(u128::from(now.min(until)) * u128::from(amount));
}

as_bytes! {
    LinkUse { packets, units, busy, stalls }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queues_are_averaged_over_the_measurement_alone() {
        let mut watch = Watch::new((100, 200), 1, 1, [2].into_iter(), [0].into_iter());
        watch.leave(0, 110, 1);
        watch.enter(0, 150, 1);
        watch.enter(0, 150, 1);
        watch.leave(0, 190, 1);
        watch.enter(0, 250, 1);
        watch.enter(0, 250, 1);
        watch.enter_source(0, 199);
        // 2 for 10 cycles, 1 for 40, 3 for 40, 2 for 10: 200 in all.
        assert_eq!(watch.buffers().collect::<Vec<_>>(), [(2.0, 3.0)]);
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
        assert_eq!(watch.link(0), LinkUse { packets: 2, units: 32, busy: 16 + 10, stalls: 8 + 39 + 5 });
    }
}
