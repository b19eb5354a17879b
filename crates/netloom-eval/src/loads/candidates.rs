//! The candidate paths of a flow: the routing's own, or detours drawn for one flow and iteration.

use netloom_model::stream::mix;
use netloom_model::{Outcome, PathList};

use super::{Model, Variant};

/// Random words of one flow in one iteration: the same whoever asks, and in whatever order.
struct Words(u64);

impl Words {
    fn new(seed: u64, job: usize, pair: (u32, u32), iteration: u32) -> Words {
        let pair = u64::from(pair.0) << 32 | u64::from(pair.1);
        let job = mix(seed ^ mix(job as u64 + 1));
        Words(mix(mix(job ^ pair) ^ u64::from(iteration)))
    }
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mix(self.0)
    }
    fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.next()) * bound as u128) >> 64) as usize
    }
}

impl Model<'_> {
    /// Appends the candidates of a flow in one iteration to `out`; `direct` is room to work in.
    pub(super) fn candidates(
        &self,
        job: usize,
        pair: (u32, u32),
        iteration: u32,
        out: &mut PathList,
        direct: &mut PathList,
    ) -> Outcome<()> {
        let fresh = self.settings.fresh_paths;
        match self.jobs[job].variant {
            Variant::StaticDirect | Variant::AdaptiveDirect => {
                self.jobs[job].routing.list(pair.0, pair.1, direct)?;
                direct.iter().for_each(|(links, share)| out.push(links, share));
                Ok(())
            }
            Variant::StaticIndirect | Variant::AdaptiveIndirect => {
                let mut words = Words::new(self.settings.seed, job, pair, iteration);
                self.detours(job, pair, fresh, &mut words, out)
            }
            Variant::AdaptiveHybrid => {
                self.jobs[job].routing.list(pair.0, pair.1, direct)?;
                let mut words = Words::new(self.settings.seed, job, pair, iteration);
                let take = (self.settings.direct_paths.min(fresh) as usize).min(direct.len());
                // A partial shuffle of the candidates' numbers: each choice of `take` different ones is as likely.
                let mut chosen: [usize; 8] = [usize::MAX; 8];
                for i in 0..take {
                    let mut k = words.below(direct.len());
                    while chosen[..i.min(8)].contains(&k) {
                        k = (k + 1) % direct.len();
                    }
                    if i < 8 {
                        chosen[i] = k;
                    }
                    out.push(direct.get(k).0, 1.0);
                }
                self.detours(job, pair, fresh - take as u32, &mut words, out)
            }
        }
    }

    /// Appends `count` detours over random intermediate switches.
    fn detours(&self, job: usize, pair: (u32, u32), count: u32, words: &mut Words, out: &mut PathList) -> Outcome<()> {
        for _ in 0..count {
            let middle = self.middles[words.below(self.middles.len())];
            let routing = self.jobs[job].routing;
            routing.draw(pair.0, middle, words.next(), &mut out.links)?;
            routing.draw(middle, pair.1, words.next(), &mut out.links)?;
            out.close(1.0);
        }
        Ok(())
    }

    /// The detour of packet `number` of a flow, into `links`.
    pub(super) fn packet(&self, job: usize, pair: (u32, u32), number: u64, links: &mut PathList) -> Outcome<()> {
        links.clear();
        // Packets are numbered where iterations are: 2^32 of them before the words repeat with another shift.
        let mut words = Words::new(self.settings.seed ^ (number >> 32), job, pair, number as u32);
        self.detours(job, pair, 1, &mut words, links)
    }
}
