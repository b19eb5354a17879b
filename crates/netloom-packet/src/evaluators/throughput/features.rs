//! The nineteen features of Jain 2016, table 4.2, of each point.

use netloom_model::{Network, Table, table};

use crate::{LinkUse, Point};

table! {
    /// Names and meanings are those of table 4.2; what its counters give in bytes are units here.
    pub(crate) struct FeatureRow: "features",
        "the nineteen features of Jain 2016, table 4.2, over links between switches; `ao`: of those above the mean, `to`: of the \
           greatest 5 %" {
        offered: f64, "", "asked";
        avg_dilation_ao: f64, "hops", "of packets above the mean";
        max_dilation: f64, "hops", "of any packet";
        sum_dilation_ao: f64, "hops", "over packets above the mean";
        avg_units: f64, "", "phits or flits per link";
        avg_units_ao: f64, "", "the same";
        avg_units_to: f64, "", "the same";
        max_units: f64, "", "on any link";
        links_ao_units: f64, "", "number of links above the mean";
        avg_stalls: f64, "", "mean length of the receive buffers of a link, packets (flits)";
        avg_stalls_ao: f64, "", "the same";
        avg_stalls_to: f64, "", "the same";
        max_stalls: f64, "", "of any link";
        links_ao_stalls: f64, "", "number of links above the mean";
        avg_stallsp: f64, "cycles", "sum over time of the buffers' length, per packet received";
        avg_stallsp_ao: f64, "cycles", "the same";
        avg_stallsp_to: f64, "cycles", "the same";
        max_stallsp: f64, "cycles", "of any link";
        links_ao_stallsp: f64, "", "number of links above the mean";
        max_inj_fifo: f64, "packets", "most in the queue of any source";
    }
}

/// The part of the links that are top outliers (Jain 2016, section 4.1.3; section 4.3.3 says: within 5 % of the maximum).
const TOP: f64 = 0.05;

pub(super) fn features(asked: &[f64], points: &[Point], network: &Network) -> Table {
    Table::of(asked.iter().zip(points).map(|(offered, point)| row(*offered, point, network)))
}

fn row(offered: f64, point: &Point, network: &Network) -> FeatureRow {
    let [avg_dilation_ao, max_dilation, sum_dilation_ao] = dilation(&point.by_hops);
    let (mut units, mut stalls, mut stallsp, mut max_inj_fifo) = (NONE, NONE, NONE, f64::NAN);
    if let Some(watch) = &point.watch {
        let links: Vec<LinkUse> = (0..network.switch_links()).map(|link| watch.link(link)).collect();
        let held: Vec<f64> = watch.buffers().map(|(mean, _)| mean).take(links.len()).collect();
        let cycles = watch.cycles();
        let each = |(used, held): (&LinkUse, &f64)| match used.packets {
            0 => 0.0,
            packets => held * cycles / packets as f64,
        };
        stallsp = outliers(links.iter().zip(&held).map(each).collect());
        units = outliers(links.iter().map(|used| used.units as f64).collect());
        stalls = outliers(held);
        max_inj_fifo = watch.sources().map(|(_, most)| most).max().unwrap_or(0).into();
    }
    FeatureRow {
        offered,
        avg_dilation_ao,
        max_dilation,
        sum_dilation_ao,
        avg_units: units.mean,
        avg_units_ao: units.above,
        avg_units_to: units.top,
        max_units: units.most,
        links_ao_units: units.links_above,
        avg_stalls: stalls.mean,
        avg_stalls_ao: stalls.above,
        avg_stalls_to: stalls.top,
        max_stalls: stalls.most,
        links_ao_stalls: stalls.links_above,
        avg_stallsp: stallsp.mean,
        avg_stallsp_ao: stallsp.above,
        avg_stallsp_to: stallsp.top,
        max_stallsp: stallsp.most,
        links_ao_stallsp: stallsp.links_above,
        max_inj_fifo,
    }
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

/// What table 4.2 asks of the values of all links.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Outliers {
    mean: f64,
    /// Mean of the values above the mean.
    above: f64,
    /// Mean of the greatest 5 %.
    top: f64,
    most: f64,
    /// Number of values above the mean.
    links_above: f64,
}

/// The features of links that nobody watched.
const NONE: Outliers =
    Outliers { mean: f64::NAN, above: f64::NAN, top: f64::NAN, most: f64::NAN, links_above: f64::NAN };

fn outliers(mut values: Vec<f64>) -> Outliers {
    if values.is_empty() {
        return NONE;
    }
    values.sort_by(|a, b| b.total_cmp(a));
    let mean = |part: &[f64]| if part.is_empty() { f64::NAN } else { part.iter().sum::<f64>() / part.len() as f64 };
    let all = mean(&values);
    let above = values.partition_point(|value| *value > all);
    let top = (values.len() as f64 * TOP).ceil() as usize;
    Outliers {
        mean: all,
        above: mean(&values[..above]),
        top: mean(&values[..top]),
        most: values[0],
        links_above: above as f64,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outliers_are_those_above_the_mean_and_the_top_twentieth() {
        let values: Vec<f64> = (1..=40).map(f64::from).collect();
        let found = outliers(values);
        assert_eq!(found, Outliers { mean: 20.5, above: 30.5, top: 39.5, most: 40.0, links_above: 20.0 });
        let equal = outliers(vec![3.0, 3.0]);
        assert_eq!((equal.most, equal.links_above), (3.0, 0.0));
    }

    #[test]
    fn dilation_counts_packets() {
        // 10 of 1 hop, 10 of 4: the mean is 2.5.
        assert_eq!(dilation(&[(0, 0), (10, 0), (0, 0), (0, 0), (10, 0)]), [4.0, 4.0, 40.0]);
        assert!(dilation(&[]).iter().all(|value| value.is_nan()));
    }
}
