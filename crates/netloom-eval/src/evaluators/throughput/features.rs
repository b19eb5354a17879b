//! The nineteen features of Jain 2016, table 4.2, of each point.

use netloom_model::{Column, Field, Network, Table, TableRow};

use crate::packet::{LinkUse, Point};

/// Names and meanings are those of the table; what its counters give in bytes are units here.
pub(super) static FEATURES: TableRow = TableRow {
    name: "features",
    help: "the nineteen features of Jain 2016, table 4.2, over links between switches; `ao`: of those above the mean, `to`: of the \
           greatest 5 %",
    fields: &[
        Field::new("offered", "", "asked"),
        Field::new("avg_dilation_ao", "hops", "of packets above the mean"),
        Field::new("max_dilation", "hops", "of any packet"),
        Field::new("sum_dilation_ao", "hops", "over packets above the mean"),
        Field::new("avg_units", "", "phits or flits per link"),
        Field::new("avg_units_ao", "", "the same"),
        Field::new("avg_units_to", "", "the same"),
        Field::new("max_units", "", "on any link"),
        Field::new("links_ao_units", "", "number of links above the mean"),
        Field::new("avg_stalls", "", "mean length of the receive buffers of a link, packets (flits)"),
        Field::new("avg_stalls_ao", "", "the same"),
        Field::new("avg_stalls_to", "", "the same"),
        Field::new("max_stalls", "", "of any link"),
        Field::new("links_ao_stalls", "", "number of links above the mean"),
        Field::new("avg_stallsp", "cycles", "sum over time of the buffers' length, per packet received"),
        Field::new("avg_stallsp_ao", "cycles", "the same"),
        Field::new("avg_stallsp_to", "cycles", "the same"),
        Field::new("max_stallsp", "cycles", "of any link"),
        Field::new("links_ao_stallsp", "", "number of links above the mean"),
        Field::new("max_inj_fifo", "packets", "most in the queue of any source"),
    ],
};

/// The part of the links that are top outliers (Jain 2016, section 4.1.3; section 4.3.3 says: within 5 % of the maximum).
const TOP: f64 = 0.05;

pub(super) fn features(asked: &[f64], points: &[Point], network: &Network) -> Table {
    let rows: Vec<Vec<f64>> = points.iter().map(|point| row(point, network)).collect();
    let mut columns = vec![Column::F64(asked.to_vec())];
    for at in 0..FEATURES.fields.len() - 1 {
        columns.push(Column::F64(rows.iter().map(|row| row[at]).collect()));
    }
    Table::new(&FEATURES, columns)
}

fn row(point: &Point, network: &Network) -> Vec<f64> {
    let mut row: Vec<f64> = dilation(&point.by_hops).into();
    let Some(watch) = &point.watch else {
        row.resize(FEATURES.fields.len() - 1, f64::NAN);
        return row;
    };
    let links: Vec<LinkUse> = (0..network.switch_links()).map(|link| watch.link(link)).collect();
    let held: Vec<f64> = watch.buffers().map(|(mean, _)| mean).take(links.len()).collect();
    let cycles = watch.cycles();
    let each = |(used, held): (&LinkUse, &f64)| match used.packets {
        0 => 0.0,
        packets => held * cycles / packets as f64,
    };
    let per_packet: Vec<f64> = links.iter().zip(&held).map(each).collect();
    row.extend(outliers(links.iter().map(|used| used.units as f64).collect()));
    row.extend(outliers(held));
    row.extend(outliers(per_packet));
    row.push(watch.sources().map(|(_, most)| most).max().unwrap_or(0).into());
    row
}

/// Mean above the mean, greatest, sum above the mean.
fn dilation(by_hops: &[(u64, u64)]) -> [f64; 3] {
    let each = || (0u64..).zip(by_hops).map(|(hops, (packets, _))| (hops, *packets));
    let total = |from: u64| {
        each().skip(from as usize).fold((0, 0), |(n, sum), (hops, packets)| (n + packets, sum + hops * packets))
    };
    let (packets, hops) = total(0);
    if packets == 0 {
        return [f64::NAN; 3];
    }
    let (above, sum) = total(hops / packets + 1);
    let most = each().filter(|(_, packets)| *packets > 0).map(|(hops, _)| hops).max().unwrap_or(0);
    // Where all are equal none is above the mean.
    [if above == 0 { f64::NAN } else { sum as f64 / above as f64 }, most as f64, sum as f64]
}

/// Mean, that of values above the mean, that of the greatest 5 %, the greatest, the number above the mean.
fn outliers(mut values: Vec<f64>) -> [f64; 5] {
    if values.is_empty() {
        return [f64::NAN; 5];
    }
    values.sort_by(|a, b| b.total_cmp(a));
    let mean = |part: &[f64]| if part.is_empty() { f64::NAN } else { part.iter().sum::<f64>() / part.len() as f64 };
    let all = mean(&values);
    let above = values.partition_point(|value| *value > all);
    let top = (values.len() as f64 * TOP).ceil() as usize;
    [all, mean(&values[..above]), mean(&values[..top]), values[0], above as f64]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outliers_are_those_above_the_mean_and_the_top_twentieth() {
        let values: Vec<f64> = (1..=40).map(f64::from).collect();
        assert_eq!(outliers(values), [20.5, 30.5, 39.5, 40.0, 20.0]);
        assert_eq!(outliers(vec![3.0, 3.0])[3..], [3.0, 0.0]);
    }

    #[test]
    fn dilation_counts_packets() {
        // 10 of 1 hop, 10 of 4: the mean is 2.5.
        assert_eq!(dilation(&[(0, 0), (10, 0), (0, 0), (0, 0), (10, 0)]), [4.0, 4.0, 40.0]);
        assert!(dilation(&[]).iter().all(|value| value.is_nan()));
    }
}
