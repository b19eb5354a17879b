//! Where packets start and go, with the share of them: for means over all paths.

use netloom_model::{Outcome, Refusal};

use super::{Hops, THERE};
use crate::packet::known::Choice;

impl Hops<'_> {
    /// All places where packets start, each as likely.
    ///
    /// # Errors
    /// As [`Hops::start`].
    pub fn starts(&mut self, source: u32, destination: u32) -> Outcome<Vec<u64>> {
        if source == self.routing.switch_of(destination) {
            return Ok(vec![THERE]);
        }
        let (way, mut starts) = (self.routing.towards(destination), Vec::new());
        way.starts(source, &mut starts);
        if starts.is_empty() {
            return Err(self.routing.refuse(source, destination, Refusal::NoPath));
        }
        let any = self.uses_any();
        let start = |start: u64| self.hold(if any { way.on_links(start) } else { start });
        Ok(starts.into_iter().map(start).collect())
    }

    /// The next hops of a row with the share of packets that takes each: as drawn, or, of packets that look at buffers, all of
    /// which are empty, the same.
    pub fn shares(&self, row: u32, looks: bool) -> impl Iterator<Item = (Choice, f64)> {
        let known = &self.rows[row as usize];
        let even = 1.0 / known.choices().len() as f64;
        known.shares().map(move |(choice, share)| (choice, if looks { even } else { share }))
    }
}
