//! What stands in the buffers of switches over time, as a table.

use netloom_model::{Column, Field, Table, TableRow};

use super::tables::of_each;
use crate::packet::{Point, Stood, Watch};

pub(super) static OCCUPANCY: TableRow = TableRow {
    name: "occupancy",
    help: "what stands in the buffers of switches over the time of the measurement: a row for each load, bin of time and block of \
           switches with consecutive numbers, at most 128",
    fields: &[
        Field::new("offered", "", "asked"),
        Field::new("from_cycles", "cycles", "begin of the bin, after that of the measurement"),
        Field::new("to_cycles", "cycles", "its end; all but the last are as long"),
        Field::new("first_switch", "", "of the block"),
        Field::new("switches", "", "in the block"),
        Field::new("amount", "", "packets (flits) in the buffers of a switch, mean over the block and the bin"),
    ],
};

/// Empty if it was not asked for.
pub(super) fn occupancy(asked: &[f64], points: &[Point]) -> Table {
    let rows: Vec<(f64, Stood)> = of_each(asked, points, |point| point.watch.iter().flat_map(Watch::stood).collect());
    Table::new(
        &OCCUPANCY,
        vec![
            Column::F64(rows.iter().map(|(load, _)| *load).collect()),
            Column::U64(rows.iter().map(|(_, row)| row.from).collect()),
            Column::U64(rows.iter().map(|(_, row)| row.to).collect()),
            Column::U32(rows.iter().map(|(_, row)| row.first_switch).collect()),
            Column::U32(rows.iter().map(|(_, row)| row.switches).collect()),
            Column::F64(rows.iter().map(|(_, row)| row.amount).collect()),
        ],
    )
}
