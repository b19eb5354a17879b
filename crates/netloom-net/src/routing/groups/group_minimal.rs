//! Paths, draws and weights of group-minimal routing.

use std::sync::Arc;

use netloom_model::fault::Fault;
use netloom_model::{Ask, Faults, Network, Outcome, Path, PathList, Refusal, Routing, Way};

use super::channels::Channels;
use super::detour::detours;
use super::shape::APART;
use super::tables::{GlobalLink, GroupTables, Member};
use super::way::GroupWay;
use crate::routing::codes;
use crate::routing::rule::{ByHops, Ruled, require_switch};

/// Pairs of switches that [`Routing::draw_many`] looks up together.
const BLOCK: usize = 64;

/// Two switches, each also as a member of its group, and the links between their groups.
#[derive(Clone, Copy)]
struct PairLinks<'a> {
    source: u32,
    destination: u32,
    from: Member,
    to: Member,
    globals: &'a [GlobalLink],
}

/// Group-minimal routing on a network.
pub struct GroupMinimal {
    pub network: Arc<Network>,
    pub label: String,
    pub tables: GroupTables,
    /// Most paths per pair.
    pub limit: u64,
    pub channels: Channels,
    /// The answer of [`Routing::is_ordered`].
    pub ordered: bool,
    pub deterministic: bool,
    /// Shortest paths, searched: for pairs that failures leave neither one global link nor two. `None` in full service.
    pub anywhere: Option<Ruled>,
}

/// A global link on the route, with the numbers of paths before and after it.
struct Crossing {
    global: GlobalLink,
    before: u32,
    after: u32,
}

impl Crossing {
    fn paths(&self) -> u64 {
        u64::from(self.before) * u64::from(self.after)
    }
}

impl GroupMinimal {
    /// The route from one switch to another over one global link between the groups, with its hops.
    #[inline]
    fn crossing(&self, from: Member, to: Member, global: GlobalLink) -> Option<(u32, Crossing)> {
        let before = self.tables.shape(from.group).pair(from.number, u32::from(global.tail));
        let after = self.tables.shape(to.group).pair(u32::from(global.head), to.number);
        if before.hops == APART || after.hops == APART {
            return None;
        }
        let hops = u32::from(before.hops) + 1 + u32::from(after.hops);
        Some((hops, Crossing { global, before: before.paths, after: after.paths }))
    }

    /// The routes over each of the global links between the groups.
    #[inline]
    fn crossings(&self, from: Member, to: Member) -> impl Iterator<Item = (u32, Crossing)> {
        self.tables.between(from.group, to.group).iter().filter_map(move |&global| self.crossing(from, to, global))
    }

    /// Fewest hops over one global link, and the number of such paths; 0 if there is none.
    #[inline]
    pub fn fewest(&self, from: Member, to: Member) -> (u32, u64) {
        let mut best = (u32::MAX, 0u64);
        for (hops, crossing) in self.crossings(from, to) {
            if hops < best.0 {
                best = (hops, crossing.paths());
            } else if hops == best.0 {
                best.1 += crossing.paths();
            }
        }
        best
    }

    /// Appends path number `k` over `crossing`.
    #[inline]
    fn cross(&self, from: Member, to: Member, crossing: &Crossing, k: u64, out: &mut Vec<u32>) {
        let (first, second) = match u32::try_from(k) {
            Ok(k) => (k / crossing.after, k % crossing.after),
            Err(_) => ((k / u64::from(crossing.after)) as u32, (k % u64::from(crossing.after)) as u32),
        };
        self.tables.inside(from.group, from.number, u32::from(crossing.global.tail), first, out);
        out.push(crossing.global.link);
        self.tables.inside(to.group, u32::from(crossing.global.head), to.number, second, out);
    }

    /// Channel of link number `hop` of a path.
    fn channel(&self, path: &[u32], hop: usize) -> u8 {
        let group = |switch: u32| self.tables.member(switch).group;
        let global =
            |link: &&u32| group(self.network.tails()[**link as usize]) != group(self.network.heads()[**link as usize]);
        match self.channels {
            Channels::One => 0,
            Channels::Globals => path[..=hop].iter().filter(global).count() as u8,
            Channels::Hops(_) => hop as u8,
        }
    }

