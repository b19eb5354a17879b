//! The inside of a group: distances, numbers of shortest paths and the position of each link in its switch's row.
//! Groups with the same wiring share one shape, so that the tables of a large machine stay in cache.

use netloom_model::Network;

/// No way from one member to another inside the group.
pub const APART: u8 = u8::MAX;

/// Most hops of paths that are listed.
const SHORT: u8 = 2;

/// Two members of a group, seen from the first.
#[derive(Clone, Copy, Debug, Default)]
pub struct MemberPair {
    /// Shortest paths inside the group, parallel cables counted separately.
    pub paths: u32,
    /// Where its paths start in [`GroupShape::ways`], if they are listed.
    at: u32,
    /// If the two are connected: the position of their first cable among the links inside the group.
    place: u16,
    /// Hops inside the group, [`APART`] if there is no way.
    pub hops: u8,
}

/// A path of at most two hops: the places of its links among those that stay in the group, of the first member and of the
/// middle one. With fewer hops they are any places that exist.
#[derive(Clone, Copy, Debug)]
struct Way {
    first: u16,
    middle: u16,
    second: u16,
    hops: u16,
}

/// A group's inner graph. Members are numbered from 0.
#[derive(Debug)]
pub struct GroupShape {
    members: usize,
    words: usize,
    pairs: Vec<MemberPair>,
    /// All shortest paths of at most two hops, pair by pair; empty if they are too many.
    ways: Vec<Way>,
    /// Bit `v` of row `u`: the two are connected.
    joined: Vec<u64>,
}

/// The heads of the links that stay in the group, member by member, as member numbers; and where each member's start.
pub struct Inside {
    pub starts: Vec<u32>,
    pub heads: Vec<u16>,
}

impl Inside {
    /// The inside of the group of switches `from..to`. O(its links).
    pub fn of(network: &Network, from: u32, to: u32) -> Inside {
        let mut inside = Inside { starts: vec![0], heads: Vec::new() };
        for s in from..to {
            let row = network.neighbours(s);
            let stay = row.partition_point(|u| *u < from)..row.partition_point(|u| *u < to);
            inside.heads.extend(row[stay].iter().map(|u| (u - from) as u16));
            inside.starts.push(inside.heads.len() as u32);
        }
        inside
    }
}

impl GroupShape {
    /// O(members · links inside + ways). Lists at most `most` ways. `None` if a distance, a row or a number of paths is
    /// beyond the range of the tables.
    pub fn new(inside: &Inside, most: usize) -> Option<GroupShape> {
        let members = inside.starts.len() - 1;
        let words = members.div_ceil(64);
        let mut shape = GroupShape {
            members,
            words,
            pairs: vec![MemberPair { hops: APART, ..MemberPair::default() }; members * members],
            ways: Vec::new(),
            joined: vec![0; members * words],
        };
        for u in 0..members {
            let row = &inside.heads[inside.starts[u] as usize..inside.starts[u + 1] as usize];
            for (place, &v) in row.iter().enumerate() {
                let word = &mut shape.joined[u * words + usize::from(v) / 64];
                if *word & 1 << (v % 64) == 0 {
                    shape.pairs[u * members + usize::from(v)].place = u16::try_from(place).ok()?;
                    *word |= 1 << (v % 64);
                }
            }
        }
        (0..members).try_for_each(|u| shape.search(inside, u))?;
        let short = shape.pairs.iter().filter(|pair| pair.hops <= SHORT);
        if short.fold(0usize, |all, pair| all.saturating_add(pair.paths as usize)) <= most {
            (0..members as u32).for_each(|u| (0..members as u32).for_each(|v| shape.list(u, v)));
        }
        Some(shape)
    }

    /// Lists the paths from `u` to `v` if they are short.
    fn list(&mut self, u: u32, v: u32) {
        let MemberPair { hops, paths, place, .. } = *self.pair(u, v);
        if hops > SHORT {
            return;
        }
        self.pairs[u as usize * self.members + v as usize].at = self.ways.len() as u32;
        for k in 0..paths {
            let (first, middle, second) = match hops {
                2 => {
                    let Some((middle, cable, rest)) = self.onward(u, v, k) else { return };
                    let (one, two) = (self.pair(u, middle).place, self.pair(middle, v).place);
                    (one + cable as u16, middle as u16, two + rest as u16)
                }
                _ => (place + k as u16, u as u16, 0),
            };
            self.ways.push(Way { first, middle, second, hops: u16::from(hops) });
        }
    }

    /// Short paths that are listed.
    pub fn ways(&self) -> usize {
        self.ways.len()
    }

    /// Breadth-first from `u`, inside the group: hops and numbers of shortest paths.
    fn search(&mut self, inside: &Inside, u: usize) -> Option<()> {
        let row = u * self.members;
        (self.pairs[row + u].hops, self.pairs[row + u].paths) = (0, 1);
        let mut queue = vec![u];
        let mut next = 0;
        while let Some(&at) = queue.get(next) {
            next += 1;
            let MemberPair { hops, paths, .. } = self.pairs[row + at];
            for &v in &inside.heads[inside.starts[at] as usize..inside.starts[at + 1] as usize] {
                let pair = &mut self.pairs[row + usize::from(v)];
                if pair.hops == APART {
                    pair.hops = hops.checked_add(1).filter(|h| *h < APART)?;
                    queue.push(usize::from(v));
                }
                if pair.hops == hops + 1 {
                    pair.paths = pair.paths.checked_add(paths)?;
                }
            }
        }
        Some(())
    }

    #[inline]
    pub fn pair(&self, u: u32, v: u32) -> &MemberPair {
        &self.pairs[u as usize * self.members + v as usize]
    }

    pub fn pairs(&self) -> &[MemberPair] {
        &self.pairs
    }

    /// Appends shortest path number `k` of `pair(u, v).paths`, in the order of its links; `rows` has the first of the
    /// links that stay in the group, per member. O(1) up to two hops if these are listed, and without a jump that depends
    /// on the path; else O(hops · members).
    #[inline]
    pub fn path(&self, rows: &[u32], mut u: u32, v: u32, mut k: u32, out: &mut Vec<u32>) {
        loop {
            let pair = self.pair(u, v);
            if pair.hops <= SHORT
                && let Some(way) = self.ways.get((pair.at + k) as usize)
            {
                let (first, second) = (u32::from(way.first), u32::from(way.second));
                let hops = out.len() + usize::from(way.hops);
                out.extend_from_slice(&[rows[u as usize] + first, rows[usize::from(way.middle)] + second]);
                out.truncate(hops);
                return;
            }
            if u == v {
                return;
            }
            let Some((next, cable, rest)) = self.onward(u, v, k) else { return };
            out.push(rows[u as usize] + u32::from(self.pair(u, next).place) + cable);
            (u, k) = (next, rest);
        }
    }

    /// The next member on path `k`, which of the cables to it, and the number of the path from there.
    fn onward(&self, u: u32, v: u32, mut k: u32) -> Option<(u32, u32, u32)> {
        let hops = self.pair(u, v).hops;
        for (w, word) in self.joined[u as usize * self.words..(u as usize + 1) * self.words].iter().enumerate() {
            let mut word = *word;
            while word != 0 {
                let next = w as u32 * 64 + word.trailing_zeros();
                word &= word - 1;
                let beyond = self.pair(next, v);
                if beyond.hops == APART || beyond.hops + 1 != hops {
                    continue;
                }
                let ways = self.pair(u, next).paths * beyond.paths;
                if k < ways {
                    return Some((next, k / beyond.paths, k % beyond.paths));
                }
                k -= ways;
            }
        }
        None
    }
}
