//! Random simple graphs of given degrees by pairing ports and repairing conflicts.
//!
//! Every switch puts its free ports into one list; the list is shuffled and consecutive entries are connected. A link
//! that is a loop, or that is parallel to another link or to a base cable, is a conflict. Each conflict is repaired by
//! exchanging ends with a link drawn at random, if both new links are free of conflict. The result is close to uniform
//! over the simple graphs with these degrees, not exactly so. Where more than half of the free pairs are wanted, the
//! pairs left out are drawn instead.

use netloom_model::Stream;

/// Attempts to repair one conflict before the draw is given up.
const TRIES: u32 = 4096;

/// Links that raise every switch from `base_degree` to `degree` (the last one to one less if the sum is odd), none of
/// them in `taken`. `None` if conflicts remained. O(n·degree) expected.
pub fn draw(
    n: u32,
    degree: u32,
    base_degree: u32,
    taken: &[(u32, u32)],
    stream: &mut Stream,
) -> Option<Vec<(u32, u32)>> {
    let odd = u64::from(n) * u64::from(degree) % 2;
    let wanted = degree - base_degree;
    let free = n - 1 - base_degree;
    // Free ports of every switch but the last, of the last.
    let (each, last) = (wanted, wanted - odd.min(u64::from(wanted)) as u32);
    if u64::from(wanted) * 2 <= u64::from(free) {
        let drawn = Pairing::new(n, each, last, taken, stream).mend(stream)?;
        return Some(drawn.links);
    }
    let left_out = Pairing::new(n, free - each, free - last, taken, stream).mend(stream)?.joined;
    let pairs = (0..n).flat_map(|a| (a + 1..n).map(move |b| (a, b)));
    Some(pairs.filter(|&(a, b)| !left_out.has(a, b)).collect())
}

/// The connections so far: a row per switch if degrees are low or switches many, else a bit per pair.
enum Joined {
    Rows { width: usize, length: Vec<u32>, rows: Vec<u32> },
    Bits { n: usize, words: Vec<u64> },
}

/// Longest row that is searched through where bits would fit.
const ROWS_UP_TO: u32 = 64;
/// Switches whose pairs fit 256 MiB of bits.
const BITS_UP_TO: u32 = 46_340;

impl Joined {
    fn new(n: u32, width: u32) -> Joined {
        let (size, row) = (n as usize, width as usize);
        if width <= ROWS_UP_TO || n > BITS_UP_TO {
            Joined::Rows { width: row, length: vec![0; size], rows: vec![0; size * row] }
        } else {
            Joined::Bits { n: size, words: vec![0; (size * size).div_ceil(64)] }
        }
    }

    fn has(&self, a: u32, b: u32) -> bool {
        match self {
            Joined::Rows { width, length, rows } => {
                let first = a as usize * width;
                rows[first..first + length[a as usize] as usize].contains(&b)
            }
            Joined::Bits { n, words } => {
                let at = a as usize * n + b as usize;
                words[at / 64] >> (at % 64) & 1 == 1
            }
        }
    }

    fn add(&mut self, a: u32, b: u32) {
        for (x, y) in [(a, b), (b, a)] {
            match self {
                Joined::Rows { width, length, rows } => {
                    rows[x as usize * *width + length[x as usize] as usize] = y;
                    length[x as usize] += 1;
                }
                Joined::Bits { n, words } => {
                    let at = x as usize * *n + y as usize;
                    words[at / 64] |= 1 << (at % 64);
                }
            }
        }
    }

    fn remove(&mut self, a: u32, b: u32) {
        for (x, y) in [(a, b), (b, a)] {
            match self {
                Joined::Rows { width, length, rows } => {
                    let first = x as usize * *width;
                    let row = &mut rows[first..first + length[x as usize] as usize];
                    if let Some(at) = row.iter().position(|&z| z == y) {
                        row.swap(at, row.len() - 1);
                        length[x as usize] -= 1;
                    }
                }
                Joined::Bits { n, words } => {
                    let at = x as usize * *n + y as usize;
                    words[at / 64] &= !(1 << (at % 64));
                }
            }
        }
    }
}

struct Pairing {
    links: Vec<(u32, u32)>,
    joined: Joined,
    conflicts: Vec<usize>,
}

impl Pairing {
    fn new(n: u32, each: u32, last: u32, taken: &[(u32, u32)], stream: &mut Stream) -> Pairing {
        let mut ports: Vec<u32> =
            (0..n).flat_map(|s| std::iter::repeat_n(s, if s + 1 == n { last } else { each } as usize)).collect();
        stream.shuffle(&mut ports);
        let base = taken.len().div_ceil(n.max(1) as usize) as u32 * 2;
        let mut joined = Joined::new(n, each.max(last) + base);
        for &(a, b) in taken {
            joined.add(a, b);
        }
        let links: Vec<(u32, u32)> = ports.chunks_exact(2).map(|pair| (pair[0], pair[1])).collect();
        let mut conflicts = Vec::new();
        for (i, &(a, b)) in links.iter().enumerate() {
            if a == b || joined.has(a, b) {
                conflicts.push(i);
            } else {
                joined.add(a, b);
            }
        }
        Pairing { links, joined, conflicts }
    }

    /// Replaces links (a,b), in conflict, and (x,y), drawn, by (a,x) and (b,y), until no conflict is left.
    fn mend(mut self, stream: &mut Stream) -> Option<Pairing> {
        let count = u32::try_from(self.links.len()).ok()?;
        let mut bad: Vec<bool> = vec![false; self.links.len()];
        for &i in &self.conflicts {
            bad[i] = true;
        }
        while let Some(i) = self.conflicts.pop() {
            let (a, b) = self.links[i];
            let mut tries = 0;
            loop {
                tries += 1;
                if tries > TRIES {
                    return None;
                }
                let j = stream.below(count) as usize;
                let (mut x, mut y) = self.links[j];
                if stream.below(2) == 1 {
                    (x, y) = (y, x);
                }
                let free = |u: u32, v: u32| u != v && !self.joined.has(u, v);
                let twice = (a.min(x), a.max(x)) == (b.min(y), b.max(y));
                if j == i || bad[j] || twice || !free(a, x) || !free(b, y) {
                    continue;
                }
                self.joined.remove(x, y);
                self.joined.add(a, x);
                self.joined.add(b, y);
                self.links[i] = (a, x);
                self.links[j] = (b, y);
                bad[i] = false;
                break;
            }
        }
        Some(self)
    }
}
