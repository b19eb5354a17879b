//! Next hops of networks whose table of rows would be too large: as many as there is room for, by a hash.

use netloom_model::stream::mix;

/// Sets of entries that share a cache line (64 MiB in all), a power of two.
const SETS: usize = 1 << 20;
/// By which the cache of a part of the machine may be smaller.
const LEAST_SHARE: usize = 1 << 8;

/// No row, or no link.
pub const UNKNOWN: u32 = u32::MAX;

/// An entry: the only next hop of a place towards a destination where there is one, else a row.
#[derive(Clone, Copy, Debug)]
pub struct Cached {
    pub place: u64,
    pub next: u64,
    pub destination: u32,
    /// [`UNKNOWN`] until somebody needs it, where there is one next hop.
    pub row: u32,
    /// Of the only next hop.
    pub link: u32,
    pub class: u8,
}

/// Entries for what has one hash, the newer first: a cache line.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Set([Cached; 2]);

const _: () = assert!(size_of::<Set>() == 64);

impl Set {
    const EMPTY: Set =
        Set([Cached { place: 0, next: 0, destination: UNKNOWN, row: UNKNOWN, link: UNKNOWN, class: 0 }; 2]);
}

#[derive(Default)]
pub struct Cache {
    /// Made with the first entry.
    sets: Vec<Set>,
    /// 0: it is not used.
    count: usize,
}

impl Cache {
    pub fn new(used: bool) -> Cache {
        Cache { sets: Vec::new(), count: if used { SETS } else { 0 } }
    }

    /// One of so many.
    #[must_use]
    pub fn divided(self, parts: u16) -> Cache {
        let share = usize::from(parts).next_power_of_two() / 2;
        Cache { count: self.count / share.clamp(1, LEAST_SHARE), ..self }
    }

    #[inline]
    pub fn is_used(&self) -> bool {
        self.count > 0
    }

    #[inline]
    fn set(&self, place: u64, destination: u32) -> usize {
        mix(place ^ u64::from(destination) << 32) as usize & (self.count - 1)
    }

    #[inline]
    pub fn find(&self, place: u64, destination: u32) -> Option<&Cached> {
        let set = self.sets.get(self.set(place, destination))?;
        set.0.iter().find(|known| (known.place, known.destination) == (place, destination))
    }

    /// Reads the entries that may be of a place and destination.
    #[inline]
    pub fn peek(&self, place: u64, destination: u32) -> u64 {
        self.sets.get(self.set(place, destination)).map_or(0, |set| set.0[0].place)
    }

    /// In place of the entry of the same place and destination, or else of the older one.
    pub fn put(&mut self, entry: Cached) {
        if self.sets.is_empty() {
            self.sets = vec![Set::EMPTY; self.count];
        }
        let at = self.set(entry.place, entry.destination);
        let [newer, older] = &mut self.sets[at].0;
        if (newer.place, newer.destination) != (entry.place, entry.destination) {
            *older = *newer;
        }
        *newer = entry;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_entries_of_one_hash_are_kept_the_newest() {
        let mut cache = Cache { sets: Vec::new(), count: 1 };
        let entry = |place: u64, link: u32| Cached { place, next: 0, destination: 7, row: UNKNOWN, link, class: 0 };
        assert!(Cache::new(true).divided(3).is_used() && !Cache::new(false).divided(3).is_used());
        assert!(cache.find(1, 7).is_none());
        (1..4).for_each(|place| cache.put(entry(place, place as u32)));
        cache.put(entry(3, 30));
        let links = [1, 2, 3].map(|place| cache.find(place, 7).map(|known| known.link));
        assert_eq!(links, [None, Some(2), Some(30)]);
    }
}
