//! Can packets wait for each other in a circle? The channel dependency graph and its verdict.

mod rings;

use crate::fault::{Fault, Faults, Outcome, codes};
use crate::network::Network;
use crate::paths::{Path, PathList, Routing, destination};
use crate::progress::Progress;
use crate::steps::{Refusal, Split, Way};

/// A virtual channel: (link, channel on it).
pub type Channel = (u32, u8);

/// The verdict, with what proves it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Deadlock {
    /// No packet can wait for itself.
    Free {
        /// Channels that depend on another or are depended on.
        channels: u64,
        dependencies: u64,
        /// These channels so that every dependency leads to a later one.
        order: Vec<Channel>,
    },
    /// Each of these channels can be held by a packet that waits for the next one, the last for the first.
    Cycle(Vec<Channel>),
}

/// Most bits of the dependency table (512 MiB).
const TABLE_LIMIT: u64 = 1 << 32;

/// A channel dependency graph: one bit per (channel, next link of its head, channel there).
pub struct Dependencies<'a> {
    network: &'a Network,
    channels: u64,
    /// First bit of each switch link.
    base: Vec<u64>,
    bits: Vec<u64>,
}

impl<'a> Dependencies<'a> {
    /// Without any, for so many virtual channels of each link.
    ///
    /// # Errors
    /// `NL-A009` if the graph is too large.
    pub fn new(network: &'a Network, channels: u8) -> Outcome<Dependencies<'a>> {
        let v = u64::from(channels);
        let mut base = Vec::with_capacity(network.switch_links() as usize + 1);
        let mut next = 0u64;
        for &head in network.heads() {
            base.push(next);
            next += u64::from(network.degree(head)) * v * v;
        }
        base.push(next);
        if next > TABLE_LIMIT {
            let sentence = format!("{next} possible channel dependencies exceed {TABLE_LIMIT}");
            return Err(Fault::say(&codes::TOO_LARGE, network.label(), sentence)
                .hint("use fewer virtual channels or a smaller network")
                .into());
        }
        Ok(Dependencies { network, channels: v, base, bits: vec![0; next.div_ceil(64) as usize] })
    }

    /// Bits of `channel`.
    fn range(&self, channel: Channel) -> std::ops::Range<u64> {
        let degree = u64::from(self.network.degree(self.network.heads()[channel.0 as usize]));
        let start = self.base[channel.0 as usize] + u64::from(channel.1) * degree * self.channels;
        start..start + degree * self.channels
    }

    /// Adds one. False if the pair is no dependency at all: links that do not meet, or a channel beyond those declared.
    pub fn set(&mut self, held: Channel, asked: Channel) -> bool {
        let links = self.network.switch_links();
        if held.0 >= links || asked.0 >= links || u64::from(held.1.max(asked.1)) >= self.channels {
            return false;
        }
        let out = self.network.out_links(self.network.heads()[held.0 as usize]);
        if !out.contains(&asked.0) {
            return false;
        }
        let bit = self.range(held).start + u64::from(asked.0 - out.start) * self.channels + u64::from(asked.1);
        self.bits[(bit / 64) as usize] |= 1 << (bit % 64);
        true
    }

    /// The first dependency of `held` at bit `from` or later, and the bit after it.
    fn next(&self, held: Channel, from: u64) -> Option<(Channel, u64)> {
        let range = self.range(held);
        let mut at = from.max(range.start);
        while at < range.end {
            let word = self.bits[(at / 64) as usize] >> (at % 64);
            if word == 0 {
                at = (at / 64 + 1) * 64;
                continue;
            }
            at += u64::from(word.trailing_zeros());
            if at >= range.end {
                break;
            }
            let offset = at - range.start;
            let out = self.network.out_links(self.network.heads()[held.0 as usize]);
            let asked = (out.start + (offset / self.channels) as u32, (offset % self.channels) as u8);
            return Some((asked, at + 1));
        }
        None
    }

    /// An order of the channels, or a cycle among them.
    pub fn judge(&self) -> Deadlock {
        ordered(self)
    }

    fn index(&self, channel: Channel) -> usize {
        (u64::from(channel.0) * self.channels) as usize + usize::from(channel.1)
    }

    fn of(&self, held: Channel) -> impl Iterator<Item = Channel> {
        let mut from = 0;
        std::iter::from_fn(move || {
            let (asked, after) = self.next(held, from)?;
            from = after;
            Some(asked)
        })
    }
}

/// Builds the channel dependency graph of all packets between switches with endpoints (all switches if there are no
/// endpoints) and orders it or finds a cycle in it. A routing without a cycle cannot deadlock (Dally and Seitz 1987);
/// with one it can, for a routing that does not adapt.
///
/// O(destinations · dependencies of one) time; bits: links · degree · channels².
///
/// # Errors
/// Those of the routing; `NL-A009` if the graph is too large, `NL-R008` if the routing names channels that do not
/// follow each other, `NL-N011` if `progress` was stopped.
pub fn deadlock(network: &Network, routing: &dyn Routing, progress: &Progress) -> Outcome<Deadlock> {
    let mut table = Dependencies::new(network, routing.virtual_channels())?;
    let ends = ends(network);
    let destinations = destinations(network, routing);
    progress.set_total(destinations.len() as u64);
    for &destination in &destinations {
        if progress.stopped() {
            return Err(interrupted(network));
        }
        let mut wrong = None;
        routing.dependencies(&ends, destination, &mut |held, asked| {
            if !table.set(held, asked) {
                wrong = Some((held, asked));
            }
        })?;
        if let Some((held, asked)) = wrong {
            let sentence = format!("(link, channel) {held:?} is followed by {asked:?}, which it cannot be");
            let place = format!("{} on {}", routing.label(), network.label());
            return Err(Fault::say(&codes::BROKEN, place, sentence).into());
        }
        progress.add(1);
    }
    Ok(table.judge())
}

/// A routing whose packets may use every channel of a link, whatever the routing names: as if links had one channel.
/// Without a cycle among the links, no use of their channels can deadlock.
pub struct AnyChannel<'a>(pub &'a dyn Routing);

