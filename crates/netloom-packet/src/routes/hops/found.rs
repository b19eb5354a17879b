//! Next hops, remembered: in a table of rows, or, where that would be too large, in a cache.

use super::{HELD, Hops, TABLE};
use crate::routes::cache::{Cached, UNKNOWN};
use crate::routes::known::Choice;

/// Rows that are numbered in place of a table; further ones are asked for again.
const ROWS: usize = 1 << 18;

impl Hops<'_> {
    /// Number of the row of next hops from `place`; the row is empty at the destination.
    #[inline]
    pub fn row(&mut self, place: u64, destination: u32) -> u32 {
        if self.anew {
            self.ask(place, destination);
            return self.number();
        }
        if self.known.cache.is_used() {
            return self.cached_row(place, destination);
        }
        match self.entry(place, destination) {
            Some(row) => row,
            None => self.learn(place, destination),
        }
    }

    /// The next hops of a row.
    #[inline]
    pub fn choices(&self, row: u32) -> &[Choice] {
        self.known.rows[row as usize].choices()
    }

    /// The next hops of a row with the share of packets that takes each: as drawn, or, of packets that look at buffers, all of
    /// which are empty, the same.
    pub fn shares(&self, row: u32, looks: bool) -> impl Iterator<Item = (Choice, f64)> {
        let known = &self.known.rows[row as usize];
        let even = 1.0 / known.choices().len() as f64;
        known.shares().map(move |(choice, share)| (choice, if looks { even } else { share }))
    }

    /// The next hops from `place` into `out`, none at the destination; no row is numbered for them where there is no table.
    #[inline]
    pub fn list(&mut self, place: u64, destination: u32, out: &mut Vec<Choice>) {
        out.clear();
        if self.anew {
            self.look(place, destination);
            out.extend_from_slice(&self.asked.choices);
            return;
        }
        if !self.known.cache.is_used() {
            let row = self.row(place, destination);
            out.extend_from_slice(self.choices(row));
            return;
        }
        match self.cached(place, destination) {
            Some(Cached { link, class, next, .. }) if link != UNKNOWN => out.push(Choice { link, class, place: next }),
            Some(Cached { row, .. }) => out.extend_from_slice(self.choices(row)),
            None => out.extend_from_slice(&self.asked.choices),
        }
    }

    /// The next hop that `draw` names, by the shares of the routing; `None` at the destination.
    #[inline]
    pub fn next(&mut self, place: u64, destination: u32, draw: &mut u64) -> Option<Choice> {
        if self.anew {
            self.ask(place, destination);
            return self.asked.draw(draw);
        }
        if self.known.cache.is_used() {
            return match self.cached(place, destination) {
                Some(Cached { link, class, next, .. }) if link != UNKNOWN => Some(Choice { link, class, place: next }),
                Some(Cached { row, .. }) => self.known.rows[row as usize].draw(draw),
                None => self.asked.draw(draw),
            };
        }
        let (at, _) = self.at(place, destination);
        match self.entry(place, destination) {
            Some(row) => self.known.rows[row as usize].draw(draw),
            None if self.has_room(at) => {
                let row = self.learn(place, destination);
                self.known.rows[row as usize].draw(draw)
            }
            None => {
                self.ask(place, destination);
                self.asked.draw(draw)
            }
        }
    }

    /// Links to the destination.
    pub fn left(&mut self, place: u64, destination: u32) -> u32 {
        if self.anew || self.known.cache.is_used() {
            self.look(place, destination);
            return self.asked.left;
        }
        let row = self.row(place, destination);
        self.known.rows[row as usize].left
    }

    /// Reads what [`Hops::next`] looks at first, so that it is in the cache.
    #[inline]
    pub fn peek(&self, place: u64, destination: u32) -> u64 {
        if self.anew {
            0
        } else if self.known.cache.is_used() {
            self.known.cache.peek(place, destination)
        } else {
            self.number_of(place, destination).into()
        }
    }

    /// The same for what it looks at next.
    #[inline]
    pub fn peek_row(&self, place: u64, destination: u32) -> u64 {
        if self.anew || self.known.cache.is_used() {
            return 0;
        }
        let row = self.number_of(place, destination);
        self.known.rows.get(row as usize).map_or(0, |known| known.left.into())
    }

    /// The next link of a packet that has drawn such a word, if it has a next one; asked for and remembered if nobody has. Where
    /// nothing is remembered it is one that the packet may take.
    #[inline]
    pub fn foresee(&mut self, place: u64, destination: u32, mut draw: u64) -> Option<u32> {
        if self.anew {
            self.look(place, destination);
            return self.asked.choices.first().map(|choice| choice.link);
        }
        self.next(place, destination, &mut draw).map(|choice| choice.link)
    }

    /// What the cache knows of the next hops; `None` if they are in `asked`, for which there is no row.
    #[inline]
    fn cached(&mut self, place: u64, destination: u32) -> Option<Cached> {
        match self.known.cache.find(place, destination) {
            Some(known) => Some(*known),
            None => self.ask_cached(place, destination),
        }
    }

    fn ask_cached(&mut self, place: u64, destination: u32) -> Option<Cached> {
        self.ask(place, destination);
        // Where there is one way on, nobody may need the row.
        let (row, link, class, next) = match *self.asked.choices {
            [Choice { link, class, place }] => (UNKNOWN, link, class, place),
            _ if self.known.rows.len() < ROWS => (self.number(), UNKNOWN, 0, 0),
            _ => return None,
        };
        let made = Cached { place, next, destination, row, link, class };
        self.known.cache.put(made);
        Some(made)
    }

    fn cached_row(&mut self, place: u64, destination: u32) -> u32 {
        let known = self.cached(place, destination);
        if let Some(known) = known.filter(|known| known.row != UNKNOWN) {
            return known.row;
        }
        self.ask(place, destination);
        let row = self.number();
        if let Some(known) = known {
            self.known.cache.put(Cached { row, ..known });
        }
        row
    }

    /// Part of the table and entry in it; a part that does not exist for places that are not numbered.
    #[inline]
    fn at(&self, place: u64, destination: u32) -> (usize, usize) {
        let switches = self.network.switches();
        let end = destination - if self.by_endpoint { switches } else { 0 };
        let at = match place & HELD {
            0 if place >= u64::from(switches) => usize::MAX,
            0 => place as usize,
            _ => (place ^ HELD) as usize + switches as usize,
        };
        (at, self.end[end as usize] as usize)
    }

    /// The number in the table, [`UNKNOWN`] where nobody has asked.
    #[inline]
    fn number_of(&self, place: u64, destination: u32) -> u32 {
        let (at, end) = self.at(place, destination);
        self.known.table.get(at).and_then(|part| part.get(end)).copied().unwrap_or(UNKNOWN)
    }

    #[inline]
    fn entry(&self, place: u64, destination: u32) -> Option<u32> {
        Some(self.number_of(place, destination)).filter(|row| *row != UNKNOWN)
    }

    /// True if a part of the table exists or may be made.
    fn has_room(&self, at: usize) -> bool {
        self.known
            .table
            .get(at)
            .is_some_and(|part| !part.is_empty() || self.known.entries + self.ends as usize <= TABLE)
    }

    #[cold]
    fn learn(&mut self, place: u64, destination: u32) -> u32 {
        self.ask(place, destination);
        let row = self.number();
        let (at, end) = self.at(place, destination);
        if self.has_room(at) {
            let part = &mut self.known.table[at];
            if part.is_empty() {
                *part = vec![UNKNOWN; self.ends as usize];
                self.known.entries += part.len();
            }
            part[end] = row;
        }
        row
    }
}
