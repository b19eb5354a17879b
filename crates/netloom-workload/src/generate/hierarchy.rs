//! Ranks in nested groups: mixed-radix digits, outermost first, as in Swartvagher 2023. The ranks that differ in one digit only
//! form a *team* of that level; a plan made for one team runs on many of them at the same time.

use std::collections::HashMap;

use netloom_model::param::{Kind, Param};
use netloom_model::schedule::{BlockRange, Rounds};
use netloom_model::{Bound, Fault, Outcome};

use crate::codes;
use crate::plan::{Builder, Kept, Plan};

/// Most levels of a hierarchy: as many twos as there are in 2^24 ranks.
const DEEPEST: usize = 24;

/// Members of a level, outermost level first; rank = (..(x0·d1 + x1)·d2 + ..).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Hierarchy {
    pub levels: Vec<u32>,
}

/// Ranks `first + c·stride`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Team {
    pub first: u32,
    pub stride: u32,
}

pub(crate) const fn levels(help: &'static str) -> Param {
    Param::optional("levels", Kind::Ints { min: 1, max: 1 << 24, least: 1, most: usize::MAX }, "", help).variadic()
}

/// `count` factors of `ranks` near to each other, smaller ones first.
fn near_factors(ranks: u32, count: u32) -> Vec<u32> {
    if count <= 1 {
        return vec![ranks];
    }
    let fits = |d: &u32| u128::from(*d).pow(count) <= u128::from(ranks);
    let side = (1..=ranks.isqrt()).take_while(fits).filter(|d| ranks.is_multiple_of(*d)).last().unwrap_or(1);
    let mut factors = vec![side];
    factors.extend(near_factors(ranks / side, count - 1));
    factors
}

impl Hierarchy {
    /// The parameter `levels`; left out, `count` factors of the number of ranks that are near to each other.
    ///
    /// # Errors
    /// `NL-C004` if the levels do not multiply to the number of ranks, or are more than 24.
    pub fn read(ranks: u32, bound: &Bound, count: u32) -> Outcome<Hierarchy> {
        let given: Vec<u32> = bound.ints("levels").iter().map(|d| *d as u32).collect();
        if given.is_empty() {
            return Ok(Hierarchy { levels: near_factors(ranks, count) });
        }
        let product = given.iter().fold(1u64, |product, d| product.saturating_mul(u64::from(*d)));
        let place = format!("ranks of {}", bound.owner);
        if product != u64::from(ranks) {
            let hint = "the levels must multiply to the number of ranks";
            return Err(Fault::new(&codes::RESTRICTED, place, product.to_string(), ranks).hint(hint).into());
        }
        if given.len() > DEEPEST {
            let sentence = format!("{} levels, but a hierarchy has at most {DEEPEST}", given.len());
            return Err(Fault::say(&codes::RESTRICTED, bound.owner.clone(), sentence)
                .hint("leave out levels with one member")
                .into());
        }
        Ok(Hierarchy { levels: given })
    }

    pub fn ranks(&self) -> u32 {
        self.levels.iter().product()
    }
    /// Ranks below one member of level `i`.
    pub fn width(&self, i: usize) -> u32 {
        self.levels[i + 1..].iter().product()
    }
    /// Members of all levels above `i`, multiplied.
    pub fn above(&self, i: usize) -> u32 {
        self.levels[..i].iter().product()
    }
    /// Digit `i` of a rank.
    pub fn digit(&self, rank: u32, i: usize) -> u32 {
        rank / self.width(i) % self.levels[i]
    }

    /// Every team of level `i`.
    pub fn teams(&self, i: usize) -> impl Iterator<Item = Team> + use<> {
        let (stride, span) = (self.width(i), self.width(i) * self.levels[i]);
        (0..self.above(i)).flat_map(move |h| (0..stride).map(move |low| Team { first: h * span + low, stride }))
    }

    /// The teams of level `i` whose ranks have the digits of `root` below it: one per branch above.
    pub fn led(&self, i: usize, root: u32) -> impl Iterator<Item = Team> + use<> {
        let (stride, span) = (self.width(i), self.width(i) * self.levels[i]);
        (0..self.above(i)).map(move |h| Team { first: h * span + root % stride, stride })
    }
}

/// Puts plans of teams one after the other.
pub(crate) struct Composition {
    builder: Builder,
    step: u32,
}

impl Composition {
    pub fn new(ranks: u32, blocks: u32) -> Self {
        Composition { builder: Builder::new(ranks, blocks), step: 0 }
    }

