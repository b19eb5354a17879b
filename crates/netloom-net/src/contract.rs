//! The promises that every topology keeps, as checks that anyone can run on their own network.

use netloom_model::network::{Grid, TreeShape};
use netloom_model::{Bound, Fault, Faults, Network, Outcome};

use crate::codes;
use crate::row::{Expected, TopologyRow};

/// All distances are measured up to this many switches; beyond it, those of one source if the network is transitive.
const ALL_SOURCES: u32 = 4096;
/// Switches whose view is compared where a network claims that all see the same.
const SAMPLES: u32 = 8;

/// Builds the row's network and checks it against its closed forms.
///
/// # Errors
/// What `build` refuses, else `NL-T090` once per broken promise.
pub fn check(row: &TopologyRow, bound: &Bound) -> Outcome<()> {
    check_network(&(row.network)(bound)?, Some(&(row.expected)(bound)))
}

/// Checks that links pair up, that the network is connected, that the claims of its structure hold, and that counts,
/// degrees, diameter and ASPL are as expected. O(switches × links) up to 4096 switches, else O(switches + links).
///
/// # Errors
/// `NL-T090` once per broken promise; `NL-N001` if the network is not connected.
pub fn check_network(network: &Network, expected: Option<&Expected>) -> Outcome<()> {
    let mut check = Check { network, faults: Faults::none() };
    check.links();
    if let Some(expected) = expected {
        check.counts(expected);
    }
    check.structure();
    match network.require_joined() {
        Err(faults) => check.faults.0.extend(faults.0),
        // Switches out of service have no distance.
        Ok(()) if network.failed().is_some() && !network.unreached().is_empty() => {}
        Ok(()) => check.distances(expected),
    }
    check.faults.or(())
}

struct Check<'a> {
    network: &'a Network,
    faults: Faults,
}

