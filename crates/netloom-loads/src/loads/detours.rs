//! Detours over one random intermediate switch, drawn many at once in the order of these switches: neighbouring
//! switches are close in the tables of the routing and in the columns of the links, which are larger than a core's
//! caches.

use netloom_model::stream::mix;
use netloom_model::{Ask, Draws, Outcome, PathList, Routing};

/// Most ranges of intermediate switches for sorting detours, as a power of two.
const RANGE_BITS: u32 = 10;
/// Detours that are drawn together.
const BLOCK: usize = 256;

/// Random words of one flow in one iteration: the same for any caller and order of calls.
pub fn words(seed: u64, job: usize, pair: (u32, u32), iteration: u32) -> Draws {
    let pair = u64::from(pair.0) << 32 | u64::from(pair.1);
    let job = mix(seed ^ mix(job as u64 + 1));
    Draws::from_key(mix(job ^ pair) ^ u64::from(iteration))
}

/// One detour, not yet drawn.
#[derive(Clone, Copy, Default)]
pub struct Detour {
    /// The flow that it is for, in the caller's numbering.
    pub owner: u32,
    middle: u32,
    word: u64,
    /// Its load, if the caller knows it already.
    pub bytes: u64,
}

/// Requested detours, and scratch space for drawing them.
#[derive(Default)]
pub struct Detours {
    asked: Vec<Detour>,
    ordered: Vec<Detour>,
    starts: Vec<u32>,
    asks: Vec<Ask>,
    /// Paths to the intermediate switches of a block, and from there to the destinations.
    first: PathList,
    second: PathList,
    /// Draws of which `second` has a path.
    going_on: Vec<bool>,
}

impl Detours {
    pub fn clear(&mut self) {
        self.asked.clear();
    }

    pub fn len(&self) -> usize {
        self.asked.len()
    }

    /// Requests one more, over one of `middles`: ascending and different switches.
    #[inline]
    pub fn ask(&mut self, owner: usize, middles: &[u32], words: &mut Draws, bytes: u64) {
        let middle = middles[words.below(middles.len() as u32) as usize];
        self.asked.push(Detour { owner: owner as u32, middle, word: words.next_u64(), bytes });
    }

    /// Draws all detours requested since the last clear, by range of intermediate switches; within a range in order of
    /// request. The order of one owner's detours does not depend on other owners. `pairs` has the switches of each
    /// owner.
    ///
    /// Calls `put(detour, links to the intermediate switch, links from there)` for each, in this order. Number `k` has
    /// no links unless `wanted(k)`, or if the first links are not `worth` continuing. O(detours · hops).
    pub fn draw(
        &mut self,
        (switches, routing): (u32, &dyn Routing),
        pairs: &[(u32, u32)],
        wanted: impl Fn(usize) -> bool,
        worth: impl Fn(&[u32]) -> bool,
        mut put: impl FnMut(&Detour, &[u32], &[u32]),
    ) -> Outcome<()> {
        self.sort(switches);
        let Detours { ordered, asks, first, second, going_on, .. } = self;
        for (number, block) in ordered.chunks(BLOCK).enumerate() {
            let wanted = |k: usize| wanted(number * BLOCK + k);
            let of = |k: usize| (pairs[block[k].owner as usize], Draws::from_key(block[k].word));
            asks.clear();
            asks.extend((0..block.len()).filter(|&k| wanted(k)).map(|k| {
                let (pair, mut words) = of(k);
                Ask { source: pair.0, destination: block[k].middle, word: words.next_u64() }
            }));
            first.clear();
            routing.draw_many(asks, first)?;
            going_on.clear();
            going_on.extend(first.iter().map(|(links, _)| worth(links)));
            asks.clear();
            asks.extend((0..block.len()).filter(|&k| wanted(k)).zip(going_on.iter()).filter(|(_, on)| **on).map(
                |(k, _)| {
                    let (pair, mut words) = of(k);
                    words.next_u64();
                    Ask { source: block[k].middle, destination: pair.1, word: words.next_u64() }
                },
            ));
            second.clear();
            routing.draw_many(asks, second)?;
            let (mut firsts, mut seconds) = (first.iter().zip(going_on.iter()), second.iter());
            for (k, detour) in block.iter().enumerate() {
                let halves = if wanted(k) { firsts.next() } else { None };
                match halves {
                    Some(((links, _), true)) => put(detour, links, seconds.next().map_or(&[], |(links, _)| links)),
                    _ => put(detour, &[], &[]),
                }
            }
        }
        Ok(())
    }

    /// Counting sort of `asked` into `ordered`.
    fn sort(&mut self, switches: u32) {
        let shift = (u32::BITS - switches.leading_zeros()).saturating_sub(RANGE_BITS);
        self.starts.clear();
        self.starts.resize((switches >> shift) as usize + 2, 0);
        self.asked.iter().for_each(|d| self.starts[(d.middle >> shift) as usize + 1] += 1);
        for range in 1..self.starts.len() {
            self.starts[range] += self.starts[range - 1];
        }
        self.ordered.resize(self.asked.len(), Detour::default());
        for detour in &self.asked {
            let at = &mut self.starts[(detour.middle >> shift) as usize];
            self.ordered[*at as usize] = *detour;
            *at += 1;
        }
    }
}
