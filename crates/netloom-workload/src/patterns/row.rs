//! What a pattern has: a maker of messages.

use std::sync::Arc;

use netloom_model::{Bound, Outcome, Row, Sends, Traffic};

use super::made::Made;

/// The type that a pattern's row builds.
#[derive(Clone, Copy, Debug)]
pub struct Pattern {
    /// Number of ranks given by the arguments, if any.
    pub(crate) implied: fn(&Bound) -> Option<u64>,
    pub(crate) make: fn(u32, &Bound) -> Outcome<Made>,
}

/// A pattern; its restrictions give the valid numbers of ranks.
pub type PatternRow = Row<Pattern>;

impl Pattern {
    /// The traffic on `ranks` ranks.
    ///
    /// # Errors
    /// `NL-P001` a number of ranks that the pattern does not take, `NL-P002` too many flows or bytes, and those of the
    /// pattern's own arguments.
    pub fn list(&self, ranks: u32, bound: &Bound) -> Outcome<Traffic> {
        (self.make)(ranks, bound)?.list(&bound.owner)
    }

    /// The same messages, generated rank by rank.
    ///
    /// # Errors
    /// As [`Pattern::list`], except that no list has to fit where the pattern needs none.
    pub fn stream(&self, ranks: u32, bound: &Bound) -> Outcome<Arc<dyn Sends>> {
        Ok((self.make)(ranks, bound)?.sends())
    }
}

pub(crate) const TEMPLATE: PatternRow = PatternRow {
    name: "",
    aliases: &[],
    summary: "",
    params: &[],
    example: "",
    restrictions: "",
    source: "",
    build: Pattern { implied: |_| None, make: |ranks, _| Ok(Made::List(Traffic::new("", ranks, Vec::new()))) },
};
