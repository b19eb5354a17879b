//! The table of link loads by class.

use netloom_model::{Column, Field, Network, Table, TableRow};

use crate::loads::Class;
use crate::loads::summary::Six;

pub(super) static CLASSES: TableRow = TableRow {
    name: "classes",
    help: "loads of all switch links, of each class of them, and of injection and ejection",
    fields: &[
        Field::new("class", "", "name of the class"),
        Field::new("links", "", "links of the class"),
        Field::new("used", "", "links that carry anything"),
        Field::new("total_bytes", "B", "bytes on all of them"),
        Field::new("min_bytes", "B", "least bytes on one of them"),
        Field::new("q1_bytes", "B", "first quartile"),
        Field::new("median_bytes", "B", "median"),
        Field::new("mean_bytes", "B", "mean"),
        Field::new("q3_bytes", "B", "third quartile"),
        Field::new("max_bytes", "B", "most bytes on one of them"),
        Field::new("max_s", "s", "longest time that the bytes of a link take"),
        Field::new("mean_s", "s", "mean of these times"),
    ],
};

/// The columns of [`Six`], first those that count.
pub(super) fn six<'a>(rows: impl Iterator<Item = &'a Six> + Clone) -> Vec<Column> {
    let counts = [|six: &Six| six.links, |six: &Six| six.used].map(|of| Column::U64(rows.clone().map(of).collect()));
    let bytes: [fn(&Six) -> f64; 7] = [
        |six| six.total,
        |six| six.minimum,
        |six| six.first_quartile,
        |six| six.median,
        |six| six.mean,
        |six| six.third_quartile,
        |six| six.maximum,
    ];
    counts.into_iter().chain(bytes.map(|of| Column::F64(rows.clone().map(of).collect()))).collect()
}

pub(super) fn table(classes: Vec<Class<'_>>) -> Table {
    let rows: Vec<_> = classes.into_iter().filter_map(|class| class.six.map(|six| (class, six))).collect();
    let mut columns = vec![Column::Text(rows.iter().map(|(class, _)| class.name.to_string()).collect())];
    columns.extend(six(rows.iter().map(|(_, six)| six)));
    columns.push(Column::F64(rows.iter().map(|(class, _)| class.max_s).collect()));
    columns.push(Column::F64(rows.iter().map(|(class, _)| class.mean_s).collect()));
    Table::new(&CLASSES, columns)
}

/// Where a directed link of the network begins and ends, as tables name it. Links are numbered between switches, then of
/// injection, then of ejection.
pub(super) fn ends_of(network: &Network, link: u32) -> (String, String) {
    let endpoint = |link: u32| link.checked_sub(network.switch_links()).map(|at| at % network.endpoints().max(1));
    match endpoint(link) {
        None => {
            let at = |ends: &[u32]| network.switch_name(ends[link as usize]);
            (at(network.tails()), at(network.heads()))
        }
        Some(endpoint) => {
            let (end, switch) =
                (format!("endpoint {endpoint}"), network.switch_name(network.endpoint_switch()[endpoint as usize]));
            if link < network.ejection_link(0) { (end, switch) } else { (switch, end) }
        }
    }
}
