//! What group-minimal routing reads: the shape of every group, the cables of every pair of groups.

use std::collections::HashMap;
use std::sync::Arc;

use netloom_model::fault::{Fault, codes as model};
use netloom_model::{Network, Outcome};

use super::shape::{GroupShape, Inside};
use crate::routing::codes;

/// Most groups: the table of pairs of groups stays below 256 MiB.
pub const GROUP_LIMIT: usize = 1 << 13;
/// Most switches of a group, and most pairs of members over all shapes.
const MEMBER_LIMIT: usize = 1 << 12;
const PAIR_LIMIT: usize = 1 << 26;
/// Most paths of up to two hops that are listed, over all shapes. 8 bytes each.
const WAY_LIMIT: usize = 1 << 26;

/// A switch as a member of a group: the number of the group, and its number there.
#[derive(Clone, Copy)]
pub struct Member {
    pub group: u32,
    pub number: u32,
}

/// A link from one group to another, by its number and by the members at its ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GlobalLink {
    pub link: u32,
    pub tail: u16,
    pub head: u16,
}

/// The tables of one network.
pub struct GroupTables {
    /// Group of every switch; groups are ranges of switches.
    group: Vec<u32>,
    /// Switches per group if all have the same number, else 0: then a division is faster than a look-up.
    size: u32,
    /// First switch of every group, and the number of switches.
    starts: Vec<u32>,
    shape: Vec<Arc<GroupShape>>,
    /// First link of every switch that stays in its group.
    rows: Vec<u32>,
    cells: Cells,
}

/// Links by pair of groups, source first, ascending.
enum Cells {
    /// So many places per pair, those without a link last: one look-up where all pairs have about as many.
    Even { each: usize, globals: Vec<GlobalLink> },
    /// CSR.
    Rows { offsets: Vec<u32>, globals: Vec<GlobalLink> },
}

/// No link in this place.
const NONE: GlobalLink = GlobalLink { link: u32::MAX, tail: 0, head: 0 };

impl GroupTables {
    /// O(links + groups²) time and memory, and members · links inside for every shape.
    ///
    /// # Errors
    /// `NL-R009` without groups that are ranges of switches; `NL-A009` beyond the limits.
    pub fn new(network: &Network, owner: &str) -> Outcome<GroupTables> {
        let place = || format!("{owner} on {}", network.label());
        let group = match &network.structure().groups {
            Some(groups) if groups.len() == network.switches() as usize => groups.clone(),
            _ => {
                let sentence = "needs groups of switches, and this network has none";
                return Err(Fault::say(&codes::NO_GROUPS, place(), sentence).hint("use `minimal`").into());
            }
        };
        let in_order = |pair: &[u32]| pair[1] == pair[0] || pair[1] == pair[0] + 1;
        if group.first() != Some(&0) || !group.windows(2).all(in_order) {
            let sentence = "needs groups that are ranges of switch numbers, and here they are scattered";
            return Err(Fault::say(&codes::NO_GROUPS, place(), sentence).hint("use `minimal`").into());
        }
        let groups = group.last().map_or(0, |g| *g as usize + 1);
        let mut starts = vec![0u32; groups + 1];
        group.iter().for_each(|g| starts[*g as usize + 1] += 1);
        let largest = starts.iter().max().map_or(0, |m| *m as usize);
        if groups > GROUP_LIMIT || largest > MEMBER_LIMIT {
            let sentence = format!(
                "{groups} groups of up to {largest} switches exceed {GROUP_LIMIT} groups of {MEMBER_LIMIT} switches"
            );
            return Err(Fault::say(&model::TOO_LARGE, place(), sentence).hint("use `minimal`").into());
        }
        (0..groups).for_each(|g| starts[g + 1] += starts[g]);
        let shape = shapes(network, &starts).ok_or_else(|| {
            let sentence = "the tables of distances inside the groups grow too large";
            Fault::say(&model::TOO_LARGE, place(), sentence).hint("use `minimal`")
        })?;
        let cells = Cells::new(network, &group, &starts);
        let rows = (0..network.switches())
            .map(|s| {
                let first = starts[group[s as usize] as usize];
                network.out_links(s).start + network.neighbours(s).partition_point(|u| *u < first) as u32
            })
            .collect();
        let even = starts.windows(2).all(|w| w[1] - w[0] == starts[1]);
        Ok(GroupTables { size: if even { starts[1] } else { 0 }, group, starts, shape, rows, cells })
    }

