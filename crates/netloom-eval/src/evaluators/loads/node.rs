//! What stays inside nodes, in the words of the evaluator `loads`.

use std::sync::Arc;

use netloom_model::{Column, Field, Node, Outcome, Place, Progress, Scenario, Sends, Table, TableRow};

use crate::loads::{Inside, inside};

/// The row of links that join two seats.
const DIRECT: &str = "direct";

pub(super) static LEVELS: TableRow = TableRow {
    name: "levels",
    help: "with a node: one row per level that carries anything, outermost first, then one for direct links",
    fields: &[
        Field::new("level", "", "name of the level"),
        Field::new("links", "", "its links in all nodes, up and down"),
        Field::new("used", "", "links that carry anything"),
        Field::new("max_bytes", "B", "most bytes on one of them"),
        Field::new("mean_bytes", "B", "bytes per link"),
        Field::new("max_s", "s", "longest time that the bytes of one of them take"),
    ],
};

pub(super) fn in_nodes(
    scenario: &Scenario,
    node: &Node,
    sends: &[Arc<dyn Sends>],
    progress: &Progress,
) -> Outcome<Inside> {
    let places = scenario.places()?;
    let jobs: Vec<(&dyn Sends, &[Place])> = sends.iter().zip(&places).map(|(s, places)| (&**s, &places[..])).collect();
    inside(node, scenario.network.endpoints(), &jobs, progress)
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

/// Levels whose links carry anything, and direct links, which stand after them.
pub(super) fn levels(node: &Node, inner: &Inside) -> Table {
    let mut of_level = vec![Carried::default(); node.levels().len() + 1];
    let direct = node.levels().len();
    let of_link: Vec<(usize, f64)> = (0..node.links_per_node())
        .map(|link| (node.level_of(link).unwrap_or(direct), node.class_of(link).bandwidth_bytes_per_s))
        .collect();
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
    let names = node.levels().iter().map(|level| level.name.as_str()).chain([DIRECT]);
    let rows: Vec<(&str, Carried)> = names.zip(of_level).filter(|(_, of)| of.used > 0).collect();
    let columns = vec![
        Column::Text(rows.iter().map(|(name, _)| (*name).to_string()).collect()),
        Column::U64(rows.iter().map(|(_, of)| of.links).collect()),
        Column::U64(rows.iter().map(|(_, of)| of.used).collect()),
        Column::F64(rows.iter().map(|(_, of)| of.most as f64).collect()),
        Column::F64(rows.iter().map(|(_, of)| of.total as f64 / of.links as f64).collect()),
        Column::F64(rows.iter().map(|(_, of)| of.longest_s).collect()),
    ];
    Table::new(&LEVELS, columns)
}
