//! Structure in formats with free attributes: written with a network, and checked when it is read.
//!
//! A network of a generator is kept by its call: whoever reads the file builds it again and compares, link by link. Of
//! others the levels, groups and chassis of switches are kept, and a grid, which is checked against the cables.

use netloom_model::network::Grid;
use netloom_model::{Network, Structure};

use crate::network_file::MadeBy;

/// Attributes of the graph.
pub const OF_GRAPH: [&str; 7] =
    ["made_by", "failed_switches", "failed_cables", "seats", "grid", "grid_wrap", "grid_complete"];
/// Attributes of a switch.
pub const OF_NODE: [&str; 3] = ["level", "group", "chassis"];
/// Most numbers in one attribute of the graph.
const MOST: usize = 1 << 22;

/// What a file says of the structure of its network.
#[derive(Debug, Default)]
pub struct Said {
    of_graph: [Option<String>; 7],
    /// What is said of every switch, in the order of the file.
    of_node: Vec<[Option<u32>; 3]>,
}

impl Said {
    /// Takes an attribute of the graph; false for one without a meaning here.
    pub fn graph(&mut self, name: &str, text: &str) -> bool {
        let known = OF_GRAPH.iter().position(|known| *known == name);
        if let Some(at) = known {
            self.of_graph[at] = Some(text.to_string());
        }
        known.is_some()
    }

    /// The attributes of the next switch.
    pub fn switch(&mut self, said: [Option<&str>; 3]) {
        self.of_node.push(said.map(|text| text.and_then(|t| t.trim().parse().ok())));
    }

    /// The network with what the file says of it, as far as it holds; what does not is in the notes.
    pub fn apply(self, network: Network, notes: &mut Vec<String>) -> (Network, Option<MadeBy>) {
        let mut structure = network.structure().clone();
        let switches = network.switches();
        let mut of_all = |at: usize, limit: u32| -> Option<Vec<u32>> {
            let found: Vec<u32> = self.of_node.iter().filter_map(|node| node[at]).filter(|n| *n < limit).collect();
            let all = found.len() == switches as usize;
            if !all && !found.is_empty() {
                let name = OF_NODE[at];
                notes.push(format!(
                    "{name} is a number below {limit} of {} of {switches} switches: not used",
                    found.len()
                ));
            }
            (all && switches > 0).then_some(found)
        };
        let levels = of_all(0, 256).map(|levels| levels.into_iter().map(|level| level as u8).collect());
        let (groups, chassis) = (of_all(1, switches), of_all(2, switches));
        structure.levels = levels.or(structure.levels);
        structure.groups = groups.or(structure.groups);
        structure.chassis = chassis.or(structure.chassis);
        let [made_by, failed_switches, failed_cables, seats, dims, wrap, complete] = self.of_graph;
        if let Some(dims) = dims {
            match grid(&dims, wrap.as_deref(), complete.as_deref()).filter(|grid| fits(grid, &network)) {
                Some(grid) => structure.grid = Some(grid),
                None => notes.push("the file calls the network a grid that it is not: not used".into()),
            }
        }
        let seats = seats.and_then(|seats| seats.trim().parse().ok()).filter(|n| (1..=1 << 16).contains(n));
        let made_by = made_by.map(|call| MadeBy {
            call,
            switches: numbers(failed_switches.as_deref().unwrap_or_default()).unwrap_or_default(),
            cables: pairs(failed_cables.as_deref().unwrap_or_default()).unwrap_or_default(),
        });
        (network.with_structure(structure).with_seats(seats.unwrap_or(1)), made_by)
    }
}