    pub fn groups(&self) -> usize {
        self.starts.len() - 1
    }

    /// A switch as a member of its group.
    #[inline]
    pub fn member(&self, switch: u32) -> Member {
        match (switch.checked_div(self.size), switch.checked_rem(self.size)) {
            (Some(group), Some(number)) => Member { group, number },
            _ => {
                let group = self.group[switch as usize];
                Member { group, number: switch - self.starts[group as usize] }
            }
        }
    }

    #[inline]
    pub fn shape(&self, group: u32) -> &GroupShape {
        &self.shape[group as usize]
    }

    /// Links from one group to another, ascending.
    #[inline]
    pub fn between(&self, from: u32, to: u32) -> &[GlobalLink] {
        let at = from as usize * self.groups() + to as usize;
        match &self.cells {
            Cells::Even { each, globals } => {
                let cell = &globals[at * each..(at + 1) * each];
                match cell.last() {
                    Some(last) if last.link != NONE.link => cell,
                    _ => &cell[..cell.partition_point(|global| global.link != NONE.link)],
                }
            }
            Cells::Rows { offsets, globals } => &globals[offsets[at] as usize..offsets[at + 1] as usize],
        }
    }

    /// Appends path number `k` inside `group`, as [`GroupShape::path`].
    #[inline]
    pub fn inside(&self, group: u32, from: u32, to: u32, k: u32, out: &mut Vec<u32>) {
        let rows = &self.rows[self.starts[group as usize] as usize..self.starts[group as usize + 1] as usize];
        self.shape(group).path(rows, from, to, k, out);
    }
}

/// One shape per group, shared by groups with the same wiring.
fn shapes(network: &Network, starts: &[u32]) -> Option<Vec<Arc<GroupShape>>> {
    let mut known: HashMap<(Vec<u32>, Vec<u16>), Arc<GroupShape>> = HashMap::new();
    let (mut pairs, mut ways) = (0usize, 0usize);
    let one = |range: &[u32]| {
        let Inside { starts, heads } = Inside::of(network, range[0], range[1]);
        if let Some(shape) = known.get(&(starts.clone(), heads.clone())) {
            return Some(Arc::clone(shape));
        }
        let members = starts.len() - 1;
        pairs = pairs.saturating_add(members * members);
        if pairs > PAIR_LIMIT {
            return None;
        }
        let inside = Inside { starts, heads };
        let shape = Arc::new(GroupShape::new(&inside, WAY_LIMIT - ways)?);
        ways += shape.ways();
        known.insert((inside.starts, inside.heads), Arc::clone(&shape));
        Some(shape)
    };
    starts.windows(2).map(one).collect()
}

impl Cells {
    /// All links between groups, sorted by (group, group, link): one counting pass.
    fn new(network: &Network, group: &[u32], starts: &[u32]) -> Cells {
        let groups = starts.len() - 1;
        let (tails, heads) = (network.tails(), network.heads());
        let cell = |link: usize| {
            let (a, b) = (group[tails[link] as usize], group[heads[link] as usize]);
            (a != b).then(|| a as usize * groups + b as usize)
        };
        let mut offsets = vec![0u32; groups * groups + 1];
        (0..tails.len()).filter_map(cell).for_each(|at| offsets[at + 1] += 1);
        let each = offsets.iter().max().map_or(0, |most| *most as usize);
        for at in 0..groups * groups {
            offsets[at + 1] += offsets[at];
        }
        let all = offsets.last().map_or(0, |all| *all as usize);
        let even = each.saturating_mul(groups * groups) <= all + all / 2 + groups * groups / 2;
        let mut globals = vec![NONE; if even { each * groups * groups } else { all }];
        let mut next: Vec<usize> = match even {
            true => (0..groups * groups).map(|at| at * each).collect(),
            false => offsets.iter().map(|at| *at as usize).collect(),
        };
        let member = |switch: u32| (switch - starts[group[switch as usize] as usize]) as u16;
        for link in 0..tails.len() {
            let Some(at) = cell(link) else { continue };
            let slot = &mut next[at];
            globals[*slot] = GlobalLink { link: link as u32, tail: member(tails[link]), head: member(heads[link]) };
            *slot += 1;
        }
        if even { Cells::Even { each, globals } } else { Cells::Rows { offsets, globals } }
    }
}
