//! What stands in the buffers of switches over time, as a table.

use netloom_model::{Table, table};

use super::tables::of_each;
use crate::{Point, Stood, Watch};

table! {
    pub(crate) struct FillRow: "occupancy",
        "what stands in the buffers of switches over the time of the measurement: a row for each load, bin of time and block of \
           switches with consecutive numbers, at most 128" {
        offered: f64, "", "asked";
        from_cycles: u64, "cycles", "begin of the bin, after that of the measurement";
        to_cycles: u64, "cycles", "its end; all but the last are as long";
        first_switch: u32, "", "of the block";
        switches: u32, "", "in the block";
        amount: f64, "", "packets (flits) in the buffers of a switch, mean over the block and the bin";
    }
}

/// Empty if it was not asked for.
pub(super) fn occupancy(asked: &[f64], points: &[Point]) -> Table {
    let rows: Vec<(f64, Stood)> = of_each(asked, points, |point| point.watch.iter().flat_map(Watch::stood).collect());
    Table::of(rows.into_iter().map(|(offered, stood)| FillRow {
        offered,
        from_cycles: stood.from,
        to_cycles: stood.to,
        first_switch: stood.first_switch,
        switches: stood.switches,
        amount: stood.amount,
    }))
}
