//! What many messages have in common, kept once.

use std::collections::HashMap;

/// What many messages have in common.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Terms {
    pub job: u32,
    /// Least picoseconds per byte between its packets; 0 if nothing bounds its rate.
    pub pace_ps: f32,
    /// Number of the routing.
    pub routing: u16,
    /// Of latencies: one of the part's factors.
    pub factor: u16,
}

impl Terms {
    fn bits(self) -> [u32; 3] {
        let Terms { job, pace_ps, routing, factor } = self;
        [job, pace_ps.to_bits(), u32::from(routing) << 16 | u32::from(factor)]
    }
}

/// The terms that all parts know, by number.
pub struct KnownTerms {
    numbers: HashMap<[u32; 3], u32>,
    /// Most messages are like the one before.
    last: (Terms, u32),
}

impl Default for KnownTerms {
    /// Those that every part begins with: number 0.
    fn default() -> KnownTerms {
        KnownTerms { numbers: HashMap::from([(Terms::default().bits(), 0)]), last: (Terms::default(), 0) }
    }
}

impl KnownTerms {
    /// The number of these; `add` gives new ones to the parts.
    #[inline]
    pub fn number(&mut self, terms: Terms, add: impl FnOnce(Terms)) -> u32 {
        if self.last.0 != terms {
            let new = self.numbers.len() as u32;
            let number = *self.numbers.entry(terms.bits()).or_insert(new);
            if number == new {
                add(terms);
            }
            self.last = (terms, number);
        }
        self.last.1
    }
}
