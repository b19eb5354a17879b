//! Ranks that behave alike, run as one.
//!
//! Ranks are in one *class* if they run the same program with partners of the same classes over routes that are alike.
//! Ordered pairs of ranks that exchange messages have classes too. One rank of each class runs, and stands for the others:
//! what it sends to a partner arrives at the rank that stands for this one. Of several partners in one class of pairs the
//! first stands for all, as the same happens to all of them at the same time.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use netloom_model::Place;

use crate::matching::Fold;

/// A class of ordered pairs of ranks between which messages go.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairClass {
    /// Classes of the sender and of the receiver.
    pub src: u32,
    pub dst: u32,
    /// Places of one of its pairs.
    pub from: Place,
    pub to: Place,
    /// The class of the same ranks in the other direction; [`NO_PAIR`] if nothing goes there.
    pub back: u32,
    /// How many pairs it has.
    pub pairs: u64,
}

/// No class of pairs.
pub const NO_PAIR: u32 = u32::MAX;

/// One half of a message as a class posts it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct FoldedHalf {
    pub pair: u32,
    /// Another partner of the class of pairs stands for this one.
    pub stands_back: bool,
}

type Halves = HashMap<(u32, u32, bool), FoldedHalf, BuildHasherDefault<Fold>>;

/// Who stands for a class: a rank, or what a rank does in one channel of its collective.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Actor {
    pub rank: u32,
    pub channel: Option<u32>,
}

/// Classes of the ranks of a job, or of their channels.
#[derive(Clone, Debug, Default)]
pub struct Folded {
    pub representatives: Vec<Actor>,
    /// By rank; where channels have classes of their own, by rank and channel.
    pub class_of: Vec<u32>,
    /// Classes of a rank: 1, or its channels.
    pub parts: u32,
    pub pairs: Vec<PairClass>,
    /// By class, partner of the rank that stands for it, and whether it sends.
    halves: Halves,
}

impl Folded {
    pub fn new(representatives: Vec<Actor>, (class_of, parts): (Vec<u32>, u32), pairs: Vec<PairClass>) -> Folded {
        Folded { representatives, class_of, parts, pairs, halves: Halves::default() }
    }

    /// The class of a pair between the rank that stands for a class and its partner, and whether another partner of that
    /// class of pairs stands for this one.
    pub fn say(&mut self, class: u32, partner: u32, sends: bool, pair: u32, stands_back: bool) {
        self.halves.insert((class, partner, sends), FoldedHalf { pair, stands_back });
    }

    /// When each rank ends, if that is known of each class: with the last of its parts.
    pub(crate) fn ends(&self, of_class: impl Fn(u32) -> f64) -> Vec<f64> {
        let later = |a: f64, b: f64| if a.is_nan() || b.is_nan() { f64::NAN } else { a.max(b) };
        let ranks = self.class_of.chunks(self.parts.max(1) as usize);
        ranks.map(|own| own.iter().map(|class| of_class(*class)).fold(0.0, later)).collect()
    }

    #[inline]
    pub(crate) fn half(&self, class: u32, partner: u32, sends: bool) -> Option<FoldedHalf> {
        self.halves.get(&(class, partner, sends)).copied()
    }
}
