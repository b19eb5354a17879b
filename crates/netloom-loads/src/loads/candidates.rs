//! The candidate paths of flows: the routing's own, and detours drawn for one flow and iteration.

use netloom_model::Outcome;

use super::batch::Batch;
use super::detours::words;
use super::flows::UnitFlows;
use super::room::Room;
use super::{Candidates, Model};

/// Which detours need their links. The others have no links and get no bandwidth.
#[derive(Clone, Copy)]
pub enum Worth<'a> {
    All,
    /// Those with something left on their first half: after the last exposure many have nothing.
    Remaining(&'a [f32]),
    /// Those that got bandwidth; per path of the batch.
    Granted(&'a [f32]),
}

impl Model<'_> {
    /// Replaces `batch` by the candidates of a unit's flows in one iteration; flows that are not `alive` have none. Direct
    /// paths first, flow by flow; then detours, in the order of their intermediate switches.
    pub(super) fn candidates(
        &self,
        job: usize,
        flows: &UnitFlows,
        iteration: u32,
        alive: impl Fn(usize) -> bool,
        worth: Worth<'_>,
        (batch, room): (&mut Batch, &mut Room),
    ) -> Outcome<()> {
        let (variant, routing) = (self.jobs[job].variant, self.jobs[job].routing);
        let (fresh, most_direct) = match variant.candidates {
            Candidates::Fresh { paths, direct } => (paths, direct),
            Candidates::Direct | Candidates::PerPacket { .. } | Candidates::Hashed { .. } => (0, 0),
        };
        let Room { direct, detours, .. } = room;
        batch.clear();
        for (i, &pair) in flows.pairs.iter().enumerate().filter(|(i, _)| alive(*i)) {
            if variant.is_direct() {
                routing.list(pair.0, pair.1, direct)?;
                direct.iter().for_each(|(links, share)| batch.push(i, links, share));
                continue;
            }
            let mut words = words(self.settings.seed, job, pair, iteration);
            let mut take = 0;
            if most_direct > 0 {
                routing.list(pair.0, pair.1, direct)?;
                take = most_direct.min(fresh).min(direct.len() as u32);
                let share = 1.0 / f64::from(fresh);
                words.distinct(direct.len() as u32, take, |k| batch.push(i, direct.get(k as usize).0, share));
            }
            (take..fresh).for_each(|_| detours.ask(i, &self.middles, &mut words, 0));
        }
        let before = batch.owners.len();
        let wanted = |k: usize| match worth {
            Worth::Granted(amounts) => amounts[before + k] != 0.0,
            Worth::All | Worth::Remaining(_) => true,
        };
        let going_on = |half: &[u32]| match worth {
            Worth::Remaining(left) => half.iter().all(|&link| left[link as usize] > 0.0),
            Worth::All | Worth::Granted(_) => true,
        };
        let share = 1.0 / f64::from(fresh);
        detours.draw((self.network.switches(), routing), &flows.pairs, wanted, going_on, |detour, first, second| {
            batch.paths.links.extend_from_slice(first);
            batch.push(detour.owner as usize, second, share);
        })?;
        detours.clear();
        Ok(())
    }
}
