//! Bytes that move at max-min fair rates: the end of every flow.

use crate::bundle::{Bundle, Member};
use crate::finishes::Finishes;
use crate::max_min::{MaxMin, Use, Work};
use netloom_model::machine::Sharing;
use netloom_ranks::Utilisation;

/// Two instants closer than this share of the time since the start are one instant: a few units in the last place of a
/// double, so that rounding does not separate simultaneous events.
const INSTANT: f64 = 1.0 / (1u64 << 50) as f64;

/// A flow that has this share of its duration left when another one ends, ends with it.
const TOGETHER: f64 = 1.0 / (1u64 << 40) as f64;

/// A way without flows.
const NOBODY: u32 = u32::MAX;

/// The number of a way like no other.
const ALONE: u32 = u32::MAX;

/// The end of the instant that begins at `time`.
#[inline]
pub fn instant_end(time: f64) -> f64 {
    time + time * INSTANT
}

/// The resources of a flow, its weight and its cap.
#[derive(Clone, Copy, Debug)]
pub struct Way<'a> {
    pub uses: &'a [Use],
    pub weight: f64,
    pub cap: f64,
    /// Flows with the same number have the same of all these; none is like no other.
    pub number: Option<u32>,
}

/// Flows under way. Times are seconds.
///
/// Flows with the same way have the same rate. They are one flow to the solver, of their weights together, and end in
/// the order of the bytes that are left: the work follows the number of different ways, not of flows.
#[derive(Clone)]
pub struct Fluid {
    rates: MaxMin,
    /// By number of the solver's flow.
    bundles: Vec<Bundle>,
    /// By number of the solver's flow, that of its way, or [`ALONE`].
    numbers: Vec<u32>,
    /// By number of a way, its bundle; [`NOBODY`] for none.
    open: Vec<u32>,
    finishes: Finishes,
    pub utilisation: Option<Utilisation>,
}

impl Fluid {
    /// Capacities in bytes per second, each positive. Times of SimGrid's ways of sharing keep their last digit: their
    /// solver only relaxes.
    pub fn new(sharing: Sharing, capacity: impl IntoIterator<Item = f64>) -> Fluid {
        let rates = MaxMin::new(capacity);
        Fluid {
            rates: if sharing == Sharing::Equal { rates } else { rates.only_relaxing() },
            bundles: Vec::new(),
            numbers: Vec::new(),
            open: Vec::new(),
            finishes: Finishes::default(),
            utilisation: None,
        }
    }

    /// Adds a resource; returns its number.
    pub fn add_resource(&mut self, capacity: f64) -> u32 {
        self.rates.add_resource(capacity)
    }

    /// Removes all flows, as if there had been none.
    pub fn clear(&mut self) {
        self.rates.clear();
        self.bundles.iter_mut().for_each(Bundle::clear);
        self.open.clear();
        self.finishes.clear();
    }

    /// Starts a flow of `bytes` at `now`; [`Fluid::update`] must follow before time goes on.
    pub fn start(&mut self, now: f64, bytes: f64, way: Way<'_>, payload: u32) {
        let number = way.number.unwrap_or(ALONE);
        if let Some(&id) = self.open.get(number as usize)
            && id != NOBODY
        {
            self.join(now, bytes, id, payload);
            return;
        }
        let id = self.rates.add(way.uses, way.weight, way.cap);
        if self.numbers.len() <= id as usize {
            self.bundles.resize_with(id as usize + 1, Bundle::default);
            self.numbers.resize(id as usize + 1, ALONE);
        }
        self.bundles[id as usize].open(now, bytes, way.weight, payload);
        self.numbers[id as usize] = number;
        if number != ALONE {
            if self.open.len() <= number as usize {
                self.open.resize(number as usize + 1, NOBODY);
            }
            self.open[number as usize] = id;
        }
    }

    /// Another flow of the same way.
    fn join(&mut self, now: f64, bytes: f64, id: u32, payload: u32) {
        let bundle = &mut self.bundles[id as usize];
        bundle.move_to(now, self.utilisation.as_mut());
        if bundle.push(bytes, payload) {
            self.finishes.set(id, bundle.ends());
        }
        self.rates.reweigh(id, bundle.weight());
    }

    /// Brings rates and ends up to date after starts and ends at `now`.
    pub fn update(&mut self, now: f64) {
        let Fluid { rates, bundles, finishes, utilisation, .. } = self;
        let mut record = utilisation.as_mut();
        rates.solve(|id, rate| {
            let bundle = &mut bundles[id as usize];
            bundle.move_to(now, record.as_deref_mut());
            bundle.rate = rate / bundle.flows();
            finishes.set(id, bundle.ends());
        });
    }

