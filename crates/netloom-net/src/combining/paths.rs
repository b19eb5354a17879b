//! Ways between the switches of a job, over those that combine or pass on.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use netloom_model::Network;

use super::kinds::Kinds;
use super::routing::CombiningRouting;

/// Not reached.
const FAR: u32 = u32::MAX;

/// Paths over the switches that combine or pass on.
pub(super) struct Paths<'a> {
    pub network: &'a Network,
    pub kinds: &'a Kinds,
    pub routing: CombiningRouting,
}

/// Of every switch of a tree that combines, the next one above.
type Above = BTreeMap<u32, Option<u32>>;

/// A search in breadth, again and again without clearing what the one before it has seen.
struct Breadth {
    round: u32,
    seen: Vec<u32>,
    hops: Vec<u32>,
    into: Vec<u32>,
    queue: VecDeque<u32>,
}

impl Breadth {
    fn new(switches: u32) -> Breadth {
        let all = || vec![0; switches as usize];
        Breadth { round: 0, seen: all(), hops: all(), into: all(), queue: VecDeque::new() }
    }

    fn begin(&mut self, from: u32) {
        self.round += 1;
        self.queue.clear();
        self.queue.push_back(from);
        self.seen[from as usize] = self.round;
        self.hops[from as usize] = 0;
    }

    /// Goes on to a switch that was not seen yet.
    fn reach(&mut self, at: u32, next: u32, link: u32) {
        if self.seen[next as usize] != self.round {
            self.seen[next as usize] = self.round;
            self.hops[next as usize] = self.hops[at as usize] + 1;
            self.into[next as usize] = link;
            self.queue.push_back(next);
        }
    }
}

