//! The links that messages between two switches take, and the share of the messages on each.

use std::collections::HashMap;

/// The links between the pairs of one job, and the share of the pair's bytes on each.
#[derive(Clone, Debug, Default)]
pub struct LinkShares {
    /// By source switch and destination, the position of its links.
    rows: HashMap<(u32, u32), (u32, u32)>,
    parts: Vec<(u32, f64)>,
}

impl LinkShares {
    /// Adds a pair, which is not yet there, with its links and their shares.
    pub fn add(&mut self, source: u32, destination: u32, links: impl IntoIterator<Item = (u32, f64)>) {
        let first = self.parts.len() as u32;
        self.parts.extend(links);
        self.rows.insert((source, destination), (first, self.parts.len() as u32));
    }

    /// The links from a switch to a destination; `None` for a pair without messages.
    #[inline]
    pub fn between(&self, source: u32, destination: u32) -> Option<&[(u32, f64)]> {
        let &(first, last) = self.rows.get(&(source, destination))?;
        Some(&self.parts[first as usize..last as usize])
    }
}
