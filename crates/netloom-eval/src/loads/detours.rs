//! Ways round by one random intermediate switch, drawn many at once in the order of these switches: what lies near a switch
//! lies near in the tables of the routing and in the columns of the links, which are larger than a core's caches.

use netloom_model::stream::mix;
use netloom_model::{Draws, Outcome, Routing};

/// Most ranges of intermediate switches that detours are sorted into, as a power of two.
const RANGE_BITS: u32 = 10;

/// Random words of one flow in one iteration: the same whoever asks, and in whatever order.
pub fn words(seed: u64, job: usize, pair: (u32, u32), iteration: u32) -> Draws {
    let pair = u64::from(pair.0) << 32 | u64::from(pair.1);
    let job = mix(seed ^ mix(job as u64 + 1));
    Draws::from_key(mix(job ^ pair) ^ u64::from(iteration))
}

/// One way round, not yet drawn.
#[derive(Clone, Copy, Default)]
pub struct Detour {
    /// The flow that it is for, in the caller's numbering.
    pub owner: u32,
    middle: u32,
    word: u64,
    /// What it carries, if the caller knows by now.
    pub bytes: u64,
}

impl Detour {
    /// Appends its links, one path to the intermediate switch and one on from there.
    #[inline]
    pub fn draw(&self, routing: &dyn Routing, pair: (u32, u32), links: &mut Vec<u32>) -> Outcome<()> {
        self.draw_if(routing, pair, links, |_| true)
    }

    /// As [`Detour::draw`] if the links of the first path are `worth` going on, else appends nothing.
    #[inline]
    pub fn draw_if(
        &self,
        routing: &dyn Routing,
        pair: (u32, u32),
        links: &mut Vec<u32>,
        worth: impl Fn(&[u32]) -> bool,
    ) -> Outcome<()> {
        let mut words = Draws::from_key(self.word);
        let before = links.len();
        routing.draw(pair.0, self.middle, words.next_u64(), links)?;
        if !worth(&links[before..]) {
            links.truncate(before);
            return Ok(());
        }
        routing.draw(self.middle, pair.1, words.next_u64(), links)
    }
}

/// Detours that are asked for.
#[derive(Default)]
pub struct Detours {
    asked: Vec<Detour>,
    ordered: Vec<Detour>,
    starts: Vec<u32>,
}

impl Detours {
    pub fn clear(&mut self) {
        self.asked.clear();
    }

    pub fn len(&self) -> usize {
        self.asked.len()
    }

    /// One more, over one of `middles`: ascending and different switches.
    #[inline]
    pub fn ask(&mut self, owner: usize, middles: &[u32], words: &mut Draws, bytes: u64) {
        let middle = middles[words.below(middles.len() as u32) as usize];
        self.asked.push(Detour { owner: owner as u32, middle, word: words.next_u64(), bytes });
    }

    /// All that were asked for since they were cleared, by range of intermediate switches; within a range as they were
    /// asked for. The order of one owner's detours does not depend on who else asked. O(detours).
    pub fn in_order(&mut self, switches: u32) -> &[Detour] {
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
        &self.ordered
    }
}
