//! What is known of one place: the next hops towards one destination.

use netloom_model::steps;
use netloom_model::stream::mix;

/// Numbers of paths that are exact as weights of [`steps::choose`].
pub const TOO_MANY: f64 = (1u64 << 50) as f64;

/// A possible next hop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    pub link: u32,
    /// Channel class: which part of the link's channels the packet may use.
    pub class: u8,
    pub place: u64,
}

/// The next hops from one place towards one destination. Where there is one, it is in the same cache line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[repr(align(64))]
pub struct Known {
    choices: Box<[Choice]>,
    /// In proportion to the traffic that each choice gets; empty if all get the same.
    weights: Box<[u64]>,
    first: Option<Choice>,
    /// Links to the destination.
    pub left: u32,
}

const _: () = assert!(size_of::<Known>() == 64);

/// What a routing has answered last, in memory that is used again.
#[derive(Debug, Default)]
pub struct Answered {
    pub choices: Vec<Choice>,
    /// As of [`Known`].
    pub weights: Vec<u64>,
    pub left: u32,
}

impl Answered {
    #[inline]
    pub fn draw(&self, draw: &mut u64) -> Option<Choice> {
        drawn(&self.choices, &self.weights, draw)
    }

    /// The same for what is alike.
    pub fn key(&self) -> u64 {
        let mut key = self.weights.iter().chain([&u64::from(self.left)]).fold(0, |key, weight| mix(key ^ weight));
        for Choice { link, class, place } in &self.choices {
            key = mix(mix(key ^ (u64::from(*link) << 8 | u64::from(*class))) ^ place);
        }
        key
    }

    pub fn is(&self, known: &Known) -> bool {
        self.left == known.left && self.choices[..] == *known.choices && self.weights[..] == *known.weights
    }
}

/// One of the choices, each in proportion to its weight.
#[inline]
fn drawn(choices: &[Choice], weights: &[u64], draw: &mut u64) -> Option<Choice> {
    if choices.len() <= 1 {
        return choices.first().copied();
    }
    if !weights.is_empty() {
        return Some(choices[steps::choose(draw, weights).0]);
    }
    let wide = u128::from(*draw) * choices.len() as u128;
    *draw = wide as u64;
    Some(choices[(wide >> 64) as usize])
}

impl Known {
    pub fn new(asked: &Answered) -> Known {
        let Answered { choices, weights, left } = asked;
        Known {
            first: choices.first().copied(),
            choices: choices.as_slice().into(),
            weights: weights.as_slice().into(),
            left: *left,
        }
    }

    #[inline]
    pub fn choices(&self) -> &[Choice] {
        &self.choices
    }

    #[inline]
    pub fn draw(&self, draw: &mut u64) -> Option<Choice> {
        if self.choices.len() <= 1 {
            return self.first;
        }
        drawn(&self.choices, &self.weights, draw)
    }

    /// The share of packets that takes each choice.
    pub fn shares(&self) -> impl Iterator<Item = (Choice, f64)> {
        let sum: f64 = self.weights.iter().map(|weight| *weight as f64).sum();
        let share = move |at: usize| match self.weights.get(at) {
            Some(weight) => *weight as f64 / sum,
            None => 1.0 / self.choices.len() as f64,
        };
        self.choices.iter().enumerate().map(move |(at, choice)| (*choice, share(at)))
    }
}