    /// All flows, with the seconds that they take from `now` on at their rates.
    pub fn for_each(&self, now: f64, mut visit: impl FnMut(u32, f64)) {
        let under_way = (0u32..).zip(&self.bundles).filter(|(id, _)| self.finishes.has(*id));
        under_way.for_each(|(_, bundle)| bundle.for_each(now, &mut visit));
    }

    /// When the next flow ends.
    pub fn next(&mut self) -> Option<f64> {
        self.finishes.time()
    }

    /// Ends every flow that is over at `now`, and calls `done(payload, end)` for each in order of its end.
    pub fn finish(&mut self, now: f64, mut done: impl FnMut(u32, f64)) {
        let until = instant_end(now);
        // No flow began before 0.
        while let Some(first) = self.finishes.time()
            && first < f64::INFINITY
            && first <= until + TOGETHER * first
            && let Some((end, id)) = self.finishes.first()
        {
            let bundle = &mut self.bundles[id as usize];
            let Member { began, payload, .. } = bundle.first;
            if end > until + TOGETHER * (end - began) {
                break;
            }
            if let Some(u) = &mut self.utilisation {
                bundle.record_end(end, u);
            }
            if bundle.pop() {
                self.finishes.set(id, bundle.ends());
                self.rates.reweigh(id, bundle.weight());
            } else {
                if let Some(id) = self.open.get_mut(self.numbers[id as usize] as usize) {
                    *id = NOBODY;
                }
                self.finishes.remove(id);
                self.rates.remove(id);
            }
            done(payload, end);
        }
    }

    pub fn work(&self) -> Work {
        self.rates.work
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use netloom_model::Stream;

    /// Ends of flows that start at random instants on a few ways, as bundles or each for itself.
    fn ends(seed: u64, bundled: bool) -> Vec<f64> {
        let mut draw = Stream::new(seed, "bundles");
        let resources = 2 + draw.below(5);
        let mut fluid = Fluid::new(Sharing::Equal, (0..resources).map(|_| f64::from(1 + draw.below(3))));
        let ways: Vec<(Vec<Use>, f64, f64)> = (0..1 + draw.below(6))
            .map(|_| {
                let mut links: Vec<u32> = (0..resources).collect();
                draw.shuffle(&mut links);
                let hops = 1 + draw.below(2.min(resources)) as usize;
                let coefficient = if draw.below(3) == 0 { 0.05 } else { 1.0 };
                let uses = links[..hops].iter().map(|&resource| Use { resource, coefficient }).collect();
                let cap = if draw.below(4) == 0 { 0.25 } else { f64::INFINITY };
                (uses, f64::from(1 + draw.below(2)), cap)
            })
            .collect();
        // Many start together, others while flows move.
        let starts: Vec<(f64, f64, usize)> = {
            let mut at = 0.0;
            let mut one = |_| {
                at += if draw.below(3) == 0 { 0.0 } else { f64::from(draw.below(40)) / 7.0 };
                (at, f64::from(1 + draw.below(50)), draw.below(ways.len() as u32) as usize)
            };
            (0..200).map(&mut one).collect()
        };
        let mut found = vec![f64::NAN; starts.len()];
        let mut coming = starts.iter().enumerate().peekable();
        while let Some(now) = [coming.peek().map(|(_, one)| one.0), fluid.next()].into_iter().flatten().reduce(f64::min)
        {
            fluid.finish(now, |flow, end| found[flow as usize] = end);
            while let Some((flow, &(_, bytes, way))) = coming.next_if(|(_, one)| one.0 <= instant_end(now)) {
                let number = bundled.then_some(way as u32);
                let (uses, weight, cap) = &ways[way];
                fluid.start(now, bytes, Way { uses, weight: *weight, cap: *cap, number }, flow as u32);
            }
            fluid.update(now);
        }
        found
    }

    #[test]
    fn flows_of_one_way_end_as_if_each_were_alone() {
        for seed in 0..300 {
            for (flow, (bundled, alone)) in ends(seed, true).into_iter().zip(ends(seed, false)).enumerate() {
                assert!((bundled - alone).abs() <= 1e-11 * alone, "seed {seed} flow {flow}: {bundled} for {alone}");
            }
        }
    }
}