impl Routing for AnyChannel<'_> {
    fn label(&self) -> &str {
        self.0.label()
    }
    fn towards(&self, destination: u32) -> Box<dyn Way + '_> {
        self.0.towards(destination)
    }
    fn virtual_channels(&self) -> u8 {
        1
    }
    fn is_deterministic(&self) -> bool {
        self.0.is_deterministic()
    }
    fn by_endpoint(&self) -> bool {
        self.0.by_endpoint()
    }
    fn switch_of(&self, destination: u32) -> u32 {
        self.0.switch_of(destination)
    }
    fn split(&self) -> Split {
        self.0.split()
    }
    fn limit(&self) -> usize {
        self.0.limit()
    }
    fn admit(&self, switch: u32) -> Outcome<()> {
        self.0.admit(switch)
    }
    fn refuse(&self, source: u32, destination: u32, why: Refusal) -> Faults {
        self.0.refuse(source, destination, why)
    }
    fn paths(&self, source: u32, destination: u32, out: &mut Vec<Path>) -> Outcome<()> {
        self.0.paths(source, destination, out)?;
        out.iter_mut().for_each(|path| path.channels.fill(0));
        Ok(())
    }
    fn list(&self, source: u32, destination: u32, out: &mut PathList) -> Outcome<()> {
        self.0.list(source, destination, out)
    }
    fn dependencies(
        &self,
        sources: &[u32],
        destination: u32,
        visit: &mut dyn FnMut((u32, u8), (u32, u8)),
    ) -> Outcome<()> {
        self.0.dependencies(sources, destination, &mut |held, asked| visit((held.0, 0), (asked.0, 0)))
    }
}

/// What packets go to: [`ends`], or for a routing that looks at endpoints all of them that are in service.
pub fn destinations(network: &Network, routing: &dyn Routing) -> Vec<u32> {
    if !routing.by_endpoint() || network.endpoints() == 0 {
        return ends(network);
    }
    let there = |e: &u32| network.in_service(network.endpoint_switch()[*e as usize]);
    (0..network.endpoints()).filter(there).map(|endpoint| destination(routing, network, endpoint)).collect()
}

