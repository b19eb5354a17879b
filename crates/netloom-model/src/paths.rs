//! Paths: for two switches, the candidates of a routing, each with its virtual channels and its share.

use crate::fault::{Fault, Faults, Outcome, codes};
use crate::network::Network;
use crate::steps::{self, Refusal, Split, Way};

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

/// The candidate paths of one pair in three flat arrays, reused from pair to pair so that listing allocates nothing.
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

    /// Removes the paths and keeps the memory.
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

/// The destination of packets to `endpoint`, as `routing` takes it.
#[inline]
pub fn destination(routing: &dyn Routing, network: &Network, endpoint: u32) -> u32 {
    if routing.by_endpoint() { network.switches() + endpoint } else { network.endpoint_switch()[endpoint as usize] }
}

/// A request for one path.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ask {
    pub source: u32,
    pub destination: u32,
    /// A uniform 64-bit word, as [`Routing::draw`] takes it.
    pub word: u64,
}

/// A routing bound to one network. Only the next hops are required ([`Routing::towards`]); paths, draws and
/// dependencies are derived from them. A destination is a switch; a routing that distinguishes endpoints
/// ([`Routing::by_endpoint`]) also takes `switches + endpoint`. A faster implementation of a derived function must give
/// the same result: `check_routing` compares.
pub trait Routing: Send + Sync {
    /// The call that made it, such as `minimal` or `dimension-ordered`.
    fn label(&self) -> &str;

    /// The routes to `destination`, hop by hop with channels.
    fn towards(&self, destination: u32) -> Box<dyn Way + '_>;

    /// Number of virtual channels that the routing uses on any link, at least 1.
    fn virtual_channels(&self) -> u8;

    /// True if there is exactly one path per pair.
    fn is_deterministic(&self) -> bool;

    /// True if its channels are ordered by construction, so that packets that keep to them never wait in a cycle. False
    /// says nothing: [`crate::deadlock()`] decides.
    fn is_ordered(&self) -> bool {
        false
    }

    /// True if the links that may come next depend on the switch and the destination alone, as with forwarding tables: every
    /// packet at a switch goes on as those that start there.
    fn is_by_switch(&self) -> bool {
        false
    }

    /// True if the next hops follow from the coordinates of two switches, so that to ask again costs less than to look up an
    /// earlier answer in a large table.
    fn is_by_formula(&self) -> bool {
        false
    }

    /// True if the routes to a destination are searched for, O(links), and those to all are not kept: who asks for many pairs
    /// goes destination by destination.
    fn is_searched(&self) -> bool {
        false
    }

    /// For a routing by switch that goes stage by stage: of each stage, a coordinate of every switch. In stage `k` a packet
    /// goes to the destination's coordinate `k`; its links depend on where it is and on that coordinate, and leave the
    /// coordinates of the stages before as they are.
    fn stages(&self) -> Option<Vec<Vec<u32>>> {
        None
    }

    /// True if the paths to the endpoints of one switch differ.
    fn by_endpoint(&self) -> bool {
        false
    }

    /// The switch at which packets to `destination` end.
    fn switch_of(&self, destination: u32) -> u32 {
        destination
    }

    fn split(&self) -> Split {
        Split::Paths
    }

    /// Limit of the paths listed for one pair.
    fn limit(&self) -> usize {
        1 << 20
    }

    /// Says whether packets may start and end at `switch`.
    ///
    /// # Errors
    /// If the network has no such switch, or it is out of service.
    fn admit(&self, _switch: u32) -> Outcome<()> {
        Ok(())
    }

    /// The fault of a pair whose paths are not listed.
    fn refuse(&self, source: u32, destination: u32, why: Refusal) -> Faults {
        let (code, what) = match why {
            Refusal::NoPath => (&codes::BAD_VALUE, "no path"),
            Refusal::TooMany => (&codes::TOO_LARGE, "too many paths"),
        };
        Fault::say(code, self.label(), format!("{what} from switch {source} to switch {destination}")).into()
    }

    /// Replaces `out` by the paths from `source` to `destination`, in a fixed order. `source == destination` gives one
    /// empty path.
    ///
    /// # Errors
    /// If no path exists, or more candidates than the routing's stated limit.
    fn paths(&self, source: u32, destination: u32, out: &mut Vec<Path>) -> Outcome<()> {
        self.admit(source)?;
        self.admit(self.switch_of(destination))?;
        if source == self.switch_of(destination) {
            *out = vec![Path { links: Vec::new(), channels: Vec::new(), fraction: 1.0 }];
            return Ok(());
        }
        steps::paths(&*self.towards(destination), source, self.split(), self.limit(), out)
            .map_err(|why| self.refuse(source, destination, why))
    }

    /// Appends the switch links of one of the pair's paths to `out`, chosen by `draw`, a uniform 64-bit word: the same word
    /// gives the same path, and over all words each path has its share. Nothing is appended from a switch to itself.
    ///
    /// The default lists all paths, O(paths · hops); a routing that can follow a single one is faster.
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

    /// Appends the result of [`Routing::draw`] for each of `asks`, in their order, each with share 1.
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

    /// Replaces `out` by the paths of [`Routing::paths`] in the same order, without allocation and without virtual
    /// channels. A routing that makes its paths whole, not hop by hop, says both.
    ///
    /// # Errors
    /// As [`Routing::paths`].
    fn list(&self, source: u32, destination: u32, out: &mut PathList) -> Outcome<()> {
        self.admit(source)?;
        self.admit(self.switch_of(destination))?;
        if source == self.switch_of(destination) {
            out.clear();
            out.close(1.0);
            return Ok(());
        }
        steps::list(&*self.towards(destination), source, self.split(), self.limit(), out)
            .map_err(|why| self.refuse(source, destination, why))
    }

    /// Calls `visit` with each (link, channel) that a packet from one of `sources` to `destination` may hold, and the
    /// (link, channel) that it may request next: the edges of the channel dependency graph. Repeats are allowed.
    ///
    /// # Errors
    /// As [`Routing::paths`], but without a limit on the number of paths.
    fn dependencies(
        &self,
        sources: &[u32],
        destination: u32,
        visit: &mut dyn FnMut((u32, u8), (u32, u8)),
    ) -> Outcome<()> {
        let others = sources.iter().copied().filter(|source| *source != self.switch_of(destination));
        steps::dependencies(&*self.towards(destination), others, visit)
            .map_err(|source| self.refuse(source, destination, Refusal::NoPath))
    }
}
