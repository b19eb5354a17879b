//! What stays inside nodes, in the words of the evaluator `loads`.

use std::sync::Arc;

use netloom_model::{Column, Field, Node, Outcome, Place, Progress, Scenario, Sends, Table, TableRow};

use crate::loads::{Inside, inside};

pub(super) static LEVELS: TableRow = TableRow {
    name: "levels",
    help: "with a node: one row per level that carries anything, outermost first",
    fields: &[
        Field::new("level", "", "name of the level"),
        Field::new("links", "", "its links in all nodes, up and down"),
        Field::new("used", "", "links that carry anything"),
        Field::new("max_bytes", "B", "most bytes on one of them"),
        Field::new("mean_bytes", "B", "bytes per link"),
        Field::new("max_s", "s", "time that the most bytes take"),
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

/// Levels whose links carry anything.
pub(super) fn levels(node: &Node, inner: &Inside) -> Table {
    let mut of_level: Vec<(u64, u64, u128, u64)> = vec![(0, 0, 0, 0); node.levels().len()];
    let of_link: Vec<usize> = (0..node.links_per_node()).map(|link| node.level_of(link)).collect();
    for (link, &bytes) in inner.bytes.iter().enumerate() {
        let (links, used, total, most) = &mut of_level[of_link[link % of_link.len()]];
        *links += 1;
        *used += u64::from(bytes > 0);
        *total += u128::from(bytes);
        *most = bytes.max(*most);
    }
    let rows: Vec<_> = node.levels().iter().zip(of_level).filter(|(_, (_, used, ..))| *used > 0).collect();
    let columns = vec![
        Column::Text(rows.iter().map(|(level, _)| level.name.clone()).collect()),
        Column::U64(rows.iter().map(|(_, of)| of.0).collect()),
        Column::U64(rows.iter().map(|(_, of)| of.1).collect()),
        Column::F64(rows.iter().map(|(_, of)| of.3 as f64).collect()),
        Column::F64(rows.iter().map(|(_, of)| of.2 as f64 / of.0 as f64).collect()),
        Column::F64(rows.iter().map(|(level, of)| of.3 as f64 / level.bandwidth_bytes_per_s).collect()),
    ];
    Table::new(&LEVELS, columns)
}