/// Switches that packets come from and go to: those in service with endpoints, or all in service if there are no
/// endpoints.
pub fn ends(network: &Network) -> Vec<u32> {
    let meant = |s: &u32| network.endpoints() == 0 || !network.endpoints_of(*s).is_empty();
    (0..network.switches()).filter(|s| meant(s) && network.in_service(*s)).collect()
}

fn interrupted(network: &Network) -> Faults {
    Fault::say(&codes::INTERRUPTED, network.label(), "the deadlock check was stopped").into()
}

/// Depth-first search: either an order or a cycle through a channel that is still open.
fn ordered(table: &Dependencies<'_>) -> Deadlock {
    const NEW: u8 = 0;
    const OPEN: u8 = 1;
    const DONE: u8 = 2;
    let links = table.network.switch_links();
    let mut state = vec![NEW; links as usize * table.channels as usize];
    let mut asked_for = vec![false; state.len()];
    let (mut order, mut dependencies) = (Vec::new(), 0);
    let mut stack: Vec<(Channel, u64)> = Vec::new();
    for link in 0..links {
        for vc in 0..table.channels as u8 {
            let root = (link, vc);
            if state[table.index(root)] != NEW || table.next(root, 0).is_none() {
                continue;
            }
            state[table.index(root)] = OPEN;
            stack.push((root, 0));
            while let Some((held, from)) = stack.last_mut() {
                let held = *held;
                let Some((asked, after)) = table.next(held, *from) else {
                    state[table.index(held)] = DONE;
                    order.push(held);
                    stack.pop();
                    continue;
                };
                *from = after;
                dependencies += 1;
                let index = table.index(asked);
                asked_for[index] = true;
                match state[index] {
                    NEW => {
                        state[index] = OPEN;
                        stack.push((asked, 0));
                    }
                    OPEN => return Deadlock::Cycle(shortest_cycle(table, asked)),
                    _ => {}
                }
            }
        }
    }
    order.reverse();
    Deadlock::Free { channels: order.len() as u64, dependencies, order }
}

/// Breadth-first from a channel on a cycle back to itself.
fn shortest_cycle(table: &Dependencies<'_>, start: Channel) -> Vec<Channel> {
    let mut from: Vec<Option<Channel>> = vec![None; table.network.switch_links() as usize * table.channels as usize];
    let mut queue = vec![start];
    let mut next = 0;
    while let Some(&held) = queue.get(next) {
        next += 1;
        for asked in table.of(held) {
            if asked == start {
                let mut cycle = vec![held];
                let mut at = held;
                while at != start {
                    let Some(before) = from[table.index(at)] else { break };
                    cycle.push(before);
                    at = before;
                }
                cycle.reverse();
                return cycle;
            }
            let slot = &mut from[table.index(asked)];
            if slot.is_none() {
                *slot = Some(held);
                queue.push(asked);
            }
        }
    }
    vec![start]
}

/// Checks an order of [`Deadlock::Free`] by following every path: each channel is before the next one.
/// Shares nothing with [`deadlock`] but the routing's `paths`. O(pairs · paths · hops).
///
/// # Errors
/// As [`Routing::paths`]; `NL-N011` if `progress` was stopped.
pub fn witness_holds(
    network: &Network,
    routing: &dyn Routing,
    order: &[Channel],
    progress: &Progress,
) -> Outcome<bool> {
    let channels = usize::from(routing.virtual_channels());
    let mut position = vec![usize::MAX; network.switch_links() as usize * channels];
    for (at, &(link, vc)) in order.iter().enumerate() {
        match position.get_mut(link as usize * channels + usize::from(vc)) {
            Some(slot) if usize::from(vc) < channels => *slot = at,
            _ => return Ok(false),
        }
    }
    let ends = ends(network);
    progress.set_total(ends.len() as u64);
    let mut paths = Vec::new();
    for &source in &ends {
        if progress.stopped() {
            return Err(interrupted(network));
        }
        for &destination in &destinations(network, routing) {
            routing.paths(source, destination, &mut paths)?;
            for path in &paths {
                let at = |hop: usize| position[path.links[hop] as usize * channels + usize::from(path.channels[hop])];
                if (1..path.links.len()).any(|hop| at(hop - 1) == usize::MAX || at(hop - 1) >= at(hop)) {
                    return Ok(false);
                }
            }
        }
        progress.add(1);
    }
    Ok(true)
}
