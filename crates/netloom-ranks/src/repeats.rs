//! Stretches of a list that repeat a part of it again and again, as the steps of a pipeline do.

/// Repetitions of a stretch, at least.
pub const LEAST: usize = 16;
/// Longest part that is looked for.
const LONGEST: usize = 64;
/// Of so many entries one is tried: each stretch that is long enough has one with an equal one behind it.
const APART: usize = LEAST / 2;

/// Entries `first..end`, of which each is like the one `period` behind it, as far as that is one of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Repeat {
    pub first: usize,
    pub end: usize,
    pub period: usize,
}

impl Repeat {
    /// What of an entry of the run remains the same a period later, and how many periods are left with this one.
    pub fn standing(&self, at: usize) -> (u64, u64) {
        let behind = self.end.wrapping_sub(at + 1) as u64;
        // Behind the last entry none is left.
        if at >= self.end {
            return (0, 0);
        }
        (behind % self.period as u64, behind / self.period as u64 + 1)
    }
}

/// The runs of a list of so many entries, in order, with the shortest period of each. O(entries · longest period / 8).
pub fn runs(entries: usize, is_like: impl Fn(usize, usize) -> bool, mut put: impl FnMut(Repeat)) {
    let (mut free, mut at) = (0, 0);
    let run_at = |free: usize, at: usize, period: usize| {
        let behind = (at..entries - period).take_while(|at| is_like(*at, at + period)).count();
        if behind <= period {
            return None;
        }
        let before = (free..at).rev().take_while(|at| is_like(*at, at + period)).count();
        let run = Repeat { first: at - before, end: at + behind + period, period };
        (run.end - run.first >= LEAST * period).then_some(run)
    };
    while at + LEAST / 2 < entries {
        let longest = LONGEST.min((entries - free) / LEAST).min(entries - at);
        match (1..=longest).find_map(|period| run_at(free, at, period)) {
            Some(run) => {
                put(run);
                (free, at) = (run.end, run.end);
            }
            None => at += APART,
        }
    }
}

#[cfg(test)]
mod tests {
    use netloom_model::Stream;

    use super::*;

    /// Against all periods at all entries.
    #[test]
    fn the_runs_of_drawn_lists_repeat_and_none_is_missed() {
        let mut found = 0;
        for seed in 0..300 {
            let mut draw = Stream::new(seed, "repeats");
            let mut list: Vec<u32> = Vec::new();
            for _ in 0..1 + draw.below(4) {
                let part: Vec<u32> = (0..1 + draw.below(6)).map(|_| draw.below(4)).collect();
                (0..draw.below(40)).for_each(|_| list.extend(&part));
                (0..draw.below(30)).for_each(|_| list.push(10 + draw.below(1000)));
            }
            let (mut made, mut free) = (Vec::new(), 0);
            runs(list.len(), |a, b| list[a] == list[b], |run| made.push(run));
            found += made.len();
            for Repeat { first, end, period } in &made {
                assert!(*first >= free && end - first >= LEAST * period, "{made:?}");
                assert!((*first..end - period).all(|at| list[at] == list[at + period]), "{made:?} of {list:?}");
                free = *end;
            }
            for at in 0..list.len() {
                let repeats = |period: usize| {
                    (at..at + (LEAST + 1) * period)
                        .all(|at| list.get(at).is_some_and(|a| list.get(at + period) == Some(a)))
                };
                let covered = made.iter().any(|run| (run.first..run.end).contains(&at));
                assert!(covered || !(1..=6).any(repeats), "seed {seed}: entry {at} of {list:?}");
            }
        }
        assert!(found >= 300, "{found}");
    }
}