/// Attributes of the graph, by name. O(failures).
pub fn of_graph(network: &Network) -> Vec<(&'static str, String)> {
    let mut out = Vec::new();
    let structure = network.structure();
    if !structure.family.is_empty() {
        let failed = network.failed();
        out.push(("made_by", failed.map_or(network.label(), |failed| &failed.whole).to_string()));
        if let Some(failed) = failed {
            let cables: Vec<String> = failed.cables.iter().map(|(a, b)| format!("{a}-{b}")).collect();
            out.push(("failed_switches", spaced(&failed.switches)));
            out.push(("failed_cables", cables.join(" ")));
        }
    } else if let Some(Grid { dims, wrap, complete }) = structure.grid.as_ref().filter(|_| network.failed().is_none()) {
        out.push(("grid", spaced(dims)));
        out.push(("grid_wrap", spaced(&wrap.iter().map(|w| u32::from(*w)).collect::<Vec<_>>())));
        out.push(("grid_complete", u32::from(*complete).to_string()));
    }
    if network.seats() > 1 {
        out.push(("seats", network.seats().to_string()));
    }
    out
}

/// An attribute and its value of a switch.
pub type OfSwitch<'a> = (&'static str, Box<dyn Fn(u32) -> u32 + 'a>);

/// The attributes of each switch that a network has.
pub fn of_switches(structure: &Structure) -> Vec<OfSwitch<'_>> {
    let mut out: Vec<OfSwitch<'_>> = Vec::new();
    if let Some(levels) = &structure.levels {
        out.push((OF_NODE[0], Box::new(|switch| u32::from(levels[switch as usize]))));
    }
    for (name, list) in [(OF_NODE[1], &structure.groups), (OF_NODE[2], &structure.chassis)] {
        if let Some(list) = list {
            out.push((name, Box::new(|switch| list[switch as usize])));
        }
    }
    out
}

fn spaced(numbers: &[u32]) -> String {
    numbers.iter().map(u32::to_string).collect::<Vec<_>>().join(" ")
}

fn numbers(text: &str) -> Option<Vec<u32>> {
    text.split_whitespace().take(MOST).map(|word| word.parse().ok()).collect()
}

fn pairs(text: &str) -> Option<Vec<(u32, u32)>> {
    let pair = |word: &str| word.split_once('-').and_then(|(a, b)| Some((a.parse().ok()?, b.parse().ok()?)));
    text.split_whitespace().take(MOST).map(pair).collect()
}

fn grid(dims: &str, wrap: Option<&str>, complete: Option<&str>) -> Option<Grid> {
    let dims = numbers(dims).filter(|dims| (1..=32).contains(&dims.len()) && !dims.contains(&0))?;
    let wrap: Vec<bool> = numbers(wrap?)?.into_iter().map(|w| w == 1).collect();
    (wrap.len() == dims.len()).then(|| Grid { dims, wrap, complete: complete.is_some_and(|c| c.trim() == "1") })
}

/// True if the cables are those of the grid, each at least once, and no others. O(links · dimensions).
fn fits(grid: &Grid, network: &Network) -> bool {
    let product = grid.dims.iter().try_fold(1u32, |product, &extent| product.checked_mul(extent));
    if product != Some(network.switches()) {
        return false;
    }
    // Links of each switch that the grid wants, and neighbours that are there.
    let wanted = |switch: u32| {
        let mut rest = switch;
        grid.dims.iter().zip(&grid.wrap).rev().fold(0, |sum, (&extent, &wrap)| {
            let at = rest % extent;
            rest /= extent;
            let line = u32::from(at > 0) + u32::from(at + 1 < extent);
            let round = u32::from(wrap && extent > 2 && (at == 0 || at + 1 == extent));
            sum + if grid.complete { extent - 1 } else { line + round }
        })
    };
    (0..network.switches()).all(|switch| {
        let mut near: Vec<u32> = network.neighbours(switch).to_vec();
        near.dedup();
        near.len() as u32 == wanted(switch) && near.iter().all(|&other| are_near(grid, switch, other))
    })
}

/// True if two switches differ in one coordinate, as neighbours there.
fn are_near(grid: &Grid, mut a: u32, mut b: u32) -> bool {
    let mut differ = 0;
    for (&extent, &wrap) in grid.dims.iter().zip(&grid.wrap).rev() {
        let (x, y) = (a % extent, b % extent);
        (a, b) = (a / extent, b / extent);
        if x == y {
            continue;
        }
        let far = x.abs_diff(y);
        if !(grid.complete || far == 1 || (wrap && far + 1 == extent)) {
            return false;
        }
        differ += 1;
    }
    differ == 1
}
