//! What a routing answers: for two switches, the candidate paths, each with its virtual channels and its share.

use crate::fault::Outcome;

/// One path between two switches, as link numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Path {
    /// Switch links in travel order; empty from a switch to itself.
    pub links: Vec<u32>,
    /// Virtual channel used on each link.
    pub channels: Vec<u8>,
    /// Share of the traffic; the shares of one pair sum to 1.
    pub fraction: f64,
}

/// The candidate paths of one pair in three flat arrays, kept from pair to pair so that listing takes no memory.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PathList {
    /// Where in `links` each path ends, exclusive.
    pub ends: Vec<u32>,
    /// Switch links of all paths, one path after another.
    pub links: Vec<u32>,
    /// Share of the traffic per path; the shares of one pair sum to 1.
    pub shares: Vec<f64>,
}

impl PathList {
    pub fn new() -> Self {
        PathList::default()
    }

    /// Number of paths.
    #[inline]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    #[inline]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Links and share of path `i`. Panics beyond `len()`, like indexing.
    #[inline]
    pub fn get(&self, i: usize) -> (&[u32], f64) {
        let start = if i == 0 { 0 } else { self.ends[i - 1] as usize };
        (&self.links[start..self.ends[i] as usize], self.shares[i])
    }

    /// All paths, first to last, as (links, share).
    pub fn iter(&self) -> impl Iterator<Item = (&[u32], f64)> {
        (0..self.len()).map(|i| self.get(i))
    }

    /// Forgets the paths and keeps the memory.
    #[inline]
    pub fn clear(&mut self) {
        self.ends.clear();
        self.links.clear();
        self.shares.clear();
    }

    /// One more path.
    #[inline]
    pub fn push(&mut self, links: &[u32], share: f64) {
        self.links.extend_from_slice(links);
        self.close(share);
    }

    /// Ends a path whose links were appended to `links` by the caller.
    #[inline]
    pub fn close(&mut self, share: f64) {
        self.ends.push(self.links.len() as u32);
        self.shares.push(share);
    }
}

/// One path that is asked for.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ask {
    pub source: u32,
    pub destination: u32,
    /// A uniform 64-bit word, as [`Routing::draw`] takes it.
    pub word: u64,
}

/// A routing bound to one network. The same definition serves hop counting, link loads, contention and, later, the
/// flow and packet engines.
pub trait Routing: Send + Sync {
    /// The call that made it, such as `minimal` or `dimension-ordered`.
    fn label(&self) -> &str;

    /// Replaces `out` by the paths from `source` to `destination`, in a fixed order. `source == destination` gives one
    /// empty path.
    ///
    /// # Errors
    /// If no path exists, or more candidates than the routing's stated limit.
    fn paths(&self, source: u32, destination: u32, out: &mut Vec<Path>) -> Outcome<()>;

    /// Appends the switch links of one of the pair's paths to `out`, chosen by `draw`, a uniform 64-bit word: the same word
    /// gives the same path, and over all words each path has its share. Nothing is appended from a switch to itself.
    ///
    /// The default lists all paths, O(paths · hops); a routing that can walk a single one does better.
    ///
    /// # Errors
    /// As [`Routing::paths`].
    fn draw(&self, source: u32, destination: u32, draw: u64, out: &mut Vec<u32>) -> Outcome<()> {
        let mut paths = Vec::new();
        self.paths(source, destination, &mut paths)?;
        let mut at = (draw >> 11) as f64 * (1.0 / (1u64 << 53) as f64);
        let last = paths.len().saturating_sub(1);
        for (i, path) in paths.iter().enumerate() {
            if at < path.fraction || i == last {
                out.extend_from_slice(&path.links);
                break;
            }
            at -= path.fraction;
        }
        Ok(())
    }

    /// Appends what [`Routing::draw`] gives for each of `asks`, in their order, each with share 1.
    ///
    /// The default draws one after another; a routing whose tables exceed a core's caches reads them for several at once.
    ///
    /// # Errors
    /// As [`Routing::paths`].
    fn draw_many(&self, asks: &[Ask], out: &mut PathList) -> Outcome<()> {
        for ask in asks {
            self.draw(ask.source, ask.destination, ask.word, &mut out.links)?;
            out.close(1.0);
        }
        Ok(())
    }

    /// Replaces `out` by the paths of [`Routing::paths`] in the same order, without memory of their own and without
    /// virtual channels.
    ///
    /// The default copies from `paths`; a routing that is asked for many pairs does better.
    ///
    /// # Errors
    /// As [`Routing::paths`].
    fn list(&self, source: u32, destination: u32, out: &mut PathList) -> Outcome<()> {
        let mut paths = Vec::new();
        self.paths(source, destination, &mut paths)?;
        out.clear();
        for path in &paths {
            out.push(&path.links, path.fraction);
        }
        Ok(())
    }

    /// Number of virtual channels that the routing uses on any link, at least 1.
    fn virtual_channels(&self) -> u8;

    /// True if there is exactly one path per pair.
    fn is_deterministic(&self) -> bool;

    /// Calls `visit` with each (link, channel) that a packet from one of `sources` to `destination` may hold, and the
    /// (link, channel) that it may ask for next: the edges of the channel dependency graph. Repeats are allowed.
    ///
    /// The default walks every path, O(sources · paths · hops); a routing that knows its next hops does better.
    ///
    /// # Errors
    /// As [`Routing::paths`].
    fn dependencies(
        &self,
        sources: &[u32],
        destination: u32,
        visit: &mut dyn FnMut((u32, u8), (u32, u8)),
    ) -> Outcome<()> {
        let mut paths = Vec::new();
        for &source in sources {
            self.paths(source, destination, &mut paths)?;
            for path in &paths {
                for (links, channels) in path.links.windows(2).zip(path.channels.windows(2)) {
                    visit((links[0], channels[0]), (links[1], channels[1]));
                }
            }
        }
        Ok(())
    }
}
