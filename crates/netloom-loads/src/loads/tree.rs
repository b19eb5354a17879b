//! The routes of all sources to one destination at once: switch by switch, for routings by which every packet at a switch
//! goes on alike.

use netloom_model::{Network, Split, Step, Way};

use super::parts::Parts;

const NONE: u32 = u32::MAX;

/// The switches on the routes to one destination, with their next links. Keeps its memory from destination to destination.
#[derive(Default)]
pub struct Tree {
    /// Of each switch that is on a route, its number among `switches`; else [`NONE`].
    number: Vec<u32>,
    /// Sources first.
    switches: Vec<u32>,
    /// Where packets at each of them are, as the routing says it.
    at: Vec<u64>,
    /// Next links and where they lead to, switch by switch.
    steps: Vec<(u32, u32)>,
    ends: Vec<u32>,
    /// True if a switch has several next links.
    forks: bool,
    /// Every switch before those that it leads to.
    order: Vec<u32>,
    /// Links that lead to each switch and are not in `order` yet.
    before: Vec<u32>,
    /// Paths from each switch to the destination.
    paths: Vec<f64>,
    whole: Vec<u64>,
    parts: Vec<f64>,
    found: Vec<Step>,
}

impl Tree {
    /// The routes of `sources`, which are different switches, to the switches that are `ends`, or to the destination. False if
    /// one has no route, or several starts: then nothing else may be asked. O(switches on the routes × degree).
    pub fn grow(
        &mut self,
        network: &Network,
        way: &dyn Way,
        sources: impl Iterator<Item = u32>,
        ends: impl Fn(u32) -> bool,
    ) -> bool {
        self.clear(network);
        let mut starts = Vec::with_capacity(1);
        for source in sources {
            starts.clear();
            way.starts(source, &mut starts);
            let [start] = starts[..] else { return false };
            self.add(source, start);
        }
        let mut next = 0;
        self.forks = false;
        while let Some(&place) = self.at.get(next) {
            let is_end = ends(self.switches[next]);
            next += 1;
            self.found.clear();
            if !is_end {
                way.steps(place, &mut self.found);
            }
            self.forks |= self.found.len() > 1;
            if !is_end && self.found.is_empty() && way.remaining(place) != 0 {
                return false;
            }
            for at in 0..self.found.len() {
                let step = self.found[at];
                let to = self.add(network.heads()[step.link as usize], step.place);
                self.before[to as usize] += 1;
                self.steps.push((step.link, to));
            }
            self.ends.push(self.steps.len() as u32);
        }
        self.sort()
    }

    fn clear(&mut self, network: &Network) {
        if self.number.len() != network.switches() as usize {
            self.number = vec![NONE; network.switches() as usize];
        }
        self.switches.drain(..).for_each(|switch| self.number[switch as usize] = NONE);
        self.at.clear();
        self.steps.clear();
        self.ends.clear();
        self.order.clear();
        self.before.clear();
    }

    fn add(&mut self, switch: u32, place: u64) -> u32 {
        let number = &mut self.number[switch as usize];
        if *number == NONE {
            *number = self.switches.len() as u32;
            self.switches.push(switch);
            self.at.push(place);
            self.before.push(0);
        }
        *number
    }

    fn steps(steps: &[(u32, u32)], ends: &[u32], number: u32) -> std::ops::Range<usize> {
        debug_assert!(ends.last().is_none_or(|end| *end as usize == steps.len()));
        let first = number.checked_sub(1).map_or(0, |before| ends[before as usize]);
        first as usize..ends[number as usize] as usize
    }

    /// False for a routing that goes in circles.
    fn sort(&mut self) -> bool {
        let Tree { order, before, steps, ends, .. } = self;
        order.extend((0..before.len() as u32).filter(|number| before[*number as usize] == 0));
        let mut next = 0;
        while let Some(&number) = order.get(next) {
            next += 1;
            for &(_, to) in &steps[Self::steps(steps, ends, number)] {
                before[to as usize] -= 1;
                if before[to as usize] == 0 {
                    order.push(to);
                }
            }
        }
        order.len() == before.len()
    }