    /// `inner` on every team at the same time; `bundle` writes the blocks that correspond to a run of blocks of `inner`.
    /// O(teams × messages × blocks).
    pub fn run(
        &mut self,
        inner: Plan,
        teams: impl Iterator<Item = Team>,
        bundle: impl Fn(Team, BlockRange, &mut Vec<BlockRange>),
    ) {
        self.run_alike(inner, teams, |_| None, bundle);
    }

    /// [`Composition::run`] where the teams of a class carry the same blocks, which are listed once.
    /// O(teams × messages + classes × messages × blocks).
    pub fn run_alike(
        &mut self,
        inner: Plan,
        teams: impl Iterator<Item = Team>,
        class: impl Fn(Team) -> Option<u32>,
        bundle: impl Fn(Team, BlockRange, &mut Vec<BlockRange>),
    ) {
        self.place(&inner.expanded(), teams, class, bundle);
    }

    /// [`Composition::run_alike`] of a plan that lists its messages.
    fn place(
        &mut self,
        inner: &Plan,
        teams: impl Iterator<Item = Team>,
        class: impl Fn(Team) -> Option<u32>,
        bundle: impl Fn(Team, BlockRange, &mut Vec<BlockRange>),
    ) {
        let steps = inner.steps;
        let Rounds::Explicit { offsets, transfers, ranges } = &inner.rounds else { return };
        let mut held = Vec::new();
        let mut known: HashMap<(u32, u32, u32), Kept> = HashMap::new();
        for team in teams {
            for step in 0..steps {
                for t in &transfers[offsets[step as usize] as usize..offsets[step as usize + 1] as usize] {
                    let mut keep = || {
                        held.clear();
                        for range in &ranges[t.first_range as usize..(t.first_range + t.ranges) as usize] {
                            bundle(team, *range, &mut held);
                        }
                        held.sort_unstable_by_key(|r| r.first);
                        self.builder.keep(&held)
                    };
                    let kept = match class(team) {
                        Some(class) => *known.entry((class, t.first_range, t.ranges)).or_insert_with(keep),
                        None => keep(),
                    };
                    let [src, dst] = [t.src, t.dst].map(|c| team.first + c * team.stride);
                    self.builder.send_kept(self.step + step, src, dst, kept, t.combine);
                }
            }
        }
        self.step += steps;
    }

    pub fn finish(self) -> Plan {
        self.builder.finish(self.step)
    }
}

/// What the teams of one level do with a segment of the data: whole segments, or its equal parts, are the blocks of `plan`.
#[derive(Clone, Debug)]
pub(crate) struct Stage {
    pub plan: Plan,
    pub teams: Vec<Team>,
}

/// `segments` segments of `blocks` blocks through the stages, one behind the other: a segment begins as many steps after
/// the one before as the longest stage has, so that no stage has two of them at once. O(messages).
pub(crate) fn in_segments(ranks: u32, segments: u32, blocks: u32, stages: Vec<Stage>) -> Plan {
    let stages: Vec<Stage> = stages.into_iter().map(|s| Stage { plan: s.plan.expanded(), ..s }).collect();
    let period = stages.iter().map(|stage| stage.plan.steps).max().unwrap_or(0);
    let mut all = Composition::new(ranks, segments * blocks);
    for segment in 0..segments {
        all.step = segment * period;
        for Stage { plan, teams } in &stages {
            let (first, unit) = (segment * blocks, blocks / plan.listed_blocks());
            let moved = |r: BlockRange| BlockRange { first: first + r.first * unit, count: r.count * unit };
            all.place(plan, teams.iter().copied(), |_| Some(0), |_, range, held| held.push(moved(range)));
        }
    }
    all.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_teams_and_factors() {
        let h = Hierarchy { levels: vec![2, 3, 4] };
        assert_eq!((h.ranks(), h.width(0), h.width(2), h.above(2)), (24, 12, 1, 6));
        assert_eq!([0, 1, 2].map(|i| h.digit(23, i)), [1, 2, 3]);
        for i in 0..3 {
            let mut seen: Vec<u32> =
                h.teams(i).flat_map(|t| (0..h.levels[i]).map(move |c| t.first + c * t.stride)).collect();
            seen.sort_unstable();
            assert_eq!(seen, (0..24).collect::<Vec<_>>(), "every rank is in one team of a level");
            for team in h.led(i, 17) {
                assert!((i + 1..3).all(|k| h.digit(team.first, k) == h.digit(17, k)));
            }
        }
        assert_eq!(near_factors(64, 3), [4, 4, 4]);
        assert_eq!(near_factors(60, 2), [6, 10]);
        assert_eq!(near_factors(60, 3), [3, 4, 5]);
        assert_eq!(near_factors(31, 3), [1, 1, 31]);
    }
}
