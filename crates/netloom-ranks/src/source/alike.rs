//! What a rank does again and again in its schedule: rounds that are alike, steps that repeat.

use netloom_model::Schedule;
use netloom_model::schedule::{CyclicRound, Rounds};

use super::{Entry, Listed, Place, Play};
use crate::repeats::{self, Repeat};

impl Play<'_> {
    /// Finds what each rank does again and again, as in the steps of a pipeline. O(entries).
    pub(super) fn find_repeats(&mut self) {
        let (entries, mut found, mut from) = (&self.entries, Vec::new(), vec![0]);
        for ends in self.offsets.windows(2) {
            let own = &entries[ends[0]..ends[1]];
            let begins = |at: usize| at == 0 || own[at].step != own[at - 1].step;
            let of = |e: &Entry| (e.peer, e.bytes, e.combine, e.pieces);
            repeats::runs(
                own.len(),
                |a, b| of(&own[a]) == of(&own[b]) && begins(a) == begins(b),
                |run| found.push(run),
            );
            from.push(found.len());
        }
        (self.repeats, self.repeats_from) = if found.is_empty() { Default::default() } else { (found, from) };
    }

    /// Rounds like the one that a rank is in, each a step of its own, with the same partner, bytes, and treatment; or the steps of a
    /// list that repeat. `None` outside of them, and where messages of a round differ in size.
    fn run(&self, rank: u32, place: &Place) -> Option<Repeat> {
        let in_rounds = match self.schedule.rounds {
            Rounds::Cyclic(_) => true,
            Rounds::Explicit { .. } => false,
            Rounds::Both { .. } => place.listed == Listed::Done,
        };
        if in_rounds {
            let next = self.alike.partition_point(|first| *first <= place.first);
            return Some(Repeat { first: self.alike[next.checked_sub(1)?], end: *self.alike.get(next)?, period: 1 });
        }
        let at = rank as usize * self.schedule.channels as usize + place.channel as usize;
        let own = &self.repeats[*self.repeats_from.get(at)?..*self.repeats_from.get(at + 1)?];
        own.get(own.partition_point(|run| run.end <= place.at)).filter(|run| run.first <= place.at).copied()
    }

    /// True if a rank does the same again and again somewhere.
    pub fn repeats(&self, rank: u32) -> bool {
        let channels = self.schedule.channels as usize;
        let own = rank as usize * channels..(rank as usize + 1) * channels;
        self.alike.windows(2).any(|run| run[1] - run[0] >= repeats::LEAST)
            || self.repeats_from.get(own.end).is_some_and(|end| *end > self.repeats_from[own.start])
    }

    /// Where a rank stands, but for the periods of its run that are left with this one; and these.
    pub fn standing(&self, rank: u32, place: &Place) -> ([u64; 8], u64) {
        let (end, (within, left)) = match self.run(rank, place) {
            Some(run) => (run.end as u64, run.standing(place.at)),
            None => (u64::MAX, (place.at as u64, 0)),
        };
        let (step, open) = ((place.at - place.first) as u64, u64::from(place.open) << 1 | u64::from(place.sending));
        let entered = u64::from(place.begun) << 16 | (place.listed as u64) << 8 | place.entered as u64;
        ([end, within, step, open, place.combine, place.copy, entered, place.channel.into()], left)
    }

    /// Moves a rank on by so many periods of its run.
    pub fn move_on(&self, rank: u32, place: &mut Place, periods: u64) {
        let by = self.run(rank, place).map_or(0, |run| run.period * periods as usize);
        (place.first, place.at) = (place.first + by, place.at + by);
    }
}

/// The first of each run of cyclic rounds that are alike, each a step of its own, and the end of the last.
pub(super) fn runs(schedule: &Schedule) -> Vec<usize> {
    let rounds = schedule.rounds.cyclic();
    let of = |round: &CyclicRound| (round.partner, round.bytes, round.combine, round.ranges.len() > 1);
    let is_like = |a: &CyclicRound, b: &CyclicRound| of(a) == of(b) && b.step == a.step + 1;
    let first = |at: &usize| *at == 0 || *at == rounds.len() || !is_like(&rounds[at - 1], &rounds[*at]);
    (0..=rounds.len()).filter(first).collect()
}

/// The share of a schedule's rounds that is simulated if each run of alike ones repeats itself after so many. O(rounds).
pub fn share_of_rounds(schedule: &Schedule, transient: usize) -> f64 {
    let found = if schedule.blocks.are_even() { runs(schedule) } else { Vec::new() };
    let simulated: usize = found.windows(2).map(|run| (run[1] - run[0]).min(transient)).sum();
    found.last().filter(|all| **all > 0).map_or(1.0, |all| simulated as f64 / *all as f64)
}