    /// Calls `put(link, units)` with what every link carries of `sources`, which the tree was grown for, in the shares of
    /// `split` where a switch has several next links. What enters a switch leaves it, to the unit. False if a source has more
    /// than `limit` paths: then nothing is put.
    pub fn carry(
        &mut self,
        sources: &[(u32, u64)],
        (split, limit): (Split, usize),
        mut put: impl FnMut(u32, u64),
    ) -> bool {
        if self.forks && !self.count(sources.len(), limit) {
            return false;
        }
        let Tree { whole, paths, order, steps, ends, switches, .. } = self;
        whole.clear();
        whole.extend(sources.iter().map(|(_, units)| units));
        whole.resize(switches.len(), 0);
        for &number in order.iter() {
            let all = whole[number as usize];
            let own = &steps[Self::steps(steps, ends, number)];
            let mut pass = |&(link, to): &(u32, u32), units: u64| {
                put(link, units);
                whole[to as usize] += units;
            };
            match (own, split) {
                ([only], _) => pass(only, all),
                (_, Split::Hops) => {
                    let mut parts = Parts::new(all, own.len() as f64);
                    own.iter().for_each(|step| pass(step, parts.next(1.0)));
                }
                (_, Split::Paths) => {
                    let mut parts = Parts::new(all, own.iter().map(|(_, to)| paths[*to as usize]).sum());
                    own.iter().for_each(|step| pass(step, parts.next(paths[step.1 as usize])));
                }
            }
        }
        true
    }

    /// The same for parts of what is no whole number.
    pub fn share(
        &mut self,
        sources: impl ExactSizeIterator<Item = f64>,
        (split, limit): (Split, usize),
        mut put: impl FnMut(u32, f64),
    ) -> bool {
        if !self.count(sources.len(), limit) {
            return false;
        }
        let Tree { parts, paths, order, steps, ends, switches, .. } = self;
        parts.clear();
        parts.extend(sources);
        parts.resize(switches.len(), 0.0);
        for &number in order.iter() {
            let own = &steps[Self::steps(steps, ends, number)];
            let (all, number) = (parts[number as usize], number as usize);
            for &(link, to) in own {
                let part = match split {
                    _ if own.len() == 1 => all,
                    Split::Hops => all / own.len() as f64,
                    Split::Paths => all * (paths[to as usize] / paths[number]),
                };
                put(link, part);
                parts[to as usize] += part;
            }
        }
        true
    }

    /// Counts the paths from each switch. False if one of the sources has more than `limit`.
    fn count(&mut self, sources: usize, limit: usize) -> bool {
        let Tree { paths, order, steps, ends, switches, .. } = self;
        paths.clear();
        paths.resize(switches.len(), 1.0);
        for &number in order.iter().rev() {
            let own = &steps[Self::steps(steps, ends, number)];
            if !own.is_empty() {
                paths[number as usize] = own.iter().map(|(_, to)| paths[*to as usize]).sum();
            }
        }
        paths[..sources].iter().all(|paths| *paths <= limit as f64)
    }

    /// The switches at which what was shared last ends, and how much of it.
    pub fn arrived(&self) -> impl Iterator<Item = (u32, f64)> {
        let ends = (0..self.switches.len()).filter(|at| Self::steps(&self.steps, &self.ends, *at as u32).is_empty());
        ends.map(|at| (self.switches[at], self.parts[at]))
    }

    /// Replaces `out` by the switches from which packets may get onto one of `links`, which start where packets go through.
    /// O(these switches × degree²).
    pub fn upstream(&mut self, network: &Network, way: &dyn Way, links: &[u32], out: &mut Vec<u32>) {
        self.clear(network);
        let Tree { found, number, switches, .. } = self;
        let mut starts = Vec::with_capacity(1);
        let mut leads = |at: u32, is_wanted: &dyn Fn(u32) -> bool| {
            starts.clear();
            way.starts(at, &mut starts);
            found.clear();
            starts.iter().for_each(|start| way.steps(*start, found));
            found.iter().any(|step| is_wanted(step.link))
        };
        for &link in links {
            let tail = network.tails()[link as usize];
            if number[tail as usize] == NONE && leads(tail, &|own| own == link) {
                number[tail as usize] = switches.len() as u32;
                switches.push(tail);
            }
        }
        let mut next = 0;
        while let Some(&at) = switches.get(next) {
            next += 1;
            for &before in network.neighbours(at) {
                if number[before as usize] == NONE && leads(before, &|link| network.heads()[link as usize] == at) {
                    number[before as usize] = switches.len() as u32;
                    switches.push(before);
                }
            }
        }
        out.clear();
        out.extend_from_slice(switches);
    }
}
