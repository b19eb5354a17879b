//! How a quantity lies on links.

/// Share of links that are the top ones, in percent.
const TOP_PERCENT: usize = 5;
/// What is within this share of the most is near it, in percent.
const NEAR_PERCENT: f64 = 5.0;
/// Ratios that differ by less, relatively, are equal: their mean is rounded.
const EQUAL: f64 = 1e-12;

/// A quantity over links. Means over no link are 0.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Spread {
    pub mean: f64,
    pub max: f64,
    /// Mean over the links with more than the mean.
    pub above_mean: f64,
    /// How many these are.
    pub above: u64,
    /// Mean over the 5 % of links with most, rounded up to whole links.
    pub top_mean: f64,
    /// Mean over the links with at least 95 % of the most.
    pub near_mean: f64,
}

impl Spread {
    /// O(links log links).
    pub fn of(mut values: Vec<f64>) -> Spread {
        values.sort_by(|one, other| other.total_cmp(one));
        let Some(&max) = values.first() else { return Spread::default() };
        let average = mean(&values);
        // The most is above the mean where any link is, whatever rounding does.
        let above = values.partition_point(|value| *value > average * (1.0 + EQUAL));
        let top = (values.len() * TOP_PERCENT).div_ceil(100);
        let near = values.partition_point(|value| *value >= max * (1.0 - NEAR_PERCENT / 100.0));
        Spread {
            mean: average,
            max,
            above_mean: mean(&values[..above]),
            above: above as u64,
            top_mean: mean(&values[..top]),
            near_mean: mean(&values[..near]),
        }
    }
}

fn mean(values: &[f64]) -> f64 {
    if values.is_empty() { 0.0 } else { values.iter().sum::<f64>() / values.len() as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outliers_are_above_the_mean_on_top_or_near_the_most() {
        // Of 40 links two are the top 5 %, three are within 5 % of the most.
        let mut values = vec![0.0; 40];
        values[7] = 100.0;
        values[8] = 96.0;
        values[9] = 95.0;
        values[10] = 60.0;
        values[11] = 1.0;
        let found = Spread::of(values);
        assert_eq!((found.mean, found.max), (352.0 / 40.0, 100.0));
        assert_eq!((found.above, found.above_mean), (4, 351.0 / 4.0));
        assert_eq!((found.top_mean, found.near_mean), (98.0, 97.0));
    }

    #[test]
    fn equal_links_have_none_above_their_mean() {
        for value in [0.1, 1.0 / 3.0, 7.0e9] {
            let found = Spread::of(vec![value; 1003]);
            assert_eq!((found.above, found.above_mean, found.max), (0, 0.0, value));
        }
        assert_eq!(Spread::of(Vec::new()), Spread::default());
    }
}
