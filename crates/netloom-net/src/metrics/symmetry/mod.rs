//! Equivalent switches: permutations are guessed from the numbering, then proved cable by cable.
//!
//! Generators of tori, hypercubes, circulants, dragonflies and k-ary n-trees number their switches in some mixed radix, and
//! rotating one digit maps the graph onto itself. There are few ways to read a digit out of a number of switches, and a
//! wrong one is refuted by the first neighbours examined, so all are tried. A numbering that hides the symmetry is not
//! recognised.

#[cfg(test)]
mod tests;

use super::graph::Graph;

/// Which switch goes where: the digit `(v / base) % extent` of its number changes, the others stay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Guess {
    base: u32,
    extent: u32,
    turn: Turn,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Turn {
    /// The digit grows by one, the last becomes 0: circulants, wrapped dimensions, groups; on two values, an
    /// exclusive or.
    Shift,
    /// The digit counts from the other end: dimensions that do not wrap.
    Reverse,
}

impl Guess {
    fn image(self, v: u32) -> u32 {
        let digit = v / self.base % self.extent;
        let turned = match self.turn {
            Turn::Shift => (digit + 1) % self.extent,
            Turn::Reverse => self.extent - 1 - digit,
        };
        v - digit * self.base + turned * self.base
    }

    /// Image of every switch, without a division for each. O(switches).
    fn images(self, switches: u32) -> Vec<u32> {
        let mut images = Vec::with_capacity(switches as usize);
        for start in (0..switches).step_by(self.base as usize) {
            let image = self.image(start);
            images.extend(image..image + self.base);
        }
        images
    }
}

/// Guesses that may pass the first check and fail later, in addition to one for every [`PER_FAILURE`] switches: a
/// network with one cable out of place would otherwise be read through for every way to see its dimensions.
const FAILURES: u32 = 4;
const PER_FAILURE: u32 = 1024;

/// For the lowest switch of every set of switches proved equivalent, the size of the set; for all others 0.
///
/// Two switches are equivalent if an automorphism of the simple graph under the network, one that keeps `weights`,
/// takes one to the other: the same number of switches of each weight is at each distance from both. O(links) per
/// dimension of the network; without symmetry O(ways to write `switches` as a product of three).
pub fn orbit_sizes(graph: &Graph, weights: &[u32]) -> Vec<u32> {
    let mut orbits = Orbits::new(graph.rows());
    unite(graph, weights, &mut orbits, |_| ());
    orbits.sizes()
}

/// Unites what proved automorphisms take to each other, and shows each that unites something.
fn unite(graph: &Graph, weights: &[u32], orbits: &mut Orbits, mut proved: impl FnMut(&[u32])) {
    let switches = graph.rows() as u32;
    let mut failures = FAILURES + switches / PER_FAILURE;
    for (base, extent) in digits(switches) {
        for turn in [Turn::Shift, Turn::Reverse] {
            let guess = Guess { base, extent, turn };
            if orbits.count < 2 || failures == 0 {
                return;
            }
            if !first_look(graph, weights, guess) {
                continue;
            }
            let images = guess.images(switches);
            if orbits.hold(&images) {
                continue;
            }
            if !is_automorphism(graph, weights, &images) {
                failures -= 1;
                continue;
            }
            orbits.unite(&images);
            proved(&images);
            // The other rotation of a digit that takes all its values would unite nothing.
            break;
        }
    }
}

/// Every (base, extent) such that `switches` is base · extent · something, wide digits first.
fn digits(switches: u32) -> impl Iterator<Item = (u32, u32)> {
    let divisors = divisors(switches);
    let extents = divisors.clone();
    divisors.into_iter().flat_map(move |base| {
        let rest = switches / base;
        extents
            .iter()
            .rev()
            .filter(move |extent| **extent > 1 && rest.is_multiple_of(**extent))
            .map(move |extent| (base, *extent))
            .collect::<Vec<_>>()
    })
}

/// Ascending. O(√n).
fn divisors(n: u32) -> Vec<u32> {
    let (mut low, mut high) = (Vec::new(), Vec::new());
    let mut d = 1u32;
    while u64::from(d) * u64::from(d) <= u64::from(n) {
        if n.is_multiple_of(d) {
            low.push(d);
            if d != n / d {
                high.push(n / d);
            }
        }
        d += 1;
    }
    low.extend(high.into_iter().rev());
    low
}

/// Looks at a few switches only, up to the first contradiction.
fn first_look(graph: &Graph, weights: &[u32], guess: Guess) -> bool {
    let n = graph.rows();
    [0, n / 3, n - 1].into_iter().all(|v| {
        let image = guess.image(v as u32) as usize;
        let (from, to) = (graph.neighbours(v), graph.neighbours(image));
        from.len() == to.len() && weights[v] == weights[image] && hold(to, from.iter().map(|&u| guess.image(u)))
    })
}

/// Does the permutation `images` take every cable to a cable and every switch to one of its weight? A permutation
/// takes different cables to different ones, so that then every cable is also one's image. O(links).
fn is_automorphism(graph: &Graph, weights: &[u32], images: &[u32]) -> bool {
    (0..graph.rows()).all(|v| {
        let image = images[v] as usize;
        // A cable is checked from its lower end.
        let higher = graph.neighbours(v).iter().filter(|u| **u as usize > v);
        weights[v] == weights[image] && hold(graph.neighbours(image), higher.map(|&u| images[u as usize]))
    })
}

/// Are all of `some` in the ascending list? Quick where most of them come in its order, as images of neighbours do.
#[inline]
fn hold(list: &[u32], some: impl Iterator<Item = u32>) -> bool {
    let mut next = 0;
    for u in some {
        if list.get(next) != Some(&u) {
            match list.binary_search(&u) {
                Ok(at) => next = at,
                Err(_) => return false,
            }
        }
        next += 1;
    }
    true
}

/// Disjoint sets of switches, each known by its lowest.
struct Orbits {
    /// A switch of the same set that is not higher.
    below: Vec<u32>,
    count: usize,
}

impl Orbits {
    /// Every switch alone.
    fn new(switches: usize) -> Orbits {
        Orbits { below: (0..switches as u32).collect(), count: switches }
    }

    fn lowest(&mut self, mut v: u32) -> u32 {
        loop {
            let below = self.below[v as usize];
            if below == v {
                return v;
            }
            let next = self.below[below as usize];
            self.below[v as usize] = next;
            v = next;
        }
    }

    /// Does every switch have its image in its own set?
    fn hold(&mut self, images: &[u32]) -> bool {
        images.iter().enumerate().all(|(v, &image)| self.lowest(v as u32) == self.lowest(image))
    }

    fn unite(&mut self, images: &[u32]) {
        for (v, &image) in images.iter().enumerate() {
            let (a, b) = (self.lowest(v as u32), self.lowest(image));
            if a != b {
                self.below[a.max(b) as usize] = a.min(b);
                self.count -= 1;
            }
        }
    }

    /// Size of each set at its lowest switch, 0 elsewhere.
    fn sizes(mut self) -> Vec<u32> {
        let mut sizes = vec![0; self.below.len()];
        for v in 0..self.below.len() as u32 {
            sizes[self.lowest(v) as usize] += 1;
        }
        sizes
    }
}