    fn check(&self, source: u32, destination: u32) -> Outcome<()> {
        require_switch(&self.network, &self.label, source)?;
        require_switch(&self.network, &self.label, destination)
    }

    fn too_many(&self, source: u32, destination: u32, paths: u64) -> netloom_model::Faults {
        let sentence = format!("switches {source} and {destination} are joined by {paths} paths, limit {}", self.limit);
        Fault::say(&codes::TOO_MANY_PATHS, format!("{} on {}", self.label, self.network.label()), sentence)
            .hint("raise `limit`")
            .into()
    }

    #[cold]
    fn no_path(&self, source: u32, destination: u32) -> netloom_model::Faults {
        let sentence = format!("no path from switch {source} to switch {destination}");
        Fault::say(&codes::NO_PATH, format!("{} on {}", self.label, self.network.label()), sentence).into()
    }

    /// Round failures: over two global links, else shortest in the network. O(groups · cables per pair²), or a search
    /// that is kept per destination.
    #[cold]
    fn list_round(&self, source: u32, destination: u32, out: &mut PathList) -> Outcome<()> {
        let Some(anywhere) = &self.anywhere else { return Err(self.no_path(source, destination)) };
        let (from, to) = (self.tables.member(source), self.tables.member(destination));
        let found = detours(&self.tables, self.network.reverse(), from, to);
        if found.is_empty() {
            return anywhere.list(source, destination, out);
        }
        let paths = found.iter().fold(0u64, |all, detour| all.saturating_add(detour.paths()));
        if paths > self.limit {
            return Err(self.too_many(source, destination, paths));
        }
        for detour in &found {
            for k in 0..detour.paths() {
                detour.append(&self.tables, from, to, k, &mut out.links);
                out.close(1.0 / paths as f64);
            }
        }
        Ok(())
    }

    /// What the tables know of two switches.
    #[inline]
    fn pair(&self, source: u32, destination: u32) -> PairLinks<'_> {
        let (from, to) = (self.tables.member(source), self.tables.member(destination));
        PairLinks { source, destination, from, to, globals: self.tables.between(from.group, to.group) }
    }

    /// Draws as [`Routing::draw`] does, for a pair that is looked up.
    #[inline]
    fn draw_over(&self, pair: PairLinks<'_>, draw: u64, out: &mut Vec<u32>) -> Outcome<()> {
        let PairLinks { source, destination, from, to, globals } = pair;
        if from.group == to.group {
            let paths = u64::from(self.tables.shape(from.group).pair(from.number, to.number).paths);
            if paths == 0 {
                return self.draw_round(source, destination, draw, out);
            }
            self.tables.inside(from.group, from.number, to.number, pick(draw, paths) as u32, out);
            return Ok(());
        }
        if let &[global] = globals {
            return match self.crossing(from, to, global) {
                Some((_, crossing)) => {
                    self.cross(from, to, &crossing, pick(draw, crossing.paths()), out);
                    Ok(())
                }
                None => self.draw_round(source, destination, draw, out),
            };
        }
        let (hops, paths) = self.fewest(from, to);
        if paths == 0 {
            return self.draw_round(source, destination, draw, out);
        }
        let mut k = pick(draw, paths);
        for (_, crossing) in self.crossings(from, to).filter(|c| c.0 == hops) {
            if k < crossing.paths() {
                self.cross(from, to, &crossing, k, out);
                return Ok(());
            }
            k -= crossing.paths();
        }
        self.draw_round(source, destination, draw, out)
    }

    #[cold]
    fn draw_round(&self, source: u32, destination: u32, draw: u64, out: &mut Vec<u32>) -> Outcome<()> {
        let Some(anywhere) = &self.anywhere else { return Err(self.no_path(source, destination)) };
        let (from, to) = (self.tables.member(source), self.tables.member(destination));
        let found = detours(&self.tables, self.network.reverse(), from, to);
        let paths = found.iter().fold(0u64, |all, detour| all.saturating_add(detour.paths()));
        let mut k = pick(draw, paths);
        for detour in &found {
            if k < detour.paths() {
                detour.append(&self.tables, from, to, k, out);
                return Ok(());
            }
            k -= detour.paths();
        }
        anywhere.draw(source, destination, draw, out)
    }
}

