//! The units of levels: which one a seat is in.

use super::{Level, wrong};
use crate::fault::{Fault, Outcome, codes};

/// Most seats of a node whose units differ: each is listed.
const LISTED: u64 = 1 << 20;

/// A level that has links, as some unit around it has several of its units, or memory.
#[derive(Clone, Debug, PartialEq)]
pub struct Linked {
    /// In the node's levels.
    pub level: usize,
    /// Of a node.
    pub units: u32,
    /// Its first link of a node: two a unit, or one of memory.
    pub first: u32,
    seats: SeatUnits,
}

#[derive(Clone, Debug, PartialEq)]
enum SeatUnits {
    /// So many in each unit.
    Each(u32),
    /// The unit of every seat.
    Listed(Vec<u32>),
}

impl Linked {
    #[inline]
    pub fn unit(&self, seat: u32) -> u32 {
        match &self.seats {
            SeatUnits::Each(each) => seat / each,
            SeatUnits::Listed(units) => units[seat as usize],
        }
    }

    /// True if all units of the level have equally many seats.
    pub fn is_even(&self) -> bool {
        matches!(self.seats, SeatUnits::Each(_))
    }
}

/// Checks that lists have a number for each unit around, and makes one number of those that are the same. O(units).
pub fn settle(levels: &mut [Level]) -> Outcome<()> {
    let mut units = 1u64;
    for Level { name, counts, .. } in levels {
        if counts.len() > 1 && counts.len() as u64 != units {
            let expected = format!("one number, or {units}: one for each of the units around");
            let place = if name == "numa" { name.clone() } else { format!("{name}s") };
            return Err(wrong(&place, "", &expected, format!("{} numbers", counts.len())).into());
        }
        units = match counts[..] {
            [one] => units.saturating_mul(u64::from(one)),
            _ => counts.iter().map(|n| u64::from(*n)).sum(),
        };
        if counts.iter().all(|n| *n == counts[0]) {
            counts.truncate(1);
        }
    }
    Ok(())
}

/// Levels with links, those with memory, and the seats of a node. O(levels), or O(seats × levels) where units differ.
pub fn linked(levels: &[Level]) -> Outcome<(Vec<Linked>, Vec<Linked>, u32)> {
    let (all, seats) = if levels.iter().any(|level| level.counts.len() > 1) { uneven(levels)? } else { even(levels)? };
    let (mut linked, mut memories, mut first) = (Vec::new(), Vec::new(), 0);
    for level in all.iter().filter(|level| levels[level.level].counts.iter().any(|count| *count > 1)) {
        linked.push(Linked { first, ..level.clone() });
        first += 2 * level.units;
    }
    for level in all.iter().filter(|level| levels[level.level].memory_bytes_per_s < f64::INFINITY) {
        memories.push(Linked { first, ..level.clone() });
        first += level.units;
    }
    Ok((linked, memories, seats))
}

fn even(levels: &[Level]) -> Outcome<(Vec<Linked>, u32)> {
    let units = levels.iter().map(|level| u64::from(level.counts[0])).try_fold(1u64, u64::checked_mul);
    let Some(seats) = units.filter(|seats| *seats < 1 << 31).map(|seats| seats as u32) else {
        return Err(Fault::say(&codes::TOO_LARGE, "node", "has 2^31 seats or more").into());
    };
    let (mut made, mut units) = (Vec::new(), 1);
    for (level, count) in levels.iter().map(|level| level.counts[0]).enumerate() {
        units *= count;
        made.push(Linked { level, units, first: 0, seats: SeatUnits::Each(seats / units) });
    }
    Ok((made, seats))
}

fn uneven(levels: &[Level]) -> Outcome<(Vec<Linked>, u32)> {
    // Of every level the unit around each of its units.
    let mut around: Vec<Vec<u32>> = Vec::new();
    let mut units = 1usize;
    for level in levels {
        let counts = &level.counts;
        let all: u64 = (0..units).map(|unit| u64::from(counts[unit % counts.len()])).sum();
        if all > LISTED {
            let sentence = format!("has more than {LISTED} units that differ");
            return Err(Fault::say(&codes::TOO_LARGE, "node", sentence).into());
        }
        let inside = |unit: usize| std::iter::repeat_n(unit as u32, counts[unit % counts.len()] as usize);
        around.push((0..units).flat_map(inside).collect());
        units = all as usize;
    }
    let seats = units as u32;
    let (mut of_seat, mut found) = ((0..seats).collect::<Vec<u32>>(), Vec::new());
    for own in around.iter().rev() {
        let outer = of_seat.iter().map(|unit| own[*unit as usize]).collect();
        found.push(std::mem::replace(&mut of_seat, outer));
    }
    let units = |level: usize| around[level].len() as u32;
    let levels = found.into_iter().rev().enumerate();
    let made = levels.map(|(level, of)| Linked { level, units: units(level), first: 0, seats: SeatUnits::Listed(of) });
    Ok((made.collect(), seats))
}
