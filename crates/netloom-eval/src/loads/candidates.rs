//! The candidate paths of a flow: the routing's own, or detours drawn for one flow and iteration.

use netloom_model::stream::mix;
use netloom_model::{Draws, Outcome, PathList};

use super::{Model, Variant};

/// Random words of one flow in one iteration: the same whoever asks, and in whatever order.
fn words(seed: u64, job: usize, pair: (u32, u32), iteration: u32) -> Draws {
    let pair = u64::from(pair.0) << 32 | u64::from(pair.1);
    let job = mix(seed ^ mix(job as u64 + 1));
    Draws::from_key(mix(job ^ pair) ^ u64::from(iteration))
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
                let mut words = words(self.settings.seed, job, pair, iteration);
                self.detours(job, pair, fresh, &mut words, out)
            }
            Variant::AdaptiveHybrid => {
                self.jobs[job].routing.list(pair.0, pair.1, direct)?;
                let mut words = words(self.settings.seed, job, pair, iteration);
                let take = self.settings.direct_paths.min(fresh).min(direct.len() as u32);
                words.distinct(direct.len() as u32, take, |k| out.push(direct.get(k as usize).0, 1.0));
                self.detours(job, pair, fresh - take, &mut words, out)
            }
        }
    }

    /// Appends `count` detours over random intermediate switches.
    fn detours(&self, job: usize, pair: (u32, u32), count: u32, words: &mut Draws, out: &mut PathList) -> Outcome<()> {
        for _ in 0..count {
            let middle = self.middles[words.below(self.middles.len() as u32) as usize];
            let routing = self.jobs[job].routing;
            routing.draw(pair.0, middle, words.next_u64(), &mut out.links)?;
            routing.draw(middle, pair.1, words.next_u64(), &mut out.links)?;
            out.close(1.0);
        }
        Ok(())
    }

    /// The detour of packet `number` of a flow, into `links`.
    pub(super) fn packet(&self, job: usize, pair: (u32, u32), number: u64, links: &mut PathList) -> Outcome<()> {
        links.clear();
        // Packets are numbered where iterations are: 2^32 of them before the words repeat with another shift.
        let mut words = words(self.settings.seed ^ (number >> 32), job, pair, number as u32);
        self.detours(job, pair, 1, &mut words, links)
    }
}