impl Paths<'_> {
    /// The nearest switch that combines, whose links there are kept.
    pub fn home(&mut self, from: u32) -> Option<u32> {
        let (mut queue, mut before) = (VecDeque::from([from]), BTreeMap::from([(from, None)]));
        while let Some(at) = queue.pop_front() {
            if self.kinds.combines(at) {
                let mut links: Vec<u32> = Vec::new();
                let mut end = at;
                while let Some(link) = before[&end] {
                    links.push(link);
                    end = self.network.tails()[link as usize];
                }
                links.reverse();
                self.keep(from, at, links);
                return Some(at);
            }
            for link in self.network.out_links(at) {
                let next = self.network.heads()[link as usize];
                if self.kinds.is_open(next) && !before.contains_key(&next) && self.kinds.passes(at) {
                    before.insert(next, Some(link));
                    queue.push_back(next);
                }
            }
        }
        None
    }

    /// Hops from a switch over those that combine or pass on.
    fn hops(&self, from: u32) -> Vec<u32> {
        let mut hops = vec![FAR; self.network.switches() as usize];
        hops[from as usize] = 0;
        let mut queue = VecDeque::from([from]);
        while let Some(at) = queue.pop_front() {
            for &next in self.network.neighbours(at) {
                if hops[next as usize] == FAR && self.kinds.is_open(next) {
                    hops[next as usize] = hops[at as usize] + 1;
                    queue.push_back(next);
                }
            }
        }
        hops
    }

    /// The switches that may be roots, ascending: those whose distance to the ends of a longest path is least. `None` if some
    /// of `joined` cannot be reached.
    pub fn centres(&self, joined: &BTreeSet<u32>) -> Option<Vec<u32>> {
        let farthest = |hops: &[u32]| joined.iter().copied().max_by_key(|s| (hops[*s as usize], std::cmp::Reverse(*s)));
        let first = *joined.first()?;
        let one = farthest(&self.hops(first))?;
        let from_one = self.hops(one);
        let other = farthest(&from_one)?;
        if from_one[other as usize] == FAR {
            return None;
        }
        let from_other = self.hops(other);
        let reach = |s: &u32| from_one[*s as usize].max(from_other[*s as usize]);
        let all = || (0..self.network.switches()).filter(|s| self.kinds.combines(*s));
        let least = all().map(|s| reach(&s)).min()?;
        Some(all().filter(|s| reach(s) == least).collect())
    }

    /// The tree below a root. Its links are kept.
    pub fn below(&mut self, root: u32, joined: &BTreeSet<u32>, channel: u32) -> Option<Above> {
        let hops = self.hops(root);
        self.grown(root, joined, |paths, at| paths.up(at, &hops, channel))
    }

    /// The tree of shortest paths from a root: of several the one with the lowest links, as the routing `single-minimal`. The
    /// channels begin with another link of each switch.
    pub fn spread(&mut self, root: u32, joined: &BTreeSet<u32>, channel: u32) -> Option<Above> {
        let mut into = vec![None; self.network.switches() as usize];
        let mut queue = VecDeque::from([root]);
        while let Some(at) = queue.pop_front() {
            let mut links: Vec<u32> = self.network.out_links(at).collect();
            let turn = channel as usize % links.len().max(1);
            links.rotate_left(turn);
            for link in links {
                let next = self.network.heads()[link as usize];
                if next != root && into[next as usize].is_none() && self.kinds.is_open(next) {
                    into[next as usize] = Some(link);
                    queue.push_back(next);
                }
            }
        }
        self.grown(root, joined, |paths, at| into[at as usize].map(|link| paths.network.reverse()[link as usize]))
    }

    /// A path through all switches from the first one: by their numbers, round and round, or always on to the nearest that is
    /// left, whichever has fewer links. Where two are not next to each other, by the shortest path.
    pub fn one_after_another(&mut self, root: u32, joined: &BTreeSet<u32>) -> Option<Above> {
        let round: Vec<u32> = joined.range(root + 1..).chain(joined.range(..root)).copied().collect();
        let mut search = Breadth::new(self.network.switches());
        let (mut by_number, mut at) = (Vec::new(), root);
        for &to in &round {
            by_number.push(self.nearest(&mut search, at, |switch| switch == to)?);
            at = to;
        }
        let mut left = vec![false; self.network.switches() as usize];
        round.iter().for_each(|switch| left[*switch as usize] = true);
        let mut by_distance = Vec::new();
        at = root;
        for _ in &round {
            let leg = self.nearest(&mut search, at, |switch| left[switch as usize])?;
            at = leg.last().map_or(at, |link| self.network.heads()[*link as usize]);
            left[at as usize] = false;
            by_distance.push(leg);
        }
        let links = |legs: &[Vec<u32>]| legs.iter().map(Vec::len).sum::<usize>();
        self.routing.is_path = true;
        let legs = if links(&by_number) <= links(&by_distance) { by_number } else { by_distance };
        let mut above = BTreeMap::from([(root, None)]);
        at = root;
        for leg in legs {
            let to = leg.last().map_or(at, |link| self.network.heads()[*link as usize]);
            self.routing.keep(at, to, leg);
            above.insert(to, Some(at));
            at = to;
        }
        Some(above)
    }

    /// The links to the nearest of some switches, the lowest of several.
    fn nearest(&self, search: &mut Breadth, from: u32, is_wanted: impl Fn(u32) -> bool) -> Option<Vec<u32>> {
        search.begin(from);
        let mut found: Option<u32> = None;
        while let Some(at) = search.queue.pop_front() {
            if found.is_some_and(|best| search.hops[at as usize] > search.hops[best as usize]) {
                break;
            }
            if is_wanted(at) {
                found = Some(found.map_or(at, |best| best.min(at)));
            }
            for link in self.network.out_links(at) {
                let next = self.network.heads()[link as usize];
                if found.is_none() && self.kinds.is_open(next) {
                    search.reach(at, next, link);
                }
            }
        }
        let mut end = found?;
        let mut links = Vec::new();
        while end != from {
            let link = search.into[end as usize];
            links.push(link);
            end = self.network.tails()[link as usize];
        }
        links.reverse();
        Some(links)
    }

    /// The tree of the links that `up` gives, from the joined switches to the root.
    fn grown(&mut self, root: u32, joined: &BTreeSet<u32>, up: impl Fn(&Self, u32) -> Option<u32>) -> Option<Above> {
        let mut above = BTreeMap::from([(root, None)]);
        for &switch in joined {
            let mut at = switch;
            while !above.contains_key(&at) {
                let (mut links, mut end) = (Vec::new(), at);
                loop {
                    let link = up(self, end)?;
                    links.push(link);
                    end = self.network.heads()[link as usize];
                    if self.kinds.combines(end) {
                        break;
                    }
                }
                self.keep(at, end, links);
                above.insert(at, Some(end));
                at = end;
            }
        }
        Some(above)
    }

    /// The link towards the root that a channel takes: switches in turn, then parallel links in turn.
    fn up(&self, at: u32, hops: &[u32], channel: u32) -> Option<u32> {
        let nearer: Vec<u32> = self
            .network
            .out_links(at)
            .filter(|link| {
                let next = self.network.heads()[*link as usize];
                hops[at as usize] != FAR && hops[next as usize] < hops[at as usize] && self.kinds.is_open(next)
            })
            .collect();
        nearer.get(channel as usize % nearer.len().max(1)).copied()
    }

    /// Keeps a path and the way back.
    fn keep(&mut self, from: u32, to: u32, links: Vec<u32>) {
        if from == to {
            return;
        }
        let back = links.iter().rev().map(|link| self.network.reverse()[*link as usize]).collect();
        self.routing.keep(from, to, links);
        self.routing.keep(to, from, back);
    }
}
