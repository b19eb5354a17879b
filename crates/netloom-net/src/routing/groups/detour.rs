//! Detours around failures: over two global links, through any third group.

use super::shape::APART;
use super::tables::{GlobalLink, GroupTables, Member};

/// Two global links and the numbers of paths before, between and after them.
pub struct Detour {
    middle: u32,
    first: GlobalLink,
    second: GlobalLink,
    paths: [u32; 3],
}

impl Detour {
    pub fn paths(&self) -> u64 {
        self.paths.iter().fold(1u64, |all, paths| all.saturating_mul(u64::from(*paths)))
    }

    /// Appends path number `k` of [`Detour::paths`].
    pub fn append(&self, tables: &GroupTables, from: Member, to: Member, k: u64, out: &mut Vec<u32>) {
        let [_, between, after] = self.paths.map(u64::from);
        let (head, tail) = (u32::from(self.first.head), u32::from(self.second.tail));
        tables.inside(from.group, from.number, u32::from(self.first.tail), (k / after / between) as u32, out);
        out.push(self.first.link);
        tables.inside(self.middle, head, tail, (k / after % between) as u32, out);
        out.push(self.second.link);
        tables.inside(to.group, u32::from(self.second.head), to.number, (k % after) as u32, out);
    }
}

/// The detours of fewest hops between two switches, in the order of their groups and links; empty if there is
/// none. O(groups · cables per pair²). `reverse` is the network's, so that the cables of either end are read in a row.
pub fn detours(tables: &GroupTables, reverse: &[u32], from: Member, to: Member) -> Vec<Detour> {
    let mut best = u32::MAX;
    let mut found: Vec<Detour> = Vec::new();
    let (near, far) = (tables.shape(from.group), tables.shape(to.group));
    for middle in (0..tables.groups() as u32).filter(|m| *m != from.group && *m != to.group) {
        for &first in tables.between(from.group, middle) {
            let before = near.pair(from.number, u32::from(first.tail));
            if before.hops == APART {
                continue;
            }
            for back in tables.between(to.group, middle) {
                let second = GlobalLink { link: reverse[back.link as usize], tail: back.head, head: back.tail };
                let after = far.pair(u32::from(second.head), to.number);
                let outside = u32::from(before.hops) + u32::from(after.hops) + 2;
                // Most groups are excluded here without reading the table of their inside, which is usually not in cache.
                if after.hops == APART || outside + u32::from(first.head != second.tail) > best {
                    continue;
                }
                let between = tables.shape(middle).pair(u32::from(first.head), u32::from(second.tail));
                if between.hops == APART {
                    continue;
                }
                let hops = outside + u32::from(between.hops);
                if hops < best {
                    found.clear();
                    best = hops;
                }
                if hops == best {
                    found.push(Detour { middle, first, second, paths: [before.paths, between.paths, after.paths] });
                }
            }
        }
    }
    found
}