impl Check<'_> {
    fn broken(&mut self, sentence: String) {
        self.faults.push(Fault::say(&codes::CONTRACT, self.network.label(), sentence));
    }

    fn equal<T: PartialEq + std::fmt::Display>(&mut self, what: &str, got: T, promised: T) {
        if got != promised {
            self.broken(format!("{what} is {got}, promised was {promised}"));
        }
    }

    fn links(&mut self) {
        let (heads, tails, reverse) = (self.network.heads(), self.network.tails(), self.network.reverse());
        let wrong = (0..heads.len()).find(|&l| {
            let back = reverse[l] as usize;
            back == l || reverse[back] as usize != l || heads[back] != tails[l] || tails[back] != heads[l]
        });
        if let Some(link) = wrong {
            self.broken(format!("link {link} has no opposite link"));
        }
    }

    fn counts(&mut self, expected: &Expected) {
        let n = self.network.switches();
        self.equal("number of switches", u64::from(n), expected.switches);
        self.equal("number of endpoints", u64::from(self.network.endpoints()), expected.endpoints);
        self.equal("number of cables", u64::from(self.network.cables()), expected.switch_links);
        let degrees = || (0..n).map(|s| self.network.degree(s));
        let (least, most) = (degrees().min().unwrap_or(0), degrees().max().unwrap_or(0));
        self.equal("least degree", least, expected.degree_min.unwrap_or(least));
        self.equal("largest degree", most, expected.degree_max.unwrap_or(most));
        let structure = self.network.structure();
        if structure.transitive != expected.transitive {
            self.broken(format!("transitive is {}, promised was {}", structure.transitive, expected.transitive));
        }
        if structure.bisection_cables != expected.bisection_cables {
            self.broken("bisection_cables of structure and closed form differ".into());
        }
    }

    fn structure(&mut self) {
        let structure = self.network.structure();
        let n = self.network.switches();
        // With parts out of service, coordinates give the position of a switch and promise no cable.
        if let Some(grid) = structure.grid.as_ref().filter(|_| self.network.failed().is_none()) {
            self.grid(grid);
        }
        if let Some(levels) = &structure.levels {
            self.levels(levels, structure.tree.as_ref());
        }
        if let Some(groups) = &structure.groups {
            self.equal("number of group entries", groups.len(), n as usize);
        }
        if let Some(jumps) = &structure.jumps {
            self.jumps(jumps);
        }
        if structure.ring
            && let Some(s) = (0..n).find(|&s| n > 1 && !self.joined(s, (s + 1) % n))
        {
            self.broken(format!("ring: switch {s} is not joined to switch {}", (s + 1) % n));
        }
        if let Some(cables) = structure.bisection_cables {
            let half = n / 2;
            let cut = (0..half).flat_map(|s| self.network.neighbours(s)).filter(|&&t| t >= half).count() as u64;
            if cables > cut {
                self.broken(format!("bisection is {cables}, but {cut} cables join the two halves of switch numbers"));
            }
        }
    }

    fn joined(&self, a: u32, b: u32) -> bool {
        self.network.neighbours(a).binary_search(&b).is_ok()
    }

    /// Every promised neighbour exists; extra ones are found by the count of cables.
    fn grid(&mut self, grid: &Grid) {
        let n = self.network.switches();
        let size: u64 = grid.dims.iter().map(|&k| u64::from(k)).product();
        if size != u64::from(n) || grid.wrap.len() != grid.dims.len() {
            return self.broken(format!("grid {:?} does not have {n} switches", grid.dims));
        }
        let mut stride = n;
        for (d, &k) in grid.dims.iter().enumerate() {
            stride /= k;
            for s in 0..n {
                let c = s / stride % k;
                let line = s - c * stride;
                let next = if c + 1 < k { Some(c + 1) } else { (grid.wrap[d] && k > 1).then_some(0) };
                let ends = if grid.complete { 0..k } else { next.map_or(0..0, |t| t..t + 1) };
                if let Some(t) = ends.into_iter().find(|&t| t != c && !self.joined(s, line + t * stride)) {
                    return self.broken(format!("grid: switch {s} is not joined to {}", line + t * stride));
                }
            }
        }
    }

    fn levels(&mut self, levels: &[u8], tree: Option<&TreeShape>) {
        let n = self.network.switches();
        if levels.len() != n as usize {
            return self.broken(format!("{} levels for {n} switches", levels.len()));
        }
        let up = |s: u32| {
            self.network.neighbours(s).iter().filter(|&&t| levels[t as usize] > levels[s as usize]).count() as u64
        };
        for (&a, &b) in self.network.tails().iter().zip(self.network.heads()) {
            if levels[a as usize].abs_diff(levels[b as usize]) != 1 {
                return self.broken(format!("switches {a} and {b} are joined but not of adjacent levels"));
            }
        }
        let Some(tree) = tree else { return };
        for s in 0..n {
            let l = usize::from(levels[s as usize]);
            let (Some(&w), Some(&parallel), Some(&m)) = (tree.up.get(l), tree.parallel.get(l), tree.down.get(l)) else {
                return self.broken(format!("switch {s} is above the top of the tree"));
            };
            let below = if l == 0 { 1 } else { u64::from(tree.parallel[l - 1]) };
            let ups = u64::from(w) * u64::from(parallel);
            let downs = u64::from(m) * below;
            let found = u64::from(self.network.degree(s)) - up(s)
                + if l == 0 { self.network.endpoints_of(s).len() as u64 } else { 0 };
            if up(s) != ups || found != downs {
                return self.broken(format!(
                    "switch {s} of level {l} has {} ports up and {found} down, the tree promises {ups} and {downs}",
                    up(s)
                ));
            }
        }
    }

    fn jumps(&mut self, jumps: &[u32]) {
        let n = self.network.switches();
        for s in 0..n {
            let mut promised: Vec<u32> = jumps.iter().flat_map(|&c| [(s + c) % n, (s + n - c % n) % n]).collect();
            promised.sort_unstable();
            promised.dedup();
            if self.network.neighbours(s) != promised {
                return self.broken(format!("switch {s} is not joined by the jumps {jumps:?}"));
            }
        }
    }

    fn distances(&mut self, expected: Option<&Expected>) {
        let n = self.network.switches();
        let transitive = self.network.structure().transitive;
        let mut search = Search::new(n);
        if transitive {
            let first = search.histogram(self.network, 0);
            let stride = (n / SAMPLES).max(1);
            for s in (0..n).step_by(stride as usize) {
                if self.network.degree(s) != self.network.degree(0) || search.histogram(self.network, s) != first {
                    return self.broken(format!("switches 0 and {s} do not see the same network"));
                }
            }
        }
        let Some(expected) = expected else { return };
        let asked = expected.diameter.is_some() || expected.aspl.is_some();
        if !asked || (n > ALL_SOURCES && !transitive) {
            return;
        }
        let sources = if n > ALL_SOURCES { 1 } else { n };
        let (mut diameter, mut hops) = (0, 0u64);
        for s in 0..sources {
            let histogram = search.histogram(self.network, s);
            diameter = diameter.max(histogram.len() as u32 - 1);
            hops += histogram.iter().zip(0u64..).map(|(count, d)| count * d).sum::<u64>();
        }
        self.equal("diameter", diameter, expected.diameter.unwrap_or(diameter));
        if let (Some(aspl), true) = (expected.aspl, n > 1) {
            let measured = hops as f64 / (f64::from(sources) * f64::from(n - 1));
            // Both are quotients of exact integers.
            if (measured - aspl).abs() > 1e-12 * aspl {
                self.broken(format!("ASPL is {measured}, promised was {aspl}"));
            }
        }
    }
}

/// Breadth-first search with kept buffers.
struct Search {
    seen: Vec<u32>,
    stamp: u32,
    queue: Vec<u32>,
}

impl Search {
    fn new(n: u32) -> Self {
        Search { seen: vec![0; n as usize], stamp: 0, queue: Vec::with_capacity(n as usize) }
    }

    /// Number of switches at distance 0, 1, 2, ... from `source`.
    fn histogram(&mut self, network: &Network, source: u32) -> Vec<u64> {
        self.stamp += 1;
        self.queue.clear();
        self.queue.push(source);
        self.seen[source as usize] = self.stamp;
        let mut histogram = Vec::new();
        let mut at = 0;
        while at < self.queue.len() {
            let end = self.queue.len();
            histogram.push((end - at) as u64);
            while at < end {
                for &t in network.neighbours(self.queue[at]) {
                    if self.seen[t as usize] != self.stamp {
                        self.seen[t as usize] = self.stamp;
                        self.queue.push(t);
                    }
                }
                at += 1;
            }
        }
        histogram
    }
}

#[cfg(test)]
mod tests;