/// Number `0..count` from a uniform word, each as likely as the others to within `count` / 2^64.
#[inline]
fn pick(draw: u64, count: u64) -> u64 {
    ((u128::from(draw) * u128::from(count)) >> 64) as u64
}

impl Routing for GroupMinimal {
    fn label(&self) -> &str {
        &self.label
    }

    fn towards(&self, destination: u32) -> Box<dyn Way + '_> {
        let way = GroupWay::new(self, destination);
        if let Channels::Hops(_) = self.channels { Box::new(ByHops(Box::new(way))) } else { Box::new(way) }
    }

    fn limit(&self) -> usize {
        self.limit as usize
    }

    /// Every hop, or every global link, takes a packet to the next channel; in a group of joined switches it makes one hop.
    fn is_ordered(&self) -> bool {
        self.ordered
    }

    fn admit(&self, switch: u32) -> Outcome<()> {
        require_switch(&self.network, &self.label, switch)
    }

    fn refuse(&self, source: u32, destination: u32, why: Refusal) -> Faults {
        match why {
            Refusal::NoPath => self.no_path(source, destination),
            Refusal::TooMany => self.too_many(source, destination, self.limit + 1),
        }
    }

    /// Lists paths by the tables, global link by global link.
    fn paths(&self, source: u32, destination: u32, out: &mut Vec<Path>) -> Outcome<()> {
        let mut list = PathList::new();
        self.list(source, destination, &mut list)?;
        out.clear();
        out.extend(list.iter().map(|(links, fraction)| {
            let channels = (0..links.len()).map(|hop| self.channel(links, hop)).collect();
            Path { links: links.to_vec(), channels, fraction }
        }));
        Ok(())
    }

    /// O(cables between the two groups + links listed).
    fn list(&self, source: u32, destination: u32, out: &mut PathList) -> Outcome<()> {
        self.check(source, destination)?;
        out.clear();
        let (from, to) = (self.tables.member(source), self.tables.member(destination));
        let (hops, paths) = match from.group == to.group {
            true => (0, u64::from(self.tables.shape(from.group).pair(from.number, to.number).paths)),
            false => self.fewest(from, to),
        };
        if paths > self.limit {
            return Err(self.too_many(source, destination, paths));
        }
        if paths == 0 {
            return self.list_round(source, destination, out);
        }
        let share = 1.0 / paths as f64;
        if from.group == to.group {
            for k in 0..paths as u32 {
                self.tables.inside(from.group, from.number, to.number, k, &mut out.links);
                out.close(share);
            }
            return Ok(());
        }
        for (_, crossing) in self.crossings(from, to).filter(|c| c.0 == hops) {
            for k in 0..crossing.paths() {
                self.cross(from, to, &crossing, k, &mut out.links);
                out.close(share);
            }
        }
        Ok(())
    }

    /// O(cables between the two groups); nothing is listed.
    fn draw(&self, source: u32, destination: u32, draw: u64, out: &mut Vec<u32>) -> Outcome<()> {
        self.check(source, destination)?;
        self.draw_over(self.pair(source, destination), draw, out)
    }

    /// The cables of [`BLOCK`] pairs are looked up before any of these paths is made: the look-ups wait for memory together,
    /// since nothing yet depends on what they find.
    fn draw_many(&self, asks: &[Ask], out: &mut PathList) -> Outcome<()> {
        let none = Member { group: 0, number: 0 };
        let nowhere = PairLinks { source: 0, destination: 0, from: none, to: none, globals: &[] };
        let mut found = [nowhere; BLOCK];
        for asks in asks.chunks(BLOCK) {
            for (found, ask) in found.iter_mut().zip(asks) {
                self.check(ask.source, ask.destination)?;
                *found = self.pair(ask.source, ask.destination);
            }
            for (pair, ask) in found.iter().zip(asks) {
                self.draw_over(*pair, ask.word, &mut out.links)?;
                out.close(1.0);
            }
        }
        Ok(())
    }

    fn virtual_channels(&self) -> u8 {
        self.channels.number()
    }

    fn is_deterministic(&self) -> bool {
        self.deterministic
    }
}
