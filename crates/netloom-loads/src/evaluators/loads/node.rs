//! What stays inside nodes, in the words of the evaluator `loads`.

use std::sync::Arc;

use netloom_model::{Node, Outcome, Place, Progress, Scenario, Sends, Table, table};

use crate::loads::{Inside, inside};

/// The row of links that join two seats.
const DIRECT: &str = "direct";

table! {
    pub(crate) struct LevelRow: "levels",
        "with a node: one row per level that carries anything, outermost first, then per level whose memory does, then one for direct links" {
        level: String, "", "name of the level";
        links: u64, "", "its links in all nodes, up and down, or its memories";
        used: u64, "", "links that carry anything";
        max_bytes: f64, "B", "most bytes on one of them";
        mean_bytes: f64, "B", "bytes per link";
        max_s: f64, "s", "longest time that the bytes of one of them take";
    }
}

pub(super) fn in_nodes(
    scenario: &Scenario,
    node: &Node,
    sends: &[Arc<dyn Sends>],
    progress: &Progress,
) -> Outcome<Inside> {
    let places = scenario.places()?;
    let jobs: Vec<(&dyn Sends, &[Place])> = sends.iter().zip(&places).map(|(s, places)| (&**s, &places[..])).collect();
    inside(node, scenario.machine.network.endpoints(), &jobs, progress)
}

/// What the links of a level carry.
#[derive(Clone, Default)]
struct Carried {
    links: u64,
    used: u64,
    total: u128,
    most: u64,
    longest_s: f64,
}

/// Levels whose links carry anything, then those whose memory does, then direct links.
pub(super) fn levels(node: &Node, inner: &Inside) -> Table {
    let (depth, direct) = (node.levels().len(), 2 * node.levels().len());
    let mut of_level = vec![Carried::default(); direct + 1];
    let row = |link: u32| match node.level_of(link) {
        Some(level) if node.is_memory(link) => depth + level,
        Some(level) => level,
        None => direct,
    };
    let of_link: Vec<(usize, f64)> =
        (0..node.links_per_node()).map(|link| (row(link), node.class_of(link).bandwidth_bytes_per_s)).collect();
    for (link, &bytes) in inner.bytes.iter().enumerate() {
        let (level, bandwidth) = of_link[link % of_link.len()];
        let carried = &mut of_level[level];
        carried.links += 1;
        carried.used += u64::from(bytes > 0);
        carried.total += u128::from(bytes);
        carried.most = bytes.max(carried.most);
        carried.longest_s = carried.longest_s.max(bytes as f64 / bandwidth);
    }
    // A way that no message takes is no link.
    let ways = node.direct().iter().map(|link| link.bytes_per_s.iter().flatten().count() as u64).sum::<u64>();
    let nodes = inner.bytes.len() as u64 / u64::from(node.links_per_node().max(1));
    of_level[direct].links = ways * nodes;
    let names = node.levels().iter().map(|level| level.name.clone());
    let memory = node.levels().iter().map(|level| format!("{} memory", level.name));
    let carrying = names.chain(memory).chain([DIRECT.to_string()]).zip(of_level).filter(|(_, of)| of.used > 0);
    Table::of(carrying.map(|(level, of)| LevelRow {
        level,
        links: of.links,
        used: of.used,
        max_bytes: of.most as f64,
        mean_bytes: of.total as f64 / of.links as f64,
        max_s: of.longest_s,
    }))
}
