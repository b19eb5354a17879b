//! Ways to choose the guests of the near half of a part.

use netloom_model::Stream;
use netloom_model::halves::{self, Aim};

use super::parts::{Part, Parts, Scratch, sorted};

/// Which guests (ranks and fillers) of a part go to its near half.
pub trait Split {
    /// Reorders the guests so that those for the first `near` places come first.
    fn split(&mut self, parts: &Parts<'_, '_>, part: u32, near: &Part, far: &Part) -> Vec<u32>;
}

/// Halves with few bytes across and short routes to partners elsewhere (Pellegrini and Roman 1996).
pub struct ByTraffic {
    stream: Stream,
    scratch: Scratch,
    /// Every half gets its share of the ranks, where there are more places.
    spread: bool,
}

impl ByTraffic {
    pub fn new(seed: u64, guests: u32, spread: bool) -> ByTraffic {
        ByTraffic { stream: Stream::new(seed, "bisection"), scratch: Scratch::new(guests as usize), spread }
    }
}

impl Split for ByTraffic {
    fn split(&mut self, parts: &Parts<'_, '_>, part: u32, near: &Part, far: &Part) -> Vec<u32> {
        let all = parts.of(part);
        let (places, wanted) = (all.len(), near.range.len());
        // Fillers count as guests that exchange nothing, so that ranks stay together; or they take what the ranks leave.
        let (cut, fillers): (Vec<u32>, Vec<u32>) =
            all.iter().partition(|guest| !self.spread || **guest < parts.prepared.ranks());
        let share = (2 * cut.len() * wanted + places) / (2 * places);
        let ranks = share.clamp((cut.len() + wanted).saturating_sub(places), wanted);
        parts.graph(&cut, [part; 2], near.samples(), far.samples(), &mut self.scratch);
        let aim = Aim { near: ranks as u64, slack: 0 };
        let sides = halves::cut(&self.scratch.graph, aim, &mut self.stream);
        let mut made = sorted(&cut, &sides);
        let rest = made.split_off(ranks);
        let (with_near, with_far) = fillers.split_at(wanted - ranks);
        made.extend(with_near.iter().copied().chain(rest).chain(with_far.iter().copied()));
        made
    }
}

/// The ranks stay where the search begins.
pub struct AsGiven;

impl Split for AsGiven {
    fn split(&mut self, parts: &Parts<'_, '_>, part: u32, near: &Part, _: &Part) -> Vec<u32> {
        let near: std::collections::HashSet<u32> = parts.slots(near).iter().copied().collect();
        let guests = parts.of(part);
        let far: Vec<bool> = guests.iter().map(|guest| !near.contains(&parts.given(*guest))).collect();
        sorted(guests, &far)
    }
}

/// Halves of the longest extent of the ranks' grid (recursive coordinate bisection; Deveci 2014).
pub struct ByCoordinates {
    /// Row-major extents.
    pub dims: Vec<u32>,
    /// Axes by priority: of equal extents the first is halved.
    pub order: Vec<usize>,
}

impl Split for ByCoordinates {
    fn split(&mut self, parts: &Parts<'_, '_>, part: u32, _: &Part, _: &Part) -> Vec<u32> {
        let mut guests = parts.of(part).to_vec();
        let ranks = parts.prepared.ranks();
        let at = |rank: u32, axis: usize| {
            let below: u32 = self.dims[axis + 1..].iter().product();
            rank / below.max(1) % self.dims[axis].max(1)
        };
        let extent = |axis: usize| {
            let all = guests.iter().filter(|guest| **guest < ranks).map(|rank| at(*rank, axis));
            all.clone().max().unwrap_or(0) - all.min().unwrap_or(0)
        };
        let mut axes = self.order.clone();
        axes.sort_by_key(|axis| std::cmp::Reverse(extent(*axis)));
        let place = |guest: &u32| {
            let filler = *guest >= ranks;
            let along = axes.iter().map(|axis| if filler { 0 } else { at(*guest, *axis) }).collect::<Vec<u32>>();
            (filler, along, *guest)
        };
        guests.sort_by_cached_key(place);
        guests
    }
}
